"""SciPy: ``scipy.ndimage.zoom``. Measured on 1.17."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted, keywords
from resizelab.catalog.calls.kinds import Array, Number, Scales, Truth

ORDERS = ("nearest", "linear", "quadratic", "cubic", "quartic", "quintic")
FLOATS = ("float32", "float64")
INTEGERS = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64")
WHOLE = 127  # the largest number of every type
FIRST_SPLINE = 2  # below this order a sample is its own coefficient

# What lies outside: our boundary, and the filter that turns samples into coefficients.
# The mirror of "reflect" has SciPy's wrong start; where no exact filter exists SciPy
# adds 12 pixels. "constant" and "wrap" keep every tap inside, or mirror it.
MODES = {
    "reflect": ("symmetric", "bspline_aliased"),
    "grid-mirror": ("symmetric", "bspline_aliased"),
    "constant": ("reflect", "bspline"),
    "grid-constant": ("constant", "padded_bspline"),
    "nearest": ("edge", "padded_bspline"),
    "mirror": ("reflect", "bspline"),
    "grid-wrap": ("wrap", "bspline"),
    "wrap": ("reflect", "bspline"),
}


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    zoom = arguments.pop("zoom", None)
    sizes = "(h / x.shape[0], w / x.shape[1])"
    factor = sizes if zoom is None or c.spec.step_from == "sizes" else repr(zoom)
    return f"scipy.ndimage.zoom(x, {factor}{keywords(arguments)})"


@call("scipy.ndimage.zoom", written=_text)
def zoom(
    input: Array,
    zoom: Scales,
    output: Annotated[str | None, kinds.Dtype(FLOATS + INTEGERS)] = None,
    order: Annotated[int, kinds.whole] = 3,
    mode: Annotated[str, kinds.one_of(MODES)] = "constant",
    cval: Number = 0.0,
    prefilter: Truth = True,
    *,
    grid_mode: Truth = False,
) -> Convention:
    """Return the convention of ``scipy.ndimage.zoom``.

    The factor fixes the sizes only: the step comes from them. Without ``zoom`` the
    sizes are the caller's.
    """
    if order not in range(len(ORDERS)):
        raise ValueError(f"SciPy takes spline orders 0 to 5; got order={order!r}")
    grid = "half_pixel" if grid_mode else "align_corners"
    notes = []
    if cval and mode not in ("constant", "grid-constant"):
        notes.append(f"cval has no effect with mode={mode!r}")
    if grid_mode and mode in ("constant", "wrap"):
        notes.append(f"SciPy warns: with grid_mode it recommends mode='grid-{mode}'")
    spec, particulars = spline(order, mode, cval, prefilter)
    splines = order >= FIRST_SPLINE
    needs = prefilter and splines
    told = {mode: mode != "constant", "grid_mode": grid_mode}
    told |= {"no_prefilter": splines and not prefilter, output or "": bool(output)}
    return Convention(
        name=dotted("scipy.zoom", ORDERS[order], **told),
        library="scipy",
        spec=spec.replace(grid=grid),
        particulars=particulars.replace(shortcut="unit_image" if prefilter else None),
        arithmetic=_by_dtype(output, prefilter, spec.fill if needs else None),
        scale=kinds.entries(zoom),
        notes="; ".join(notes),
    )


def spline(
    order: int, mode: str, cval: float, filtered: bool = True
) -> tuple[Spec, Particulars]:
    """Return what SciPy's spline interpolation of an order does under a mode."""
    boundary, prefilter = MODES[mode]
    common: dict[str, Any] = {"boundary": boundary}
    if mode == "constant":
        common["extrapolation"] = float(cval)
    if mode == "grid-constant":
        common["fill"] = float(cval)
    moves = "wrap_corners" if mode == "wrap" else None
    if order == 0:
        spec = Spec(kernel="nearest", nearest_mode="round_prefer_ceil", **common)
    elif order == 1:
        spec = Spec(kernel="linear", **common)
    else:
        spec = Spec(kernel="bspline", order=order, **common)
    needs = filtered and order >= FIRST_SPLINE
    return spec, Particulars(
        size_rule="half_even",
        coordinate_arithmetic="float64_step",
        outside_positions=moves,
        prefilter=(prefilter,) if needs else (),
    )


def _by_dtype(
    output: str | None, copies: bool, padding: float | None
) -> dict[str, Arithmetic]:
    """Return the arithmetic of integers: one rounding, after all axes.

    An array whose every factor is 1 is assigned to the output, as NumPy casts. The
    padding before a spline filter is made in the array's own type, where what is no
    whole number of every type is another number: integers are left out there.
    """
    rounded = Arithmetic(accumulator="float64", sum_rounding="half_away")
    found = {"integers": rounded.replace(output_dtype=output)}
    if output is not None:
        found["floats"] = found["integers"]
        if copies:
            cast = {"sum_rounding": "truncate", "clip_dtype": "int64"}
            as_numpy = found["integers"].replace(**cast)
            found |= {f"{kind}.unchanged": as_numpy for kind in ("integers", "floats")}
    if padding and (padding < 0 or padding > WHOLE or padding % 1):
        found = {k: v for k, v in found.items() if k.startswith("floats")}
    return found
