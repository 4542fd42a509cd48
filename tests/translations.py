"""Execute a translation's text as a user would, in its framework's layout."""

import numpy as np


def execute(text, to, x, h, w):
    """Return the (h, w) result of ``text`` on the (H, W) picture ``x``."""
    names = {"h": h, "w": w}
    if to == "torch":
        import torch

        names |= {"torch": torch, "x": torch.from_numpy(x)[None, None]}
        return eval(text, names)[0, 0].numpy()
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
