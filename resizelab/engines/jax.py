"""JAX: ``jax.image.resize`` and ``jax.image.scale_and_translate``, on the CPU."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from resizelab.engines.libraries import (
    ANY_RANK,
    Arguments,
    Array,
    Factors,
    Library,
    Sizes,
)

LIBRARY = Library("jax", "jax", "jax")


@contextmanager
def _on_cpu() -> Iterator[Any]:
    """Give ``jax`` with the CPU as its device, compiled as a plain call compiles it.

    A new pair of sizes costs a compilation, 30 to 100 ms; without jit each of its
    operations would be compiled by itself, which takes five times as long.
    """
    jax = LIBRARY.load("jax")
    with jax.default_device(jax.devices("cpu")[0]):
        yield jax


@LIBRARY.call("jax.image.resize", axes=ANY_RANK, probe=1)
def resize(x: Array, size: Sizes, **options: Any) -> Array:
    """Resize the spatial axes; JAX keeps float64 only where x64 is enabled."""
    with _on_cpu() as jax:
        y = jax.image.resize(jax.numpy.asarray(x), (len(x), *size), **options)
        return np.asarray(y)


def _move_of_last_axis(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Keep the translation of the last axis only."""
    if "translation" not in arguments:
        return arguments
    last = float(np.ravel(arguments["translation"])[-1])
    return {**arguments, "translation": (0.0,) * (len(shape) - 1) + (last,)}


@LIBRARY.call(
    "jax.image.scale_and_translate",
    takes="both",
    scale_keys=("scale",),
    scale_sizes=False,
    probe_arguments=_move_of_last_axis,
    axes=ANY_RANK,
    probe=1,
)
def scale_and_translate(
    x: Array, size: Sizes, factors: Factors, translation: Any = 0.0, **options: Any
) -> Array:
    """Scale, then move, each spatial axis; neither given means n_out / n_in and 0."""
    moves = np.broadcast_to(translation, (len(size),))
    with _on_cpu() as jax:
        y = jax.image.scale_and_translate(
            jax.numpy.asarray(x),
            (len(x), *size),
            tuple(range(1, len(size) + 1)),
            jax.numpy.asarray(factors, dtype="float32"),
            jax.numpy.asarray(moves, dtype="float32"),
            **options,
        )
        return np.asarray(y)
