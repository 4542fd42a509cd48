"""Run every chapter as Binder would: ``tests/helpers/binder_check.py [page ...]``.

A fresh virtual environment is made from the files in ``binder/`` in the order that
repo2docker uses: requirements.txt, postBuild, start.  JupyterLab then opens each page
at the address of its launch button, runs all cells and moves the first control of
every explorer.  Binder itself, and the image it builds, are not tried.

One line cannot be followed everywhere: postBuild fetches torch from PyTorch's own
index.  Unless ``--as-published`` is given, that line takes the CPU build that pip
finds here instead, and says so.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil
from browser import ARGUMENTS, ROOT, chapters, chromium_path
from playwright.sync_api import Error, Page, sync_playwright

PLACE = ROOT / "_build" / "binder"
TABLE = ROOT / "_build" / "binder-check.json"
TORCH_INDEX = " --index-url https://download.pytorch.org/whl/cpu"
MEMORY = 2048  # MiB: what Binder gives one user
LONGEST = 180  # seconds for one page
# Of the user's own settings the image knows nothing.
FOREIGN = re.compile(r"(JUPYTER|IPYTHON|PYTHON|VIRTUAL_ENV|XDG_|TF_|OMP_|KERAS_|JAX_)")

# Wait for the page's tab; it must be a notebook, not a text editor.
OPEN = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  for (let k = 0; k < 300 && !app.shell.currentWidget?.context; k++)
    await new Promise(go => setTimeout(go, 100));
  const panel = app.shell.currentWidget;
  if (!panel?.context) return "nothing was opened";
  await panel.context.ready;
  if (!panel.content?.widgets || !panel.sessionContext)
    return "opened as text, not as a notebook";
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
  return "";
}"""
RUN = """async () => {
  const app = window.jupyterapp;
  await app.commands.execute("notebook:run-all-cells");
  const { cells } = app.shell.currentWidget.content.model.sharedModel.toJSON();
  return cells.map((c, k) => ({ ...c, place: k })).filter(c => c.cell_type === "code")
    .map(c => ({
      place: c.place, count: c.execution_count, tags: c.metadata.tags ?? [],
      first: [c.source].flat().join("").split("\\n")[0],
      outputs: c.outputs.map(o => ({
        type: o.output_type, name: o.name ?? o.ename,
        text: [o.evalue ?? o.text ?? ""].flat().join("").slice(0, 400),
        widget: Boolean(o.data?.["application/vnd.jupyter.widget-view+json"]),
      })),
    }));
}"""
# Bring a cell into view and count its explorers and `interact` boxes.
ROOTS = ".resizelab, .widget-interact"
SHOW = f"""async place => {{
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = place;
  await notebook.scrollToItem(place, "start");
  const cell = notebook.widgets[place];
  for (let k = 0; k < 150; k++) {{
    const roots = cell.node.querySelectorAll("{ROOTS}");
    const drawn = [...roots].filter(n => n.querySelector("input, select, button"));
    if (drawn.length) return drawn.length;
    await new Promise(go => setTimeout(go, 100));
  }}
  return 0;
}}"""
# Change the first control and wait until text or drawing differ from before.
MOVE = f"""async ([place, which]) => {{
  const cell = window.jupyterapp.shell.currentWidget.content.widgets[place];
  const root = cell.node.querySelectorAll("{ROOTS}")[which];
  const looks = () => root.innerHTML + root.innerText
    + [...root.querySelectorAll("canvas")].map(c => c.toDataURL()).join();
  const say = (node, ...types) => types.forEach(
    type => node.dispatchEvent(new Event(type, {{ bubbles: true }})));
  const on = kind => [...root.querySelectorAll(kind)].filter(n => !n.disabled);
  const [range] = on("input[type=range]"), [list] = on("select");
  const before = looks();
  let control;
  if (range) {{
    control = "range";
    range.value = range.value === range.max ? range.min : range.max;
    say(range, "input", "change");
  }} else if (list) {{
    control = "select";
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    say(list, "input", "change");
  }} else {{
    control = "button";
    on("input[type=radio]")[0]?.click();
    for (const box of on("input[type=number], input[type=text], input:not([type])")) {{
      box.value = "1";
      say(box, "input", "change");
    }}
    await new Promise(go => setTimeout(go, 50));
    on("button:not(.rl-tool)")[0]?.click();
  }}
  for (let k = 0; k < 150; k++) {{
    await new Promise(go => setTimeout(go, 100));
    if (looks() !== before) return {{ control, name: root.className, answered: true }};
  }}
  return {{ control, name: root.className, answered: false }};
}}"""
# What the kernel holds of every explorer: it changes when Python hears a control.
HEARD = """async () => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const code = `str([[getattr(w, n, None) for n in ("state", "request", "value")]
    for w in __import__("ipywidgets").widgets.widget._instances.values()])`;
  const reply = await kernel.requestExecute({
    code: "", silent: true, user_expressions: { held: code.replace("\\n", " ") },
  }).done;
  return reply.content.user_expressions.held.data["text/plain"];
}"""
CLOSE = """async () => {
  const { sessions } = window.jupyterapp.serviceManager;
  await sessions.shutdownAll();
}"""


