"""GDAL 3.10, as rasterio 1.4 calls it: reading at another size, and warping."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.kinds import Array, Size, Unread

METHODS: dict[str, dict[str, Any]] = {
    "nearest": {"kernel": "nearest", "nearest_mode": "round_prefer_ceil"},
    "bilinear": {"kernel": "linear"},
    "cubic": {"kernel": "cubic", "a": -0.5},
    "cubic_spline": {"kernel": "bspline", "order": 3},
    "lanczos": {"kernel": "lanczos", "lobes": 3},
    "average": {"kernel": "area"},
}
PICKING = ("nearest", "average")
WARPED = tuple(name for name in METHODS if name not in ("cubic_spline", "lanczos"))
ROUNDED = Arithmetic(sum_rounding="half_up")
BOTH = "where both sides grow, one that does not fit makes both linear: not reproduced"
SLIP = ("read", "average")
HALVED = (
    "where the width is exactly halved, a row made of two rows is their mean, whatever "
    "their shares: up to 0.073 of the range"
)


def _read_text(c: Convention, arguments: dict[str, Any]) -> str:
    method = arguments.get("resampling", "nearest")
    return f"dataset.read(out_shape=(h, w), resampling=Resampling.{method})"


def _convention(kind: str, method: str) -> Convention:
    spec = Spec(**METHODS[method])
    if method not in PICKING:
        spec = spec.replace(antialias=True, boundary="exclude")
    return Convention(
        name=f"gdal.{kind}.{method}",
        library="rasterio",
        spec=spec,
        particulars=Particulars(
            shortcut="image",
            pair_means="if_width_halves" if (kind, method) == SLIP else None,
        ),
        arithmetic={"uint8": Arithmetic() if method == "nearest" else ROUNDED},
        notes=HALVED if (kind, method) == SLIP else "",
    )


@call(
    "rasterio.DatasetReader.read",
    layout="CHW",
    also=("dataset.read", "src.read", "GDALRasterIO", "ReadAsArray"),
    written=_read_text,
)
def read(
    self: Array,
    indexes: Unread = None,
    out: Unread = None,
    window: Unread = None,
    masked: Unread = False,
    out_shape: Size = None,
    boundless: Unread = False,
    resampling: Annotated[str, kinds.one_of(METHODS)] = "nearest",
    fill_value: Unread = None,
    out_dtype: Unread = None,
) -> Convention:
    """Return the convention of reading a file at another size."""
    return _convention("read", resampling)


def _warp_text(c: Convention, arguments: dict[str, Any]) -> str:
    method = arguments.get("resampling", "nearest")
    return (
        "rasterio.warp.reproject(x, y, src_transform=…, dst_transform=…, src_crs=crs, "
        f"dst_crs=crs, resampling=Resampling.{method})"
    )


@call(
    "rasterio.warp.reproject",
    layout="CHW",
    also=("gdalwarp", "gdal.Warp"),
    written=_warp_text,
)
def reproject(
    source: Array,
    destination: Unread = None,
    src_transform: Unread = None,
    gcps: Unread = None,
    rpcs: Unread = None,
    src_crs: Unread = None,
    src_nodata: Unread = None,
    dst_transform: Unread = None,
    dst_crs: Unread = None,
    dst_nodata: Unread = None,
    dst_resolution: Unread = None,
    src_alpha: Unread = 0,
    dst_alpha: Unread = 0,
    masked: Unread = False,
    resampling: Annotated[str, kinds.one_of(WARPED)] = "nearest",
    num_threads: Unread = 1,
    init_dest_nodata: Unread = True,
    warp_mem_limit: Unread = 0,
    src_geoloc_array: Unread = None,
) -> Convention:
    """Return the convention of a warp onto the same ground with other pixels.

    Where an axis grows, ``cubic`` is linear wherever its four taps do not fit.
    """
    found = _convention("warp", resampling)
    if resampling == "cubic":
        fits = {"boundary": "edge", "antialias": False, "where_taps_miss": "linear"}
        found = found.replace(growing=fits, arithmetic={}, notes=BOTH)
    return found
