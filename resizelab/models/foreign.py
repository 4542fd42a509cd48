"""Run a model file that is not ONNX, in a process of its own.

A file may hold what makes its run time crash: then that process ends, and no other.
Nothing that a file holds is executed: a format that carries programs is refused, with
the line that exports it.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.modelfiles import files
from resizelab.models import aten, formats

Array = NDArray[Any]
SLOW = 600  # seconds for one run
CHILD = "from resizelab.models.foreign import main; main()"
SAVED_MODEL = (
    "a SavedModel is a program, which this does not run: convert it where you trust "
    "it, open('model.tflite', 'wb').write(tensorflow.lite.TFLiteConverter"
    ".from_saved_model('{folder}').convert()), and give the .tflite file"
)
SAVED = {
    ".pb": SAVED_MODEL,
    ".keras": "a .keras file can hold code: export it, model.export('{folder}'), and "
    "then " + SAVED_MODEL,
    ".pt": f"a .pt file is a pickle, which runs what it holds: {aten.EXPORT}",
}
SAVED |= {".pth": SAVED[".pt"], ".h5": SAVED[".keras"]}


def run(path: files.PathLike, back_end: str, feeds: Mapping[str, Array]) -> Any:
    """Return what was fed to a model, its outputs, and its resizes in their order.

    A resize is its ``name``, the tensors that it ``reads`` and ``gives``, and, where it
    is known, the ``call`` and ``arguments`` that make it.

    Raises ValueError with the run time's words for a file that it does not take.
    """
    path = files.existing(path).resolve()
    with tempfile.TemporaryDirectory(prefix="resizelab-") as folder:
        given: dict[str, Any] = {str(k): v for k, v in enumerate(feeds.values())}
        np.savez(Path(folder, "in.npz"), **given)
        job = {"path": str(path), "back_end": back_end, "names": list(feeds)}
        Path(folder, "job.json").write_text(json.dumps(job), "utf-8")
        paths = os.pathsep.join(str(Path(p).resolve()) for p in sys.path if p)
        try:
            done = subprocess.run(
                [sys.executable, "-P", "-c", CHILD, folder],
                env={**os.environ, "PYTHONPATH": paths},
                capture_output=True,
                timeout=SLOW,
            )
        except subprocess.TimeoutExpired:
            raise ValueError(f"{back_end} ran for {SLOW} s on {path.name}") from None
        answer = Path(folder, "out.json")
        if not answer.exists():
            how = f"it ended with code {done.returncode}"
            raise ValueError(f"{back_end} crashed on {path.name}: {how}")
        held = files.arrays(Path(folder, "out.npz"))

        def placed(entry: dict[str, Any]) -> Any:
            name = entry.get("array")  # of an input of this name it is no text
            return held[name] if isinstance(name, str) else entry

        told = json.loads(answer.read_text("utf-8"), object_hook=placed)
        if "missing" in told:
            raise ImportError(told["missing"])
        if "error" in told:
            raise ValueError(f"{back_end} refuses {path.name}: {told['error']}")
        return told


def main() -> None:
    """Do the job of the folder that is the last argument: what the process runs."""
    folder = Path(sys.argv[-1])
    job = json.loads(Path(folder, "job.json").read_text("utf-8"))
    held = files.arrays(Path(folder, "in.npz"))
    feeds = {name: held[str(k)] for k, name in enumerate(job["names"])}
    arrays: dict[str, Any] = {}

    def beside(array: Array) -> dict[str, str]:
        """Keep what JSON does not hold in the file beside it."""
        arrays[name := str(len(arrays))] = array
        return {"array": name}

    try:
        made = formats.RUNNERS[job["back_end"]](Path(job["path"]), feeds)
        told = json.dumps(made, default=beside)
    except ImportError as error:
        told = json.dumps({"missing": str(error)})
    except Exception as error:  # each run time raises classes of its own
        lines = str(error).strip().splitlines() or [type(error).__name__]
        told = json.dumps({"error": " ".join(lines)[:400]})
    np.savez(Path(folder, "out.npz"), **arrays)
    Path(folder, "out.json").write_text(told, "utf-8")


# Which run times read which files, the usual one first.
BACK_ENDS = {
    ".tflite": ("litert", "openvino"),
    ".xml": ("openvino",),
    ".param": ("ncnn",),
    ".pt2": ("torch",),
}


def back_end(path: Path, wanted: str | None) -> str:
    """Return who runs a file: the one wanted, or the usual one."""
    if path.is_dir() or path.suffix.lower() in SAVED:
        words = SAVED.get(path.suffix.lower(), SAVED_MODEL)
        folder = path.parent.name if path.suffix == ".pb" else path.stem
        raise ValueError(f"{path}: {words.replace('{folder}', folder)}")
    kinds = {".onnx": (), **BACK_ENDS}
    kind = checks.one_of("the file's ending", path.suffix.lower(), kinds)
    names = BACK_ENDS[kind]
    if wanted is None:
        return names[0]
    return checks.one_of(f"back end of {kind} files", wanted, names)
