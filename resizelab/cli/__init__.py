"""The command ``resizelab``: name, explain, lint, patch and compare resizes.

Read `parser` first; `names` and `models` are the subcommands, `printing` the one place
where anything is printed.
"""

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from resizelab.cli.parser import parser
from resizelab.cli.printing import FAULT, MISSING, STOPPED, WRONG, say

__all__ = ["main"]

HOUSE = Path(__file__).parent.parent
# Python's words for a slip in a program, not in a question.
SLIPS = (KeyError, IndexError, UnboundLocalError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    >>> main(["translate", "torch.bilinear", "--to", "opencv"])
    cv2.resize(x, (w, h), interpolation=cv2.INTER_LINEAR)
    # x is (height, width), or (height, width, channels)
    # bytes beside torch.bilinear's: 1088 of 4770 differ, by up to 1; computed in \
float32 and rounded, 1066 of 4770 differ, by up to 1
    0
    """
    options = parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except ImportError as error:
        return _failed(error, MISSING)
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python would complain at exit.
        sys.stdout = None
        return 0
    except SLIPS as error:
        return _fault(error)
    except (ValueError, TypeError, LookupError, OSError, MemoryError) as error:
        return _failed(error, WRONG)
    except Exception as error:  # the last catch: nobody should meet a traceback
        return _fault(error)


def _failed(error: BaseException, code: int) -> int:
    say(f"resizelab: {error or type(error).__name__}", sys.stderr)
    return code


def _fault(error: BaseException) -> int:
    """Say that the fault is ours, and what a report of it needs."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(HOUSE)]
    place = ours[-1] if ours else frames[-1]
    where = Path(place.filename).name
    say(
        f"resizelab: a fault of ours, not of your input: {type(error).__name__}: "
        f"{error}\n"
        f"  in {place.name}, {where} line {place.lineno}\n"
        "  please report these lines, the command, and what `resizelab env` prints",
        sys.stderr,
    )
    return FAULT
