"""Lint a model file: what each resize node computes, for whom, and who disagrees."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from resizelab.catalog.calls import CALLS
from resizelab.catalog.signatures import differing, gap, takes_scale
from resizelab.catalog.table import convention, rows
from resizelab.catalog.translation import text
from resizelab.models import backends, files, nodes
from resizelab.models.calls import parsed
from resizelab.models.departures import NOISE, QUIET, alike, between
from resizelab.models.nodes import Contents, ResizeNode
from resizelab.models.pipeline import pipeline
from resizelab.operators import Weights
from resizelab.records import Convention
from resizelab.resizing import weights

__all__ = ["Finding", "Lint", "NodeReport", "model", "pipeline"]

FRAMEWORKS = (
    *("torch", "tensorflow", "keras", "jax", "opencv", "pillow"),
    *("scikit-image", "scipy", "paddle", "mxnet"),
)
CLOSE = 12  # rows that a first look leaves for the long comparison
LOOK = ((5, 8), (8, 3), (4, 4), (6, 1))
LISTED = 6  # calls that are written out


@dataclass(frozen=True)
class Finding:
    """One thing to act on: a code, the back end it is about, and words."""

    code: str
    text: str
    back_end: str = ""


@dataclass(frozen=True)
class NodeReport:
    """One resize node: what it computes, which calls it equals, what was found."""

    node: ResizeNode
    convention: str
    calls: tuple[str, ...]
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        node = self.node
        shapes = [_shape(s) for s in (node.before, node.after) if s is not None]
        lines = [node.name, f"  {node.said()}"]
        lines += [f"  shape       {' -> '.join(shapes)}"] if len(shapes) > 1 else []
        lines.append(f"  convention  {self.convention}")
        for k, call in enumerate(self.calls[:LISTED]):
            lines.append(f"  {'equals' if k == 0 else '':12s}{call}")
        if len(self.calls) > LISTED:
            lines.append(f"  {'':12s}and {len(self.calls) - LISTED} more")
        lines += [f"  remark      {remark}" for remark in self.remarks]
        for found in self.findings:
            who = f"{found.back_end}: " if found.back_end else ""
            lines.append(f"  FINDING     [{found.code}] {who}{found.text}")
        return lines


@dataclass(frozen=True, repr=False)
class Lint:
    """What a look at one file has found; `found` is what makes the command fail."""

    contents: Contents
    nodes: tuple[NodeReport, ...]

    @property
    def found(self) -> tuple[Finding, ...]:
        """All findings, node by node."""
        return tuple(f for node in self.nodes for f in node.findings)

    def __str__(self) -> str:
        """Return the report as text."""
        c = self.contents
        opset = f", opset {c.opset}" if c.opset else ""
        maker = f", made by {c.producer}" if c.producer else ""
        lines = [
            f"{c.path.name}: {c.format}{opset}{maker}; {len(self.nodes)} resize nodes, "
            f"{len(self.found)} findings"
        ]
        for node in self.nodes:
            lines += ["", *node.lines()]
        return "\n".join(lines)

    __repr__ = __str__

    def to_json(self) -> str:
        """Return the report as JSON text."""
        c = self.contents
        whole = {
            "file": c.path.name,
            "format": c.format,
            "opset": c.opset,
            "producer": c.producer,
            "findings": len(self.found),
            "nodes": [
                {
                    **asdict(entry.node),
                    "convention": entry.convention,
                    "calls": entry.calls,
                    "remarks": entry.remarks,
                    "findings": [asdict(f) for f in entry.findings],
                }
                for entry in self.nodes
            ],
        }
        return json.dumps(whole, indent=1, default=str)


def model(
    path: files.PathLike,
    back_ends: Sequence[str] = backends.USUAL,
    like: str | Convention | None = None,
) -> Lint:
    """Return what the resize nodes of an .onnx or .tflite file compute.

    Parameters
    ----------
    path
        The file. It is read, never changed, and its weights are not looked at.
    back_ends : sequence of str
        Whose reading of the attributes counts; see `resizelab.models.backends`.
    like : str or Convention, optional
        What every node should compute: a convention's name, or a call as text.
    """
    contents = nodes.read(path)
    wanted = _wanted(like)
    found = [
        _report(node, contents, tuple(back_ends), wanted) for node in contents.nodes
    ]
    return Lint(contents, tuple(found))


def _wanted(like: str | Convention | None) -> Convention | None:
    if like is None or isinstance(like, Convention):
        return like
    return parsed(like).convention() if "(" in like else convention(like)


def _report(
    node: ResizeNode,
    contents: Contents,
    back_ends: tuple[str, ...],
    wanted: Convention | None,
) -> NodeReport:
    try:
        base = node.meaning()
    except (ValueError, TypeError) as error:
        finding = Finding("refused", f"no back end here takes this node: {error}")
        return NodeReport(node, "none", (), (finding,), ())
    calls, findings, remarks = _calls(base, contents)
    if base.notes:
        remarks = [*remarks, base.notes]
    for verdict in backends.verdicts(node, base, back_ends):
        known = f" ({verdict.status})" if verdict.status not in ("", "live") else ""
        who = verdict.back_end + known
        if verdict.kind == "unmeasured":
            remarks.append(f"{who}: {verdict.text}")
        elif verdict.kind != "same":
            findings.append(Finding(f"back-end-{verdict.kind}", verdict.text, who))
    if wanted is not None:
        findings += _unlike(node, base, wanted)
    return NodeReport(node, base.name, tuple(calls), tuple(findings), tuple(remarks))


def _calls(
    base: Convention, contents: Contents
) -> tuple[list[str], list[Finding], list[str]]:
    """Return the framework calls that compute this, or a finding that none does."""
    near = _near(base, contents.made_by)
    equal = [row for row in near if alike(base, row)]
    real = [row for row in equal if row.call in CALLS]
    maker = contents.made_by
    real.sort(key=lambda row: (row.library != maker, row.status != "live"))
    # Older versions of a call read the same; the first, a live one, stands for all.
    named = {text(row): row for row in reversed(real)}
    calls = [_call(base, named[t], t) for t in dict.fromkeys(map(text, real))]
    remarks = [
        f"{row.name}: {row.notes}"
        for row in equal
        if row.call == "torch.onnx.export" and row.notes and contents.opset
    ]
    of_maker = [row for row in real if row.library == maker]
    if real and (maker is None or of_maker):
        return calls, [], remarks
    who = "framework" if not real else maker
    # What the maker's own calls come to is what most likely was meant.
    near = [row for row in near if row.call in CALLS and row not in real]
    pool = [row for row in near if row.library == maker] or near
    finding = Finding("no-call", f"no {who} call computes this{_nearest(base, pool)}")
    return calls, [finding], remarks


def _call(base: Convention, row: Convention, written: str) -> str:
    """Return a row's call, and at how many sizes it is not quite the same."""
    far = gap(base, row)
    if not far.parted:
        return f"{row.name}: {written}"
    silent = ("step_from", "size_rule")
    fields = ", ".join(k for k in differing(base, row) if k not in silent)
    return (
        f"{row.name}: {written}, but for {far.parted} of {far.tried} sizes ({fields})"
    )


