"""Each of the forty topics has a home: CONTRIBUTING.md says where."""

import re

from browser import chapters
from bulk import for_each
from sources import text_of

ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
TOPICS = [
    (int(number), topic, pages.split(", "), re.findall(r"`([^`]+)`", words))
    for number, topic, pages, words in ROW.findall(text_of("CONTRIBUTING.md"))
]
BOOK = {name.removeprefix("book/") for name in chapters()}


def test_there_are_forty_topics():
    assert [number for number, *_ in TOPICS] == list(range(1, 41))
    assert len({topic for _, topic, *_ in TOPICS}) == 40


@for_each(TOPICS)
def test_a_topics_pages_are_there_and_speak_of_it(row):
    number, topic, pages, words = row
    assert set(pages) <= BOOK, f"topic {number}: {topic}"
    silent = [
        page
        for page in set(pages) & BOOK
        if not any(word in text_of(f"book/{page}.md") for word in words)
    ]
    assert silent == [], f"none of {words} on these pages ({number}: {topic})"
    assert words
