"""The command ``resizelab``: name, explain, lint, patch and compare resizes.

Exit codes: 0 nothing to say against it; 1 findings, differences, or nothing named;
2 wrong use or a file that cannot be read; 3 a library that is missing.
"""

import sys
from collections.abc import Sequence

from resizelab.cli.parser import parser

FOUND, WRONG, MISSING, STOPPED = 1, 2, 3, 130

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    >>> main(["translate", "torch.bilinear", "--to", "opencv"])
    cv2.resize(x, (w, h), interpolation=cv2.INTER_LINEAR)
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
    except (ValueError, TypeError, LookupError, OSError, MemoryError) as error:
        return _failed(error, WRONG)


def _failed(error: BaseException, code: int) -> int:
    # A KeyError shows its text in quotes; the text itself is wanted.
    words = error.args[0] if type(error) is KeyError and error.args else error
    print(f"resizelab: {words}", file=sys.stderr)
    return code
