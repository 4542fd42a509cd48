"""OpenImageIO: ``ImageBufAlgo.resize`` and ``resample``. Measured on 3.2."""

from typing import Annotated, Any

from resizelab.axis import Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.kinds import Array, Truth, Unread

LANCZOS = {"kernel": "lanczos", "lobes": 3}
HARRIS = {"kernel": "blackman_harris"}
FILTERS: dict[str, dict[str, Any]] = {
    "": LANCZOS,
    "box": {"kernel": "closed_box"},
    "triangle": {"kernel": "linear"},
    "gaussian": {"kernel": "gaussian", "sigma": 0.75, "cut": 1.5},
    "catmull-rom": {"kernel": "cubic", "a": -0.5},
    "keys": {"kernel": "cubic", "a": -0.5},
    "simon": {"kernel": "cubic", "a": -0.75},
    "rifman": {"kernel": "cubic", "a": -1.0},
    "cubic": {"kernel": "cubic", "a": 0.0},
    "mitchell": {"kernel": "cubic", "b": 1 / 3, "c": 1 / 3},
    "lanczos3": LANCZOS,
    "blackman-harris": HARRIS,
}
SHORT = (
    "where the height grows by more than the width, the filter of the height has too "
    "few taps: up to 0.061 of a weight"
)
A = "OpenImageIO.ImageBufAlgo"


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    shown = "".join(f", {k}={v!r}" for k, v in arguments.items())
    return f"{c.call}(x{shown}, roi=OpenImageIO.ROI(0, w, 0, h, 0, 1, 0, x.nchannels))"


@call(f"{A}.resize",
    layout="HWC", also=("ImageBufAlgo.resize", "oiio.ImageBufAlgo.resize"),
      written=_text)  # fmt: skip
def resize(
    src: Array,
    filtername: Annotated[str, kinds.one_of(FILTERS)] = "",
    filterwidth: Unread = 0.0,
    roi: Unread = None,
    nthreads: Unread = 0,
) -> Convention:
    """Return the convention of ``ImageBufAlgo.resize``.

    Without a name, the filter is Lanczos, and Blackman-Harris as soon as a side grows.
    """
    larger = {} if filtername else {"when": "any", "antialias": True, **HARRIS}
    return Convention(
        name=f"openimageio.resize.{filtername or 'default'}",
        library="openimageio",
        spec=Spec(**FILTERS[filtername], antialias=True),
        particulars=Particulars(reach_of_width=True),
        growing=larger,
        notes=SHORT,
    )


@call(f"{A}.resample", layout="HWC", also=("ImageBufAlgo.resample",), written=_text)
def resample(
    src: Array, interpolate: Truth = True, roi: Unread = None, nthreads: Unread = 0
) -> Convention:
    """Return the convention of ``ImageBufAlgo.resample``, which does not antialias."""
    spec = Spec(kernel="nearest", nearest_mode="round_prefer_ceil")
    return Convention(
        name="openimageio.resample" + ("" if interpolate else ".nearest"),
        library="openimageio",
        spec=Spec() if interpolate else spec,
        particulars=Particulars(),
    )
