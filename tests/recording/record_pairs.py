"""Record pairs of pictures that real libraries made: one right, one damaged.

``tests/recording/record_pairs.py`` writes, for each name, two pictures and what is
known of them into ``teaching/records/pair-NAME…``. The photographs are those of
scikit-image: the part of "chelsea" of `record_damage` (Stéfan van der Walt, CC0), and
"astronaut" (NASA, public domain).
"""

import datetime
import importlib.metadata
import json

import numpy as np
import record_damage as damage
from PIL import Image

QUALITY = 82


def wrapped():
    """Enlarge by torch's bicubic; cast to bytes with and without a limit."""
    import torch
    from skimage import data

    part = data.astronaut()[288:352, 352:440]  # black beside white: a space suit
    x = torch.tensor(part).permute(2, 0, 1)[None].float()
    y = torch.nn.functional.interpolate(x, scale_factor=4, mode="bicubic")
    right = y.round().clamp(0, 255).to(torch.uint8)
    direct = y.to(torch.uint8).numpy()
    told = {
        "outside": round(float(((y < 0) | (y >= 256)).any(1).float().mean()), 4),
        "modulo 256": bool((y.long() % 256 == torch.tensor(direct)).all()),
        "farthest": int(abs(direct.astype(int) - right.numpy()).max()),
    }
    return right[0].permute(1, 2, 0).numpy(), direct[0].transpose(1, 2, 0), told


def painted(steps=300):
    """Paint by gradient descent until the picture, shrunk to a third, is right."""
    import torch
    from torch.nn.functional import interpolate

    part = damage.photograph()[:, :351].astype(np.float32) / 255
    photo = torch.tensor(part).permute(2, 0, 1)[None]
    size = [n // 3 for n in photo.shape[2:]]
    goal = interpolate(photo, size=size, mode="bilinear", antialias=True)
    made, told = [], {}
    for name, antialias in (("right", True), ("moved", False)):
        x = torch.full_like(photo, 0.5).requires_grad_()
        step = torch.optim.Adam([x], 0.02)
        for _ in range(steps):
            step.zero_grad()
            y = interpolate(x, size=size, mode="bilinear", antialias=antialias)
            loss = (y - goal).square().mean()
            loss.backward()
            step.step()
        told[name] = {
            "loss": float(f"{float(loss.detach()):.1g}"),
            "untouched": round(float((x == 0.5).all(1).float().mean()), 4),
        }
        made.append(x.detach().clamp(0, 1)[0].permute(1, 2, 0).numpy() * 255)
    return made[0].round().astype(np.uint8), made[1].round().astype(np.uint8), told


def chunked():
    """Enlarge a volume along z by torch, at once and in six chunks of five slices.

    The photograph's rows stand for slices: it is one cut through the volume.
    """
    import torch

    part = damage.photograph().astype(np.float32)
    thin = part.reshape(30, 8, *part.shape[1:]).mean(1)  # (30, 352, 3)
    volume = torch.tensor(thin).permute(2, 0, 1)[None, :, :, None]  # a row high

    def larger(some):
        size = (8 * some.shape[2], *some.shape[3:])
        return torch.nn.functional.interpolate(
            some, size=size, mode="trilinear", align_corners=True
        )

    whole = larger(volume)
    chunks = torch.cat([larger(some) for some in volume.split(5, 2)], 2)
    wrong = (whole - chunks).abs().amax((0, 1, 3, 4)) > 0.5
    told = {"wrong": int(wrong.sum()), "slices": wrong.numel()}
    made = [y[0, :, :, 0].permute(1, 2, 0).numpy() for y in (whole, chunks)]
    return *(y.round().clip(0, 255).astype(np.uint8) for y in made), told


PAIRS = {"integers": wrapped, "gradients": painted, "volumes": chunked}


def main() -> None:
    """Make all pairs."""
    for name, make in PAIRS.items():
        right, wrong, told = make()
        for letter, picture in (("a", right), ("b", wrong)):
            path = damage.FOLDER / f"pair-{name}-{letter}.webp"
            Image.fromarray(picture).save(path, quality=QUALITY, method=6)
            print(path.name, path.stat().st_size, picture.shape)
        told |= {
            "recorded": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "torch": importlib.metadata.version("torch").split("+")[0],
            "size": right.shape[:2],
        }
        path = damage.FOLDER / f"pair-{name}.json"
        path.write_text(json.dumps(told) + "\n", "utf-8")
        print(told)


if __name__ == "__main__":
    main()
