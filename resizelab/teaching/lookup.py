"""The data of the look-up of two calls: which resizes are one, and where they part.

Every call is looked at on one axis, at all sizes up to `LARGEST` and at some that
people use. Two calls are compared by their answers to the same noise between 0 and 1.
"""

import base64
import html
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.convention import Convention, stated
from resizelab.catalog.signatures import SIZES, TIES, gap, takes_scale
from resizelab.checks import FloatArray

LARGEST = 10
USED = (
    *((32, 37), (37, 32), (48, 64), (64, 48), (224, 16), (224, 64), (518, 37)),
    (640, 32),
)
EVERY = tuple((n, m) for n in range(1, LARGEST + 1) for m in range(1, LARGEST + 1))
ASKED = EVERY + USED
SAME = 1e-5  # of the input's range: the noise of float32, of 16 pixels and fewer
LEVELS = 100  # an answer is told in hundredths of the range
LOWEST = -0.5
SEED = 3

MARKS = {"paper": "on paper", "recorded": "recorded once", "derived": "derived"}
STYLE = """
.two-calls form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; }
.two-calls input { max-width: 100%; }
.two-calls .answer svg { display: block; width: min(100%, 20rem); }
.two-calls text { font-size: 8px; fill: currentColor; }
.two-calls rect { fill: none; stroke: currentColor; stroke-opacity: .25; }
.two-calls rect { cursor: pointer; }
.two-calls rect.other { fill: #c44e00; }
.two-calls rect.chosen { stroke-opacity: 1; stroke-width: 2; }
.families code { overflow-wrap: anywhere; white-space: normal; }
.all-rows { max-height: 30rem; overflow: auto; }
"""

# How a reader is told of a choice: its name, then what its values are called.
CHOICES = {
    "kernel": "kernel",
    "a": "cubic parameter a",
    "b": "cubic parameter B",
    "c": "cubic parameter C",
    "lobes": "lobes of the kernel",
    "order": "order of the spline",
    "sigma": "sigma of the kernel",
    "cut": "radius of the kernel",
    "grid": "grid",
    "antialias": "antialias",
    "boundary": "what lies outside",
    "fill": "the value outside",
    "extrapolation": "the value beyond the picture",
    "nearest_mode": "rounding of nearest",
    "step_from": "where the step comes from",
    "size_rule": "how a scale becomes a size",
    "coordinate_arithmetic": "order and precision of the positions' sums",
    "distance_arithmetic": "precision of the distances",
    "scale_precision": "precision of the scale",
    "fraction_bits": "bits of a position's fraction",
    "tie_epsilon": "how near a tie counts as one",
    "window": "which pixels a kernel may reach",
    "window_search": "how its pixels are searched",
    "normalise": "when weights are made to sum to one",
    "prefilter": "the filter that runs first",
    "blur_sigma": "sigma of the blur",
    "blur_when": "when it blurs",
    "reduce_gap": "pixels averaged first",
    "clip_to_input": "clipped to the input's range",
    "shortcut": "what is copied where a size stays",
    "shortcut_limit": "the size up to which that holds",
    "single_pixel": "where an output of one pixel reads",
    "aspect_ratio": "whether the proportions are kept",
    "stretch_by": "what stretches the kernel",
    "resized_length": "the length that a grid spans",
    "if_any_grows": "what holds if an axis grows",
    "padding": "pixels repeated outside",
    "one_wide": "what an output one pixel wide does",
    "least_overlap": "the least part of a pixel that counts",
    "added_length": "what is added to a length",
    "extrapolation_edges": "whether the edges count as outside",
    "outside_positions": "where positions outside go",
    "taper": "window of the sinc",
    "blur": "how many times as wide the kernel is",
    "phase": "phase of the grid",
    "offset": "offset of the grid",
    "left_out": "pixels left out of the grid's length",
    "fraction_rounding": "how a position's fraction is rounded",
    "cut_ends": "what the pixels left off at an end may weigh",
    "blur_taps": "how far the blur reaches",
    "blur_weights": "how the blur weighs a pixel",
    "blur_boundary": "what the blur reads outside",
    "shifts_if_others_grow": "whether an axis moves when another grows",
    "supersampled": "whether finer outputs are averaged",
    "pyramid": "whether the picture is halved first",
    "where_taps_miss": "what is read where no pixel is in reach",
    "pair_means": "when two pixels are averaged",
    "reach_of_width": "whether the width's reach holds for all axes",
    "aspect_rounding": "how kept proportions become sizes",
    "last_edge_outside": "whether the last edge counts as outside",
    "scale": "scale",
    "roi": "region",
}


