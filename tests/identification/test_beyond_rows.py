"""What no row says: blurs, scaled values, parts, written steps, odd dtypes, nonsense.

Right values are NumPy's, Pillow's or OpenCV's own, or a formula written out here.
"""

import itertools

import numpy as np
import pytest
from bulk import some
from resizers import bytes_of, dense, natural

import resizelab as rl
from resizelab.axis import Kernel
from resizelab.axis.kernel import kernel

cv2 = pytest.importorskip("cv2")
Image = pytest.importorskip("PIL.Image")


def by_matrices(make, round_to=None):
    """Return a box that multiplies with ``make(n_in, n_out)`` on both axes."""

    def resizer(x, shape):
        x = np.asarray(x, np.float64)
        y = make(x.shape[0], shape[0]) @ x @ make(x.shape[1], shape[1]).T
        if round_to is None:
            return y.astype(np.float32)
        info = np.iinfo(round_to)
        return np.clip(np.rint(y), info.min, info.max).astype(round_to)

    return resizer


def centred(k, boundary="edge", antialias=False):
    """Return matrices of a kernel at half_pixel positions."""

    def make(n, m):
        x = (np.arange(m) + 0.5) * n / m - 0.5
        return dense(k, x, max(1.0, n / m) if antialias else 1.0, n, boundary)

    return make


def filtered(taps, n, mode):
    """Return the matrix of a filter, by NumPy's own padding."""
    half = len(taps) // 2
    padded = np.pad(np.eye(n), ((half, half), (0, 0)), mode)
    return sum(t * padded[k : k + n] for k, t in enumerate(taps))


LINEAR = centred(kernel("linear"))


def blurs_first(n, m):
    blur = filtered([0.25, 0.5, 0.25], n, "edge") if m < n else np.eye(n)
    return LINEAR(n, m) @ blur


def gaussian_first(n, m):
    """Blur by a Gaussian of five taps, its width a rule of its own; then linear."""
    sigma = 0.4 * n / m
    taps = np.exp(-0.5 * (np.arange(-2, 3) / sigma) ** 2)
    blur = filtered(taps / taps.sum(), n, "reflect") if m < n else np.eye(n)
    return LINEAR(n, m) @ blur


def axes_of(report):
    """Return the fitted entries of each axis: where it grows, where it shrinks."""
    places = [p for p in report.fitted if p.startswith("width")]
    return [report.fitted[place] for place in places]


@pytest.mark.parametrize(
    ("a", "antialias"), some(itertools.product((-0.6, -0.9), (True, False)), 0, 3)
)
def test_the_constant_of_a_cubic_is_read_from_bytes(a, antialias):
    make = centred(kernel("cubic", a=a), "symmetric", antialias)
    report = rl.identify(by_matrices(make, "uint8"))
    (fitted,) = axes_of(report)
    assert fitted.fits
    assert fitted.kernel == "cubic"
    assert fitted.a == pytest.approx(a, abs=0.01)
    assert fitted.stretch == ("step" if antialias else "none")
    assert "symmetric" in fitted.boundary


def test_lobes_are_read_from_bytes():
    make = centred(kernel("lanczos", lobes=5))
    (fitted,) = axes_of(rl.identify(by_matrices(make, "uint8")))
    assert (fitted.kernel, fitted.parameters["lobes"]) == ("lanczos", 5)


@pytest.mark.parametrize(
    ("make", "border"), some([(gaussian_first, "reflect"), (blurs_first, "edge")], 0)
)
def test_a_blur_before_a_kernel_is_measured(make, border):
    grows, shrinks = axes_of(rl.identify(by_matrices(make)))
    assert grows.fits
    assert shrinks.fits
    assert not grows.blurs
    assert shrinks.blur_boundary == border
    for (n, m), taps in shrinks.blurs.items():
        built = filtered(taps, n, border)
        np.testing.assert_allclose(LINEAR(n, m) @ built, make(n, m), atol=1e-6)
    # The error that is told is that of the operators built again, at sizes looked at.
    for (n, m), error in shrinks.residuals.items():
        gap = np.abs(shrinks.operator(n, m) - make(n, m)).max()
        assert gap == pytest.approx(error, abs=1e-6)


def test_a_border_that_no_rule_makes_is_said_apart():
    def make(n, m):
        w = centred(kernel("cubic", a=-0.5))(n, m)
        w[:2], w[-2:] = 0, 0
        w[:2, 0], w[-2:, -1] = 1, 1
        return w

    report = rl.identify(by_matrices(make))
    (fitted,) = axes_of(report)
    assert not fitted.fits
    assert fitted.inside
    assert fitted.a == pytest.approx(-0.5, abs=1e-5)
    assert "fitted ideas, width, away from the border" in str(report)
    assert "boundary: no rule fits" in str(report)


