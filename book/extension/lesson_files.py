"""The lesson, its sheets, the class's data: served beside the pages that link them."""

from pathlib import Path

from sphinx.application import Sphinx


def _write(app: Sphinx, exception: Exception | None) -> None:
    """Write the files into ``_static`` of the built site."""
    if exception is not None or app.builder.name != "html":
        return
    # Imported here: the cache's key must not wait for the package.
    from resizelab.teaching import lesson
    from resizelab.teaching.classroom import archive

    served = Path(app.outdir) / "_static"
    lesson.write(served)
    archive.write(served / "class-data.zip")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the files when the pages are there."""
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
