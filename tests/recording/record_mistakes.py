"""Pipelines with one mistake each, run with the real libraries, for the card's page.

``tests/recording/record_mistakes.py`` writes ``tests/golden/card/mistakes.npz``: the
result of each pipeline by its name, "library | call | dtype | mistake". What the page
has to say of a mistake stands beside the mistake here, as a pattern.
"""

import io
import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import resizelab as rl
from resizelab import engines
from resizelab.teaching.explorers.card_explorer import coloured

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests" / "golden" / "card" / "mistakes.npz"
CARD = np.load(ROOT / "book" / "assets" / "resize-card.npy")
SIZE = (21, 5)
IMAGENET = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
GREY = np.array([0.299, 0.587, 0.114])
PER_LIBRARY = 14

CALLS = {
    "pillow": ("pillow.bilinear", "pillow.bicubic", "pillow.lanczos", "pillow.nearest"),
    "opencv": ("opencv.linear", "opencv.cubic", "opencv.area", "opencv.lanczos4"),
    "torch": (
        "torch.bilinear",
        "torch.bicubic",
        "torch.bilinear.antialias",
        "torch.nearest",
        "torch.bilinear.align_corners",
    ),
    "tensorflow": (
        "tf2.bilinear",
        "tf2.bicubic.antialias",
        "tf1.bilinear",
        "tf2.lanczos3",
    ),
    "keras": ("keras.resizing.bilinear", "keras.resizing.bicubic"),
    "jax": ("jax.linear", "jax.cubic", "jax.lanczos3"),
    "scikit-image": ("skimage.linear.antialias", "skimage.linear.no_antialias"),
    "onnxruntime": (
        "onnxruntime.linear",
        "onnxruntime.cubic",
        "onnxruntime.linear.asymmetric",
    ),
}
Resize = Callable[..., Any]


def jpeg(x: Any, quality: int, chroma: int = 2) -> Any:
    """Return a picture of bytes as a JPEG gives it back."""
    from PIL import Image

    out = io.BytesIO()
    more = {"subsampling": chroma} if x.ndim == 3 else {}
    Image.fromarray(byte(x)).save(out, "jpeg", quality=quality, **more)
    return np.asarray(Image.open(out)).astype(x.dtype)


def byte(y: Any) -> Any:
    return np.rint(np.clip(y, 0, 255)).astype(np.uint8)


