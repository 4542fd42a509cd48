"""JAX: ``jax.image.resize`` and ``scale_and_translate``. Measured on 0.10, CPU.

As installed, JAX computes in float32: float64 comes out only where x64 is enabled.
"""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted, keywords
from resizelab.catalog.calls.kinds import Array, Scales, Size, Truth, Unread

METHODS = {
    "nearest": "nearest",
    "linear": "linear",
    "bilinear": "linear",
    "trilinear": "linear",
    "triangle": "linear",
    "cubic": "cubic",
    "bicubic": "cubic",
    "tricubic": "cubic",
    "lanczos3": "lanczos3",
    "lanczos5": "lanczos5",
    "cubic-pytorch": "cubic-pytorch",
    "bicubic-pytorch": "cubic-pytorch",
    "area": "area",
}
REACH = 2  # pixels that cubic-pytorch repeats outside: its kernel's radius
FLOAT32 = Arithmetic(output_dtype="float32")
SMOOTH = {"integers": FLOAT32, "float64": FLOAT32}
PICKED = {
    "integers": Arithmetic(),
    "int64": Arithmetic(output_dtype="int32"),
    "uint64": Arithmetic(output_dtype="uint32"),
    "float64": FLOAT32,
}
HALF = "of float16, JAX rounds the weights to float16: not reproduced"
IGNORED = "has no effect with method"
Method = Annotated[str | None, kinds.one_of(METHODS)]


@call("jax.image.resize")
def resize(
    image: Array,
    shape: Size,
    method: Method,
    antialias: Truth = True,
    precision: Unread = None,
) -> Convention:
    """Return the convention of ``jax.image.resize``.

    ``precision`` chooses how a TPU or GPU multiplies; a CPU does not ask.
    """
    kind, blurs = _kind("jax.image.resize", method), antialias
    notes = [] if kind == "nearest" else [HALF]
    if not blurs and kind in ("nearest", "area"):
        notes.append(f"antialias=False {IGNORED}={method!r}")
    if kind == "nearest":
        spec = Spec(kernel="nearest", nearest_mode="floor", grid="tf_half_pixel_for_nn")
        particulars = Particulars(
            coordinate_arithmetic="float32_inverse", shortcut="axis"
        )
    else:
        spec = _spec(kind, blurs)
        particulars = Particulars(
            coordinate_arithmetic="float32_multiply", shortcut="axis"
        )
    return Convention(
        name=_name("jax", kind, blurs),
        library="jax",
        spec=spec,
        particulars=particulars,
        arithmetic=PICKED if kind == "nearest" else SMOOTH,
        notes="; ".join(notes),
    )


def _moved(c: Convention, arguments: dict[str, Any]) -> str:
    scale = arguments.pop("scale", None)
    given = "[h / x.shape[0], w / x.shape[1]]" if scale is None else repr(scale)
    shift = arguments.pop("translation", None) or [0.0, 0.0]
    return (
        f"{c.call}(x, (h, w), (0, 1), jax.numpy.array({given}), "
        f"jax.numpy.array({shift!r}){keywords(arguments)})"
    )


@call("jax.image.scale_and_translate", written=_moved)
def scale_and_translate(
    image: Array,
    shape: Size,
    spatial_dims: Unread,
    scale: Scales,
    translation: Annotated[Any, kinds.example(kinds.per_axis())],
    method: Method,
    antialias: Truth = True,
    precision: Unread = None,
) -> Convention:
    """Return the convention of ``jax.image.scale_and_translate``.

    ``scale`` and ``translation`` (in output pixels) hold one entry a spatial axis;
    without them, the scale is the ratio of the sizes and nothing moves.
    """
    kind, blurs = _kind("jax.image.scale_and_translate", method), antialias
    if kind == "nearest":
        raise ValueError("JAX refuses method='nearest' in scale_and_translate")
    edges = kind == "cubic-pytorch" and not blurs
    spec = _spec(kind, blurs).replace(grid="translate", step_from="scale_if_given")
    moves = kinds.entries(translation)
    # A ratio of sizes is rounded to float32 first, and then inverted.
    order = "reciprocal" if scale is None else "multiply"
    return Convention(
        name=_name("jax.scale_and_translate", kind, blurs),
        library="jax",
        spec=spec if edges else spec.replace(extrapolation=0.0),
        particulars=Particulars(
            coordinate_arithmetic=f"float32_{order}",
            scale_precision="float32",
            extrapolation_edges=not edges,
            padding=REACH if edges else None,
        ),
        arithmetic=SMOOTH,
        scale=kinds.entries(scale),
        roi=None if moves is None else tuple((t, 0.0) for t in moves),
        notes=HALF,
    )


def _kind(name: str, method: str | None) -> str:
    if method is None:
        raise ValueError(f"{name} needs method: one of {', '.join(METHODS)}")
    return METHODS[method]


def _spec(kind: str, blurs: bool) -> Spec:
    if kind == "area":
        return Spec(kernel="area", boundary="exclude")
    common: dict[str, Any] = {"antialias": blurs, "boundary": "exclude"}
    if kind == "linear":
        return Spec(kernel="linear", **common)
    if kind.startswith("lanczos"):
        return Spec(kernel="lanczos", lobes=int(kind[-1]), **common)
    if kind == "cubic" or blurs:  # with antialias, cubic-pytorch is cubic
        return Spec(kernel="cubic", a=-0.5, **common)
    return Spec(kernel="cubic", a=-0.75, boundary="edge")


def _name(front: str, kind: str, blurs: bool) -> str:
    plain = blurs or kind in ("nearest", "area")
    return dotted(front, kind, no_antialias=not plain)
