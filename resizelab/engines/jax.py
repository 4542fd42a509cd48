"""JAX: ``jax.image.resize`` and ``jax.image.scale_and_translate``, on the CPU."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    any_rank,
    needs_shape,
    no_scale,
    ratio,
)
from resizelab.engines.libraries import Library, load, register

register(Library("jax", __name__, "jax", "jax"))

RESIZE = "jax.image.resize"
TRANSLATE = "jax.image.scale_and_translate"


@contextmanager
def _on_cpu() -> Iterator[Any]:
    """Give ``jax`` with the CPU as its device, compiled as a plain call compiles it.

    A new pair of sizes costs a compilation, 30 to 100 ms; without jit each of its
    operations would be compiled by itself, which takes five times as long.
    """
    jax = load("jax", "jax")
    with jax.default_device(jax.devices("cpu")[0]):
        yield jax


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resize the spatial axes; JAX keeps float64 only where x64 is enabled."""
    no_scale(RESIZE, scale)
    size = needs_shape(RESIZE, shape)
    with _on_cpu() as jax:
        y = jax.image.resize(jax.numpy.asarray(x), (len(x), *size), **dict(arguments))
        return np.asarray(y)


def scale_and_translate(
    arguments: Arguments, x: Array, shape: Shape, scale: Scale
) -> Array:
    """Scale, then move, each spatial axis; neither given means n_out / n_in and 0."""
    size = needs_shape(TRANSLATE, shape)
    axes = len(size)
    options = dict(arguments)
    moves = np.broadcast_to(options.pop("translation", 0.0), (axes,))
    factors = scale if scale is not None else ratio(x, size)
    with _on_cpu() as jax:
        y = jax.image.scale_and_translate(
            jax.numpy.asarray(x),
            (len(x), *size),
            tuple(range(1, axes + 1)),
            jax.numpy.asarray(factors, dtype="float32"),
            jax.numpy.asarray(moves, dtype="float32"),
            **options,
        )
        return np.asarray(y)


def _move_of_last_axis(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Keep the translation of the last axis only."""
    if "translation" not in arguments:
        return arguments
    last = float(np.ravel(arguments["translation"])[-1])
    return {**arguments, "translation": (0.0,) * (len(shape) - 1) + (last,)}


CALLS = {
    RESIZE: Call(resize, any_rank, probe=1),
    TRANSLATE: Call(
        scale_and_translate,
        any_rank,
        probe=1,
        scale_keys=("scale",),
        scale_sizes=False,
        probe_arguments=_move_of_last_axis,
    ),
}
