"""TensorFlow: ``image.resize``, the version 1 operations, ``crop_and_resize``."""

from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from resizelab.engines.libraries import Arguments, Array, Library, Sizes

LIBRARY = Library(
    "tensorflow",
    "tensorflow",
    "tensorflow",
    ("tensorflow-cpu", "tensorflow-intel", "tensorflow-macos"),
)


def _resized(name: str, x: Array, size: Sizes, **options: Any) -> Any:
    """Run a call of the form ``f(images, size, **options)``."""
    tf = LIBRARY.load("tensorflow")
    with tf.device("/CPU:0"):
        return attrgetter(name)(tf)(x, size, **options).numpy()


for _name in (
    "image.resize",
    "compat.v1.image.resize_bilinear",
    "compat.v1.image.resize_bicubic",
    "compat.v1.image.resize_nearest_neighbor",
    "compat.v1.image.resize_area",
):
    LIBRARY.call(f"tensorflow.{_name}", channel=-1)(partial(_resized, _name))


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


@LIBRARY.call(
    "tensorflow.image.crop_and_resize", channel=-1, probe_arguments=_box_of_last_axis
)
def crop_and_resize(x: Array, size: Sizes, **options: Any) -> Any:
    """Cut one box (y1, x1, y2, x2 in parts of the image) and resize it.

    Without ``boxes`` the box is the whole image.
    """
    options["boxes"] = np.repeat(_box(options), len(x), axis=0)
    options["box_indices"] = np.arange(len(x), dtype=np.int32)
    tf = LIBRARY.load("tensorflow")
    with tf.device("/CPU:0"):
        return tf.image.crop_and_resize(x, crop_size=size, **options).numpy()
