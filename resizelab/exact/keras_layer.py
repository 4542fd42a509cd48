"""A resize as a Keras layer: constants and products, on whatever Keras runs on."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import keras

from resizelab.axis import native
from resizelab.axis.convention import Convention
from resizelab.exact.separable import Size, separable


@keras.saving.register_keras_serializable(package="resizelab")
class Resize(keras.layers.Layer):  # type: ignore[misc]  # Keras ships no types here
    """Resize axes of a tensor by one convention at one pair of sizes.

    Half precision is computed in float32 and rounded once, at the end. A saved model
    holds the convention, each field of it, and makes the same operators again; a kernel
    that is a function cannot be saved.
    """

    def __init__(
        self,
        convention: Convention,
        size_in: Size,
        size_out: Size | None,
        axes: Sequence[int],
        form: str = "cheaper",
        choices: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**{"trainable": False, **options})
        self.convention, self.choices = convention, dict(choices or {})
        self.resize = separable(convention, size_in, size_out, **self.choices)
        self.axes, self.form = self.resize.places(axes), form
        self.steps = self.resize.steps(self.axes, form)

    def get_config(self) -> dict[str, Any]:
        """Return what makes this layer again, as plain values."""
        return {
            **super().get_config(),
            "convention": json.loads(self.convention.to_json()),
            "size_in": self.resize.size_in,
            "size_out": self.resize.size_out,
            "axes": self.axes,
            "form": self.form,
            "choices": self.choices,
        }

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Resize":
        """Return the layer that `get_config` told of; every field is checked again."""
        return cls(
            **{**config, "convention": Convention.from_fields(config["convention"])}
        )

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
