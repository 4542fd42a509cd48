"""Run the real call of a convention, or read the operator of one of its axes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.engines.libraries import (
    LIBRARIES,
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    library,
)

ScaleLike = float | Sequence[float] | None


class SizeRefused(ValueError):  # noqa: N818 (it says what happened)
    """The engine returned other sizes than the ones asked for."""


def library_of(call: str) -> str:
    """Return the library that a real call belongs to, else LookupError.

    >>> library_of("cv2.resize")
    'opencv'
    """
    known = {call: name for name, own in LIBRARIES.items() for call in own.calls}
    if call not in known:
        raise LookupError(
            f"call must be one of {', '.join(known)}; got {call!r}"
            f"{checks.nearest_match(call, known)}"
        )
    return known[call]


def ranks(convention: Convention) -> tuple[int, int]:
    """Return the fewest and the most spatial axes that the call works on."""
    return find_call(convention).ranks(convention.arguments)


def sizes_follow(convention: Convention) -> bool:
    """Say whether the convention's own arguments hold a scale that fixes the sizes."""
    call = find_call(convention)
    arguments = convention.arguments
    return call.scale_sizes and any(
        arguments.get(key) is not None for key in call.scale_keys
    )


def find_call(convention: Convention) -> Call:
    """Return the adapter's record of the convention's call, else LookupError."""
    calls = library(convention.library).calls
    if convention.call not in calls:
        listed = ", ".join(calls)
        raise LookupError(
            f"call of {convention.library} must be one of {listed}; got "
            f"{convention.call!r}{checks.nearest_match(convention.call, calls)}"
        )
    return calls[convention.call]


def run(
    convention: Convention,
    x: Any,
    shape: int | Sequence[int] | None = None,
    scale: ScaleLike = None,
) -> Array:
    """Resize ``x`` with the real library and return what it returns.

    ``x`` has spatial axes only (W, H x W or D x H x W) and goes in with its own
    dtype; ``shape`` is the output sizes of those axes, in array order; ``scale``
    one number, or one per axis, overrides a scale among the convention's own
    arguments, and either selects the scale form of the call. The dtype of the
    result is the engine's. Raises EngineMissing if the library is not installed,
    SizeRefused if it returns other sizes than ``shape``, and whatever the engine
    itself raises.
    """
    call = find_call(convention)
    array = np.asarray(x)
    fewest, most = call.ranks(convention.arguments)
    if not 1 <= array.ndim <= most:
        raise ValueError(
            f"{convention.call} with {dict(convention.arguments)} works on "
            f"{fewest} to {most} axes; got x with {array.ndim}"
        )
    rest, given = _split(call, convention.arguments, array.ndim, scale)
    sizes = None if shape is None else _sizes(shape, array.ndim)
    if sizes is None and given is None:
        raise ValueError("give shape or scale: neither was given")
    new = max(0, fewest - array.ndim)  # axes of one pixel that keep their size
    out = call.run(
        rest,
        array.reshape((1,) * (1 + new) + array.shape),
        None if sizes is None else (1,) * new + sizes,
        None if given is None else (1.0,) * new + given,
    )
    out = out.reshape(out.shape[1 + new :])
    _same_sizes(convention, out.shape, sizes)
    return out


