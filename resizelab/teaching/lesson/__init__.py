"""A lesson of 90 minutes: one file for the projector, a worksheet and its key.

The file holds its scripts, styles and operators, so it runs from a USB stick, without
a server and without a network. `write` makes all three; the same from the shell:
``python -m resizelab.teaching.lesson FOLDER``.
"""

from __future__ import annotations

from pathlib import Path

from .plan import MINUTES, Part

__all__ = ["MINUTES", "Part", "write"]


def write(folder: str | Path) -> list[Path]:
    """Write the lesson, the worksheet and its key into ``folder``; return the paths.

    Needs the extras "widgets" and "plots".
    """
    # Imported here: the plan alone needs neither.
    from .page import html
    from .worksheet import pdf

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lesson = folder / "lesson-90.html"
    lesson.write_text(html(), encoding="utf-8")
    papers = {"worksheet.pdf": False, "worksheet-key.pdf": True}
    for name, filled in papers.items():
        (folder / name).write_bytes(pdf(filled))
    return [lesson, *(folder / name for name in papers)]
