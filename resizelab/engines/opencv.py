"""OpenCV: ``cv2.resize`` by ``dsize`` or by ``fx`` and ``fy``; ``cv2.warpAffine``."""

import numpy as np

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    member,
    needs_shape,
    one_by_one,
    planar,
    ratio,
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


def warp_affine(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Call ``cv2.warpAffine``; without ``M``, by the ratio of the sizes."""
    cv2 = load("cv2", "opencv")
    options = dict(arguments)
    size = needs_shape("cv2.warpAffine", shape)
    matrix = options.pop("M", None)
    if matrix is None:
        factors = ratio(x, size)
        down, across = ([s, s / 2 - 0.5] for s in factors)
        matrix = [[across[0], 0, across[1]], [0, *down]]
    # Of one pixel, OpenCV 5.0 looks for the mirrored one for ever.
    if options == {"flags": "INTER_CUBIC", "borderMode": "BORDER_REFLECT_101"} and (
        min(x.shape[1:]) == 1
    ):
        raise RuntimeError("cv2.warpAffine never returns from an axis of one pixel")
    names = {"flags": "INTER_LINEAR", "borderMode": "BORDER_CONSTANT"}
    given = {key: getattr(cv2, options.get(key, flag)) for key, flag in names.items()}
    return one_by_one(
        lambda image: cv2.warpAffine(image, np.float64(matrix), size[::-1], **given), x
    )


CALLS = {
    "cv2.resize": Call(resize, planar, rows=True, scale_keys=("fy", "fx")),
    "cv2.warpAffine": Call(warp_affine, planar, rows=True, scale_sizes=False),
}
