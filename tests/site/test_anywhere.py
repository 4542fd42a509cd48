"""Every page runs where only the package's wheel and its extras are installed."""

import ast
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from browser import PATIENCE, ROOT, chapters

from resizelab.engines import EngineMissing
from resizelab.teaching.kept import USES, Missing, NotKept, pack, unpack
from resizelab.teaching.lines import Lines

IPython = pytest.importorskip("IPython", reason="needs the extra 'widgets'")
sys.path.insert(0, str(ROOT / "book" / "extension"))
notebooks = pytest.importorskip("notebooks", reason="jupytext is not installed")

import page_lines  # noqa: E402 (needs IPython)

from resizelab.teaching import playback  # noqa: E402 (needs IPython)

PAGES = {name.removeprefix("book/"): ROOT / f"{name}.md" for name in chapters()}
EVERY = pytest.mark.parametrize("page", PAGES)


def code(page):
    """Return the page's cells, without the one that a notebook adds."""
    made = notebooks.notebook(PAGES[page])
    return [cell.source for cell in made.cells if cell.cell_type == "code"][1:]


# ---- values ----------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, -0.5, float("inf"), "ü"),
        [1, (2.5, {"a": [None]})],
        {(1, 2): "tuples are keys", 3: []},
        *(np.float32(0.1), np.int64(-7), np.bool_(True)),
        *(np.zeros((0, 3)), np.arange(6, dtype=np.uint8).reshape(2, 3)),
        np.array([1 + 2j, np.nan]),
        np.arange(12.0).reshape(3, 4)[:, ::2],
    ],
    ids=repr,
)
def test_a_value_comes_back_as_it_went(value):
    back = unpack(json.loads(json.dumps(pack(value))))
    assert type(back) is type(value)
    assert getattr(back, "dtype", None) == getattr(value, "dtype", None)
    np.testing.assert_equal(back, value)


@pytest.mark.parametrize("value", [object(), {1, 2}, [object()], np.array([None])])
def test_what_json_cannot_say_is_not_kept(value):
    with pytest.raises(NotKept, match="is not kept"):
        pack(value)


@pytest.mark.parametrize("use", USES)
def test_any_use_of_what_is_missing_says_what_to_install(use):
    missing = Missing("y", ("torch",))
    with pytest.raises(EngineMissing, match=r"y is from torch.*pip install torch"):
        getattr(type(missing), f"__{use}__")(missing)


def test_numpy_does_not_take_what_is_missing_for_a_number():
    missing = Missing("y", ("torch",))
    for use in (np.asarray, np.sum, lambda y: np.zeros(2) + y, lambda y: y.numpy()):
        with pytest.raises(EngineMissing):
            use(missing)
    with pytest.raises(EngineMissing):
        missing.weight = 1


# ---- keys ------------------------------------------------------------------


def keys(text, lines=None):
    lines = lines or Lines()
    return [lines.key(node) for node in ast.parse(text).body]


def test_a_key_follows_what_a_line_reads():
    assert keys("x = 1\ny = f(x)")[1] != keys("x = 2\ny = f(x)")[1]
    assert keys("x = 1\nz = 5\ny = f(x)")[2] == keys("x = 1\ny = f(x)")[1]
    one, two = (
        keys("import numpy as np\nnp.f()"),
        keys("import numpy as np, re\nnp.f()"),
    )
    assert one[1] == two[1]
    assert keys("x = []\nx.append(1)\ny = x")[2] != keys("x = []\ny = x")[1]
    assert keys("def f(): return x")[0] != keys("x = 1\ndef f(): return x")[1]


def test_a_cell_that_runs_again_has_its_keys_again():
    cell = "a = [1]\na.append(2)\nfor k in a: b = k\nc = [k for k in a]\na[0] = b"
    lines = Lines()
    first = keys(cell, lines)
    assert keys(cell, lines) == first
    assert keys("a[0] = b", lines) == keys("a[0] = b", lines) == first[-1:]


# ---- playing ---------------------------------------------------------------

