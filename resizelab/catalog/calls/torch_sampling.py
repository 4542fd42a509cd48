"""torch: ``grid_sample`` at the points of an identity grid. Measured on 2.13, CPU."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted, keywords
from resizelab.catalog.calls.kinds import Array, Flag, Unread


def _sampled(c: Convention, arguments: dict[str, Any]) -> str:
    corners = arguments.get("align_corners", False)
    grid = (
        "torch.nn.functional.affine_grid(torch.eye(2, 3)[None].expand(len(x), 2, 3), "
        f"(*x.shape[:2], h, w), align_corners={corners})"
    )
    return f"{c.call}(x, {grid}{keywords(arguments)})"


@call(
    "torch.nn.functional.grid_sample",
    layout="NCHW",
    also=("F.grid_sample",),
    written=_sampled,
)
def grid_sample(
    input: Array,
    grid: Unread,
    mode: Annotated[str, kinds.one_of(("bilinear", "nearest", "bicubic"))] = "bilinear",
    padding_mode: Annotated[
        str, kinds.one_of(("zeros", "border", "reflection"))
    ] = "zeros",
    align_corners: Flag | None = None,
) -> Convention:
    """Return the convention of ``affine_grid`` and ``grid_sample`` used as a resizer.

    The grid is the identity's, made with the same ``align_corners``.
    """
    corners = bool(align_corners)
    reflection = "reflect" if corners else "symmetric"
    boundary = {"zeros": "constant", "border": "edge", "reflection": reflection}
    common: dict[str, Any] = {
        "grid": "align_corners" if corners else "half_pixel",
        "boundary": boundary[padding_mode],
    }
    kinds: dict[str, dict[str, Any]] = {
        "bilinear": {"kernel": "linear"},
        "bicubic": {"kernel": "cubic", "a": -0.75},
        "nearest": {"kernel": "nearest", "nearest_mode": "half_even"},
    }
    return Convention(
        name=dotted("torch.grid_sample", mode, padding_mode, align_corners=corners),
        library="torch",
        spec=Spec(**kinds[mode], **common),
        particulars=Particulars(
            single_pixel="centre" if corners else None,
            coordinate_arithmetic="float32_normalised",
        ),
        arithmetic={"float64": Arithmetic(coordinate_arithmetic="float64_normalised")},
        notes="float16 is not reproduced: the grid is float16 too, as coarse as 1/1024",
    )
