"""Exports: each is read back by the rules of the system that imports it."""

import io
import json
import random
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from resizelab.teaching import exercises, homework
from resizelab.teaching.exercises import grading
from resizelab.teaching.sheets import answers, command, notebooks
from resizelab.teaching.sheets.gift import gift

NAMES = exercises.names()
SALT = "kept by the teacher"
EXAMS = [exercises.exam(seed, NAMES, SALT) for seed in (1, 2)]
VARIANTS = [v for same in zip(*(e.variants for e in EXAMS), strict=True) for v in same]
KINDS = notebooks.FORMATS


def odd(variant):
    """Return a number that no known answer is near."""
    return max(abs(a) for a in variant.answers.values()) + 1000


@pytest.mark.parametrize("name", NAMES)
def test_each_answer_is_told_what_the_answer_box_says(name):
    variant = exercises.variant(name)
    for known in answers.told(variant):
        said = grading.grade(variant, known.answer)
        assert said.right == known.right
        if said.convention in variant.answers:  # else two slips give one number
            assert said.words == known.words


# ---- GIFT, as Moodle reads it ------------------------------------------------


def cut(text, signs):
    """Split before each of ``signs`` that no backslash disarms."""
    return re.split(rf"(?<!\\)(?=[{signs}])", text)


def bare(text):
    return re.sub(r"\\([~=#{}:\\])", r"\1", text)


def read_gift(text):
    """Yield (category, stem, numeric, [(share, answer, tolerance, feedback)])."""
    category = None
    for block in re.split(r"\n\s*\n", text):
        lines = [s for s in block.splitlines() if s and not s.startswith("//")]
        if not lines:
            continue
        if lines[0].startswith("$CATEGORY: "):
            category = lines[0][11:]
            continue
        whole = "\n".join(lines)
        found = re.fullmatch(
            r"::(.*?)(?<!\\)::\[markdown\](.*?)(?<!\\)\{(#?)(.*)(?<!\\)\}", whole, re.S
        )
        assert found, whole
        _, stem, numeric, body = found.groups()
        told = []
        for part in cut(body.strip(), "=~"):
            if not part.strip():
                continue
            answer, _, feedback = re.split(r"(?<!\\)(#)", part.strip(), maxsplit=1)
            share = 100 if answer[0] == "=" else 0
            if weight := re.match(r"=%(\d+)%", answer):
                share, answer = int(weight[1]), answer[weight.end() - 1 :]
            value, _, near = (
                answer[1:].partition(":") if numeric else (answer[1:], "", "")
            )
            told.append((share, bare(value), float(near or 0), bare(feedback)))
        yield category, bare(stem.replace("\\n", "\n")), bool(numeric), told


def test_gift_is_read_back_with_every_reason():
    found = list(read_gift(gift(EXAMS)))
    assert len(found) == len(VARIANTS)
    assert len({category for category, *_ in found}) == len(NAMES)
    for variant, (_, stem, numeric, told) in zip(VARIANTS, found, strict=True):
        assert stem.splitlines() == answers.question(variant)
        assert numeric == (variant.exercise.kind == "number")
        for known in answers.told(variant):
            # Moodle takes the first answer that fits.
            fits = (
                (share, words)
                for share, value, near, words in told
                if (
                    abs(float(value) - known.answer) <= near + 1e-9
                    if numeric and value
                    else value == known.answer
                )
            )
            share, words = next(fits)
            assert share == 100 * known.right
            if known.right or not numeric:
                assert words == known.words
            assert words in {one.words for one in answers.told(variant)}
        if numeric:
            assert told[-1] == (0, "", 0, answers.UNKNOWN)


# ---- QTI, as Canvas reads it -------------------------------------------------

Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


def holds(condition, given):
    """Say whether a condition of QTI 1.2 holds for what was given."""
    name, text = condition.tag.removeprefix(Q), condition.text
    if name in ("or", "and", "conditionvar"):
        return (any if name == "or" else all)(holds(part, given) for part in condition)
    if name == "varequal":
        return given == (float(text) if isinstance(given, float) else text)
    if name == "other":
        return False  # asked for below, when nothing else held
    return given >= float(text) if name == "vargte" else given <= float(text)