CELL = """\
import nowhere_at_all as engine
x = [1, 2]
y = engine.resize(x)
print(y)
z = len(x)
y
"""


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """Give a shell in which a page is played whose engine is not installed."""
    from IPython.core.interactiveshell import InteractiveShell

    lines = dict(
        zip(("engine", "x", "y", "print", "z", "last"), keys(CELL), strict=True)
    )
    gone = {"missing": "builtins.module"}
    told = {
        lines["engine"]: {"names": {"engine": gone}},
        lines["x"]: {"names": {"x": {"list": [7]}}},
        lines["y"]: {"names": {"y": {"missing": "engine.Tensor"}}},
        lines["print"]: {"text": "1.5\n"},
        lines["last"]: {"value": {"text/plain": "Tensor(1.5)"}},
    }
    told = {key: {"needs": ["engine"], **value} for key, value in told.items()}
    page = {"versions": {"engine": "9.9"}, "lines": told}
    (tmp_path / "tiny.json").write_text(json.dumps(page))
    monkeypatch.setattr(playback, "FOLDER", tmp_path)
    shell = InteractiveShell.instance()
    playback.start("tiny")
    yield shell
    playback.stop(shell)
    InteractiveShell.clear_instance()


def test_a_line_without_its_engine_says_what_it_said(shell, capsys):
    done = shell.run_cell(CELL)
    done.raise_error()
    said = capsys.readouterr().out
    assert said.count("[Not installed here. Recorded with engine 9.9]") == 1
    assert "1.5\n" in said
    assert "Tensor(1.5)" in said
    assert shell.user_ns["x"] == [1, 2], "a line that can run is run"
    assert shell.user_ns["z"] == 2


@pytest.mark.parametrize(
    "line", ["print(engine.resize([3]))", "x = [3]; y = engine.resize(x)", "y + 1"]
)
def test_a_line_that_was_changed_says_what_to_install(shell, line, capsys):
    shell.run_cell(CELL).raise_error()
    with pytest.raises(EngineMissing, match="pip install engine"):
        shell.run_cell(line).raise_error()


def test_a_page_without_a_record_is_refused_with_the_nearest_name(shell):
    with pytest.raises(LookupError, match=r"'tinny'.*did you mean 'tiny'"):
        playback.start("tinny")


def test_the_recorder_hears_every_line(shell, tmp_path):
    playback.stop(shell)
    recorder = page_lines.Recorder()
    shell.run_cell("x = 2\nprint(x)\nx + 1").raise_error()
    page_lines.listens(recorder)
    recorder.save(tmp_path / "whole")
    told = json.loads((tmp_path / "whole").read_text()).values()
    assert [t.get("names", t.get("text")) for t in told] == [{"x": 2}, "2\n", None]
    assert [*told][2]["value"] == {"text/plain": "3"}
    shell.ast_transformers.clear()
    with pytest.raises(RuntimeError, match="not heard"):
        page_lines.listens(recorder)


# ---- notebooks -------------------------------------------------------------


@EVERY
def test_a_notebook_is_whole_small_and_without_solutions(page):
    import nbformat

    made = notebooks.notebook(PAGES[page], "https://lab.example.org/book")
    nbformat.validate(made)
    assert made == notebooks.notebook(PAGES[page], "https://lab.example.org/book")
    first, *cells = made.cells
    assert first.source.startswith("%pip install --quiet")
    assert "https://lab.example.org/book/dist/resizelab-" in first.source
    assert f'playback.start("{page}")' in first.source
    assert [c for c in cells if c.get("outputs") or c.get("execution_count")] == []
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    assert "{solution" not in text
    known = "eval-rst|tab-set|tab-item|raw|list-table|glossary|bibliography"
    text = re.sub(rf"\{{({known}|code-cell)\}}", "", text)
    assert re.findall(r"^[`:]{3,}\{.*|\{[a-z:]+\}`", text, re.MULTILINE) == []


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://github.com/Lab/book", "https://lab.github.io/book"),
        ("https://gitlab.com/lab/book", "https://lab.gitlab.io/book"),
        ("https://git.example.org/lab/book", None),
        ("", None),
    ],
)
def test_the_sites_address_follows_the_one_setting(url, site, monkeypatch):
    monkeypatch.setenv("RESIZELAB_URL", url)
    assert notebooks.site_url() == site
    asked = notebooks.first_cell("grids", site)
    assert ("%pip" in asked) == (site is not None)


# ---- every page ------------------------------------------------------------


