"""Why two outputs of one model differ: a resize, or something else.

Read `why` first: it asks one question after another of the two maps.
"""
