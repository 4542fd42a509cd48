"""Keras 3 layers on its TensorFlow backend: ``UpSampling2D`` and ``Resizing``."""

from typing import Any

import numpy as np

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    planar,
    ratio,
)
from resizelab.engines.libraries import Library, load, register

register(Library("keras", __name__, "keras", "keras"))

UPSAMPLING = "keras.layers.UpSampling2D"
RESIZING = "keras.layers.Resizing"


def _keras() -> Any:
    """Import Keras; the conventions are those of its TensorFlow backend."""
    keras = load("keras", "keras")
    backend = keras.backend.backend()
    if backend != "tensorflow":
        raise RuntimeError(
            f"Keras runs on {backend!r} here and gives other numbers there: its "
            f"conventions are those of 'tensorflow' (set KERAS_BACKEND=tensorflow "
            f"before Keras is imported)"
        )
    return keras


def _apply(keras: Any, layer: Any, x: Array) -> Array:
    """Run a layer on (batch, h, w), its one channel where the layer has them."""
    axis = 1 if layer.data_format == "channels_first" else -1
    y = keras.ops.convert_to_numpy(layer(np.expand_dims(x, axis)))
    return np.asarray(y).squeeze(axis)


def up_sampling(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Enlarge by whole factors, taken from the sizes where no ``size`` is given."""
    keras = _keras()
    factors = scale if scale is not None else ratio(x, needs_shape(UPSAMPLING, shape))
    whole = tuple(round(f) for f in factors)
    if whole != tuple(factors):
        raise ValueError(
            f"{UPSAMPLING} enlarges by whole factors only; got {tuple(factors)}"
        )
    options = {"data_format": "channels_last", **arguments}
    return _apply(keras, keras.layers.UpSampling2D(size=whole, **options), x)


def resizing(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resize to (height, width) with the preprocessing layer."""
    no_scale(RESIZING, scale)
    size = needs_shape(RESIZING, shape)
    keras = _keras()
    options = {"data_format": "channels_last", **arguments}
    return _apply(keras, keras.layers.Resizing(*size, **options), x)


CALLS = {
    UPSAMPLING: Call(up_sampling, planar, scale_keys=("size",)),
    RESIZING: Call(resizing, planar),
}
