"""Every measured convention, by its name or by the real call that it describes."""

from resizelab.catalog.finding import convention, find
from resizelab.catalog.table import conventions
from resizelab.catalog.translation import NotExpressible, translate

__all__ = ["NotExpressible", "convention", "conventions", "find", "translate"]
