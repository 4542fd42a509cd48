"""GDAL, through rasterio: a smaller or larger read, and a warp."""

from typing import Any

import numpy as np

from resizelab.engines.libraries import MORE, Array, Library, Sizes, flagged

LIBRARY = Library("rasterio", "rasterio", "rasterio", extra=MORE)

CRS = "EPSG:32633"  # metres: the pixels are square


def _method(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with the method itself, nearest where none is named."""
    methods = LIBRARY.load("rasterio.enums").Resampling
    options = {"resampling": "nearest", **options}
    return flagged(options, "resampling", methods, methods.__members__)


@LIBRARY.call("rasterio.DatasetReader.read", each=True)
def read(x: Array, size: Sizes, **options: Any) -> Any:
    """Read a file in memory at another size."""
    height, width = x.shape
    kind = {"driver": "GTiff", "count": 1, "dtype": x.dtype.name}
    with LIBRARY.load("rasterio.io").MemoryFile() as memory:
        with memory.open(height=height, width=width, **kind) as file:
            file.write(x, 1)
        with memory.open() as file:
            return file.read(1, out_shape=size, **_method(options))


# A warp takes another kernel where its taps do not fit, of either axis.
@LIBRARY.call("rasterio.warp.reproject", each=True, kept=9)
def reproject(x: Array, size: Sizes, **options: Any) -> Array:
    """Warp onto the same ground with other pixels."""
    affine = LIBRARY.load("rasterio").Affine
    (height, width), (h, w) = x.shape, size
    ground = {"src_crs": CRS, "dst_crs": CRS}
    ground["src_transform"] = affine(1, 0, 0, 0, -1, height)
    ground["dst_transform"] = affine(width / w, 0, 0, 0, -height / h, height)
    new = np.zeros((h, w), x.dtype)
    warp = LIBRARY.load("rasterio.warp")
    warp.reproject(x.copy(), new, **_method(options), **ground)
    return new
