"""TensorFlow: ``image.resize``, the version 1 operations, ``crop_and_resize``."""

from operator import attrgetter

import numpy as np

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Run,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    planar,
)
from resizelab.engines.libraries import Library, load, register

register(
    Library(
        "tensorflow",
        __name__,
        "tensorflow",
        "tensorflow",
        ("tensorflow-cpu", "tensorflow-intel", "tensorflow-macos"),
    )
)

_RESIZERS = (
    "image.resize",
    "compat.v1.image.resize_bilinear",
    "compat.v1.image.resize_bicubic",
    "compat.v1.image.resize_nearest_neighbor",
    "compat.v1.image.resize_area",
)


def _resizer(name: str) -> Run:
    """Make the runner of a call of the form ``f(images, size, **arguments)``."""
    call = f"tensorflow.{name}"

    def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
        no_scale(call, scale)
        size = needs_shape(call, shape)
        tf = load("tensorflow", "tensorflow")
        with tf.device("/CPU:0"):
            y = attrgetter(name)(tf)(x[..., None], size, **dict(arguments))
        out: Array = y.numpy()[..., 0]
        return out

    return resize


CROP = "tensorflow.image.crop_and_resize"


def crop_and_resize(
    arguments: Arguments, x: Array, shape: Shape, scale: Scale
) -> Array:
    """Cut one box (y1, x1, y2, x2 in parts of the image) and resize it.

    Without ``boxes`` the box is the whole image.
    """
    no_scale(CROP, scale)
    size = needs_shape(CROP, shape)
    tf = load("tensorflow", "tensorflow")
    options = {k: v for k, v in arguments.items() if k != "boxes"}
    with tf.device("/CPU:0"):
        y = tf.image.crop_and_resize(
            x[..., None],
            boxes=np.repeat(_box(arguments), len(x), axis=0),
            box_indices=np.arange(len(x), dtype=np.int32),
            crop_size=size,
            **options,
        )
    out: Array = y.numpy()[..., 0]
    return out


def _box(arguments: Arguments) -> Array:
    """Return the one box of the arguments as a (1, 4) float32 array."""
    boxes = np.asarray(arguments.get("boxes", [0, 0, 1, 1]), np.float32)
    if boxes.shape not in ((4,), (1, 4)):
        raise ValueError(
            f"boxes must be one box of (y1, x1, y2, x2); got shape {boxes.shape}"
        )
    return boxes.reshape(1, 4)


def _box_of_last_axis(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Keep the box's extent along x and take the whole image along y."""
    box = _box(arguments)[0].tolist()
    return {**arguments, "boxes": [0.0, box[1], 1.0, box[3]]}


CALLS = {
    **{f"tensorflow.{name}": Call(_resizer(name), planar) for name in _RESIZERS},
    CROP: Call(crop_and_resize, planar, probe_arguments=_box_of_last_axis),
}
