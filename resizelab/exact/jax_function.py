"""A resize as a JAX function: products of constants, differentiable, under jit."""

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from resizelab.exact import applying
from resizelab.exact.separable import Separable

JAX = applying.Library(
    take=lambda x, index, axis: jnp.take(x, index, axis),
    matmul=lambda a, b: jnp.matmul(a, b, precision="highest"),
    moveaxis=jnp.moveaxis,
    minimum=jnp.minimum,
    maximum=jnp.maximum,
    where=jnp.where,
    least=jnp.min,
    largest=jnp.max,
)


def function(
    resize: Separable, axes: Sequence[int] | None = None, form: str = "cheaper"
) -> Callable[[Any], Any]:
    """Return ``f(x)``; half precision is computed in float32 and rounded once."""
    made = applying.steps(resize, axes, form)

    def resized(x: Any) -> Any:
        kind = jnp.promote_types(x.dtype, jnp.float32)
        native = []
        for step in made:
            arrays = {
                name: jnp.asarray(a, jnp.int32 if name == "index" else kind)
                for name, a in step.arrays.items()
            }
            native.append(applying.Step(step.axis, arrays))
        y = applying.apply(JAX, native, x.astype(kind), resize.clip, resize.fill)
        return y.astype(x.dtype)

    return resized
