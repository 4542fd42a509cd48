"""albumentations: the transform ``Resize``."""

import os

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    member,
    needs_shape,
    no_scale,
    one_by_one,
    planar,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(
    Library("albumentations", __name__, "albumentations", "albumentations", extra=MORE)
)

RESIZE = "albumentations.Resize"


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resize to (height, width); its question for a newer version is never sent."""
    no_scale(RESIZE, scale)
    os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")
    package, cv2 = load("albumentations", "albumentations"), load("cv2", "opencv")
    options = dict(arguments)
    if "interpolation" in options:
        flags = [name for name in dir(cv2) if name.startswith("INTER_")]
        flag = options["interpolation"]
        options["interpolation"] = member(cv2, "interpolation", flag, flags)
    transform = package.Resize(*needs_shape(RESIZE, shape), p=1, **options)
    return one_by_one(lambda image: transform(image=image)["image"], x)


CALLS = {RESIZE: Call(resize, planar, rows=True)}
