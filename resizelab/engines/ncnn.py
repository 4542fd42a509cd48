"""ncnn: the layer ``Interp``, in a network of that one layer."""

from functools import lru_cache
from typing import Any

import numpy as np

from resizelab.checks import one_of
from resizelab.engines.libraries import Array, Factors, Library

LIBRARY = Library("ncnn", "ncnn", "ncnn")

KINDS = {"nearest": 1, "bilinear": 2, "bicubic": 3}
_KNOWN = ("resize_type", "align_corner")


@lru_cache(maxsize=32)
def _network(parameters: str) -> Any:
    """Load a network of one Interp layer, float32 and one thread throughout."""
    net = LIBRARY.load("ncnn").Net()
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


@LIBRARY.call("ncnn.Interp", takes="either", scale_keys=("height_scale", "width_scale"))
def interp(x: Array, target: Factors, by_scale: bool, **options: Any) -> Array:
    """Run Interp by ``height_scale``, ``width_scale`` or by the output sizes.

    The batch goes through ncnn's channel axis. Raises TypeError unless float32.
    """
    if x.dtype != np.float32:
        raise TypeError(f"ncnn.Interp works on float32; got {x.dtype}")
    for key in options:
        one_of("argument of ncnn.Interp", key, _KNOWN)
    kind = KINDS[one_of("resize_type", options.get("resize_type"), KINDS)]
    keys = (1, 2) if by_scale else (3, 4)  # of height and width
    size = " ".join(f"{k}={n:.9g}" for k, n in zip(keys, target, strict=True))
    corner = int(options.get("align_corner", 0))
    net = _network(f"0={kind} {size} 6={corner}")
    extractor = net.create_extractor()
    whole = np.ascontiguousarray(x)  # a Mat does not keep what it looks at
    extractor.input("a", LIBRARY.load("ncnn").Mat(whole).clone())
    status, out = extractor.extract("b")
    if status != 0:
        raise RuntimeError(f"ncnn.Interp stopped with status {status}")
    return np.array(out)
