"""Pairs of outputs of small networks whose difference has a known cause."""

from dataclasses import dataclass, field

import numpy as np

import resizelab as rl

STRIDES = (2, 4, 8, 16, 32)
# Low resolutions, so that outputs have some 100 to 250 pixels a side.
SIDES = {2: (48, 100), 4: (26, 56), 8: (14, 30), 16: (8, 15), 32: (6, 9)}
HALF = (
    "torch.bilinear",
    "torch.bicubic",
    "torch.nearest",
    "tf1.bilinear.half_pixel_centers",
    "tf1.bicubic.half_pixel_centers",
)
CORNERS = ("torch.bilinear.align_corners", "torch.bicubic.align_corners")
ASYMMETRIC = ("tf1.bilinear", "tf1.bicubic", "onnxruntime.cubic.asymmetric")
PLACES = {"half_pixel": HALF, "align_corners": CORNERS, "asymmetric": ASYMMETRIC}
KERNELS = ("linear", "cubic", "nearest")
OTHER_FAULTS = (
    *("channels", "flipped", "transposed", "values", "values by channel", "levels"),
    *("bgr input", "normalisation", "eight bits inside", "float16", "bfloat16"),
    *("noise", "noise before the resize"),
)
# What names the fault; it is right as well to see no sign of a resize.
RIGHT = {
    "channels": {"channels"},
    "flipped": {"layout"},
    "transposed": {"layout"},
    "values": {"values"},
    "values by channel": {"values"},
    "levels": {"rounding"},
    "bgr input": set(),
    "normalisation": {"values"},
    "eight bits inside": {"rounding"},
    "float16": {"rounding"},
    "bfloat16": {"rounding"},
    "noise": {"rounding"},
    "noise before the resize": {"rounding"},
}


@dataclass
class Case:
    """Two outputs, and why they differ.

    ``kind`` is grid, kernel or the fault's name; ``places`` and ``kernels`` are of
    (reference, other) for the first two.
    """

    ref: np.ndarray
    got: np.ndarray
    kind: str
    stride: int
    conventions: tuple[str, str]
    places: tuple[str, str]
    kernels: tuple[str, str]
    facts: dict = field(default_factory=dict)


def operator(name, n_in, n_out, scale=None):
    """Return the dense operator of a convention, from the package."""
    return rl.weights(name, n_in, n_out, scale).dense()


def place_of(name):
    return next(place for place, names in PLACES.items() if name in names)


def blurred(x, sigma):
    """Return (C, H, W) noise smoothed with a Gaussian, by the Fourier transform."""
    fy = np.fft.fftfreq(x.shape[1])[:, None]
    fx = np.fft.rfftfreq(x.shape[2])[None]
    gain = np.exp(-2 * (np.pi * sigma) ** 2 * (fy**2 + fx**2))
    return np.fft.irfft2(np.fft.rfft2(x) * gain, x.shape[1:])


def pictures(rng, texture, height, width):
    """Return a (3, H, W) picture: smooth, like a photograph, or full of texture."""
    noise = rng.standard_normal((3, height, width))
    common = rng.standard_normal((1, height, width))
    x = 0.6 * noise + common
    if texture == "smooth":
        x = blurred(x, rng.uniform(1.5, 4))
    elif texture == "natural":
        fy = np.fft.fftfreq(height)[:, None]
        fx = np.fft.rfftfreq(width)[None]
        slope = 1 / np.maximum(np.hypot(fy, fx), 1 / max(height, width))
        x = np.fft.irfft2(np.fft.rfft2(x) * slope, x.shape[1:])
    else:
        x = blurred(x, rng.uniform(0.3, 0.8))
    x = (x - x.min()) / np.ptp(x)
    return x.astype(np.float64)


