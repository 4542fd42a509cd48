"""GDAL, through rasterio: a smaller or larger read, and a warp."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    member,
    needs_shape,
    no_scale,
    one_by_one,
    planar,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(Library("rasterio", __name__, "rasterio", "rasterio", extra=MORE))

READ = "rasterio.DatasetReader.read"
REPROJECT = "rasterio.warp.reproject"
CRS = "EPSG:32633"  # metres: the pixels are square


def _method(arguments: Arguments) -> object:
    methods = load("rasterio.enums", "rasterio").Resampling
    name = arguments.get("resampling", "nearest")
    return member(methods, "resampling", name, methods.__members__)


def read(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Read a file in memory at another size."""
    no_scale(READ, scale)
    size, method = needs_shape(READ, shape), _method(arguments)
    files = load("rasterio.io", "rasterio")

    def one(a: Array) -> Array:
        height, width = a.shape
        kind = {"driver": "GTiff", "count": 1, "dtype": a.dtype.name}
        with files.MemoryFile() as memory:
            with memory.open(height=height, width=width, **kind) as file:
                file.write(a, 1)
            with memory.open() as file:
                out: Array = file.read(1, out_shape=size, resampling=method)
        return out

    return one_by_one(one, x)


def reproject(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Warp onto the same ground with other pixels."""
    no_scale(REPROJECT, scale)
    (h, w), method = needs_shape(REPROJECT, shape), _method(arguments)
    warp, affine = (
        load("rasterio.warp", "rasterio"),
        load("rasterio", "rasterio").Affine,
    )
    height, width = x.shape[1:]
    before = affine(1, 0, 0, 0, -1, height)
    after = affine(width / w, 0, 0, 0, -height / h, height)
    ground = {"src_crs": CRS, "dst_crs": CRS}
    ground |= {"src_transform": before, "dst_transform": after}

    def one(a: Array) -> Array:
        new = load("numpy", "rasterio").zeros((h, w), a.dtype)
        warp.reproject(a.copy(), new, resampling=method, **ground)
        out: Array = new
        return out

    return one_by_one(one, x)


# A warp takes another kernel where its taps do not fit, of either axis.
CALLS = {READ: Call(read, planar), REPROJECT: Call(reproject, planar, kept=9)}
