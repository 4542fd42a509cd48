"""Subcommands that make two sides agree: matrices in models, pipelines."""

from argparse import Namespace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from resizelab.cli.models import fed, inputs, ran_by, reported, target, written
from resizelab.cli.names import Subparsers, command, group, repeated
from resizelab.cli.printing import FOUND, answered, pairs, said
from resizelab.exact import proof
from resizelab.modelfiles import files
from resizelab.models.calls import meant


def add(sub: Subparsers) -> None:
    """Add the subcommands of this module."""
    words = "change a resize node's attributes, or make it a matrix"
    made = command(sub, "patch", patch, words)
    made.add_argument("model")
    made.add_argument("--node", help="its name or output; * for all")
    words = "an attribute, flag or word of the node"
    repeated(made, "--set", "NAME=VALUE", words, dest="changes")
    _exact(made)
    target(made)
    _mend(sub)
    _pipeline(sub)


def _mend(sub: Subparsers) -> None:
    words = "find where the second of two sides parts, and run what mends it"
    made = command(sub, "mend", mend, words)
    formats = ".onnx, .tflite, .xml, .param, .pt2, or a dump: .npy, .npz"
    made.add_argument("a", help=f"the side that is right: {formats}")
    made.add_argument("b", help="the side to mend, of any of these formats")
    fed(made)
    words = "what the second reads, where that is another tensor (.npy, .npz)"
    repeated(made, "--input-b", "[NAME=]FILE", words)
    known = "a known pipeline's name, or a .json file; else that of the passport"
    made.add_argument("--pipeline", help=f"how a photograph goes in: {known}")
    made.add_argument("--pipeline-b", help="that of the second, where it is another")
    made.add_argument("-o", "--output", help="where to keep the mended file")
    reported(made)


def _pipeline(sub: Subparsers) -> None:
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


def _exact(made: Any) -> None:
    words = "put matrices in the place of resizes, so that all back ends agree"
    made.add_argument("--exact", action="store_true", help=words)
    made.add_argument("--like", help="what they compute: a name or a call")
    fed(made)
    words = "where it is run before and after; may be repeated (otherwise all)"
    repeated(made, "--back-end", "NAME", words, choices=proof.BACK_ENDS)


def patch(options: Namespace) -> int:
    """Change a node's attributes, or make it a matrix, and write the model."""
    from resizelab.models.patch import patch as change

    changes = pairs("--set", options.changes)
    if not options.exact:
        if not options.node or not changes:
            raise ValueError("patch needs --node and --set, or --exact")
        goes = options.output, options.in_place
        return said(options, change(options.model, options.node, changes, *goes))
    if changes:
        raise ValueError("--exact takes the place of --set: give one of them")
    made = proof.write(
        options.model,
        options.output,
        options.in_place,
        nodes=options.node or "*",
        like=None if options.like is None else meant(options.like),
        feeds=inputs(options.input),
        back_ends=options.back_end or proof.BACK_ENDS,
    )
    return said(options, made)


def mend(options: Namespace) -> int:
    """Find where two sides part, and what mends it; run it before it is said."""
    from resizelab.models.entering import entering
    from resizelab.models.mend import mend as mending

    given = options.input
    if not given:
        raise ValueError("mend needs --input: a photograph, or what the models read")
    chosen = options.pipeline, options.pipeline_b
    photos = [text for text in given if Path(text).suffix.lower() in files.PICTURES]
    photo = photos[0] if photos == given and len(given) == 1 else None
    if photo is None and any(chosen):
        raise ValueError("--pipeline takes one photograph as --input")
    found = entering(
        (options.a, options.b),
        inputs(given),
        photo,
        inputs(options.input_b) or None,
        chosen,
    )
    report = mending(
        options.a,
        options.b,
        found.feeds,
        found.feeds_b,
        back_ends=ran_by(options, None),
        output=options.output,
        tolerance=options.tolerance,
        floor=options.floor,
        feed=given[0] if len(given) == 1 and photo is None else "",
        words=found.words,
        command=found.command,
    )
    return written(options, report)


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
