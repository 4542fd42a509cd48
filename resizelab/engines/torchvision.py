"""torchvision: ``resize`` of both generations of transforms, on tensors."""

import sys
from functools import cache
from typing import Any

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Run,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    planar,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(Library("torchvision", __name__, "torchvision", "torchvision", extra=MORE))

# Operations that a torchvision built for another torch lacks; no resize runs them.
LACKING = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)


@cache
def package() -> Any:
    """Import torchvision, with empty operators where its compiled part is missing."""
    try:
        return load("torchvision", "torchvision")
    except RuntimeError as error:
        if "operator torchvision::" not in str(error):
            raise
    for name in [n for n in sys.modules if n.split(".")[0] == "torchvision"]:
        del sys.modules[name]
    torch = load("torch", "torch")
    package.library = torch.library.Library("torchvision", "DEF")  # type: ignore[attr-defined]
    for schema in LACKING:
        package.library.define(schema)  # type: ignore[attr-defined]
    return load("torchvision", "torchvision")


def _resizer(call: str) -> Run:
    """Make the runner of one generation's ``resize``."""

    def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
        no_scale(call, scale)
        size = list(needs_shape(call, shape))
        package()
        torch = load("torch", "torch")
        module = load(call.rpartition(".")[0], "torchvision")
        options = dict(arguments)
        if isinstance(options.get("interpolation"), str):
            modes = load("torchvision.transforms", "torchvision").InterpolationMode
            options["interpolation"] = modes(options["interpolation"])
        y = module.resize(torch.from_numpy(x.copy())[:, None], size, **options)
        out: Array = y[:, 0].numpy()
        return out

    return resize


CALLS = {
    call: Call(_resizer(call), planar)
    for call in (
        "torchvision.transforms.functional.resize",
        "torchvision.transforms.v2.functional.resize",
    )
}
