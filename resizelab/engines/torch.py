"""PyTorch: ``torch.nn.functional.interpolate``, and ``grid_sample`` as a resizer."""

from typing import Any

from resizelab.engines.libraries import MODE_AXES, Array, Factors, Library, Sizes, ratio

LIBRARY = Library("torch", "torch", "torch")


@LIBRARY.call(
    "torch.nn.functional.interpolate",
    takes="either",
    channel=1,
    axes=(1, 3),  # of nearest and area
    mode_axes=MODE_AXES,
    scale_keys=("scale_factor",),
)
def interpolate(x: Array, target: Factors, by_scale: bool, **options: Any) -> Any:
    """Call ``interpolate`` with ``scale_factor`` where a scale is given.

    ``recompute_scale_factor`` belongs to that form: sizes then become n_out / n_in.
    """
    torch = LIBRARY.load("torch")
    if not by_scale and options.get("recompute_scale_factor") is not None:
        target, by_scale = ratio(x[:, 0], [int(n) for n in target]), True
    options["scale_factor" if by_scale else "size"] = target
    with torch.no_grad():
        return torch.nn.functional.interpolate(torch.from_numpy(x.copy()), **options)


@LIBRARY.call("torch.nn.functional.grid_sample", channel=1, axes=(2, 3))
def grid_sample(x: Array, size: Sizes, **options: Any) -> Any:
    """Sample at the points of the identity ``affine_grid`` of the output size.

    A scale other than n_out / n_in does not exist here: the grid spans the image.
    """
    torch = LIBRARY.load("torch")
    functional = torch.nn.functional
    options = {"align_corners": False, **options}
    corners = options["align_corners"]
    tensor, axes = torch.from_numpy(x.copy()), len(size)
    theta = torch.eye(axes, axes + 1, dtype=tensor.dtype).repeat(len(x), 1, 1)
    with torch.no_grad():
        grid = functional.affine_grid(theta, (len(x), 1, *size), align_corners=corners)
        return functional.grid_sample(tensor, grid, **options)
