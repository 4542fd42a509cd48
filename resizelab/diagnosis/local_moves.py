"""How far each part of a picture has moved, and the line that goes through them all."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.diagnosis.smoothed import Lines, Smoothed, trust

PARTS = 8  # of an axis; each part of the picture tells its own move
FEWEST = 4  # parts that a line is laid through
ROUNDS = 5  # of giving less weight to parts that are off the line
OFF = 2.0  # deviations from which a part is


@dataclass(frozen=True)
class LocalMoves:
    """The moves of the parts of the picture along one axis, (rows, columns) each.

    ``error`` is the standard error (infinite where a part has no slope), ``at`` the
    middle of the part along the axis, from -1 to 1.
    """

    move: FloatArray
    error: FloatArray
    at: FloatArray


def parts(scale: Smoothed, lines: Lines) -> tuple[LocalMoves, LocalMoves]:
    """Return the move of each part of the picture along y and along x."""
    x, inner, own, gain = scale.compared(lines)
    residual, weight = np.zeros(x.shape), np.zeros(x.shape)
    residual[:, inner], weight[:, inner] = own, trust(own)
    # Slopes of the mean of both maps: noise of either pulls neither way.
    both = (gain[:, None, None] * x + scale.got) / 2
    gy, gx = (-g for g in scale.slopes(both))
    cuts = [np.unique(np.arange(PARTS) * len(p) // PARTS) for p in scale.place]

    def total(m: FloatArray) -> FloatArray:
        summed = (m * weight).sum(0)
        whole: FloatArray = np.add.reduceat(
            np.add.reduceat(summed, cuts[0], 0), cuts[1], 1
        )
        return whole

    yy, xx, yx = total(gy * gy), total(gx * gx), total(gy * gx)
    ry, rx = total(gy * residual), total(gx * residual)
    area = yy * xx - yx**2
    sloped = area > 1e-6 * (yy + xx) ** 2 + 1e-300
    area = np.where(sloped, area, 1.0)
    y, x_ = (xx * ry - yx * rx) / area, (yy * rx - yx * ry) / area
    count = np.maximum(total(np.ones(x.shape) / np.maximum(weight, 1e-300)), 1)
    left = np.maximum(total(residual**2) - y * ry - x_ * rx, 0) / count
    errors = [np.where(sloped, np.sqrt(left * p / area), np.inf) for p in (xx, yy)]
    at = np.meshgrid(
        *(_centres(scale, k, c) for k, c in enumerate(cuts)), indexing="ij"
    )
    return (
        LocalMoves(y + lines[0] + lines[1] * at[0], errors[0], at[0]),
        LocalMoves(x_ + lines[2] + lines[3] * at[1], errors[1], at[1]),
    )


def _centres(scale: Smoothed, axis: int, cuts: NDArray[np.intp]) -> FloatArray:
    along = scale.along(axis)
    centres: FloatArray = np.add.reduceat(along, cuts) / np.diff([*cuts, len(along)])
    return centres


def laid(
    part: LocalMoves, lines: tuple[float, float]
) -> tuple[float, float, float, float]:
    """Return shift, stretch and their errors: a robust line through the parts."""
    use = np.isfinite(part.error)
    if use.sum() < FEWEST:
        return *lines, np.inf, np.inf
    move, error, at = part.move[use], part.error[use], part.at[use]
    # No part is trusted beyond the usual: kernels and borders bend each a little.
    error = np.hypot(error, np.median(error)) + 1e-9
    rows = np.stack([np.ones_like(at), at], 1)
    weight = 1 / error**2
    for _ in range(ROUNDS):
        normal = (rows * weight[:, None]).T @ rows + 1e-12 * np.eye(2)
        fit = np.linalg.solve(normal, (rows * weight[:, None]).T @ move)
        away = (move - rows @ fit) / error
        scale = max(1.48 * float(np.median(np.abs(away))), 1e-9)
        far = np.abs(away) / scale
        weight = np.minimum(1, OFF / np.maximum(far, 1e-12)) / error**2
    spread = np.linalg.inv(normal).diagonal()  # of parts in one place it is noise
    spread = np.sqrt(np.where(spread > 0, spread, np.inf)) * scale
    return float(fit[0]), float(fit[1]), float(spread[0]), float(spread[1])
