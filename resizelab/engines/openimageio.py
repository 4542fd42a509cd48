"""OpenImageIO: ``ImageBufAlgo.resize`` and ``ImageBufAlgo.resample``."""

from functools import partial
from typing import Any

from resizelab.engines.libraries import MORE, Array, Library, Sizes

LIBRARY = Library("openimageio", "OpenImageIO", "OpenImageIO", extra=MORE)


def _resized(name: str, x: Array, size: Sizes, **options: Any) -> Any:
    """Run one function of ``ImageBufAlgo``."""
    oiio = LIBRARY.load("OpenImageIO")
    region = oiio.ROI(0, size[1], 0, size[0], 0, 1, 0, 1)
    image = oiio.ImageBuf(x[..., None].copy())
    made = getattr(oiio.ImageBufAlgo, name)(image, roi=region, **options)
    if made.has_error:
        raise RuntimeError(made.geterror())
    return made.get_pixels(made.spec().format)[..., 0]


for _name in ("resize", "resample"):
    _call = LIBRARY.call(f"OpenImageIO.ImageBufAlgo.{_name}", each=True)
    _call(partial(_resized, _name))
