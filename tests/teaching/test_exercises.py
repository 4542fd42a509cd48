"""Exercises: each on its page and in the package, judged alike in Python and there."""

import ast
import itertools
import json
import re
from collections import Counter

import pytest
from browser import ROOT, chapters, learner_chapters
from bulk import for_each, some
from tiny_book import code

from resizelab.teaching import exercises
from resizelab.teaching.exercises import collection, drawing, grading
from resizelab.teaching.exercises import salt as salts

NAMES = exercises.names()
PAGES = {name.removeprefix("book/"): ROOT / f"{name}.md" for name in chapters()}
LEARNER = [name.removeprefix("book/") for name in learner_chapters()]
FEW, MANY = 12, 50  # seeds
every_exercise = for_each(NAMES)

# A page with one box of each kind, tried in a browser.
NUMBER, CHOICE = "grids-why-257", "cubic-name"
TINY_PAGES = {
    "answers": "# Two answers\n"
    + code(f"from resizelab.teaching.exercises import box\nbox({NUMBER!r})")
    + code(f"box({CHOICE!r})")
    + code(
        "from resizelab.teaching.explorers import predict\npredict('?', {'tf1': 3.0})"
    )
}


def on_pages():
    """Return {label: (page, body, the text up to the next exercise)}."""
    found = {}
    block = re.compile(
        r"^(?P<f>`{3,}|:{3,})\{exercise(?:-start)?\}[^\n]*\n(?P<body>.*?)^(?P=f)\s*$",
        re.M | re.S,
    )
    for page, path in PAGES.items():
        text = path.read_text(encoding="utf-8")
        hits = list(block.finditer(text))
        ends = [hit.start() for hit in hits[1:]] + [len(text)] * bool(hits)
        for hit, end in zip(hits, ends, strict=True):
            label = re.search(r"^:label: *(\S+)\n", hit["body"], re.M)
            assert label, f"{page}: an exercise without a label"
            body = re.sub(r"^:\w+:.*\n", "", hit["body"], flags=re.M)
            found[label[1]] = (page, body, text[hit.end() : end])
    return found


ON_PAGES = on_pages()
every_label = for_each(list(ON_PAGES))


def flat(text):
    return " ".join(text.split())


# ---- pages and package -----------------------------------------------------


def test_stubs_and_exercises_are_paired():
    assert set(NAMES) == set(ON_PAGES)
    for label, (page, _, _) in ON_PAGES.items():
        assert label.startswith(page + "-")


def test_exercises_are_found_in_their_pages_modules():
    assert all(collection.of_page(page) for page in collection.pages())
    assert {"grids-why-257", "drift-mend", "tf1-bug-repair"} <= set(NAMES)
    assert list(collection.of_page("tf1-bug")) == [
        "tf1-bug-thin-frame",
        "tf1-bug-repair",
    ]


@for_each(LEARNER)
def test_a_learner_chapter_has_two(page):
    assert sum(name_page == page for name_page, _, _ in ON_PAGES.values()) >= 2


@every_label
def test_the_page_says_what_the_package_says(label):
    _, body, after = ON_PAGES[label]
    variant = exercises.variant(label)
    assert flat(body) == flat(variant.stem)
    hint = re.search(r"^:{3,}\{dropdown\} Hint\n(.*?)^:{3,}$", after, re.M | re.S)
    assert hint, "a hint in a dropdown"
    assert flat(hint[1]) == flat(variant.hint)


