"""Run the real libraries, so that the engine is the judge and not our model of it.

``run`` calls the library that a convention describes, ``matrix`` reads the operator
of one axis with basis vectors. Every library is imported when it is first used and
none before. Nothing here changes a global setting of a library.

With OpenCV installed, this asks it for the eight pixels of the first chapter::

    engines.run(rl.convention("opencv.linear"), [0.0, 10.0, 20.0, 30.0], 8)
    array([ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ])
"""

import importlib
import pkgutil

from resizelab.engines.libraries import (
    LIBRARIES,
    EngineMissing,
    available,
    load,
    version,
)
from resizelab.engines.running import (
    SizeRefused,
    library_of,
    matrix,
    ranks,
    run,
    sizes_follow,
)

for _module in pkgutil.iter_modules(__path__):  # an adapter registers its library
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = [
    "LIBRARIES",
    "EngineMissing",
    "SizeRefused",
    "available",
    "library_of",
    "load",
    "matrix",
    "ranks",
    "run",
    "sizes_follow",
    "version",
]
