"""How each kind of argument is taken, as people write it, and checked.

A parameter of a call names its kind in its annotation. A kind takes the parameter's
name and the value as given, and returns it as Python writes it: no NumPy scalar, no
array, no member of an enumeration; or it raises TypeError or ValueError.
"""

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args

import numpy as np

from resizelab import checks

Kind = Callable[[str, Any], Any]


# Kinds of which a row holds one example: a scale, a region.
EXAMPLES: set[Kind] = set()


def plain(value: Any) -> Any:
    """Return a value without NumPy's scalars and arrays, tensors and tuples.

    >>> plain((np.float32(2), np.array([1, 2])))
    [2.0, [1, 2]]
    """
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if hasattr(value, "__array__") and not isinstance(value, type):
        return np.asarray(value).tolist()
    return value


def flag(parameter: str, value: Any) -> bool:
    """Take True or False, NumPy's too."""
    return checks.flag(parameter, value)


def truth(parameter: str, value: Any) -> bool:
    """Take a flag of a library that asks for any truth value: 0 and 1 are flags too."""
    value = plain(value)
    return bool(value) if value in (0, 1) else checks.flag(parameter, value)


def bit(parameter: str, value: Any) -> int:
    """Take a flag that is an int: 0 or 1."""
    value = plain(value)
    if isinstance(value, int) and value in (0, 1):
        return int(value)
    raise ValueError(f"{parameter} must be 0 or 1; got {value!r}")


def number(parameter: str, value: Any) -> float:
    """Take a finite number; a whole one stays an int."""
    value = plain(value)
    real = checks.number(parameter, value)
    return value if isinstance(value, int) else real


def positive(parameter: str, value: Any) -> float:
    """Take a finite number above 0."""
    checks.positive(parameter, plain(value))
    return number(parameter, value)


def whole(parameter: str, value: Any) -> int:
    """Take an int."""
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{parameter} must be a whole number; got {value!r}")
    return value


@dataclass(frozen=True)
class OneOf:
    """The kind that takes one of ``names``.

    A member of an enumeration counts by its value or its name, a function by its
    name, an int by its place in ``numbers``.
    """

    names: tuple[str, ...]
    numbers: tuple[str, ...] = ()

    def __call__(self, parameter: str, value: Any) -> str:
        """Return the name that ``value`` means."""
        value = plain(value)
        if isinstance(value, int) and not isinstance(value, bool) and self.numbers:
            if 0 <= value < len(self.numbers) and self.numbers[value]:
                return self.numbers[value]
            raise ValueError(
                f"{parameter} must be 0 to {len(self.numbers) - 1} or a flag's name; "
                f"got {value!r}"
            )
        for said in _names_of(value):
            if said in self.names:
                return str(said)
        return checks.one_of(parameter, value, self.names)


def one_of(names: Iterable[str], numbers: Iterable[str] = ()) -> OneOf:
    """Return the kind that takes one of ``names``, or a place in ``numbers``."""
    return OneOf(tuple(names), tuple(numbers))


def _names_of(value: Any) -> list[Any]:
    """Return what a flag may be called: as it is, then as a member or a function."""
    if isinstance(value, enum.Enum):
        name = value.name
        return [value.value, name, name.lower().replace("_", "-")]
    return [value if isinstance(value, str) else getattr(value, "__name__", None)]


class Dtype(OneOf):
    """The kind that takes a dtype, by name or as any library's own object."""

    def __call__(self, parameter: str, value: Any) -> str:
        """Return the dtype's name."""
        said = value if isinstance(value, type) else getattr(value, "dtype", value)
        try:
            name = str(np.dtype(said).name)
        except TypeError:
            name = str(said).rpartition(".")[2]
        return name if name in self.names else super().__call__(parameter, value)


def per_axis(kind: Kind = number) -> Kind:
    """Return the kind that takes one value, or one an axis, of another kind."""

    def take(parameter: str, value: Any) -> Any:
        value = plain(value)
        if isinstance(value, list):
            if not value:
                raise ValueError(f"{parameter} must hold a number an axis; got {value}")
            return [kind(parameter, entry) for entry in value]
        return kind(parameter, value)

    return take


def counted(kind: Kind, count: int, what: str) -> Kind:
    """Return the kind that takes ``count`` values; ``what`` says which."""

    def take(parameter: str, value: Any) -> list[Any]:
        value = plain(value)
        if not isinstance(value, list) or len(value) != count:
            raise ValueError(f"{parameter} must be {what}; got {value!r}")
        return [kind(parameter, entry) for entry in value]

    return take


def entries(value: Any) -> tuple[float, ...] | None:
    """Return a per-axis argument as a tuple: one entry where one number was given."""
    if value is None:
        return None
    return tuple(value) if isinstance(value, list) else (value,)


def of(annotation: Any) -> Kind:
    """Return the kind that a parameter's annotation names."""
    if not hasattr(annotation, "__metadata__"):  # None is allowed besides
        (annotation,) = (a for a in get_args(annotation) if a is not type(None))
    kind: Kind = annotation.__metadata__[0]
    return kind


def array(parameter: str, value: Any) -> Any:
    """Take what is resized, as it is: a rule may ask whose it is."""
    return value


def unread(parameter: str, value: Any) -> None:
    """Take what changes no number: a name, a buffer, a precision of other devices."""


def example(kind: Kind) -> Kind:
    """Return a kind, marked: what is measured with one value holds for any."""
    EXAMPLES.add(kind)
    return kind


size = per_axis(checks.size)


def sides(parameter: str, value: Any) -> Any:
    """Take a size of which one number is one side: the other keeps the proportions."""
    return size(parameter, value)


scales = example(per_axis(positive))

Array = Annotated[Any, array]
Unread = Annotated[Any, unread]
Size = Annotated[Any, size]
Sides = Annotated[Any, sides]
Flag = Annotated[bool, flag]
Truth = Annotated[bool, truth]
Bit = Annotated[int, bit]
Number = Annotated[float, number]
Scales = Annotated[Any, scales]
Names = Mapping[str, Any]
