"""The class's networks, trained again: in PyTorch, on the training halves alone.

``python -m resizelab.teaching.classroom.training`` writes the photographs as they stand
in ``data``, from those that scikit-image ships, and trains each network from five seeds
(some minutes of one core): the first is kept, what all reach is written beside it.
"""

from __future__ import annotations

import datetime
import json
from typing import Any

import numpy as np

from resizelab.teaching.extras import extra
from resizelab.teaching.networks import Network

from . import photographs, study
from .models import FILE, Model
from .ways import TRAINED, Way

with extra("trained networks", "engines"):
    import torch
    from torch.nn import functional

STEPS, RATE, SEEDS = 800, 0.01, range(5)
# name: how its input is made, pixels of a side, how many examples, how many a step
PLANS = {
    "classifier": (TRAINED, 16, 6000, 64),
    "classifier-plain": (Way("torch.bilinear"), 16, 6000, 64),
    "segmenter": (TRAINED, 80, 600, 8),
}


def trained(name: str, seed: int = 0) -> Model:
    """Return a network of `PLANS`, trained: the same seed gives the same one.

    A classifier takes seconds, the segmenter a minute.
    """
    way, size, count, batch = PLANS[name]
    dense = name == "segmenter"
    made = photographs.scenes if dense else photographs.crops
    raw, truth = made(count, seed, "train")
    mean, deviation = (round(float(v) / 255, 4) for v in (raw.mean(), raw.std()))
    x = torch.from_numpy(way.prepare(raw, size, mean, deviation))[:, None]
    if dense:
        # The truth at the size of the input: the middle pixel of each block.
        at = np.floor((np.arange(size) + 0.5) * truth.shape[1] / size).astype(int)
        truth = truth[:, at][:, :, at]
    y = torch.from_numpy(truth)
    torch.manual_seed(seed)
    network = Network("strided", "head", channels=1)
    optimiser = torch.optim.Adam(network.parameters())
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=STEPS)
    for _ in range(STEPS):
        some = torch.randint(count, (batch,))
        told = network(x[some], "half_pixel" if dense else None)
        loss = functional.cross_entropy(told if dense else told.mean((2, 3)), y[some])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        rate.step()
    known = {"resize": way.resize, "size": size, "mean": mean, "deviation": deviation}
    return Model(name, folded(network.eval()), known | {"seed": seed})


def folded(network: Network) -> tuple[tuple[Any, Any], ...]:
    """Return kernels and biases, each normalisation within its convolution."""
    layers = []
    for convolution, norm, _ in [*network.down, network.middle]:
        factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        kernel = convolution.weight * factor[:, None, None, None]
        bias = norm.bias + (convolution.bias - norm.running_mean) * factor
        layers.append((kernel, bias))
    layers.append((network.last.weight, network.last.bias))
    # As they are kept, so that what is measured here is what readers run.
    return tuple((_half(kernel), _half(bias)) for kernel, bias in layers)


def _half(x: Any) -> Any:
    return x.detach().numpy().astype(np.float16).astype(np.float32)


def pictures() -> None:
    """Write the photographs; those that networks see are kept without loss."""
    from PIL import Image
    from skimage import data

    cut = {name: getattr(data, name)() for name in ("brick", "grass", "gravel")}
    cut |= {"cat": data.chelsea(), "face": data.astronaut()[:256, 96:352]}
    cut["cup"] = np.asarray(Image.fromarray(data.coffee()).reduce(2))
    for name, x in cut.items():
        path, exact = photographs.FOLDER / f"{name}.webp", name in photographs.SURFACES
        Image.fromarray(x).save(path, lossless=exact, quality=90, method=6)


def main() -> None:
    """Train every network from every seed, and write the first of each."""
    torch.set_num_threads(1)
    arrays: dict[str, Any] = {}
    models: dict[str, Any] = {}
    for name in PLANS:
        measure = study.segmented if name == "segmenter" else study.classified
        found = [trained(name, seed) for seed in SEEDS]
        reached = [{r.name: round(r.value, 1) for r in measure(m)} for m in found]
        models[name] = {**found[0].known, "seeds": reached}
        for k, (kernel, bias) in enumerate(found[0].layers):
            arrays[f"{name}.{k}.kernel"] = kernel.astype(np.float16)
            arrays[f"{name}.{k}.bias"] = bias.astype(np.float16)
    np.savez_compressed(FILE, **arrays)
    head = {
        "made": datetime.date.today().isoformat(),
        "by": "resizelab.teaching.classroom.training",
        "versions": {"torch": torch.__version__.split("+")[0], "numpy": np.__version__},
        "steps": STEPS,
        "models": models,
    }
    text = json.dumps(head, indent=1, ensure_ascii=False) + "\n"
    FILE.with_suffix(".json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    pictures()
    main()
