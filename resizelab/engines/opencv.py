"""OpenCV: ``cv2.resize`` by ``dsize`` or by ``fx`` and ``fy``."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    member,
    one_by_one,
    planar,
)
from resizelab.engines.libraries import Library, load, register

register(
    Library(
        "opencv",
        __name__,
        "cv2",
        "opencv-python-headless",
        ("opencv-python", "opencv-contrib-python", "opencv-contrib-python-headless"),
    )
)


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Call ``cv2.resize``; OpenCV names width before height, arrays after it.

    Intel's IPP stays as the build has it: it changes some results by 3e-6.
    """
    cv2 = load("cv2", "opencv")
    options = dict(arguments)
    if "interpolation" in options:
        flags = [name for name in dir(cv2) if name.startswith("INTER_")]
        options["interpolation"] = member(
            cv2, "interpolation", options["interpolation"], flags
        )
    if scale is not None:
        size, options["fy"], options["fx"] = None, *scale
    else:
        size = None if shape is None else shape[::-1]
    return one_by_one(lambda image: cv2.resize(image, size, **options), x)


CALLS = {"cv2.resize": Call(resize, planar, rows=True, scale_keys=("fy", "fx"))}
