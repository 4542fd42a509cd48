"""Draw resizes: arguments of a call, an array, its layout, sizes and scales."""

from dataclasses import dataclass
from typing import Any

import integer_pictures
import numpy as np

import resizelab as rl
from resizelab.catalog.calls import CALLS, kinds
from resizelab.engines import conformance, running

FLOATS = ("float32", "float32", "float32", "float64", "float16")
INTEGERS = ("uint8", "uint8", "int8", "uint16", "int16", "int32", "int64")
SCALES = (0.5, 2.0, 1.5, 0.3, 3.0, 1 / 3, 2 / 3, 1.0, 0.1)
LARGE = (300, 601)
HOLES = 0.08  # of the pictures of floats: some of their pixels are not finite
MOST = 2**20  # of wide integers: where an engine overflows, no model should follow


@dataclass
class Case:
    """One resize: the array with a batch in front or channels behind, what is asked."""

    row: Any
    x: Any
    shape: tuple | None
    scale: tuple | None
    axes: tuple
    number: int
    layout: str
    whole: bool = False  # integers come out: equal means equal

    def __str__(self):
        """Return what a reader needs to see the kind."""
        name = f"{self.row.name} {dict(self.row.arguments)}"
        target = self.shape if self.shape is not None else f"scale {self.scale}"
        how = f"{self.layout}, strides {self.x.strides}"
        return f"{name} {self.x.dtype} {self.x.shape} -> {target} ({how})"

    @property
    def rank(self):
        """How many axes are resized."""
        return len(self.axes)

    @property
    def asked(self):
        """The shape of the result that was asked for."""
        full = list(self.x.shape)
        for axis, size in zip(self.axes, self.shape, strict=True):
            full[axis] = size
        return tuple(full)

    def ask(self):
        """Return what the real engine gives for the whole array."""
        call = running.find_call(self.row)
        rest, scale = running._split(call, self.row.arguments, self.rank, self.scale)
        if self.layout == "channels_last" and self.row.library == "torch":
            return _channels_last(rest, self.x, self.shape, scale)
        if self.layout == "HWC":
            return call.run(rest, self.x[None], self.shape, scale)[0]
        return call.run(rest, self.x, self.shape, scale)


def _channels_last(rest, x, shape, scale):
    import torch

    options = {"size": shape} if scale is None else {"scale_factor": scale}
    view = torch.from_numpy(np.ascontiguousarray(np.moveaxis(x, 1, -1)))
    with torch.no_grad():
        y = torch.nn.functional.interpolate(
            view.movedim(-1, 1), **options, **dict(rest)
        )
    return y.numpy()


def case(rng, pixels, name, row, number):
    """Return (case, None), or (None, why our side refuses the arguments).

    ``rng`` draws what is asked, ``pixels`` the array.
    """
    before = None
    if row is None:
        before = [side(rng) for _ in range(2)]
        given = arguments(rng, name, before)
        try:
            row = rl.find(name, **given)
        except (TypeError, ValueError, LookupError) as error:
            return None, f"{given} {error}"
    call = running.find_call(row)
    fewest, most = call.ranks(row.arguments)
    most = min(most, row.ranks[1]) if row.ranks else most
    if "axes" in row.arguments:  # of height and width
        most = 2
    rank = len(before) if before else int(rng.integers(fewest, min(most, 3) + 1))
    rank = min(max(rank, fewest), most)
    dtype = str(rng.choice(FLOATS))
    known = integer_pictures.integer_dtypes(row)
    if rng.random() < 0.5:
        dtype = str(rng.choice(known if known and rng.random() < 0.8 else INTEGERS))
    large = rank == 2 and not before and rng.random() < 0.03
    if before is None or len(before) != rank:
        before = [
            int(rng.integers(*LARGE)) if large else side(rng) for _ in range(rank)
        ]
    layout = _layout(rng, row, rank)
    shape, scale = target(rng, row, before, large)
    if rank == 3 or row.library in ("onnx", "jax"):
        before, shape = (
            [min(n, 24) for n in before],
            shape and tuple(min(n, 24) for n in shape),
        )
    front, back = ((), (3,)) if layout == "HWC" else ((1,), ())
    if layout == "batch":
        front = (int(rng.integers(2, 4)),)
    if layout == "channels_last":
        front = (2, 3)
        # Contiguous pictures that become one pixel wide are wrong, these are right.
        shape = shape and (shape[0], max(2, shape[1]))
        scale = scale and (scale[0], max(scale[1], 2.0))
    x = strided(pixels, values(pixels, (*front, *before, *back), dtype))
    axes = tuple(range(len(front), len(front) + rank))
    if row.library == "scikit-image" and back:  # its colours are an axis too
        axes, shape = (0, 1, 2), (*shape, 3)
    return Case(row, x, shape, scale, axes, number, layout), None


def _layout(rng, row, rank):
    if rank == 2 and row.layout == "HWC" and rng.random() < 0.4:
        return "HWC"
    if row.library == "scikit-image":  # clips each picture to its own range
        return "one"
    interpolate = row.call == "torch.nn.functional.interpolate"
    if interpolate and rank == 2 and rng.random() < 0.3:
        return "channels_last"
    return "batch" if rng.random() < 0.4 else "one"


def side(rng):
    """Return a number of pixels: small, one, or more than a vector holds."""
    if rng.random() < 0.1:
        return 1
    return int(rng.integers(1, 16 if rng.random() < 0.5 else 80))


