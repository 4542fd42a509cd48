"""The class's photographs, and its three small networks, trained.

``tests/recording/record_classroom.py pictures`` writes the photographs as they stand in
`resizelab/teaching/classroom/data`; without a word the networks are trained too (some
minutes of one core). The photographs are those that scikit-image ships. Each network
is trained from five seeds; the first is kept, and what the others reach is written
beside it.
"""

import datetime
import json
import sys

import numpy as np
import torch
from PIL import Image
from torch.nn import functional

from resizelab.teaching.classroom import photographs, study
from resizelab.teaching.classroom.models import FILE, Model
from resizelab.teaching.classroom.ways import TRAINED, Way
from resizelab.teaching.networks import Network

SEEDS = range(5)
STEPS, RATE = 800, 0.01
# name: how its input is made, pixels of a side, how many examples, how many a step
PLANS = {
    "classifier": (TRAINED, 16, 6000, 64),
    "classifier-plain": (Way("torch.bilinear"), 16, 6000, 64),
    "segmenter": (TRAINED, 80, 600, 8),
}


def pictures():
    """Write the photographs; those that networks see are kept without loss."""
    from skimage import data

    cut = {
        "brick": data.brick(),
        "grass": data.grass(),
        "gravel": data.gravel(),
        "cat": data.chelsea(),
        "cup": np.asarray(Image.fromarray(data.coffee()).reduce(2)),
        "face": data.astronaut()[:256, 96:352],
    }
    for name, x in cut.items():
        path = photographs.FOLDER / f"{name}.webp"
        exact = name in photographs.SURFACES
        Image.fromarray(x).save(path, lossless=exact, quality=90, method=6)
        print(path.name, path.stat().st_size)


def examples(name, count, seed):
    """Return what a network of this name learns from: bytes and truth."""
    made = photographs.scenes if name == "segmenter" else photographs.crops
    return made(count, seed, "train")


def loss_of(name, network, x, truth):
    if name == "segmenter":
        return functional.cross_entropy(network(x, "half_pixel"), truth)
    return functional.cross_entropy(network(x, None).mean((2, 3)), truth)


def trained(name, seed):
    """Return a network trained on the training halves, as a `Model`."""
    way, size, count, batch = PLANS[name]
    x, truth = examples(name, count, seed)
    mean, deviation = (round(float(v) / 255, 4) for v in (x.mean(), x.std()))
    x = torch.from_numpy(way.prepare(x, size, mean, deviation))[:, None]
    if name == "segmenter":
        # The truth at the size of the input: the middle pixel of each block.
        at = np.floor((np.arange(size) + 0.5) * truth.shape[1] / size).astype(int)
        truth = truth[:, at][:, :, at]
    truth = torch.from_numpy(truth)
    torch.manual_seed(seed)
    network = Network("strided", "head", channels=1)
    optimiser = torch.optim.Adam(network.parameters())
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=STEPS)
    for _ in range(STEPS):
        some = torch.randint(count, (batch,))
        loss = loss_of(name, network, x[some], truth[some])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        rate.step()
    known = {"resize": way.resize, "size": size, "mean": mean, "deviation": deviation}
    return Model(name, folded(network.eval()), known | {"seed": seed})


def folded(network):
    """Return kernels and biases, each normalisation within its convolution."""
    layers = []
    for convolution, norm, _ in [*network.down, network.middle]:
        factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        kernel = convolution.weight * factor[:, None, None, None]
        bias = norm.bias + (convolution.bias - norm.running_mean) * factor
        layers.append((kernel, bias))
    layers.append((network.last.weight, network.last.bias))
    # As they are kept, so that what is measured here is what readers run.
    return tuple(
        tuple(v.detach().numpy().astype(np.float16).astype(np.float32) for v in pair)
        for pair in layers
    )


def main():
    """Train every network from every seed, and write the first of each."""
    torch.set_num_threads(1)
    arrays, models = {}, {}
    for name in PLANS:
        measure = study.segmented if name == "segmenter" else study.classified
        others = []
        for seed in SEEDS:
            model = trained(name, seed)
            found = {r.name: round(r.value, 1) for r in measure(model)}
            others.append(found)
            print(name, seed, found, flush=True)
            if seed == SEEDS[0]:
                models[name] = model.known
                for k, (kernel, bias) in enumerate(model.layers):
                    arrays[f"{name}.{k}.kernel"] = kernel.astype(np.float16)
                    arrays[f"{name}.{k}.bias"] = bias.astype(np.float16)
        models[name]["seeds"] = others
    np.savez_compressed(FILE, **arrays)
    head = {
        "made": datetime.date.today().isoformat(),
        "by": "tests/recording/record_classroom.py",
        "versions": {"torch": torch.__version__.split("+")[0], "numpy": np.__version__},
        "steps": STEPS,
        "models": models,
    }
    text = json.dumps(head, indent=1, ensure_ascii=False) + "\n"
    FILE.with_suffix(".json").write_text(text, encoding="utf-8")
    print(FILE.name, FILE.stat().st_size)


if __name__ == "__main__":
    pictures()
    if sys.argv[1:] != ["pictures"]:
        main()
