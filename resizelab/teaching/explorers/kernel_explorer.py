"""The explorer "kernel": weights at a fraction, and what they do to steps and waves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from resizelab import catalog, checks
from resizelab.arrays.resizing import weights
from resizelab.axis.kernel import Kernel
from resizelab.axis.kernel import kernel as kernel_of
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.teaching import plots
from resizelab.teaching.palette import style

from .base import Explorer, Item, module, styles
from .controls import State

# Positions looked at in each input pixel; a fraction is a whole number of these.
FINE = 64
FREQUENCIES = np.arange(97) / 64  # cycles per input pixel, to 1.5

# Cubic is linear in a: these two carry every other.
ENDS = ("cubic0", "cubic-1")
NAMED: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "linear": ("linear", "linear", {}),
    "mitchell": ("Mitchell (b = c = 1/3)", "cubic", {"b": 1 / 3, "c": 1 / 3}),
    "lanczos2": ("Lanczos, 2 lobes", "lanczos", {"lobes": 2}),
    "lanczos3": ("Lanczos, 3 lobes", "lanczos", {"lobes": 3}),
    "lanczos4": ("Lanczos, 4 lobes", "lanczos", {"lobes": 4}),
    "box": ("box", "box", {}),
    "hamming": ("Hamming", "hamming", {}),
    "bspline": ("cubic B-spline", "bspline", {"order": 3}),
}
# Read in the sources, not run here: swscale's B = 0, C = 0.6 and the constant A.
READ = {"FFmpeg": -0.6, "JAI (InterpolationBicubic2)": -1.0}
STOPS = (-1.0, -0.75, -0.6, -0.5)


def users() -> dict[float, list[str]]:
    """Return who uses each a: every library once, with its plainest cubic call.

    >>> "torch" in users()[-0.75], "pillow" in users()[-0.5]
    (True, True)
    """
    plainest: dict[str, tuple[str, float]] = {}
    for name in catalog.conventions():
        spec, library = catalog.convention(name).spec, name.split(".")[0]
        if spec.kernel == "cubic" and spec.a is not None:
            other = plainest.get(library, (name, spec.a))
            plainest[library] = min((name, spec.a), other, key=lambda one: len(one[0]))
    found: dict[float, list[str]] = {}
    for library, (_, a) in plainest.items():
        found.setdefault(a, []).append(library)
    for library, a in READ.items():
        found.setdefault(a, []).append(library)
    return found


class KernelExplorer(Explorer):
    """One kernel over the pixels, another beside it, a step and waves through both.

    The fraction slides the kernels along the pixels; each pixel's weight is read off
    the curve over it.  For ``cubic`` a runs from -1.2 to 0.
    """

    _esm = module("kernel_explorer.js")
    _css = styles()
    heading = "What weighs how much?"
    caption = (
        "Slide the fraction: the curve moves over the pixels. "
        "Then slide a: the lobes, the overshoot and the waves change together."
    )
    height = (1025, 1250)

    def __init__(
        self,
        kernel: str = "cubic",
        beside: str = "cubic-0.5",
        a: float = -0.75,
        t: float = 0.25,
        own: Kernel | None = None,
        name: str = "kernel",
    ):
        if own is not None and not isinstance(own, Kernel):
            raise TypeError(f"own must be a Kernel; got {type(own).__name__}")
        self.kernels = {
            key: kernel_of(family, **parameters)
            for key, (_, family, parameters) in NAMED.items()
        }
        self.kernels |= {end: kernel_of("cubic", a=float(end[5:])) for end in ENDS}
        if own is not None:
            self.kernels["own"] = own
        # Room for the widest kernel on both sides of the step edge.
        self.n = 2 * math.ceil(max(k.radius for k in self.kernels.values())) + 4
        labels = {key: label for key, (label, _, _) in NAMED.items()}
        labels |= {"own": own.name} if own is not None else {}
        main = {"cubic": "cubic, any a", **labels}
        fixed = {f"cubic{a:g}": f"a = {_text(a)} (cubic)" for a in reversed(STOPS)}
        others = {"none": "nothing", **fixed, **labels}
        self.controls = _controls(main, others)
        checks.one_of("kernel", kernel, main)
        checks.one_of("beside", beside, others)
        start = {"kernel": kernel, "beside": beside, "a": a, "t": t}
        super().__init__(name, start, (*main, *(o for o in others if o != "none")))

    def compute(self, state: State) -> dict[str, Item]:
        """Return curve (``k|``), response (``f|``) and operator (``w|``) of both.

        The curve is sampled from -radius to radius, 64 times a pixel.  The operator
        reads ``n`` pixels at every 64th of one.
        """
        items: dict[str, Item] = {}
        for key in (state["kernel"], state["beside"]):
            if key == "none":
                continue
            for part in ENDS if key.startswith("cubic") else (key,):
                k = self.kernels[part]
                end = math.ceil(k.radius * FINE)
                items["k|" + part] = k(np.arange(-end, end + 1) / FINE)
                items["f|" + part] = k.response(FREQUENCIES)
                spec = Spec(kernel=k, grid="asymmetric")
                items["w|" + part] = weights(spec, self.n, self.n * FINE)
        return items

    def states(self) -> Iterable[State]:
        """Return every kernel, each once."""
        names = [k for k in self.kernels if k not in ENDS]
        return ({"kernel": k, "beside": "cubic0"} for k in names)

    def shown(self) -> dict[str, Kernel]:
        """Return the kernels of the present state, by the words for them."""
        found = {}
        for key in dict.fromkeys((self.state["kernel"], self.state["beside"])):
            if key.startswith("cubic"):
                a = self.state["a"] if key == "cubic" else float(key[5:])
                found[f"a = {_text(a)} (cubic)"] = kernel_of("cubic", a=a)
            elif key != "none":
                found[NAMED[key][0] if key in NAMED else key] = self.kernels[key]
        return found

    def sentence(self) -> str:
        """Return the weights at the starting fraction."""
        t = round(self.state["t"] * FINE) / FINE
        said = []
        for label, k in self.shown().items():
            first = math.floor(t - k.radius) + 1
            pixels = np.arange(first, math.ceil(t + k.radius))
            w = self._row(k, t)
            numbers = ", ".join(f"{w[p]:.4f}" for p in pixels)
            said.append(f"{label}: pixels {pixels[0]} to {pixels[-1]} weigh {numbers}.")
        return f"At {t:g} of a pixel after pixel 0. " + " ".join(said)

    def _row(self, k: Kernel, t: float) -> Mapping[int, float]:
        base = self.n // 2 - 1
        operator = weights(Spec(kernel=k, grid="asymmetric"), self.n, self.n * FINE)
        row: FloatArray = operator.dense()[round((base + t) * FINE)]
        return {j - base: float(w) for j, w in enumerate(row)}

    def figure(self) -> Any:
        """Return the starting state: curves at the left, responses at the right."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.0, 2.4), layout="constrained")
        left, right = figure.subplots(1, 2)
        keys = dict.fromkeys((self.state["kernel"], self.state["beside"]))
        looks = [style(key) for key in keys if key != "none"]
        for (label, k), look in zip(self.shown().items(), looks, strict=False):
            plots.kernel(k, name=label, ax=left, color=look.light)
            plots.response(k, name=label, ax=right, color=look.light)
        right.legend()
        return figure


