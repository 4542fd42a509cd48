"""TensorFlow: ``crop_and_resize``, a region at a time. Measured on 2.21, CPU."""

from typing import Annotated, Any

from resizelab.axis import Convention, Spec
from resizelab.catalog.calls import kinds, tensorflow
from resizelab.catalog.calls.call import call, dotted, keywords
from resizelab.catalog.calls.kinds import Array, Number, Size, Unread

CORNERS = 4  # y1, x1, y2, x2


def _one_box(parameter: str, value: Any) -> list[float]:
    box = kinds.plain(value)
    if isinstance(box, list) and len(box) == 1:
        box = box[0]
    if not isinstance(box, list) or len(box) != CORNERS:
        raise ValueError(
            "boxes must hold one box of 4 numbers (y1, x1, y2, x2), since each box is "
            f"a resize of its own; got {value!r}"
        )
    return [kinds.number(parameter, edge) for edge in box]


def _cropped(c: Convention, arguments: dict[str, Any]) -> str:
    box = arguments.pop("boxes", None) or [0.0, 0.0, 1.0, 1.0]
    each = f"boxes=[{box!r}] * len(x), box_indices=range(len(x))"
    return f"{c.call}(x, {each}, crop_size=(h, w){keywords(arguments)})"


@call(
    "tensorflow.image.crop_and_resize",
    layout="NHWC",
    also=("tf.image.crop_and_resize",),
    written=_cropped,
)
def crop_and_resize(
    image: Array,
    boxes: Annotated[Any, kinds.example(_one_box)],
    box_indices: Unread,
    crop_size: Size,
    method: Annotated[str, kinds.one_of(("bilinear", "nearest"))] = "bilinear",
    extrapolation_value: Number = 0.0,
    name: Unread = None,
) -> Convention:
    """Return the convention of ``tensorflow.image.crop_and_resize``.

    ``boxes`` is one box (y1, x1, y2, x2), in parts of the image; the whole by default.
    """
    common: dict[str, Any] = {
        "grid": "tf_crop_and_resize",
        "extrapolation": float(extrapolation_value),
    }
    kinds: dict[str, dict[str, Any]] = {
        "bilinear": {},
        "nearest": {"kernel": "nearest", "nearest_mode": "half_away"},
    }
    return Convention(
        name=dotted("tf.crop_and_resize", method, boxes=boxes is not None),
        library="tensorflow",
        spec=Spec(**kinds[method], **common),
        particulars=tensorflow.FLOAT32_POSITIONS.replace(scale_precision="float32"),
        arithmetic=tensorflow.TO_FLOAT32,
        roi=_regions(boxes),
    )


def _regions(boxes: Any) -> tuple[tuple[float, float], ...] | None:
    if boxes is None:
        return None
    y1, x1, y2, x2 = boxes
    return (y1, y2), (x1, x2)
