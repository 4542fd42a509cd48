"""Keras 3 layers on its TensorFlow backend: ``UpSampling2D`` and ``Resizing``."""

from typing import Any

import numpy as np

from resizelab.engines.libraries import Array, Factors, Library, Sizes

LIBRARY = Library("keras", "keras", "keras")

UPSAMPLING = "keras.layers.UpSampling2D"


def _apply(layer: str, x: Array, *sizes: Any, **options: Any) -> Array:
    """Run a layer on (batch, h, w), its one channel where the layer has them.

    The conventions are those of Keras' TensorFlow backend.
    """
    keras = LIBRARY.load("keras")
    backend = keras.backend.backend()
    if backend != "tensorflow":
        raise RuntimeError(
            f"Keras runs on {backend!r} here and gives other numbers there: its "
            f"conventions are those of 'tensorflow' (set KERAS_BACKEND=tensorflow "
            f"before Keras is imported)"
        )
    options = {"data_format": "channels_last", **options}
    axis = 1 if options["data_format"] == "channels_first" else -1
    made = getattr(keras.layers, layer)(*sizes, **options)
    return np.asarray(made(np.expand_dims(x, axis))).squeeze(axis)


@LIBRARY.call(UPSAMPLING, takes="factors", scale_keys=("size",))
def up_sampling(x: Array, factors: Factors, **options: Any) -> Array:
    """Enlarge by whole factors, taken from the sizes where no ``size`` is given."""
    whole = tuple(round(f) for f in factors)
    if whole != tuple(factors):
        raise ValueError(
            f"{UPSAMPLING} enlarges by whole factors only; got {tuple(factors)}"
        )
    return _apply("UpSampling2D", x, whole, **options)


@LIBRARY.call("keras.layers.Resizing")
def resizing(x: Array, size: Sizes, **options: Any) -> Array:
    """Resize to (height, width) with the preprocessing layer."""
    return _apply("Resizing", x, *size, **options)
