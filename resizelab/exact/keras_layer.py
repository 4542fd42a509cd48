"""A resize as a Keras layer: constants and products, on whatever Keras runs on."""

from collections.abc import Sequence
from typing import Any

import keras

from resizelab.exact import applying
from resizelab.exact.separable import Separable

KERAS = applying.Library(
    take=keras.ops.take,
    matmul=keras.ops.matmul,
    moveaxis=keras.ops.moveaxis,
    minimum=keras.ops.minimum,
    maximum=keras.ops.maximum,
    where=keras.ops.where,
    least=keras.ops.min,
    largest=keras.ops.max,
)
SHORT = ("float16", "bfloat16")


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
        self.steps = applying.steps(resize, axes, form)

    def call(self, x: Any) -> Any:
        """Return ``x`` resized; its dtype is kept."""
        kept = keras.backend.standardize_dtype(x.dtype)
        kind = "float32" if kept in SHORT else kept
        made = []
        for step in self.steps:
            arrays = {
                name: keras.ops.convert_to_tensor(
                    array, "int32" if name == "index" else kind
                )
                for name, array in step.arrays.items()
            }
            made.append(applying.Step(step.axis, arrays))
        x = keras.ops.cast(x, kind)
        y = applying.apply(KERAS, made, x, self.resize.clip, self.resize.fill)
        return keras.ops.cast(y, kept)

    def compute_output_shape(self, shape: Any) -> tuple[Any, ...]:
        """Return the shape of what comes out."""
        after = list(shape)
        for axis, n in zip(self.axes, self.resize.size_out, strict=True):
            after[axis] = n
        return tuple(after)
