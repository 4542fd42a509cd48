"""From a file to pixels: who decodes, and what is done with orientation and chroma."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from resizelab import checks, engines
from resizelab.arrays import layouts
from resizelab.modelfiles import files

Array = NDArray[Any]
COLOURS = ("RGB", "BGR")
EXIF = ("applied", "ignored")
DCT = ("accurate", "fast")
CHROMA = ("fancy", "simple")
JPEG = (".jpg", ".jpeg")


@dataclass(frozen=True, kw_only=True)
class Decode:
    """Read a picture file as bytes, (height, width, 3).

    Parameters
    ----------
    exif : str
        Is the orientation that a camera wrote ``applied`` or ``ignored``?
    colours : str
        RGB, or BGR (OpenCV).
    dct, chroma : str
        How JPEG is decoded: ``accurate`` and ``fancy`` are Pillow's, OpenCV's,
        scikit-image's and Keras's (the same bytes); ``fast`` and ``fancy`` are
        `tf.io.decode_jpeg`'s, up to 17 levels away. Others than Pillow's need
        TensorFlow here.
    """

    kind: ClassVar[str] = "decode"
    exif: str = "ignored"
    colours: str = "RGB"
    dct: str = "accurate"
    chroma: str = "fancy"

    def __post_init__(self) -> None:
        """Check every field."""
        checks.one_of("exif", self.exif, EXIF)
        checks.one_of("colours", self.colours, COLOURS)
        checks.one_of("dct", self.dct, DCT)
        checks.one_of("chroma", self.chroma, CHROMA)

    def read(self, path: files.PathLike) -> Array:
        """Return the pixels of a file."""
        path = files.existing(path)
        plain = (self.dct, self.chroma) == ("accurate", "fancy")
        if plain or path.suffix.lower() not in JPEG:
            x = _rgb(files.array(path))
        else:
            tf = engines.load("tensorflow", "tensorflow")
            method = {"accurate": "INTEGER_ACCURATE", "fast": "INTEGER_FAST"}[self.dct]
            x = tf.io.decode_jpeg(
                path.read_bytes(),
                channels=3,
                dct_method=method,
                fancy_upscaling=self.chroma == "fancy",
            ).numpy()
        if self.exif == "applied":
            # EXIF's 1 is upright already.
            ways = [(False,) * 3, *layouts.TURNS.values()]
            x = layouts.turned(x, ways[files.orientation(path) - 1])
        return self.coloured(x)

    def coloured(self, x: Array) -> Array:
        """Return RGB pixels in the order that this decoder gives them."""
        return x if self.colours == "RGB" else x[..., [2, 1, 0]]


def _rgb(x: Array) -> Array:
    if x.dtype != np.uint8:
        raise ValueError(f"the picture holds {x.dtype}; pipelines begin with bytes")
    if x.ndim == 2:
        return np.repeat(x[..., None], 3, -1)
    return x[..., :3] if x.shape[-1] >= 3 else np.repeat(x[..., :1], 3, -1)
