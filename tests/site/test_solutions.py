"""A solution opens after an answer, or is left out, or is the teacher's; all run."""

import base64
import re
import sys

import pytest
import tiny_book
from browser import ROOT, Site, Visits, chapters
from bulk import for_each

from resizelab.teaching import exercises

sys.path.insert(0, str(ROOT / "book" / "extension"))
solutions = pytest.importorskip("solutions", reason="Sphinx is not installed")
prediction = pytest.importorskip("resizelab.teaching.explorers.prediction")

NAME = "grids-why-257"
CELL = tiny_book.code(
    f"from resizelab.teaching.exercises import check\n"
    f"assert check({NAME!r}, {{answer}}).right\nprint('fence' + 'posts')"
)
BOX = tiny_book.code(f"from resizelab.teaching.exercises import box\nbox({NAME!r})")
PAGE = f"""
# Tiny

```{{exercise}} One
:label: {NAME}
How many?
```
{BOX}
````{{solution-start}} {NAME}
:class: dropdown
````

Gaps and one more make onehundredtwentynine.
{CELL}
````{{solution-end}}
````

## Afterwards

Words that stay.
"""
CONFIG = tiny_book.CONFIG.replace(
    "early_cells]", "early_cells, sphinx_exercise, solutions]"
)


# What RESIZELAB_SOLUTIONS says for each edition.
EDITIONS = {"sealed": "", "none": "0", "teacher": "1"}
SALT = "kept by the teacher"


