"""The teacher's command: a salt, exercises for a course system, homework."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from resizelab.teaching import exercises, homework
from resizelab.teaching.exercises import Exam, salt

from . import notebooks

EXERCISES = ("gift", "qti", "markdown", "json", *notebooks.FORMATS)
HOMEWORK = (*notebooks.FORMATS, "rubric")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what is wrong with it is said in a line, and the code is 2."""
    options = _parser().parse_args(arguments)
    try:
        for path in options.run(options):
            print(path)
    except (OSError, ValueError, TypeError, LookupError, ImportError) as error:
        print(f"resizelab.teaching: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m resizelab.teaching",
        description="Exercises and homework for a class. Without a salt anyone who "
        "knows the seed can draw the same sheet with its key.",
    )
    sub = top.add_subparsers(required=True, metavar="COMMAND")
    one = sub.add_parser("salt", help="write a new salt into a file that only you read")
    one.add_argument("file", help="where it is kept; a file that is there is kept, too")
    one.set_defaults(run=lambda options: [salt.new(options.file)])
    one = sub.add_parser("export", help="exercises, drawn from seeds")
    one.add_argument("format", choices=EXERCISES)
    one.add_argument(
        "names", nargs="*", metavar="NAME", help="an exercise, or a page of them (all)"
    )
    one.add_argument(
        "--seeds", type=_seeds, default=(1,), metavar="1-8", help="a sheet for each (1)"
    )
    _common(one)
    one.set_defaults(run=_export)
    one = sub.add_parser("homework", help="functions to write, with hidden tests")
    one.add_argument("format", choices=HOMEWORK)
    one.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"of {', '.join(homework.names())} (all)",
    )
    _common(one)
    one.set_defaults(run=_homework)
    return top


def _common(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--salt", metavar="FILE", help=f"the file with your salt (else {salt.VARIABLE})"
    )
    one.add_argument(
        "--out", metavar="FOLDER", default=".", help="where the files go (here)"
    )


def _seeds(text: str) -> tuple[int, ...]:
    """Return the seeds of "3", "1-8" or "1,4,7".

    >>> _seeds("1-3,7")
    (1, 2, 3, 7)
    """
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not (first.isdigit() and (last or first).isdigit()):
            raise argparse.ArgumentTypeError(
                f"seeds are like 3, 1-8 or 1,4,7; got {text!r}"
            )
        seeds += range(int(first), int(last or first) + 1)
    return tuple(seeds)


def _chosen(names: Sequence[str]) -> list[str]:
    """Return exercises by name, a page's name standing for all of the page's."""
    every = exercises.names()
    found = []
    for name in names or every:
        of_page = [one for one in every if exercises.page(one) == name]
        found += of_page or [exercises.variant(name).name]
    return list(dict.fromkeys(found))


def _write(folder: str, files: dict[str, str | bytes]) -> list[Path]:
    """Write the files, and return where they are."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in files.items():
        paths.append(Path(folder, name))
        data = text.encode("utf-8") if isinstance(text, str) else text
        paths[-1].write_bytes(data)
    return paths


def _export(options: argparse.Namespace) -> list[Path]:
    secret, names = salt.found(options.salt), _chosen(options.names)
    exams = [exercises.exam(seed, names, secret) for seed in options.seeds]
    if options.format == "gift":
        from .gift import gift

        return _write(options.out, {"resize-lab.gift.txt": gift(exams)})
    if options.format == "qti":
        from .qti import qti

        return _write(options.out, {"resize-lab-qti.zip": qti(exams)})
    files: dict[str, str | bytes] = {}
    for exam in exams:
        files |= _sheet(exam, options.format)
    return _write(options.out, files)


def _sheet(exam: Exam, kind: str) -> dict[str, str | bytes]:
    """Return the files of one sheet, called by its code or its seed."""
    name = f"sheet-{exam.code or exam.seed}"
    if kind in notebooks.FORMATS:
        items = [notebooks.of_variant(k, v) for k, v in enumerate(exam.variants, 1)]
        title = f"Sheet {exam.code or exam.seed}"
        return {f"{name}.ipynb": notebooks.notebook(title, items, kind)}
    suffix, write = (
        (".md", exam.markdown) if kind == "markdown" else (".json", exam.json)
    )
    return {name + suffix: write(), f"{name}-key{suffix}": write(True)}


def _homework(options: argparse.Namespace) -> list[Path]:
    secret = salt.found(options.salt)
    files: dict[str, str | bytes] = {}
    for name in options.names or homework.names():
        task = homework.task(name)
        begin = f"homework {name}"
        source = random.Random(begin if secret is None else salt.mixed(secret, begin))
        if options.format == "rubric":
            files[f"{name}.md"] = homework.rubric(task)
        else:
            item = notebooks.of_task(task, source)
            files[f"{name}.ipynb"] = notebooks.notebook(
                "Homework", [item], options.format
            )
    return _write(options.out, files)
