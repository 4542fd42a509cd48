"""torchvision: ``resize`` of both generations of transforms, on tensors."""

import sys
from functools import cache, partial
from typing import Any

from resizelab.engines.libraries import MORE, Array, Library, Sizes, load

LIBRARY = Library("torchvision", "torchvision", "torchvision", extra=MORE)

# Operations that a torchvision built for another torch lacks; no resize runs them.
LACKING = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)


@cache
def package() -> Any:
    """Import torchvision, with empty operators where its compiled part is missing."""
    try:
        return LIBRARY.load("torchvision")
    except RuntimeError as error:
        if "operator torchvision::" not in str(error):
            raise
    for name in [n for n in sys.modules if n.split(".")[0] == "torchvision"]:
        del sys.modules[name]
    torch = load("torch", "torch")
    package.library = torch.library.Library("torchvision", "DEF")  # type: ignore[attr-defined]
    for schema in LACKING:
        package.library.define(schema)  # type: ignore[attr-defined]
    return LIBRARY.load("torchvision")


def _resized(module: str, x: Array, size: Sizes, **options: Any) -> Any:
    """Run one generation's ``resize``."""
    package()
    modes = LIBRARY.load("torchvision.transforms").InterpolationMode
    if isinstance(options.get("interpolation"), str):
        options["interpolation"] = modes(options["interpolation"])
    tensor = load("torch", "torch").from_numpy(x.copy())
    return LIBRARY.load(module).resize(tensor, list(size), **options)


for _module in ("transforms.functional", "transforms.v2.functional"):
    _name = f"torchvision.{_module}"
    LIBRARY.call(f"{_name}.resize", channel=1)(partial(_resized, _name))
