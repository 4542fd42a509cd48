"""A real call: its signature, what each parameter is, how the call is written back.

The functions beside this file carry the real signatures: names, order and defaults are
the library's. A parameter's annotation says of what kind it is.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog.calls import kinds as known

Rule = Callable[..., Convention]
Writer = Callable[[Convention, dict[str, Any]], str]
# Spatial axes that a call resizes, fewest and most, unless it says otherwise.
RANKS = {"HWC": (2, 2), "NHWC": (2, 2), "CHW": (2, 2), "NCHW": (2, 3)}


@dataclass(frozen=True)
class Call:
    """One real call.

    ``layout`` is that of its array: ``NCHW``, ``NHWC``, ``HWC``, or ``any`` where all
    axes are named. ``ranks`` are the fewest and the most spatial axes where they are
    not what `RANKS` says of the layout. ``width_first`` says that its size is (width,
    height). ``also`` are the names under which people import it. ``written`` writes a
    convention's call as text; without it, the array and (h, w) come first.
    """

    name: str
    rule: Rule
    layout: str = "any"
    ranks: tuple[int, int] | None = None
    width_first: bool = False
    also: tuple[str, ...] = ()
    written: Writer | None = None

    @cached_property
    def signature(self) -> inspect.Signature:
        """The library's own signature."""
        return inspect.signature(self.rule)

    @cached_property
    def kinds(self) -> dict[str, known.Kind]:
        """The kind of each parameter."""
        return {
            name: known.of(p.annotation)
            for name, p in self.signature.parameters.items()
        }

    def named(self, kind: known.Kind) -> list[str]:
        """Return the parameters of one kind."""
        return [name for name, other in self.kinds.items() if other is kind]

    def bind(self, *values: Any, **named: Any) -> dict[str, Any]:
        """Return the arguments by the library's names, as the library would read them.

        Nothing is required: what is left out is the caller's own array or size.
        Raises TypeError for an argument that the call does not have.
        """
        for name in named:
            if name not in self.kinds:
                raise TypeError(
                    f"{self.name} takes {', '.join(self.kinds)}; got {name}="
                    f"{named[name]!r}{checks.nearest_match(name, self.kinds)}"
                )
        try:
            return self.signature.bind_partial(*values, **named).arguments
        except TypeError as error:
            raise TypeError(
                f"{self.name} takes {', '.join(self.kinds)}: {error}"
            ) from None

    def taken(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return bound arguments checked, each as its kind takes it."""
        found = {}
        for name, value in given.items():
            optional = self.signature.parameters[name].default in (
                None,
                inspect.Parameter.empty,
            )
            keeps = value is None and optional
            found[name] = None if keeps else self.kinds[name](name, value)
        return found

    def size(self, given: Mapping[str, Any]) -> tuple[int, ...] | None:
        """Return the size that bound arguments ask for, in array order, or None.

        One entry stands for every axis. A single side is no size: None.
        """
        wanted = [*self.named(known.size), *self.named(known.sides)]
        taken = [known.size(k, given[k]) for k in wanted if given.get(k) is not None]
        if not taken:
            return None
        if not isinstance(taken[0], list):  # height and width, or one size for all
            return None if self.named(known.sides) else tuple(taken)
        return tuple(taken[0][::-1] if self.width_first else taken[0])

    def convention(self, given: Mapping[str, Any]) -> Convention:
        """Return what the call computes with bound arguments."""
        taken = self.taken(given)
        required = {
            name: None
            for name, p in self.signature.parameters.items()
            if p.default is p.empty
        }
        found = self.rule(**(required | taken))
        if found.call:  # another call's row, of which this one is a front
            return found
        silent = (known.array, known.unread, known.size, known.sides)
        return found.replace(
            call=self.name,
            layout=self.layout,
            ranks=found.ranks or self.ranks or RANKS.get(self.layout),
            arguments={k: v for k, v in taken.items() if self.kinds[k] not in silent},
        )


KNOWN: dict[str, Call] = {}


def call(name: str, **facts: Any) -> Callable[[Rule], Rule]:
    """Return a decorator: the function is what ``name`` computes.

    ``facts`` are the other fields of `Call`.
    """

    def register(rule: Rule) -> Rule:
        KNOWN[name] = Call(name, rule, **facts)
        return rule

    return register


def front(name: str, **arguments: Any) -> Convention:
    """Return what another call computes: arguments left at their default fall out."""
    behind = KNOWN[name]
    given = {
        key: value
        for key, value in arguments.items()
        if value != behind.signature.parameters[key].default
    }
    return behind.convention(given)


def dotted(*parts: str, **told: Any) -> str:
    """Return a convention's name: its parts, and the names of what is true besides.

    >>> dotted("torch", "bilinear", antialias=True, align_corners=False)
    'torch.bilinear.antialias'
    """
    return ".".join([*parts, *(name for name, is_so in told.items() if is_so)])


def keywords(arguments: Mapping[str, Any]) -> str:
    """Return arguments as the text that follows the others of a call.

    >>> keywords({"mode": "nearest"})
    ", mode='nearest'"
    """
    return "".join(f", {k}={v!r}" for k, v in arguments.items())


def by_size_or_factor(c: Convention, arguments: dict[str, Any]) -> str:
    """Return a call of ``interpolate``: to a size where it has no ``scale_factor``."""
    size = "" if "scale_factor" in arguments else ", size=(h, w)"
    return f"{c.call}(x{size}{keywords(arguments)})"
