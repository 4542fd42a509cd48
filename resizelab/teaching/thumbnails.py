"""Small pictures for a line of text: what a picture is, and where two differ."""

from base64 import b64encode
from html import escape
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.teaching.extras import extra

with extra("thumbnails", "plots"):
    import matplotlib.pyplot as plt

_RED, _BLUE = (0.84, 0.24, 0.2), (0.16, 0.47, 0.85)


def thumbnail(picture: NDArray[Any], *, says: str, width: int = 96) -> str:
    """Return a picture as an HTML image: (height, width) in 0 … 255, or RGBA in 0 … 1.

    ``says`` stands in for it where it cannot be seen.

    >>> thumbnail(np.eye(2), says="two pixels")[:31]
    '<img alt="two pixels" width="96'
    """
    file = BytesIO()
    plt.imsave(file, picture, format="png", cmap="gray", vmin=0, vmax=255)
    data = b64encode(file.getvalue()).decode()
    source = f"data:image/png;base64,{data}"
    return (
        f'<img alt="{escape(says)}" width="{width}" class="dark-light" src="{source}">'
    )


def difference(right: NDArray[Any], got: NDArray[Any]) -> NDArray[np.float64]:
    """Return ``got`` less ``right``, (height, width) both, as RGBA in 0 … 1.

    Blue is too bright, red too dark, and clear is equal; the strongest colour is the
    largest difference.

    >>> difference(np.zeros((1, 2)), np.array([[0, 4]]))[..., 3]
    array([[0., 1.]])
    """
    apart = np.asarray(got, np.float64) - np.asarray(right, np.float64)
    shown = (apart / (np.abs(apart).max() or 1))[..., None]
    paint = np.where(shown < 0, _RED, _BLUE)
    return np.concatenate([paint, np.sqrt(np.abs(shown))], -1)  # faint ones are seen
