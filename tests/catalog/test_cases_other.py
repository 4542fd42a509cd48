"""Real mismatch reports that are no plain resize: sizes, places, masks, chunks."""

import json
from fractions import Fraction

import numpy as np
import pytest
from golden import FOLDER

import resizelab as rl
from resizelab import geometry
from resizelab.models import call_lint

FILE = FOLDER / "cases_other.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text("utf-8"))}

TORCH, CV, ORT = "torch.nn.functional.interpolate", "cv2.resize", "onnxruntime.Resize"
SIZED = {
    "S01.1": (TORCH, "scale_factor", {"mode": "bicubic"}),
    "S03.1": (TORCH, "scale_factor", {"mode": "bilinear"}),
    "S03.2": (CV, "fx", {"interpolation": "INTER_LINEAR"}),
    "S03.3": ("scipy.ndimage.zoom", "zoom", {"order": 1}),
    "S03.4": (ORT, "scales", {"mode": "linear"}),
    "S11.1": (CV, "fx", {"interpolation": "INTER_LINEAR"}),
    "S11.2": (CV, "fx", {"interpolation": "INTER_LINEAR"}),
    "S11.3": (TORCH, "scale_factor", {"mode": "bilinear"}),
    "S15.1": (ORT, "scales", {"mode": "linear"}),
    "S15.2": ("ncnn.Interp", "width_scale", {"resize_type": "bilinear"}),
}


def array(case, field="input"):
    return np.array(case[field], case.get(f"{field}_dtype") or float)


@pytest.mark.parametrize("name", SIZED)
def test_the_length_is_the_engines(name):
    case, (call, key, more) = CASES[name], SIZED[name]
    n_in, scale = case["input"], float(Fraction(str(case["params"][key])))
    # OpenCV and ncnn take a scale an axis; the others a number or a list.
    scales = {"fx": {"fy": scale}, "width_scale": {"height_scale": scale}}.get(key, {})
    given = [scale] * len(n_in) if key == "scales" else scale
    rule = rl.find(call, **more, **scales, **{key: given}).particulars.size_rule
    assert [rl.output_size(n, scale, rule) for n in n_in] == case["expected"]


PLACED = {
    "P01.1": "opencv.linear",
    "P01.2": "opencv.nearest",
    "P01.3": "pillow.bilinear",
    "P01.4": "tf1.bilinear",
    "P01.5": "scipy.zoom.linear",
}


@pytest.mark.parametrize("name", PLACED)
def test_the_blob_goes_where_geometry_says(name):
    case = CASES[name]
    place = geometry.place(rl.convention(PLACED[name]), (97,), (48,))
    went = place.points([case["input"]])[0, 0]
    # Nearest moves a blob in whole pixels: on average it goes to the place.
    allowed = 0.25 if "nearest" in PLACED[name] else case["tolerance"]
    assert went == pytest.approx(case["expected"][0], abs=allowed)


RESIZED = {
    "G21.4": (
        "jax.image.scale_and_translate",
        {
            "method": "bilinear",
            "antialias": False,
            "scale": (3.0, 2.25),
            "translation": (-1.0, -0.625),
        },
    ),
    "G25.1": (TORCH, {"mode": "bilinear"}),
    "D03.3": (CV, {"interpolation": "INTER_LINEAR"}),
    "D06.1": ("tflite.ResizeBilinear", {"half_pixel_centers": True}),
    # The flag stands where OpenCV takes fx, so it is ignored.
    "B03.5": (CV, {"interpolation": "INTER_LINEAR"}),
    "M01.1": (CV, {"interpolation": "INTER_LINEAR"}),
}


@pytest.mark.parametrize("name", RESIZED)
def test_the_numbers_are_the_engines(name):
    case, (call, arguments) = CASES[name], RESIZED[name]
    # A record keeps its input as numbers: the type worked on is the answer's.
    x = array(case).astype(case["params"].get("dtype", case["expected_dtype"]))
    got = rl.resize(x, case["out_size"], rl.find(call, **arguments))
    gap = np.abs(got.astype(float) - np.array(case["expected"])).max()
    assert gap <= case["tolerance"]


@pytest.mark.parametrize("name", ["B03.5", "M01.1"])
def test_a_flag_in_the_wrong_place_is_told(name):
    flag = CASES[name]["params"]["third_positional"]
    report = call_lint.calls([f"cv2.resize(mask, (6, 1), cv2.{flag})"])
    assert "flag-ignored" in [found.code for found in report.found]


@pytest.mark.parametrize(("name", "made"), [("T01.2", (2, 2, 2)), ("T01.3", (2, 2, 1))])
def test_chunks_resized_alone_leave_the_reported_numbers(name, made):
    case = CASES[name]
    row = array(case).astype(float)
    parts = [row[:, 0:4], row[:, 4:8], row[:, 8:10]]
    call = rl.find("skimage.transform.resize", order=1, anti_aliasing=False)
    done = [rl.resize(part, (1, n), call) for part, n in zip(parts, made, strict=True)]
    got = np.concatenate(done, axis=1)[:, : case["out_size"][1]]
    assert np.abs(got - np.array(case["expected"])).max() <= case["tolerance"]


# torch 2.13.0, nearest, a scale that leaves the length: what its outputs copy.
ITSELF, BEFORE = "itself", "the one before"
SHORT = {
    (8, 8): ITSELF,
    (64, 64): ITSELF,
    (64, 65): BEFORE,
    (3, 300): BEFORE,
    (8,): BEFORE,
    (8, 8, 8): BEFORE,
}


def columns(shape):
    """Return rows that hold their number, and scales a little above 1."""
    numbers = np.arange(shape[0], dtype=np.float32)
    x = np.broadcast_to(numbers.reshape(-1, *(1 for _ in shape[1:])), shape)
    return x, (1 + 0.5 / shape[0], *(1.0 for _ in shape[1:]))


def copied_rows(y, shape):
    rows = np.asarray(y).reshape(shape[0], -1)[:, 0].tolist()
    return {tuple(range(shape[0])): ITSELF, (0, *range(shape[0] - 1)): BEFORE}[
        tuple(rows)
    ]


@pytest.mark.parametrize("shape", SHORT, ids=str)
def test_torch_copies_an_axis_of_small_pictures_only(shape):
    x, scales = columns(shape)
    y = rl.resize(x, spec=rl.find(TORCH, mode="nearest", scale_factor=scales))
    assert copied_rows(y, shape) == SHORT[shape]


@pytest.mark.live
@pytest.mark.parametrize("shape", SHORT, ids=str)
def test_torch_itself_copies_small_pictures_only(shape):
    torch = pytest.importorskip("torch")
    x, scales = columns(shape)
    given = torch.tensor(np.ascontiguousarray(x))[None, None]
    y = torch.nn.functional.interpolate(given, scale_factor=scales, mode="nearest")
    assert copied_rows(y[0, 0], shape) == SHORT[shape]