def _near(base: Convention, maker: str | None) -> list[Convention]:
    """Return the frameworks' rows that are closest at a few sizes."""
    ranked: list[tuple[float, int, Convention]] = []
    scale = base.scale[-1] if base.scale else None
    target = _look(base, scale)
    for library in FRAMEWORKS:
        for row in rows().of(library):
            if takes_scale(row) == takes_scale(base) and row.roi == base.roi:
                errors = [
                    abs(a.dense() - b.dense()).max()
                    for a, b in zip(target, _look(row, scale), strict=True)
                    if a.shape == b.shape
                ]
                ranked.append((max(errors, default=9.0), len(ranked), row))
    ranked.sort(key=lambda entry: entry[:2])
    close = sum(error < NOISE for error, _, _ in ranked)
    own = [row for _, _, row in ranked[close:] if row.library == maker]
    rest = [row for _, _, row in ranked[close:] if row.library != maker]
    return [row for _, _, row in ranked[:close]] + own[:CLOSE] + rest[:CLOSE]


def _look(c: Convention, scale: float | None) -> list[Weights]:
    if scale is None:
        return [weights(c, n, m) for n, m in LOOK]
    return [weights(c, n, max(1, int(n * scale)), scale) for n, _ in LOOK]


def _nearest(base: Convention, pool: list[Convention]) -> str:
    if not pool:
        return ""
    best = min(pool, key=lambda row: (gap(base, row).typical, row.status != "live"))
    far = gap(base, best)
    changed = [
        f"{k} {b} for {a}"
        for k, (a, b) in differing(base, best).items()
        if k not in QUIET
    ]
    return (
        f"; nearest {best.name}, off by up to {far.largest:.2g} of a weight at "
        f"{far.parted} of {far.tried} sizes: {', '.join(changed)}"
    )


def _unlike(node: ResizeNode, base: Convention, wanted: Convention) -> list[Finding]:
    departure = between(wanted, base, node.sizes(), node.dtype)
    if not departure.real:
        return []
    return [Finding("unlike", f"not {wanted.name}: {departure.text()}")]


def _shape(sizes: tuple[Any, ...]) -> str:
    return "x".join("?" if n is None else str(n) for n in sizes)
