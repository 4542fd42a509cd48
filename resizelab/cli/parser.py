"""What the command understands: one subcommand a question."""

import argparse
import sys
from typing import Any, NoReturn

import resizelab
from resizelab.cli import agreement, models, names
from resizelab.cli.printing import EXIT_CODES
from resizelab.text import shown

SHELLS = ("bash", "zsh", "tcsh")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    top = _Parser(
        prog="resizelab",
        description="Which resize is this, and who computes it otherwise?",
        epilog=EXIT_CODES,
    )
    top.add_argument(
        "--version", action="version", version=f"resizelab {resizelab.__version__}"
    )
    top.add_argument(
        "--print-completion",
        action=_Completion,
        choices=SHELLS,
        help="print a completion script for this shell, and stop",
    )
    sub = top.add_subparsers(required=True, metavar="COMMAND")
    names.add(sub)
    models.add(sub)
    agreement.add(sub)
    return top


class _Parser(argparse.ArgumentParser):
    """A parser whose errors show an argument as it can be printed."""

    def error(self, message: str) -> NoReturn:
        """End with words and exit code 2."""
        super().error(shown(message))


class _Completion(argparse.Action):
    """Print what a shell reads to complete the command; shtab writes it."""

    def __call__(self, whole: argparse.ArgumentParser, *given: Any) -> None:
        try:
            import shtab
        except ModuleNotFoundError:
            whole.exit(3, "resizelab: completion needs shtab: pip install shtab\n")
        print(shtab.complete(whole, given[1]), file=sys.stdout)
        whole.exit()
