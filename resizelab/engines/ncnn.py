"""ncnn: the layer ``Interp``, in a network of that one layer."""

from functools import lru_cache
from typing import Any

import numpy as np

from resizelab.checks import one_of
from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    needs_shape,
    planar,
)
from resizelab.engines.libraries import Library, load, register

register(Library("ncnn", __name__, "ncnn", "ncnn"))

KINDS = {"nearest": 1, "bilinear": 2, "bicubic": 3}
_KNOWN = ("resize_type", "align_corner")


@lru_cache(maxsize=32)
def _network(parameters: str) -> Any:
    """Load a network of one Interp layer, float32 and one thread throughout."""
    net = load("ncnn", "ncnn").Net()
    net.opt.num_threads = 1
    for option in (
        "use_fp16_storage",
        "use_fp16_packed",
        "use_fp16_arithmetic",
        "use_bf16_storage",
        "use_vulkan_compute",
        "use_packing_layout",
    ):
        setattr(net.opt, option, False)
    text = f"7767517\n2 2\nInput a 0 1 a\nInterp b 1 1 a b {parameters}\n"
    if net.load_param_mem(text) != 0:
        raise RuntimeError(f"ncnn refused the layer Interp {parameters}")
    net.load_model_mem("")  # Interp has no weights
    return net


def interp(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Run Interp by ``height_scale``, ``width_scale`` or by the output sizes.

    The batch goes through ncnn's channel axis. Raises TypeError unless float32.
    """
    if x.dtype != np.float32:
        raise TypeError(f"ncnn.Interp works on float32; got {x.dtype}")
    for key in arguments:
        one_of("argument of ncnn.Interp", key, _KNOWN)
    kind = KINDS[one_of("resize_type", arguments.get("resize_type"), KINDS)]
    if scale is not None:
        size = f"1={scale[0]:.9g} 2={scale[1]:.9g}"
    else:
        height, width = needs_shape("ncnn.Interp", shape)
        size = f"3={height} 4={width}"
    corner = int(arguments.get("align_corner", 0))
    net = _network(f"0={kind} {size} 6={corner}")
    extractor = net.create_extractor()
    ncnn = load("ncnn", "ncnn")
    whole = np.ascontiguousarray(x)  # a Mat does not keep what it looks at
    extractor.input("a", ncnn.Mat(whole).clone())
    status, out = extractor.extract("b")
    if status != 0:
        raise RuntimeError(f"ncnn.Interp stopped with status {status}")
    return np.array(out)


CALLS = {
    "ncnn.Interp": Call(interp, planar, scale_keys=("height_scale", "width_scale"))
}