def conv(x, w, stride=1):
    """Return a 3x3 convolution of (C, H, W), zero padded as networks do."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    height, width = x.shape[1:]
    out = 0.0
    for dy in range(3):
        for dx in range(3):
            part = padded[:, dy : dy + height : stride, dx : dx + width : stride]
            out = out + np.tensordot(w[:, :, dy, dx], part, 1)
    return out


def kernels_of(rng, c_out, c_in, size=3):
    w = rng.standard_normal((c_out, c_in, size, size))
    return w / np.sqrt(c_in * size * size / 2)


class Network:
    """A small random network: an encoder, one resize (or a chain), a head."""

    def __init__(self, rng, stride, channels, head, chain):
        self.stride, self.head = stride, head
        hidden = int(rng.integers(4, 9))
        self.first = kernels_of(rng, hidden, 3)
        self.second = kernels_of(rng, hidden, hidden)
        self.bias = 0.3 * rng.standard_normal((2, hidden, 1, 1))
        self.steps = [2] * int(np.log2(stride)) if chain else [stride]
        self.between = [kernels_of(rng, hidden, hidden) for _ in self.steps[1:]]
        self.mix = kernels_of(rng, channels, hidden, 1)[:, :, 0, 0]
        self.third = kernels_of(rng, channels, hidden)
        self.fourth = kernels_of(rng, channels, channels)

    def __call__(self, x, name, *, rounded=lambda x: x, shape=None, spoil=None):
        """Return the (C, H, W) output; ``rounded`` is applied after each layer."""
        x = rounded(np.maximum(conv(x, rounded(self.first)) + self.bias[0], 0))
        x = rounded(np.tanh(conv(x, rounded(self.second), 2) + self.bias[1]))
        if spoil is not None:
            x = spoil(x)
        for k, step in enumerate(self.steps):
            last = k == len(self.steps) - 1
            low = x.shape[1:]
            sizes = shape if last and shape else [n * step for n in low]
            ys, xs = (operator(name, n, m) for n, m in zip(low, sizes, strict=True))
            x = rounded(ys @ x @ xs.T)
            if not last:
                x = rounded(np.tanh(conv(x, rounded(self.between[k]))))
        return rounded(self.finish(x, rounded))

    def finish(self, x, rounded):
        match self.head:
            case "none":
                return x
            case "1x1":
                return np.tensordot(rounded(self.mix), x, 1)
            case "3x3":
                return conv(x, rounded(self.third))
            case "3x3 relu":
                return np.maximum(conv(x, rounded(self.third)), 0)
        x = rounded(np.maximum(conv(x, rounded(self.third)), 0))
        return conv(x, rounded(self.fourth))


HEADS = ("none", "1x1", "3x3", "3x3 relu", "3x3 relu 3x3")


def eight_bits(x):
    """Return ``x`` on 255 levels between its extremes, as a quantised layer has it."""
    step = np.abs(x).max() / 127 or 1.0
    return np.round(x / step) * step


def bfloat16(x):
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x8000) & 0xFFFF0000).view(np.float32).astype(np.float64)


def float16(x):
    return np.asarray(x).astype(np.float16).astype(np.float64)


def make(seed, number, kind=None):
    """Return case ``number`` of a seed; half are of grids, a fifth of kernels."""
    rng = np.random.default_rng([seed, number])
    kind = kind or rng.choice(["grid", "kernel", "other"], p=[0.45, 0.2, 0.35])
    if kind == "other":
        kind = str(rng.choice(OTHER_FAULTS))
    stride = int(rng.choice(STRIDES))
    texture = str(rng.choice(["smooth", "natural", "textured"]))
    head = str(rng.choice(HEADS))
    chain = bool(rng.random() < 0.3) and stride in (4, 8)
    low, high = SIDES[stride]
    sides = rng.integers(low, high + 1, 2)
    if kind == "transposed":
        sides[1] = sides[0]
    pair = conventions_of(rng, kind)
    shape = None
    blocks = any(rl.convention(name).spec.kernel == "nearest" for name in pair)
    # Sizes made for align_corners, but not where blocks would not fit.
    if not chain and not blocks and rng.random() < 0.2:
        shape = [(int(n) - 1) * stride + 1 for n in sides]
    net = Network(rng, stride, int(rng.integers(3, 9)), head, chain)
    x = pictures(rng, texture, 2 * int(sides[0]), 2 * int(sides[1]))
    ref = net(x, pair[0], shape=shape)
    facts = {"texture": texture, "head": head, "chain": chain, "shape": ref.shape}
    if kind in ("grid", "kernel"):
        got = net(x, pair[1], shape=shape)
        facts["gap"] = float(np.sqrt(((got - ref) ** 2).mean()) / spread(ref))
        level = float(rng.choice([0, 0, 0.002, 0.01, 0.02, 0.05]))
        got = got + level * spread(got) * rng.standard_normal(got.shape)
        facts["noise"] = level
    else:
        got = FAULTS[kind](rng, net, x, pair[0], shape, ref)
    ref, got = (np.asarray(a, np.float32) for a in (ref, got))
    return Case(
        ref,
        got,
        str(kind),
        stride,
        pair,
        tuple(place_of(name) for name in pair),
        tuple(str(rl.convention(name).spec.kernel) for name in pair),
        facts,
    )


def spread(x):
    """Return the standard deviation within channels, the liveliest weighing most."""
    return float(np.sqrt(x.var((1, 2)).mean()))


def conventions_of(rng, kind):
    """Return the conventions of the reference and of the other side."""
    if kind == "grid":
        places = rng.choice(list(PLACES), 2, replace=False)
        names = tuple(str(rng.choice(PLACES[place])) for place in places)
        if rng.random() < 0.6:  # most real pairs keep the kernel
            kernel = str(rl.convention(names[0]).spec.kernel)
            alike = [
                n for n in PLACES[places[1]] if rl.convention(n).spec.kernel == kernel
            ]
            names = (names[0], str(rng.choice(alike))) if alike else names
        return names
    place = str(rng.choice(list(PLACES)))
    first = str(rng.choice(PLACES[place]))
    if kind != "kernel":
        return first, first
    kernel = rl.convention(first).spec.kernel
    others = [n for n in PLACES[place] if rl.convention(n).spec.kernel != kernel]
    return first, str(rng.choice(others))


def permuted(rng, net, x, name, shape, ref):
    order = rng.permutation(len(ref))
    while (order == np.arange(len(ref))).all():
        order = rng.permutation(len(ref))
    return ref[order]


def by_channel(rng, net, x, name, shape, ref):
    gain = rng.uniform(0.6, 1.6, (len(ref), 1, 1))
    return ref * gain + rng.standard_normal((len(ref), 1, 1)) * spread(ref)


def normalised(rng, net, x, name, shape, ref):
    mean, std = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
    mean, std = (np.reshape(v, (3, 1, 1)) for v in (mean, std))
    other = [(x - mean) / std, 2 * x - 1, 255 * x][int(rng.integers(3))]
    return net(other, name, shape=shape)


def noisy_features(rng, net, x, name, shape, ref):
    level = rng.choice([0.01, 0.05])
    noise = rng.standard_normal
    return net(x, name, shape=shape, spoil=lambda z: z + level * noise(z.shape))


FAULTS = {
    "channels": permuted,
    "flipped": lambda rng, net, x, name, shape, ref: (
        ref[:, ::-1] if rng.random() < 0.5 else ref[:, :, ::-1]
    ),
    "transposed": lambda rng, net, x, name, shape, ref: ref.transpose(0, 2, 1),
    "values": lambda rng, net, x, name, shape, ref: (
        ref * rng.uniform(0.3, 3) + rng.standard_normal() * ref.std()
    ),
    "values by channel": by_channel,
    "levels": lambda rng, net, x, name, shape, ref: eight_bits(ref),
    "bgr input": lambda rng, net, x, name, shape, ref: net(x[::-1], name, shape=shape),
    "normalisation": normalised,
    "eight bits inside": lambda rng, net, x, name, shape, ref: net(
        x, name, rounded=eight_bits, shape=shape
    ),
    "float16": lambda rng, net, x, name, shape, ref: net(
        x, name, rounded=float16, shape=shape
    ),
    "bfloat16": lambda rng, net, x, name, shape, ref: net(
        x, name, rounded=bfloat16, shape=shape
    ),
    "noise": lambda rng, net, x, name, shape, ref: (
        ref
        + rng.choice([0.01, 0.05, 0.2]) * spread(ref) * rng.standard_normal(ref.shape)
    ),
    "noise before the resize": noisy_features,
}
