"""scikit-image: ``skimage.transform.resize``. Measured on 0.26 with SciPy 1.17."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted
from resizelab.catalog.calls.kinds import Array, Number, Size, Truth
from resizelab.catalog.calls.scipy import ORDERS, spline

# scikit-image takes NumPy's words and gives SciPy its own.
MODES = {
    "constant": "grid-constant",
    "edge": "nearest",
    "symmetric": "reflect",
    "reflect": "mirror",
    "wrap": "grid-wrap",
}
HALF = {"float16": Arithmetic(output_dtype="float32")}


@call("skimage.transform.resize", layout="HWC", ranks=(1, 32))
def resize(
    image: Array,
    output_shape: Size,
    order: Annotated[int | None, kinds.whole] = None,
    mode: Annotated[str, kinds.one_of(MODES)] = "reflect",
    cval: Number = 0,
    clip: Truth = True,
    preserve_range: Truth = False,
    anti_aliasing: Truth | None = None,
    anti_aliasing_sigma: Annotated[Any, kinds.per_axis()] = None,
) -> Convention:
    """Return the convention of ``skimage.transform.resize`` for numbers.

    Truth values are another matter: scikit-image gives them order 0 and no blur.
    """
    if order is not None and order not in range(len(ORDERS)):
        raise ValueError(f"scikit-image takes orders 0 to 5; got order={order!r}")
    settled = 1 if order is None else order
    blurs = anti_aliasing is None or anti_aliasing
    spec, particulars = spline(settled, MODES[mode], cval)
    if blurs:
        particulars = _blurred(particulars, anti_aliasing, anti_aliasing_sigma)
    notes = []
    if cval and mode != "constant":
        notes.append(f"cval has no effect with mode={mode!r}")
    if anti_aliasing_sigma is not None and not blurs:
        notes.append("anti_aliasing_sigma has no effect with anti_aliasing=False")
    if settled == 0 and not preserve_range:
        notes.append("order 0 keeps the range in any case")
    told = {
        mode: mode != "reflect",
        "antialias": anti_aliasing,
        "no_antialias": anti_aliasing is False,
        "sigma": blurs and anti_aliasing_sigma is not None,
        "preserve_range": preserve_range,
        "no_clip": not clip,
    }
    return Convention(
        name=dotted("skimage", ORDERS[settled], **told),
        library="scikit-image",
        spec=spec,
        particulars=particulars.replace(clip_to_input=clip, shortcut="image"),
        arithmetic=_by_dtype(settled, preserve_range, anti_aliasing),
        notes="; ".join(notes),
    )


def _blurred(p: Particulars, asked: bool | None, sigma: Any) -> Particulars:
    p = p.replace(prefilter=("gaussian", *p.prefilter))
    if sigma is None:
        return p  # (step - 1) / 2 of each axis that shrinks
    sigmas = kinds.entries(sigma) or ()
    if any(s < 0 for s in sigmas):
        raise ValueError(
            f"scikit-image takes anti_aliasing_sigma of 0 or more; got {sigma!r}"
        )
    when = "any_shrinks" if asked is None else "always"
    return p.replace(blur_sigma=sigmas, blur_when=when)


def _by_dtype(
    order: int, keeps: bool, anti_aliasing: bool | None
) -> dict[str, Arithmetic]:
    """Return what other types than float32 and float64 become."""
    if order > 0:
        floats = Arithmetic(output_dtype="float64", unit_range=not keeps)
        return {"integers": floats, **HALF}
    if anti_aliasing is None:  # integers are labels: no blur
        return {"integers": Arithmetic(prefilter=()), **HALF}
    # The blur of one axis after the other is stored as integers, cut towards zero.
    cut = Arithmetic(
        accumulator="float64",
        between_passes="round",
        sum_rounding="truncate",
        pass_order="height_first",
    )
    return {"integers": cut, **HALF}
