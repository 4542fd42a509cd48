"""Files and calls of somebody who means no good, from a seed."""

import json
import random
import struct
import zipfile
from io import BytesIO

import exported
import numpy as np

ESCAPES = ("\x1b[2J\x1b]0;t\x07", "a\nFINDING [x]", "\u202egnp", "\x00", "é" * 300, "")
NUMBERS = ("nan", "inf", "-inf", "-1", "0", "1e309", "1e-320", "2147483648", "4", "2.5")
SIZES = (-8, 0, 1, 3, 8, 2**31, 2**62, -(2**63))
SCALES = (-2.0, 0.0, 0.5, 2.0, 1e30, 1e-30, float("nan"), float("inf"))
MODES = ("linear", "cubic", "nearest", "area", *ESCAPES)
GRIDS = ("half_pixel", "asymmetric", "align_corners", "tf_crop_and_resize", *ESCAPES)
CALLS = (
    "cv2.resize(img, ({n}, {m}), fx={s})",
    "img.resize(({n}, {m}), {n}, box=({s}, 0, {m}, {n}))",
    "F.interpolate(x, scale_factor={s}, mode={t!r})",
    "F.interpolate(x, size=({n}, {m}), align_corners={s})",
    "ndimage.zoom(x, {s}, order={n})",
    "skimage.transform.resize(x, ({n}, {m}), order={m}, cval={s})",
    "jax.image.resize(x, ({n}, {m}, 3), {t!r})",
    "tf.image.resize(x, [{n}, {m}], method={t!r})",
    "keras.layers.Resizing({n}, {m}, {t!r})",
    "TF.resize(x, size={n}, interpolation={t!r})",
    "A.Resize({n}, {m})(image={t!r})",
    "{t}.resize({n})",
    "({t!r})(*{n}, **{m})",
    "f(" * 99 + ")" * 99,
    "lambda: ({n} for _ in x)",
    "cv2.resize(x, ({n}, {n}), interpolation={n})",
)


