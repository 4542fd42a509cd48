"""Command lines of somebody who means no good: an answer, or words; never a fault."""

import json

import hostile
import pytest

from resizelab.cli import main

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
CODES = (0, 1, 2, 3)  # 4 is a fault of ours
FEW, MANY = range(10), range(10, 75)
EACH = 10


def check_line(line, capfd):
    """Run one command line and expect an answer fit to print."""
    try:
        code = main(line)
    except SystemExit as end:  # argparse's own
        code = end.code
    out, err = capfd.readouterr()
    assert code in CODES, (line, err)
    assert "Traceback" not in out + err, line
    assert all(c.isprintable() or c == "\n" for c in out + err), line
    asked = "--json" in line and "--help" not in line and "--format" not in line
    if asked and code in (0, 1):
        json.loads(out, parse_constant=pytest.fail)


@pytest.mark.parametrize("seed", FEW)
def test_a_hostile_command_line_ends_in_words(seed, tmp_path, capfd):
    source = hostile.Hostile(seed, tmp_path)
    for _ in range(EACH):
        check_line(source.one(), capfd)


@pytest.mark.live
@pytest.mark.parametrize("seed", MANY)
def test_hundreds_of_hostile_command_lines_end_in_words(seed, tmp_path, capfd):
    source = hostile.Hostile(seed, tmp_path)
    for _ in range(EACH):
        check_line(source.one(), capfd)
