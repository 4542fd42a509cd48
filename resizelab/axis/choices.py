"""A frozen record of choices, and the closed sets that several records share."""

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any, Self

from resizelab import checks

SHORTCUTS = ("axis", "image", "unit_image", "unit_axis", "unit_step", "double")
PREFILTERS = ("gaussian", "bspline", "bspline_aliased", "padded_bspline", "box")


class Choices:
    """A frozen record whose ``replace`` validates again."""

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed; unknown names are a TypeError."""
        names = [f.name for f in fields(self)]  # type: ignore[arg-type]
        for name in changes:
            if name not in names:
                raise TypeError(
                    f"{type(self).__name__} has no field {name!r}"
                    f"{checks.nearest_match(name, names)}; fields: {', '.join(names)}"
                )
        return replace(self, **changes)  # type: ignore[type-var]

    def _check_sets(self, closed: Mapping[str, Collection[str]]) -> None:
        """Check flags, and what is one of a closed set: None where that is usual."""
        for f in fields(self):  # type: ignore[arg-type]
            value = getattr(self, f.name)
            if isinstance(f.default, bool):
                checks.flag(f.name, value)
            elif f.name in closed and (value is not None or f.default is not None):
                checks.one_of(f.name, value, closed[f.name])
