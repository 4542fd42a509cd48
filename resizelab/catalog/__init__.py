"""Every measured convention, by its name or by the real call that it describes."""

from resizelab.catalog.calls import find
from resizelab.catalog.table import convention, conventions

__all__ = ["convention", "conventions", "find"]