def judged(item, given):
    """Return (score, the identifiers of the feedback shown)."""
    score, shown = 0, []
    for rule in item.iter(f"{Q}respcondition"):
        if not holds(rule.find(f"{Q}conditionvar"), given):
            continue
        if (points := rule.find(f"{Q}setvar")) is not None:
            score = float(points.text)
        shown += [f.get("linkrefid") for f in rule.iter(f"{Q}displayfeedback")]
        if rule.get("continue") == "No":
            break
    return score, shown


@pytest.fixture(scope="module")
def qti():
    """Give the quiz of the zip, as its manifest names it."""
    from resizelab.teaching.sheets.qti import qti

    archive = zipfile.ZipFile(io.BytesIO(qti(EXAMS)))
    manifest = ET.fromstring(archive.read("imsmanifest.xml"))
    space = "{http://www.imsglobal.org/xsd/imscp_v1p1}"
    (resource,) = manifest.iter(f"{space}resource")
    assert resource.get("type") == "imsqti_xmlv1p2"
    (file,) = resource.iter(f"{space}file")
    assert {*archive.namelist()} == {"imsmanifest.xml", file.get("href")}
    assert qti(EXAMS) == qti(EXAMS), "the same bytes again"
    return ET.fromstring(archive.read(resource.get("href")))


def test_qti_gives_points_and_reasons_to_the_right_answers(qti):
    items = list(qti.iter(f"{Q}item"))
    assert len({item.get("ident") for item in items}) == len(items) == len(VARIANTS)
    for variant, item in zip(VARIANTS, items, strict=True):
        words = {
            f.get("ident"): re.sub("<[^>]+>", "", "".join(f.itertext())).strip()
            for f in item.iter(f"{Q}itemfeedback")
        }
        ways = {
            "".join(w.itertext()).strip(): w.get("ident")
            for w in item.iter(f"{Q}response_label")
        }
        for known in answers.told(variant):
            choice = isinstance(known.answer, str)
            given = (
                ways[known.answer] if choice else float(answers.number(known.answer))
            )
            score, shown = judged(item, given)
            assert score == 100 * known.right
            assert html_free(known.words) in words[shown[0]]
            if not (known.right or choice):
                # Where a system has no words for one number, it has them all.
                assert html_free(known.words) in words["general_incorrect_fb"]
        if variant.exercise.kind == "number":
            assert judged(item, odd(variant)) == (0, [])
            near = variant.key + 0.9 * variant.exercise.tolerance
            assert judged(item, near)[0] == 100


def html_free(words):
    return words.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#x27;")


def test_qti_marks_no_wrong_number_as_canvas_reads_accepted_ones(qti):
    for item in qti.iter(f"{Q}item"):
        for rule in item.iter(f"{Q}respcondition"):
            ranges = [
                e for e in rule.iter() if e.tag in (f"{Q}or", f"{Q}and", f"{Q}vargte")
            ]
            assert not ranges or rule.find(f"{Q}setvar") is not None


def test_qti_draws_one_variant_of_each_task(qti):
    groups = qti.findall(f".//{Q}section/{Q}section")
    assert len(groups) == len(NAMES)
    for group in groups:
        assert group.find(f".//{Q}selection_number").text == "1"
        assert len(group.findall(f"{Q}item")) == len(EXAMS)


# ---- notebooks ---------------------------------------------------------------

ITEMS = [notebooks.of_variant(k, v) for k, v in enumerate(EXAMS[0].variants, 1)]
TASKS = {
    name: notebooks.of_task(homework.task(name), random.Random(1))
    for name in homework.names()
}


@pytest.mark.parametrize("k", range(len(NAMES)), ids=NAMES)
def test_a_notebooks_hidden_test_tells_the_reason(k):
    item, variant = ITEMS[k], EXAMS[0].variants[k]
    for known in answers.told(variant):
        given = {f"answer_{k + 1}": known.answer}
        exec(item.open_test, given)
        if known.right:
            exec(item.hidden_test, given)
            continue
        with pytest.raises(AssertionError) as said:
            exec(item.hidden_test, given)
        assert str(said.value) in {one.words for one in answers.told(variant)}
    if variant.exercise.kind == "number":
        with pytest.raises(AssertionError, match="nothing known here"):
            exec(item.hidden_test, {f"answer_{k + 1}": odd(variant)})
    with pytest.raises((AssertionError, TypeError)):
        exec(f"{item.stub}\n{item.open_test}", {})


