"""The explorers beside a kernel: JupyterLab on loopback, no outside address.

The state asked for is not in the page, so each number read back was computed by
Python after the control moved.
"""

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import PATIENCE, ROOT

import resizelab as rl
from resizelab.axis.grid import grid as grid_of
from resizelab.teaching import exercises

pytestmark = pytest.mark.slow
nbformat = pytest.importorskip("nbformat")
jupytext = pytest.importorskip("jupytext")
pytest.importorskip("anywidget")
JUPYTER = Path(sys.executable).with_name("jupyter")
if not Path(sys.executable).with_name("jupyter-lab").is_file():
    pytest.skip("JupyterLab is not installed", allow_module_level=True)

CELLS = (
    "from resizelab.teaching.explorers import grid, predict\n"
    "explorer = grid()\nexplorer",
    "predict('Second of eight?', {'half_pixel': 2.5, 'asymmetric': 5.0}, name='guess')",
    "from resizelab.teaching.explorers import drift\nmoving = drift(steps=2)\nmoving",
    "from resizelab.teaching.exercises import box\nbox('grids-why-257')",
    "moving.state = {**moving.state, 'n': 19}",  # no page has 19 pixels
    "explorer.state = {**explorer.state, 'n_out': explorer.state['n_out'] + 2}",
)
# Runs in the page: move a slider, wait for the drawing, tell how long it took.
MOVE = """([key, value]) => new Promise((done, failed) => {
  const root = document.querySelector(".resizelab-grid");
  const slider = root.querySelector(`input[data-key=${key}]`);
  const start = performance.now();
  const watch = new MutationObserver(() => {
    const drawn = JSON.parse(root.dataset.drawn);
    if (drawn[key] !== value) return;
    watch.disconnect();
    done(performance.now() - start);
  });
  watch.observe(root, { attributes: true, attributeFilter: ["data-drawn"] });
  setTimeout(() => failed(new Error("no redraw")), 60000);
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def first_address(log: Path, seconds: float) -> str:
    """Return the address that the server writes to its log when it is ready."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if hit := re.search(r"http://127\.0\.0\.1:\d+/\S*", log.read_text()):
            return hit[0]
        time.sleep(0.2)
    return pytest.fail(f"no JupyterLab after {seconds} s:\n{log.read_text()[-2000:]}")


SOLVED = "assert 2 == 1 + 1"