def matrix(
    convention: Convention,
    n_in: int,
    n_out: int | None = None,
    scale: float | None = None,
    *,
    ndim: int | None = None,
) -> NDArray[np.float64]:
    """Measure the (n_out, n_in) operator of the last axis, in one call.

    The identity goes in as one batch, or as the rows of one image where the call
    has no batch; the other axes keep their size. A vector of zeros goes along, and
    its answer (an extrapolation value) is subtracted. ``ndim`` is the number of
    spatial axes, where the call leaves a choice. Per-axis arguments count with
    their last entry. ``n_out`` may be left out where a scale gives it. Clipping to
    the input's range is not linear: it is off.
    """
    n_in = checks.size("n_in", n_in)
    call = find_call(convention)
    fewest, most = call.ranks(convention.arguments)
    axes = min(max(call.probe if ndim is None else ndim, fewest), most)
    others, given = _split(call, convention.arguments, None, scale)
    x = _basis(call, n_in, axes)
    kept = x.shape[1:-1]
    steps = None if given is None else (1.0,) * len(kept) + given[-1:]
    if n_out is None and steps is None:
        raise ValueError("give n_out or a scale: neither was given")
    sizes = None if n_out is None else (*kept, checks.size("n_out", n_out))
    rest = call.probe_arguments(others, x.shape[1:])
    out = call.run(rest, x, sizes, steps)
    _same_sizes(convention, out.shape[1:], sizes)
    if call.rows:
        exact = out[0].astype(np.float64)
    else:
        # The kept axes hold copies of one answer. Read the middle one: grid_sample's
        # float32 grid has its exact zero there and noise of 1e-7 elsewhere.
        copies = out.reshape(n_in + 1, -1, out.shape[-1])
        exact = copies[:, copies.shape[1] // 2].astype(np.float64)
    dark, lit = call.levels
    return np.ascontiguousarray((exact[:n_in] - exact[n_in]).T / (lit - dark))


def _basis(call: Call, n_in: int, axes: int) -> Array:
    """Return the unit vectors, a dark one after them: (batch, kept axes, n_in)."""
    dark, lit = call.levels
    vectors = np.full((n_in + 1, n_in), dark, call.dtype)
    np.fill_diagonal(vectors, lit)
    if call.rows:
        return vectors[None]
    spread = vectors.reshape((n_in + 1,) + (1,) * (axes - 1) + (n_in,))
    whole = (n_in + 1, *(call.kept,) * (axes - 1), n_in)
    return np.ascontiguousarray(np.broadcast_to(spread, whole))


def _split(
    call: Call, arguments: Arguments, ndim: int | None, scale: ScaleLike
) -> tuple[dict[str, Any], Scale]:
    """Part the arguments into the scale, one number an axis, and all the others."""
    rest = {k: v for k, v in arguments.items() if k not in call.scale_keys}
    own = [arguments[k] for k in call.scale_keys if arguments.get(k) is not None]
    if scale is None and own:
        if len(own) != len(call.scale_keys):
            raise ValueError(f"{' and '.join(call.scale_keys)} go together")
        scale = own[0] if len(own) == 1 else own
    if scale is None:
        return rest, None
    if np.ndim(scale) == 0:
        return rest, (float(scale),) * (ndim or 1)  # type: ignore[arg-type]
    per_axis = tuple(float(s) for s in scale)  # type: ignore[union-attr]
    while ndim is not None and len(per_axis) > ndim and per_axis[0] == 1.0:
        per_axis = per_axis[1:]  # an axis in front (a batch, a row) that x lacks
    if ndim is not None and len(per_axis) != ndim:
        raise ValueError(f"scale has {len(per_axis)} entries for {ndim} axes of x")
    return rest, per_axis


def _sizes(shape: int | Sequence[int], ndim: int) -> tuple[int, ...]:
    """Return the output sizes as a tuple of one int an axis."""
    listed = list(np.atleast_1d(np.asarray(shape, object)))
    if len(listed) != ndim:
        raise ValueError(f"shape has {len(listed)} sizes for {ndim} axes of x")
    return tuple(checks.size("shape", n) for n in listed)


def _same_sizes(convention: Convention, got: tuple[int, ...], asked: Shape) -> None:
    """Raise SizeRefused if the engine returned other sizes than asked."""
    policy = convention.arguments.get("keep_aspect_ratio_policy", "stretch")
    keeps_ratio = policy != "stretch" or convention.arguments.get(
        "preserve_aspect_ratio", False
    )
    if asked is None or got == asked or keeps_ratio:
        return
    raise SizeRefused(
        f"{convention.call} with {dict(convention.arguments)} returned {got}, "
        f"not the shape {asked} that was asked for"
    )
