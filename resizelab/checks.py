"""Say what is wrong with a value: which parameter, what came, what is allowed."""

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
IndexArray = NDArray[np.intp]

MOST_WEIGHTS = 2**25  # of one operator: a kernel that fits its axis has far fewer
FLAGS = (bool, np.bool_)
LARGEST_SIZE = 2**31 - 1  # the engines index with 32 bits; beyond it a size is a slip


def nearest_match(value: object, allowed: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for a near miss, else an empty string.

    >>> nearest_match("half_pixle", ["half_pixel", "asymmetric"])
    "; did you mean 'half_pixel'?"
    """
    import difflib  # only errors pay for this import

    found = difflib.get_close_matches(str(value), list(allowed), n=1, cutoff=0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


def one_of(
    parameter: str,
    value: object,
    allowed: Iterable[str],
    elsewhere: Mapping[str, str] | None = None,
) -> str:
    """Return ``value`` if it is one of ``allowed``, else raise ValueError.

    ``elsewhere`` gives our name for what other libraries call by another.
    """
    names = tuple(allowed)
    if isinstance(value, str) and value in names:
        return value
    listed = ", ".join(repr(name) for name in names)
    hint = nearest_match(value, names)
    if elsewhere and isinstance(value, str) and value in elsewhere:
        hint = f"; it is called {elsewhere[value]!r} here"
    raise ValueError(f"{parameter} must be one of {listed}; got {value!r}{hint}")


def flag(parameter: str, value: object) -> bool:
    """Return ``value`` if it is True or False, else raise TypeError."""
    if isinstance(value, FLAGS):
        return bool(value)
    raise TypeError(f"{parameter} must be True or False; got {value!r}")


def a(parameter: str, value: Any, kind: Any) -> Any:
    """Return ``value`` if it is of a kind, else raise TypeError.

    >>> a("name", 3, str)
    Traceback (most recent call last):
        ...
    TypeError: name must be a str; got 3
    """
    if isinstance(value, kind):
        return value
    names = [one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,))]
    article = "an" if names[0][0] in "AEIOUaeiou" else "a"
    raise TypeError(
        f"{parameter} must be {article} {' or '.join(names)}; got {value!r}"
    )


def size(parameter: str, value: Any, most: int = LARGEST_SIZE) -> int:
    """Return ``value`` as an int from 1 to ``most``, else raise.

    >>> size("n_in", 4)
    4
    """
    if isinstance(value, FLAGS):
        raise TypeError(f"{parameter} must be a whole number of pixels; got {value!r}")
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{parameter} must be a whole number of pixels (an int); got {value!r}"
        ) from None
    if not 1 <= found <= most:
        raise ValueError(f"{parameter} must be from 1 to {most}; got {value!r}")
    return found


def number(parameter: str, value: Any) -> float:
    """Return ``value`` as a finite float, else raise TypeError or ValueError."""
    if isinstance(value, (*FLAGS, str, bytes)):
        raise TypeError(f"{parameter} must be a number; got {value!r}")
    real: float = made(parameter, value, float, "be a number")
    if not math.isfinite(real):
        raise ValueError(f"{parameter} must be finite; got {value!r}")
    return real


def positive(parameter: str, value: Any) -> float:
    """Return ``value`` as a finite float above zero, else raise."""
    real = number(parameter, value)
    if real <= 0:
        raise ValueError(f"{parameter} must be greater than 0; got {value!r}")
    return real


def not_negative(parameter: str, value: Any) -> float:
    """Return ``value`` as a finite float of 0 or more, else raise."""
    real = number(parameter, value)
    if real < 0:
        raise ValueError(f"{parameter} must be 0 or more; got {value!r}")
    return real


def pair(parameter: str, value: Any) -> tuple[float, float]:
    """Return ``value`` as two finite floats, else raise."""
    given = value if isinstance(value, (tuple, list, np.ndarray)) else ()
    if len(given) != 2 or any(isinstance(n, (Sequence, np.ndarray)) for n in given):
        raise ValueError(f"{parameter} must be two numbers; got {value!r}")
    return number(parameter, value[0]), number(parameter, value[1])


def weights(n_out: int, taps: float, what: str) -> None:
    """Refuse an operator with more weights than any axis has a use for."""
    if not n_out * taps <= MOST_WEIGHTS:
        raise ValueError(
            f"{what} makes {taps:g} weights for each of {n_out} outputs; an axis may "
            f"have up to {MOST_WEIGHTS} in all"
        )


def made(parameter: str, value: Any, make: Callable[[Any], Any], what: str) -> Any:
    """Return what a type makes of ``value``, else raise TypeError.

    >>> made("sizes", [4, 8], tuple, "be a sequence")
    (4, 8)
    """
    try:
        return make(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{parameter} must {what}; got {value!r}") from None


def each(parameter: str, value: Any, check: Callable[[str, Any], Any]) -> Any:
    """Return the entries of a sequence as a tuple, each through one of these checks."""
    entries = made(parameter, value, tuple, "be a sequence")
    return tuple(check(parameter, entry) for entry in entries)


def whole(parameter: str, value: Any) -> int:
    """Return ``value`` if it is an int, else raise TypeError."""
    return a(parameter, value, (int, np.integer))  # type: ignore[no-any-return]


def in_order(axes: Any, ndim: int) -> bool:
    """Say whether ``axes`` are all axes of an array, by name and in order."""
    given = [k for k in listed(axes) if isinstance(k, (int, np.integer))]
    return given == list(range(ndim))


def sizes(parameter: str, value: Any, count: int | None = None) -> tuple[int, ...]:
    """Return ``value`` as ``count`` sizes from 1 up, else raise."""
    found: tuple[int, ...] = each(parameter, value, size)
    if count not in (None, len(found)):
        raise ValueError(f"{parameter} must be {count} sizes; got {value!r}")
    return found


def numbers(parameter: str, value: Any, ndim: int | None = None) -> FloatArray:
    """Return ``value`` as an array of float64, of ``ndim`` axes, else raise."""
    array: FloatArray = made(parameter, value, np.float64, "hold numbers")
    if ndim not in (None, np.ndim(array)):
        raise ValueError(f"{parameter} must have {ndim} axes; got {np.shape(array)}")
    return np.asarray(array)


def array(parameter: str, value: Any) -> NDArray[Any]:
    """Return ``value`` as an array, else raise TypeError."""
    return np.asarray(made(parameter, value, np.asarray, "be an array, rows alike"))


def listed(value: Any) -> tuple[Any, ...]:
    """Return the entries of a sequence, or of one value that value alone.

    >>> listed([4, 8]), listed(4)
    ((4, 8), (4,))
    """
    if isinstance(value, np.ndarray):
        return tuple(value) if value.ndim else (value.item(),)
    several = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    return tuple(value) if several else (value,)


def last_axis(parameter: str, value: Any, count: int, one: bool = False) -> FloatArray:
    """Return ``value`` as floats of shape (..., count), else raise ValueError.

    With ``one``, the shape is (count,).
    """
    array = numbers(parameter, value)
    if array.shape[-1:] != (count,) or (one and array.ndim != 1):
        shape = f"({count},)" if one else f"(..., {count})"
        raise ValueError(f"{parameter} must have shape {shape}; got {array.shape}")
    return array


def belongs(
    parameter: str, value: object, owner: str, applies: bool, needed: bool = True
) -> None:
    """Refuse a value that does not apply, and a missing one that does."""
    if value is not None and not applies:
        raise ValueError(
            f"{parameter} goes with {owner} and only with it; got {parameter}={value!r}"
        )
    if value is None and applies and needed:
        raise ValueError(f"{owner} needs {parameter}; got {parameter}=None")


def axis_numbers(axes: Any, shape: Any, shape_in: Sequence[int]) -> tuple[int, ...]:
    """Return the axes to resize, counted from 0, in the order of ``shape``."""
    ndim = len(shape_in)
    if axes is None:
        numbers = tuple(range(ndim))
        each = f"the {ndim} axes of x, or come with axes=…"
    else:
        numbers, each = _counted(axes, ndim), f"axes={axes!r}"
    if shape is not None and len(listed(shape)) != len(numbers):
        raise ValueError(f"shape must have one size for each of {each}; got {shape=!r}")
    for axis in numbers:
        if shape_in[axis] == 0:
            raise ValueError(
                f"axis {axis} of x is empty (shape {tuple(shape_in)}): nothing to read"
            )
    return numbers


def _counted(axes: Any, ndim: int) -> tuple[int, ...]:
    numbers = []
    for axis in listed(axes):
        if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
            raise TypeError(f"axes must be ints; got {axis!r} in axes={axes!r}")
        if not -ndim <= axis < ndim:
            raise ValueError(
                f"axes must be from {-ndim} to {ndim - 1} for x with {ndim} axes; "
                f"got axes={axes!r}"
            )
        numbers.append(int(axis) % ndim)
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"axes must differ; got axes={axes!r}")
    return tuple(numbers)
