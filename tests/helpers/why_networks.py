"""Small random networks of the usual kinds, each run twice: as it is, and with a fault.

What differs between the two runs is known, so that `why` can be judged. Weights come
from a seed; no network has a part in choosing a threshold unless a test says so.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
import why_cases
from torch.nn import functional
from why_cases import blurred, pictures

import resizelab as rl

HALF, CUBIC, KEYS = "torch.bilinear", "torch.bicubic", "tf1.bicubic.half_pixel_centers"
CORNERS, ASYMMETRIC = "torch.bilinear.align_corners", "tf1.bilinear"
NEAREST = "torch.nearest"
TEXTURES = "natural", "smooth", "textured"


@dataclass(frozen=True)
class Choices:
    """What may differ between two runs of one network."""

    end: str = HALF
    inner: str = HALF
    branch: str = ""  # of the coarsest branch alone
    scale: float | None = None  # the end's, where its step comes from it
    shape: tuple | None = None  # the end's, where it is not the picture's
    same: bool = False  # TensorFlow's SAME padding instead of as much on both sides
    border: str = "constant"
    slope: float = 0.0
    pool: bool = False
    epsilon: float = 0.0
    cap: float = np.inf  # what activations are cut at
    gains: float = 0.0  # of channels, that a batch norm left out would have had
    weights: Callable = lambda x: x
    inside: Callable = lambda x: x


class Network:
    """Convolutions of random weights; ``forward`` of each kind says what is done."""

    def __init__(self, rng, factor=4, head=0, channels=5):
        self.rng, self.factor, self.head, self.channels = rng, factor, head, channels
        self.weights, self.used = [], 0

    def __call__(self, x, choices):
        self.used, self.choices = 0, choices
        x = torch.from_numpy(np.ascontiguousarray(x, np.float32))[None]
        with torch.no_grad():
            return self.forward(x)[0].numpy()

    def conv(self, x, out, size=3, stride=1, *, plain=False):
        """Return a convolution, its size kept but for the stride, and an activation."""
        if self.used == len(self.weights):
            w = self.rng.standard_normal((out, x.shape[1], size, size))
            w *= np.sqrt(2 / (x.shape[1] * size * size))
            b = 0.2 * self.rng.standard_normal(out)
            self.weights.append([torch.from_numpy(a).float() for a in (w, b)])
        weight, bias = map(self.choices.weights, self.weights[self.used])
        gains = 1 + self.choices.gains * torch.sin(torch.arange(out) + self.used)
        weight = weight * gains[:, None, None, None]
        self.used += 1
        inside = self.choices.inside
        low = high = size // 2
        if self.choices.same and stride > 1:
            low = (size - stride) // 2
            high = size - stride - low
        if low or high:
            x = functional.pad(x, (low, high, low, high), mode=self.choices.border)
        x = inside(
            functional.conv2d(
                x, inside(weight) / (1 + self.choices.epsilon), bias, stride
            )
        )
        if plain:
            return x
        return functional.leaky_relu(x, self.choices.slope).clamp(max=self.choices.cap)

    def up(self, x, shape, name, scale=None):
        """Return an enlargement by a convention's operators."""
        for axis, n in ((2, shape[0]), (3, shape[1])):
            w = why_cases.operator(name, x.shape[axis], int(n), scale)
            w = torch.from_numpy(w).float()
            x = torch.tensordot(x, w, ([axis], [1])).movedim(-1, axis)
        return self.choices.inside(x)

    def times(self, x, factor, name):
        return self.up(x, [n * factor for n in x.shape[2:]], name)

    def ended(self, x, shape):
        """Return the last enlargement, and what convolutions stand behind it."""
        c = self.choices
        x = self.up(x, shape, c.end, c.scale)
        for _ in range(self.head):
            x = self.conv(x, 8)
        return self.conv(x, self.channels, 1, plain=True) if self.head else x

    def down(self, x, count, width=8):
        levels = []
        for k in range(count):
            if self.choices.pool and k == count - 1:
                x = functional.avg_pool2d(self.conv(x, width), 2)
            else:
                x = self.conv(x, width, stride=2)
            x = self.conv(x, width)
            levels.append(x)
        return levels


class Segmenter(Network):
    def forward(self, x):
        size = x.shape[2:]
        x = self.down(x, int(np.log2(self.factor)))[-1]
        x = self.conv(x, self.channels, 1, plain=True)
        if self.choices.scale:
            size = [int(n * self.choices.scale) for n in x.shape[2:]]
        return self.ended(x, self.choices.shape or size)


