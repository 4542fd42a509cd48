"""Read a resize call as the user writes it: text in, name and arguments out.

The text is parsed and never run: only literals, names and flags are understood.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog import find
from resizelab.catalog.calls import CALLS

LONGEST = 4_000  # characters of one call
TF1 = "tensorflow.compat.v1.image."
# The order of positional arguments in the real signatures; "x" is the array.
V1 = ("x", "size", "align_corners", "half_pixel_centers", "name")
POSITIONS: dict[str, tuple[str, ...]] = {
    "torch.nn.functional.interpolate": (
        *("x", "size", "scale_factor", "mode", "align_corners"),
        *("recompute_scale_factor", "antialias"),
    ),
    "cv2.resize": ("x", "size", "dst", "fx", "fy", "interpolation"),
    "PIL.Image.Image.resize": ("x", "size", "resample", "box", "reducing_gap"),
    "tensorflow.image.resize": (
        *("x", "size", "method", "preserve_aspect_ratio", "antialias", "name"),
    ),
    **{f"{TF1}resize_{kind}": V1 for kind in ("bilinear", "bicubic")},
    f"{TF1}resize_nearest_neighbor": V1,
    f"{TF1}resize_area": ("x", "size", "align_corners", "name"),
    "keras.layers.Resizing": ("height", "width", "interpolation"),
    "keras.layers.UpSampling2D": ("size", "data_format", "interpolation"),
    "skimage.transform.resize": (
        *("x", "size", "order", "mode", "cval", "clip", "preserve_range"),
        *("anti_aliasing", "anti_aliasing_sigma"),
    ),
    "scipy.ndimage.zoom": (
        *("x", "zoom", "output", "order", "mode", "cval", "prefilter"),
    ),
    "jax.image.resize": ("x", "size", "method", "antialias", "precision"),
}
RENAMED = {
    **dict.fromkeys(("input", "src", "images", "image", "self"), "x"),
    **dict.fromkeys(("dsize", "output_shape", "shape", "new_size"), "size"),
}
WIDTH_FIRST = ("cv2.resize", "PIL.Image.Image.resize")
# As people import them.
SHORT = {
    "F.interpolate": "torch.nn.functional.interpolate",
    "nn.functional.interpolate": "torch.nn.functional.interpolate",
    "interpolate": "torch.nn.functional.interpolate",
    "cv.resize": "cv2.resize",
    "tf.image.resize": "tensorflow.image.resize",
    "ndimage.zoom": "scipy.ndimage.zoom",
    "zoom": "scipy.ndimage.zoom",
    "transform.resize": "skimage.transform.resize",
    "Image.resize": "PIL.Image.Image.resize",
}
FLAG_METHODS = {"NEAREST_NEIGHBOR": "nearest"}


@dataclass(frozen=True)
class Unknown:
    """A name or an expression whose value only the running program knows."""

    text: str


@dataclass(frozen=True)
class Call:
    """One resize call: its real name, its arguments, the size it asks for.

    ``size`` is (height, width) where the text holds numbers; ``array`` the name of
    what is resized; ``misplaced`` what stands where OpenCV expects ``dst``.
    """

    text: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    size: tuple[int, int] | None = None
    array: str = ""
    misplaced: Any = None

    @property
    def width_first(self) -> bool:
        """Whether the call takes its size as (width, height)."""
        return self.name in WIDTH_FIRST

    def convention(self) -> Convention:
        """Return what the call computes; a value that is not known is an error."""
        for key, value in self.arguments.items():
            if isinstance(value, Unknown):
                raise ValueError(
                    f"{key}={value.text} of {self.name} is not a value that can be read"
                )
        return find(self.name, **self.arguments)


def parsed(text: str) -> Call:
    """Return the call that ``text`` writes, else raise ValueError or LookupError.

    >>> parsed("F.interpolate(x, size=(20, 30), mode='bilinear')").size
    (20, 30)
    >>> parsed("cv2.resize(img, (30, 20), interpolation=cv2.INTER_AREA)").arguments
    {'interpolation': 'INTER_AREA'}
    """
    if not isinstance(text, str):
        raise TypeError(f"a call must be text; got {type(text).__name__}")
    if len(text) > LONGEST:
        raise ValueError(f"a call has at most {LONGEST} characters; got {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"this is not a call: {text!r}") from None
    if not isinstance(tree, ast.Call):
        raise ValueError(f"this is not a call: {text!r}")
    name, owner = _name(tree.func)
    given = _given(name, tree, owner)
    array = given.pop("x", "")
    misplaced = given.pop("dst", None)
    size = _size(name, given)
    return Call(
        text=text.strip(),
        name=name,
        arguments={k: _flag(name, v) for k, v in given.items()},
        size=size,
        array=array.text if isinstance(array, Unknown) else "",
        misplaced=misplaced,
    )


def _name(function: ast.expr) -> tuple[str, str | None]:
    """Return the real name, and the array if the call is a method of a picture."""
    written = ast.unparse(function)
    full = SHORT.get(written, written)
    for short, long in (("tf.", "tensorflow."), ("jnp.", "jax.numpy.")):
        if full.startswith(short):
            full = long + full.removeprefix(short)
    if full.startswith("tensorflow.image.resize_"):
        full = full.replace("tensorflow.image.", TF1)
    if full in CALLS:
        return full, None
    if isinstance(function, ast.Attribute) and function.attr == "resize":
        return "PIL.Image.Image.resize", ast.unparse(function.value)
    raise LookupError(
        f"call must be one of {', '.join(CALLS)}; got {written!r}"
        f"{checks.nearest_match(written, [*CALLS, *SHORT])}"
    )


def _given(name: str, tree: ast.Call, owner: str | None) -> dict[str, Any]:
    order = POSITIONS.get(name, ("x",))
    values = [Unknown(owner)] if owner else []
    values += [_value(node) for node in tree.args]
    if name in ("keras.layers.UpSampling2D", "keras.layers.Resizing"):
        values = [v for v in values if not isinstance(v, Unknown)]
    if len(values) > len(order):
        raise TypeError(f"{name} takes {len(order)} positional arguments: {order}")
    given = dict(zip(order, values, strict=False))
    for keyword in tree.keywords:
        if keyword.arg is None:
            raise ValueError(f"**{ast.unparse(keyword.value)} cannot be read")
        key = (
            keyword.arg
            if name.startswith("keras")
            else RENAMED.get(keyword.arg, keyword.arg)
        )
        given[key] = _value(keyword.value)
    return given


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        pass  # not a literal: a flag, a name, or a list that holds one
    if isinstance(node, ast.Attribute) and node.attr.isupper():
        return node.attr
    if isinstance(node, (ast.Tuple, ast.List)):
        return [_value(entry) for entry in node.elts]
    if isinstance(node, ast.Attribute) and node.attr.startswith("INTER_"):
        return node.attr
    return Unknown(ast.unparse(node))


def _size(name: str, given: dict[str, Any]) -> tuple[int, int] | None:
    """Take the size out of the arguments and return it as (height, width)."""
    if name == "keras.layers.Resizing":
        entries = [given.pop("height", None), given.pop("width", None)]
    elif name == "keras.layers.UpSampling2D":
        return None  # its size is a factor
    else:
        value = given.pop("size", None)
        entries = [value, value] if isinstance(value, int) else value
    if not isinstance(entries, (list, tuple)) or len(entries) < 2:
        return None
    last = list(entries[:2] if name == "skimage.transform.resize" else entries[-2:])
    if not all(type(n) is int and n > 0 for n in last):
        return None
    if name in WIDTH_FIRST:
        last.reverse()
    return last[0], last[1]


def _flag(name: str, value: Any) -> Any:
    if not isinstance(value, str) or not name.startswith("tensorflow"):
        return value
    return FLAG_METHODS.get(value, value.lower() if value.isupper() else value)
