"""Keras layers on the TensorFlow backend: ``UpSampling2D`` and ``Resizing``.

Measured on Keras 3.15. Other backends give other numbers.
"""

from typing import Annotated, Any

from resizelab import checks
from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds, tensorflow
from resizelab.catalog.calls.call import call, dotted, keywords
from resizelab.catalog.calls.kinds import Number, Size, Truth, Unread

UP_SAMPLING = ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5")
RESIZING = (*UP_SAMPLING, "area")


def _lowered(parameter: str, value: Any) -> str:
    # Keras lowers the case of this one and of no other.
    value = value.lower() if isinstance(value, str) else value
    return checks.one_of(parameter, value, UP_SAMPLING)


Format = Annotated[
    str | None, kinds.one_of(("channels_last", "channels_first"))
]  # where the channels are changes no number
Factors = Annotated[Any, kinds.example(kinds.per_axis(checks.size))]
Interpolation = Annotated[str, kinds.one_of(RESIZING)]
Constant = Annotated[str, kinds.one_of(("constant",))]

# Layers cast what floats to float32; integers keep their type, rounded half to even.
_FLOAT32 = Arithmetic(output_dtype="float32")
_FLOATS = dict.fromkeys(("float16", "float64"), _FLOAT32)


def _layer(c: Convention, arguments: dict[str, Any]) -> str:
    sizes = "h, w" if c.call.endswith("Resizing") else ""
    return f"{c.call}({(sizes + keywords(arguments)).removeprefix(', ')})(x)"


@call(
    "keras.layers.UpSampling2D",
    layout="NHWC",
    also=("tf.keras.layers.UpSampling2D", "tensorflow.keras.layers.UpSampling2D"),
    written=_layer,
)
def up_sampling(
    size: Factors = (2, 2),
    data_format: Format = None,
    interpolation: Annotated[str, _lowered] = "nearest",
    name: Unread = None,
) -> Convention:
    """Return the convention of ``keras.layers.UpSampling2D``."""
    method = interpolation
    if method == "nearest":
        # It repeats each pixel; no position is computed.
        spec = Spec(kernel="nearest", nearest_mode="floor", grid="asymmetric")
        particulars = Particulars()
    else:
        spec, particulars = tensorflow.version_2(method, False)
    return Convention(
        name=f"keras.upsampling.{method}",
        library="keras",
        spec=spec,
        particulars=particulars,
        arithmetic=_by_dtype(method, False),
        scale=_factors(size),
    )


@call(
    "keras.layers.Resizing",
    layout="NHWC",
    also=("tf.keras.layers.Resizing", "tensorflow.keras.layers.Resizing"),
    written=_layer,
)
def resizing(
    height: Size,
    width: Size,
    interpolation: Interpolation = "bilinear",
    crop_to_aspect_ratio: Truth = False,
    pad_to_aspect_ratio: Truth = False,
    fill_mode: Constant = "constant",
    fill_value: Number = 0.0,
    antialias: Truth = False,
    data_format: Format = None,
    name: Unread = None,
) -> Convention:
    """Return the convention of ``keras.layers.Resizing``."""
    crops, pads = crop_to_aspect_ratio, pad_to_aspect_ratio
    if crops and pads:
        raise ValueError(
            "Keras refuses crop_to_aspect_ratio and pad_to_aspect_ratio together"
        )
    ignored = antialias and interpolation in tensorflow.IGNORING
    blurs = antialias and not ignored
    spec, particulars = tensorflow.version_2(interpolation, blurs)
    if crops or pads:
        particulars = particulars.replace(
            aspect_ratio="padded" if pads else "cropped",
            aspect_fill=float(fill_value) if pads else 0.0,
        )
    notes = f"antialias=True is accepted and ignored: {interpolation} has none."
    return Convention(
        name=dotted(
            "keras.resizing",
            interpolation,
            antialias=blurs,
            crop_to_aspect_ratio=crops,
            pad_to_aspect_ratio=pads,
        ),
        library="keras",
        spec=spec,
        particulars=particulars,
        arithmetic=_by_dtype(interpolation, antialias),
        notes=notes if ignored else "",
    )


def _by_dtype(method: str, antialias: bool) -> dict[str, Arithmetic]:
    lerp = method == "bilinear" and not antialias
    integers = Arithmetic(accumulator="float32_lerp") if lerp else Arithmetic()
    return {"integers": integers, **_FLOATS}


def _factors(size: Any) -> tuple[float, float]:
    listed = [size, size] if isinstance(size, int) else [*size]
    if len(listed) != 2:  # rows and columns
        raise ValueError(f"size must be one whole number or two; got {tuple(size)}")
    return float(listed[0]), float(listed[1])
