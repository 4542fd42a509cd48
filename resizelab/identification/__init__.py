"""Name a resize from its numbers.

Read `naming` first: it asks a black box, or looks at one input and output, and says
which conventions give the same numbers, or what was measured.
"""
