"""What a page's outputs depend on: a comment changes nothing, a number does."""

import sys

import pytest
from browser import ROOT

sys.path.insert(0, str(ROOT / "book" / "extension"))
needs = pytest.importorskip("needs")

MODULE = '"""Words."""\n\n\ndef two():\n    """Return two."""\n    return 2  # why\n'


@pytest.fixture
def book(tmp_path):
    (tmp_path / "resizelab").mkdir()
    for name in ("used", "unused"):
        (tmp_path / "resizelab" / f"{name}.py").write_text(MODULE)
    (tmp_path / "recorded.json").write_text("{}")
    return tmp_path


def gathered(book, source="two()", started=()):
    imported = [str(book / "resizelab/used.py"), needs.__file__]
    return needs.gathered(
        book, source, (imported, [str(book / "recorded.json")], started)
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "source", "holds"),
    [
        ("resizelab/used.py", "# why", "# because", "two()", True),
        ("resizelab/used.py", "Words", "Other words", "two()", True),
        ("resizelab/used.py", "Words", "Other words", "help(two)", False),
        ("resizelab/used.py", "# why", "# because", "help(two)", True),
        ("resizelab/used.py", "return 2", "return 3", "two()", False),
        ("resizelab/unused.py", "return 2", "return 3", "two()", True),
        ("recorded.json", "{}", "[]", "two()", False),
    ],
)
def test_a_page_runs_again_when_what_it_uses_changed(
    book, name, old, new, source, holds
):
    before = gathered(book, source)
    assert set(before) == {"resizelab/used.py", "recorded.json", needs.LOCK}
    assert needs.hold(book, before)
    path = book / name
    path.write_text(path.read_text().replace(old, new))
    assert needs.hold(book, before) is holds


def test_a_file_that_came_or_went_counts(book):
    before = gathered(book)
    (book / needs.LOCK).write_text("numpy==2.0.0\n")
    assert not needs.hold(book, before)
    before = gathered(book)
    (book / "recorded.json").unlink()
    assert not needs.hold(book, before)
    assert not needs.hold(book, None)


def test_a_command_may_use_the_whole_package(book):
    assert "resizelab/unused.py" in gathered(book, started=["resizelab lint m.onnx"])
    assert "resizelab/unused.py" not in gathered(book, started=["uname -p"])
