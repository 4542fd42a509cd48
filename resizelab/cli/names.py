"""Subcommands about one resize: its name, its numbers, its call elsewhere."""

import fnmatch
import platform
from argparse import Namespace
from importlib import metadata
from typing import Any

import numpy as np

import resizelab
from resizelab import catalog
from resizelab.arrays import resizing
from resizelab.cli.printing import EXIT_CODES, FOUND, answered, said
from resizelab.models.calls import meant

Subparsers = Any  # argparse names its type with an underscore
MOST_SHOWN = 1_000_000  # weights of a matrix


def command(sub: Subparsers, name: str, run: Any, words: str) -> Any:
    """Return the parser of a new subcommand, ``run`` by the options it parses."""
    made = sub.add_parser(name, help=words, description=words, epilog=EXIT_CODES)
    made.add_argument("--json", action="store_true", help="print JSON")
    made.set_defaults(run=run)
    return made


def group(sub: Subparsers, name: str, words: str) -> Subparsers:
    """Return where the actions of a new subcommand are added."""
    made = sub.add_parser(name, help=words, description=words)
    return made.add_subparsers(required=True, metavar="ACTION")


def repeated(
    made: Any, flag: str, metavar: str | None, words: str, **more: Any
) -> None:
    """Add an option that may be repeated: a list, empty where it is not given."""
    made.add_argument(
        flag, action="append", default=[], metavar=metavar, help=words, **more
    )


def add(sub: Subparsers) -> None:
    """Add the subcommands of this module."""
    made = command(sub, "conventions", conventions, "list the recorded conventions")
    words = "part of a name, or a pattern with *"
    made.add_argument("filter", nargs="?", default="", help=words)
    made = command(sub, "show", show, "show where a convention reads, and its matrix")
    made.add_argument("name", help="a convention's name, or a call as text")
    made.add_argument("--from", dest="n_in", type=int, required=True, metavar="N")
    made.add_argument("--to", dest="n_out", type=int, metavar="M")
    made.add_argument("--scale", type=float, help="a given scale, for the step")
    made = command(sub, "translate", translate, "say a call in another framework")
    made.add_argument("call", help="a call as text, or a convention's name")
    made.add_argument("--to", required=True, help="torch, tensorflow, onnx, opencv, …")
    made = command(sub, "identify", identify, "name the resize between two pictures")
    made.add_argument("before", help="a picture or a .npy file")
    made.add_argument("after", help="what the resize made of it")
    made.add_argument("--layout", help="HW, HWC, CHW, NCHW, …; otherwise guessed")
    _why(sub)
    command(sub, "env", env, "print the versions that a report of a fault needs")


def _why(sub: Subparsers) -> None:
    made = command(sub, "why", why, "say why two outputs of one model differ")
    made.add_argument("ref", help="the output that is right, .npy")
    made.add_argument("got", help="the output that differs, .npy")
    words = "how much the model enlarges at its end; two numbers for height and width"
    made.add_argument("--stride", type=float, nargs="+", metavar="S", help=words)
    made.add_argument("--layout", help="HW, CHW, HWC, NCHW, NHWC; otherwise guessed")


def conventions(options: Namespace) -> int:
    """List the names that hold the filter, with library and status."""
    wanted = options.filter
    pattern = wanted if any(c in wanted for c in "*?[") else f"*{wanted}*"
    found = [
        catalog.convention(name)
        for name in catalog.conventions()
        if fnmatch.fnmatchcase(name, pattern)
    ]
    keys = ("name", "library", "status", "checked", "call", "notes")
    whole = [{k: getattr(c, k) for k in keys} for c in found]
    lines = [f"{c.name:36s} {c.library:12s} {c.status}" for c in found]
    text = "\n".join(lines) or f"no convention's name holds {wanted!r}"
    return answered(options, whole, text, 0 if found else FOUND)


def show(options: Namespace) -> int:
    """Print where each output reads, and the operator's rows."""
    c = meant(options.name)
    n_out = options.n_out
    if n_out is None:
        scale = options.scale or (c.scale[-1] if c.scale else None)
        if scale is None:
            raise ValueError("say how many pixels come out: --to M, or --scale S")
        n_out = resizing.plan((options.n_in,), None, c, scale=scale).shape[0]
    w = resizing.weights(c, options.n_in, n_out, options.scale)
    if w.n_in * w.n_out > MOST_SHOWN:
        raise ValueError(
            f"{w.n_in} to {w.n_out} pixels are {w.n_in * w.n_out} weights; at most "
            f"{MOST_SHOWN} are shown"
        )
    positions, rows = w.centroids(), w.dense()
    whole = {
        "name": c.name,
        "n_in": w.n_in,
        "n_out": w.n_out,
        "centroids": positions.round(9).tolist(),
        "matrix": rows.round(9).tolist(),
    }
    lines = [f"{c.name}: {w.n_in} to {w.n_out} pixels"]
    lines.append("output  reads at  weights of the input pixels")
    for k, (position, row) in enumerate(zip(positions, rows, strict=True)):
        shown = " ".join("   .   " if v == 0 else f"{v:7.4f}" for v in row)
        lines.append(f"{k:6d}  {position:8.4f}  {shown}")
    return answered(options, whole, "\n".join(lines))


def translate(options: Namespace) -> int:
    """Print the call of another framework, or why there is none."""
    c = meant(options.call)
    try:
        found = catalog.translate(c, options.to)
    except catalog.NotExpressible as error:
        whole = {"from": c.name, "to": options.to, "call": None, "reason": str(error)}
        return answered(options, whole, str(error), FOUND)
    whole = {
        "from": c.name,
        "to": options.to,
        "call": found.text,
        "layout": found.layout,
        "remarks": found.remarks,
        "reason": None,
    }
    return answered(options, whole, str(found))


def identify(options: Namespace) -> int:
    """Name the convention between two files."""
    from resizelab.identification import naming
    from resizelab.modelfiles import files

    before, after = files.array(options.before), files.array(options.after)
    report = naming.identify(x=before, y=after, layout=options.layout)
    return said(options, report, 0 if report.same else FOUND)


def why(options: Namespace) -> int:
    """Say why two outputs differ."""
    from resizelab.diagnosis.why import why as ask
    from resizelab.modelfiles import files

    ref, got = files.array(options.ref), files.array(options.got)
    stride = options.stride
    if stride is not None:
        stride = stride[0] if len(stride) == 1 else tuple(stride)
    diagnosis = ask(ref, got, stride, layout=options.layout)
    return said(options, diagnosis, 0 if diagnosis.kind == "identical" else FOUND)


def env(options: Namespace) -> int:
    """Print the versions of this package, of Python, and of every library it runs."""
    from resizelab.engines.libraries import LIBRARIES, version

    found = {
        "resizelab": resizelab.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "numpy": np.__version__,
        # Where large pictures go through it.
        "numba": metadata.version("numba") if resizing.has_numba() else None,
        **{name: version(name) for name in LIBRARIES},
    }
    lines = [f"{name:14s} {found[name] or 'not installed'}" for name in found]
    return answered(options, found, "\n".join(lines))
