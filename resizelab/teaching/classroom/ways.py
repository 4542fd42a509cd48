"""The ways in which one picture becomes a network's input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.arrays.resizing import resize
from resizelab.catalog.finding import convention
from resizelab.checks import FloatArray
from resizelab.pipelines import Normalise


def _scaled(mean: float, dev: float, divisor: float = 255.0) -> Normalise:
    return Normalise(divisor=divisor, mean=(mean,), std=(dev,))


# How bytes become a network's numbers, with the mean and deviation of training.
VALUES: dict[str, Callable[[float, float], Normalise]] = {
    "as trained": _scaled,
    "ImageNet's mean and deviation": lambda mean, dev: _scaled(0.449, 0.226),
    "from 0 to 1": lambda mean, dev: Normalise(),
    "from −1 to 1": lambda mean, dev: _scaled(0.5, 0.5),
    "not divided by 255": lambda mean, dev: _scaled(mean, dev, divisor=1.0),
    "mean and deviation swapped": lambda mean, dev: _scaled(dev, mean),
}
NUMBERS = ("bytes", "floats", "floats, cut to bytes")


@dataclass(frozen=True)
class Way:
    """One way: a resize by its row, in bytes or floats, and what values it gives."""

    resize: str
    numbers: str = "bytes"
    values: str = "as trained"
    group: str = "as trained"

    def __post_init__(self) -> None:
        """Check each choice against its closed set."""
        checks.one_of("numbers", self.numbers, NUMBERS)
        checks.one_of("values", self.values, VALUES)
        convention(self.resize)

    @property
    def name(self) -> str:
        """Return what tells it from training."""
        if self.values != "as trained":
            return self.values
        told = {"bytes": "", "floats": ", in floats"}
        return self.resize + told.get(self.numbers, ", cut to bytes")

    def prepare(self, x: Any, size: int, mean: float, dev: float) -> FloatArray:
        """Return bytes (count, height, width) as float32 (count, size, size).

        >>> x = np.full((1, 40, 40), 255, np.uint8)
        >>> float(TRAINED.prepare(x, 16, mean=0.5, dev=0.25).mean())
        2.0

        The bytes are Pillow's own:

        >>> from PIL import Image
        >>> x = np.random.default_rng(0).integers(0, 256, (1, 40, 40)).astype(np.uint8)
        >>> real = Image.fromarray(x[0]).resize((16, 16), Image.Resampling.BILINEAR)
        >>> np.array_equal(TRAINED.prepare(x, 16, 0, 1 / 255)[0].round(), real)
        True
        """
        row, shape = convention(self.resize), (checks.size("size", size),) * 2
        x = np.asarray(x) if self.numbers == "bytes" else np.asarray(x, np.float32)
        small = resize(x, shape, row, axes=(1, 2)).astype(np.float32)
        if self.numbers.endswith("bytes"):
            small = np.floor(np.clip(small, 0, 255))
        stage = VALUES[self.values](mean, dev)
        return stage.run(small[..., None])[..., 0]  # one channel


TRAINED = Way("pillow.bilinear")


def _rows(group: str, *names: str, numbers: str = "bytes") -> list[Way]:
    return [Way(name, numbers, group=group) for name in names]


WAYS: tuple[Way, ...] = (
    TRAINED,
    *_rows(
        "another antialiased resize",
        *("torch.bilinear.antialias", "opencv.area", "pillow.box", "pillow.bicubic"),
        "pillow.lanczos",
    ),
    *_rows("another antialiased resize", "tf2.bilinear.antialias", numbers="floats"),
    *_rows("no antialias", "torch.bilinear", "opencv.linear", "torch.bicubic"),
    *_rows("no antialias", "opencv.cubic", "torch.nearest", "pillow.nearest"),
    *_rows("no antialias", "tf2.bilinear", numbers="floats"),
    *_rows("another grid, no antialias", "torch.bilinear.align_corners"),
    *_rows("another grid, no antialias", "tf1.bilinear", numbers="floats"),
    *_rows("bytes or floats", "torch.bilinear.antialias", numbers="floats"),
    *_rows(
        "bytes or floats", "torch.bilinear.antialias", numbers="floats, cut to bytes"
    ),
    *(
        replace(TRAINED, values=values, group="other values")
        for values in VALUES
        if values != "as trained"
    ),
)
