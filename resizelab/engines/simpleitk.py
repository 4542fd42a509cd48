"""SimpleITK: ``Resample`` onto pixels of another spacing."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    one_by_one,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(Library("simpleitk", __name__, "SimpleITK", "SimpleITK", extra=MORE))

RESAMPLE = "SimpleITK.Resample"


def resample(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resample with the spacing n_in / n_out.

    ``outputOrigin`` is "first_centre", where the first centres of both lie on each
    other, or "first_edge", where the first edges do.
    """
    no_scale(RESAMPLE, scale)
    sitk = load("SimpleITK", "simpleitk")
    before, after = x.shape[:0:-1], needs_shape(RESAMPLE, shape)[::-1]
    spacing = [n / m for n, m in zip(before, after, strict=True)]
    options = dict(arguments)
    edges = options.pop("outputOrigin", "first_centre") == "first_edge"
    origin = [(step - 1) / 2 if edges else 0.0 for step in spacing]
    interpolator = getattr(sitk, options.pop("interpolator", "sitkLinear"))
    axes = len(after)
    direction = [float(r == c) for r in range(axes) for c in range(axes)]
    fill = options.pop("defaultPixelValue", 0.0)
    where = sitk.Transform(axes, sitk.sitkIdentity), interpolator

    def one(a: Array) -> Array:
        image = sitk.GetImageFromArray(a.copy())
        made = sitk.Resample(image, after, *where, origin, spacing, direction, fill)
        out: Array = sitk.GetArrayFromImage(made)
        return out

    return one_by_one(one, x)


def axes(arguments: Arguments) -> tuple[int, int]:
    """Say that it works on two or three spatial axes."""
    return 2, 3


CALLS = {RESAMPLE: Call(resample, axes)}
