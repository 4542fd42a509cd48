"""Find where two sides part and what mends it, and prove it by running it.

Inputs first, for whatever differs there comes out at the end; then outputs; then the
first node that parts. A change is named only after the changed file was run.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from resizelab.modelfiles import files, onnx_file, text_files
from resizelab.models import mending, sides
from resizelab.models.compare import FLOOR, TOLERANCE
from resizelab.models.comparison import Comparison, Limits, line_of
from resizelab.models.feeding import Array, is_picture
from resizelab.models.mended import Mended, Step
from resizelab.models.mending import Change
from resizelab.models.sides import Side

MOST = 80  # changes that are run where nothing says which node it is
STEPS = 8  # nodes that are mended one after the other
PATCHED = (".onnx", ".tflite", *text_files.ALLOWED)
Feeds = Mapping[str, Array]


def mend(
    a: files.PathLike,
    b: files.PathLike,
    feeds: Feeds,
    feeds_b: Feeds | None = None,
    *,
    back_ends: tuple[str | None, str | None] = (None, None),
    output: files.PathLike | None = None,
    tolerance: float = TOLERANCE,
    floor: float = FLOOR,
    feed: str = "",
    words: tuple[str, ...] = (),
    command: str = "",
) -> Mended:
    """Return where ``b`` parts from ``a``, and the change that mends it, as it ran.

    Parameters
    ----------
    a, b
        The side that is right, and the one to mend: .onnx, .tflite, OpenVINO's .xml,
        ncnn's .param, torch's .pt2, or a .npy or .npz dump of outputs.
    feeds, feeds_b : mapping
        What goes into them by name; ``feeds_b`` where the second reads another input.
    back_ends : (str or None, str or None)
        Who runs them; None for the usual one of the format.
    output
        Where to keep the mended file; otherwise it is made, run, and let go.
    tolerance, floor : float
        As in `compare`.
    feed : str
        How the input is said in the command that is returned.
    words, command
        What is known of the inputs, to be said first; what writes the first's input.

    Raises ValueError for a file that cannot be read or run, and for inputs that do not
    fit; ImportError without the run time.
    """
    limits = Limits(tolerance, floor)
    target = None if output is None else files.free_target(output, b)
    one = sides.opened(a, feeds, back_ends[0])
    # What the first side made of a picture goes into the second as it is.
    shared = one.fed if any(map(is_picture, feeds.values())) and one.fed else feeds
    two = sides.opened(b, feeds_b or shared, back_ends[1])
    report = Mended(one, two, tuple(sides.outputs(one, two, limits)))
    report = replace(report, feed=feed, input_words=words, input_command=command)
    if feeds_b is not None:
        report = _fed(report, two, sides.opened(b, shared, back_ends[1]), limits)
        two = report.b
    if two.refusal or one.refusal or report.parts:
        report = _mended(report, one, two, limits, target)
    return report


def _fed(report: Mended, apart: Side, alike: Side, limits: Limits) -> Mended:
    """Compare what went into the two sides, and run the second on the first's."""
    pairs = zip(report.a.fed.items(), apart.fed.values(), strict=False)
    lines = [
        line_of(name, name, "input", other, x, limits)[0] for (name, x), other in pairs
    ]
    words = list(report.input_words)
    if not words and len(lines) == 1 and lines[0].differs:
        (x,), (other,) = report.a.fed.values(), apart.fed.values()
        words += [f"second input: {text}" for text in sides.alone(x, other)]
    return replace(
        report,
        b=alike,
        inputs=tuple(lines),
        outputs=tuple(sides.outputs(report.a, alike, limits)),
        before=report.outputs,
        input_words=tuple(words),
    )