@every_label
def test_box_hint_and_solution_follow_in_order(label):
    _, _, after = ON_PAGES[label]
    parts = [f'box("{label}")', "{dropdown} Hint", f"{{solution-start}} {label}"]
    places = [after.find(part) for part in parts]
    assert -1 not in places, parts
    assert places == sorted(places)
    cell = after[: places[0]].rsplit("```{code-cell}", 1)[1]
    assert "remove-input" in cell, "the cell would tell the exercise's name"
    start, end = places[2], after.find("{solution-end}")
    assert end > start
    assert "assert" in after[start:end], "the solution is executed and asserts"
    assert f'check("{label}", ' in after[start:end], "its answer goes through check"
    # In a notebook the cell is folded but for its first line; outputs never are.
    ((before, run),) = re.findall(
        r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)(.*?)^```$",
        after[start:end],
        re.M | re.S,
    )
    assert before == ":jupyter: {source_hidden: true}\n"
    assert run.startswith("# Worked solution\n")
    assert "print(" not in run
    assert not isinstance(ast.parse(run).body[-1], ast.Expr)


# ---- right and wrong -------------------------------------------------------


@every_exercise
def test_the_right_answer_is_right(name):
    key = exercises.variant(name).key
    verdict = exercises.check(name, key)
    assert verdict.right
    assert exercises.variant(name).right in verdict.convention
    assert not verdict.words.startswith("Not yet")


@every_exercise
def test_each_wrong_answer_names_its_convention_and_not_the_key(name):
    variant = exercises.variant(name)
    wrong = [label for label in variant.answers if label != variant.right]
    assert wrong
    for label in wrong:
        verdict = exercises.check(name, variant.answers[label])
        assert not verdict.right
        assert label in verdict.convention
        assert verdict.words.startswith("Not yet")
        key = variant.key if isinstance(variant.key, str) else f"{variant.key:g}"
        assert not re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", verdict.words)


@every_exercise
def test_an_answer_of_nobody_is_wrong_and_named_so(name):
    variant = exercises.variant(name)
    if variant.exercise.choices:
        with pytest.raises(ValueError, match="must be one of"):
            exercises.check(name, "somewhere else")
        return
    odd = max(map(abs, variant.answers.values())) + 1000
    assert exercises.check(name, odd) == exercises.Feedback(
        False, None, "Not yet, and nothing known here gives that."
    )


@every_exercise
def test_what_goes_into_the_box_is_plain_text(name):
    variant = exercises.variant(name)
    told = [variant.ask, *variant.feedback.values()]
    assert [text for text in told if set(text) & set("`$*{}\\")] == []
    assert variant.ask.endswith(("?", ")"))


# ---- variants --------------------------------------------------------------


