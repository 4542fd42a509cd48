"""A resize as a Keras layer: constants and products, on whatever Keras runs on."""

from collections.abc import Sequence
from typing import Any

import keras

from resizelab.axis import native
from resizelab.exact.separable import Separable


class Resize(keras.layers.Layer):  # type: ignore[misc]  # Keras ships no types here
    """Resize axes of a tensor by one convention at one pair of sizes.

    Half precision is computed in float32 and rounded once, at the end.
    """

    def __init__(
        self,
        resize: Separable,
        axes: Sequence[int],
        form: str = "cheaper",
        **options: Any,
    ) -> None:
        super().__init__(trainable=False, **options)
        self.resize, self.axes = resize, tuple(axes)
        self.steps = resize.steps(axes, form)

    def call(self, x: Any) -> Any:
        """Return ``x`` resized; its dtype is kept."""
        library = native.library("keras")
        made = [
            (axis, names, tuple(library.constant(array, None) for array in arrays))
            for axis, names, arrays in self.steps
        ]
        return self.resize.apply(library, made, x)

    def compute_output_shape(self, shape: Any) -> tuple[Any, ...]:
        """Return the shape of what comes out."""
        after = list(shape)
        for axis, n in zip(self.axes, self.resize.size_out, strict=True):
            after[axis] = n
        return tuple(after)