def solution() -> list[nbformat.NotebookNode]:
    """Return the first worked solution of a chapter as Jupytext reads it, and more."""
    cells = jupytext.read(ROOT / "book/grids.md").cells
    start = next(k for k, c in enumerate(cells) if "{solution-start}" in c.source)
    cells[start + 1].source = f"# Worked solution\n{SOLVED}"
    return cells[start : start + 3]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start JupyterLab in an empty folder with one notebook; give its address."""
    folder = tmp_path_factory.mktemp("lab")
    cells = [
        nbformat.v4.new_code_cell(text, id=f"c{k}") for k, text in enumerate(CELLS)
    ]
    words = "[look](#grid:mode=align_corners,n_in=5,n_out=9)"
    cells.insert(1, nbformat.v4.new_markdown_cell(words, id="words"))
    at = next(k for k, cell in enumerate(cells) if "box(" in cell.source) + 1
    cells[at:at] = solution()
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    (folder / "work").mkdir()
    nbformat.write(book, folder / "work" / "chapter.ipynb")
    own = {
        f"JUPYTER_{name}_DIR": str(folder / name.lower())
        for name in ("CONFIG", "RUNTIME", "DATA")
    }
    own["JUPYTERLAB_WORKSPACES_DIR"] = own["JUPYTERLAB_SETTINGS_DIR"] = str(folder)
    log = folder / "server.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            [
                *(str(JUPYTER), "lab", "--no-browser", "--ip=127.0.0.1", "--port=0"),
                *("--allow-root", f"--ServerApp.root_dir={folder / 'work'}"),
                "--LabApp.news_url=None",
                "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            ],
            env={**os.environ, **own, "PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=out,
        )
    try:
        yield first_address(log, PATIENCE)
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


@pytest.fixture(scope="module")
def notebook(chromium, lab: str):
    """Open the notebook, run its cells, wait until both explorers are drawn."""
    context = chromium.new_context(viewport={"width": 1280, "height": 5200})
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.goto(lab.replace("/lab?", "/lab/tree/chapter.ipynb?"))
    page.locator(".jp-Notebook .jp-CodeCell").first.click()
    page.wait_for_selector(".jp-Toolbar-kernelStatus, .jp-NotebookPanel-toolbar")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")
    page.get_by_text("Run", exact=True).first.click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_selector(".resizelab-grid[data-drawn]")
    page.wait_for_selector(".resizelab-predict form")
    # The last cell has run too: it turns 8 output pixels into 10.
    wait_for(page, "n_out", 10)
    yield page
    context.close()


def drawn(page, mode: str) -> np.ndarray:
    """Return the positions that are drawn for ``mode``."""
    nodes = f".resizelab-grid g[data-mode={mode}] [data-output]"
    return np.array(
        page.eval_on_selector_all(nodes, "all => all.map(n => +n.dataset.x)")
    )


def wait_for(page, key: str, value: int) -> None:
    """Wait until the drawn state holds ``value``."""
    page.wait_for_function(
        "([key, value]) => JSON.parse("
        "document.querySelector('.resizelab-grid').dataset.drawn)[key] === value",
        arg=[key, value],
    )


@pytest.mark.alone
def test_python_answers_within_a_tenth_of_a_second(notebook):
    times = [notebook.evaluate(MOVE, ["n_in", n]) for n in (9, 10, 11, 12, 13, 14, 15)]
    median = statistics.median(times)
    print(f"control → Python → redraw: median {median:.0f} ms, worst {max(times):.0f}")
    assert median <= 100


def test_a_state_that_is_not_in_the_page_is_computed_by_python(notebook):
    # The page carries 2 to 8 input pixels; these are new to it, each of them.
    for n_in in (9, 10, 11, 12, 13, 14, 15, 16):
        notebook.evaluate(MOVE, ["n_in", n_in])
        for mode in ("asymmetric", "half_pixel", "align_corners"):
            expected = grid_of(mode, n_in, 10).positions()
            np.testing.assert_allclose(drawn(notebook, mode), expected, atol=1e-6)
    taps = notebook.eval_on_selector_all(
        ".resizelab-grid g[data-mode=half_pixel] [data-tap]",
        "all => all.map(n => [+n.dataset.tap, +n.dataset.weight])",
    )
    row = rl.weights(rl.Spec(kernel="linear", grid="half_pixel"), 16, 10).dense()[1]
    assert [j for j, _ in taps] == np.flatnonzero(row).tolist()
    np.testing.assert_allclose([w for _, w in taps], row[row != 0], atol=1e-6)


def test_arrow_keys_reach_the_slider_and_not_the_notebook(notebook):
    slider = notebook.locator(".resizelab-grid input[data-key=n_out]")
    slider.focus()
    slider.press("ArrowRight")
    wait_for(notebook, "n_out", 11)
    assert slider.evaluate("n => n === document.activeElement")
    n_in = int(notebook.locator(".resizelab-grid input[data-key=n_in]").input_value())
    expected = grid_of("half_pixel", n_in, 11).positions()
    np.testing.assert_allclose(drawn(notebook, "half_pixel"), expected, atol=1e-6)


def test_python_moves_the_picture(notebook):
    # The last cell ran once with the others; it adds two output pixels each time.
    notebook.locator(".jp-CodeCell .cm-content").last.click()
    notebook.keyboard.press("Control+Enter")
    wait_for(notebook, "n_out", 13)
    assert notebook.locator(".resizelab-grid output").nth(1).inner_text() == "13"
    n_in = int(notebook.locator(".resizelab-grid input[data-key=n_in]").input_value())
    expected = grid_of("asymmetric", n_in, 13).positions()
    np.testing.assert_allclose(drawn(notebook, "asymmetric"), expected, atol=1e-6)


def test_a_link_in_the_prose_sets_the_explorer(notebook):
    notebook.locator("a[href*='grid:']").click()
    wait_for(notebook, "n_in", 5)
    shown = notebook.eval_on_selector_all(
        ".resizelab-grid g[data-mode]", "all => all.map(n => n.dataset.mode)"
    )
    assert shown == ["align_corners", "dial"]
    expected = grid_of("align_corners", 5, 9).positions()
    np.testing.assert_allclose(drawn(notebook, "align_corners"), expected, atol=1e-6)


def test_the_dark_theme_redraws(notebook):
    fill = ".resizelab-grid g[data-mode=align_corners] polygon"
    before = notebook.locator(fill).first.get_attribute("fill")
    notebook.get_by_text("Settings", exact=True).first.click()
    notebook.get_by_text("Theme", exact=True).first.hover()
    notebook.get_by_text("JupyterLab Dark", exact=True).first.click()
    notebook.wait_for_selector(".resizelab-grid[data-dark]")
    assert notebook.locator(fill).first.get_attribute("fill") != before
    # The page is hidden while the theme changes; the picture keeps its width.
    widths = "n => [n.clientWidth, n.querySelector('svg').clientWidth]"
    stage, picture = notebook.locator(".resizelab-grid .rl-stage").evaluate(widths)
    assert picture == stage > 400


def test_a_guess_is_judged(notebook):
    root = notebook.locator(".resizelab-predict[data-name=guess]")
    root.locator("input").fill("5")
    root.get_by_text("Commit the guess").click()
    notebook.wait_for_selector(".resizelab-predict [data-answer]")
    assert "You think like asymmetric." in root.locator(".rl-say").inner_text()
    assert notebook.problems == []


def test_an_exercise_is_checked_and_its_solution_unfolds(notebook):
    root = notebook.locator("[data-name=grids-why-257]")
    solved = [
        notebook.locator("p", has_text="their centres always coincide"),
        notebook.locator(".cm-line", has_text=SOLVED),
    ]
    notebook.wait_for_selector("text=Solution to")
    button = root.get_by_role("button", name="Worked solution")
    for answer in (258, 257):
        assert [words.is_visible() for words in solved] == 2 * [False]
        root.locator("input").fill(str(answer))
        root.get_by_text("Check", exact=True).click()
        verdict = exercises.check("grids-why-257", answer)
        told = "right" if verdict.right else "wrong"
        notebook.wait_for_selector(f"[data-name=grids-why-257][data-verdict$={told}]")
        assert root.locator(".rl-say").inner_text() == verdict.words
        assert button.count() == (not verdict.right)
    for words in solved:
        words.wait_for(state="visible")
    assert notebook.problems == []


def test_more_pixels_drift_as_python_says(notebook):
    root = notebook.locator(".resizelab-drift[data-drawn]")
    root.locator("input[data-key=steps]").press("ArrowLeft")
    notebook.wait_for_function(
        "() => { const s = JSON.parse(document.querySelector('.resizelab-drift')"
        ".dataset.drawn); return s.n === 19 && s.steps === 1; }"
    )
    spot = (np.arange(19) == 4).astype(float)
    for mode in ("half_pixel", "align_corners", "asymmetric"):
        strip = root.locator(f"[data-grid={mode}] [data-step='1']")
        drawn_values = strip.get_attribute("data-values").split()
        expected = rl.weights(rl.Spec(grid=mode), 19, 38) @ spot
        np.testing.assert_allclose(np.array(drawn_values, float), expected, atol=1e-6)
