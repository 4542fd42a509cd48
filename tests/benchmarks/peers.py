"""The engines that `speed` times, each in every setting that it has, and our row."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numba
import numpy as np
import onnx
import onnxruntime
import PIL
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper
from PIL import Image

SHAPES = (
    ((64, 64), (256, 256)),
    ((224, 224), (512, 512)),
    ((512, 512), (224, 224)),
    ((480, 640), (240, 320)),
    ((720, 1280), (1080, 1920)),
    ((1080, 1920), (224, 224)),
    ((1080, 1920), (2160, 3840)),
    ((2160, 3840), (1080, 1920)),
)
OPENCV = ("nearest", "linear", "cubic", "area", "lanczos4")
PILLOW = ("box", "bilinear", "hamming", "bicubic", "lanczos")
VERSIONS = {
    "numpy": np.__version__,
    "numba": numba.__version__,
    "torch": torch.__version__.split("+")[0],
    "onnxruntime": onnxruntime.__version__,
    "opencv": cv2.__version__,
    "pillow": PIL.__version__,
}
Runs = dict[str, Callable[[], Any]]


@dataclass(frozen=True)
class Case:
    """One resize of a picture: a peer's, which our ``row`` computes too."""

    peer: str
    row: str
    dtype: str
    before: tuple[int, int]
    after: tuple[int, int]
    channels: int = 3

    def picture(self) -> np.ndarray:
        """Return the picture, channels last."""
        shape = *self.before, self.channels
        x = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
        return x if self.dtype == "uint8" else (x / 255).astype(self.dtype)


def cases() -> Iterator[Case]:
    """Return all cases; torch and ONNX Runtime antialias where a picture shrinks."""
    for before, after in SHAPES:
        end = ".antialias" if after < before else ""
        for dtype in ("float32", "uint8"):
            for mode in ("bilinear", "bicubic"):
                yield Case("torch", f"torch.{mode}{end}", dtype, before, after)
            for mode in OPENCV:
                yield Case("opencv", f"opencv.{mode}", dtype, before, after)
        for mode in PILLOW:
            yield Case("pillow", f"pillow.{mode}", "uint8", before, after)
        for mode in ("linear", "cubic"):
            name = f"onnxruntime.{mode}{end}"
            yield Case("onnxruntime", name, "float32", before, after)


def settings(case: Case, threads: int) -> Runs:
    """Return {setting: call} of the peer, on so many threads where it has threads."""
    return PEERS[case.peer](case, case.picture(), threads)


def _torch(case: Case, x: np.ndarray, threads: int) -> Runs:
    mode = case.row.split(".")[1]
    last = torch.from_numpy(x[None]).permute(0, 3, 1, 2)
    first = last.contiguous()

    def run(given, count):
        # On one core two threads can still be faster than one.
        torch.set_num_threads(count)
        antialias = case.row.endswith("antialias")
        made = F.interpolate(given, size=case.after, mode=mode, antialias=antialias)
        return made[0].permute(1, 2, 0).numpy()

    return {
        f"{layout}, {count} thread{'s' * (count > 1)}": lambda g=given, c=count: run(
            g, c
        )
        for layout, given in (("channels first", first), ("channels last", last))
        for count in range(threads, 3)
    }


def _opencv(case: Case, x: np.ndarray, threads: int) -> Runs:
    flag = getattr(cv2, f"INTER_{case.row.split('.')[1].upper()}")

    def run():
        cv2.setNumThreads(threads)
        return cv2.resize(x, case.after[::-1], interpolation=flag)

    return {"": run}


def _pillow(case: Case, x: np.ndarray, threads: int) -> Runs:
    image, mode = Image.fromarray(x), case.row.split(".")[1].upper()
    flag = getattr(Image.Resampling, mode)
    return {"": lambda: np.asarray(image.resize(case.after[::-1], flag))}


def _onnxruntime(case: Case, x: np.ndarray, threads: int) -> Runs:
    antialias, mode = case.row.endswith("antialias"), case.row.split(".")[1]
    node = helper.make_node(
        "Resize", ["x", "", "", "sizes"], ["y"], mode=mode, antialias=int(antialias)
    )
    sizes = helper.make_tensor("sizes", TensorProto.INT64, [4], [1, 3, *case.after])
    given, made = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3, *size])
        for name, size in (("x", case.before), ("y", case.after))
    )
    graph = helper.make_graph([node], "resize", [given], [made], [sizes])
    opset = [helper.make_opsetid("", 19)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=9)
    onnx.checker.check_model(model)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    first = np.ascontiguousarray(x.transpose(2, 0, 1)[None])
    return {"": lambda: session.run(None, {"x": first})[0][0].transpose(1, 2, 0)}


PEERS = {
    "torch": _torch,
    "opencv": _opencv,
    "pillow": _pillow,
    "onnxruntime": _onnxruntime,
}