def test_every_page_has_a_record_that_names_no_folder_of_a_machine():
    found = {p.stem: p.read_text("utf-8") for p in playback.FOLDER.iterdir()}
    assert found.keys() == PAGES.keys()
    assert [page for page, text in found.items() if tempfile.gettempdir() in text] == []


@EVERY
def test_a_record_belongs_to_the_page_as_it_stands(page):
    lines = Lines()
    now = {key for cell in code(page) for key in keys(cell, lines)}
    told = json.loads((playback.FOLDER / f"{page}.json").read_text("utf-8"))
    stale = set(told["lines"]) - now
    assert stale == set(), f"make recorded PAGES={page}"


@pytest.fixture(scope="module")
def light(tmp_path_factory):
    """Make the light environment once; return the folder of its kernel."""
    import light

    folder = tmp_path_factory.mktemp("light")
    light.make(folder)
    return folder


@pytest.mark.slow
@EVERY
def test_a_page_runs_in_the_light_environment_away_from_the_book(light, page, tmp_path):
    import nbformat

    path = tmp_path / f"{page}.ipynb"
    nbformat.write(notebooks.notebook(PAGES[page]), path)
    # A process of its own: the sockets of two kernels do not meet.
    execute = [Path(sys.executable).with_name("jupyter-execute"), "--kernel_name=light"]
    ours = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    run = functools.partial(
        subprocess.run,
        [*execute, "--timeout=-1", "--startup_timeout=600", "--inplace", path],
        cwd=tmp_path,
        env={**ours, "JUPYTER_PATH": str(light)},
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE,
    )
    try:
        done = run()
    except subprocess.TimeoutExpired:  # as the book's build: a kernel may never answer
        done = run()
    assert done.returncode == 0, done.stderr[-3000:]
    made = nbformat.read(path, 4)
    told = json.loads((playback.FOLDER / f"{page}.json").read_text("utf-8"))
    said = "".join(
        out.get("text", "") for c in made.cells for out in c.get("outputs", ())
    )
    spoken = "Not installed here. Recorded with" in said
    assert spoken == any(line["needs"] for line in told["lines"].values())


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def assert_same_words(now, then):
    """Compare two texts: words as they are, numbers to a thousandth."""
    now, then = page_lines.same(now), page_lines.same(then)
    if not page_lines.TIMED.search(then):
        assert NUMBER.sub("#", now) == NUMBER.sub("#", then)
        now, then = ([float(v) for v in NUMBER.findall(t)] for t in (now, then))
        np.testing.assert_allclose(now, then, rtol=1e-3, atol=1e-6)


@pytest.mark.live
def test_what_is_played_is_what_the_engines_say(tmp_path):
    record_pages = pytest.importorskip("record_pages")
    names = record_pages.lay_out(tmp_path, ())
    record_pages.run("Recorder", sys.executable, tmp_path, ROOT / "book")
    compared = 0
    for name in names:
        now = json.loads((tmp_path / f"{name}.whole").read_text())
        told = json.loads((playback.FOLDER / f"{name}.json").read_text("utf-8"))
        for key, then in told["lines"].items():
            assert_same_words(now[key].get("text", ""), then.get("text", ""))
            # Seconds are of the day that they were measured on.
            names = {} if now[key].get("clock") else then.get("names", {})
            for each, value in names.items():
                if "missing" not in str(value)[:12]:
                    pairs = unpack(now[key]["names"][each]), unpack(value)
                    assert_close(*pairs)
                    compared += 1
    assert compared > 50


def assert_close(now, then):
    """Compare two values, numbers in them to a few of their last digits."""
    assert type(now) is type(then)
    if isinstance(then, list | tuple):
        assert len(now) == len(then)
        for pair in zip(now, then, strict=True):
            assert_close(*pair)
    elif isinstance(then, dict):
        assert list(now) == list(then)
        assert_close(list(now.values()), list(then.values()))
    elif isinstance(then, str):
        assert_same_words(now, then)
    elif isinstance(then, float | np.ndarray | np.floating):
        scale = np.abs(then).max(initial=1)  # an engine's noise is that of its values
        np.testing.assert_allclose(now, then, rtol=1e-4, atol=1e-6 * scale)
    else:
        assert now == then
