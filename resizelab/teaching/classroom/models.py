"""Two small networks of our own, trained; in NumPy alone, or as a torch module.

Both have one shape: three convolutions that halve, one that does not, one of 1 x 1
that gives a logit a class. The classifier takes the mean of the coarse map; the
segmenter enlarges it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.arrays.resizing import resize
from resizelab.axis.convention import Convention
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.modelfiles import files

FILE = Path(__file__).parent / "data" / "weights.npz"
STRIDES = (2, 2, 2, 1, 1)
MODELS = ("classifier", "classifier-plain", "segmenter")


@dataclass(frozen=True)
class Model:
    """A trained network: kernels (out, in, k, k) and biases of its five convolutions.

    ``known`` says how it was trained: the resize, the size, mean and deviation of its
    input, seed, versions.
    """

    name: str
    layers: tuple[tuple[FloatArray, FloatArray], ...]
    known: dict[str, Any]

    def logits(self, x: Any) -> FloatArray:
        """Return (count, classes, h/8, w/8) for pictures (count, height, width).

        >>> load("segmenter").logits(np.zeros((1, 80, 80))).shape
        (1, 4, 10, 10)
        """
        x = np.asarray(x, np.float32)
        if x.ndim != 3:
            raise ValueError(f"x must be (count, height, width); got shape {x.shape}")
        x = x[:, None]
        for k, (kernel, bias) in enumerate(self.layers):
            x = convolved(x, kernel, STRIDES[k]) + bias[:, None, None]
            if k + 1 < len(self.layers):
                x = np.maximum(x, 0)
        return np.asarray(x)

    def classify(self, x: Any) -> np.ndarray[Any, Any]:
        """Return the class of each prepared picture (count, height, width)."""
        return np.asarray(self.logits(x).mean((2, 3)).argmax(1))

    def segment(
        self, x: Any, size: int, back: Spec | Convention | None = None
    ) -> np.ndarray[Any, Any]:
        """Return maps of classes (count, size, size); ``back`` enlarges the logits.

        Without ``back`` it is linear under half_pixel, as in training.
        """
        return classes(self.logits(x), size, back)

    def torch(self) -> Any:
        """Return the network up to its logits as a ``torch.nn.Sequential``.

        >>> import torch
        >>> x = np.random.default_rng(0).standard_normal((2, 80, 80), np.float32)
        >>> for name in MODELS:
        ...     real = load(name).torch()(torch.from_numpy(x)[:, None]).detach().numpy()
        ...     print(bool(np.abs(load(name).logits(x) - real).max() < 2e-4))
        True
        True
        True
        """
        import torch
        from torch import nn

        parts: list[Any] = []
        for (kernel, bias), stride in zip(self.layers, STRIDES, strict=True):
            out, into, size, _ = kernel.shape
            one = nn.Conv2d(into, out, size, stride, padding=size // 2)
            one.weight.data = torch.from_numpy(kernel.copy())
            one.bias.data = torch.from_numpy(bias.copy())
            parts += [one, nn.ReLU()]
        return nn.Sequential(*parts[:-1]).eval()


def classes(
    logits: FloatArray, size: int, back: Spec | Convention | None = None
) -> np.ndarray[Any, Any]:
    """Return maps (count, size, size) of the largest logit, enlarged by ``back``.

    >>> classes(np.array([[[[0.0, 1.0]], [[1.0, 0.0]]]]), 4)[0, 0].tolist()
    [1, 1, 0, 0]
    """
    shape = (checks.size("size", size),) * 2
    found = np.zeros((len(logits), *shape), np.uint8)
    # One map at a time, one class after the other: what is enlarged stays small.
    for labels, coarse in zip(found, logits, strict=True):
        best, *rest = resize(coarse, shape, back, axes=(1, 2))
        for k, one in enumerate(rest, 1):
            labels[one > best] = k
            np.maximum(best, one, out=best)
    return found


def convolved(x: FloatArray, kernel: FloatArray, stride: int) -> FloatArray:
    """Return a convolution as networks count it: zeros outside, kernel not turned.

    >>> convolved(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), 2)[0, 0].tolist()
    [[4.0, 6.0], [6.0, 9.0]]
    """
    size = kernel.shape[2]
    wide = np.pad(x, [(0, 0), (0, 0), *[(size // 2, size // 2)] * 2])
    seen = np.lib.stride_tricks.sliding_window_view(wide, (size, size), axis=(2, 3))
    seen = seen[:, :, ::stride, ::stride]
    found = np.tensordot(seen, kernel, axes=((1, 4, 5), (1, 2, 3)))
    return np.moveaxis(found, 3, 1)


def load(name: str = "classifier") -> Model:
    """Return a trained network.

    "classifier" and "classifier-plain" name the surface of a tile; the first was
    trained on Pillow's bilinear, the second on PyTorch's without antialias.
    "segmenter" does it for each pixel of a scene.
    """
    checks.one_of("name", name, MODELS)
    arrays = files.arrays(FILE)
    # Half precision on disk; float32 is what a network computes in.
    layers = tuple(
        (
            arrays[f"{name}.{k}.kernel"].astype(np.float32),
            arrays[f"{name}.{k}.bias"].astype(np.float32),
        )
        for k in range(len(STRIDES))
    )
    known = json.loads(FILE.with_suffix(".json").read_text(encoding="utf-8"))
    return Model(name, layers, known["models"][name])
