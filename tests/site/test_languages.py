"""A few pages in a language that nobody speaks: what stays English has a reason."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from browser import PATIENCE, ROOT
from tiny_book import SHARED, run

pytestmark = [pytest.mark.slow, pytest.mark.browser]
pytest.importorskip("sphinx", reason="Sphinx is not installed")
pseudo = pytest.importorskip("pseudo")
sys.path.insert(0, str(ROOT / "book" / "extension"))
gather = pytest.importorskip("gather")

PAGES = "index", "grids", "drift"
# Every text that readers see or hear, and the elements that it stands in.
SEEN = """() => {
  const seen = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const called = (node) => `${node.tagName}.${node.getAttribute("class") || ""}`;
  const kept = "code, pre, script, style, .katex, .bibliography, noscript";
  while (walk.nextNode()) {
    const place = walk.currentNode.parentElement;
    if (walk.currentNode.data.trim() && !place.closest(kept))
      seen.push([walk.currentNode.data.trim(), called(place)]);
  }
  for (const name of ["aria-label", "aria-valuetext", "alt", "title", "placeholder"])
    for (const node of document.querySelectorAll(`body [${name}]`))
      seen.push([node.getAttribute(name), `${name} ${called(node)}`]);
  return seen;
}"""
# What is folded is opened, each question answered, each menu used.
OPENED = """() => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const press = ".rl-compare [data-option='0'], .rl-menu button[aria-expanded]";
  for (const one of document.querySelectorAll(press)) one.click();
  for (const form of document.querySelectorAll(".resizelab-predict form")) {
    const field = form.querySelector("input");
    if (field.type === "radio") field.checked = true; else field.value = "3";
    form.requestSubmit();
  }
}"""
# Names of choices and calls, addresses; then a word of two letters and more.
NAMES = re.compile(r"https?://\S+|\w*[_=./\\]\w[\w.]*|\w+\(\)")
WORD = re.compile(r"(?<![\w'\u2019-])[A-Za-z]{2,}(?!\w)")
# What may stay, by a text of it or the place: why.
ALLOWED = {
    r"(pst|sd|bd|theme|headerlink|navbar|sidebar|skip-link|search|copyright)": "the "
    "theme's own words: its packages bring their translations",
    r"component-author|logo": "names",
    r"prev-next|toctree|btn|onthispage|H2\.$|NAV\.|toggle|admonition-title": "theme",
}
NAMED = {"Resize", "Lab", "PyTorch", "OpenCV", "Pillow", "TensorFlow", "SciPy", "ONNX"}
NAMED |= {"Runtime", "NumPy", "Python", "JupyterLab", "Binder", "IoU", "Dice", "MIT"}
NAMED |= {"half", "asymmetric", "dial", "linear", "cubic", "nearest", "English"}
SHARE = 0.02  # of the words: what cells print by themselves


def plain(text: str) -> list[str]:
    """Return the words of a text that nobody translated; pseudo-words have accents."""
    words = WORD.findall(NAMES.sub(" ", text))
    return [w for w in words if re.search("[aeiouy]", w.lower()) and w not in NAMED]


def laid_out(folder: Path) -> Path:
    """Return a folder with a few pages of the real book and a whole translation."""
    (folder / "book").mkdir(parents=True)
    (folder / "_build").mkdir()
    for name in SHARED:
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    for name in PAGES:
        text = (ROOT / f"book/{name}.md").read_text(encoding="utf-8")
        # The other chapters are not here.
        text = re.sub(r"\[([^\]]*)\]\(([\w-]+)\.md(#[^)]*)?\)", r"\1", text)
        (folder / f"book/{name}.md").write_text(text, encoding="utf-8")
    others = "".join(f"\n      - file: book/{name}" for name in PAGES[1:])
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: book/index\nparts:\n"
        f"  - caption: Where is a pixel?\n    chapters:{others}\n"
    )
    return folder


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = laid_out(tmp_path_factory.mktemp("pseudo") / "book")
    # The package is the folder's own: so pages are known by what they use of it.
    path = {"PYTHONPATH": str(folder)}
    first = run(folder, **path)
    assert first.returncode == 0, first.stdout[-4000:] + first.stderr[-4000:]
    target = folder / "book/locale" / pseudo.CODE / "LC_MESSAGES"
    target.mkdir(parents=True)
    os.environ["PYTHONPATH"] = str(folder)
    for name, template in zip(
        gather.DOMAINS,
        (gather.pages(folder), gather.gathered(ROOT)),
        strict=True,
    ):
        with (target / f"{name}.po").open("wb") as file:
            gather.write_po(file, pseudo.translated(template))
    shutil.copytree(folder / "_build/html", folder / "english")
    done = run(folder, RESIZELAB_LANGUAGE=pseudo.CODE, **path)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    site = folder / "site"
    shutil.move(folder / "english", site)
    shutil.move(folder / "_build/html", site / pseudo.CODE)
    script = [sys.executable, str(ROOT / "book/extension/editions.py"), str(site)]
    subprocess.run(script, check=True, timeout=PATIENCE)
    return site


@pytest.mark.parametrize("page", PAGES)
def test_nothing_stays_english_without_a_reason(book, page, chromium):
    tab = chromium.new_page(viewport={"width": 1280, "height": 900})
    tab.goto(f"file://{book / pseudo.CODE}/book/{page}.html")
    assert tab.locator("html").get_attribute("lang") == pseudo.CODE
    for place in tab.locator("figure.rl-fig, .resizelab").all():
        place.scroll_into_view_if_needed()
    tab.evaluate(OPENED)
    tab.wait_for_timeout(1000)
    seen = tab.evaluate(SEEN)
    tab.close()
    left = {
        (text, where): words
        for text, where in seen
        if (words := plain(text)) and not any(re.search(a, where) for a in ALLOWED)
    }
    every = sum(len(re.findall(r"[^\W\d_]{2,}", text)) for text, _ in seen)
    assert every > 1500, "the page is there"
    share = sum(map(len, left.values())) / every
    told = sorted(left, key=lambda k: -len(left[k]))
    assert share <= SHARE, f"{share:.1%}: {told[:20]}"


def test_each_edition_leads_to_the_other(book):
    english = (book / "book/grids.html").read_text(encoding="utf-8")
    assert f'href="../{pseudo.CODE}/book/grids.html"' in english
    other = (book / pseudo.CODE / "book/grids.html").read_text(encoding="utf-8")
    assert 'href="../../book/grids.html" lang="en"' in other