@pytest.mark.parametrize("seeds", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@every_exercise
def test_variants_have_a_right_answer_that_stands_apart(name, seeds):
    exercise = exercises.variant(name).exercise
    assert exercise.is_clear(exercise.values), "the page's own question"
    seen, keys = set(), Counter()
    for seed in range(seeds):
        variant = exercises.variant(name, seed)
        assert variant.values != dict(exercise.values)
        right, *wrong = variant.answers.values()
        if exercise.choices:
            assert right not in wrong
        else:
            gap = min(abs(right - other) for other in wrong)
            assert gap > 2 * exercise.tolerance
        assert exercises.check(name, variant.key, seed).right
        for label in list(variant.answers)[1:]:
            verdict = exercises.check(name, variant.answers[label], seed)
            assert not verdict.right
            assert label in verdict.convention
        seen.add(variant.stem)
        keys[variant.key] += 1
    assert len(seen) >= seeds // 5, "too few different questions"
    # Chance alone gives one of three choices up to eight times in ten.
    assert max(keys.values()) <= (0.8 if seeds < MANY else 0.7) * seeds, (
        "one key too often"
    )


def test_the_same_seed_gives_the_same_exam_and_another_another():
    one, again, two = (exercises.exam(s, NAMES[:4]) for s in (5, 5, 6))
    assert one.json(keys=True) == again.json(keys=True)
    assert one.json() != two.json()
    # A question does not depend on the others of its sheet.
    assert exercises.exam(5, NAMES[3:4]).variants[0].stem == one.variants[3].stem


def test_an_exam_without_keys_holds_no_answer():
    sheet = exercises.exam(3, [NUMBER, CHOICE])
    (asked, chosen), known = (json.loads(sheet.json())["tasks"], sheet.json(keys=True))
    assert "right" not in asked
    assert asked["kind"] == "number"
    assert chosen["choices"] == list(sheet.variants[1].exercise.choices)
    key = sheet.variants[0].key
    assert f"{key:.6g}" not in sheet.markdown()
    assert f"**Key: {key:.6g} posts**" in sheet.markdown(keys=True)
    first = json.loads(known)["tasks"][0]
    assert first["answers"][first["right"]] == key
    assert sheet.markdown().startswith("# Sheet 3\n\n## Task 1\n\nNetworks that use")


# ---- exams with a salt -----------------------------------------------------

SALT = "kept by the teacher"


@pytest.mark.parametrize("salt", [None, SALT])
def test_a_sheet_tells_neither_page_nor_name_nor_salt(salt):
    sheet = exercises.exam(3, NAMES, salt)
    for text in (sheet.markdown(), sheet.json()):
        assert [name for name in NAMES if name in text] == []
        assert SALT not in text
        assert "seed" not in text
    for text in (sheet.markdown(keys=True), sheet.json(keys=True)):
        assert [name for name in NAMES if name not in text] == []
        assert SALT not in text


def test_without_the_salt_no_seed_gives_the_sheet():
    sheet = exercises.exam(3, NAMES, SALT)
    assert exercises.exam(3, NAMES, SALT) == sheet
    title = sheet.markdown().splitlines()[0]
    assert re.fullmatch("# Sheet [A-Z2-7]{5}", title)
    others = [exercises.exam(seed, NAMES) for seed in range(20)]
    others += [exercises.exam(3, NAMES, SALT + "."), exercises.exam(4, NAMES, SALT)]
    for other in others:
        assert other.markdown().splitlines()[0] != title
        same = [
            a.name
            for a, b in zip(sheet.variants, other.variants, strict=True)
            if a.values == b.values
        ]
        assert len(same) < len(NAMES) / 4, "few draws fall alike by chance"


def test_a_key_is_judged_with_the_salt():
    variant = exercises.variant(NUMBER, 3, SALT)
    assert exercises.check(NUMBER, variant.key, 3, SALT).right
    assert not exercises.check(NUMBER, variant.key, 3).right


def test_a_salt_comes_from_a_file_or_the_environment(tmp_path):
    path = salts.new(tmp_path / "salt.txt")
    assert path.stat().st_mode & 0o077 == 0
    assert salts.found(path) == path.read_text().strip()
    assert salts.found(environment={salts.VARIABLE: SALT}) == SALT
    assert salts.found(environment={}) is None
    with pytest.raises(FileExistsError):
        salts.new(path)


def test_a_salt_that_can_be_guessed_is_refused_and_not_printed(tmp_path):
    (tmp_path / "salt.txt").write_text("monday\n")
    for call in (
        lambda: salts.found(tmp_path / "salt.txt"),
        lambda: salts.found(environment={salts.VARIABLE: "monday"}),
        lambda: exercises.exam(3, [NUMBER], "monday"),
    ):
        with pytest.raises(ValueError, match="at least 12 letters; has 6") as told:
            call()
        assert "monday" not in str(told.value)
    with pytest.raises(TypeError, match="salt must be a text; got a int"):
        exercises.variant(NUMBER, 3, 123456789012)


# ---- what is refused -------------------------------------------------------


def test_an_unknown_name_gets_the_nearest():
    for call in (exercises.variant, exercises.box):
        with pytest.raises(LookupError, match="did you mean 'grids-why-257'"):
            call("grids-why-256")
    with pytest.raises(LookupError, match="no exercise is called 'nothing'"):
        exercises.check("nothing", 3)


@pytest.mark.parametrize("seed", ["3", 2.0, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(TypeError, match="seed must be a whole number"):
        exercises.variant(NUMBER, seed)


def test_an_exam_wants_a_list_and_a_seed():
    with pytest.raises(TypeError, match="a list of exercises' names"):
        exercises.exam(3, NUMBER)
    with pytest.raises(TypeError, match=r"names must be a list of .*; got None"):
        exercises.exam(3, None)
    with pytest.raises(TypeError, match="seed must be a whole number; got None"):
        exercises.exam(None, [NUMBER])


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("257", 257),
        (" 2,5 ", 2.5),
        ("\u22121", -1),
        ("30/7", 30 / 7),
        (3, 3),
        ("\u20133", -3),
        ("\u22121,5/\u22122,5", 0.6),
    ],
)
def test_numbers_are_read_as_a_reader_writes_them(typed, value):
    assert grading.number(typed) == value


@pytest.mark.parametrize("typed", ["", "many", "1/0", "1/2/3", "nan"])
def test_what_is_no_number_is_refused(typed):
    with pytest.raises(ValueError, match="answer must be a number such as"):
        grading.number(typed)


GOOD = {
    "name": "page-topic",
    "stem": "What is {n}?",
    "values": {"n": 1},
    "draws": {"n": range(5)},
    "answers": lambda n: {"right": n, "wrong": n + 1},
    "hint": "Look.",
    "feedback": {"wrong": "Not yet."},
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "Topic"}, "name must be a page's name and more"),
        ({"draws": {"m": range(5)}}, "draws must name"),
        ({"feedback": {"wrnog": "No."}}, "did you mean 'wrong'"),
        ({"stem": "What is {m}?"}, "no value is called 'm'"),
        ({"answers": lambda n: {}}, "gave nothing"),
        ({"choices": ("2", "3")}, "must be one of '2', '3'"),
        ({"answers": lambda n: {"right": float("inf")}}, "must be finite"),
    ],
)
def test_an_exercise_whose_parts_do_not_fit_is_refused(change, said):
    assert exercises.Exercise(**GOOD).kind == "number"
    change = {"feedback": {}, **change} if "answers" in change else change
    with pytest.raises(ValueError, match=re.escape(said)):
        exercises.Exercise(**(GOOD | change))


def test_draws_without_a_clear_variant_are_refused():
    blurred = exercises.Exercise(**(GOOD | {"tolerance": 0.5}))
    with pytest.raises(ValueError, match="1000 draws from 5 of n gave no variant"):
        drawing.drawn(blurred, 1)


