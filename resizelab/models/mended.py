"""What `mend` found: where two sides part, what mends it, and the proof."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from resizelab.models.comparison import Comparison, Line, Map
from resizelab.models.findings import Finding
from resizelab.models.mending import Change
from resizelab.models.sides import Side
from resizelab.text import Told, printed


@dataclass(frozen=True)
class Step:
    """One change, the outputs beside the other side's before and after, the model."""

    change: Change
    before: tuple[Line, ...]
    after: tuple[Line, ...]
    side: Side

    @property
    def parts(self) -> bool:
        """Whether an output still differs."""
        return any(line.differs for line in self.after)


@dataclass(frozen=True, repr=False)
class Mended(Told):
    """Two sides, and what was found: ``a`` is right, ``b`` is to be mended.

    ``inputs`` is a line an input, empty where one input goes into both; ``before`` the
    outputs on each side's own input then, ``outputs`` those on the first side's.
    ``steps`` are the changes that were run; ``turned`` says that they are changes of
    ``a``, as ``b`` is a file that holds no attributes to set. ``target`` is where the
    mended file was kept, ``feed`` how the input is said in
    commands, ``input_words`` what is known of it, ``readings`` what each side
    makes of the node that parts first, ``diagnosis`` what the outputs alone say.
    """

    a: Side
    b: Side
    outputs: tuple[Line, ...]
    inputs: tuple[Line, ...] = ()
    before: tuple[Line, ...] = ()
    comparison: Comparison | None = None
    steps: tuple[Step, ...] = ()
    turned: bool = False
    target: Path | None = None
    feed: str = ""
    input_words: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    input_command: str = ""
    diagnosis: tuple[str, ...] = ()

    title = "Where the second side parts, and what mends it"

    @property
    def maps(self) -> tuple[Map, ...]:
        """Where the results differ."""
        return self.comparison.maps if self.comparison else ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """The pairs that were compared."""
        return self.comparison.lines if self.comparison else self.outputs

    @property
    def resizes(self) -> tuple[str, ...]:
        """Nothing more than the summary says."""
        return ()

    def summary(self) -> list[str]:
        """Return what stands first on a page."""
        return str(self).splitlines()

    @property
    def source(self) -> str:
        """The file that is looked at."""
        return str(self.b.path)

    @property
    def parts(self) -> bool:
        """Whether outputs differ although the inputs are the same."""
        return not self.outputs or any(line.differs for line in self.outputs)

    @property
    def inputs_part(self) -> bool:
        """Whether what goes into the two sides differs."""
        return any(line.differs for line in self.inputs)

    @property
    def mended(self) -> bool:
        """Whether the last change that was run leaves no output that differs."""
        return bool(self.steps) and not self.steps[-1].parts

    @property
    def found(self) -> tuple[Finding, ...]:
        """The findings: what goes in, what comes out, and how it is mended."""
        found = []
        if self.inputs_part:
            found.append(Finding("inputs-part", " ".join(self._inputs())))
        if self.a.refusal or self.b.refusal:
            found.append(Finding("refused", self.b.refusal or self.a.refusal))
        elif self.parts:
            place = self.comparison.first if self.comparison else None
            where = place.tensor if place else ""
            found.append(Finding("outputs-part", " ".join(self._outputs()), where))
        commands = [self.input_command] * self.inputs_part + self.commands()
        if any(commands):
            found.append(Finding("mend", "; ".join(filter(None, commands))))
        return tuple(found)

    def commands(self) -> list[str]:
        """Return the commands that mend, in order."""
        source = self.a.path if self.turned else self.b.path
        usual = source.with_name(f"{source.stem}.mended{source.suffix}")
        target = str(self.target or usual)
        names = [str(source), *[target] * len(self.steps)]
        pairs = zip(self.steps, names, strict=False)
        return [step.change.command(name, target, self.feed) for step, name in pairs]

    def __str__(self) -> str:
        """Return what was found, from the inputs to the proof."""
        lines = [f"right: {self.a}", f"to mend: {self.b}"]
        lines += [*self._inputs(), *self._outputs(), *self._inside(), *self._proof()]
        return printed(lines)

    def _inputs(self) -> Iterator[str]:
        yield from self.input_words
        if not self.inputs:
            yield "inputs: the same go into both"
        elif not self.inputs_part:
            yield "inputs: what goes into the two agrees"
        for line in self.inputs:
            if line.differs:
                yield f"inputs part: {line.tensor}, {_by(line)}"

    def _outputs(self) -> Iterator[str]:
        for side in (self.a, self.b):
            if side.refusal:
                yield f"{side} does not run: {side.refusal}"
        for line in self.before:
            yield f"outputs, each on its own input: {line.tensor}, {_by(line)}"
        told = " on the same input" if self.before else ""
        for line in self.outputs:
            yield f"outputs{told}: {line.tensor}, {_by(line)}"

    def _inside(self) -> Iterator[str]:
        seen = self.comparison
        if not self.parts or seen is None or seen.first is None:
            return
        first = seen.first
        if first.op != "output" and len(seen.lines) > 1:
            yield f"first node that parts: {first.tensor} ({first.op}), {_by(first)}"
        yield from (f"where {m.tensor}: {m.words}" for m in seen.maps)
        yield from (f"resize: {text}" for text in seen.resizes)
        yield from self.readings

    def _proof(self) -> Iterator[str]:
        if self.inputs_part:
            was, now = _worst(self.before), _worst(self.outputs)
            yield f"mend: {self.input_command or 'feed the first input to both'}"
            yield (
                f"  run on it, outputs differ by {now or 0:.2g} of the largest value "
                f"(before: {was or 0:.2g})"
            )
        if not self.parts and not self.b.refusal:
            yield "mended: the outputs agree" if self.inputs_part else "nothing to mend"
            return
        if self.turned and self.steps:
            yield (
                f"{self.b.path.name} is not written here: the command makes "
                f"{self.a.path.name} compute what it holds, which names the difference"
            )
        for step, command in zip(self.steps, self.commands(), strict=True):
            yield f"mend: {command}"
            was, now = _worst(step.before), _worst(step.after)
            gone = "did not run" if was is None else f"{was:.2g}"
            yield (
                f"  run in {step.side.back_end}: outputs differ by {now:.2g} of the "
                f"largest value (before: {gone})"
            )
        if self.mended:
            yield "mended: the outputs agree"
        else:
            yield self._left()
            yield from self.diagnosis
        if self.target:
            yield f"written to {self.target}" if self.steps else "nothing is written"

    def _left(self) -> str:
        first = self.comparison.first if self.comparison else None
        if self.steps:
            return "not all is mended: another node parts"
        if {"pt2", "npy", "npz"} >= {s.path.suffix[1:] for s in (self.a, self.b)}:
            return "neither file is written here: change the call, and export it again"
        if first and first.op not in ("output", "Resize", "Upsample", "resize"):
            return (
                f"no change of a resize mends this: a {first.op} parts first; compare "
                "weights, padding and attributes up to there"
            )
        return "no change of a resize that was tried mends this"

    def whole(self) -> dict[str, Any]:
        """Return what was found as plain values."""
        return {
            "a": {"file": str(self.a.path), "back_end": self.a.back_end},
            "b": {"file": str(self.b.path), "back_end": self.b.back_end},
            "inputs": self.inputs,
            "before": self.before,
            "outputs": self.outputs,
            "refusals": [side.refusal for side in (self.a, self.b)],
            "comparison": self.comparison,
            "mended": self.mended,
            "steps": [
                {"command": command, "after": step.after}
                for step, command in zip(self.steps, self.commands(), strict=True)
            ],
            "text": str(self).splitlines(),
        }


def _by(line: Line) -> str:
    if not line.differs:
        return f"agrees to {line.largest:.2g}"
    remark = f" ({line.remark})" if line.remark else ""
    return f"by {line.largest:.3g}, {line.relative:.2g} of the largest value{remark}"


def _worst(lines: Sequence[Line]) -> float | None:
    return max((line.relative for line in lines), default=None)
