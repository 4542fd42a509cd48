"""Command lines drawn from the parsers themselves: every command, all its options.

Most values are good, so that what follows the first check is reached.
"""

import argparse
import copy
import json

import hostile

from resizelab import pipelines
from resizelab.cli.parser import parser

TEXTS = (
    *hostile.ESCAPES, *hostile.NUMBERS, "-", "--", "=", "a=", "x=none.npy", "*", "[",
    "{}", "\ud800", "../" * 40, "a" * 99, "/dev/null", ".", "~", "%s", "{0}", "torch.",
    "onnx.spec.nearest.asymmetric.floor.opset12", "1e400", "0x10", "²",
)  # fmt: skip
VALUES = (None, -1, 0, 2**70, 1e308, float("nan"), "x", [], {}, [1, 2], True, "\x1b[2J")
PICTURES = ("before", "after", "image", "raw")
CHOICES = {
    "changes": ("mode=cubic", "antialias=1", "cubic_coeff_a=-0.5", "nearest_mode=ceil"),
    "fact": ("a=b", "mean=0.5"),
    "node": ("*", "resize", "y"),
    "back_end": ("onnxruntime", "onnx.reference", "torch", "litert", "ncnn"),
    "layout": ("HW", "HWC", "CHW", "NCHW", "NHWC"),
    "to": ("torch", "opencv", "pillow", "onnx", "tensorflow", "jax"),
    "filter": ("torch", "*cubic*", "["),
}
KINDS = (".png", ".jpg", ".tif", ".bmp", ".gif", ".webp")
MODES = ("RGB", "L", "RGBA", "P", "1", "I;16", "CMYK", "LA", "F")


def leaves(top=None, before=()):
    """Return the parsers of commands, by the words that lead to them."""
    found = {}
    for action in (top or parser())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                found |= leaves(sub, (*before, name))
    return found or {before: top}


class Lines(hostile.Files):
    """A source of command lines of any command; ``wild`` is the share of bad values."""

    def __init__(self, seed, folder, wild):
        super().__init__(seed, folder)
        self.leaves, self.wild = leaves(), wild

    def rarely(self, share):
        return self.random.random() < share

    def one(self):
        """Return the arguments of one command line."""
        words = self.pick(*sorted(self.leaves))
        line, options = list(words), []
        for action in self.leaves[words]._actions:
            if isinstance(action, argparse._HelpAction):
                continue
            if not action.option_strings:
                line += self.values(words, action)
            elif action.required or self.rarely(0.3):
                again = isinstance(action, argparse._AppendAction) and self.rarely(0.5)
                for _ in range(1 + again):
                    name = self.pick(*action.option_strings)
                    options += [name, *self.values(words, action)]
        line += options
        if self.rarely(0.04):
            at = self.random.randrange(len(line) + 1)
            line.insert(at, self.pick("--help", *TEXTS))
        if self.rarely(0.04):
            line.pop(self.random.randrange(len(line)))
        return [str(part).replace("\x00", "") for part in line]

    def values(self, words, action):
        """Return what stands for one argument, or for an option behind its name."""
        if action.nargs == 0:
            return []
        counts = {None: 1, "?": self.pick(0, 1), "+": self.pick(1, 1, 2, 3)}
        count = counts.get(action.nargs, action.nargs)
        count = self.pick(0, 2) if self.rarely(0.04) else count
        return [self.value(words, action) for _ in range(count)]

    def value(self, words, action):
        if self.rarely(self.wild):
            files = (self.npy, self.npz, self.tflite, self.picture, self.heap)
            return self.pick(*TEXTS, *[kind() for kind in files])
        if action.choices:
            return self.pick(*action.choices)
        if action.type is float:
            return self.pick(1, 2, 4, 8, 0.5)
        return self.pick(4, 8, 40) if action.type else self.good_of(words, action.dest)

    def good_of(self, words, dest):
        """Return what a command expects by this name."""
        about = words[0] == "pipeline"
        if dest in ("pipeline", "pipeline_b") or (about and dest in ("a", "b")):
            return self.pick(*pipelines.names(), self.document())
        if dest in CHOICES:
            return self.pick(*CHOICES[dest])
        if dest in ("a", "b", "model") or (dest == "what" and self.rarely(0.6)):
            kinds = (self.good, self.onnx, self.carrier, self.tflite, self.sidecar)
            return self.pick(*kinds)()
        if dest in ("what", "preprocess"):
            return self.text()
        if dest in ("name", "call", "like"):
            return self.pick("torch.bilinear", "tf2.bicubic", self.text())
        if dest in ("output", "html"):
            return self.path(self.pick(".npy", ".onnx", ".tflite", ".html", ""))
        if dest in PICTURES:
            return self.pick(self.odd, self.picture)()
        if words[0] == "why" or dest == "tensor":
            return self.odd()
        return self.npz() if self.rarely(0.3) else self.odd([1, 1, 8, 8])

    # --- more files ---

    def tflite(self):
        """Write a model of bytes that are hurt, or of none."""
        content = self.hurt(b"\x1c\x00\x00\x00TFL3" + self.random.randbytes(120))
        return self.written(".tflite", self.mostly(content, b"", b"TFL3"))

    def picture(self):
        """Write a small picture, hurt now and then."""
        from PIL import Image

        mode, path = self.pick(*MODES), self.path(self.pick(*KINDS))
        size = self.pick(1, 17, 64), self.pick(1, 23, 64)
        shade = Image.linear_gradient("L").resize(size)
        try:
            shade.convert(mode).save(path)
        except (OSError, ValueError):  # the format lacks the mode
            shade.convert("RGB").save(path)
        content = path.read_bytes()
        path.write_bytes(self.mostly(content, self.hurt(content), content[:40], b""))
        return path

    def heap(self):
        """Make a folder that is called like a file."""
        path = self.path(self.pick(".npy", ".onnx", ".json", ".tflite", ""))
        path.mkdir()
        return path

    def document(self):
        """Write a pipeline's document, values of it changed."""
        whole = json.loads(pipelines.named(self.pick(*pipelines.names())).to_json())
        for _ in range(self.pick(0, 1, 1, 2)):
            self.change(whole)
        text = json.dumps(whole)
        text = self.mostly(text, text[:40], "[" * 99_999, "null", "")
        return self.written(".json", text.encode())

    def change(self, at):
        """Put another value into one place of a document."""
        while keys := list(at) if isinstance(at, dict) else list(range(len(at))):
            key = self.random.choice(keys)
            if not isinstance(at[key], (dict, list)) or self.rarely(0.15):
                at[key] = copy.copy(self.pick(*VALUES))
                return
            at = at[key]