def test_words_have_a_true_minus_and_lists_commas():
    exercise = exercises.Exercise(**(GOOD | {"stem": "{n} {n:.2f}?"}))
    said = exercise.say("{n:g}; {n:.1f}", {"n": (-1.0, 2.5)})
    assert said == "\u22121, 2.5; \u22121.0, 2.5"


# ---- in a browser ----------------------------------------------------------


def answer(page, name, given):
    """Give an answer in a box and return what it says."""
    root = page.locator(f"[data-name={name}]")
    if isinstance(given, str):
        root.get_by_label(given, exact=True).check()
    else:
        root.get_by_label("Your answer").fill(repr(given))
    root.get_by_role("button", name="Check").click()
    page.wait_for_function(
        "n => document.querySelector(`[data-name=${n}] .rl-say`).textContent", arg=name
    )
    return root


@pytest.mark.parametrize(
    ("via", "name"), some(itertools.product(("http", "file"), (NUMBER, CHOICE)), 0, 3)
)
def test_the_box_says_what_check_says(look, via, name):
    page = look("answers.html", via)
    variant = exercises.variant(name)
    *wrong, right = [*list(variant.answers.values())[1:], variant.key]
    for given in wrong:
        root = answer(page, name, given)
        said = exercises.check(name, given).words
        assert root.locator(".rl-say").text_content() == said
        assert root.get_attribute("data-verdict").endswith(", wrong")
        assert root.locator("[data-answer]").count() == 0, "the key is kept"
    root = answer(page, name, right)
    assert root.locator(".rl-say").text_content() == exercises.check(name, right).words
    assert root.get_attribute("data-verdict").endswith(", right")
    assert root.locator("[data-answer]").count() == len(variant.answers)


def test_the_key_is_not_in_the_page_before_it_was_found(look):
    page = look("answers.html", wait="networkidle")
    page.wait_for_selector(f"[data-name={NUMBER}] form")
    assert "257 posts" not in page.content()
    root = answer(page, NUMBER, 999)
    assert root.locator(".rl-say").text_content() == exercises.check(NUMBER, 999).words
    assert "257 posts" not in page.content()


def test_an_empty_answer_is_asked_for(look):
    page = look("answers.html")
    root = page.locator(f"[data-name={NUMBER}]")
    root.get_by_role("button", name="Check").click()
    assert "Write a number first" in root.locator(".rl-note").text_content()


@pytest.mark.parametrize(
    ("allowed", "tries", "said"),
    [
        (True, [258], "258 posts, wrong, try 1"),
        (
            False,
            [258, 258, 999, 257],
            "257 posts, right, try 3 (before: 258 posts, 999 posts)",
        ),
    ],
)
def test_all_answers_of_a_page_are_copied_with_their_tries(look, allowed, tries, said):
    page = look("answers.html", permissions=["clipboard-read", "clipboard-write"])
    if not allowed:  # what a browser does that keeps its clipboard from a file
        page.evaluate(
            "() => { navigator.clipboard.writeText = () => Promise.reject(); }"
        )
    for given in tries:
        root = answer(page, NUMBER, given)
        page.wait_for_selector(f"[data-name={NUMBER}][data-verdict^='{given} ']")
    root.get_by_role("button", name="Copy my answers").click()
    page.wait_for_function(
        "n => document.querySelector(`[data-name=${n}] .rl-note`).textContent",
        arg=NUMBER,
    )
    paper = root.get_by_label("All answers of this page")
    assert paper.is_visible() != allowed
    script = "navigator.clipboard.readText()"
    text = page.evaluate(script) if allowed else paper.input_value()
    today = page.evaluate("new Date().toLocaleDateString('sv')")
    assert text.splitlines() == [
        f"Two answers ({today})",
        f"{NUMBER}: {said}",
        f"{CHOICE}: no answer",
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_box_fits_a_phone(look, theme):
    page = look("answers.html", width=360, height=740, theme=theme)
    answer(page, CHOICE, exercises.variant(CHOICE).key)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in (NUMBER, CHOICE):
        root = page.locator(f"[data-name={name}]")
        assert root.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize("name", ["drift-five", "onnx-opset-ten"])
def test_no_key_is_a_minus_zero(name):
    for seed in range(5):
        told = exercises.variant(name, seed).markdown(keys=True)
        assert "\u22120 " not in told
        assert "- 0 " in told  # half_pixel moves nothing


def test_a_camera_s_centre_may_be_said_to_two_decimals():
    values = {"n_in": 320, "n_out": 80, "cx": 150.0}
    exercise = collection.find("geometry-camera")
    variant = drawing.Variant(exercise, 1, values)
    assert variant.key == 37.125
    assert exercise.is_clear(values)
    for said in ("37.12", "37.13", 37.125):
        assert grading.grade(variant, said).right
