"""What the resizes of a model file compute, who disagrees, and what to change.

Read `lint` first; then `compare`, `patch` and `passport`.
"""