class UNet(Network):
    def forward(self, x):
        first = self.conv(x, 8)
        levels = [first, *self.down(first, 3)]
        x = levels.pop()
        while levels:
            other = levels.pop()
            name = self.choices.inner if levels else self.choices.end
            x = torch.cat([self.up(x, other.shape[2:], name), other], 1)
            x = self.conv(x, 8)
        return self.conv(x, self.channels, 1, plain=True)


class Pyramid(Network):
    def forward(self, x):
        size = x.shape[2:]
        levels = [self.conv(m, 6, 1, plain=True) for m in self.down(x, 5)[1:]]
        x = levels.pop()
        while levels:
            other = levels.pop()
            x = other + self.up(x, other.shape[2:], self.choices.inner)
        x = self.conv(self.conv(x, 8), self.channels, 1, plain=True)
        return self.ended(x, size)


class Branches(Network):
    def forward(self, x):
        x = self.conv(x, 8)
        size = x.shape[2:]
        levels = self.down(x, 3)
        names = [self.choices.inner] * 2 + [self.choices.branch or self.choices.inner]
        ups = [self.up(m, size, n) for m, n in zip(levels, names, strict=True)]
        return self.conv(
            self.conv(torch.cat([x, *ups], 1), 8), self.channels, 1, plain=True
        )


class SuperResolution(Network):
    """A picture enlarged, and details from sub-pixel convolutions added to it."""

    def forward(self, x):
        s = self.factor
        y = self.conv(self.conv(x, 8), 8)
        y = functional.pixel_shuffle(0.05 * self.conv(y, 3 * s * s, plain=True), s)
        return y + self.times(x, s, self.choices.end)


class Depth(Network):
    def forward(self, x):
        x = self.down(x, 4)[-1]
        for _ in range(2):
            x = self.conv(self.times(x, 2, self.choices.inner), 8)
        if not self.head:
            x = self.conv(x, self.channels, plain=True)
        return self.ended(x, [n * 4 for n in x.shape[2:]])


class Context(Network):
    """Dilated convolutions and a global mean beside them; shares come out."""

    def forward(self, x):
        size = x.shape[2:]
        x = self.down(x, 3)[-1]
        mean = self.conv(x.mean((2, 3), keepdim=True), 4, 1).expand(
            -1, -1, *x.shape[2:]
        )
        x = torch.cat([self.conv(x, 8), self.conv(x, 8, 1), mean], 1)
        return self.ended(self.conv(x, self.channels, 1, plain=True), size).sigmoid()


# --- what may go wrong ---


@dataclass
class Run:
    """Two outputs, what differs between them, and which answers name it.

    ``truth`` is end, behind (a convolution stands behind that resize), inside, input
    or other; ``answers`` are kinds, and for grids the names of both.
    """

    network: str
    fault: str
    truth: str
    answers: frozenset
    grids: tuple | None
    ref: np.ndarray
    got: np.ndarray


def moved(x, by):
    """Return (C, H, W) whose content has moved, its border repeated."""
    index = [np.clip(np.arange(n) - by, 0, n - 1) for n in x.shape[1:]]
    return x[:, index[0][:, None], index[1]]


def eight(x):
    step = x.abs().max() / 127
    return (x / step).round() * step


