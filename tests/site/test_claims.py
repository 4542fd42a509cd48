"""The claims and their checks: every record says what the pages say and test."""

import re
import tomllib
from collections import Counter

import pytest
from browser import ROOT, chapters
from bulk import for_each
from sources import FENCE, cells, options, text_of

RECORDS = tomllib.loads(text_of("resizelab/teaching/records/claims.toml"))["claims"]
TESTED = [record for record in RECORDS if "test" in record]
PAGES = sorted({record["test"] for record in TESTED})
VERDICTS = {"true", "false", "depends", "not testable here"}
TARGET = re.compile(r"^\(claim-([A-E]\d\d)\)=\n", re.MULTILINE)


def sections(page):
    """Return what follows each claim's target on a page, by the claim's id."""
    parts = TARGET.split(text_of(f"book/{page}.md"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


SECTIONS = {page: sections(page) for page in PAGES}


def test_there_are_167_claims_each_once():
    assert len(RECORDS) == 167
    assert len({record["id"] for record in RECORDS}) == 167
    assert {record["verdict"] for record in RECORDS} == VERDICTS


def test_a_claim_has_a_test_or_says_what_would_test_it():
    for record in RECORDS:
        untested = record["verdict"] == "not testable here"
        given = {key for key in ("test", "needs") if record.get(key)}
        assert given == {"needs" if untested else "test"}, record["id"]
        assert record["claim"], record["id"]
        assert record["right"], record["id"]


@for_each(PAGES)
def test_the_pages_targets_are_the_records(page):
    assert f"book/{page}" in chapters()
    wanted = sorted(record["id"] for record in TESTED if record["test"] == page)
    assert sorted(SECTIONS[page]) == wanted
    assert len(TARGET.findall(text_of(f"book/{page}.md"))) == len(wanted)


@for_each(TESTED, lambda record: record["id"])
def test_the_page_says_what_the_record_says_and_asserts_it(record):
    section = SECTIONS[record["test"]][record["id"]]
    said = section[: FENCE.search(section).start()]
    head, right = said.strip().split("\n", 1)
    assert head == f"**{record['id']}** · {record['verdict']} · *{record['claim']}*"
    assert right.split() == record["right"].split()
    _, code = options(FENCE.search(section)[2])
    assert re.search(r"^\s*assert\b", code, re.MULTILINE)
    (tags, _), *_ = cells(section)
    assert tags == {"hide-input"}


def test_what_is_printed_counts_the_verdicts():
    built = ROOT / "_build/html/book/claims.html"
    if not built.is_file():
        pytest.skip("the book is not built")
    html = built.read_text(encoding="utf-8")
    count = Counter(record["verdict"] for record in RECORDS)
    for verdict, number in count.items():
        assert f"{number} {verdict}" in html
        kind = verdict.split()[0]
        assert html.count(f"<tr data-v='{kind}'>") == number
    for record in TESTED:
        assert f"{record['test']}.html#claim-{record['id'].lower()}" in html
