"""Every measured convention, by its name or by the real call that it describes."""

from resizelab.catalog.finding import find
from resizelab.catalog.table import convention, conventions
from resizelab.catalog.translation import NotExpressible, translate

__all__ = ["NotExpressible", "convention", "conventions", "find", "translate"]
