"""OpenCV: ``cv2.resize`` by ``dsize`` or by ``fx`` and ``fy``; ``cv2.warpAffine``."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from resizelab.engines.libraries import Array, Factors, Library, Sizes, flagged

LIBRARY = Library(
    "opencv",
    "cv2",
    "opencv-python-headless",
    ("opencv-python", "opencv-contrib-python", "opencv-contrib-python-headless"),
)


def flags(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options, ``interpolation`` as the constant that its name means."""
    cv2 = LIBRARY.load("cv2")
    names = [name for name in vars(cv2) if name.startswith("INTER_")]
    return flagged(options, "interpolation", cv2, names)


@LIBRARY.call(
    "cv2.resize", takes="either", each=True, rows=True, scale_keys=("fy", "fx")
)
def resize(x: Array, target: Factors, by_scale: bool, **options: Any) -> Any:
    """Call ``cv2.resize``; OpenCV names width before height, arrays after it.

    Intel's IPP stays as the build has it: it changes some results by 3e-6.
    """
    options = flags(options)
    if by_scale:
        options["fy"], options["fx"] = target
    size = None if by_scale else target[::-1]
    return LIBRARY.load("cv2").resize(x, size, **options)


@LIBRARY.call("cv2.warpAffine", takes="both", each=True, rows=True, scale_sizes=False)
def warp_affine(
    x: Array,
    size: Sizes,
    factors: Factors,
    M: Any = None,  # noqa: N803 (it is called so)
    flags: str = "INTER_LINEAR",
    borderMode: str = "BORDER_CONSTANT",  # noqa: N803
) -> Any:
    """Call ``cv2.warpAffine``; without ``M``, by the ratio of the sizes."""
    cv2 = LIBRARY.load("cv2")
    if M is None:
        down, across = ([s, s / 2 - 0.5] for s in factors)
        M = [[across[0], 0, across[1]], [0, *down]]  # noqa: N806
    # Of one pixel, OpenCV 5.0 looks for the mirrored one for ever.
    endless = (flags, borderMode) == ("INTER_CUBIC", "BORDER_REFLECT_101")
    if endless and min(x.shape) == 1:
        raise RuntimeError("cv2.warpAffine never returns from an axis of one pixel")
    given = {"flags": getattr(cv2, flags), "borderMode": getattr(cv2, borderMode)}
    return cv2.warpAffine(x, np.float64(M), size[::-1], **given)