@dataclass
class Report:
    """What was found on one page; times in seconds, memory in MiB."""

    page: str
    cells: int = 0
    explorers: int = 0
    heard: int = 0
    seconds: float = 0.0
    kernel: int = 0
    lab: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def memory(self) -> int:
        """Return the peak of the kernel and the peak of JupyterLab together."""
        return self.kernel + self.lab


def run(command: list[str], home: Path, env: dict[str, str]) -> None:
    """Run one step of the build; SystemExit shows the end of what it wrote."""
    done = subprocess.run(command, cwd=home, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(
            f"{command[-1]} failed:\n{(done.stdout + done.stderr)[-4000:]}"
        )


def copy_project(home: Path) -> None:
    """Copy what a clone of the checkout would hold, with the changes of the day."""
    list_files = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(list_files, cwd=ROOT, capture_output=True, check=True)
    for name in found.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, home / name)


def use_local_torch(text: str) -> str:
    """Return postBuild with its one line about torch's index changed, and say so."""
    if text.count(TORCH_INDEX) != 1:
        raise SystemExit(f"binder/postBuild must say {TORCH_INDEX.strip()!r} once")
    (line,) = (line for line in text.splitlines() if TORCH_INDEX in line)
    print(f"postBuild, replaced: {line}")
    print(f"postBuild, by:       {line.replace(TORCH_INDEX, '')}")
    return text.replace(TORCH_INDEX, "")


def environment(binaries: Path, home: Path) -> dict[str, str]:
    """Return the variables of a fresh user whose Python is the one made here."""
    cache = os.environ.get("PIP_CACHE_DIR", Path.home() / ".cache" / "pip")
    kept = {k: v for k, v in os.environ.items() if not FOREIGN.match(k)}
    path = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "HOME": str(home), "PATH": path, "PIP_CACHE_DIR": str(cache)}


def build(home: Path, as_published: bool) -> dict[str, str]:
    """Do what repo2docker does with ``binder/``; return the variables to start with."""
    folder = home.parent / "environment"
    asked = (ROOT / "binder" / "runtime.txt").read_text().strip()
    here = f"python-{sys.version_info.major}.{sys.version_info.minor}"
    if here != asked:
        print(f"runtime.txt asks for {asked}; this is {here}")
    copy_project(home)
    if not folder.is_dir():
        venv.create(folder, with_pip=True)
    variables = environment(folder / "bin", home)
    python = str(folder / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "-r", "binder/requirements.txt"]
    run(pip, home, variables)
    script = home / "binder" / "postBuild"
    if not as_published:
        script.write_text(use_local_torch(script.read_text()))
    run([str(script)], home, variables)
    run([python, "-m", "pip", "check"], home, variables)
    cuda = "import torch; assert torch.version.cuda is None, 'a CUDA build of torch'"
    run([python, "-c", cuda], home, variables)
    return variables


