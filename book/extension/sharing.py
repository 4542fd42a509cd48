"""What other sites show of a page: its description, a picture, its place in a list.

A description stands in every page.  What needs an address of its own (a picture, the
sitemap) is made where the site's address is known.
"""

import html
import re
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill

FOLDER = "share"
DESCRIBED = 155  # letters that a search engine shows
TITLE = re.compile(r"<title>(.*?)(?: &#8212; .*?)?</title>", re.DOTALL)
SIZE = (1200, 630)  # pixels, what most sites show without cutting
PIXELS = (0.0, 10.0, 20.0, 30.0)


def description(page: str) -> str:
    """Return a page's first sentences as plain text, "" if it has none."""
    body = page[page.find("<article") :].partition("</article>")[0]
    body = re.sub(
        r"<(script|style|table|noscript|pre)\b.*?</\1>", " ", body, flags=re.S
    )
    told = ""
    for paragraph in re.findall(r"<p>(.*?)</p>", body, re.DOTALL):
        words = re.sub(
            r'<span class="katex-html".*?</span></span></span>', "", paragraph
        )
        words = html.unescape(re.sub(r"<[^>]+>", "", words))
        told = " ".join(f"{told} {words}".split())
        if len(told) >= 80:
            break
    if len(told) <= DESCRIBED:
        return told
    return told[: DESCRIBED - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def tags(page: str, address: str = "", picture: str = "") -> str:
    """Return the tags of a page's head that describe it; "" if it has no sentence."""
    told = description(page)
    if not told:
        return ""
    said = {"title": html.unescape(TITLE.search(page)[1]).strip(), "description": told}
    if address:
        said |= {"type": "article", "site_name": "Resize Lab", "url": address}
    if picture:
        said |= {"image": picture, "image:width": SIZE[0], "image:height": SIZE[1]}
    lines = [f'<meta name="description" content="{html.escape(told)}">']
    lines += [
        f'<meta property="og:{key}" content="{html.escape(str(value))}">'
        for key, value in said.items()
    ]
    if picture:
        lines.append('<meta name="twitter:card" content="summary_large_image">')
    return "".join(lines)


def draw(title: str, path: Path) -> None:
    """Draw a page's picture: its title over four pixels and the eight made of them."""
    # Imported here: a build that draws none need not wait for them.
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    import resizelab as rl

    eight = rl.resize(PIXELS, (8,), "torch.bilinear")
    # A "$" in a title is a letter.
    with rc_context({"text.parse_math": False}):
        figure = Figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
        figure.text(0.06, 0.9, "Resize Lab", fontsize=24, color="#5a6472", va="top")
        figure.text(
            *(0.06, 0.6),
            fill(title, 28, max_lines=4),
            fontsize=38,
            color="#14181e",
            va="center",
            weight="bold",
        )
        for row, values in enumerate((PIXELS, eight)):
            axes = figure.add_axes((0.06, 0.19 - 0.11 * row, 0.88, 0.1))
            axes.imshow([values], cmap="gray", vmin=0, vmax=33, aspect="auto")
            axes.set_axis_off()
        figure.savefig(path, metadata={"Software": None})


def pictures(site: Path, names: Iterable[str]) -> dict[str, str]:
    """Draw a picture for each page; return their paths below ``site`` by page."""
    (site / FOLDER).mkdir(exist_ok=True)
    made = {}
    for name in names:
        page = (site / f"{name}.html").read_text(encoding="utf-8")
        made[name] = f"{FOLDER}/{name.rpartition('/')[2]}.png"
        draw(html.unescape(TITLE.search(page)[1]).strip(), site / made[name])
    return made


def write_sitemap(site: Path, where: str, names: Iterable[str]) -> None:
    """Write the list of pages that search engines read."""
    listed = "".join(f"<url><loc>{where}{name}.html</loc></url>\n" for name in names)
    (site / "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{listed}</urlset>\n",
        encoding="utf-8",
    )
