"""A class's own data: photographs with marks, tiles, scenes, and two trained networks.

`photographs` cuts the data, `models` runs the networks in NumPy, `ways` prepares a
picture in every usual way, `study` measures what each way costs.
"""

from .models import Model, load
from .photographs import (
    SOURCES,
    SURFACES,
    Marks,
    crops,
    marks,
    photograph,
    scenes,
    surface,
    tiles,
)
from .study import Row, classified, segmented, table, ways_back
from .ways import TRAINED, WAYS, Way

__all__ = [
    "SOURCES",
    "SURFACES",
    "TRAINED",
    "WAYS",
    "Marks",
    "Model",
    "Row",
    "Way",
    "classified",
    "crops",
    "load",
    "marks",
    "photograph",
    "scenes",
    "segmented",
    "surface",
    "table",
    "tiles",
    "ways_back",
]
