"""Resize Lab: a resize of one axis is a matrix, and a framework is a choice of it.

>>> import numpy as np
>>> import resizelab as rl
>>> rl.weights(rl.Spec(), 4, 8) @ np.array([0.0, 10.0, 20.0, 30.0])
array([ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ])
"""

from resizelab.grids import Grid
from resizelab.kernels import Kernel
from resizelab.operators import Weights
from resizelab.resizing import resize, weights
from resizelab.shapes import output_size
from resizelab.conventions import Convention
from resizelab.specs import Arithmetic, Particulars, Spec

__version__ = "0.1.0"
__all__ = [
    "Arithmetic",
    "Convention",
    "Grid",
    "Kernel",
    "Particulars",
    "Spec",
    "Weights",
    "output_size",
    "resize",
    "weights",
]
