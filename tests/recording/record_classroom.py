"""The class's photographs, and its three small networks, trained.

``tests/recording/record_classroom.py pictures`` writes the photographs as they stand in
`resizelab/teaching/classroom/data`; without a word the networks are trained too (some
minutes of one core). The photographs are those that scikit-image ships. Each network
is trained from five seeds; the first is kept, and what all reach is written beside it.
"""

import datetime
import json
import sys

import numpy as np
import torch
from PIL import Image
from skimage import data

from resizelab.teaching.classroom import photographs, study, training
from resizelab.teaching.classroom.models import FILE

SEEDS = range(5)


def pictures():
    """Write the photographs; those that networks see are kept without loss."""
    cut = {name: getattr(data, name)() for name in ("brick", "grass", "gravel")}
    cut |= {"cat": data.chelsea(), "face": data.astronaut()[:256, 96:352]}
    cut["cup"] = np.asarray(Image.fromarray(data.coffee()).reduce(2))
    for name, x in cut.items():
        path, exact = photographs.FOLDER / f"{name}.webp", name in photographs.SURFACES
        Image.fromarray(x).save(path, lossless=exact, quality=90, method=6)


def main():
    """Train every network from every seed, and write the first of each."""
    torch.set_num_threads(1)
    arrays, models = {}, {}
    for name in training.PLANS:
        measure = study.segmented if name == "segmenter" else study.classified
        found = [training.trained(name, seed) for seed in SEEDS]
        reached = [{r.name: round(r.value, 1) for r in measure(m)} for m in found]
        models[name] = {**found[0].known, "seeds": reached}
        for k, (kernel, bias) in enumerate(found[0].layers):
            arrays[f"{name}.{k}.kernel"] = kernel.astype(np.float16)
            arrays[f"{name}.{k}.bias"] = bias.astype(np.float16)
    np.savez_compressed(FILE, **arrays)
    head = {
        "made": datetime.date.today().isoformat(),
        "by": "tests/recording/record_classroom.py",
        "versions": {"torch": torch.__version__.split("+")[0], "numpy": np.__version__},
        "steps": training.STEPS,
        "models": models,
    }
    text = json.dumps(head, indent=1, ensure_ascii=False) + "\n"
    FILE.with_suffix(".json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    pictures()
    if sys.argv[1:] != ["pictures"]:
        main()