def bfloat16(x: Any) -> Any:
    """Return x with eight bits of significand, to nearest, ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    kept = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return kept.astype(np.uint32).view(np.float32)


def framed(y: Any, value: int) -> Any:
    out = np.full(SIZE, value, y.dtype)
    top = (SIZE[0] - y.shape[0]) // 2
    out[top : top + y.shape[0]] = y
    return out


def shifted(x: Any) -> Any:
    return np.concatenate([x[:1], x[:-1]])


# mistake → (what is run, what the page has to say)
MISTAKES: dict[str, tuple[Callable[[Resize, Any], Any], str]] = {
    "crop before, a pixel a side": (
        lambda r, x: r(x[1:-1, 1:-1]),
        "cropped before the resize: rows 2 to 11 and columns 2 to 21",
    ),
    "first row lost": (
        lambda r, x: r(x[1:]),
        "cropped before the resize: rows 2 to 12 and columns 1 to 22",
    ),
    "last column lost": (
        lambda r, x: r(x[:, :-1]),
        "cropped before the resize: rows 1 to 12 and columns 1 to 21",
    ),
    "square from the middle": (
        lambda r, x: r(x[:, 5:17]),
        "cropped before the resize: rows 1 to 12 and columns 6 to 17",
    ),
    "crop after": (
        lambda r, x: r(x, (25, 9))[2:23, 2:7],
        "resized to 25 . 9, then cropped from row 2 and column 2",
    ),
    "short side, then crop": (
        lambda r, x: r(x, (21, 38))[:, 16:21],
        "resized to 21 . 38, then cropped from row 0 and column 16",
    ),
    "twice, larger first": (
        lambda r, x: r(r(x, (24, 44))),
        r"resized twice: to (24 . 44|\(21 to 64\))",
    ),
    "twice, square first": (
        lambda r, x: r(r(x, (16, 16))),
        r"resized twice: to 16 . (16|\(5 to)",
    ),
    "twice, smaller first": (
        lambda r, x: r(r(x, (8, 11))),
        r"resized twice: to 8 . (11|\(\d+ to)",
    ),
    "letterbox": (
        lambda r, x: framed(r(x, (3, 5)), 114),
        "resized to 3 . 5 and laid into a frame of 114 at row 9 and column 0",
    ),
    "padded to a square": (
        lambda r, x: r(np.pad(x, ((5, 5), (0, 0)))),
        "laid into a frame of 0, 22 . 22, before",
    ),
    "JPEG before": (lambda r, x: r(jpeg(x, 75)), "JPEG of quality 75 before"),
    "JPEG 50 before": (lambda r, x: r(jpeg(x, 50)), "JPEG of quality 50 before"),
    "JPEG after": (
        lambda r, x: jpeg(byte(r(x)), 85),
        "result was a JPEG of quality 8[45]",
    ),
    "float16 after": (
        lambda r, x: (r(x) / np.float32(255)).astype(np.float16),
        "kept as float16",
    ),
    "bfloat16 after": (
        lambda r, x: bfloat16(r(x).astype(np.float32) / 255),
        "kept as bfloat16",
    ),
    "bfloat16 before": (
        lambda r, x: r(bfloat16(x.astype(np.float32) / 255)),
        "made bfloat16 before",
    ),
    "rolled by a row": (
        lambda r, x: np.roll(r(x), 1, 0),
        "off by one pixel: moved down after",
    ),
    "one row down before": (
        lambda r, x: r(shifted(x)),
        "off by one pixel: moved down before",
    ),
    "BGR": (
        lambda r, x: r(coloured(byte(x)).astype(x.dtype)[..., ::-1].copy()),
        "blue, green, red",
    ),
    "flipped": (lambda r, x: r(x)[:, ::-1], "flipped left to right"),
    "upside down": (lambda r, x: r(x)[::-1], "flipped upside down"),
    "transposed": (lambda r, x: r(x).T, "transposed"),
    "transposed before": (
        lambda r, x: r(np.ascontiguousarray(x.T)),
        "transposed before",
    ),
    "int8": (lambda r, x: (byte(r(x)).astype(int) - 128).astype(np.int8), "minus 128"),
    "minus 1 to 1": (
        lambda r, x: r(x).astype(np.float32) / 127.5 - 1,
        "divided by 127.5, minus 1",
    ),
    "mean and deviation": (
        lambda r, x: (
            (r(coloured(byte(x)).astype(x.dtype)) / np.float32(255) - IMAGENET[0])
            / IMAGENET[1]
        ),
        "ImageNet's mean and deviation",
    ),
    "mean and deviation of BGR": (
        lambda r, x: (
            (r(coloured(byte(x)).astype(x.dtype)) / np.float32(255) - IMAGENET[0][::-1])
            / IMAGENET[1][::-1]
        ),
        "mean and deviation in the wrong order",
    ),
    "not divided by 255": (
        lambda r, x: (r(coloured(byte(x)).astype(x.dtype)) - IMAGENET[0]) / IMAGENET[1],
        "without the division by 255",
    ),
    "255 twice": (
        lambda r, x: r(x).astype(np.float32) / 255 / 255,
        "divided by 255 twice",
    ),
    "grey after": (
        lambda r, x: r(coloured(byte(x)).astype(x.dtype)) @ GREY,
        "0.299 red",
    ),
    "grey of BGR before": (
        lambda r, x: r(
            byte(coloured(byte(x)).astype(x.dtype) @ GREY[::-1]).astype(x.dtype)
        ),
        "red and blue exchanged",
    ),
    "cut": (lambda r, x: np.clip(r(x), 0, 255).astype(np.uint8), "cut"),
}
FLOATS = ("float16 after", "bfloat16 after", "bfloat16 before", "cut", "grey after")


ALWAYS = ("onnxruntime", "scikit-image")  # the one refuses bytes, the other divides


def plan() -> list[tuple[str, str, str, str]]:
    """Return (library, call, dtype, mistake): every mistake in several libraries."""
    turn = itertools.cycle(MISTAKES)
    found = []
    for library, calls in CALLS.items():
        for k, mistake in enumerate(itertools.islice(turn, PER_LIBRARY)):
            floats = k % 2 or mistake in FLOATS or library in ALWAYS
            dtype = "float32" if floats else "uint8"
            found.append((library, calls[k % len(calls)], dtype, mistake))
    return found


def resized(name: str, dtype: str) -> Resize:
    """Return the real library's resize of (H, W) or (H, W, channels)."""
    row = rl.convention(name)

    def run(x: Any, size: tuple[int, int] = SIZE) -> Any:
        if x.ndim == 3:
            return np.stack([run(x[..., c], size) for c in range(x.shape[-1])], axis=-1)
        x = np.ascontiguousarray(x)
        return np.asarray(
            engines.run(row, x if x.dtype.kind == "f" else x.astype(dtype), size)
        )

    return run


def main() -> None:
    """Run all pipelines and keep what they give."""
    results = {}
    for library, call, dtype, mistake in plan():
        run, _ = MISTAKES[mistake]
        y = np.asarray(run(resized(call, dtype), CARD.astype(dtype)))
        results[" | ".join((library, call, dtype, mistake))] = (
            y.astype(np.float32) if y.dtype == np.float64 else y
        )
    np.savez_compressed(RECORD, **results)
    print(f"{len(results)} pipelines, {len(MISTAKES)} mistakes")


if __name__ == "__main__":
    sys.exit(main())
