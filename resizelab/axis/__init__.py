"""One axis, from ideas to a matrix.

Read `recipe` first: it makes the operator of one axis. `spec` holds the choices,
`kernel` and `grid` the two ideas that matter most, `operator` the result.
"""

from resizelab.axis.arithmetic import Arithmetic
from resizelab.axis.convention import Convention
from resizelab.axis.grid import Grid
from resizelab.axis.kernel import Kernel
from resizelab.axis.operator import Weights
from resizelab.axis.particulars import Particulars
from resizelab.axis.spec import Spec

__all__ = [
    "Arithmetic",
    "Convention",
    "Grid",
    "Kernel",
    "Particulars",
    "Spec",
    "Weights",
]
