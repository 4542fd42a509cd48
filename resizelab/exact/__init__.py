"""An operator inside torch, Keras, JAX, ONNX: what you measured, on any back end.

A resize is a matrix, so a graph that holds the matrix computes the same numbers
wherever it runs. Read `separable` first (a convention as one operator an axis), then
`axis.native` (a matrix product, or taps, in any array library). `onnx` mends a model
file, `whole` holds the byte kernels.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from resizelab.axis import native
from resizelab.catalog.finding import Wanted, settled
from resizelab.engines import load
from resizelab.exact.in_onnx import Exact, Replaced, onnx
from resizelab.exact.separable import Separable, Size, separable, sized
from resizelab.exact.two_axes import WholeWeights
from resizelab.exact.whole import model as byte_model
from resizelab.exact.whole import whole_weights

__all__ = [
    "Exact",
    "Replaced",
    "Separable",
    "WholeWeights",
    "byte_model",
    "jax",
    "keras",
    "onnx",
    "separable",
    "torch",
    "whole_weights",
]


def torch(
    convention: Wanted,
    size_in: Size,
    size_out: Size | None = None,
    *,
    axes: Sequence[int] | None = None,
    form: str = "cheaper",
    **choices: Any,
) -> Any:
    """Return a `torch.nn.Module` that computes a convention at one pair of sizes.

    Parameters
    ----------
    convention, size_in, size_out
        As in `separable`: any float convention of the table.
    axes : sequence of int, optional
        Which axes, counted from the end; the last ones by default (NCHW).
    form : str
        ``cheaper`` (a rule that was measured, see `axis.native.by_taps`), ``matmul`` or
        ``taps``.
    choices
        ``scale`` and ``dtype``, as in `separable`.

    Raises ImportError without torch, ValueError for sizes that do not fit, and for a
    convention that rounds its results.

    >>> import torch as framework
    >>> half = torch("opencv.linear", 4, 8)
    >>> half(framework.tensor([0.0, 10.0, 20.0, 30.0])).tolist()
    [0.0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30.0]
    """
    native = getattr(load("torch", "torch"), choices.get("dtype", "float32"))
    from resizelab.exact.torch_module import Resize

    made = separable(convention, size_in, size_out, **choices)
    return Resize(made, axes, form, native)


def keras(
    convention: Wanted,
    size_in: Size,
    size_out: Size | None = None,
    *,
    axes: Sequence[int] | None = None,
    form: str = "cheaper",
    name: str | None = None,
    **choices: Any,
) -> Any:
    """Return a `keras.layers.Layer`; the parameters are those of `torch`.

    ``axes`` are height and width of (batch, height, width, channels) by default. A
    model that holds the layer can be saved; to load it, import `resizelab.exact`'s
    Keras layer first: ``import resizelab.exact.keras_layer``.
    """
    load("keras", "keras")
    from resizelab.exact.keras_layer import Resize

    row, before = settled(convention), sized("size_in", size_in)
    places = range(-len(before) - 1, -1) if axes is None else axes
    return Resize(row, before, size_out, places, form, choices, name=name)


def jax(
    convention: Wanted,
    size_in: Size,
    size_out: Size | None = None,
    *,
    axes: Sequence[int] | None = None,
    form: str = "cheaper",
    **choices: Any,
) -> Callable[[Any], Any]:
    """Return a function of a JAX array; the parameters are those of `torch`.

    >>> import jax.numpy as jnp
    >>> jax("opencv.linear", 4, 8)(jnp.arange(4.0)).tolist()
    [0.0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.0]
    """
    load("jax", "jax")
    made = separable(convention, size_in, size_out, **choices)
    return partial(made.apply, native.library("jax"), made.steps(axes, form))
