"""OpenImageIO: ``ImageBufAlgo.resize`` and ``ImageBufAlgo.resample``."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Run,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    one_by_one,
    planar,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(Library("openimageio", __name__, "OpenImageIO", "OpenImageIO", extra=MORE))


def _resizer(name: str) -> Run:
    """Make the runner of one function of ``ImageBufAlgo``."""
    call = f"OpenImageIO.ImageBufAlgo.{name}"

    def run(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
        no_scale(call, scale)
        height, width = needs_shape(call, shape)
        oiio = load("OpenImageIO", "openimageio")
        function, area = getattr(oiio.ImageBufAlgo, name), oiio.ROI
        region = area(0, width, 0, height, 0, 1, 0, 1)

        def one(a: Array) -> Array:
            image = oiio.ImageBuf(a[..., None].copy())
            made = function(image, roi=region, **dict(arguments))
            if made.has_error:
                raise RuntimeError(made.geterror())
            out: Array = made.get_pixels(made.spec().format)[..., 0]
            return out

        return one_by_one(one, x)

    return run


CALLS = {
    f"OpenImageIO.ImageBufAlgo.{name}": Call(_resizer(name), planar)
    for name in ("resize", "resample")
}
