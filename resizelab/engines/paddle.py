"""PaddlePaddle: ``paddle.nn.functional.interpolate``."""

from typing import Any

from resizelab.engines.libraries import MODE_AXES, MORE, Array, Factors, Library

LIBRARY = Library("paddle", "paddle", "paddlepaddle", ("paddlepaddle-gpu",), extra=MORE)


@LIBRARY.call(
    "paddle.nn.functional.interpolate",
    takes="either",
    channel=1,
    axes=(2, 3),  # of nearest and area
    mode_axes=MODE_AXES,
    scale_keys=("scale_factor",),
)
def interpolate(x: Array, target: Factors, by_scale: bool, **options: Any) -> Any:
    """Call ``interpolate`` with ``scale_factor`` where a scale is given."""
    paddle = LIBRARY.load("paddle")
    options["scale_factor" if by_scale else "size"] = list(target)
    tensor = paddle.to_tensor(x.copy(), place="cpu")
    return paddle.nn.functional.interpolate(tensor, **options).numpy()