class Files:
    """A source of files, which stand in ``folder``, and of calls as text."""

    def __init__(self, seed, folder):
        self.random = random.Random(seed)
        self.folder = folder
        self.count = 0

    def pick(self, *values):
        return self.random.choice(values)

    def mostly(self, good, *bad):
        """Return the good value four times of five: what follows is reached, too."""
        return good if self.random.random() < 0.8 else self.random.choice(bad)

    def path(self, ending):
        self.count += 1
        return self.folder / f"f{self.count}{ending}"

    def hurt(self, content):
        """Return bytes with a few of them changed, cut, or doubled."""
        content = bytearray(content)
        for _ in range(self.pick(0, 1, 3, 12)):
            content[self.random.randrange(len(content))] = self.random.randrange(256)
        if self.random.random() < 0.2:
            content = content[: self.random.randrange(len(content))]
        return bytes(content)

    # --- files ---

    def onnx(self):
        """Write a model whose values nobody would write, or whose bytes are hurt."""
        import onnx

        make, kinds = onnx.helper.make_node, onnx.TensorProto
        by_scales = self.random.random() < 0.5
        good, bad = ((1, 1, 2, 1.5), SCALES) if by_scales else ((1, 1, 16, 5), SIZES)
        values = [self.mostly(value, *bad) for value in good]
        values = values[: self.mostly(4, 2, 1)]
        constant = np.array(values, np.float32 if by_scales else np.int64)
        inputs = ["x", "", "s"] if by_scales else ["x", "", "", "s"]
        attributes = {
            "mode": self.mostly(self.pick(*MODES[:3]), *MODES),
            "coordinate_transformation_mode": self.mostly(
                self.pick(*GRIDS[:3]), *GRIDS
            ),
            "cubic_coeff_a": self.pick(-0.75, float("nan"), 1e30),
            "nearest_mode": self.pick("floor", "ceil", "up", *ESCAPES),
            "antialias": self.pick(0, 1, 2**62),
            "axes": self.pick([2, 3], [9, 9], [-1], [2**62]),
        }
        chosen = self.random.sample(sorted(attributes), self.pick(0, 1, 2))
        nodes = [
            make("Resize", inputs, ["y"], **{k: attributes[k] for k in chosen}),
            make("Relu", [self.mostly("y", "z", "x")], ["z"]),
        ]
        nodes[0].name = self.pick("resize", *ESCAPES)
        self.random.shuffle(nodes)
        shape = [self.mostly(1, "n", *SIZES), 1, self.mostly(8, *SIZES), 8]
        x = onnx.helper.make_tensor_value_info("x", kinds.FLOAT, shape)
        out = onnx.helper.make_tensor_value_info("y", kinds.FLOAT, None)
        tensors = [onnx.numpy_helper.from_array(constant, "s")]
        graph = onnx.helper.make_graph(nodes, self.pick("g", *ESCAPES[:3]), [x], [out])
        graph.initializer.extend(tensors)
        ids = [onnx.helper.make_opsetid("", self.mostly(18, 1, 9, 10, 11, 13, 99))]
        model = onnx.helper.make_model(graph, opset_imports=ids, ir_version=8)
        model.producer_name = self.mostly("pytorch", *ESCAPES)
        content = model.SerializeToString()
        if self.random.random() < 0.1:
            content = self.hurt(content)
        return self.written(".onnx", content)

    def good(self):
        """Write a model that everything runs."""
        return exported.resize_model(self.path(".onnx"), mode="linear")

    def written(self, ending, content):
        path = self.path(ending)
        path.write_bytes(content)
        return path

    def npy(self):
        """Write an array whose header lies, or whose numbers are odd."""
        kind = self.pick(
            "<f4", "<f8", "|u1", "|b1", "<U3", "|O", "<c8", "[('a','<f4')]"
        )
        shape = tuple(
            self.pick(0, 1, 4, 8, 2**40, -1) for _ in range(self.pick(0, 2, 3))
        )
        words = f"{{'descr':'{kind}','fortran_order':False,'shape':{shape}}}\n"
        words = self.pick(words, words, words[:20], "{" * 500, "{'descr':1}\n", "\\")
        head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(words)) + words.encode()
        return self.written(".npy", head + self.random.randbytes(self.pick(0, 64, 512)))

    def odd(self, usual=None):
        """Write an array that is well formed and holds what nobody expects."""
        shape = [self.pick(1, 2, 5, 8, 16) for _ in range(self.pick(1, 2, 2, 3, 4))]
        shape = self.mostly(usual or self.pick([8, 8], [16, 16]), shape)
        values = np.full(shape, self.pick(0, 1, 255, np.nan, np.inf, 1e38, -1))
        if self.random.random() < 0.5:
            values = np.random.default_rng(self.count).random(shape) * 255
        path = self.path(".npy")
        with np.errstate(all="ignore"):
            kind = self.mostly("float32", "float64", "uint8", "int16", "bool")
            np.save(path, values.astype(kind))
        return path

    def npz(self):
        stream = BytesIO()
        with zipfile.ZipFile(stream, "w") as packed:
            for name in (self.pick("x.npy", "../x.npy", "\x1b[2Jy.npy"), "y.npy"):
                packed.writestr(name, self.pick(self.npy, self.odd)().read_bytes())
        content = stream.getvalue()
        return self.written(".npz", self.mostly(content, self.hurt(content)))

    def sidecar(self):
        """Write a file with a passport beside it that nobody wrote."""
        path = self.written(".bin", b"x")
        entry = {"name": self.pick("a", *ESCAPES), "scale": [self.pick(*SCALES)]}
        entry["spec"] = self.pick({"kernel": "lanczos", "lobes": 10**9}, {"a": []}, [])
        whole = {
            "version": self.mostly(1, 2, "1"),
            "preprocessing": [{"convention": entry, "size": self.pick([8, 8], 3, "s")}],
            "nodes": self.pick({}, {ESCAPES[0]: entry}, []),
            "facts": self.pick({}, {ESCAPES[1]: ESCAPES[0]}, 7),
        }
        text = json.dumps(whole)
        text = self.mostly(text, text[:-9], "[" * 99_999, "null")
        path.with_name(path.name + ".passport.json").write_text(text)
        return path

    def carrier(self):
        """Write a model that carries a passport, its text hurt now and then."""
        import onnx

        from resizelab.models import passport

        path = self.good()
        passport.write(path, ["cv2.resize(img, (8, 8))"], {"a": "b"}, in_place=True)
        model = onnx.load(path)
        if self.random.random() < 0.5:
            hurt = self.hurt(model.metadata_props[0].value.encode())
            model.metadata_props[0].value = hurt.decode("utf-8", "replace")
        path.write_bytes(model.SerializeToString())
        return path

    def text(self):
        return self.pick(*CALLS).format(
            n=self.mostly(8, *SIZES), m=self.mostly(5, *SIZES),
            s=self.mostly("2", *NUMBERS), t=self.mostly("bilinear", *MODES),
        )  # fmt: skip
