"""What each subcommand does: ask the package, print, return an exit code."""

import fnmatch
import json
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from resizelab import catalog
from resizelab.arrays import resizing
from resizelab.axis.convention import Convention

FOUND = 1


def said(options: Namespace, report: Any, code: int = 0) -> int:
    """Print a report as text or as JSON and return the exit code."""
    print(report.to_json() if options.json else report)
    return code


def asked(text: str) -> Convention:
    """Return the convention of a name or of a call as text."""
    from resizelab.models import calls

    return calls.parsed(text).convention() if "(" in text else catalog.convention(text)


def conventions(options: Namespace) -> int:
    """List the names that hold the filter, with library and status."""
    wanted = options.filter
    pattern = wanted if any(c in wanted for c in "*?[") else f"*{wanted}*"
    found = [
        catalog.convention(name)
        for name in catalog.conventions()
        if fnmatch.fnmatchcase(name, pattern)
    ]
    if options.json:
        keys = ("name", "library", "status", "checked", "call", "notes")
        print(json.dumps([{k: getattr(c, k) for k in keys} for c in found], indent=1))
    else:
        for c in found:
            print(f"{c.name:36s} {c.library:12s} {c.status}")
    return 0 if found else FOUND


def show(options: Namespace) -> int:
    """Print where each output reads, and the operator's rows."""
    c = asked(options.name)
    n_out = options.n_out
    if n_out is None:
        scale = options.scale or (c.scale[-1] if c.scale else None)
        if scale is None:
            raise ValueError("say how many pixels come out: --to M, or --scale S")
        n_out = resizing.plan((options.n_in,), None, c, scale=scale).shape[0]
    w = resizing.weights(c, options.n_in, n_out, options.scale)
    positions, rows = w.centroids(), w.dense()
    if options.json:
        whole = {
            "name": c.name,
            "n_in": w.n_in,
            "n_out": w.n_out,
            "centroids": positions.round(9).tolist(),
            "matrix": rows.round(9).tolist(),
        }
        print(json.dumps(whole))
        return 0
    print(f"{c.name}: {w.n_in} to {w.n_out} pixels")
    print("output  reads at  weights of the input pixels")
    for k, (position, row) in enumerate(zip(positions, rows, strict=True)):
        shown = " ".join("   .   " if v == 0 else f"{v:7.4f}" for v in row)
        print(f"{k:6d}  {position:8.4f}  {shown}")
    return 0


def translate(options: Namespace) -> int:
    """Print the call of another framework, or why there is none."""
    c = asked(options.call)
    try:
        text, code, reason = catalog.translate(c, options.to), 0, None
    except catalog.NotExpressible as error:
        text, code, reason = None, FOUND, str(error)
    if options.json:
        whole = {"from": c.name, "to": options.to, "call": text, "reason": reason}
        print(json.dumps(whole, indent=1))
    else:
        print(text or reason)
    return code


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


def lint(options: Namespace) -> int:
    """Look at model files, or at calls."""
    from resizelab.models import backends, lint

    if all("(" in text for text in options.what):
        shape = tuple(options.shape) if options.shape else None
        clashes = lint.pipeline(options.what, shape=shape)
        return said(options, clashes, FOUND if clashes.found else 0)
    back_ends = options.back_end or backends.USUAL
    code = 0
    for path in options.what:
        report = lint.model(path, back_ends, options.like)
        code = max(code, said(options, report, FOUND if report.found else 0))
    return code


def patch(options: Namespace) -> int:
    """Change a node's attributes and write the model."""
    from resizelab.models.patch import patch

    changes = _pairs("--set", options.changes)
    return said(
        options,
        patch(options.model, options.node, changes, options.output, options.in_place),
    )


def compare(options: Namespace) -> int:
    """Compare two models, or a model with a dump, node by node."""
    from resizelab.modelfiles import files
    from resizelab.models import compare
    from resizelab.models.hook import HOOK

    if options.hook:
        print(HOOK, end="")
        return 0
    if options.a is None:
        raise ValueError("compare needs a model, and a second one or --ref")
    with _Bar(options) as progress:
        report = compare.compare(
            options.a,
            options.b,
            inputs(options.input),
            files.arrays(options.ref) if options.ref else None,
            compare.TOLERANCE if options.tolerance is None else options.tolerance,
            progress,
        )
    return said(options, report, FOUND if report.first else 0)


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


class _Bar:
    """A progress bar on standard error, if tqdm is there and someone looks."""

    def __init__(self, options: Namespace) -> None:
        import sys

        self.bar: Any = None
        self.wanted = sys.stderr.isatty() and not options.json

    def __enter__(self) -> Callable[[int, int], None]:
        """Return what is to be called with (done, of)."""
        return self.show

    def show(self, done: int, of: int) -> None:
        """Draw ``done`` of ``of``."""
        if not self.wanted:
            return
        if self.bar is None:
            try:
                from tqdm import tqdm
            except ModuleNotFoundError:
                self.wanted = False
                return
            self.bar = tqdm(total=of, unit="node", leave=False)
        self.bar.update(done - self.bar.n)

    def __exit__(self, *error: object) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.close()


def passport_write(options: Namespace) -> int:
    """Write a model's passport."""
    from resizelab.models import passport

    target = passport.write(
        options.model,
        options.preprocess or (),
        _pairs("--fact", options.fact),
        options.output,
        options.in_place,
    )
    shown = (
        json.dumps({"target": str(target)}) if options.json else f"written: {target}"
    )
    print(shown)
    return 0


def passport_read(options: Namespace) -> int:
    """Print a model's passport."""
    from resizelab.models import passport

    return said(options, passport.read(options.model))


def passport_check(options: Namespace) -> int:
    """Fail if the pipeline at hand is not the one in the passport."""
    from resizelab.models import passport

    facts = _pairs("--fact", options.fact)
    found = passport.check(options.model, options.preprocess, facts)
    stored = passport.read(options.model)
    untold = ["preprocessing"] * (not options.preprocess and bool(stored.preprocessing))
    untold += [name for name in stored.facts if name not in facts]
    if options.json:
        print(json.dumps({"differs": found, "unchecked": untold}, indent=1))
        return FOUND if found else 0
    print("\n".join(found) or "the pipeline is the one in the passport")
    if untold:
        print(f"not told, so not checked: {', '.join(untold)}")
    return FOUND if found else 0


def _pairs(flag: str, given: list[str]) -> dict[str, str]:
    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ValueError(f"{flag} takes NAME=VALUE; got {text!r}")
        found[name] = value
    return found
