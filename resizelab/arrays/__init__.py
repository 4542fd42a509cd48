"""Whole arrays: which sizes, which axes, which numbers.

Read `resizing` first: it settles what looks at several axes at once and applies one
operator an axis. `sizes` turns what was asked into sizes, `integers` does what bytes
need.
"""
