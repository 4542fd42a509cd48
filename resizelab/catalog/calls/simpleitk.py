"""SimpleITK: ``Resample`` as a resizer. Measured on 2.5."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.kinds import Array, Number, Size, Unread

RADIUS = 5  # pixels of every windowed sinc
INTERPOLATORS: dict[str, dict[str, Any]] = {
    "sitkNearestNeighbor": {"kernel": "nearest", "nearest_mode": "round_prefer_ceil"},
    "sitkLinear": {"kernel": "linear"},
    "sitkBSpline": {"kernel": "bspline", "order": 3, "boundary": "reflect"},
    "sitkGaussian": {
        **{"kernel": "gaussian_over_pixels", "sigma": 0.8, "cut": 3.2},
        "boundary": "exclude",
    },
    **{
        f"sitk{taper}WindowedSinc": {
            **{"kernel": "windowed_sinc", "lobes": RADIUS, "taper": taper.lower()}
        }
        for taper in ("Hamming", "Cosine", "Welch", "Lanczos", "Blackman")
    },
}
ORIGINS = ("first_centre", "first_edge")
CUT = Arithmetic(accumulator="float64", sum_rounding="truncate")
BLACK = "outputs that read beyond the last edge are defaultPixelValue"


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    interpolator = arguments.get("interpolator", "sitkLinear")
    edges = arguments.get("outputOrigin") == "first_edge"
    origin = "[(s - 1) / 2 for s in step]" if edges else "[0.0] * len(step)"
    return (
        "sitk.Resample(x, (w, h), sitk.Transform(), "
        f"sitk.{interpolator}, {origin}, step)  # step = [x_w / w, x_h / h]"
    )


@call(
    "SimpleITK.Resample",
    width_first=True,
    also=("sitk.Resample", "sitk.ResampleImageFilter", "SimpleITK.ResampleImageFilter"),
    written=_text,
)
def resample(
    image1: Array,
    size: Size,
    transform: Unread = None,
    interpolator: Annotated[str, kinds.one_of(INTERPOLATORS)] = "sitkLinear",
    outputOrigin: Annotated[str, kinds.one_of(ORIGINS)] = "first_centre",  # noqa: N803
    outputSpacing: Unread = None,  # noqa: N803
    outputDirection: Unread = None,  # noqa: N803
    defaultPixelValue: Number = 0.0,  # noqa: N803
    outputPixelType: Unread = None,  # noqa: N803
    useNearestNeighborExtrapolator: Unread = False,  # noqa: N803
) -> Convention:
    """Return the convention of ``Resample`` with the spacing n_in / n_out.

    With ``outputOrigin="first_centre"``, the default and what an origin of 0 is, the
    centres of the first pixels lie on each other; with ``first_edge``, their edges do.
    """
    kept = outputOrigin == "first_centre"
    spec = Spec(
        **INTERPOLATORS[interpolator],
        grid="asymmetric" if kept else "half_pixel",
        extrapolation=defaultPixelValue,
    )
    return Convention(
        name=f"simpleitk.{_short(interpolator)}.{outputOrigin}",
        library="simpleitk",
        spec=spec,
        particulars=Particulars(
            extrapolation_edges=True,
            last_edge_outside=True,
            prefilter=("bspline",) if interpolator == "sitkBSpline" else (),
            normalise="never" if "Sinc" in interpolator else "after",
        ),
        arithmetic={} if interpolator == "sitkBSpline" else {"uint8": CUT},
        notes=BLACK if kept else "",
    )


def _short(interpolator: str) -> str:
    name = interpolator.removeprefix("sitk")
    if name.endswith("WindowedSinc"):
        return f"{name.removesuffix('WindowedSinc').lower()}_sinc"
    return {"NearestNeighbor": "nearest"}.get(name, name.lower())
