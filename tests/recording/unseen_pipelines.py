"""Ask `pipeline identify` about pipelines that it was not written beside.

`tests/recording/unseen_pipelines.py --seed 1 --count 30` draws sizes, rules, offsets,
rows, means and the order of channels, runs each pipeline on a part of a photograph,
and prints the shares of right answers, those not to be told apart among them: size,
places, row, values, and all four.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pipelines"))
from test_identifying import PHOTOS, right

from resizelab.pipelines import Channels, Crop, Layout, Normalise, Pad, Pipeline, Resize
from resizelab.pipelines.identifying import identify

ROWS = (
    *((f"pillow.{k}", "bytes") for k in ("bilinear", "bicubic", "lanczos", "box")),
    *((f"opencv.{k}", "bytes") for k in ("linear", "cubic", "area", "lanczos4")),
    *((f"torch.{k}", "float") for k in ("bilinear", "bicubic", "bilinear.antialias")),
    *((f"torch.{k}.antialias", "bytes") for k in ("bilinear", "bicubic")),
    *((f"tf2.{k}", "float") for k in ("bilinear", "bicubic", "area", "nearest")),
    *(("opencv.nearest", "bytes"), ("tf2.bilinear.antialias", "float")),
)
SHORTS = ("short_int", "half_up_short", "round_short")


def drawn(seed: int, count: int) -> Iterator[tuple[str, Pipeline, Any]]:
    """Return pipelines with their kind and the photograph that each reads."""
    rng = np.random.default_rng(seed)

    def draw(low: int, high: int) -> int:
        return int(rng.integers(low, high + 1))

    def pick(given: Any) -> Any:
        return given[draw(0, len(given) - 1)]

    for turn in range(count):
        photo = PHOTOS[pick(list(PHOTOS))]()[..., :3]
        h, w = draw(200, photo.shape[0]), draw(260, photo.shape[1])
        convention, numbers = pick(ROWS)
        size, side = (draw(64, 256), draw(64, 256)), draw(96, 256)

        def resize(rule: str, *size: int, row: Any = (convention, numbers)) -> Resize:
            return Resize(convention=row[0], numbers=row[1], rule=rule, size=size)

        offset = pick(("half_even", "floor", "start"))
        grey = (float(pick((0, 114, 128, draw(0, 255)))),)
        kinds = {
            "stretch": (resize("exact", *size),),
            "short, crop": (
                resize(pick(SHORTS), side),
                Crop(size=(side - draw(0, 32),) * 2, offset=offset),
            ),
            "letterbox": (
                resize("round_long", side),
                Pad(size=(side, side), offset=pick(("floor", "start")), value=grey),
            ),
            "square first": (Pad(rule="square", value=grey), resize("exact", *size)),
        }
        kind = list(kinds)[turn % len(kinds)]
        mean, std = (tuple(rng.uniform(a, b, 3).round(3)) for a, b in MEANS)
        norm = pick((Normalise(), Normalise(mean=mean, std=std), Normalise(divisor=1)))
        turned = (Channels(),) * draw(0, 1)
        stages = (*kinds[kind], *turned, norm, Layout())
        yield (
            kind,
            Pipeline(name="drawn", stages=stages),
            np.ascontiguousarray(photo[:h, :w]),
        )


MEANS = (0.3, 0.6), (0.2, 0.4)


def main() -> None:
    """Draw, run, identify, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    options = parser.parse_args()
    answers, seconds = [], []
    for kind, pipeline, x in drawn(options.seed, options.count):
        y = pipeline.run(x)
        start = time.process_time()
        found = identify(x, y)
        seconds.append(time.process_time() - start)
        answers.append(right(pipeline, x, found))
        if not all(answers[-1]):
            print(kind, x.shape, answers[-1], pipeline, "\n   ", found, flush=True)
    shares = np.mean(answers, 0).round(3)
    print(f"{len(answers)}: size, places, row, values {shares}")
    print(f"all four {np.all(answers, 1).mean():.3f}; at most {max(seconds):.1f} s")


if __name__ == "__main__":
    sys.exit(main())
