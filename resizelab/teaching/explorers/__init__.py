"""Explorers: pictures that a reader moves, with a kernel and without.

>>> from resizelab.teaching.explorers import grid, predict
>>> grid(n_in=4, n_out=8).name
'grid'

``base`` tells how an explorer is made and how a link in the prose sets one.
"""

from resizelab.teaching.extras import extra

with extra("explorers", "widgets", "plots"):
    from .base import Explorer
    from .card_explorer import Card, card
    from .disc_explorer import DiscExplorer, disc
    from .drift_explorer import DriftExplorer, drift
    from .grid_explorer import GridExplorer, grid
    from .picture_explorer import PictureExplorer, picture
    from .prediction import Prediction, predict
    from .recipe_explorer import Recipe, recipe

__all__ = [
    "Card",
    "DiscExplorer",
    "DriftExplorer",
    "Explorer",
    "GridExplorer",
    "PictureExplorer",
    "Prediction",
    "Recipe",
    "card",
    "disc",
    "drift",
    "grid",
    "picture",
    "predict",
    "recipe",
]
