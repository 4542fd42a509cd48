"""An operator's matrix as a shaded table, for notebooks."""

import numpy as np

from resizelab.axis import sparse
from resizelab.checks import FloatArray, IndexArray

SHOWN = 24  # rows and columns
FAINT = 1e-15  # a weight below this leaves its cell empty


def table(index: IndexArray, weight: FloatArray, n_in: int) -> str:
    """Return HTML: a cell a weight, the larger the darker.

    >>> table(np.array([[0]]), np.array([[0.5]]), 1).count("</td>")
    2
    """
    n_out = len(index)
    few = index[:SHOWN], weight[:SHOWN]  # the whole may be large
    matrix = sparse.dense(*few, n_in)[:, :SHOWN]
    peak = max(float(np.abs(matrix).max()), FAINT)
    rows = "".join(_row(i, row, peak) for i, row in enumerate(matrix))
    head = "".join(f"<th scope='col'>{j}</th>" for j in range(matrix.shape[1]))
    cut = "" if max(n_out, n_in) <= SHOWN else f" (the first {SHOWN} are shown)"
    return (
        "<table class='resizelab-matrix'><caption>"
        f"{n_out} outputs from {n_in} inputs{cut}</caption>"
        f"<tr><td></td>{head}</tr>{rows}</table>"
    )


def _row(i: int, row: FloatArray, peak: float) -> str:
    cells = []
    for w in row:
        if abs(w) < FAINT:
            cells.append("<td></td>")
            continue
        hue = "70,130,180" if w > 0 else "200,80,60"  # blue adds, red subtracts
        shade = f"background:rgba({hue},{0.15 + 0.6 * abs(w) / peak:.2f})"
        cells.append(f"<td style='{shade}'>{w:.3g}</td>")
    return f"<tr><th scope='row'>{i}</th>{''.join(cells)}</tr>"
