"""Weight as a function of distance, with the radius beyond which it is zero."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.axis import weight_functions
from resizelab.checks import FloatArray

KernelFunction = Callable[[FloatArray], FloatArray]

# Rules that pick or average pixels by index; distance does not come into it.
PICKING = ("nearest", "area", "adaptive_area", "two_tap_area", "counted_box")


@dataclass(frozen=True)
class Kernel:
    """A weight function of signed distance, in input pixels, zero beyond ``radius``.

    ``fn`` takes an array of distances and returns an array of the same shape. A
    reader's own function is welcome wherever a kernel's name is; two kernels are equal
    if their functions are one and the same.

    >>> tent = Kernel("tent", 1.0, lambda d: 1 - np.abs(d))
    >>> tent(np.array([0.0, 0.25, 1.5]))
    array([1.  , 0.75, 0.  ])
    """

    name: str
    radius: float
    fn: KernelFunction = field(hash=False)  # not every callable hashes

    def __post_init__(self) -> None:
        """Refuse a radius that is not positive and a function that is not callable."""
        checks.positive("radius", self.radius)
        if not callable(self.fn):
            raise TypeError(f"fn must be callable; got {self.fn!r}")

    def __call__(self, distance: FloatArray) -> FloatArray:
        """Return the weights at ``distance``; they must be finite real numbers."""
        # A copy: a reader's function may work in place.
        values = np.asarray(self.fn(np.array(distance, np.float64)))
        shape = np.shape(distance)
        if values.dtype.kind not in "fiub" or values.shape not in (shape, ()):
            raise ValueError(
                f"kernel {self.name!r} must return one real number for each distance: "
                f"shape {shape}; got shape {values.shape} and dtype {values.dtype}"
            )
        weight = np.where(np.abs(distance) <= self.radius, values, 0.0)
        if not np.isfinite(weight).all():
            worst = np.asarray(distance)[~np.isfinite(weight)].flat[0]
            raise ValueError(
                f"kernel {self.name!r} must be finite within its radius "
                f"{self.radius:g}; it is not at distance {worst:g}"
            )
        return weight

    def response(self, frequency: FloatArray) -> FloatArray:
        """Return what is left of a wave with ``frequency`` cycles per input pixel.

        It is the real part of the Fourier integral: all of it, for an even kernel.

        >>> round(float(kernel("linear").response(np.array(0.25))), 2)
        0.81
        """
        d = np.linspace(-self.radius, self.radius, 2001)
        waves = np.cos(2 * np.pi * np.asarray(frequency)[..., None] * d)
        return np.asarray(np.trapezoid(self(d) * waves, d, axis=-1))


@dataclass(frozen=True)
class Stretched:
    """A kernel ``stretch`` times as wide, as antialias has it.

    ``distances`` is the type in which an engine holds the distance of a tap.
    """

    kernel: Kernel
    stretch: float
    distances: str = "float64"

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.kernel.name

    @property
    def radius(self) -> float:
        """How far it reaches, in input pixels."""
        return self.kernel.radius * self.stretch

    def __call__(self, distance: FloatArray) -> FloatArray:
        """Return the weights at ``distance``, in input pixels."""
        if self.distances == "float64":
            return self.kernel(distance * (1.0 / self.stretch))
        # The engine holds the scale and inverts it twice, in float32.
        scale = np.float32(1.0 / float(np.float32(1.0 / self.stretch)))
        near = distance.astype(np.float32) * (np.float32(1) / scale)
        return self.kernel(near.astype(np.float64))


def kernel(name: str, **parameters: Any) -> Kernel:
    """Return a named kernel.

    ``cubic`` takes ``a`` (Keys' parameter, ONNX ``cubic_coeff_a``) or ``b`` and ``c``;
    ``lanczos`` takes ``lobes``; ``gaussian`` takes ``sigma`` and ``cut`` (its radius);
    ``bspline`` takes ``order``.

    >>> kernel("cubic", a=-0.75)(np.array([0.0, 0.5, 1.5]))
    array([ 1.     ,  0.59375, -0.09375])
    """
    checks.one_of("kernel", name, PARAMETERS)
    for given in parameters:
        if given not in PARAMETERS[name]:
            raise TypeError(
                f"kernel {name!r} takes "
                f"{', '.join(PARAMETERS[name]) or 'no parameter'}; "
                f"got {given}={parameters[given]!r}"
            )
    if name in FIXED:
        return FIXED[name]
    make, radius = _MADE[name]
    try:
        fn = make(**parameters)
    except TypeError:
        needed = [p for p in PARAMETERS[name] if p not in OPTIONAL]
        needs = " and ".join(needed) or "a, or b and c"
        raise TypeError(f"kernel {name!r} needs {needs}; got {parameters!r}") from None
    return Kernel(name, radius(fn), fn)


# Functions with parameters are records: two of the same parameters are equal.


def _linear(d: FloatArray) -> FloatArray:
    return 1.0 - np.abs(d)


def _box(d: FloatArray) -> FloatArray:
    # Half-open, so that a pixel on the border of two outputs counts once.
    return ((d > -0.5) & (d <= 0.5)).astype(np.float64)


def _hamming(d: FloatArray) -> FloatArray:
    # Pillow, which has this kernel, writes its two constants in float32.
    mean, swing = float(np.float32(0.54)), float(np.float32(0.46))
    weight: FloatArray = np.sinc(d) * (mean + swing * np.cos(np.pi * d))
    return weight


def _cubic(
    a: float | None = None, b: float | None = None, c: float | None = None
) -> weight_functions.Cubic:
    if a is not None and b is None and c is None:
        b, c = 0.0, -a
    elif a is not None or b is None or c is None:
        raise TypeError
    return weight_functions.Cubic(b, c)


_PLAIN: dict[str, tuple[float, KernelFunction]] = {
    "linear": (1.0, _linear),
    "box": (0.5, _box),
    "hamming": (1.0, _hamming),
    "closed_box": (0.5, weight_functions.closed_box),
    "hann": (1.0, weight_functions.hann),
    "magic_sharp": (2.5, weight_functions.magic_sharp),
    "blackman_harris": (1.5, weight_functions.blackman_harris),
    "cardinal_spline": (10.0, weight_functions.cardinal_spline),
}
FIXED = {name: Kernel(name, *said) for name, said in _PLAIN.items()}
# Of a function with parameters: what makes it, and its radius.
_MADE: dict[str, tuple[Callable[..., Any], Callable[[Any], float]]] = {
    "cubic": (_cubic, lambda f: 2.0),
    "lanczos": (weight_functions.Lanczos, lambda f: float(f.lobes)),
    "gaussian": (weight_functions.Gaussian, lambda f: f.cut),
    "bspline": (weight_functions.BSpline, lambda f: (f.order + 1) / 2),
    "windowed_sinc": (weight_functions.WindowedSinc, lambda f: f.lobes * f.blur),
    "gaussian_less_cut": (weight_functions.GaussianLessCut, lambda f: f.cut),
    # A pixel that the cut only touches counts.
    "gaussian_over_pixels": (
        weight_functions.GaussianOverPixels,
        lambda f: f.cut + 0.5,
    ),
}
_TAKEN = {name: inspect.signature(make).parameters for name, (make, _) in _MADE.items()}
# A kernel that weighs by distance, and the parameters it takes.
PARAMETERS = {**dict.fromkeys(_PLAIN, ()), **{k: tuple(p) for k, p in _TAKEN.items()}}
OPTIONAL = {
    p.name for own in _TAKEN.values() for p in own.values() if p.default != p.empty
}
KERNELS = (*PARAMETERS, *PICKING)


# What a parameter may be; one that is not named here is a number above 0.
# SciPy's splines stop at order 5, and beyond 9 rounding shows; nobody has 64 lobes.
_ALLOWED: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys("abc", checks.number),
    "lobes": partial(checks.size, most=64),
    "order": partial(checks.size, most=9),
    "taper": partial(checks.one_of, allowed=weight_functions.TAPERS),
}
FREE = ("phase", "offset", "left_out")  # of the grid that is free


def check_parameters(spec: Any) -> None:
    """Refuse a spec whose parameters are missing, idle or out of range."""
    name = spec.kernel if isinstance(spec.kernel, str) else ""
    takes = PARAMETERS.get(name, ())
    for owner, parameters in PARAMETERS.items():
        for p in parameters:
            value = getattr(spec, p)
            needed = p not in OPTIONAL
            checks.belongs(p, value, f"kernel={owner!r}", p in takes, needed)
            if value is not None:
                check = _ALLOWED.get(p) or checks.positive
                check(p, value)
    pair = (spec.b is None) + (spec.c is None)
    if name == "cubic" and (pair == 1 or (spec.a is None) == (pair == 2)):
        raise ValueError(
            "kernel='cubic' needs a (often -0.5 or -0.75), or b and c; "
            f"got a={spec.a!r}, b={spec.b!r}, c={spec.c!r}"
        )
    for p in FREE:
        value = getattr(spec, p)
        free = spec.grid == "free"
        checks.belongs(p, value, "grid='free'", free, p != "left_out")
        if value is not None:
            checks.number(p, value)
