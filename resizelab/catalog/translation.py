"""The same resize said in another framework's call, or why it cannot be said.

No rule of any framework stands here: a translation is the row of the other library
whose operators agree, on the sizes that separate near conventions.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog.calls import CALLS, described
from resizelab.catalog.signatures import Gap, differing, gap, takes_scale
from resizelab.catalog.table import rows

# What the user may call a target, and the libraries whose rows answer.
TARGETS = {
    "torch": "torch",
    "tensorflow": "tensorflow",
    "opencv": "opencv",
    "pillow": "pillow",
    "jax": "jax",
    "onnx": "onnx",
    "scikit-image": "scikit-image",
    "scipy": "scipy",
    "tensorrt": "tensorrt",
}


class NotExpressible(ValueError):  # noqa: N818 (it says what happened)
    """No call of the target computes this resize.

    ``nearest`` is the closest convention of the target, ``gap`` how far it is off,
    ``differs`` the fields that part the two; all None where no call compares.
    """

    def __init__(
        self,
        message: str,
        nearest: Convention | None = None,
        gap: Gap | None = None,
        differs: Mapping[str, tuple[object, object]] | None = None,
    ) -> None:
        super().__init__(message)
        self.nearest = nearest
        self.gap = gap
        self.differs = differs


def translate(convention: Convention, to: str) -> str:
    """Return the text of a call of another framework that computes the same resize.

    The text names ``x`` for the array in the framework's own layout, and ``h`` and
    ``w`` for the output size (or holds the scale where the convention carries one). It
    is about floats; integer results depend on each library's rounding besides. Raises
    `NotExpressible` with the nearest call and its measured error.

    >>> from resizelab.catalog import convention
    >>> translate(convention("torch.bilinear"), to="opencv")
    'cv2.resize(x, (w, h), interpolation=cv2.INTER_LINEAR)'
    """
    best = _nearest(convention, TARGETS[checks.one_of("to", to, TARGETS)])
    if best is None:
        raise NotExpressible(
            f"no {to} call here takes {_way(convention)}, as {convention.name} does"
        )
    gap, row = best
    if gap.parted:
        differs = differing(convention, row)
        listed = ", ".join(
            f"{k} ({a!r} here, {b!r} there)" for k, (a, b) in differs.items()
        )
        raise NotExpressible(
            f"no {to} call computes {convention.name}. Nearest: {text(row)}, which "
            f"differs at {gap.parted} of {gap.tried} sizes tried, by up to "
            f"{gap.largest:.2g} of a weight, in {listed}",
            row,
            gap,
            differs,
        )
    return text(_with_scale(row, convention))


def _nearest(c: Convention, library: str) -> tuple[Gap, Convention] | None:
    gaps = [
        (gap(c, row), row)
        for row in _current(rows().of(library))
        if takes_scale(row) == takes_scale(c) and row.roi == c.roi
    ]
    if not gaps:
        return None
    # Of equals the first row wins: the table lists the plainest call first.
    return min(gaps, key=_rank)


def _current(known: Iterable[Convention]) -> list[Convention]:
    """Return the rows of a library as it is now, or all where none was run."""
    rows = list(known)
    return [row for row in rows if row.status == "live"] or rows


def _rank(found: tuple[Gap, Convention]) -> tuple[int, float]:
    gap, _ = found
    return (1, gap.typical) if gap.parted else (0, 0.0)


def _way(c: Convention) -> str:
    if c.roi is not None:
        return "a region of interest"
    return "a scale" if takes_scale(c) else "sizes"


def _with_scale(row: Convention, source: Convention) -> Convention:
    """Return the row with the source's scale in the place of its own."""
    if source.scale is None or row.call not in CALLS:
        return row
    arguments = dict(row.arguments)
    scale = list(source.scale) if len(source.scale) > 1 else [*source.scale] * 2
    if "fx" in arguments:
        arguments["fy"], arguments["fx"] = scale[-2:]
    for key in ("scale_factor", "scales", "zoom"):
        if key in arguments:
            arguments[key] = scale
    return described(row.call, **arguments)


def text(c: Convention) -> str:
    """Return a convention's own call as text that runs."""
    writer = _WRITERS.get(c.call, _plain)
    return writer(c, dict(c.arguments))


def _listed(arguments: Mapping[str, Any]) -> str:
    return "".join(f", {k}={v!r}" for k, v in arguments.items())


def _plain(c: Convention, arguments: dict[str, Any]) -> str:
    return f"{c.call}(x, (h, w){_listed(arguments)})"


def _torch(c: Convention, arguments: dict[str, Any]) -> str:
    size = "" if "scale_factor" in arguments else ", size=(h, w)"
    return f"{c.call}(x{size}{_listed(arguments)})"


def _grid_sample(c: Convention, arguments: dict[str, Any]) -> str:
    corners = arguments.get("align_corners", False)
    grid = (
        "torch.nn.functional.affine_grid(torch.eye(2, 3)[None].expand(len(x), 2, 3), "
        f"(*x.shape[:2], h, w), align_corners={corners})"
    )
    return f"{c.call}(x, {grid}{_listed(arguments)})"


def _crop(c: Convention, arguments: dict[str, Any]) -> str:
    box = arguments.pop("boxes", None) or [0.0, 0.0, 1.0, 1.0]
    each = f"boxes=[{box!r}] * len(x), box_indices=range(len(x))"
    return f"{c.call}(x, {each}, crop_size=(h, w){_listed(arguments)})"


def _opencv(c: Convention, arguments: dict[str, Any]) -> str:
    size = "None" if "fx" in arguments else "(w, h)"
    shown = {k: v for k, v in arguments.items() if k != "interpolation"}
    flag = arguments.get("interpolation", "INTER_LINEAR")
    return f"cv2.resize(x, {size}{_listed(shown)}, interpolation=cv2.{flag})"


def _pillow(c: Convention, arguments: dict[str, Any]) -> str:
    shown = {k: v for k, v in arguments.items() if k != "resample"}
    filter_ = arguments.get("resample", "BICUBIC")
    return (
        f"PIL.Image.fromarray(x).resize((w, h), PIL.Image.Resampling.{filter_}"
        f"{_listed(shown)})"
    )


def _zoom(c: Convention, arguments: dict[str, Any]) -> str:
    zoom = arguments.pop("zoom", None)
    sizes = "(h / x.shape[0], w / x.shape[1])"
    factor = sizes if zoom is None or c.spec.step_from == "sizes" else repr(zoom)
    return f"scipy.ndimage.zoom(x, {factor}{_listed(arguments)})"


def _onnx(c: Convention, arguments: dict[str, Any]) -> str:
    opset = arguments.pop("opset", 19)
    by_scale = "scales" in arguments
    arguments.pop("scales", None)
    inputs = "['x', '', 'scales']" if by_scale else "['x', '', '', 'sizes']"
    return (
        f"onnx.helper.make_node('Resize', {inputs}, ['y']{_listed(arguments)})"
        f"  # opset {opset}"
    )


_WRITERS: dict[str, Callable[[Convention, dict[str, Any]], str]] = {
    "torch.nn.functional.interpolate": _torch,
    "torch.nn.functional.grid_sample": _grid_sample,
    "tensorflow.image.crop_and_resize": _crop,
    "cv2.resize": _opencv,
    "PIL.Image.Image.resize": _pillow,
    "scipy.ndimage.zoom": _zoom,
    "onnx.Resize": _onnx,
    "onnx.Resize.spec": _onnx,
}
