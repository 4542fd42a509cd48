"""Pictures and operators for tests that name a resize, by NumPy alone."""

import numpy as np


def natural(h, w, seed, channels=0):
    """Return a picture in 0 … 1 whose spectrum falls as that of photographs."""
    rng = np.random.default_rng(seed)
    if channels:
        planes = [natural(h, w, 100 * seed + k) for k in range(channels)]
        return np.stack(planes, -1)
    f = np.hypot(np.fft.fftfreq(h)[:, None], np.fft.fftfreq(w)[None])
    f[0, 0] = 1
    z = np.fft.ifft2(np.fft.fft2(rng.standard_normal((h, w))) / f).real
    return ((z - z.min()) / np.ptp(z)).astype(np.float32)


def bytes_of(x):
    return np.rint(x * 255).astype(np.uint8)


def dense(k, x, wide, n, boundary):
    """Return an operator by NumPy's own padding: who reads what outside."""
    pad = int(np.ceil(k.radius * wide + np.abs(x - (n - 1) / 2).max() - n / 2)) + 2
    j = np.arange(-pad, n + pad)
    inside = (j >= 0) & (j < n)
    w = k((j - x[:, None]) / wide)
    if boundary == "exclude":
        w = w * inside
    w = w / w.sum(1, keepdims=True)
    mode = boundary if boundary in ("edge", "symmetric", "reflect", "wrap") else "edge"
    w = w * inside if boundary in ("exclude", "constant") else w
    matrix = np.zeros((len(x), n))
    np.add.at(matrix.T, np.pad(np.arange(n), pad, mode), w.T)
    return matrix
