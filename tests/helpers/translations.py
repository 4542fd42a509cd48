"""Execute a translation's text as a user would, in its framework's layout."""

import numpy as np


def execute(text, to, x, h, w):
    """Return the (h, w) result of ``text`` on the (H, W) picture ``x``."""
    names = {"h": h, "w": w}
    if to == "torch":
        import torch

        names |= {"torch": torch, "x": torch.from_numpy(x)[None, None]}
        return eval(text, names)[0, 0].numpy()
    if to == "onnx":
        return _node(text, x, h, w)
    if to == "tensorflow":
        import tensorflow

        names |= {"tensorflow": tensorflow, "x": x[None, :, :, None]}
        return np.asarray(eval(text, names))[0, :, :, 0]
    names["x"] = x
    if to == "opencv":
        import cv2

        names["cv2"] = cv2
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
    return np.asarray(eval(text, names))


def _node(text, x, h, w):
    """Run the node a text makes, in a model of its own, on the reference runtime."""
    import onnx
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator

    node = eval(text, {"onnx": onnx})
    opset = int(text.rsplit("opset ", 1)[1])
    value = helper.make_tensor_value_info
    sizes = helper.make_tensor("sizes", TensorProto.INT64, [4], [1, 1, h, w])
    graph = helper.make_graph(
        [node],
        "one",
        [value("x", TensorProto.FLOAT, [1, 1, None, None])],
        [value("y", TensorProto.FLOAT, [1, 1, h, w])],
        [sizes],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    onnx.checker.check_model(model)
    (y,) = ReferenceEvaluator(model).run(None, {"x": x[None, None]})
    return y[0, 0]
