"""PyTorch: ``torch.nn.functional.interpolate``, and ``grid_sample`` as a resizer."""

from typing import Any

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    ratio,
)
from resizelab.engines.libraries import Library, load, register

register(Library("torch", __name__, "torch", "torch"))

_RANKS = {"linear": 1, "bilinear": 2, "bicubic": 2, "lanczos": 2, "trilinear": 3}


def interpolate_ranks(arguments: Arguments) -> tuple[int, int]:
    """Return the axes a mode works on: nearest and area on one to three."""
    rank = _RANKS.get(arguments.get("mode", "nearest"))
    if rank is not None:
        return rank, rank
    return (2, 2) if arguments.get("antialias") else (1, 3)


def _tensor(torch: Any, x: Array) -> Any:
    """Return (batch, 1, *spatial): torch wants a channel axis."""
    return torch.from_numpy(x.copy())[:, None]


def interpolate(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Call ``interpolate`` with ``scale_factor`` where a scale is given.

    ``recompute_scale_factor`` belongs to that form: sizes then become n_out / n_in.
    """
    torch = load("torch", "torch")
    if scale is None and arguments.get("recompute_scale_factor") is not None:
        scale = ratio(x, needs_shape("interpolate", shape))
    target = {"size": shape} if scale is None else {"scale_factor": scale}
    with torch.no_grad():
        y = torch.nn.functional.interpolate(
            _tensor(torch, x), **target, **dict(arguments)
        )
    out: Array = y[:, 0].numpy()
    return out


def grid_sample_ranks(arguments: Arguments) -> tuple[int, int]:
    """Return the two or three axes that ``affine_grid`` makes grids for."""
    return 2, 3


def grid_sample(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Sample at the points of the identity ``affine_grid`` of the output size.

    A scale other than n_out / n_in does not exist here: the grid spans the image.
    """
    no_scale("grid_sample", scale)
    shape = needs_shape("grid_sample", shape)
    torch = load("torch", "torch")
    functional = torch.nn.functional
    options = {"align_corners": False, **arguments}
    tensor = _tensor(torch, x)
    axes = len(shape)
    theta = torch.eye(axes, axes + 1, dtype=tensor.dtype).repeat(len(x), 1, 1)
    with torch.no_grad():
        grid = functional.affine_grid(
            theta, (len(x), 1, *shape), align_corners=options["align_corners"]
        )
        y = functional.grid_sample(tensor, grid, **options)
    out: Array = y[:, 0].numpy()
    return out


CALLS = {
    "torch.nn.functional.interpolate": Call(
        interpolate, interpolate_ranks, scale_keys=("scale_factor",)
    ),
    "torch.nn.functional.grid_sample": Call(grid_sample, grid_sample_ranks),
}
