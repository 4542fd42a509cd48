"""Recipes of more than one call, for a resize that no single call of a library says.

Each library can read at positions of its own choice, and so can say TensorFlow 1's
grid. That holds for linear and for cubic kernels that repeat the border's pixels.
"""

from collections.abc import Callable

from resizelab.axis import Convention, Spec
from resizelab.catalog.signatures import gap

# Step and start, as text: output i of m reads at i * step + start of n pixels.
LINES = {
    "asymmetric": ("n / m", "0.0"),
    "half_pixel": ("n / m", "0.5 * n / m - 0.5"),
    "align_corners": ("(n - 1) / max(m - 1, 1)", "0.0"),
}
CUBIC = -0.75  # of torch and of OpenCV
LAYOUTS = {"torch": "NCHW", "opencv": "HWC", "scipy": "any"}  # of x


def recipe(c: Convention, to: str) -> str | None:
    """Return lines of code that compute ``c`` with library ``to``, or None.

    They end in an expression; ``x``, ``h`` and ``w`` are those of `translate`.
    """
    write = WRITERS.get(to)
    ideas = Spec(kernel="linear", grid=c.spec.grid)
    if c.spec.kernel == "cubic" and to != "scipy":
        ideas = Spec(kernel="cubic", a=CUBIC, grid=c.spec.grid)
    if write is None or c.spec.grid not in LINES or c.roi is not None:
        return None
    plain = Convention(name="plain", spec=ideas)
    if c.scale is not None or c.spec.step_from == "scale" or gap(plain, c).parted:
        return None
    return write(ideas)


def _torch(ideas: Spec) -> str:
    step, start = LINES[ideas.grid]
    mode = "bilinear" if ideas.kernel == "linear" else "bicubic"
    return f"""import numpy
sizes = ((x.shape[2], h), (x.shape[3], w))
reads = [numpy.arange(m) * {step} + {start} for n, m in sizes]
parts = [(2 * p + 1) / n - 1 for p, n in zip(reads, x.shape[2:])]
grid = torch.tensor(numpy.stack(numpy.meshgrid(*parts, indexing="ij")[::-1], -1)).to(x)
torch.nn.functional.grid_sample(x, grid.expand(len(x), -1, -1, -1), mode={mode!r}, \
padding_mode='border', align_corners=False)"""


def _opencv(ideas: Spec) -> str:
    step, start = LINES[ideas.grid]
    flag = "INTER_LINEAR" if ideas.kernel == "linear" else "INTER_CUBIC"
    return f"""import numpy
(sy, ty), (sx, tx) = (({step}, {start}) for n, m in ((x.shape[0], h), (x.shape[1], w)))
moves = numpy.array([[sx, 0, tx], [0, sy, ty]])
cv2.warpAffine(x, moves, (w, h), flags=cv2.{flag} | cv2.WARP_INVERSE_MAP, \
borderMode=cv2.BORDER_REPLICATE)"""


def _scipy(ideas: Spec) -> str:
    step, start = LINES[ideas.grid]
    return f"""import numpy
lines = numpy.array([({step}, {start}) for n, m in ((x.shape[0], h), (x.shape[1], w))])
scipy.ndimage.affine_transform(x, numpy.diag(lines[:, 0]), lines[:, 1], (h, w), \
order=1, mode='nearest')"""


WRITERS: dict[str, Callable[[Spec], str]] = {
    "torch": _torch,
    "opencv": _opencv,
    "scipy": _scipy,
}
