"""A resize as a PyTorch module: buffers and products, no interpolate."""

from collections.abc import Sequence
from typing import Any

import torch

from resizelab.exact import applying
from resizelab.exact.separable import Separable

TORCH = applying.Library(
    take=lambda x, index, axis: torch.index_select(x, axis, index),
    matmul=torch.matmul,
    moveaxis=torch.movedim,
    minimum=torch.minimum,
    maximum=torch.maximum,
    where=torch.where,
    least=torch.amin,
    largest=torch.amax,
)
SHORT = (torch.float16, torch.bfloat16)


class Resize(torch.nn.Module):  # type: ignore[misc]  # torch ships no types here
    """Resize the last axes of a tensor by one convention at one pair of sizes.

    The operators are buffers: they move with the module, and no gradient goes to them.
    Half precision is computed in float32 and rounded once, at the end.
    """

    def __init__(
        self,
        resize: Separable,
        axes: Sequence[int] | None = None,
        form: str = "cheaper",
        dtype: Any = torch.float32,
    ) -> None:
        super().__init__()
        self.size_in, self.size_out = resize.size_in, resize.size_out
        self.clip, self.fill = resize.clip, resize.fill
        self.places: list[tuple[int, tuple[str, ...]]] = []
        made = applying.steps(resize, axes, form)
        self.axes = tuple(axes) if axes else tuple(range(-len(self.size_in), 0))
        for k, step in enumerate(made):
            self.places.append((step.axis, tuple(step.arrays)))
            for name, array in step.arrays.items():
                tensor = torch.from_numpy(array.copy())
                tensor = tensor if name == "index" else tensor.to(dtype)
                self.register_buffer(f"{name}_{k}", tensor)

    def forward(self, x: Any) -> Any:
        """Return ``x`` resized; its dtype is kept."""
        got = tuple(x.shape[axis] for axis in self.axes)
        if got != self.size_in:
            raise ValueError(f"axes {self.axes} must be {self.size_in}; got {got}")
        work = x.float() if x.dtype in SHORT else x
        made = []
        for k, (axis, names) in enumerate(self.places):
            arrays = {name: getattr(self, f"{name}_{k}") for name in names}
            for name in arrays:
                if name != "index":
                    arrays[name] = arrays[name].to(work.dtype)
            made.append(applying.Step(axis, arrays))
        return applying.apply(TORCH, made, work, self.clip, self.fill).to(x.dtype)

    def extra_repr(self) -> str:
        """Return the sizes, for ``print(module)``."""
        return f"{self.size_in} to {self.size_out}"
