"""How much code one bilinear resize walks through: what a reader must read."""

import inspect
import sys
from pathlib import Path

import numpy as np
from code_lines import code_lines

import resizelab as rl
from resizelab.arrays import resizing

HOUSE = str(Path(rl.__file__).parent)
FILES, FUNCTIONS, DEPTH, LINES = 10, 30, 9, 500


def walk(call):
    """Return the depth at which each function of the package is first entered."""
    entered = {}

    def enter(frame, *_):
        if not frame.f_code.co_filename.startswith(HOUSE):
            return
        depth, outer = 0, frame
        while outer is not None:
            depth += outer.f_code.co_filename.startswith(HOUSE)
            outer = outer.f_back
        entered[frame.f_code] = max(depth, entered.get(frame.f_code, 0))

    resizing.clear_cache()
    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)
    return entered


def lines_of(code):
    text = Path(code.co_filename).read_text(encoding="utf-8")
    source, first = inspect.getsourcelines(code)
    return code_lines(text, first, first + len(source) - 1)


def test_one_bilinear_resize_is_read_in_one_sitting():
    entered = walk(lambda: rl.resize(np.array([0.0, 10, 20, 30]), (8,), rl.Spec()))
    assert len({code.co_filename for code in entered}) <= FILES
    assert len(entered) <= FUNCTIONS
    assert max(entered.values()) <= DEPTH
    assert sum(map(lines_of, entered)) <= LINES
