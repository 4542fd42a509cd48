"""Model files and model outputs: lint, patch, compare node by node, why, passport."""
