"""Keras layers on the TensorFlow backend: ``UpSampling2D`` and ``Resizing``.

Measured on Keras 3.15. Other backends give other numbers.
"""

from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.axis.spec import Arithmetic, Particulars, Spec
from resizelab.catalog.calls import tensorflow

UP_SAMPLING = ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5")
RESIZING = (*UP_SAMPLING, "area")

# Layers cast what floats to float32; integers keep their type, rounded half to even.
_FLOAT32 = Arithmetic(output_dtype="float32")
_FLOATS = dict.fromkeys(("float16", "float64"), _FLOAT32)


def up_sampling(
    size: Any = (2, 2), data_format: str | None = None, interpolation: str = "nearest"
) -> Convention:
    """Return the convention of ``keras.layers.UpSampling2D``."""
    _data_format(data_format)
    # Keras lowers the case of this one and of no other.
    method = interpolation.lower() if isinstance(interpolation, str) else interpolation
    checks.one_of("interpolation", method, UP_SAMPLING)
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


def resizing(
    interpolation: str = "bilinear",
    crop_to_aspect_ratio: bool = False,
    pad_to_aspect_ratio: bool = False,
    fill_mode: str = "constant",
    fill_value: float = 0.0,
    antialias: bool = False,
    data_format: str | None = None,
) -> Convention:
    """Return the convention of ``keras.layers.Resizing``."""
    _data_format(data_format)
    checks.one_of("interpolation", interpolation, RESIZING)
    antialias = checks.flag("antialias", antialias)
    crop = checks.flag("crop_to_aspect_ratio", crop_to_aspect_ratio)
    pad = checks.flag("pad_to_aspect_ratio", pad_to_aspect_ratio)
    checks.one_of("fill_mode", fill_mode, ("constant",))
    checks.number("fill_value", fill_value)
    _no_aspect_ratio(crop, pad)
    ignored = antialias and interpolation in tensorflow.IGNORING
    spec, particulars = tensorflow.version_2(interpolation, antialias and not ignored)
    parts = ["keras", "resizing", interpolation]
    notes = f"antialias=True is accepted and ignored: {interpolation} has none."
    return Convention(
        name=".".join(parts + ["antialias"] * (antialias and not ignored)),
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


def _data_format(value: str | None) -> None:
    # It says where the channels are, which changes no number.
    if value is not None:
        checks.one_of("data_format", value, ("channels_last", "channels_first"))


def _no_aspect_ratio(crop: bool, pad: bool) -> None:
    if crop and pad:
        raise ValueError(
            "Keras refuses crop_to_aspect_ratio and pad_to_aspect_ratio together"
        )
    if crop or pad:
        name, cut = ("crop", "cropped") if crop else ("pad", "padded")
        raise ValueError(
            f"{name}_to_aspect_ratio=True changes the picture before it is resized, so "
            f"it is not one resize: leave it out here and give the {cut} picture"
        )


def _factors(size: Any) -> tuple[float, float]:
    listed = (size, size) if not hasattr(size, "__len__") else tuple(size)
    if len(listed) != 2:  # rows and columns
        raise ValueError(f"size must be one whole number or two; got {size!r}")
    rows, columns = (checks.size("size", n) for n in listed)
    return float(rows), float(columns)
