"""A convention: what one real call computes, with its evidence, as a value."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from resizelab import checks
from resizelab.axis.arithmetic import OUTPUT_DTYPES, Arithmetic
from resizelab.axis.choices import Choices
from resizelab.axis.kernel import Kernel
from resizelab.axis.particulars import Particulars
from resizelab.axis.spec import Spec
from resizelab.text import json_object

STATUSES = ("live", "recorded", "paper", "derived")
TEXTS = ("name", "library", "call", "checked", "source", "notes")
DTYPES = (*OUTPUT_DTYPES, "float16", "integers", "floats")
GROWS_WHEN = ("axis", "any", "all", "area")
SPEC_FIELDS = frozenset(f.name for f in fields(Spec))
# What a spec keeps where it gets another kernel.
KEPT = ("boundary", "fill", "step_from", "extrapolation", "grid")
LAYOUTS = ("any", "HWC", "CHW", "NHWC", "NCHW")
SITUATIONS = ("few_pixels", "any_grows", "all_halve", "unchanged")


class Entries(Mapping[str, Any]):
    """A mapping that does not change: it copies, pickles and compares as a value.

    >>> Entries({"size": 8}) == {"size": 8}
    True
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, Any] | None = None) -> None:
        self._entries = dict(entries or {})

    def __getitem__(self, name: str) -> Any:
        """Return one entry."""
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._entries)

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self._entries)

    def __repr__(self) -> str:
        """Return the entries as a dict shows them."""
        return repr(self._entries)


