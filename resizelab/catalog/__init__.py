"""Every measured convention, by its name or by the real call that it describes."""

from resizelab.catalog.table import convention, conventions, find
from resizelab.catalog.translation import NotExpressible, translate

__all__ = ["NotExpressible", "convention", "conventions", "find", "translate"]
