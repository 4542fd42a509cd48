"""LiteRT (TensorFlow Lite): ``ResizeBilinear`` and ``ResizeNearestNeighbor``.

Measured on LiteRT 2.3. One file of one operation has two implementations: XNNPACK,
which the interpreter takes by default, and the built-in kernels.
"""

from typing import Annotated

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted
from resizelab.catalog.calls.kinds import Truth

# Members of the interpreter's OpResolverType, and whose kernels they choose.
RESOLVERS = {
    "AUTO": "",
    "BUILTIN": "",
    "BUILTIN_REF": "reference",
    "BUILTIN_WITHOUT_DEFAULT_DELEGATES": "builtin",
}

# The built-in integer kernel keeps positions and weights in 22.10 fixed point.
FIXED_22_10 = Arithmetic(
    weight_bits=10,
    weight_rounding="half_even",
    edge_taps="separate",
    sum_rounding="half_away",
    coordinate_arithmetic="fixed_22_10",
)
# XNNPACK: float32 positions, 11 bits of weight.
ELEVEN_BITS = Arithmetic(
    weight_bits=11,
    weight_rounding="half_even",
    edge_taps="separate",
    sum_rounding="half_up",
)
JOINT = Arithmetic(accumulator="float32_joint", sum_rounding="half_up")
SUCCESSIVE = Arithmetic(accumulator="float32_successive", sum_rounding="half_up")
Resolver = Annotated[str, kinds.one_of(RESOLVERS)]
INTEGERS = {
    "": {"uint8": ELEVEN_BITS, "int8": ELEVEN_BITS, "int16": FIXED_22_10},
    "builtin": {"uint8": JOINT, "int8": FIXED_22_10, "int16": FIXED_22_10},
    "reference": {"uint8": SUCCESSIVE, "int8": FIXED_22_10, "int16": FIXED_22_10},
}


@call("tflite.ResizeBilinear", layout="NHWC")
def resize_bilinear(
    align_corners: Truth = False,
    half_pixel_centers: Truth = False,
    experimental_op_resolver_type: Resolver = "AUTO",
) -> Convention:
    """Return the convention of a ``RESIZE_BILINEAR`` operation."""
    corners, half_pixel = align_corners, half_pixel_centers
    kernels = RESOLVERS[experimental_op_resolver_type]
    if corners and half_pixel:
        raise ValueError(
            "LiteRT refuses align_corners and half_pixel_centers together: if "
            "half_pixel_centers is True, align_corners must be False (XNNPACK alone "
            "takes both, and then aligns corners)"
        )
    grid = "half_pixel" if half_pixel else "asymmetric"
    order = "float32_multiply" if kernels else "float32_shifted"
    return Convention(
        name=_name("bilinear", corners, half_pixel, kernels),
        library="litert",
        spec=Spec(grid="align_corners" if corners else grid),
        particulars=Particulars(coordinate_arithmetic=order),
        arithmetic=INTEGERS[kernels],
    )


@call("tflite.ResizeNearestNeighbor", layout="NHWC")
def resize_nearest_neighbor(
    align_corners: Truth = False,
    half_pixel_centers: Truth = False,
    experimental_op_resolver_type: Resolver = "AUTO",
) -> Convention:
    """Return the convention of a ``RESIZE_NEAREST_NEIGHBOR`` operation.

    The numbers are the same whichever kernels compute them.
    """
    corners, half_pixel = align_corners, half_pixel_centers
    if corners and half_pixel:
        raise ValueError(
            "align_corners and half_pixel_centers go together in no TensorFlow call; "
            "LiteRT's nearest kernel would read "
            "(i + 1/2) * (n_in - 1) / (n_out - 1), which is no convention here"
        )
    grid = "tf_half_pixel_for_nn" if half_pixel else "asymmetric"
    picked = dict.fromkeys(INTEGERS[""], Arithmetic())
    if not corners and not half_pixel:  # bytes have a step in fixed point
        own = Arithmetic(coordinate_arithmetic="fixed_16_16_above")
        picked |= {"uint8": own, "int8": own}
    return Convention(
        name=_name("nearest", corners, half_pixel, ""),
        library="litert",
        spec=Spec(
            kernel="nearest",
            grid="align_corners" if corners else grid,
            nearest_mode="half_away" if corners else "floor",
        ),
        particulars=Particulars(coordinate_arithmetic="float32_multiply"),
        arithmetic=picked,
    )


def _name(method: str, corners: bool, half_pixel: bool, kernels: str) -> str:
    told = {"align_corners": corners, "half_pixel_centers": half_pixel}
    return dotted("litert", method, **told, **{kernels: bool(kernels)})
