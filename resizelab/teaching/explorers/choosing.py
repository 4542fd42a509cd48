"""Conventions by name, as the menus of explorers list them.

A name is one of the table (``torch.bilinear``) or says a bare idea, a grid and a
kernel with a dot between: ``half_pixel.linear``, ``asymmetric.floor``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from resizelab import catalog
from resizelab.arrays.resizing import one_axis, weights
from resizelab.axis.convention import Convention
from resizelab.axis.grid import GRIDS
from resizelab.axis.spec import NEAREST_MODES, Spec
from resizelab.checks import FloatArray, IndexArray, nearest_match

Chosen = Spec | Convention
Names = Iterable[str] | Mapping[str, Chosen]

# The word after the grid's, and the fields it stands for.
KERNELS: Mapping[str, Mapping[str, Any]] = {
    "linear": {"kernel": "linear"},
    "cubic": {"kernel": "cubic", "a": -0.75},
    "keys": {"kernel": "cubic", "a": -0.5},
    "area": {"kernel": "area"},
    "lanczos3": {"kernel": "lanczos", "lobes": 3},
    **{m: {"kernel": "nearest", "nearest_mode": m} for m in NEAREST_MODES},
}


def named(conventions: Names) -> dict[str, Chosen]:
    """Return what each name stands for; a mapping brings its own meanings.

    Raises LookupError for a name that nobody has.

    >>> named(["asymmetric.linear"])["asymmetric.linear"].grid
    'asymmetric'
    """
    if isinstance(conventions, Mapping):
        return dict(conventions)
    found = {name: _one(name) for name in conventions}
    if not found:
        raise ValueError("conventions is empty: at least one is needed")
    return found


def _one(name: str) -> Chosen:
    first, _, word = name.partition(".")
    if first not in GRIDS:
        return catalog.convention(name)
    if word not in KERNELS:
        raise LookupError(
            f"convention {name!r}: after the grid and a dot, allowed are "
            f"{', '.join(KERNELS)}{nearest_match(word, KERNELS)}"
        )
    return Spec(grid=first, **KERNELS[word])


def in_menu(parameter: str, name: str, menu: Iterable[str]) -> str:
    """Return ``name`` if the menu has it, else raise ValueError."""
    names = list(menu)
    if name not in names:
        raise ValueError(
            f"{parameter}={name!r}: allowed are {', '.join(map(repr, names))}"
            f"{nearest_match(name, names)}"
        )
    return name


def positions(chosen: Chosen, n_in: int, n_out: int) -> FloatArray:
    """Return where each output reads, in input pixels, in the engine's arithmetic."""
    return one_axis(chosen, n_in, n_out).axes[0].grid.positions()


def index_map(chosen: Chosen, n_in: int, n_out: int) -> IndexArray:
    """Return which input pixel each output copies.

    Raises ValueError where an output is no copy of one pixel.
    """
    operator = weights(chosen, n_in, n_out)
    if not operator.picks:
        raise ValueError(
            "an index map needs kernel='nearest'; got a convention that mixes pixels"
        )
    index: IndexArray = operator.index[:, 0]
    return index