@contextmanager
def lab(home: Path, variables: dict[str, str]) -> Iterator[tuple[str, psutil.Process]]:
    """Start JupyterLab through ``binder/start``; give its address and its process."""
    log = home.parent / "lab.log"
    command = [str(home / "binder" / "start"), "jupyter", "lab", "--no-browser"]
    command += ["--ip=127.0.0.1", "--port=0", "--allow-root", "--LabApp.news_url=None"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += [f"--ServerApp.root_dir={home}", "--LabApp.expose_app_in_browser=True"]
    with log.open("w") as out:
        server = psutil.Popen(command, cwd=home, env=variables, stdout=out, stderr=out)
    try:
        end = time.monotonic() + 90
        while not (
            hit := re.search(r"http://127\.0\.0\.1:\d+/lab\S*", log.read_text())
        ):
            if time.monotonic() > end or server.poll() is not None:
                raise SystemExit(f"no JupyterLab:\n{log.read_text()[-3000:]}")
            time.sleep(0.2)
        yield hit[0], server
    finally:
        server.terminate()
        server.wait(timeout=30)


def peak(process: psutil.Process) -> int:
    """Return the most memory that a process ever held, in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) // 1024


def complaints(cells: list[dict[str, Any]]) -> list[str]:
    """Return what a reader would see go wrong in the cells that have run."""
    found = []
    for cell in cells:
        where = f"cell {cell['first'][:50]!r}"
        if cell["count"] is None and cell["first"].strip():
            found.append(f"{where} did not run")
        for output in cell["outputs"]:
            expected = "raises-exception" in cell["tags"]
            if output["type"] == "error" and not expected:
                found.append(f"{where}: {output['name']}: {output['text'][:200]}")
            if output["type"] == "stream" and output["name"] == "stderr":
                found.append(f"{where} wrote to stderr: {output['text'][:200]}")
    return found


def try_explorers(tab: Page, cells: list[dict[str, Any]], report: Report) -> None:
    """Move the first control of every explorer; what does not answer is a problem."""
    for cell in cells:
        if not any(output["widget"] for output in cell["outputs"]):
            continue
        count = tab.evaluate(SHOW, cell["place"])
        if not count:
            report.problems.append(f"cell {cell['first'][:50]!r}: no explorer appeared")
        for which in range(count):
            before = tab.evaluate(HEARD)
            moved = tab.evaluate(MOVE, [cell["place"], which])
            control = f"{moved['name']}: its first {moved['control']}"
            report.explorers += 1
            if not moved["answered"]:
                report.problems.append(f"{control} changes nothing")
            heard = tab.evaluate(HEARD) != before
            report.heard += heard
            # A button may concern the page alone; a slider or a list never does.
            if not heard and moved["control"] != "button":
                report.problems.append(f"{control} does not reach Python")


def own_exception(error: Error, report: Report) -> None:
    """Keep an exception of an explorer; JupyterLab's own races are not ours to mend."""
    # An explorer's module has no file: its address is a blob.
    if "blob:" in (error.stack or ""):
        report.problems.append(f"exception: {error}")


def visit(tab: Page, address: str, server: psutil.Process, page: str) -> Report:
    """Open one page as its launch button does, run it, try its explorers."""
    report = Report(page)
    tab.set_default_timeout(LONGEST * 1000)
    tab.on("pageerror", lambda error: own_exception(error, report))
    started = time.monotonic()
    tab.goto(address.replace("/lab?", f"/lab/tree/{page}.md?reset&"))
    tab.wait_for_function("window.jupyterapp")
    if problem := tab.evaluate(OPEN):
        report.problems.append(problem)
        return report
    cells = tab.evaluate(RUN)
    report.seconds = round(time.monotonic() - started, 1)
    report.cells = len(cells)
    report.problems += complaints(cells)
    try_explorers(tab, cells, report)
    report.lab = peak(server)
    report.kernel = sum(peak(child) for child in server.children(recursive=True))
    if report.memory > MEMORY:
        report.problems.append(f"{report.memory} MiB: Binder has {MEMORY}")
    tab.evaluate(CLOSE)
    return report


def visit_all(address: str, server: psutil.Process, pages: list[str]) -> list[Report]:
    """Return a report of each page, each in a browser of its own."""
    reports = []
    with sync_playwright() as playwright:
        path = chromium_path()
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for page in pages:
            context = chromium.new_context(viewport={"width": 1280, "height": 1600})
            # Nothing may be asked of another site: an image has no say in who answers.
            context.route(
                lambda url: not url.startswith(("http://127.0.0.1:", "data:", "blob:")),
                lambda route: route.abort(),
            )
            tab = context.new_page()
            try:
                report = visit(tab, address, server, page)
            except Error as error:
                report = Report(page, problems=[str(error)[:400]])
            context.close()
            psutil.wait_procs(server.children(recursive=True), timeout=20)
            reports.append(report)
            print(row(report), *report.problems, sep="\n  ", flush=True)
        chromium.close()
    return reports


HEAD = "| page | cells | explorers | heard by Python | s | kernel MiB | Lab MiB | sum |"


def row(report: Report) -> str:
    """Return one line of the table."""
    r = report
    memory = f"{r.kernel} | {r.lab} | {r.memory}"
    return (
        f"| {r.page} | {r.cells} | {r.explorers} | {r.heard} | {r.seconds} | {memory} |"
    )


def main() -> None:
    """Make the environment, run the pages, print and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="as in _toc.yml; none: all")
    parser.add_argument(
        "--as-published", action="store_true", help="torch from PyTorch"
    )
    parser.add_argument(
        "--reuse", action="store_true", help="the environment made last"
    )
    options = parser.parse_args()
    known = chapters()
    pages = [p if p in known else f"book/{p}" for p in options.pages] or known
    if unknown := sorted(set(pages) - set(known)):
        parser.error(
            f"no such page: {', '.join(unknown)}; there are {', '.join(known)}"
        )
    home = PLACE / "home"
    shutil.rmtree(home if options.reuse else PLACE, ignore_errors=True)
    home.mkdir(parents=True)
    variables = build(home, options.as_published)
    with lab(home, variables) as (address, server):
        reports = visit_all(address, server, pages)
    TABLE.write_text(json.dumps([asdict(r) for r in reports], indent=1) + "\n")
    print("", HEAD, "|---" * 8 + "|", *map(row, reports), sep="\n")
    if bad := [report.page for report in reports if report.problems]:
        raise SystemExit(f"problems on {', '.join(bad)}")


if __name__ == "__main__":
    main()
