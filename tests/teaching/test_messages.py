"""Sentences are messages: looked up, then filled in; each source gives its own."""

import subprocess
import sys

import pytest
from browser import ROOT

from resizelab.teaching import messages, page_words, words

pytest.importorskip("babel", reason="Babel is not installed")

sys.path.insert(0, str(ROOT / "book" / "extension"))
gather = pytest.importorskip("gather", reason="Babel is not installed")
pseudo = pytest.importorskip("pseudo")
languages = pytest.importorskip("languages", reason="Sphinx is not installed")


@pytest.fixture(scope="module")
def gathered():
    return gather.gathered()


@pytest.fixture
def spoken(tmp_path, monkeypatch, gathered):
    """Speak the language that nobody speaks, in this process."""
    path = tmp_path / "resizelab.mo"
    languages.compiled(pseudo.translated(gathered), path)
    monkeypatch.setenv(messages.CATALOGUE, str(path))
    messages.read()
    yield path
    monkeypatch.delenv(messages.CATALOGUE)
    messages.read()


def test_a_message_is_looked_up_before_its_fields_are_filled_in(spoken):
    assert messages.language() == pseudo.CODE
    assert messages.say("{n} pixels", n=4) == "4 pîxéls"
    assert messages.say("No such {n}.", n=4) + messages.say("") == "No such 4."
    assert messages.spoken({"a": "Send it"}) == {"a": "Sénd ît"}


def test_a_translation_must_keep_its_fields(tmp_path):
    catalogue = pseudo.Catalog(locale="de", fuzzy=False)
    catalogue.add("{n} pixels", "{m} Pixel")
    with pytest.raises(Exception, match=r"'{m} Pixel' has the fields \['m'\]"):
        languages.compiled(catalogue, tmp_path / "x.mo")


# One of each kind: a figure's word, an explorer's, a control's label, a question, a
# comparator's answer, an exercise's stem, hint and label, a caption of the menu.
KINDS = {
    "Output pixel {i} reads at {x}.",
    "Where does an output pixel read?",
    "look at output pixel",
    "Four input pixels stand at 0, 1, 2, 3. We ask for eight. At which position does "
    "the last of the eight read?",
    "It has moved",
    "Each doubling adds half a pixel of its own output and doubles what was there.",
    "half of the whole factor",
    "Where is a pixel?",
}


def test_every_kind_of_sentence_is_gathered(gathered):
    known = {message.id for message in gathered}
    assert known >= KINDS
    every = {**vars(words), **vars(page_words)}
    tables = [table for name, table in every.items() if name.isupper()]
    assert known >= {text for table in tables for text in table.values()}


def test_no_word_of_an_explorer_hides_a_shared_one():
    tables = {k: t for k, t in vars(words).items() if k.isupper()}
    tables["CARD"] = page_words.CARD
    shared = tables.pop("SHARED")
    tables.pop("READ")
    assert len(tables) >= 6
    assert [(k, w) for k, t in tables.items() for w in t if w in shared] == []


def test_another_process_speaks_what_its_environment_names(spoken):
    code = (
        "from resizelab.teaching import exercises, explorers\n"
        "from resizelab.teaching.figures.words import GRIDS\n"
        "e = exercises.find('drift-five')\n"
        "print(GRIDS['reads'], e.hint, list(e.solve(e.values)), e.unit)\n"
        "p = explorers.predict('Send it', {'a ramp': 1.0}, 'a ramp')\n"
        "print(p.caption, p.heading)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    for said in ("réàds àt {x}.", "Éàch döûblîng", "hàlvés àddéd", "Gûéss fîrst."):
        assert said in told


def test_a_sentence_in_a_script_is_found():
    script = (
        'a("Four fit side by side"); // not this one here\nb(`row ${k} of the card`)'
    )
    assert gather.unsaid(script) == ["Four fit side by side", "row … of the card"]


@pytest.mark.parametrize("path", gather.SCRIPTS, ids=lambda path: path.stem)
def test_no_script_holds_a_sentence(path):
    assert gather.unsaid(path.read_text("utf-8")) == [], "spoken({…}), then tell"
