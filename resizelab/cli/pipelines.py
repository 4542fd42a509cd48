"""Subcommands about preprocessing: what a pipeline is, does, parts in, or was."""

from argparse import Namespace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from resizelab.cli.names import Subparsers, command, group
from resizelab.cli.printing import FOUND, answered, said
from resizelab.modelfiles import files


def add(sub: Subparsers) -> None:
    """Add the subcommands of this module."""
    words = "preprocessing: from a photograph to what a network reads"
    inner = group(sub, "pipeline", words)
    asked = "a known pipeline's name, or a .json file of one"
    made = command(inner, "show", show, "list the known pipelines, or print one")
    made.add_argument("pipeline", nargs="?", help=asked)
    made.add_argument("--to", help="as code: pillow, opencv, torchvision, …")
    made = command(inner, "run", run, "write what the network reads, or the graph")
    made.add_argument("pipeline", help=asked)
    made.add_argument("--image", required=True, help="a picture, or RGB bytes in .npy")
    made.add_argument("-o", "--output", required=True, help="a .npy or .onnx file")
    made = command(inner, "compare", compare, "say where two pipelines part")
    made.add_argument("a", help=asked)
    made.add_argument("b", help="another")
    made.add_argument("--image", required=True, help="a picture, or RGB bytes in .npy")
    made = command(inner, "identify", identify, "name the pipeline between two files")
    made.add_argument("--raw", required=True, help="a picture, or RGB bytes in .npy")
    made.add_argument("--tensor", required=True, help="what the network read, .npy")


def show(options: Namespace) -> int:
    """List the known pipelines, or print one: its stages, JSON, or another's code."""
    from resizelab import pipelines

    if options.pipeline is None:
        listed = pipelines.names()
        return answered(options, listed, "\n".join(listed))
    made = pipelines.asked(options.pipeline)
    if not options.to:
        return said(options, made)
    try:
        code = pipelines.translate(made, options.to)
    except pipelines.NotExpressible as error:
        whole = {"to": options.to, "code": None, "reason": str(error)}
        return answered(options, whole, str(error), FOUND)
    whole = {"to": options.to, "code": code, "reason": None}
    return answered(options, whole, code.rstrip())


def _photo(path: str) -> Any:
    """Return a picture's path, for the pipeline to decode, or the array of a .npy."""
    return files.array(path) if Path(path).suffix == ".npy" else path


def run(options: Namespace) -> int:
    """Write what the network reads of a photograph, or the graph that makes it."""
    from resizelab import pipelines

    made, photo = pipelines.asked(options.pipeline), _photo(options.image)
    y = made.run(photo)
    target = files.free_target(options.output)
    if target.suffix == ".onnx":
        height, width = made.decoded(photo).shape[:2]
        content = pipelines.onnx(made, (height, width)).SerializeToString()
    else:
        np.save(stream := BytesIO(), y)
        content = stream.getvalue()
    files.write(target, content)
    whole = {"target": str(target), "shape": y.shape, "dtype": str(y.dtype)}
    ends = f"from {y.min():.4g} to {y.max():.4g}"
    return answered(options, whole, f"{target}: {y.dtype} {y.shape}, {ends}")


def compare(options: Namespace) -> int:
    """Say where two pipelines part on a photograph."""
    from resizelab import pipelines

    a, b = pipelines.asked(options.a), pipelines.asked(options.b)
    told = pipelines.compare(a, b, _photo(options.image))
    return said(options, told, FOUND if told.first else 0)


def identify(options: Namespace) -> int:
    """Say which pipeline made a tensor of a photograph."""
    from resizelab import pipelines

    told = pipelines.identify(_photo(options.raw), files.array(options.tensor))
    return said(options, told, 0 if told.names else FOUND)
