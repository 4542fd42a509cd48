"""SimpleITK: ``Resample`` onto pixels of another spacing."""

from typing import Any

from resizelab.engines.libraries import MORE, Array, Library, Sizes

LIBRARY = Library("simpleitk", "SimpleITK", "SimpleITK", extra=MORE)


@LIBRARY.call("SimpleITK.Resample", each=True, axes=(2, 3))
def resample(
    x: Array,
    size: Sizes,
    interpolator: str = "sitkLinear",
    outputOrigin: str = "first_centre",  # noqa: N803 (it is called so)
    defaultPixelValue: float = 0.0,  # noqa: N803
) -> Any:
    """Resample with the spacing n_in / n_out.

    ``outputOrigin`` is "first_centre", where the first centres of both lie on each
    other, or "first_edge", where the first edges do.
    """
    sitk, axes = LIBRARY.load("SimpleITK"), len(size)
    spacing = [n / m for n, m in zip(x.shape[::-1], size[::-1], strict=True)]
    edges = outputOrigin == "first_edge"
    origin = [(step - 1) / 2 if edges else 0.0 for step in spacing]
    direction = [float(r == c) for r in range(axes) for c in range(axes)]
    where = sitk.Transform(axes, sitk.sitkIdentity), getattr(sitk, interpolator)
    onto = origin, spacing, direction, defaultPixelValue
    image = sitk.GetImageFromArray(x.copy())
    return sitk.GetArrayFromImage(sitk.Resample(image, size[::-1], *where, *onto))