@dataclass(frozen=True)
class Family:
    """Calls that are one resize at every size looked at, and their answers to noise."""

    rows: list[Convention]
    answers: list[FloatArray]

    def head(self) -> str:
        """Return what the calls have in common."""
        return idea(self.rows[0])


def idea(c: Convention) -> str:
    """Return the ideas of a convention in a few words.

    >>> idea(Convention(name="mine"))
    'half_pixel · linear · no antialias · edge'
    """
    s = c.spec
    numbers = {k: getattr(s, k) for k in ("a", "b", "c", "lobes", "order", "sigma")}
    own = [f"{k} {v:.3g}" for k, v in numbers.items() if v is not None]
    kernel = s.kernel if isinstance(s.kernel, str) else s.kernel.name
    parts = [s.grid, " ".join([kernel, *own])]
    if s.kernel == "nearest":
        return " · ".join([*parts, str(s.nearest_mode)])
    blur = "antialias" if s.antialias else "no antialias"
    first = [f"{name} first" for name in c.particulars.prefilter]
    return " · ".join([*parts, blur, s.boundary, *first])


def fields_of(c: Convention) -> dict[str, str]:
    """Return every field of a convention that says something, in a reader's words."""
    told = {**stated(c.spec), **stated(c.particulars)}
    told |= {k: getattr(c, k) for k in ("scale", "roi") if getattr(c, k) is not None}
    words = {CHOICES.get(k, k.replace("_", " ")): _said(v) for k, v in told.items()}
    for dtype, rule in c.arithmetic.items():
        rules = [f"{k.replace('_', ' ')} {_said(v)}" for k, v in stated(rule).items()]
        words[f"of {dtype}"] = ", ".join(rules) or "as it comes"
    return words


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_said, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def sizes() -> list[tuple[int, int]]:
    """Return every pair of sizes that is looked at, those that the page asks first."""
    return list(dict.fromkeys(ASKED + SIZES + TIES))


def families(rows: Sequence[Convention]) -> list[Family]:
    """Return the calls that take sizes, those that are one resize together."""
    rng, asked = np.random.default_rng(SEED), sizes()
    noise = {n: rng.random(n) for n in sorted({n for n, _ in asked})}
    known: dict[Any, list[FloatArray]] = {}
    found: list[Family] = []
    for row in rows:
        if takes_scale(row) or row.roi is not None:
            continue
        key = (row.spec, row.particulars)
        if key not in known:
            known[key] = [weights(row, n, m) @ noise[n] for n, m in asked]
        answers = known[key]
        home = next((f for f in found if _one(f, row, answers, asked)), None)
        if home is None:
            found.append(Family([row], answers))
        else:
            home.rows.append(row)
    return found


def noise_of(size: tuple[int, int]) -> float:
    """Return the difference that float32 positions alone make at a size."""
    return SAME * max(1.0, max(size) / 16)


def _one(
    family: Family,
    row: Convention,
    answers: list[FloatArray],
    sizes: list[tuple[int, int]],
) -> bool:
    first = family.rows[0]
    if (first.spec, first.particulars) == (row.spec, row.particulars):
        return True
    pairs = zip(sizes, family.answers, answers, strict=True)
    if any(np.abs(a - b).max() > noise_of(size) for size, a, b in pairs):
        return False
    return gap(first, row).parted == 0  # two axes at once, and exact ties


def data(found: Sequence[Family]) -> str:
    """Return what the page needs, as text that its script unpacks."""
    names, answers = [], []
    for size, asked in enumerate(ASKED):
        groups: list[FloatArray] = []
        place = []
        for family in found:
            mine = family.answers[size]
            home = next(
                (
                    k
                    for k, g in enumerate(groups)
                    if np.abs(g - mine).max() <= noise_of(asked)
                ),
                len(groups),
            )
            if home == len(groups):
                groups.append(mine)
            place.append(home)
        names.append(np.array(place, np.uint16))
        answers.append(_packed(np.stack(groups)))
    whole = {
        "sizes": ASKED,
        "families": [
            {
                "idea": family.head(),
                "fields": fields_of(family.rows[0]),
                "rows": [[r.name, r.library, r.status] for r in family.rows],
            }
            for family in found
        ],
        "groups": [base64.b64encode(p.tobytes()).decode() for p in names],
        "answers": answers,
        "small": LARGEST,
        "levels": LEVELS,
    }
    packed = zlib.compress(json.dumps(whole, separators=(",", ":")).encode(), 9)
    return base64.b64encode(packed).decode()