@pytest.mark.slow
def test_what_no_family_fits_is_shown():
    rng = np.random.default_rng(2)
    lopsided = rng.uniform(0.2, 1.0, 5)

    def make(n, m):
        x = np.floor((np.arange(m) + 0.5) * n / m).astype(int)
        w = np.zeros((m, n))
        for k, tap in enumerate(lopsided):
            w[np.arange(m), np.clip(x + k - 1, 0, n - 1)] += tap
        return w / w.sum(1, keepdims=True)

    report = rl.identify(by_matrices(make))
    assert report.same == ()
    assert not any(fitted.fits for fitted in axes_of(report))
    assert "no family fits" in str(report)
    assert "measured, 19 to 43: output 21 reads pixels" in str(report)


@pytest.mark.parametrize(
    ("taper", "window"),
    [
        ("hamming", lambda t: 0.54 + 0.46 * np.cos(np.pi * t)),
        ("welch", lambda t: 1 - t * t),
    ],
)
def test_a_sinc_under_a_window_is_named(taper, window):
    sinc = Kernel("sinc", 3.0, lambda d: np.sinc(d) * window(d / 3))
    (fitted,) = axes_of(rl.identify(by_matrices(centred(sinc, antialias=True))))
    assert fitted.fits
    assert fitted.kernel == "windowed_sinc"
    assert fitted.parameters == {"lobes": 3, "taper": taper}
    assert fitted.stretch == "step"


@pytest.mark.parametrize(("bits", "whole"), some([(5, np.rint), (6, np.floor)], 1))
def test_positions_in_steps_are_read(bits, whole):
    def make(n, m):
        x = (np.arange(m) + 0.5) * n / m - 0.5
        x = whole(x * 2**bits) / 2**bits
        return dense(kernel("cubic", a=-0.6), x, 1.0, n, "symmetric")

    report = rl.identify(by_matrices(make))
    (fitted,) = axes_of(report)
    assert fitted.fits
    assert (fitted.grid, fitted.bits) == ("half_pixel", bits)
    assert fitted.a == pytest.approx(-0.6)
    down = "down" if whole is np.floor else "to the nearest"
    assert f"positions in steps of 1/{2**bits}, rounded {down}" in str(report)


def warped(x, shape):
    moves = np.zeros((2, 3))
    moves[[1, 0], [1, 0]] = np.divide(shape, x.shape)
    how = {"flags": cv2.INTER_NEAREST, "borderMode": cv2.BORDER_REPLICATE}
    return cv2.warpAffine(np.float32(x), moves, shape[::-1], **how)


def affine(x, shape):
    transform = pytest.importorskip("scipy.ndimage").affine_transform
    step = np.divide(x.shape, shape)
    return transform(np.float32(x), step, output_shape=tuple(shape), order=1)


@pytest.mark.parametrize(
    ("resizer", "said"),
    [(warped, "nearest, half_even"), (affine, "edge, 0 beyond the outer centres")],
)
def test_affine_transforms_are_built_again_at_ties_and_ends(resizer, said):
    report = rl.identify(resizer)
    assert [one.fits for one in axes_of(report)] == [True]
    assert said in str(report)
    assert not any("off at" in remark for remark in report.remarks)


MEAN, STD = np.float32(0.485), np.float32(0.229)


def pillow(x, shape, method="BILINEAR", **options):
    picture = Image.fromarray(np.asarray(x, np.uint8))
    return np.asarray(picture.resize(shape[::-1], Image.Resampling[method], **options))


def normalised(y):
    return (y / np.float32(255) - MEAN) / STD


def test_a_box_that_normalises_has_the_row_and_the_affine():
    report = rl.identify(lambda x, shape: normalised(pillow(x, shape)))
    assert report.same == ("pillow.bilinear",)
    assert "(as / 255, - 0.485, / 0.229)" in " | ".join(report.remarks)


def test_the_ideas_of_a_box_that_normalises_are_fitted():
    box = by_matrices(centred(kernel("cubic", a=-0.6)))
    report = rl.identify(lambda x, shape: (box(x, shape) - MEAN) / STD)
    (fitted,) = axes_of(report)
    assert fitted.fits
    assert fitted.a == pytest.approx(-0.6, abs=1e-4)
    assert "values scaled" in " | ".join(report.remarks)


