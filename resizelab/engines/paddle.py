"""PaddlePaddle: ``paddle.nn.functional.interpolate``."""

from resizelab.engines.calls import Arguments, Array, Call, Scale, Shape
from resizelab.engines.libraries import MORE, Library, load, register

register(
    Library(
        "paddle", __name__, "paddle", "paddlepaddle", ("paddlepaddle-gpu",), extra=MORE
    )
)

INTERPOLATE = "paddle.nn.functional.interpolate"
_RANKS = {"linear": (1, 1), "trilinear": (3, 3), "bicubic": (2, 2), "bilinear": (2, 2)}


def interpolate_ranks(arguments: Arguments) -> tuple[int, int]:
    """Return the axes a mode works on: nearest and area on two or three."""
    return _RANKS.get(arguments.get("mode", "nearest"), (2, 3))


def interpolate(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Call ``interpolate`` with ``scale_factor`` where a scale is given."""
    paddle = load("paddle", "paddle")
    name = "size" if scale is None else "scale_factor"
    target = {name: list(shape or () if scale is None else scale)}
    tensor = paddle.to_tensor(x[:, None].copy(), place="cpu")
    y = paddle.nn.functional.interpolate(tensor, **target, **dict(arguments))
    out: Array = y.numpy()[:, 0]
    return out


CALLS = {
    INTERPOLATE: Call(interpolate, interpolate_ranks, scale_keys=("scale_factor",))
}
