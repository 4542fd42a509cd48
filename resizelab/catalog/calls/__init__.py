"""From a real call and its arguments to a convention: one function a call.

Each function has the real call's signature, defaults included, and returns the fields.
It is the only rule of its kind: the table's rows are recorded points of it.
"""

import importlib
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention

CALLS = {
    "torch.nn.functional.interpolate": "torch.interpolate",
    "torch.nn.functional.grid_sample": "torch.grid_sample",
    "tensorflow.image.resize": "tensorflow.resize",
    "tensorflow.compat.v1.image.resize_bilinear": "tensorflow.resize_bilinear",
    "tensorflow.compat.v1.image.resize_bicubic": "tensorflow.resize_bicubic",
    "tensorflow.compat.v1.image.resize_nearest_neighbor": (
        "tensorflow.resize_nearest_neighbor"
    ),
    "tensorflow.compat.v1.image.resize_area": "tensorflow.resize_area",
    "tensorflow.image.crop_and_resize": "tensorflow.crop_and_resize",
    "keras.layers.UpSampling2D": "keras.up_sampling",
    "keras.layers.Resizing": "keras.resizing",
    "cv2.resize": "opencv.resize",
    "PIL.Image.Image.resize": "pillow.resize",
    "skimage.transform.resize": "skimage.resize",
    "scipy.ndimage.zoom": "scipy.zoom",
    "jax.image.resize": "jax.resize",
    "jax.image.scale_and_translate": "jax.scale_and_translate",
    "onnx.Resize": "onnx.reference_resize",
    "onnx.Resize.spec": "onnx.spec_resize",
    "onnxruntime.Resize": "onnxruntime.resize",
    "onnxruntime.Upsample": "onnxruntime.upsample",
    "openvino.Resize": "openvino.resize",
    "openvino.Upsample": "openvino.upsample",
    "tflite.ResizeBilinear": "tflite.resize_bilinear",
    "tflite.ResizeNearestNeighbor": "tflite.resize_nearest_neighbor",
    "ncnn.Interp": "ncnn.interp",
    "resize_right.resize": "resize_right.resize",
}


def find(call: str, /, **arguments: Any) -> Convention:
    """Return the convention of a real call, the library's own defaults filled in.

    Arguments are those of the real call, as the user writes them; flags of an
    enumeration by name, as text. Raises LookupError for an unknown call, TypeError for
    an unknown argument, ValueError for a value that is unknown or that the library
    itself refuses; each says what exists and what is nearest.

    >>> find("torch.nn.functional.interpolate", mode="bilinear").name
    'torch.bilinear'
    """
    from resizelab.catalog import table  # a room of its own, read at first use

    return table.with_evidence(described(call, **arguments))


def described(call: str, /, **arguments: Any) -> Convention:
    """Return what `find` returns, without the table's evidence."""
    if call not in CALLS:
        raise LookupError(
            f"call must be one of {', '.join(CALLS)}; got {call!r}"
            f"{checks.nearest_match(call, CALLS)}"
        )
    function, parameters = _function(call)
    for name in arguments:
        if name not in parameters:
            raise TypeError(
                f"{call} takes {', '.join(parameters)}; got {name}="
                f"{arguments[name]!r}{checks.nearest_match(name, parameters)}"
            )
    found: Convention = function(**arguments)
    return found.replace(call=call, arguments=arguments)


@cache
def _function(call: str) -> tuple[Callable[..., Convention], tuple[str, ...]]:
    module, name = CALLS[call].split(".")
    function = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return function, tuple(inspect.signature(function).parameters)