def test_bytes_that_are_scaled_afterwards_are_seen():
    box = by_matrices(centred(kernel("cubic", a=-0.6)), "uint8")
    report = rl.identify(lambda x, shape: 2.5 * box(x, shape) - 1.5)
    (fitted,) = axes_of(report)
    assert fitted.fits
    assert fitted.a == pytest.approx(-0.6, abs=0.01)
    assert "y = 2.5 x -1.5" in " | ".join(report.remarks)


P = bytes_of(natural(171, 237, 9, 3))
SMALL, BOXED = pillow(P, (64, 88)), pillow(P, (40, 50), box=(20.5, 10.25, 180, 150))
EACH = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
SCALED = (SMALL / np.float32(255) - EACH[0]) / EACH[1]


@pytest.mark.parametrize(
    ("y", "said"),
    some(
        [
            (SMALL[4:60, 16:72], ["of 64 x 88, rows 4 to 60 and columns 16 to 72"]),
            (SCALED, ["channel 1", "- 0.456, / 0.224"]),
            (SCALED[..., ::-1], ["channels swapped", "- 0.406, / 0.225"]),
            (SCALED[:, ::-1], ["flipped left to right", "channel 0"]),
            (SCALED[4:60, 16:72], ["rows 4 to 60 and columns 16 to 72", "channel 2"]),
            (BOXED, ["rows and columns 10.25 to 150 and 20.5 to 180"]),
        ],
        5,
    ),
    ids=["crop", "scaled", "channels", "flip", "scaled crop", "box"],
)
def test_what_a_pipeline_does_besides_is_undone(y, said):
    report = rl.identify(x=P, y=y)
    assert "pillow.bilinear" in report.same
    remarks = " | ".join(report.remarks)
    assert [words for words in said if words not in remarks] == []


def spaced(kind, n, m, step):
    """GDAL 3.10's warp to pixels of ``step``: the kernel is stretched by n / m."""
    x, j = (np.arange(m) + 0.5) * step - 0.5, np.arange(n)
    if kind == "average":
        low = np.arange(m)[:, None] * step
        w = np.clip(np.minimum(j + 1, low + step) - np.maximum(j, low), 0, None)
    elif kind == "nearest":
        w = (j == np.floor(x + 0.5)[:, None]).astype(float)
    else:
        k = kernel("linear") if kind == "bilinear" else kernel("lanczos", lobes=3)
        w = k((j - x[:, None]) / (n / m))
    return w / w.sum(1, keepdims=True)


STEPS = {"nearest": "onnx.nearest.round_prefer_ceil", "average": "opencv.area"}
STEPS |= {"bilinear": "pillow.bilinear", "lanczos": "pillow.lanczos"}


@pytest.mark.parametrize(("kind", "name"), some(STEPS.items(), 2))
def test_a_step_as_it_was_written_is_found(kind, name):
    x = np.random.default_rng(0).random((60, 80)).astype(np.float32)
    y = spaced(kind, 60, 13, 4.5) @ x @ spaced(kind, 80, 18, 4.5).T
    report = rl.identify(x=x, y=y.astype(np.float32))
    assert name in report.same
    assert "with a step given: 4.5 x 4.5 pixels" in report.remarks[0]


@pytest.mark.parametrize(
    ("dtype", "kind"), some([("uint16", "cubic"), ("int16", "linear")], 1)
)
def test_a_box_of_one_dtype_is_asked_in_it(dtype, kind):
    flag = getattr(cv2, f"INTER_{kind.upper()}")

    def resizer(x, shape):
        if x.dtype != dtype:
            raise TypeError(f"{dtype} only, please")
        return cv2.resize(x, shape[::-1], interpolation=flag)

    report = rl.identify(resizer)
    assert f"opencv.{kind}" in report.same
    said = " | ".join(report.remarks)
    assert f"TypeError: {dtype} only, please" in said
    assert f"asked with {dtype}" in said


def seeded(x, shape):
    return np.random.default_rng(0).random(shape).astype(np.float32)


RNG = np.random.default_rng(1)


@pytest.mark.parametrize(
    ("resizer", "said"),
    [
        (lambda x, shape: RNG.random(shape), "otherwise each time"),
        (seeded, "not like the picture"),
        (lambda x, shape: np.full(shape, np.nan), "not numbers"),
    ],
    ids=["random", "constant", "nan"],
)
def test_nonsense_is_said(resizer, said):
    report = rl.identify(resizer)
    assert report.same == ()
    assert report.fitted == {}
    assert said in report.remarks[0]
