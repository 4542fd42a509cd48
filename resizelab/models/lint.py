"""Lint a model file: what each resize node computes, for whom, and who disagrees."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from resizelab.axis.convention import Convention
from resizelab.catalog.table import convention
from resizelab.modelfiles import files, nodes
from resizelab.modelfiles.nodes import Contents, ResizeNode
from resizelab.models import backends, matching
from resizelab.models.calls import parsed
from resizelab.models.departures import between
from resizelab.models.pipeline import pipeline

__all__ = ["Finding", "Lint", "NodeReport", "model", "pipeline"]

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
            f"{c.path.name}: {c.format}{opset}{maker}; "
            f"{_counted(len(self.nodes), 'resize node')}, "
            f"{_counted(len(self.found), 'finding')}"
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
    equal = matching.calls(base, contents.made_by, bool(contents.opset))
    findings = [Finding("no-call", equal.missing)] if equal.missing else []
    remarks = list(equal.remarks)
    if base.notes:
        remarks.append(base.notes)
    for reading in backends.readings(node, base, back_ends):
        known = f" ({reading.status})" if reading.status not in ("", "live") else ""
        who = reading.back_end + known
        if reading.kind == "unmeasured":
            remarks.append(f"{who}: {reading.text}")
        elif reading.kind != "same":
            findings.append(Finding(f"back-end-{reading.kind}", reading.text, who))
    if wanted is not None:
        findings += _unlike(node, base, wanted)
    return NodeReport(node, base.name, equal.calls, tuple(findings), tuple(remarks))


def _unlike(node: ResizeNode, base: Convention, wanted: Convention) -> list[Finding]:
    departure = between(wanted, base, node.sizes(), node.dtype)
    if not departure.real:
        return []
    return [Finding("unlike", f"not {wanted.name}: {departure.text()}")]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _shape(sizes: tuple[Any, ...]) -> str:
    return "x".join("?" if n is None else str(n) for n in sizes)
