"""Command lines of somebody who means no good: an answer, or words; never a fault."""

import json

import hostile_calls
import hostile_lines
import pytest
from bulk import some

from resizelab import cli

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
CODES = (0, 1, 2, 3)  # 4 is a fault of ours
LONG = (pytest.param(s, marks=pytest.mark.live) for s in range(10, 75))
SEEDS = [*some(range(8), 0, 5), *LONG]
EACH = 10
WILD = pytest.mark.parametrize("wild", [0.08, 0.25])


@pytest.fixture
def refusals(monkeypatch, tmp_path):
    """Gather the errors whose words are printed; what is written stays in a folder."""
    monkeypatch.chdir(tmp_path)
    found, failed = [], cli._failed

    def kept(error, code):
        found.append(error)
        return failed(error, code)

    monkeypatch.setattr(cli, "_failed", kept)
    return found


def check_line(line, capfd, refusals):
    """Run one command line and expect an answer fit to print."""
    refusals.clear()
    try:
        code = cli.main(line)
    except SystemExit as end:  # argparse's own
        code = end.code
    out, err = capfd.readouterr()
    assert code in CODES, (line, err)
    assert "Traceback" not in out + err, line
    assert all(c.isprintable() or c == "\n" for c in out + err), line
    assert code < 2 or err or line[0] == "lint", line  # whose report says it
    asked = "--json" in line and not {"--help", "-h", "--format", "--hook"} & {*line}
    if asked and code in (0, 1):
        json.loads(out, parse_constant=pytest.fail)
    for error in refusals:  # words of ours, or the system's about a file
        ours = isinstance(error, OSError) or hostile_calls.told(error, 1)
        assert ours, (line, repr(error))


@WILD
@pytest.mark.parametrize("seed", SEEDS)
def test_a_hostile_command_line_ends_in_words(wild, seed, tmp_path, capfd, refusals):
    drawn = hostile_lines.Lines(seed, tmp_path, wild)
    for _ in range(EACH):
        check_line(drawn.one(), capfd, refusals)