@dataclass(frozen=True, kw_only=True)
class Convention(Choices):
    """What one real call computes: a point of the fields, with its evidence.

    Parameters
    ----------
    name : str
        ``library.mode[.flag…]``, lower case.
    library, call, arguments
        Whose call, its real name, and its arguments as a user writes them.
    checked : str
        The versions it was measured on.
    status : str
        live: an engine the tests run; recorded: measured once; paper: from a source;
        derived: by the rule of rows that were measured, itself not measured.
    spec, particulars
        The ideas, and why libraries with the same ideas still differ.
    arithmetic : mapping of str to Arithmetic
        By the input dtype's name; ``integers`` stands for every integer dtype without
        an entry of its own, ``floats`` for every float dtype. A float dtype without
        an entry is kept. The endings
        ``.few_pixels``, ``.any_grows``, ``.all_halve`` and ``.unchanged`` say what
        holds if an axis has fewer than four pixels, if one grows, if every axis is
        halved, if none changes.
    growing : mapping
        The fields of ``spec`` and ``particulars`` that are others where an axis grows;
        ``when`` says which axes that holds for: each ``axis`` that does (by default),
        or every one if ``any`` does, ``all`` do, or the ``area`` does.
    layout, ranks
        Of the call's array (``NCHW``, ``HWC``, …; ``any`` where all axes are spatial),
        and the fewest and the most spatial axes it resizes (None: any number).
    scale, roi : tuple, optional
        One entry per axis, in array order (or one for all), where the call fixes them.
    tolerance : float, optional
        The error allowed against the engine where it is not the standard one.
    missed : float, optional
        The share of size pairs that is not reproduced; None: all are.
    off_by_one : float, optional
        The share of integer results that may be one level off (ties of float sums);
        None: none is.
    source, notes : str
        Where it was read; what the call accepts and ignores, and other remarks.

    >>> Convention(name="mine", spec=Spec(grid="asymmetric")).spec.grid
    'asymmetric'
    """

    name: str
    library: str = ""
    call: str = ""
    arguments: Mapping[str, Any] = field(default_factory=Entries, hash=False)
    checked: str = ""
    status: str = "live"
    spec: Spec = field(default_factory=Spec)
    particulars: Particulars = field(default_factory=Particulars)
    arithmetic: Mapping[str, Arithmetic] = field(default_factory=Entries, hash=False)
    growing: Mapping[str, Any] = field(default_factory=Entries, hash=False)
    layout: str = "any"
    ranks: tuple[int, int] | None = None
    scale: tuple[float, ...] | None = None
    roi: tuple[tuple[float, float], ...] | None = None
    tolerance: float | None = None
    missed: float | None = None
    off_by_one: float | None = None
    source: str = ""
    notes: str = ""

    def __post_init__(self) -> None:
        """Freeze the mappings and check every field."""
        for name in TEXTS:
            checks.a(name, getattr(self, name), str)
        checks.a("spec", self.spec, Spec)
        checks.a("particulars", self.particulars, Particulars)
        for key, entry in checks.a("arithmetic", self.arithmetic, Mapping).items():
            _known_dtype(key)
            checks.a(f"arithmetic[{key!r}]", entry, Arithmetic)
        checks.a("arguments", self.arguments, Mapping)
        checks.a("growing", self.growing, Mapping)
        if self.growing:
            checks.one_of("growing['when']", self.grows_when, GROWS_WHEN)
            self.grown()  # which checks the other fields
        for name in ("arguments", "arithmetic", "growing"):
            object.__setattr__(self, name, Entries(getattr(self, name)))
        checks.one_of("status", self.status, STATUSES)
        checks.one_of("layout", self.layout, LAYOUTS)
        if self.ranks is not None:
            fewest, most = (checks.size("ranks", rank) for rank in self.ranks)
            object.__setattr__(self, "ranks", (fewest, most))
        if self.scale is not None:
            scale = checks.each("scale", self.scale, checks.positive)
            object.__setattr__(self, "scale", scale)
        if self.roi is not None:
            pairs = checks.each("roi", self.roi, checks.pair)
            object.__setattr__(self, "roi", pairs)

    @property
    def key(self) -> tuple[Any, ...]:
        """What fixes the operators of sizes, as one value that hashes."""
        return self.spec, self.particulars, tuple(sorted(self.growing.items()))

    @property
    def grows_when(self) -> str:
        """Which axes take what is said of ``growing``."""
        return str(self.growing.get("when", "axis"))

    def grown(self) -> tuple[Spec, Particulars]:
        """Return the ideas and particulars of an axis that grows."""
        given = {k: v for k, v in self.growing.items() if k != "when"}
        own = {k: v for k, v in given.items() if k in SPEC_FIELDS}
        rest = {k: v for k, v in given.items() if k not in own}
        spec = self.spec
        if "kernel" in own:  # another kernel has parameters of its own
            spec = Spec(**{k: getattr(spec, k) for k in KEPT if k not in own}, **own)
        elif own:
            spec = spec.replace(**own)
        return spec, self.particulars.replace(**rest) if rest else self.particulars

    def to_json(self) -> str:
        """Return the convention as JSON text: the passport a model can carry.

        >>> passport = Convention(name="mine", spec=Spec(grid="asymmetric")).to_json()
        >>> Convention.from_json(passport).spec.grid
        'asymmetric'
        """
        return json.dumps(self.whole(), indent=1)

    def whole(self) -> dict[str, Any]:
        """Return every field as plain values, which `from_fields` takes."""
        if isinstance(self.spec.kernel, Kernel):
            raise TypeError(
                f"kernel {self.spec.kernel.name!r} is a function and cannot be written "
                "as JSON; use a kernel's name"
            )
        whole = {f.name: getattr(self, f.name) for f in fields(self)}
        whole["spec"] = stated(self.spec)
        whole["particulars"] = stated(self.particulars)
        whole["arithmetic"] = {k: stated(v) for k, v in self.arithmetic.items()}
        whole["arguments"] = dict(self.arguments)
        whole["growing"] = dict(self.growing)
        return whole

    @classmethod
    def from_json(cls, text: str) -> "Convention":
        """Return the convention that `to_json` wrote; every field is checked again."""
        return cls.from_fields(json_object(text))

    @classmethod
    def from_fields(cls, entries: Mapping[str, Any]) -> "Convention":
        """Return the convention of plain values, as a row or JSON text holds them."""
        whole = dict(checks.a("entries", entries, Mapping))
        names = [f.name for f in fields(cls)]
        for name in whole:
            if name not in names:
                raise ValueError(
                    f"a convention has no field {name!r}"
                    f"{checks.nearest_match(name, names)}"
                )
        if "name" not in whole:
            raise ValueError("a convention needs a name")
        for key in ("spec", "particulars", "arithmetic"):
            checks.a(key, whole.get(key, {}), Mapping)
        whole["spec"] = Spec().replace(**whole.get("spec", {}))
        particulars = dict(whole.get("particulars", {}))
        if "prefilter" in particulars:
            particulars["prefilter"] = tuple(particulars["prefilter"])
        whole["particulars"] = Particulars().replace(**particulars)
        whole["arithmetic"] = {
            dtype: Arithmetic().replace(**entry)
            for dtype, entry in whole.get("arithmetic", {}).items()
        }
        # TOML has no null: "None" stands for a field that growing turns off.
        others = dict(whole.get("growing", {})).items()
        whole["growing"] = {k: None if v == "None" else v for k, v in others}
        for key in ("scale", "roi"):
            if whole.get(key) is not None:
                whole[key] = tuple(whole[key])
        return cls(**whole)


def _known_dtype(key: object) -> None:
    """Refuse a key of ``arithmetic`` that no dtype would ever meet."""
    dtype, dot, ending = key.partition(".") if isinstance(key, str) else (key, "", "")
    checks.one_of("a key of arithmetic", dtype, DTYPES)
    if dot:
        checks.one_of(f"the ending of arithmetic[{key!r}]", ending, SITUATIONS)


def stated(choices: Choices) -> dict[str, Any]:
    """Return the fields that say something: those that apply, by name.

    Of `Particulars` and `Arithmetic`, the neutral values say nothing.
    """
    entries: dict[str, Any] = {}
    for f in fields(choices):  # type: ignore[arg-type]
        value = getattr(choices, f.name)
        neutral = not isinstance(choices, Spec) and value == f.default
        if value is not None and not neutral:
            entries[f.name] = list(value) if isinstance(value, tuple) else value
    return entries
