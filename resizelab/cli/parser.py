"""What the command understands: one subcommand a question."""

import argparse
from typing import Any

import resizelab
from resizelab.cli import agreement, commands

EXIT_CODES = (
    "exit codes: 0 nothing to say against it; 1 findings, differences, or nothing "
    "named; 2 wrong use or a file that cannot be read; 3 a library that is missing"
)
Subparsers = Any  # argparse names its type with an underscore


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    top = argparse.ArgumentParser(
        prog="resizelab",
        description="Which resize is this, and who computes it otherwise?",
        epilog=EXIT_CODES,
    )
    top.add_argument(
        "--version", action="version", version=f"resizelab {resizelab.__version__}"
    )
    sub = top.add_subparsers(required=True, metavar="COMMAND")
    for build in (_names, _outputs, _models, _two_models, _passport):
        build(sub)
    return top


def _command(sub: Subparsers, name: str, run: Any, words: str) -> Any:
    made = sub.add_parser(name, help=words, description=words, epilog=EXIT_CODES)
    made.add_argument("--json", action="store_true", help="print JSON")
    made.set_defaults(run=run)
    return made


def _names(sub: Subparsers) -> None:
    made = _command(
        sub, "conventions", commands.conventions, "list the recorded conventions"
    )
    made.add_argument(
        "filter", nargs="?", default="", help="part of a name, or a pattern with *"
    )
    made = _command(
        sub, "show", commands.show, "show where a convention reads, and its matrix"
    )
    made.add_argument("name", help="a convention's name, or a call as text")
    made.add_argument("--from", dest="n_in", type=int, required=True, metavar="N")
    made.add_argument("--to", dest="n_out", type=int, metavar="M")
    made.add_argument("--scale", type=float, help="a given scale, for the step")
    made = _command(
        sub, "translate", commands.translate, "say a call in another framework"
    )
    made.add_argument("call", help="a call as text, or a convention's name")
    made.add_argument("--to", required=True, help="torch, tensorflow, onnx, opencv, …")


def _outputs(sub: Subparsers) -> None:
    made = _command(
        sub, "identify", commands.identify, "name the resize between two pictures"
    )
    made.add_argument("before", help="a picture or a .npy file")
    made.add_argument("after", help="what the resize made of it")
    made.add_argument("--layout", help="HW, HWC, CHW, NCHW, …; otherwise guessed")
    made = _command(sub, "why", commands.why, "say why two outputs of one model differ")
    made.add_argument("ref", help="the output that is right, .npy")
    made.add_argument("got", help="the output that differs, .npy")
    made.add_argument(
        "--stride",
        type=float,
        nargs="+",
        metavar="S",
        help="how much the model enlarges at its end; two numbers for height and width",
    )
    made.add_argument("--layout", help="HW, CHW, HWC, NCHW, NHWC; otherwise guessed")


def _models(sub: Subparsers) -> None:
    from resizelab.models.backends import BACK_ENDS, USUAL

    made = _command(
        sub, "lint", commands.lint, "look at the resize nodes of a model, or at calls"
    )
    made.add_argument(
        "what", nargs="+", help=".onnx or .tflite files; or calls as text, in order"
    )
    made.add_argument(
        "--back-end",
        action="append",
        choices=BACK_ENDS,
        metavar="NAME",
        help=f"whose reading counts: {', '.join(BACK_ENDS)}; may be repeated "
        f"(otherwise {', '.join(USUAL)})",
    )
    made.add_argument("--like", help="what every node should compute: a name or a call")
    made.add_argument(
        "--shape", type=int, nargs=2, metavar=("H", "W"), help="what enters the calls"
    )
    words = "change a resize node's attributes, or make it a matrix"
    made = _command(sub, "patch", agreement.patch, words)
    made.add_argument("model")
    made.add_argument("--node", help="its name or output; * for all")
    made.add_argument(
        "--set", dest="changes", action="append", default=[], metavar="NAME=VALUE"
    )
    _exact(made)
    _target(made)


def _exact(made: Any) -> None:
    from resizelab.exact.proof import BACK_ENDS

    words = "put matrices in the place of resizes, so that all back ends agree"
    made.add_argument("--exact", action="store_true", help=words)
    made.add_argument("--like", help="what they compute: a name or a call")
    _input(made)
    made.add_argument(
        "--back-end",
        action="append",
        choices=BACK_ENDS,
        help="where it is run before and after; may be repeated (otherwise all)",
    )


def _target(made: Any) -> None:
    made.add_argument("-o", "--output", help="the file to write")
    made.add_argument("--in-place", action="store_true", help="change the model itself")


def _two_models(sub: Subparsers) -> None:
    made = _command(sub, "compare", commands.compare, "compare two models node by node")
    made.add_argument("a", nargs="?", help="an ONNX model")
    made.add_argument("b", nargs="?", help="another, unless --ref is given")
    _input(made)
    made.add_argument("--ref", help="a .npz file of named activations")
    made.add_argument(
        "--hook", action="store_true", help="print torch code that writes it"
    )
    made.add_argument("--tolerance", type=float, help="of a result's largest value")


def _input(made: Any) -> None:
    made.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="a .npy file or picture, as it is; or a .npz file of all inputs",
    )


def _passport(sub: Subparsers) -> None:
    words = "the preprocessing and resizes that a model carries in its file"
    actions = sub.add_parser("passport", help=words, description=words)
    inner = actions.add_subparsers(required=True, metavar="ACTION")
    made = _command(inner, "write", commands.passport_write, "write a passport")
    _pipeline(made)
    _target(made)
    made = _command(inner, "read", commands.passport_read, "print a passport")
    made.add_argument("model")
    made = _command(
        inner, "check", commands.passport_check, "fail if the pipeline differs"
    )
    _pipeline(made)


def _pipeline(made: Any) -> None:
    made.add_argument("model")
    made.add_argument(
        "--preprocess",
        action="append",
        metavar="CALL",
        help="a resize call as text; repeat it in order",
    )
    made.add_argument(
        "--fact",
        action="append",
        default=[],
        metavar="NAME=TEXT",
        help="anything else to hold on to: mean, channel order, …",
    )