def _mended(
    report: Mended, a: Side, b: Side, limits: Limits, target: Path | None
) -> Mended:
    """Look for the node, change it, run it; again while another parts."""
    seen = None if a.refusal or b.refusal else sides.between(a, b, limits)
    told = tuple(sides.readings(a, b, seen))
    report = replace(report, comparison=seen, readings=told)
    turned = b.path.suffix.lower() not in PATCHED
    # Numbers and programs stay as they are: the other side can follow.
    still, now = (b, a) if turned else (a, b)
    if now.path.suffix.lower() not in PATCHED or still.refusal:
        return replace(report, turned=turned, diagnosis=_ends(report))
    with tempfile.TemporaryDirectory(prefix="resizelab-") as folder:
        steps: list[Step] = []
        now = _whole(now, Path(folder, "whole.onnx"))
        for k in range(STEPS):
            found = _step(still, now, limits, Path(folder, f"{k}{now.path.suffix}"))
            if found is None:
                break
            steps.append(found)
            now = found.side
            if not found.parts:
                break
        if target is not None and steps:
            text_files.bring_weights(now.path, target)
            files.write(target, now.path.read_bytes())
    report = replace(report, steps=tuple(steps), turned=turned, target=target)
    return report if report.mended else replace(report, diagnosis=_ends(report))


def _whole(side: Side, path: Path) -> Side:
    """Return the side with its weights in the file: it is written into a new folder."""
    if side.exposed is None or not onnx_file.outside(onnx_file.load(side.path)):
        return side
    files.write(path, onnx_file.with_weights(side.path).SerializeToString())
    return replace(side, path=path)


def _ends(report: Mended) -> tuple[str, ...]:
    """Return what two outputs alone say of their difference."""
    if len(report.outputs) != 1 or not report.outputs[0].differs:
        return ()
    line = report.outputs[0]
    pair = report.a.outputs[line.other], report.b.outputs[line.tensor]
    return tuple(f"the outputs alone: {text}" for text in sides.alone(*pair))


def _step(still: Side, now: Side, limits: Limits, path: Path) -> Step | None:
    """Return the first change that mends a node, or None if none of them does."""
    seen = None if now.refusal else sides.between(still, now, limits)
    before = tuple(sides.outputs(still, now, limits))
    best: Step | None = None
    for k, change in enumerate(_proposed(still, now, seen)):
        if k >= MOST:
            break
        made = path.with_name(f"{path.stem}-{k}{path.suffix}")
        try:
            change.write(now.path, made, {k: x.shape for k, x in now.fed.items()})
            side = sides.opened(made, now.fed, now.back_end)
        except (ValueError, LookupError, TypeError):
            continue  # the format, or the run time, does not take it
        if side.refusal:
            continue
        step = Step(change, before, tuple(sides.outputs(still, side, limits)), side)
        if not step.parts:
            return step
        if best is None and seen and seen.first and _later(still, side, seen, limits):
            best = step
    return best


def _later(still: Side, side: Side, seen: Comparison, limits: Limits) -> bool:
    """Say whether the node that parted first now agrees, and a later one parts."""
    now = sides.between(still, side, limits)
    if now is None or now.first is None or seen.first is None:
        return False
    names = [line.tensor for line in seen.lines]
    name = now.first.tensor
    return name in names and names.index(name) > names.index(seen.first.tensor)


def _proposed(still: Side, now: Side, seen: Comparison | None) -> Iterator[Change]:
    if now.refusal:
        yield Change("*", None)
        return
    k = sides.place(now, seen)
    if k is not None:
        mine = now.resizes[k]
        same = len(still.resizes) == len(now.resizes)
        other = still.resizes[k] if same else None
        wanted = other.convention if other is not None else None
        yield from mending.changes(now, mine, other, wanted)
        if wanted is not None:
            yield from mending.changes(now, mine, other, None)
    elif seen is None or seen.first is None or _only_ends(seen):
        for mine in now.resizes:
            yield from mending.changes(now, mine, None, None)
        yield from mending.everywhere(now)


def _only_ends(seen: Comparison) -> bool:
    """Say whether nothing inside was compared: the first to part is an output."""
    ends = [{line.op, line.other.partition(".")[0]} for line in seen.lines]
    return all(sides.OUTPUT in names for names in ends)
