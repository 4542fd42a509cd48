"""Lint a model file: what each resize node computes, for whom, and who disagrees."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.modelfiles import files, nodes
from resizelab.modelfiles.nodes import Contents, ResizeNode
from resizelab.models import backends, matching, sampling
from resizelab.models.calls import meant
from resizelab.models.deviation import between
from resizelab.models.findings import Finding
from resizelab.text import Told, by, listed, printed

LISTED = 6  # calls that are written out


@dataclass(frozen=True)
class NodeReport(Told):
    """Equal resize nodes: what they compute, which calls they equal, what was found."""

    node: ResizeNode
    names: tuple[str, ...]
    convention: str
    calls: tuple[str, ...]
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        node = self.node
        shapes = [by(s) for s in (node.before, node.after) if s is not None]
        lines = [listed(self.names), f"  {node.said()}"]
        lines += [f"  shape       {' -> '.join(shapes)}"] if len(shapes) > 1 else []
        lines.append(f"  convention  {self.convention}")
        for k, call in enumerate(self.calls[:LISTED]):
            lines.append(f"  {'equals' if k == 0 else '':12s}{call}")
        if len(self.calls) > LISTED:
            lines.append(f"  {'':12s}and {len(self.calls) - LISTED} more")
        lines += [f"  remark      {remark}" for remark in self.remarks]
        lines += [f"  FINDING     {found.said()}" for found in self.findings]
        return lines

    def whole(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            **vars(self.node),
            "names": self.names,
            "convention": self.convention,
            "calls": self.calls,
            "remarks": self.remarks,
            "findings": self.findings,
        }


@dataclass(frozen=True, repr=False)
class Lint(Told):
    """What a look at one file has found; `found` is what makes the command fail.

    ``nodes`` has one entry for all nodes that are equal but for their names.
    """

    contents: Contents
    nodes: tuple[NodeReport, ...]

    @property
    def source(self) -> str:
        """The file."""
        return str(self.contents.path)

    @property
    def found(self) -> tuple[Finding, ...]:
        """All findings: of the graph as a whole, then node by node."""
        whole = tuple(Finding("cannot-run", text) for text in self.contents.faults)
        return whole + tuple(f for node in self.nodes for f in node.findings)

    def __str__(self) -> str:
        """Return the report as text."""
        c = self.contents
        opset = f", opset {c.opset}" if c.opset else ""
        maker = f", made by {c.producer}" if c.producer else ""
        count = sum(len(node.names) for node in self.nodes)
        lines = [
            f"{c.path.name}: {c.format}{opset}{maker}; "
            f"{_counted(count, 'resize node')}, {_counted(len(self.found), 'finding')}"
        ]
        if c.others:
            others = ", ".join(f"{count} {op}" for op, count in c.others.items())
            lines.append(f"not looked at: {others}")
        lines += [f"FINDING [cannot-run] {text}" for text in c.faults]
        for node in self.nodes:
            lines += ["", *node.lines()]
        return printed(lines)

    def whole(self) -> dict[str, Any]:
        """Return the report as plain values."""
        c = self.contents
        return {
            "file": c.path.name,
            "format": c.format,
            "opset": c.opset,
            "producer": c.producer,
            "findings": len(self.found),
            "faults": c.faults,
            "not_looked_at": c.others,
            "nodes": self.nodes,
        }


def model(
    path: files.PathLike,
    back_ends: Sequence[str] | None = None,
    like: str | Convention | None = None,
) -> Lint:
    """Return what the resize nodes of an .onnx or .tflite file compute.

    Parameters
    ----------
    path
        The file. It is read, never changed, and its weights are not looked at.
    back_ends : sequence of str, optional
        Whose reading of the attributes counts; see `resizelab.models.backends`.
    like : str or Convention, optional
        What every node should compute: a convention's name, or a call as text.
    """
    contents = nodes.read(path)
    wanted = meant(like) if isinstance(like, str) else like
    asked = backends.chosen(back_ends, contents.format)
    names: dict[str, list[str]] = {}
    kinds: dict[str, ResizeNode] = {}
    for node in contents.nodes:
        key = repr(replace(node, name=""))
        names.setdefault(key, []).append(node.name)
        kinds.setdefault(key, node)
    found = [
        _report(node, tuple(names[key]), contents, asked, wanted)
        for key, node in kinds.items()
    ]
    return Lint(contents, tuple(found))


def _report(
    node: ResizeNode,
    names: tuple[str, ...],
    contents: Contents,
    back_ends: tuple[str, ...],
    wanted: Convention | None,
) -> NodeReport:
    where = listed(names)
    wrong = dict.fromkeys(_impossible(node))
    if wrong:
        cannot = tuple(Finding("cannot-run", text, where) for text in wrong)
        return NodeReport(node, names, "none", (), cannot, ())
    try:
        base = node.meaning()
    except (ValueError, TypeError) as error:
        text = f"no back end here takes this node: {error}"
        refused = (Finding("refused", text, where),)
        return NodeReport(node, names, "none", (), refused, ())
    sizes = node.sizes()
    equal = matching.calls(base, sizes, contents.made_by, bool(contents.opset))
    findings = [Finding("no-call", equal.missing, where)] if equal.missing else []
    remarks = [*equal.remarks, *_sampled(node, base)]
    if base.notes:
        remarks.append(base.notes)
    for reading in backends.readings(node, base, back_ends):
        known = f" ({reading.status})" if reading.status not in ("", "live") else ""
        who = reading.back_end + known
        if reading.kind == "unmeasured":
            remarks.append(f"{who}: unmeasured: {reading.text}")
        elif reading.kind != "same":
            code = f"back-end-{reading.kind}"
            findings.append(Finding(code, reading.text, where, who))
    if wanted is not None:
        far = between(wanted, base, sizes, node.dtype)
        text = f"not {wanted.name}: {far.text()}"
        findings += [Finding("unlike", text, where)] * far.real
    return NodeReport(
        node, names, base.name, equal.calls, tuple(findings), tuple(remarks)
    )


def _impossible(node: ResizeNode) -> Iterator[str]:
    """Go through the sizes and scales that no run time can work with."""
    most, rank = checks.LARGEST_SIZE, len(node.arguments.get("axes") or ())
    rank = rank or len(node.before or ())
    # A shape that follows from scales says nothing that they do not say.
    made = node.targets or (() if node.scales else node.after)
    for n in (*(node.before or ()), *(made or ())):
        if n is not None and not 1 <= n <= most:
            yield f"a size must be from 1 to {most}; the file says {n}"
    for what, given in (("scales", node.scales), ("sizes", node.targets)):
        if given and rank and len(given) != rank:
            yield f"there are {len(given)} {what} for {rank} axes"
    for axis, scale in enumerate(node.scales or ()):
        whole = len(node.before or ()) == len(node.scales or ())
        n = node.before[axis] if node.before and whole else None
        if not 0 < scale < math.inf:
            yield f"scale must be finite and above 0; the file says {scale:g}"
        elif not 1 / most <= scale * max(1, n or most) or scale * (n or 1) > most:
            yield f"scale {scale:g} makes no size from 1 to {most} of {n or 1}"


def _sampled(node: ResizeNode, base: Convention) -> list[str]:
    """Return what a node's own sizes and scales mean for what it reads."""
    sizes, scales = node.sizes(), node.scale()
    if sizes is None:
        return []
    found = [sampling.unread(base, *sizes)]
    if scales is not None:
        found.append(sampling.broken_size(base, *sizes, scales))
    return [text for text in found if text]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
