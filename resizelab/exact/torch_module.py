"""A resize as a PyTorch module: buffers and products, no interpolate."""

from collections.abc import Sequence
from typing import Any

import torch

from resizelab.axis import native
from resizelab.exact.separable import Separable

TORCH = native.of_torch(torch)


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
        self.resize = resize
        self.places: list[tuple[int, tuple[str, ...]]] = []
        self.axes = resize.places(axes)
        for k, (axis, names, arrays) in enumerate(resize.steps(axes, form)):
            self.places.append((axis, names))
            for name, array in zip(names, arrays, strict=True):
                tensor = torch.tensor(array)
                tensor = tensor if name == "index" else tensor.to(dtype)
                self.register_buffer(f"{name}_{k}", tensor)

    def forward(self, x: Any) -> Any:
        """Return ``x`` resized; its dtype is kept."""
        got = tuple(x.shape[axis] for axis in self.axes)
        if got != self.size_in:
            raise ValueError(f"axes {self.axes} must be {self.size_in}; got {got}")
        steps = [
            (axis, names, tuple([getattr(self, f"{name}_{k}") for name in names]))
            for k, (axis, names) in enumerate(self.places)
        ]
        return self.resize.apply(TORCH, steps, x)

    def extra_repr(self) -> str:
        """Return the sizes, for ``print(module)``."""
        return f"{self.size_in} to {self.size_out}"
