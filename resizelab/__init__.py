"""Resize Lab: a resize of one axis is a matrix, and a framework is a choice of it.

>>> import numpy as np
>>> import resizelab as rl
>>> rl.weights(rl.Spec(), 4, 8) @ np.array([0.0, 10.0, 20.0, 30.0])
array([ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ])
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from resizelab.arrays import resizing, tensors
from resizelab.arrays.sizes import Axes, Scale, Shape, output_size
from resizelab.axis import Convention, Grid, Kernel, Spec, Weights, native

if TYPE_CHECKING:
    from collections.abc import Callable

    from resizelab.catalog.translation import Translation
    from resizelab.diagnosis.result import Diagnosis
    from resizelab.identification.report import Report
    from resizelab.pipelines.pipeline import Pipeline

__version__ = "0.2.0"
__all__ = [
    "Convention",
    "Grid",
    "Kernel",
    "Pipeline",
    "Spec",
    "Weights",
    "convention",
    "conventions",
    "find",
    "identify",
    "output_size",
    "resize",
    "translate",
    "weights",
    "why",
]

Wanted = Spec | Convention | str | None


def __getattr__(name: str) -> Any:
    """Return `Pipeline`, whose room is read when it is first asked for."""
    if name == "Pipeline":
        from resizelab.pipelines.pipeline import Pipeline

        return Pipeline
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def conventions() -> tuple[str, ...]:
    """Return the names of all recorded conventions, in table order."""
    from resizelab import catalog  # the table is read when first asked for

    return catalog.conventions()


def convention(name: str) -> Convention:
    """Return a recorded convention by its name, else raise LookupError."""
    from resizelab import catalog

    return catalog.convention(name)


def find(call: str, /, *values: Any, **arguments: Any) -> Convention:
    """Return the convention of a real call; see `resizelab.catalog.find`."""
    from resizelab import catalog

    return catalog.find(call, *values, **arguments)


def identify(
    resizer: "Callable[..., Any] | None" = None,
    *,
    n_in: "int | tuple[int, int] | None" = None,
    n_out: "int | tuple[int, int] | None" = None,
    x: Any = None,
    y: Any = None,
    layout: str | None = None,
) -> "Report":
    """Return which conventions a resizer, or one input and output, agrees with.

    ``identify(f)`` asks ``f(x, shape)``; with ``n_in``, ``f(x)`` of fixed sizes;
    ``identify(x=…, y=…)`` looks at a pair. The report names the conventions that give
    the same numbers, or the fitted ideas and the nearest one; see
    `resizelab.identification.naming`.
    """
    from resizelab.identification import naming

    return naming.identify(resizer, n_in=n_in, n_out=n_out, x=x, y=y, layout=layout)


def translate(convention: Wanted, to: str) -> "Translation":
    """Return the same resize as another framework's call; `print` it.

    Raises `resizelab.catalog.NotExpressible` where there is none; see
    `resizelab.catalog.translate`.
    """
    from resizelab import catalog

    settled = _settled(convention)
    if isinstance(settled, Spec):
        settled = Convention(name="this spec", spec=settled)
    return catalog.translate(settled, to)


def resize(
    x: Any,
    shape: Shape = None,
    spec: Wanted = None,
    *,
    axes: Axes = None,
    scale: Scale = None,
) -> Any:
    """Return ``x`` resized; ``spec`` may be a convention's name.

    >>> resize([0.0, 10.0, 20.0, 30.0], (8,), Spec(grid="asymmetric"))
    array([ 0.,  5., 10., 15., 20., 25., 30., 30.])

    Arrays of torch, JAX and CuPy give their own back. All parameters and errors:
    `resizelab.arrays.resizing.resize`.
    """
    library = None if type(x) is np.ndarray else native.library_of(x)
    if library is not None:
        return tensors.resize(library, x, (shape, spec, axes, scale), _ready)
    spec = spec if isinstance(spec, Spec) else _settled(spec)
    return resizing.resize(x, shape, spec, axes=axes, scale=scale)


def weights(
    spec: Wanted,
    n_in: int,
    n_out: int,
    scale: float | None = None,
    roi: tuple[float, float] | None = None,
) -> Weights:
    """Return the operator of one axis; ``spec`` may be a convention's name.

    >>> weights(Spec(), 4, 8).centroids()
    array([0.  , 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.  ])
    """
    return resizing.weights(_settled(spec), n_in, n_out, scale, roi)


def why(
    ref: Any, got: Any, stride: int | float | None = None, *, layout: str | None = None
) -> "Diagnosis":
    """Return why two outputs of one model differ; see `resizelab.diagnosis.why`."""
    from resizelab.diagnosis import why as diagnosis

    return diagnosis.why(ref, got, stride, layout=layout)


@native.settled_once
def _ready(here: Any, before: Any, shape: Shape, spec: Wanted, *rest: Any) -> Any:
    return resizing.ready(here, before, shape, _settled(spec), *rest)


def _settled(spec: Wanted) -> Spec | Convention:
    if spec is None:
        return Spec()
    if isinstance(spec, str):
        return convention(spec)
    if isinstance(spec, (Spec, Convention)):
        return spec
    raise TypeError(
        "spec must be a Spec, a Convention or a convention's name; "
        f"got {type(spec).__name__}"
    )
