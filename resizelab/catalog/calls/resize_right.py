"""ResizeRight: ``resize_right.resize`` on NumPy arrays. Measured on 0.0.2."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted
from resizelab.catalog.calls.kinds import Array, Number, Scales, Size, Truth

METHODS = ("cubic", "linear", "lanczos2", "lanczos3", "box")
PADDINGS = {
    "constant": "constant",
    "edge": "edge",
    "reflect": "reflect",
    "symmetric": "symmetric",
    "wrap": "wrap",
}
NUMERATOR = 10  # the largest by_convs looks for, by default
EPSILON = 2.0**-23  # float32's: a border this near is counted as inside
# The weights are float64, and so is what they are multiplied with.
FLOAT64 = Arithmetic(output_dtype="float64")
BY_DTYPE = {
    "integers": FLOAT64,
    "floats": FLOAT64,
    "integers.unchanged": Arithmetic(),
    "floats.unchanged": Arithmetic(),
}


@call("resize_right.resize")
def resize(
    input: Array,
    scale_factors: Scales = None,
    out_shape: Size = None,
    interp_method: Annotated[str, kinds.one_of(METHODS)] = "cubic",
    support_sz: Number | None = None,
    antialiasing: Truth = True,
    by_convs: Truth = False,
    scale_tolerance: Number | None = None,
    max_numerator: Annotated[int, kinds.whole] = NUMERATOR,
    pad_mode: Annotated[str, kinds.one_of(PADDINGS)] = "constant",
) -> Convention:
    """Return the convention of ``resize_right.resize``.

    A scale fixes the step where one is given; the sizes may be given besides.
    """
    _refuse(support_sz, by_convs)
    fractions = scale_tolerance is not None or max_numerator != NUMERATOR
    ignored = "scale_tolerance and max_numerator have no effect without by_convs"
    told = {"no_antialiasing": not antialiasing, pad_mode: pad_mode != "constant"}
    told["scale_factors"] = scale_factors is not None
    return Convention(
        name=dotted("resize_right", interp_method, **told),
        library="resize-right",
        spec=_spec(interp_method, antialiasing).replace(boundary=PADDINGS[pad_mode]),
        particulars=Particulars(
            size_rule="ceil",
            normalise="before",
            tie_epsilon=EPSILON if interp_method == "box" else 0.0,
        ),
        arithmetic=BY_DTYPE,
        scale=kinds.entries(scale_factors),
        notes=ignored if fractions else "",
    )


def _refuse(support_sz: float | None, by_convs: bool) -> None:
    if support_sz is not None:
        raise ValueError(
            "support_sz replaces the width that belongs to interp_method, and no "
            f"kernel here has another than its own; got support_sz={support_sz!r}"
        )
    if by_convs:
        raise ValueError("ResizeRight refuses by_convs=True for NumPy arrays")


def _spec(method: str, blurs: bool) -> Spec:
    common: dict[str, Any] = {
        "grid": "half_pixel_symmetric",
        "step_from": "scale_if_given",
    }
    if method == "box":  # one pixel, or as many whole pixels as a step is long
        if blurs:
            return Spec(kernel="counted_box", **common)
        return Spec(kernel="nearest", nearest_mode="round_prefer_floor", **common)
    common["antialias"] = blurs
    if method == "cubic":
        return Spec(kernel="cubic", a=-0.5, **common)
    if method == "linear":
        return Spec(kernel="linear", **common)
    return Spec(kernel="lanczos", lobes=int(method[-1]), **common)
