"""The files in ``binder/``, and what ``make binder-check`` looks for."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser import ROOT, chapters
from bulk import for_each

sys.path.insert(0, str(ROOT / "book" / "extension"))
resizelab_site = pytest.importorskip("resizelab_site", reason="Sphinx is missing")
jupytext = pytest.importorskip("jupytext")
binder_check = pytest.importorskip("binder_check")

BINDER = ROOT / "binder"
POST_BUILD = (BINDER / "postBuild").read_text(encoding="utf-8")
ASKED = [
    re.match(r"[\w-]+", line)[0].lower()
    for line in (BINDER / "requirements.txt").read_text(encoding="utf-8").splitlines()
    if line[:1].isalpha()
]


def test_scripts_can_be_run():
    for name in ("postBuild", "start"):
        assert os.access(BINDER / name, os.X_OK)
        checked = subprocess.run(["bash", "-n", BINDER / name], capture_output=True)
        assert checked.stderr == b""


def test_what_binder_installs_is_locked():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert [n for n in ASKED if not re.search(rf"^{n}==", lock, re.MULTILINE)] == []
    asked = (BINDER / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert "-c constraints.txt" in asked


def test_torch_comes_without_its_dependencies_so_they_are_asked_for():
    pytest.importorskip("torch")
    assert "torch" not in ASKED
    needs = [r for r in importlib.metadata.requires("torch") if "extra ==" not in r]
    names = {re.match(r"[\w-]+", need)[0].lower() for need in needs}
    # PyPI's build for Linux also names the CUDA libraries; the one for the CPU not.
    names = {n for n in names if not n.startswith(("nvidia", "cuda", "triton"))}
    assert names <= set(ASKED)


def test_the_address_of_torch_stands_in_one_place():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    address = "download.pytorch.org" + "/whl"
    holders = [
        name
        for name in listed
        if not name.startswith("tests/")
        and (ROOT / name).is_file()
        and address.encode() in (ROOT / name).read_bytes()
    ]
    assert holders == ["binder/postBuild"]
    assert POST_BUILD.count(address) == 1


def test_the_check_changes_that_line_alone_and_says_so(capsys):
    changed = binder_check.use_local_torch(POST_BUILD).splitlines()
    pairs = list(zip(POST_BUILD.splitlines(), changed, strict=True))
    different = [(a, b) for a, b in pairs if a != b]
    assert len(different) == 1
    (before, after), said = different[0], capsys.readouterr().out
    assert "torch==2.13.*" in after
    assert "--index-url" not in after
    assert f"replaced: {before}" in said
    assert f"by:       {after}" in said


def test_the_check_refuses_a_post_build_without_that_line():
    with pytest.raises(SystemExit, match=r"must say '--index-url .+' once"):
        binder_check.use_local_torch("pip install torch\n")


def test_start_sets_what_the_book_sets_and_hands_over():
    clean = {k: v for k, v in os.environ.items() if k not in resizelab_site.QUIET}
    done = subprocess.run(
        [BINDER / "start", "env"], env=clean, capture_output=True, text=True, check=True
    )
    seen = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    assert resizelab_site.QUIET.items() <= seen.items()
    assert seen["OMP_NUM_THREADS"] == "2"
    failed = subprocess.run([BINDER / "start", "sh", "-c", "exit 7"])
    assert failed.returncode == 7


def test_a_chapter_opens_as_a_notebook_by_itself():
    path = BINDER / "labconfig" / "default_setting_overrides.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    viewers = settings["@jupyterlab/docmanager-extension:plugin"]["defaultViewers"]
    assert viewers == {"markdown": "Jupytext Notebook"}
    assert "cp -r binder/labconfig ~/.jupyter/" in POST_BUILD


def folded(folder: Path, texts: dict[str, str]) -> dict[str, str]:
    """Return pages, by name, as postBuild's last two lines leave them."""
    (folder / "book").mkdir()
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    lines = "\n".join(POST_BUILD.splitlines()[-2:])
    subprocess.run(["bash", "-c", lines], cwd=folder, check=True)
    return {name: (folder / f"{name}.md").read_text("utf-8") for name in texts}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    texts = {name: (ROOT / f"{name}.md").read_text("utf-8") for name in chapters()}
    return folded(tmp_path_factory.mktemp("folded"), texts)


@for_each(chapters())
def test_every_cell_is_read_and_hidden_ones_are_folded(name, pages):
    text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
    notebook = jupytext.reads(pages[name], fmt="md")
    cells, solves = [], False  # a solution's cells are folded until it is answered
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cells.append((cell, solves))
        for mark in re.findall(r"\{solution-(start|end)\}", cell.source):
            solves = mark == "start"
    starts = re.findall(r"^(?:`{3,}|:{3,})\{code-cell\}", text, re.MULTILINE)
    assert len(cells) == len(starts)
    hides = {"remove-cell", "remove-input", "hide-cell", "hide-input"}
    for cell, solves in cells:
        hidden = solves or bool(hides & set(cell.metadata.get("tags", ())))
        assert cell.metadata.get("jupyter", {}).get("source_hidden", False) == hidden
        assert not cell.source.startswith((":", "---"))


def test_a_page_keeps_all_else(tmp_path):
    text = "tags: [a]\n:tags: [hide-input, b]\n---\ntags: [remove-cell]\nx: 1\n---\n"
    new = folded(tmp_path, {"book/page": text})["book/page"]
    assert new.count("source_hidden: true") == 2
    assert "b]\n:jupyter: {source_hidden: true}\n---" in new
    assert "remove-cell]\njupyter: {source_hidden: true}\nx: 1\n" in new
    kept = [line for line in new.splitlines(keepends=True) if "source_h" not in line]
    assert "".join(kept) == text


CELL = {"first": "f(1)", "count": 1, "tags": [], "outputs": []}
ERROR = {"type": "error", "name": "ValueError", "text": "no"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, []),
        ({"count": None}, ["cell 'f(1)' did not run"]),
        ({"outputs": [ERROR]}, ["cell 'f(1)': ValueError: no"]),
        ({"outputs": [ERROR], "tags": ["raises-exception"]}, []),
        (
            {"outputs": [{"type": "stream", "name": "stderr", "text": "careful"}]},
            ["cell 'f(1)' wrote to stderr: careful"],
        ),
        ({"outputs": [{"type": "stream", "name": "stdout", "text": "3"}]}, []),
    ],
)
def test_the_check_complains_of_what_a_reader_would_see(change, said):
    assert binder_check.complaints([{**CELL, **change}]) == said


def test_the_check_adds_up_kernel_and_lab():
    report = binder_check.Report("book/a", cells=3, kernel=900, lab=110, seconds=2.5)
    assert report.memory == 1010
    assert binder_check.row(report) == "| book/a | 3 | 0 | 0 | 2.5 | 900 | 110 | 1010 |"
    bars = (binder_check.HEAD.count("|"), binder_check.row(report).count("|"))
    assert bars == (9, 9)
