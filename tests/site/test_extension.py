"""The site's own Sphinx extension: formulas, the cache's key, the public address."""

import json
import subprocess
import sys

import pytest
from browser import ROOT

sys.path.insert(0, str(ROOT / "book" / "extension"))
katex_build = pytest.importorskip("katex_build", reason="Sphinx is not installed")
resizelab_site = pytest.importorskip("resizelab_site")
hatch_build = pytest.importorskip("hatch_build")


@pytest.fixture(scope="module")
def renderer():
    made = katex_build.Renderer(katex_build.fetch(ROOT / "_build" / ".katex"))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("tex", "display", "seen"),
    [
        (r"x_i = (i + \tfrac12)\,s", False, "mfrac"),
        (r"\begin{cases} 1 & x \ge 0 \\ 0 & x < 0 \end{cases}", True, "mtable"),
        (r"\begin{pmatrix} \frac34 & \frac14 \end{pmatrix}", True, "mtable"),
        (r"\left\lfloor \frac{n}{2} \right\rfloor", False, "⌊"),
    ],
)
def test_formula_is_html_and_mathml(renderer, tex, display, seen):
    html = renderer(tex, display)
    assert 'class="katex-html" aria-hidden="true"' in html
    assert seen in html
    assert ("katex-display" in html) == display


def test_wrong_formula_is_an_error_and_the_next_one_is_drawn(renderer):
    with pytest.raises(ValueError, match=r"Undefined control sequence: \\fracc"):
        renderer(r"\fracc{1}{2}", False)
    assert "mfrac" in renderer(r"\frac{1}{2}", False)


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("https://example.org/lab/book.git", "https://example.org/lab/book"),
        ("https://example.org/lab/book", "https://example.org/lab/book"),
        ("https://name:secret@example.org/lab/book", "https://example.org/lab/book"),
        ("git@example.org:lab/book.git", "https://example.org/lab/book"),
        ("ssh://git@example.org/lab/book.git", "https://example.org/lab/book"),
        ("../book.git", None),
        ("/srv/git/book.git", None),
        ("file:///srv/git/book.git", None),
        ("C:/git/book", None),
        (None, None),
    ],
)
def test_public_address_comes_from_the_remote(tmp_path, monkeypatch, remote, url):
    monkeypatch.delenv("RESIZELAB_URL", raising=False)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    if remote is not None:
        add = ["git", "-C", tmp_path, "remote", "add", "origin", remote]
        subprocess.run(add, check=True)
    assert resizelab_site.public_url(tmp_path) == url


@pytest.mark.parametrize(
    ("value", "url"), [("https://example.org/a/", "https://example.org/a"), ("", None)]
)
def test_public_address_can_be_set(tmp_path, monkeypatch, value, url):
    monkeypatch.setenv("RESIZELAB_URL", value)
    assert resizelab_site.public_url(tmp_path) == url


@pytest.mark.parametrize(
    ("repository", "told", "site"),
    [
        ("https://github.com/Lab/book", None, "https://lab.github.io/book/"),
        ("https://gitlab.com/lab/book", None, "https://lab.gitlab.io/book/"),
        ("https://github.com/lab/lab.github.io", None, "https://lab.github.io/"),
        ("https://example.org/lab/book", None, None),
        ("", None, None),
        ("", "https://example.org/resize/", "https://example.org/resize/"),
        (
            "https://github.com/a/b",
            "https://example.org/resize",
            "https://example.org/resize/",
        ),
    ],
)
def test_the_sites_address_follows_the_repositorys(
    tmp_path, monkeypatch, repository, told, site
):
    monkeypatch.setenv("RESIZELAB_URL", repository)
    monkeypatch.setenv("RESIZELAB_SITE", told or "")
    assert hatch_build.site_url(tmp_path) == site


def test_unwanted_scripts_are_taken_out_and_nothing_else():
    html = (
        '<link href="a.css">\n<script defer src="_static/scripts/fontawesome.js?d=1">'
        '</script>\n<script src="b.js"></script>'
    )
    kept = '<link href="a.css">\n\n<script src="b.js"></script>'
    assert resizelab_site.UNWANTED.sub("", html) == kept


def test_what_modules_share_is_said_once_and_nothing_is_lost():
    helpers = "const shared = 1;" * 100
    widgets = {
        "a": {"state": {"_esm": helpers + "export 1", "_css": ".a{}", "x": 1}},
        "b": {"state": {"_esm": helpers + "2", "_css": ".a{}"}},
        "c": {"state": {"_esm": helpers + "3", "_css": ".c{}"}},
        "d": {"state": {"_esm": helpers + "2", "_css": ".a{}"}},
        "layout": {"state": {"width": None}},
    }
    text = json.dumps({"state": widgets, "version_major": 2})
    page = json.loads(resizelab_site.share_scripts(text))
    assert page["version_major"] == 2
    for key, widget in widgets.items():
        now, was = page["state"][key]["state"], widget["state"]
        if key == "d":
            assert now.pop("_esm") == {"like": "b"}
            assert now.pop("_css") == ""
        elif "_esm" in was:
            assert page["shared"] + now.pop("_esm") == was["_esm"]
            assert now.pop("_css") == ("" if key == "b" else was["_css"])
        assert now.items() <= was.items()