@pytest.mark.parametrize("name", TASKS)
def test_the_source_of_a_task_runs_and_its_stub_does_not(name):
    item = TASKS[name]
    known = {}
    exec(f"{item.head}\n{item.solution}\n{item.open_test}\n{item.hidden_test}", known)
    with pytest.raises(NotImplementedError):
        exec(f"{item.stub}\n{item.open_test}", {})


def cells(kind, items):
    text = notebooks.notebook("Title", items, kind)
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.reads(text, as_version=4))
    return [(c, "".join(c["source"])) for c in json.loads(text)["cells"]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_is_valid_and_only_the_teachers_hold_keys(kind):
    items = [*ITEMS[:3], *TASKS.values()]
    whole = "\n".join(text for _, text in cells(kind, items))
    for item in items:
        assert item.words in whole
        for secret in (item.solution, item.hidden_test, *item.rubric):
            assert (secret in whole) == (kind != "notebook")


def test_nbgrader_finds_its_regions_and_points():
    found = cells("nbgrader", TASKS.values())
    about = [c["metadata"]["nbgrader"] for c, _ in found[1:]]
    assert len({a["grade_id"] for a in about}) == len(about)
    assert all(("points" in a) == a["grade"] for a in about)
    hidden = 0
    for cell, text in found[1:]:
        told = cell["metadata"]["nbgrader"]
        assert text.count("### BEGIN SOLUTION") == text.count("### END SOLUTION")
        assert text.count("### BEGIN SOLUTION") == (
            told["solution"] and not told["grade"]
        )
        hidden += text.count("### BEGIN HIDDEN TESTS\n")
    assert hidden == len(TASKS)


def test_otter_finds_its_pairs():
    marks = [
        text.split("\n")[0]
        for c, text in cells("otter", TASKS.values())
        if c["cell_type"] == "raw"
    ]
    assert marks.pop(0) == "# ASSIGNMENT CONFIG"
    stack = []
    for mark in marks:
        _, word, of = mark.split(maxsplit=2)
        if word == "BEGIN":
            stack.append(of)
        else:
            assert stack.pop() == of
    assert stack == []
    assert marks.count("# BEGIN QUESTION") == 2 * len(TASKS)


# ---- the command -------------------------------------------------------------


def run(capsys, *arguments):
    code = command.main([str(a) for a in arguments])
    told = capsys.readouterr()
    return code, told.out.split("\n")[:-1], told.err


def test_what_the_teachers_page_prints_works(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("RESIZELAB_EXAM_SALT", raising=False)
    secret = tmp_path / "salt.txt"
    assert run(capsys, "salt", secret)[:2] == (0, [str(secret)])
    code, _, told = run(capsys, "salt", secret)
    assert code == 2
    assert "exists" in told
    more = ("--seeds", "1-2", "--salt", secret, "--out", tmp_path)
    code, sheets, _ = run(capsys, "export", "markdown", "grids", "drift-five", *more)
    assert code == 0
    assert len(sheets) == 4
    texts = [Path(path).read_text("utf-8") for path in sheets]
    salt = secret.read_text().strip()
    assert not any(salt in text for text in texts)
    exam = exercises.exam(
        2, ["grids-five-to-three", "grids-why-257", "drift-five"], salt
    )
    assert texts[2:] == [exam.markdown(), exam.markdown(True)]
    for kind in ("gift", "qti", "json", *KINDS):
        assert run(capsys, "export", kind, "grids", *more)[0] == 0
    for kind in command.HOMEWORK:
        code, paths, _ = run(capsys, "homework", kind, "--out", tmp_path / kind)
        assert code == 0
        assert len(paths) == len(TASKS)


def test_hidden_cases_need_the_salt(tmp_path, capsys, monkeypatch):
    texts = []
    for salt in (SALT, "of another teacher"):
        monkeypatch.setenv("RESIZELAB_EXAM_SALT", salt)
        (path,) = run(capsys, "homework", "otter", "culprit", "--out", tmp_path)[1]
        texts.append(Path(path).read_text("utf-8"))
    assert texts[0] != texts[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "gift", "grid-why-257"), "did you mean 'grids-why-257'"),
        (("homework", "otter", "culprits"), "did you mean 'culprit'"),
        (("export", "gift", "--salt", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_a_slip_is_said_in_a_line(capsys, arguments, said):
    code, out, told = run(capsys, *arguments)
    assert (code, out) == (2, [])
    assert told.startswith("resizelab.teaching: ")
    assert said in told
