"""The book's sources and the tests themselves: what every chapter and test must be."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from browser import ROOT, chapters, learner_chapters
from bulk import for_each
from sources import cells, front_matter, prose, text_of

CHAPTERS = [f"{name}.md" for name in chapters()]
LEARNER = [f"{name}.md" for name in learner_chapters()]
every_chapter = for_each(CHAPTERS)
learner_chapter = for_each(LEARNER)

MOST_LINES, MOST_WORDS = 12, 1200
HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}


def empty_phrases() -> list[str]:
    """Return the words that CONTRIBUTING asks to leave out: the only list of them."""
    section = text_of("CONTRIBUTING.md").split("## Words to leave out\n")[1]
    (line,) = (line for line in section.split("\n## ")[0].splitlines() if "·" in line)
    return [phrase.strip().lower() for phrase in line.split("·")]


def test_toc_names_each_page_once_and_every_page_exists():
    assert len(set(CHAPTERS)) == len(CHAPTERS)
    assert [name for name in CHAPTERS if not (ROOT / name).is_file()] == []


def test_every_page_is_in_the_toc():
    found = {p.relative_to(ROOT).as_posix() for p in (ROOT / "book").rglob("*.md")}
    assert found == set(CHAPTERS)


@every_chapter
def test_chapter_is_an_executed_notebook(name):
    front = front_matter(text_of(name))
    assert front.get("file_format") == "mystnb"
    # Without the second name jupytext cannot open the page as a notebook.
    assert front.get("kernelspec") == {"name": "python3", "display_name": "Python 3"}
    assert cells(text_of(name)), "a page without a cell shows nothing of ours"


@every_chapter
def test_chapter_has_one_title(name):
    body = re.sub(r"^(`{3,})(?!`).*?^\1$", "", text_of(name), flags=re.M | re.S)
    assert len(re.findall(r"^# ", body, re.MULTILINE)) == 1


@every_chapter
def test_cells_are_short_unless_folded(name):
    long = [
        code[0]
        for tags, code in cells(text_of(name))
        if len(code) > MOST_LINES and not tags & HIDDEN
    ]
    assert long == []


@every_chapter
def test_one_sentence_per_line(name):
    two = []
    for line in prose(text_of(name)):
        # What stands in code or in a formula is not a sentence; nor is "1." a stop.
        bare = re.sub(r"`[^`]*`|\$[^$]*\$", "x", line)
        bare = re.sub(r"^\s*(\d+\.|[-*])\s+", "", bare)
        bare = re.sub(r"\b(e\.g|i\.e|vs|cf|approx|Fig|Eq|No)\.", r"\1", bare)
        if re.search(r"[a-z0-9)*\"”][.?!][\"”*)]*\s+[\"“*(]*[A-Z]", bare):
            two.append(line)
    assert two == []


@every_chapter
def test_chapter_avoids_empty_phrases(name):
    text = " ".join(prose(text_of(name))).lower()
    found = [p for p in empty_phrases() if re.search(rf"\b{re.escape(p)}", text)]
    assert found == []


def test_there_are_words_to_leave_out():
    phrases = empty_phrases()
    assert len(phrases) == len(set(phrases)) >= 20
    assert {"it is important to note", "in this chapter we will"} <= set(phrases)


@every_chapter
def test_figures_quoted_in_prose_are_asserted(name):
    quoted = re.findall(r"(?<![\w.])\d+\.\d+(?![\w.])", "\n".join(prose(text_of(name))))
    hidden = [code for tags, code in cells(text_of(name)) if "remove-cell" in tags]
    asserted = any("assert" in line for code in hidden for line in code)
    assert asserted or not quoted, f"no hidden assert, but prose quotes {quoted}"


@learner_chapter
def test_learner_chapter_has_a_guess_an_explorer_and_exercises(name):
    text = text_of(name)
    code = "\n".join(line for _, lines in cells(text) for line in lines)
    assert re.search(r"\b(predict|Comparator)\(", code), "a guess"
    assert len(re.findall(r"^(`{3,}|:{3,})\{exercise(-start)?\}", text, re.M)) >= 2
    starts = len(re.findall(r"\{solution(-start)?\}", text))
    assert starts >= 2, "a solution to each exercise"


@learner_chapter
def test_learner_chapter_can_be_read_in_a_quarter_of_an_hour(name):
    assert len(" ".join(prose(text_of(name))).split()) <= MOST_WORDS


@every_chapter
def test_cited_works_are_in_the_references(name):
    known = re.findall(r"^@\w+\{(\w+),", text_of("book/references.bib"), re.MULTILINE)
    cited = re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", text_of(name))
    keys = {key.strip() for group in cited for key in group.split(",")}
    assert keys <= set(known)


def project_files() -> list[Path]:
    """Return the text files that git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    kinds = {".md", ".py", ".js", ".css", ".html", ".toml", ".yml", ".txt", ".lock", ""}
    paths = [ROOT / name for name in listed]
    return [path for path in paths if path.suffix in kinds and path.is_file()]