def kernel(
    kernel: str = "cubic",
    beside: str = "cubic-0.5",
    a: float = -0.75,
    t: float = 0.25,
    own: Kernel | None = None,
    name: str = "kernel",
) -> KernelExplorer:
    """Show a kernel's weights at fraction ``t``, and what they do to steps and waves.

    ``own`` adds a kernel of the reader's; ``kernel="own"`` starts with it.
    """
    return KernelExplorer(kernel, beside, a, t, own, name)


def _text(a: float) -> str:
    return f"{a:g}".replace("-", "−")  # noqa: RUF001  (a true minus)


def _controls(
    main: Mapping[str, str], others: Mapping[str, str]
) -> tuple[Mapping[str, Any], ...]:
    who, span = users(), {"kind": "range", "wide": True}
    every = sorted(who)
    hint = "How far past input pixel 0 an output reads."
    return (
        {
            **span, "key": "a", "label": "a (cubic)", "min": -1.2, "max": 0,
            "step": 0.01, "stops": {_text(a): a for a in STOPS},
            "hint": "; ".join(f"{_text(a)}: {', '.join(who[a])}" for a in every) + ".",
        },
        {
            **span, "key": "t", "label": "fraction", "min": 0, "max": 1,
            "step": 1 / FINE, "hint": hint,
        },
        {"key": "kernel", "kind": "choice", "label": "kernel", "options": dict(main)},
        {"key": "beside", "kind": "choice", "label": "beside", "options": dict(others)},
    )  # fmt: skip
