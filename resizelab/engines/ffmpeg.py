"""FFmpeg's libswscale, through PyAV: ``VideoFrame.reformat`` of a grey picture."""

from typing import Any

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    one_by_one,
    planar,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(Library("pyav", __name__, "av", "av", extra=MORE))

REFORMAT = "av.VideoFrame.reformat"
FORMATS = {"uint8": "gray", "uint16": "gray16le"}


def reformat(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Scale by the flags named, ``BICUBIC+ACCURATE_RND`` for instance."""
    no_scale(REFORMAT, scale)
    height, width = needs_shape(REFORMAT, shape)
    if x.dtype.name not in FORMATS:
        raise TypeError(
            f"{REFORMAT} is asked with {', '.join(FORMATS)}; got {x.dtype.name}"
        )
    pixels = FORMATS[x.dtype.name]
    frame = load("av", "pyav").VideoFrame
    flags = _flags(arguments.get("interpolation"))

    def one(a: Array) -> Array:
        read = frame.from_ndarray(a.copy(), format=pixels)
        made = read.reformat(width, height, pixels, interpolation=flags)
        out: Array = made.to_ndarray()
        return out

    return one_by_one(one, x)


def _flags(names: Any) -> int | None:
    if names is None:
        return None
    known = load("av.video.reformatter", "pyav").Interpolation
    code = 0
    for name in names.split("+"):
        code |= int(known[name])
    return code


# libswscale has whole numbers inside: the vectors are lit within the range of 16 bits.
CALLS = {
    REFORMAT: Call(reformat, planar, kept=9, dtype="uint16", levels=(20000.0, 45000.0))
}
