"""The look-up of two calls on a page: its form, the families, every field of a row."""

import html
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from resizelab.axis.convention import Convention
from resizelab.teaching.lookup import Family, data, fields_of
from resizelab.teaching.page_words import LOOKUP

STYLE = """
.two-calls form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; }
.two-calls input { max-width: 100%; }
@media (scripting: enabled) {
.two-calls .answer { min-height: clamp(34rem, 44rem - 20vw, 39rem); }
}
.two-calls .answer svg { display: block; width: min(100%, 20rem); }
.two-calls text { font-size: 8px; fill: currentColor; }
.two-calls rect { fill: none; stroke: currentColor; stroke-opacity: .25; }
.two-calls rect { cursor: pointer; }
.two-calls rect.other { fill: #c44e00; }
.two-calls rect.chosen { stroke-opacity: 1; stroke-width: 2; }
.families code { overflow-wrap: anywhere; white-space: normal; }
.two-calls pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.text_html:has(.two-calls, .families, .all-rows) {
  background: none !important; color: inherit !important;
}
.all-rows { max-height: 30rem; overflow: auto; }
"""


def form(
    found: Sequence[Family], first: str, second: str, size: tuple[int, int]
) -> str:
    """Return the look-up as HTML: it starts with two names and a size."""
    script = (resources.files("resizelab.teaching") / "lookup.js").read_text("utf-8")
    calls = "".join(
        f'<label>{label} <input name="{key}" list="all-calls" value="{value}" '
        'size="28" spellcheck="false" autocomplete="off"></label> '
        for label, key, value in (
            (LOOKUP["first"], "first", first),
            (LOOKUP["second"], "second", second),
        )
    )
    sizes = "".join(
        f'<label>{label} <input name="{key}" type="number" min="1" max="4096" '
        f'value="{value}"></label> '
        for label, key, value in (
            (LOOKUP["n"], "n", size[0]),
            (LOOKUP["m"], "m", size[1]),
        )
    )
    return (
        f'<div id="two-calls" class="two-calls" data-old="{LOOKUP["old"]}">'
        f"<style>{STYLE}</style>"
        f"<form>{calls}{sizes}</form><datalist id='all-calls'></datalist>"
        f'<div class="answer" aria-live="polite">{LOOKUP["closed"]}</div>'
        f'<script type="text/plain">{data(found)}</script>'
        f"<script>{script}</script></div>"
    )


def named(row: Convention) -> str:
    """Return a name as HTML, marked where the call was not run as it is now."""
    mark = LOOKUP.get(f"mark.{row.status}", "")
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
        other = [
            f"{k} {told.get(k, LOOKUP['none'])}"
            for k in other
            if not k.startswith("of ")
        ]
        head = " · ".join([family.head(), *other])
        by_library: dict[str, list[str]] = {}
        for row in family.rows:
            by_library.setdefault(row.library, []).append(named(row))
        libraries = "".join(
            f"<li>{html.escape(library)}: {', '.join(rows)}</li>"
            for library, rows in by_library.items()
        )
        count = LOOKUP["count"].format(
            calls=len(family.rows), libraries=len(by_library)
        )
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
        f"<th scope='col'>{LOOKUP[name]}</th>"
        for name in ("head.call", "head.library", "head.fields", "head.compared")
    )
    return (
        f"<p><label>{LOOKUP['filter']} "
        "<input id='rows-filter' type='search' size='32'></label> "
        "<span id='rows-count' role='status'>"
        f"{LOOKUP['rows'].format(n=len(rows))}</span></p>"
        "<div class='wide all-rows' tabindex='0' role='region' "
        f"aria-label='{LOOKUP['every']}'>"
        f"<table class='table wide'><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _evidence(row: Convention, found: Any) -> str:
    if found is None:
        return row.checked or row.source
    worst = LOOKUP["worst" if found["worst"] else "exact"].format(worst=found["worst"])
    parts = [
        f"{row.library} {found['version']}",
        LOOKUP["pairs"].format(n=found["pairs"]),
        worst,
    ]
    parts += [LOOKUP["missed"].format(n=found["missed"])] if found["missed"] else []
    parts += [
        LOOKUP["wrong"].format(kind=k, some=w, all=n)
        for k, (n, w, *_) in found["integers"].items()
    ]
    return ", ".join(parts)
