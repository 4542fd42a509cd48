"""What was found out about a tensor: places, rows, values, and what remains."""

from dataclasses import dataclass
from typing import Any

from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.geometries import Geometry
from resizelab.pipelines.lines import Line, listed
from resizelab.pipelines.pipeline import stated
from resizelab.pipelines.spatial import Moved, Resize, Spatial
from resizelab.text import Told, by

NOTHING = 3.0  # levels; beyond it nothing known fits


@dataclass(frozen=True, repr=False)
class Identified(Told):
    """What was found: places, rows that give the same numbers, the line of values.

    ``others`` are places that give the same numbers too; ``remains`` is what is left,
    in levels, after the best fit; ``names`` are the known pipelines that are this one
    on this photograph. Where there is none, ``nearest`` is the known one that differs
    least, and ``differs`` says how.
    """

    geometry: Geometry | None
    rows: tuple[tuple[str, str], ...]
    line: Line | None
    remains: float
    names: tuple[str, ...]
    others: tuple[Geometry, ...] = ()
    decode: Decode | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    nearest: str = ""
    differs: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the answer in words."""
        if self.geometry is None or self.line is None:
            return "nothing known makes this shape of that photograph"
        lines = []
        if self.remains > NOTHING:
            lines.append(
                f"nothing known fits: {self.remains:.1f} levels remain; nearest"
            )
        if self.decode is not None:
            d = self.decode
            lines.append(f"decode: EXIF {d.exif}, {d.dct} DCT, {d.chroma} chroma")
        lines += _moves(self.geometry)
        for other in self.others:
            lines.append(f"or, not to be told apart: {'; '.join(_moves(other))}")
        listed = ", ".join(f"{name} ({numbers})" for name, numbers in self.rows)
        lines.append(
            f"row: {listed}" + (" (cannot be told apart)" * (len(self.rows) > 1))
        )
        lines.append(f"values: {self.line.colours}, {self._values()}")
        lines.append(f"what remains: {self.remains:.2g} levels")
        lines.append(f"known as: {', '.join(self.names) or 'none of the known'}")
        if self.nearest:
            lines += [f"nearest known: {self.nearest}; it differs in", *self.differs]
        return "\n".join(lines)

    def _values(self) -> str:
        if self.mean is not None and self.std is not None:
            return f"mean {listed(self.mean)}, deviation {listed(self.std)}"
        assert self.line is not None
        gain, offset = self.line.gain, self.line.offset
        mean, std = self.line.unit()
        return (
            f"level times {listed(gain)} plus {listed(offset)}; of levels over 255: "
            f"mean {mean}, deviation {std}"
        )

    def whole(self) -> dict[str, Any]:
        """Return the answer as plain values."""
        moves = self.geometry.moves if self.geometry else ()
        return {
            "sizes": [m.shape_out for m in moves],
            "offsets": [m.before for m in moves],
            "rows": self.rows,
            "decode": self.decode and stated(self.decode),
            "order": self.line and self.line.order,
            "gain": self.line and self.line.gain.tolist(),
            "offset": self.line and self.line.offset.tolist(),
            "remains": self.remains,
            "names": self.names,
            "nearest": self.nearest,
            "differs": self.differs,
        }


def _moves(g: Geometry) -> list[str]:
    return [
        said(stage, moved)
        for stage, moved in g.pairs
        if isinstance(stage, Resize) or moved.shape_in != moved.shape_out
    ]


def said(stage: Spatial, moved: Moved) -> str:
    """Return one stage and what it did, in words."""
    before, after = by(moved.shape_in), by(moved.shape_out)
    if isinstance(stage, Resize):
        return f"resize: {before} to {after} ({stage.rule})"
    top, left = (abs(n) for n in moved.before)
    way = "from" if stage.kind == "crop" else "to"
    return f"{stage.kind}: {before} to {after}, {way} row {top}, column {left}"
