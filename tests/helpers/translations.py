"""Execute a translation's text as a user would, in its framework's layout."""

import numpy as np


def execute(answer, to, x, h, w):
    """Return the (h, w) result of a translation on the (H, W) picture ``x``."""
    names = {"h": h, "w": w}
    *lines, text = answer.text.split("\n")

    def run():
        exec("\n".join(lines), names)
        return eval(text, names)

    if to == "torch":
        import torch

        names |= {"torch": torch, "x": torch.from_numpy(x)[None, None]}
        return run()[0, 0].numpy()
    if to == "onnx":
        return _node(text, x, h, w)
    if to == "tensorflow":
        import tensorflow

        names |= {"tensorflow": tensorflow, "x": x[None, :, :, None]}
        return np.asarray(run())[0, :, :, 0]
    names["x"] = x
    if to == "opencv":
        import cv2

        names |= {"cv2": cv2, "np": np}
    elif to == "pillow":
        import PIL.Image

        names["PIL"] = PIL
    elif to == "jax":
        import jax

        names["jax"] = jax
    elif to == "scipy":
        import scipy.ndimage

        names["scipy"] = scipy
    else:
        import skimage.transform

        names["skimage"] = skimage
    return np.asarray(run())


def _node(text, x, h, w):
    """Run the node a text makes, in a model of its own, on the reference runtime."""
    import onnx
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator

    node = eval(text, {"onnx": onnx})
    opset, _, target = text.rsplit("opset ", 1)[1].partition(", ")
    kind, _, target = target.partition(" = ")
    entries = eval(target, {"x": x[None, None], "h": h, "w": w})
    value = helper.make_tensor_value_info
    element = TensorProto.INT64 if kind == "sizes" else TensorProto.FLOAT
    sizes = helper.make_tensor(kind, element, [len(entries)], entries)
    graph = helper.make_graph(
        [node],
        "one",
        [value("x", TensorProto.FLOAT, [1, 1, None, None])],
        [value("y", TensorProto.FLOAT, [1, 1, None, None])],
        [sizes],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", int(opset))]
    )
    onnx.checker.check_model(model)
    (y,) = ReferenceEvaluator(model).run(None, {"x": x[None, None]})
    return y[0, 0]
