"""Subcommands about model files: lint, compare, and the passport."""

from argparse import Namespace
from typing import Any

from resizelab.cli.names import Subparsers, command, group, repeated
from resizelab.cli.printing import FOUND, WRONG, answered, pairs, said, say
from resizelab.models.backends import BACK_ENDS, USUAL
from resizelab.models.compare import FLOOR, TOLERANCE
from resizelab.models.findings import FORMATS

RUNNERS = ("onnxruntime", "openvino", "onnx.reference", "litert", "ncnn", "torch")


def add(sub: Subparsers) -> None:
    """Add the subcommands of this module."""
    _lint(sub)
    _compare(sub)
    _passport(sub)


def _lint(sub: Subparsers) -> None:
    words = "look at the resize nodes of a model, or at calls"
    made = command(sub, "lint", lint, words)
    words = ".onnx or .tflite files; or calls as text, in order"
    made.add_argument("what", nargs="+", help=words)
    words = f"whose reading counts: {', '.join(BACK_ENDS)}; may be repeated "
    words += f"(otherwise {', '.join(USUAL)})"
    repeated(made, "--back-end", "NAME", words, choices=BACK_ENDS)
    made.add_argument("--like", help="what every node should compute: a name or a call")
    size = {"type": int, "nargs": 2, "metavar": ("H", "W")}
    made.add_argument("--shape", help="what enters the calls", **size)
    formatted(made)


def formatted(made: Any) -> None:
    """Add the option that says for whom a report is."""
    words = "for other tools to read"
    made.add_argument("--format", choices=FORMATS, default="text", help=words)


def target(made: Any) -> None:
    """Add the options that say where to write."""
    made.add_argument("-o", "--output", help="the file to write")
    made.add_argument("--in-place", action="store_true", help="change the model itself")


def _compare(sub: Subparsers) -> None:
    made = command(sub, "compare", compare, "compare two models node by node")
    made.add_argument("a", nargs="?", help="an ONNX model")
    made.add_argument("b", nargs="?", help="another, unless --ref is given")
    fed(made)
    made.add_argument("--ref", help="a .npz file of named activations")
    words = "print torch code that writes it"
    made.add_argument("--hook", action="store_true", help=words)
    reported(made)


def reported(made: Any) -> None:
    """Add the options that say who runs two models, what counts, and what is written.

    The first ``--back-end`` is the first model's.
    """
    words = f"who runs the first, then the second: {', '.join(RUNNERS)}"
    repeated(made, "--back-end", "NAME", words)
    made.add_argument("--html", metavar="FILE", help="write a page with pictures, too")
    formatted(made)
    words = "of a result's largest value: beyond it a pair differs (%(default)s)"
    made.add_argument("--tolerance", type=float, default=TOLERANCE, help=words)
    words = "an error up to here is noise, however small the values (%(default)s)"
    made.add_argument("--floor", type=float, default=FLOOR, help=words)


def fed(made: Any) -> None:
    """Add the option that says what goes into a model."""
    words = "a .npy file or picture, as it is; or a .npz file of all inputs"
    repeated(made, "--input", "[NAME=]FILE", words)


def _passport(sub: Subparsers) -> None:
    words = "the preprocessing and resizes that a model carries in its file"
    inner = group(sub, "passport", words)
    made = command(inner, "write", passport_write, "write a passport")
    _preprocessing(made)
    target(made)
    made = command(inner, "read", passport_read, "print a passport")
    made.add_argument("model")
    made = command(inner, "check", passport_check, "fail if the pipeline differs")
    _preprocessing(made)


def _preprocessing(made: Any) -> None:
    made.add_argument("model")
    words = "a resize call as text; repeat it in order"
    repeated(made, "--preprocess", "CALL", words)
    words = "all of it, from the file on: a known pipeline's name, or a .json file"
    made.add_argument("--pipeline", help=words)
    words = "anything else to hold on to: mean, channel order, …"
    repeated(made, "--fact", "NAME=TEXT", words)


def lint(options: Namespace) -> int:
    """Look at model files, or at calls; one bad file does not stop the others."""
    from resizelab.models import call_lint
    from resizelab.models import lint as files
    from resizelab.models.findings import Report, Unread

    reports: list[Report] = []
    if all("(" in text for text in options.what):
        shape = tuple(options.shape) if options.shape else None
        reports.append(call_lint.calls(options.what, shape=shape))
    else:
        for path in options.what:
            try:
                back_ends = options.back_end or None
                reports.append(files.model(path, back_ends, options.like))
            except (ValueError, OSError) as error:
                if len(options.what) == 1:
                    raise
                reports.append(Unread(path, str(error)))
    _reports(options, reports)
    if any(isinstance(report, Unread) for report in reports):
        return WRONG
    return FOUND if any(report.found for report in reports) else 0


def compare(options: Namespace) -> int:
    """Compare two models, or a model with a dump, node by node."""
    from resizelab.exact import proof
    from resizelab.modelfiles import files
    from resizelab.models import compare as comparing
    from resizelab.models.pairing import HOOK

    if options.hook:
        say(HOOK.rstrip())
        return 0
    if options.a is None:
        raise ValueError("compare needs a model, and a second one or --ref")
    report = comparing.compare(
        options.a,
        options.b,
        inputs(options.input),
        files.arrays(options.ref) if options.ref else None,
        options.tolerance,
        options.floor,
        ran_by(options, proof.BACK_ENDS[0]),
    )
    return written(options, report)


def ran_by(options: Namespace, usual: Any) -> tuple[Any, Any]:
    """Return who runs the first model and the second; one name is for both."""
    given = options.back_end
    if len(given) > 2:
        raise ValueError(f"--back-end is given twice at most; got {', '.join(given)}")
    first, second = (*given, *given, usual, usual)[:2]
    return first, second


def written(options: Namespace, report: Any) -> int:
    """Print a report in the format asked for, write its page, return the exit code."""
    if options.html:
        from resizelab.modelfiles import files
        from resizelab.models.page import page

        files.write(files.free_target(options.html), page(report).encode())
    _reports(options, [report])
    return FOUND if report.found else 0


def _reports(options: Namespace, reports: list[Any]) -> None:
    say(FORMATS["json" if options.json else options.format](reports))


def inputs(given: list[str]) -> dict[str, Any]:
    """Return the arrays of ``[NAME=]FILE`` texts, by name."""
    from resizelab.modelfiles import files

    found: dict[str, Any] = {}
    for text in given:
        name, _, path = text.rpartition("=")
        if path.endswith(".npz"):
            found |= files.arrays(path)
        else:
            found[name] = files.array(path)
    return found


def passport_write(options: Namespace) -> int:
    """Write a model's passport."""
    from resizelab.models import passport

    target = passport.write(
        options.model,
        options.preprocess,
        pairs("--fact", options.fact),
        options.output,
        options.in_place,
        _pipeline(options),
    )
    return answered(options, {"target": str(target)}, f"written: {target}")


def passport_read(options: Namespace) -> int:
    """Print a model's passport."""
    from resizelab.models import passport

    return said(options, passport.read(options.model))


def passport_check(options: Namespace) -> int:
    """Fail if the pipeline at hand is not the one in the passport."""
    from resizelab.models import passport

    facts = pairs("--fact", options.fact)
    calls, pipeline = options.preprocess or None, _pipeline(options)
    found = passport.check(options.model, calls, facts, pipeline)
    return said(options, found, 0 if found.passed else FOUND)


def _pipeline(options: Namespace) -> Any:
    from resizelab import pipelines

    return options.pipeline and pipelines.asked(options.pipeline)
