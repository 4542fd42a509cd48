"""Weight as a function of distance, with the radius beyond which it is zero."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.checks import FloatArray

KernelFunction = Callable[[FloatArray], FloatArray]

# A kernel that weighs by distance, and the parameters it takes.
PARAMETERS: dict[str, tuple[str, ...]] = {
    "linear": (),
    "cubic": ("a", "b", "c"),
    "box": (),
    "hamming": (),
    "lanczos": ("lobes",),
    "gaussian": ("sigma", "cut"),
    "bspline": ("order",),
}
# Rules that pick or average pixels by index; distance does not come into it.
PICKING = ("nearest", "area", "adaptive_area", "two_tap_area", "counted_box")
KERNELS = (*PARAMETERS, *PICKING)


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
    try:
        return _BUILDERS[name](**parameters)
    except TypeError:
        raise TypeError(
            f"kernel {name!r} needs {_NEEDS[name]}; got {parameters!r}"
        ) from None


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


@dataclass(frozen=True)
class _Cubic:
    b: float
    c: float

    def __call__(self, d: FloatArray) -> FloatArray:
        # Mitchell and Netravali 1988, eq. 8; Keys 1981, eq. 4 is b = 0, c = -a.
        b, c, t = self.b, self.c, np.abs(d)
        near = (6 - 2 * b, -18 + 12 * b + 6 * c, 12 - 9 * b - 6 * c)
        far = (8 * b + 24 * c, -12 * b - 48 * c, 6 * b + 30 * c, -b - 6 * c)
        inner = near[0] + t * t * (near[1] + t * near[2])
        outer = far[0] + t * (far[1] + t * (far[2] + t * far[3]))
        return np.where(t <= 1, inner, outer) / 6


@dataclass(frozen=True)
class _Lanczos:
    lobes: int

    def __call__(self, d: FloatArray) -> FloatArray:
        return np.sinc(d) * np.sinc(d / self.lobes)


@dataclass(frozen=True)
class _Gaussian:
    sigma: float
    cut: float

    def __call__(self, d: FloatArray) -> FloatArray:
        # Open at the cut: a tap exactly there has weight zero.
        bell = np.exp(-0.5 * (d / self.sigma) ** 2)
        return np.where(np.abs(d) < self.cut, bell, 0.0)


@dataclass(frozen=True)
class _BSpline:
    order: int

    def __call__(self, d: FloatArray) -> FloatArray:
        # The cardinal B-spline as a sum of shifted powers (Unser 1999, eq. 2).
        half = (self.order + 1) / 2
        t = half - np.abs(d)
        total = np.zeros_like(t)
        for k in range(math.ceil(half)):
            term = np.maximum(t - k, 0.0) ** self.order
            total += (-1) ** k * math.comb(self.order + 1, k) * term
        return total / math.factorial(self.order)


def _cubic(
    a: float | None = None, b: float | None = None, c: float | None = None
) -> Kernel:
    if a is not None and b is None and c is None:
        b, c = 0.0, -a
    elif a is not None or b is None or c is None:
        raise TypeError
    return Kernel("cubic", 2.0, _Cubic(b, c))


FIXED = {
    "linear": Kernel("linear", 1.0, _linear),
    "box": Kernel("box", 0.5, _box),
    "hamming": Kernel("hamming", 1.0, _hamming),
}
_BUILDERS: dict[str, Callable[..., Kernel]] = {
    "cubic": _cubic,
    "lanczos": lambda lobes: Kernel("lanczos", float(lobes), _Lanczos(lobes)),
    "gaussian": lambda sigma, cut: Kernel("gaussian", cut, _Gaussian(sigma, cut)),
    "bspline": lambda order: Kernel("bspline", (order + 1) / 2, _BSpline(order)),
}
_NEEDS = {
    "cubic": "a, or b and c",
    "lanczos": "lobes",
    "gaussian": "sigma and cut",
    "bspline": "order",
}