def _packed(groups: FloatArray) -> str:
    coded = np.clip(np.rint((groups - LOWEST) * LEVELS), 0, 255).astype(np.uint8)
    return base64.b64encode(coded.tobytes()).decode()


def form(
    found: Sequence[Family], first: str, second: str, size: tuple[int, int]
) -> str:
    """Return the look-up as HTML: it starts with two names and a size."""
    script = (resources.files("resizelab.teaching") / "lookup.js").read_text("utf-8")
    calls = "".join(
        f'<label>{label} <input name="{key}" list="all-calls" value="{value}" '
        'size="28" spellcheck="false" autocomplete="off"></label> '
        for label, key, value in (
            ("call", "first", first),
            ("and", "second", second),
        )
    )
    sizes = "".join(
        f'<label>{label} <input name="{key}" type="number" min="1" max="640" '
        f'value="{value}"></label> '
        for label, key, value in (("from", "n", size[0]), ("to", "m", size[1]))
    )
    return (
        f'<div id="two-calls" class="two-calls"><style>{STYLE}</style>'
        f"<form>{calls}{sizes}</form><datalist id='all-calls'></datalist>"
        '<div class="answer" aria-live="polite">The look-up needs JavaScript; the '
        "families below do not.</div>"
        f'<script type="text/plain">{data(found)}</script>'
        f"<script>{script}</script></div>"
    )


def named(row: Convention) -> str:
    """Return a name as HTML, marked where the call was not run as it is now."""
    mark = MARKS.get(row.status, "")
    told = f" <small>({mark})</small>" if mark else ""
    return f"<code>{html.escape(row.name)}</code>{told}"


def family_list(found: Sequence[Family]) -> str:
    """Return families as HTML, each folded under what it has in common."""
    parts = []
    heads: dict[str, dict[str, str]] = {}
    for family in found:
        told = fields_of(family.rows[0])
        usual = heads.setdefault(family.head(), told)
        # A second family of the same ideas says what parts it from the first.
        other = [k for k in told | usual if told.get(k) != usual.get(k)]
        other = [f"{k} {told.get(k, 'none')}" for k in other if not k.startswith("of ")]
        head = " · ".join([family.head(), *other])
        by_library: dict[str, list[str]] = {}
        for row in family.rows:
            by_library.setdefault(row.library, []).append(named(row))
        libraries = "".join(
            f"<li>{html.escape(library)}: {', '.join(rows)}</li>"
            for library, rows in by_library.items()
        )
        count = f"{len(family.rows)} calls of {len(by_library)} libraries"
        parts.append(
            f"<details><summary><b>{html.escape(head)}</b>: {count}</summary>"
            f"<ul>{libraries}</ul></details>"
        )
    return f"<div class='families'>{''.join(parts)}</div>"


def table(rows: Sequence[Convention], measured: Mapping[str, Any]) -> str:
    """Return every field of every row as HTML, with a filter before it."""
    body = []
    for row in rows:
        told = "; ".join(f"{k}: {v}" for k, v in fields_of(row).items())
        body.append(
            f"<tr data-row><th scope='row'>{named(row)}</th>"
            f"<td>{html.escape(row.library)}</td><td>{html.escape(told)}</td>"
            f"<td>{html.escape(_evidence(row, measured.get(row.name)))}</td></tr>"
        )
    head = "".join(
        f"<th scope='col'>{name}</th>"
        for name in ("call", "library", "every field", "what was compared")
    )
    return (
        "<p><label>filter <input id='rows-filter' type='search' size='32'></label> "
        f"<span id='rows-count' role='status'>{len(rows)} rows</span></p>"
        "<div class='wide all-rows' tabindex='0' role='region' aria-label='every row'>"
        f"<table class='table wide'><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _evidence(row: Convention, found: Any) -> str:
    if found is None:
        return row.checked or row.source
    worst = "exact" if found["worst"] == 0 else f"worst {found['worst']:.0e}"
    parts = [f"{row.library} {found['version']}", f"{found['pairs']} pairs", worst]
    parts += [f"{found['missed']} missed"] if found["missed"] else []
    parts += [f"{k}: {w} of {n} differ" for k, (n, w, _) in found["integers"].items()]
    return ", ".join(parts)
