"""Model files and model outputs: lint, patch, compare node by node, why, passport."""

from resizelab.models.why import why

__all__ = ["why"]
