"""Write a model file whose resizes are matrices, and prove it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from resizelab.catalog.finding import Wanted
from resizelab.exact.in_onnx import Exact, onnx
from resizelab.exact.proof import BACK_ENDS, Feeds, Proof, prove
from resizelab.modelfiles import files, onnx_file
from resizelab.text import Told

Shapes = Mapping[str, Sequence[int]]


@dataclass(frozen=True, repr=False)
class Written(Told):
    """What was replaced, what the back ends say of it, and where it was written."""

    target: Path
    exact: Exact
    proof: Proof | None

    def __str__(self) -> str:
        """Return the report as text."""
        told = self.proof or "not run: the inputs have open sizes; give --input"
        return f"{self.exact}\n{told}\nwritten to {self.target}"

    def whole(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "target": self.target,
            "replaced": self.exact.replaced,
            "remarks": self.exact.remarks,
            "proof": self.proof,
        }


def write(
    path: files.PathLike,
    output: files.PathLike | None = None,
    in_place: bool = False,
    *,
    nodes: str | Sequence[str] = "*",
    like: Wanted | None = None,
    feeds: Feeds | None = None,
    back_ends: Sequence[str] = BACK_ENDS,
) -> Written:
    """Write ``path`` with its resizes as matrices; run it before and after.

    ``feeds`` are inputs by name (the empty name for the only input): their shapes fix
    sizes that the file leaves open. Everything else is as in `in_onnx.onnx`. Nothing
    is written if anything is refused.
    """
    target = files.target(path, output, in_place)
    before = onnx_file.with_weights(path)
    given = onnx_file.named(before, feeds) if feeds else None
    shapes = given and {name: array.shape for name, array in given.items()}
    made = onnx(before, nodes, like, shapes)
    proof = None
    if given or not _open(made.model):
        proof = prove(before, made, given, back_ends)
    files.write(target, made.model.SerializeToString())
    return Written(target, made, proof)


def _open(model: Any) -> bool:
    """Say whether an input has an open size other than its batch."""
    shapes = onnx_file.shapes(model.graph)
    return any(
        None in shapes.get(value.name, (None,) * 2)[1:] for value in model.graph.input
    )
