"""QTI 1.2, the zip that Canvas and others import as a quiz.

A wrong number must not look like an accepted one to a reader that takes every range
for right: it stands in a condition of one value, gives no points and only has words.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from html import escape
from xml.etree import ElementTree as ET

from resizelab.teaching.exercises import Exam, Variant

from .answers import UNKNOWN, Told, number, question, told

_QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_FILE = "resize-lab.xml"


def qti(exams: Iterable[Exam], title: str = "Resize Lab") -> bytes:
    """Return the zip: of each exercise, a learner gets one of its variants."""
    exams = list(exams)
    top = ET.Element("questestinterop", xmlns=_QTI)
    quiz = ET.SubElement(top, "assessment", ident="resize-lab", title=title)
    root = ET.SubElement(quiz, "section", ident="root_section")
    for k, same in enumerate(zip(*(e.variants for e in exams), strict=True), 1):
        group = _group(root, k) if len(exams) > 1 else root
        for exam, variant in zip(exams, same, strict=True):
            _item(group, f"t{k}s{exam.code or exam.seed}", f"Task {k}", variant)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, tree in (("imsmanifest.xml", _manifest(title)), (_FILE, top)):
            ET.indent(tree)
            text = ET.tostring(tree, encoding="utf-8", xml_declaration=True)
            archive.writestr(zipfile.ZipInfo(name), text)
    return packed.getvalue()


def _add(parent: ET.Element, path: str, text: str = "", **given: str) -> ET.Element:
    """Add the elements of ``path``, one in the other; return the last."""
    for name in path.split("/"):
        parent = ET.SubElement(parent, name)
    parent.attrib.update(given)
    parent.text = text or None
    return parent


def _manifest(title: str) -> ET.Element:
    top = ET.Element("manifest", xmlns=_PACKAGE, identifier="resize-lab-package")
    about = _add(top, "metadata")
    _add(about, "schema", "IMS Content")
    _add(about, "schemaversion", "1.1.3")
    _add(top, "organizations")
    kind = {"type": "imsqti_xmlv1p2", "href": _FILE}
    resource = _add(top, "resources/resource", identifier="resize-lab-quiz", **kind)
    _add(resource, "file", href=_FILE)
    return top


def _group(root: ET.Element, k: int) -> ET.Element:
    group = _add(root, "section", ident=f"task{k}", title=f"Task {k}")
    pick = _add(group, "selection_ordering/selection")
    _add(pick, "selection_number", "1")
    _add(pick, "selection_extension/points_per_item", "1")
    return group


def _item(group: ET.Element, ident: str, title: str, variant: Variant) -> None:
    known = told(variant)
    choice = variant.exercise.kind == "choice"
    item = _add(group, "item", ident=ident, title=title)
    fields = _add(item, "itemmetadata/qtimetadata")
    kind = "multiple_choice_question" if choice else "numerical_question"
    for label, entry in (("question_type", kind), ("points_possible", "1")):
        pair = _add(fields, "qtimetadatafield")
        _add(pair, "fieldlabel", label)
        _add(pair, "fieldentry", entry)
    asked = _add(item, "presentation")
    lines = "<br/>".join(escape(line, quote=False) for line in question(variant))
    html = re.sub("`(.+?)`", r"<code>\1</code>", lines)
    _add(asked, "material/mattext", f"<p>{html}</p>", texttype="text/html")
    given = {"ident": "response1", "rcardinality": "Single"}
    if choice:
        ways = _add(_add(asked, "response_lid", **given), "render_choice")
        for text in variant.exercise.choices:
            way = _add(ways, "response_label", ident=_ident(known, text))
            _add(way, "material/mattext", text, texttype="text/plain")
    else:
        blank = _add(_add(asked, "response_str", **given), "render_fib")
        blank.set("fibtype", "Decimal")
        _add(blank, "response_label", ident="answer1")
    _judge(item, variant, known)


def _ident(known: list[Told], answer: object) -> str:
    return f"a{[one.answer for one in known].index(answer)}"  # type: ignore[arg-type]


def _judge(item: ET.Element, variant: Variant, known: list[Told]) -> None:
    """Say which answer has the points, and which feedback each answer shows."""
    process = _add(item, "resprocessing")
    score = {"varname": "SCORE", "vartype": "Decimal"}
    _add(process, "outcomes/decvar", minvalue="0", maxvalue="100", **score)
    for k, (answer, right, _) in enumerate(known):
        rule = _add(process, "respcondition")
        rule.set("continue", "No" if right else "Yes")
        when = _add(rule, "conditionvar")
        if isinstance(answer, str):
            _add(when, "varequal", f"a{k}", respident="response1")
        elif right:
            either = _add(when, "or")
            _add(either, "varequal", number(answer), respident="response1")
            both, near = _add(either, "and"), variant.exercise.tolerance
            _add(both, "vargte", number(answer - near), respident="response1")
            _add(both, "varlte", number(answer + near), respident="response1")
        else:
            _add(when, "varequal", number(answer), respident="response1")
        if right:
            _add(rule, "setvar", "100", action="Set", varname="SCORE")
        shown = {"feedbacktype": "Response", "linkrefid": f"a{k}_fb"}
        _add(rule, "displayfeedback", **shown)
    rule = _add(process, "respcondition")
    rule.set("continue", "Yes")
    _add(rule, "conditionvar/other")
    shown = {"feedbacktype": "Response", "linkrefid": "general_incorrect_fb"}
    _add(rule, "displayfeedback", **shown)
    for k, one in enumerate(known):
        _feedback(item, f"a{k}_fb", f"<p>{escape(one.words)}</p>")
    _feedback(item, "general_incorrect_fb", _every(variant, known))


def _every(variant: Variant, known: list[Told]) -> str:
    """Return what a wrong answer is told, for systems without words for a number."""
    wrong = [one for one in known if not one.right and not isinstance(one.answer, str)]
    lines = [f"<li>{number(float(a))}? {escape(words)}</li>" for a, _, words in wrong]
    return f"<p>{UNKNOWN if not wrong else 'Not yet.'}</p>" + (
        f"<ul>{''.join(lines)}</ul>" if lines else ""
    )


def _feedback(item: ET.Element, ident: str, html: str) -> None:
    place = _add(item, "itemfeedback", ident=ident)
    _add(place, "flow_mat/material/mattext", html, texttype="text/html")
