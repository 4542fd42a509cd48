"""FFmpeg's libswscale, through PyAV: ``VideoFrame.reformat`` of a grey picture."""

from functools import reduce
from operator import or_
from typing import Any

from resizelab.engines.libraries import MORE, Array, Library, Sizes

LIBRARY = Library("pyav", "av", "av", extra=MORE)

REFORMAT = "av.VideoFrame.reformat"
FORMATS = {"uint8": "gray", "uint16": "gray16le"}


# libswscale has whole numbers inside: the vectors are lit within the range of 16 bits.
@LIBRARY.call(REFORMAT, each=True, kept=9, dtype="uint16", levels=(20000.0, 45000.0))
def reformat(x: Array, size: Sizes, interpolation: str | None = None) -> Any:
    """Scale by the flags named, ``BICUBIC+ACCURATE_RND`` for instance."""
    if x.dtype.name not in FORMATS:
        raise TypeError(
            f"{REFORMAT} is asked with {', '.join(FORMATS)}; got {x.dtype.name}"
        )
    pixels, flags = FORMATS[x.dtype.name], None
    if interpolation is not None:
        known = LIBRARY.load("av.video.reformatter").Interpolation
        flags = reduce(or_, (int(known[name]) for name in interpolation.split("+")))
    read = LIBRARY.load("av").VideoFrame.from_ndarray(x.copy(), format=pixels)
    return read.reformat(*size[::-1], pixels, interpolation=flags).to_ndarray()
