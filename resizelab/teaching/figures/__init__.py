"""Small figures under their sentences, which share one state of the page.

Read `page` first: a `Page` holds what a reader can set, and each of its figures draws
it in one way. ``figures.js`` keeps them together in the browser, ``kinds/`` holds one
drawing a file, `stills` draws the start where no script runs.
"""

from resizelab.teaching.figures.chains import chains
from resizelab.teaching.figures.compare import Comparator
from resizelab.teaching.figures.copies import copies
from resizelab.teaching.figures.cubics import cubic
from resizelab.teaching.figures.grids import CLIMB, grids
from resizelab.teaching.figures.hidden_call import suspects
from resizelab.teaching.figures.labels import labels
from resizelab.teaching.figures.lengths import knife, rounding
from resizelab.teaching.figures.masks import masks, moved, pairs
from resizelab.teaching.figures.page import Figure, Page
from resizelab.teaching.figures.photographs import Photograph
from resizelab.teaching.figures.recipe import recipe
from resizelab.teaching.figures.shrinks import areas, shrinking, stripes

__all__ = [
    "CLIMB",
    "Comparator",
    "Figure",
    "Page",
    "Photograph",
    "areas",
    "chains",
    "copies",
    "cubic",
    "grids",
    "knife",
    "labels",
    "masks",
    "moved",
    "pairs",
    "recipe",
    "rounding",
    "shrinking",
    "stripes",
    "suspects",
]