def target(rng, row, before, large):
    """Return (shape, None) or (None, scale)."""
    if conformance.by_scale(row):
        return None, tuple(_scale(rng, row) for _ in before)
    after = []
    for n in before:
        draw = rng.random()
        if draw < 0.15:
            after.append(n)
        elif draw < 0.25:
            after.append(2 * n)
        elif draw < 0.35:
            after.append(max(1, n // 2))
        else:
            after.append(int(rng.integers(*LARGE)) if large else side(rng))
    return tuple(after), None


def _scale(rng, row):
    if row is not None and row.library == "keras":  # whole factors only
        return float(rng.integers(1, 5))
    if rng.random() < 0.5:
        return float(rng.choice(SCALES))
    return float(np.round(rng.uniform(0.2, 4.0), int(rng.integers(1, 9))))


def values(rng, shape, dtype):
    """Return an array: noise, a ramp, black and white, or noise with holes."""
    kind = rng.choice(["noise", "noise", "ramp", "ends"])
    size = int(np.prod(shape))
    unit = rng.random(size)
    if kind == "ramp":
        unit = np.linspace(0, 1, size)
    if kind == "ends":
        unit = rng.integers(0, 2, size).astype(float)
    if np.dtype(dtype).kind == "f":
        unit = unit * float(rng.choice([1, 255, -3]))
        if rng.random() < HOLES:  # few: an engine may spread each over all it has
            at = rng.integers(0, size, 1 + size // 500)
            unit[at] = rng.choice([np.nan, np.inf, -np.inf])
        return unit.astype(dtype).reshape(shape)
    info = np.iinfo(dtype)
    low, high = max(info.min, -MOST), min(info.max, MOST)
    return np.rint(low + unit * (high - low)).astype(dtype).reshape(shape)


def strided(rng, x):
    """Return the same numbers in another memory order."""
    match rng.integers(0, 6):
        case 0:
            return np.asfortranarray(x)
        case 1:
            return np.repeat(x, 2, axis=-1)[..., ::2]
        case 2:
            return x[..., ::-1]
        case 3:
            wide = np.zeros((*x.shape[:-1], x.shape[-1] + 3), x.dtype)
            wide[..., : x.shape[-1]] = x
            return wide[..., : x.shape[-1]]
    return x


def arguments(rng, name, before):
    """Return random arguments of a call, by the names of its parameters."""
    call, found = CALLS[name], {}
    if name == "cv2.resize" and rng.random() < 0.6:
        found |= {"fx": _scale(rng, None), "fy": _scale(rng, None)}
    sizes = (kinds.array, kinds.unread, kinds.size, kinds.sides)
    for parameter, kind in call.kinds.items():
        if kind in sizes or rng.random() < 0.35:
            continue
        value = _value(rng, parameter, kind, before)
        if value is not None:
            found[parameter] = value
    if found.get("keep_aspect_ratio_policy", "stretch") != "stretch":
        found["axes"] = [
            2,
            3,
        ]  # without it batch and channels count, of which x has none
    return found


def _value(rng, parameter, kind, before):
    h, w = before
    if isinstance(kind, kinds.OneOf):
        return str(rng.choice(kind.names))
    if kind in (kinds.flag, kinds.truth):
        return bool(rng.integers(0, 2))
    if kind is kinds.bit:
        return int(rng.integers(0, 2))
    if kind is kinds.scales:
        if rng.random() < 0.6:
            return None
        return [float(rng.choice(SCALES)) for _ in before]
    region = np.sort(rng.uniform(-0.3, 1.3, (2, 2)), axis=0)
    inside = np.sort(rng.random((2, 2)), axis=0)
    if rng.random() < 0.9 and parameter == "box":
        region = inside
    box = [region[0, 1] * w, region[0, 0] * h, region[1, 1] * w, region[1, 0] * h]
    if rng.random() < 0.5:
        box = [float(np.round(b)) for b in box]
    draws = {
        "cubic_coeff_a": lambda: float(rng.choice([-0.5, -0.75, -0.6, 0.0, -1.0])),
        "order": lambda: int(rng.integers(0, 6)),
        "opset": lambda: int(rng.choice([10, 11, 12, 13, 18, 19, 21])),
        "axes": lambda: [[2, 3], [-2, -1], [3, 2], [2, -1], [-1, -2]][
            rng.integers(0, 5)
        ],
        "roi": lambda: [float(v) for v in region.ravel()],
        "boxes": lambda: [float(v) for v in region.ravel()],
        "box": lambda: box,
        "reducing_gap": lambda: float(rng.choice([1.0, 1.5, 2.0, 3.0, 1.1])),
        "translation": lambda: [float(v) for v in rng.uniform(-3, 3, 2)],
        "anti_aliasing_sigma": lambda: float(rng.choice([0.5, 1, 2.3, 0])),
        "cval": lambda: float(rng.choice([0, 1, -2.5, 7])),
        "extrapolation_value": lambda: float(rng.choice([0, -1, 10])),
        "fx": lambda: None,
        "support_sz": lambda: float(rng.choice([2, 4, 6])),
        "max_numerator": lambda: int(rng.choice([10, 5])),
        "fill_value": lambda: float(rng.choice([0, 5])),
    }
    return draws.get(parameter, lambda: None)()