def halved(name):
    """Return a picture of twice the size, made half as large by a convention."""
    return lambda x, rng: rl.resize(x, (3, x.shape[1] // 2, x.shape[2] // 2), name)


def softmax(y):
    e = np.exp(y - y.max(0))
    return e / e.sum(0)


# What is fed, by what the picture was: (both sides from a picture twice as large).
RESIZED = {
    "input by OpenCV, not Pillow": ("pillow.bilinear", "opencv.linear"),
    "input by its area": ("pillow.bicubic", "opencv.area"),
    "input on another grid": ("torch.bilinear", "tf1.bilinear"),
    "input nearest": ("torch.bilinear", "torch.nearest"),
}
INPUT = {
    "bgr": lambda x, rng: x[::-1],
    "bytes for shares": lambda x, rng: 255 * x,
    "from -1 to 1": lambda x, rng: 2 * x - 1,
    "no mean, no deviation": lambda x, rng: (x - 0.45) / 0.225,
    "gamma": lambda x, rng: np.maximum(x, 0) ** 0.8,
    "noise on the input": lambda x, rng: x + 0.01 * rng.standard_normal(x.shape),
    "input rounded to bytes": lambda x, rng: np.rint(255 * x) / 255,
    "another picture": lambda x, rng: pictures(rng, "natural", *x.shape[1:]),
    "brighter": lambda x, rng: 1.1 * x + 0.03,
    "input NHWC read as NCHW": lambda x, rng: np.moveaxis(x, 0, -1).reshape(x.shape),
}
MOVED = {
    "crop by one": (lambda x, rng: moved(x, 1), {"move"}),
    "crop by five": (lambda x, rng: moved(x, -5), {"move"}),
    "input blurred": (lambda x, rng: blurred(x, 1.0), {"blur"}),
    "input mirrored": (lambda x, rng: x[:, :, ::-1], {"layout"}),
}
INSIDE = {
    "SAME padding": ({"same": True}, {"move"}),
    "reflected borders": ({"border": "reflect"}, {"border"}),
    "leaky": ({"slope": 0.1}, set()),
    "mean for maximum": ({"pool": True}, set()),
    "cut at 2": ({"cap": 2.0}, set()),
    "batch norm left out": ({"gains": 0.3}, set()),
    "float16 weights": ({"weights": lambda w: w.half().float()}, {"rounding"}),
    "epsilon": ({"epsilon": 1e-3}, {"rounding", "values"}),
    "float16 inside": ({"inside": lambda x: x.half().float()}, {"rounding"}),
    "bfloat16 inside": ({"inside": lambda x: x.bfloat16().float()}, {"rounding"}),
    "eight bits inside": ({"inside": eight}, {"rounding"}),
}
OUTPUT = {
    "softmax": (lambda y, rng: softmax(y), {"values"}),
    "sigmoid": (lambda y, rng: 1 / (1 + np.exp(-y)), {"values"}),
    "argmax": (lambda y, rng: y.argmax(0), {"values"}),
    "channels rolled": (lambda y, rng: np.roll(y, 1, 0), {"channels"}),
    "mirrored": (lambda y, rng: y[:, :, ::-1], {"layout"}),
    "NHWC read as NCHW": (
        lambda y, rng: np.moveaxis(y, 0, -1).reshape(y.shape),
        {"layout"},
    ),
    "noise": (
        lambda y, rng: y + 0.02 * y.std() * rng.standard_normal(y.shape),
        {"rounding"},
    ),
    "a gain each channel": (
        lambda y, rng: y * rng.uniform(0.7, 1.4, (len(y), 1, 1)),
        {"values"},
    ),
    "float16": (lambda y, rng: y.astype(np.float16), {"rounding"}),
    "eight bits": (lambda y, rng: why_cases.eight_bits(y), {"rounding"}),
    "blurred": (lambda y, rng: blurred(y, 1.0), {"blur"}),
    "shifted by one": (lambda y, rng: moved(y, 1), {"move"}),
}
RESIZES = {
    "end asymmetric": {"end": ASYMMETRIC},
    "end align_corners": {"end": CORNERS},
    "end cubic": {"end": CUBIC},
    "end Keys": {"end": KEYS},
    "end nearest": {"end": NEAREST},
    "end by its scale": {"scale": 2.3},
    "inside asymmetric": {"inner": ASYMMETRIC},
    "inside align_corners": {"inner": CORNERS},
    "inside cubic": {"inner": CUBIC},
    "branch asymmetric": {"branch": ASYMMETRIC},
}


def networks(seed):
    """Return (name, network, size of its picture, choices) of every kind."""
    rng = [np.random.default_rng([seed, k]) for k in range(24)]
    half, cubic = Choices(), Choices(end=CUBIC)
    made = [
        (f"segmenter x{s}, {h} behind", Segmenter(rng[k], s, h), (160, 224), half)
        for k, (s, h) in enumerate(((4, 0), (8, 0), (16, 0), (32, 0), (8, 1), (4, 2)))
    ]
    made += [
        ("segmenter x8 of 129", Segmenter(rng[6], 8), (129, 161), Choices(end=CORNERS)),
        ("segmenter x2 of 54", Segmenter(rng[7], 2), (54, 70), half),
        ("UNet", UNet(rng[8]), (96, 128), half),
        ("FPN", Pyramid(rng[9]), (160, 192), half),
        ("FPN, 1 behind", Pyramid(rng[10], head=1), (128, 192), half),
        ("HRNet", Branches(rng[11]), (96, 128), half),
        ("depth", Depth(rng[15], channels=1), (160, 224), half),
        ("depth, 1 behind", Depth(rng[16], channels=1, head=1), (160, 192), half),
    ]
    for k, s in enumerate((2, 3, 4)):
        net = SuperResolution(rng[12 + k], s)
        made.append((f"super-resolution x{s}", net, (50, 64), cubic))
    made.append(("context", Context(rng[17]), (112, 144), half))
    return made


def runs(seed, only=None, others=6):
    """Yield runs: every resize of every network, and some other faults of each.

    ``only`` are numbers of networks, of which there are as many as `networks` says.
    """
    rest = [*RESIZED, *INPUT, *MOVED, *INSIDE, *OUTPUT]
    for k, (name, net, size, base) in enumerate(networks(seed)):
        if only is not None and k not in only:
            continue
        rng = np.random.default_rng([seed, 1000 + k])
        large = pictures(rng, TEXTURES[k % 3], *(2 * n for n in size))
        x = halved("torch.bilinear")(large, rng)
        ref = net(x, base)
        for fault, change in RESIZES.items():
            run = _resized(name, net, x, base, fault, change, ref)
            if run is not None:
                yield run
        for turn in range(others):
            fault = rest[(seed + others * k + turn) % len(rest)]
            yield _faulty(name, net, (large, x), base, fault, ref, rng)


ANSWERS = ("right", "undecided", "wrong", "accused", "misnamed")


def judged(run, diagnosis):
    """Say what an answer is worth: one of ANSWERS."""
    named = diagnosis.kind in run.answers and run.grids in (None, diagnosis.grids)
    if named:
        return "right"
    if diagnosis.certainty == "no sign":
        return "undecided"
    if diagnosis.kind == "move" and run.truth in ("input", "inside"):
        # Whole pixels are said to be a crop, or such a resize.
        return "undecided" if "grid of a resize" in diagnosis.cause else "wrong"
    resized = run.truth in ("end", "behind", "inside")
    if diagnosis.is_resize != resized:
        return "accused" if diagnosis.is_resize else "misnamed"
    return "wrong"


def _resized(name, net, x, base, fault, change, ref):
    choices = replace(base, **change)
    if "scale" in change:
        if getattr(net, "factor", 0) != 2 or not isinstance(net, Segmenter):
            return None
        ref = net(
            x, replace(base, shape=tuple(int(2.3 * (n // 2)) for n in x.shape[1:]))
        )
    got = net(x, choices)
    if got.shape != ref.shape or np.abs(got - ref).max() < 1e-5:
        return None
    ((key, value),) = change.items()
    before = getattr(base, key) or base.inner
    where = "inside" if key in ("inner", "branch") else "end"
    if where == "end" and (net.head or isinstance(net, UNet)):
        where = "behind"
    if key == "scale":
        return Run(name, fault, where, frozenset({"step"}), None, ref, got)
    places = tuple(why_cases.place_of(n) for n in (before, value))
    if value == NEAREST and before == CORNERS:
        places = places[0], "asymmetric"  # floored: these sizes are no multiples
    kind = "grid" if places[0] != places[1] else "kernel"
    return Run(name, fault, where, frozenset({kind}), places, ref, got)


def _faulty(name, net, seen, base, fault, ref, rng):
    large, x = seen
    answers, truth = set(), "other"
    if fault in RESIZED:
        ref, got = (net(halved(n)(large, rng), base) for n in RESIZED[fault])
        truth = "input"
    elif fault in INPUT:
        got = net(INPUT[fault](x, rng), base)
        answers = {"values"} if fault == "brighter" else set()
        if fault == "bgr" and isinstance(net, SuperResolution):
            answers = {"channels"}  # a picture comes out
    elif fault in MOVED:
        change, answers = MOVED[fault]
        got, truth = net(change(x, rng), base), "input"
    elif fault in INSIDE:
        change, answers = INSIDE[fault]
        got = net(x, replace(base, **change))
    else:
        change, answers = OUTPUT[fault]
        if fault in ("softmax", "argmax", "channels rolled") and len(ref) == 1:
            fault, (change, answers) = "sigmoid", OUTPUT["sigmoid"]
        got = change(ref, rng)
    same = got.shape == ref.shape and np.abs(got - ref).max() < 1e-6 * ref.std()
    answers = frozenset({"identical"} if same else answers)
    return Run(name, fault, truth, answers, None, ref, np.asarray(got))