def build(folder, answer, edition):
    """Build the page with ``answer`` in its solution; return the run and the HTML."""
    (folder / "host").mkdir(parents=True)
    host = ROOT / "resizelab/teaching/explorers/host.js"
    (folder / "host/host.js").write_text(host.read_text("utf-8"))
    (folder / "_config.yml").write_text(CONFIG)
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    page = tiny_book.FRONT + PAGE.replace("{answer}", answer)
    (folder / "index.md").write_text(page)
    told = {"RESIZELAB_SOLUTIONS": EDITIONS[edition], "RESIZELAB_EXAM_SALT": SALT}
    done = tiny_book.run(folder, **told)
    return done, folder / "_build" / "html"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build both editions of the page: {edition: its folder}."""
    folder = tmp_path_factory.mktemp("editions")
    pages = {}
    for edition in EDITIONS:
        done, html = build(folder / edition, "257", edition)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        pages[edition] = html
    return pages


def everything(html):
    """Return all text files of a site as one text."""
    kinds = {".html", ".md", ".txt", ".js", ".json", ".ipynb"}
    return "\n".join(
        path.read_text(encoding="utf-8")
        for path in sorted(html.rglob("*"))
        if path.suffix in kinds and "_sphinx_design_static" not in str(path)
    )


SECRETS = ("onehundredtwentynine", "solution-start", "check('grids-why-257'")


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["sealed", "none"])
def test_the_published_build_shows_no_solution(built, edition):
    text = everything(built[edition])
    assert "Words that stay" in text
    assert 'id="grids-why-257"' in text
    assert [secret for secret in (*SECRETS, "fenceposts") if secret in text] == []
    assert "keys.html" not in text
    assert text.count(f'data-worked="{NAME}"') == (edition == "sealed")
    assert not (built[edition] / "keys.html").exists()
    assert not (built[edition] / "exams").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("given", "opened"), [("999", False), ("257", True)])
def test_the_worked_solution_opens_after_an_answer(chromium, built, given, opened):
    visits = Visits(chromium, Site(built["sealed"], "http://127.0.0.1:9"))
    tab = visits("index.html", "file", width=360)
    fold = tab.locator(f"[data-worked={NAME}]")
    tab.wait_for_selector(f"[data-name={NAME}] form")
    assert fold.is_hidden()
    assert fold.locator("details").count() == 0
    tab.get_by_role("textbox", name="Your answer").fill(given)
    tab.get_by_role("button", name="Check").click()
    tab.wait_for_selector(f"[data-worked={NAME}] details")
    assert fold.locator("details").evaluate("d => d.open") == opened
    if not opened:
        fold.get_by_text("Worked solution").click()
    for words in ("onehundredtwentynine", "fenceposts"):
        assert fold.get_by_text(words).is_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    visits.close()
    visits.check()


@pytest.mark.slow
def test_the_teachers_build_holds_solution_output_and_keys(built):
    html = built["teacher"]
    page = (html / "index.html").read_text(encoding="utf-8")
    assert "onehundredtwentynine" in page
    assert "fenceposts" in page, "the solution's cell has run"
    assert "onehundredtwentynin" in (html / "searchindex.js").read_text("utf-8")
    keys = (html / "keys.html").read_text(encoding="utf-8")
    for name in exercises.names():
        assert f"<h2>{name}</h2>" in keys
    assert "Key: 257 posts" in keys
    assert '<a href="keys.html">' in page


@pytest.mark.slow
def test_the_teachers_exams_are_those_of_the_package(built):
    sheets = built["teacher"] / "exams"
    assert len(list(sheets.iterdir())) == 4 * len(solutions.SEEDS)
    exam = exercises.exam(3, exercises.names(), SALT)
    assert (sheets / "exam-3-sheet.md").read_text("utf-8") == exam.markdown()
    assert (sheets / "exam-3-key.md").read_text("utf-8") == exam.markdown(keys=True)
    assert (sheets / "exam-3-key.json").read_text("utf-8") == exam.json(keys=True)
    assert "Key" not in (sheets / "exam-3-sheet.md").read_text("utf-8")


@pytest.mark.slow
def test_a_wrong_solution_fails_the_students_build(tmp_path):
    done, _ = build(tmp_path / "wrong", "258", "sealed")
    assert done.returncode != 0
    assert "AssertionError" in done.stdout + done.stderr


@pytest.mark.parametrize("name", exercises.names())
def test_a_key_holds_no_mark_that_plain_markdown_does_not_know(name):
    variant = exercises.variant(name)
    text = variant.markdown(keys=True) + variant.hint
    assert re.findall(r"\$[^$\n]+\$|\{[\w-]+\}`", text) == []


def test_both_notations_of_a_solution_are_taken_out():
    single = "Before.\n\n:::{solution} a-b\n:class: dropdown\nSecret.\n:::\n\nAfter.\n"
    gated = "A.\n\n```{solution-start} a-b\n:class: dropdown\n```\n\nSecret.\n\n"
    gated += "````{code-cell}\nsecret()\n````\n\n```{solution-end}\n```\n\nB.\n"
    assert solutions.without_solutions(single) == "Before.\n\nAfter.\n"
    assert solutions.without_solutions(gated) == "A.\n\nB.\n"
    assert solutions.without_solutions(gated * 2) == "A.\n\nB.\nA.\n\nB.\n"


def test_a_slip_in_the_choice_is_refused():
    for edition, told in EDITIONS.items():
        assert solutions.edition({"RESIZELAB_SOLUTIONS": told}) == edition
    assert solutions.edition({}) == "sealed"
    with pytest.raises(ValueError, match="allowed are 1, 0 and nothing"):
        solutions.edition({"RESIZELAB_SOLUTIONS": "true"})


# ---- the book itself -------------------------------------------------------


def secrets_of(page):
    """Return the sentences of a page's solutions, and the count of solutions."""
    source = (ROOT / f"{page}.md").read_text(encoding="utf-8")
    blocks = solutions.GATED.findall(source)
    whole = [hit[0] for hit in solutions.GATED.finditer(source)]
    lines = [line for block in whole for line in block.splitlines()]
    plain = [s for s in lines if re.fullmatch(r"[A-Z][^`$*|\[\]{}_\\]{30,}\.", s)]
    # A sentence that a hint says as well is no secret.
    open_to_all = solutions.without_solutions(source)
    return [line for line in plain if line not in open_to_all], len(blocks)


@for_each(chapters())
def test_the_published_page_holds_no_solution(page, site):
    plain, count = secrets_of(page)
    html = (site.root / f"{page}.html").read_text(encoding="utf-8")
    assert 'class="solution' not in html
    boxes = re.findall(r'data-sealed="([^"]+)"', html)
    worked = [prediction.unseal(base64.b64decode(text))["html"] for text in boxes]
    assert len(worked) == count
    assert all("<pre>" in text and "Worked solution" in text for text in worked)
    if any('class="katex"' in text for text in worked):
        assert "katex.min.css" in html
    assert [line for line in plain if line in html] == []
    (offered,) = (site.root / "_sources" / "book").glob(f"{page.split('/')[1]}.*")
    source = offered.read_text(encoding="utf-8")
    assert "{solution" not in source
    assert [line for line in plain if line in source] == []


def test_the_published_site_offers_no_key(site):
    assert sum(len(secrets_of(page)[0]) for page in chapters()) > 5, "nothing to find"
    assert not list(site.root.rglob("*.ipynb"))
    assert not (site.root / "keys.html").exists()
    index = (site.root / "searchindex.js").read_text(encoding="utf-8")
    assert '"Solution' not in index
