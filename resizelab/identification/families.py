"""Kernel families with free parameters, and where a fit of each starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from resizelab.axis import Kernel
from resizelab.axis.kernel import PARAMETERS, kernel
from resizelab.axis.weight_functions import TAPERS
from resizelab.checks import FloatArray

BLURRED = (0.05, 20.0)  # sigma, in pixels, that a fit may try
SIGMAS = 4.0  # a Gaussian is cut there, or at one of these distances
CUTS = (1.0, 1.25, 1.5, 2.0)
BOXES = ("box", "closed_box")
STEEP = (*BOXES, "nearest")  # no slope tells a fit where to go
LOBES = (2, 3, 4, 5)
OWN = ("none", "lanczos")  # no taper, and that of the kernel of its name


@dataclass(frozen=True)
class Family:
    """A kernel's name, its fixed parameters, and those to fit with where they start."""

    name: str
    start: Mapping[str, float] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    prefiltered: bool = False

    @property
    def scales(self) -> bool:
        """Whether another width is another kernel, that a fit can tell."""
        return not (self.name == "area" or "sigma" in self.start or self.prefiltered)

    def kernel(self, values: Sequence[float], step: float, factor: float) -> Kernel:
        """Return the kernel for values of the free parameters, ``factor`` as wide."""
        given = dict(zip(self.start, map(float, values), strict=True))
        if self.name == "area":  # what of a pixel lies in an output's cell
            return Kernel("area", step / 2 + 0.5, lambda d: overlap(d, step))
        if "sigma" in given:
            sigma = float(np.clip(given["sigma"], *BLURRED))
            given = {"sigma": sigma, "cut": SIGMAS * sigma}
        k = kernel(self.name, **{**given, **self.fixed})
        return Kernel(k.name, k.radius * factor, lambda d: k.fn(d / factor))


# Simple families first: one with more parameters must explain clearly more.
FAMILIES = (
    *(Family(k) for k, takes in PARAMETERS.items() if not takes and k not in STEEP),
    Family("area"),
    *(Family("lanczos", fixed={"lobes": lobes}) for lobes in LOBES),
    Family("cubic", {"a": -0.6}),
    *(Family("bspline", fixed={"order": k}) for k in (2, 3)),
    *(Family("bspline", fixed={"order": k}, prefiltered=True) for k in (2, 3, 4, 5)),
    *(Family("gaussian", {"sigma": 0.5}, {"cut": cut}) for cut in CUTS),
    Family("gaussian_less_cut", {"sigma": 0.5}, {"cut": 2.0}),
    Family("gaussian", {"sigma": 0.6}),
    Family("cubic", {"b": 0.3, "c": 0.3}),
    *(
        Family("windowed_sinc", fixed={"lobes": lobes, "taper": taper})
        for lobes, taper in product(LOBES, TAPERS)
        if taper not in OWN
    ),
)


def overlap(d: FloatArray, width: float) -> FloatArray:
    """Return how much of a pixel at distance ``d`` lies in a cell of ``width``.

    >>> overlap(np.array([0.0, 1.0, 2.0]), 2.0)
    array([1. , 0.5, 0. ])
    """
    low, high = np.maximum(d - 0.5, -width / 2), np.minimum(d + 0.5, width / 2)
    shared: FloatArray = np.maximum(high - low, 0.0)
    return shared
