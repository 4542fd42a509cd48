"""Where the pages lead: to Binder, to a run on one's own machine, to the wheel."""

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from browser import ROOT
from tiny_book import code, run, with_own_settings

from resizelab.engines.libraries import LIBRARIES

sys.path.insert(0, str(ROOT / "book" / "extension"))
pytest.importorskip("sphinx", reason="Sphinx is not installed")
import own_wheel
import resizelab_site
import solutions

PAGE = f"""
# Tiny
{code("2 + 2")}
```{{exercise}} One
:label: one
How many?
```

````{{solution-start}} one
:class: dropdown
````

Secretwords.
{code("40 + 2")}
````{{solution-end}}
````

## Afterwards

Words that stay.
{code("3 + 3")}
"""
PLACES = {
    "github": ("https://github.com/lab/book", "gh/lab/book/main"),
    "elsewhere": ("https://git.example.org/lab/book", None),
}


@pytest.fixture(scope="module", params=PLACES)
def built(request, tmp_path_factory):
    """Build one page for an address with the book's own settings; (where, HTML)."""
    pages = {"index": f"# Root\n{code('1 + 1')}", "one": PAGE}
    folder = with_own_settings(tmp_path_factory.mktemp(request.param) / "it", pages)
    address = PLACES[request.param][0]
    done = run(folder, RESIZELAB_URL=address, RESIZELAB_SOLUTIONS="0")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return request.param, folder / "_build" / "html"


@pytest.mark.slow
def test_the_launch_button_opens_this_page_or_is_not_there(built):
    where, site = built
    _, place = PLACES[where]
    html = unescape((site / "book/one.html").read_text(encoding="utf-8"))
    links = re.findall(r'href="([^"]*mybinder[^"]*)"', html)
    if place is None:
        assert links == []
        assert "fa-rocket" not in html
        assert 'href="https://git' not in html, "a button to a guessed repository"
        assert "<code>make lab</code>" in html
    else:
        query = "?urlpath=lab/tree/book/one.md"
        assert set(links) == {f"https://mybinder.org/v2/{place}{query}"}
        notebook = "github/lab/book/blob/notebooks/one.ipynb"
        assert f'href="{resizelab_site.COLAB}/{notebook}"' in html
        assert f'href="{PLACES[where][0]}"' in html
        assert "make lab" not in html


@pytest.mark.slow
def test_where_the_address_is_known_pages_can_be_shared(built):
    where, site = built
    text = (site / "book/one.html").read_text(encoding="utf-8")
    lost = (site / "404.html").read_text(encoding="utf-8")
    assert 'name="description"' in text
    if PLACES[where][1] is None:
        assert "og:image" not in text
        assert not (site / "sitemap.xml").exists()
        assert 'href="/book/index.html"' in lost
        return
    root = "https://lab.github.io/book/"
    assert f'<link rel="canonical" href="{root}book/one.html"' in text
    told = dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)"', text))
    assert told["url"] == f"{root}book/one.html"
    assert told["title"] == "Tiny"
    picture = (site / told["image"].removeprefix(root)).read_bytes()
    assert picture[:4] == b"\x89PNG"
    size = [int.from_bytes(picture[k : k + 4]) for k in (16, 20)]
    assert size == [int(told[f"image:{side}"]) for side in ("width", "height")]
    listed = re.findall(r"<loc>(.*?)</loc>", (site / "sitemap.xml").read_text("utf-8"))
    assert listed == [f"{root}book/index.html", f"{root}book/one.html"]
    # Nobody needs them without a network.
    assert "share/" not in (site / "sw.js").read_text(encoding="utf-8")
    assert 'href="/book/book/index.html"' in lost


@pytest.mark.parametrize(
    ("url", "known"),
    [
        ("https://github.com/lab/book", True),
        ("https://gitlab.com/lab/book", True),
        ("https://gitlab.com/group/lab/book", False),
        ("https://github.com.example.org/lab/book", False),
        ("", False),
    ],
)
def test_a_button_needs_an_address_that_binder_can_use(url, known, monkeypatch):
    monkeypatch.setenv("RESIZELAB_URL", url)
    options = {"repository_url": ""}
    config = SimpleNamespace(html_theme_options=options)
    resizelab_site._launch_buttons(SimpleNamespace(srcdir=ROOT), config)
    assert bool(options["launch_buttons"]) == known
    assert options.get("repository_url") == (url if known else None)
    assert ("make lab" in options.get("extra_footer", "")) != known


@pytest.mark.slow
def test_the_notebook_to_download_holds_no_solution(built):
    _, site = built
    found = sorted(site.rglob("*.ipynb"))
    if PLACES[built[0]][1] is None:
        assert found == []
        return
    for path in found:
        assert "Secretwords" not in path.read_text(encoding="utf-8")
    one = json.loads((site / "_sources/book/one.ipynb").read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in one["cells"]]
    assert "40 + 2" not in sources
    assert [s for s in sources if s in ("2 + 2", "3 + 3")] == ["2 + 2", "3 + 3"]
    assert "Words that stay." in "\n".join(sources)