def test_no_file_names_a_path_of_some_machine():
    # The names are put together here, so that this file does not hold them.
    roots = "|".join(("home", "root", "tmp", "Users", "work", "mnt"))
    pattern = re.compile(rf"(?<![\w.:/~$)\]}}])/(?:{roots})/[\w.-]")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()[:80]}"
        for path in project_files()
        for line in path.read_text(encoding="utf-8").splitlines()
        if pattern.search(line)
    ]
    assert found == []


def locked() -> dict[str, list[str]]:
    """Return the hashes of each pin of the lock, by the line that pins it."""
    pins: dict[str, list[str]] = {}
    for line in text_of("requirements.lock").splitlines():
        words = line.removesuffix("\\").strip()
        if line.startswith(" "):
            pins[next(reversed(pins))].append(words)
        else:
            pins[words] = []
    return pins


def test_lock_names_public_versions_by_their_hashes():
    pin = r"[a-z0-9][a-z0-9._-]*==[\w.!]+( ; .+)?"
    assert [p for p in locked() if not re.fullmatch(pin, p)] == []
    for name, hashes in locked().items():
        assert hashes, name
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", h) for h in hashes), name


def test_lock_holds_what_is_asked_for():
    asked = text_of("requirements.txt").splitlines()
    names = {re.match(r"[\w-]+", line)[0] for line in asked if line[:1].isalpha()}
    # Torch comes in two builds, from two places: `make` asks for the version itself.
    assert names - {pin.partition("==")[0] for pin in locked()} == {"torch"}


def test_binder_takes_the_versions_of_the_lock():
    assert text_of("binder/constraints.txt").splitlines() == list(locked())


def test_versions_agree():
    project = text_of("pyproject.toml")
    version = re.search(r'^version = "(.+)"', project, re.MULTILINE)[1]
    assert yaml.safe_load(text_of("CITATION.cff"))["version"] == version
    assert f"## {version}" in text_of("CHANGELOG.md")
    assert "Numbers that changed" in text_of("CHANGELOG.md")


@pytest.mark.parametrize(
    "options",
    [":tags: [remove-cell]\n", "---\ntags: [remove-cell]\nmystnb: {a: b}\n---\n"],
)
def test_cells_are_read_in_both_notations(options):
    source = f"```{{code-cell}}\n{options}x = 1\n\nx\n```\n"
    assert cells(source) == [({"remove-cell"}, ["x = 1", "x"])]
    assert cells("```{code-cell} python\nx\n```\n") == [(set(), ["x"])]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("---\na: 1\n---\n# Title\nOne. Two.\n", ["One. Two."]),
        ("```{code-cell}\nx. Y\n```\nAfter.\n", ["After."]),
        (
            "```{exercise} One\n:label: a\nHow much?\n```\nAfter.\n",
            ["How much?", "After."],
        ),
        ("$$\na. B\n$$\nAfter.\n", ["After."]),
        ("| a | b |\n(label)=\nAfter.\n", ["After."]),
    ],
)
def test_prose_is_what_a_reader_reads(source, lines):
    assert [line for line in prose(source) if line] == lines