def test_a_notebook_without_solutions_stays_as_it_is():
    cell = {"cell_type": "markdown", "metadata": {}, "source": "# A\n\nb"}
    code_cell = {"cell_type": "code", "metadata": {}, "source": ["1"], "outputs": []}
    text = json.dumps({"cells": [cell, code_cell], "nbformat": 4})
    kept = json.loads(solutions.notebook_without_solutions(text))
    assert kept["cells"][0]["source"] == ["# A\n", "\n", "b"]
    assert kept["cells"][1] == code_cell
    assert kept["nbformat"] == 4


def test_the_same_sources_make_the_same_wheel(tmp_path):
    first, second = (own_wheel.build(ROOT, tmp_path / name) for name in "ab")
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()
    names = set(zipfile.ZipFile(first).namelist())
    files = subprocess.run(
        ["git", "ls-files", "resizelab"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert {name for name in files if (ROOT / name).is_file()} <= names
    assert not any(name.startswith(("tests/", "book/")) for name in names)


@pytest.mark.parametrize("url", ["https://example.org/lab/book", ""])
def test_the_package_names_its_address_where_it_is_known(url, tmp_path, monkeypatch):
    monkeypatch.setenv("RESIZELAB_URL", url)
    with zipfile.ZipFile(own_wheel.build(ROOT, tmp_path / "dist")) as wheel:
        (name,) = (n for n in wheel.namelist() if n.endswith("/METADATA"))
        told = wheel.read(name).decode()
    found = dict(re.findall(r"^Project-URL: (\w+), (\S+)$", told, re.MULTILINE))
    assert found.get("Issues") == (f"{url}/issues" if url else None)
    assert set(found) == ({"Source", "Issues", "Changelog"} if url else set())


def advised() -> set[str]:
    """Return the extras that the package's messages say to install."""
    texts = [p.read_text("utf-8") for p in (ROOT / "resizelab").rglob("*.py")]
    written = "|".join(texts)
    found = re.findall(r"pip install 'resizelab\[([a-z,-]+)\]'", written)
    found += re.findall(r'with extra\("\w+", ([^)]+)\)', written)
    names = {name for words in found for name in re.findall(r"[a-z-]+", words)}
    return names | {known.extra for known in LIBRARIES.values()}


@pytest.mark.slow
def test_what_the_package_advises_works_before_there_is_a_release(tmp_path):
    wheel = own_wheel.build(ROOT, tmp_path / "dist")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "fresh"], check=True)
    # No index is asked: what is installed is found there, with the extras that it has.
    pip = [tmp_path / "fresh/bin/python", "-m", "pip", "install", "--no-index"]
    subprocess.run([*pip, "--no-deps", "--quiet", wheel], check=True)
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith("/METADATA"))
        told = archive.read(name).decode()
    wanted = advised()
    assert {"plots", "models", "engines", "volumes"} <= wanted
    assert wanted <= set(re.findall(r"^Provides-Extra: (\S+)$", told, re.MULTILINE))
    everything = f"resizelab[{','.join(sorted(wanted))}]"
    done = subprocess.run(
        [*pip, "--no-deps", everything], capture_output=True, text=True, check=True
    )
    assert f"Requirement already satisfied: {everything}" in done.stdout


def test_the_sdist_holds_what_its_readme_speaks_of(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist"]
    subprocess.run([*command, "-d", tmp_path], cwd=ROOT, check=True)
    (path,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert path.stat().st_size <= 12_000_000
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = re.findall(
        r"`((?:book|binder|resizelab|tests)/[\w./]*|[a-z]+\.(?:lock|txt))`", readme
    )
    told += re.findall(r"\b([A-Z][A-Z-]+(?:\.md|\.cff)?)\b(?= \()", readme)
    assert len(told) >= 5
    for name in {*told, "Makefile", "_toc.yml", "_config.yml", "conftest.py"}:
        assert any(n == name or n.startswith(name.rstrip("/") + "/") for n in names), (
            name
        )
    assert not any(n.startswith(("_build", ".venv", ".github")) for n in names)


def test_a_project_that_builds_no_wheel_says_why(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    with pytest.raises(own_wheel.ExtensionError, match=r"wheel was not built: .+"):
        own_wheel.build(tmp_path, tmp_path / "dist")


@pytest.mark.slow
def test_a_class_installs_the_package_from_the_site(site, tmp_path):
    wheels = list((site.root / "dist").glob("*.whl"))
    assert len(wheels) == 1
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "fresh"], check=True)
    python = tmp_path / "fresh" / "bin" / "python"
    address = f"{site.http}/dist/{wheels[0].name}"
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", address]
    subprocess.run(install, check=True, env=clean, cwd=tmp_path)
    # NumPy is the only thing that it asks for; take the one that is here.
    packages = Path(np.__file__).parent.parent
    shown = "import resizelab as rl; print(rl.__file__);"
    shown += "print(rl.resize([0., 10, 20, 30], shape=(8,), spec='torch.bilinear')[1])"
    done = subprocess.run(
        [python, "-c", shown],
        env={**clean, "PYTHONPATH": str(packages)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    where, second = done.stdout.split()
    assert Path(where).is_relative_to(tmp_path / "fresh")
    assert float(second) == 2.5
