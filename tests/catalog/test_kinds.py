"""Arguments are taken as people write them, and checked: one kind at a time."""

import enum
import warnings

import numpy as np
import pytest

import resizelab as rl
from resizelab.catalog.calls import kinds

F = "torch.nn.functional.interpolate"
PIL = "PIL.Image.Image.resize"


def equal(call, mine, plain):
    """Say whether two ways to write arguments are one convention, names included."""
    return rl.find(call, **mine) == rl.find(call, **plain)


class Numbered(enum.IntEnum):
    BILINEAR = 2


class Worded(enum.Enum):
    CUBIC_PYTORCH = 7
    BILINEAR = "bilinear"


TAKEN = [
    (F, {"align_corners": np.True_, "mode": "bilinear"}, {"align_corners": True}),
    (F, {"antialias": np.int64(1), "mode": "bilinear"}, {"antialias": True}),
    (F, {"scale_factor": np.float32(2)}, {"scale_factor": 2.0}),
    (F, {"scale_factor": np.array([2.0, 3.0])}, {"scale_factor": [2.0, 3.0]}),
    (F, {"scale_factor": (2, 3)}, {"scale_factor": [2, 3]}),
    (F, {"size": np.int64(8)}, {}),
    ("cv2.resize", {"interpolation": 2}, {"interpolation": "INTER_CUBIC"}),
    ("cv2.resize", {"interpolation": np.uint8(3)}, {"interpolation": "INTER_AREA"}),
    ("cv2.resize", {"dsize": None, "fx": np.float64(2), "fy": 3}, {"fx": 2, "fy": 3}),
    ("PIL.Image.Image.resize", {"resample": Numbered.BILINEAR}, {"resample": 2}),
    ("PIL.Image.Image.resize", {"resample": np.int32(2)}, {"resample": "BILINEAR"}),
    ("PIL.Image.Image.resize", {"box": np.array([0, 0, 4, 4])}, {"box": (0, 0, 4, 4)}),
    ("tf.image.resize", {"method": Worded.BILINEAR}, {"method": "bilinear"}),
    ("jax.image.resize", {"method": Worded.CUBIC_PYTORCH}, {"method": "cubic-pytorch"}),
    ("scipy.ndimage.zoom", {"output": np.float32}, {"output": "float32"}),
    ("scipy.ndimage.zoom", {"output": np.dtype("u1")}, {"output": "uint8"}),
    ("scipy.ndimage.zoom", {"output": np.zeros(2)}, {"output": "float64"}),
    ("scipy.ndimage.zoom", {"output": float}, {"output": "float64"}),
    ("scipy.ndimage.zoom", {"prefilter": np.int64(0)}, {"prefilter": False}),
    ("scipy.ndimage.zoom", {"order": np.int64(1)}, {"order": 1}),
    ("skimage.transform.resize", {"anti_aliasing": 0}, {"anti_aliasing": False}),
    ("skimage.transform.resize", {"output_shape": (4, 4)}, {}),
    ("onnx.Resize", {"antialias": True, "mode": "linear"}, {"antialias": 1}),
    ("onnx.Resize", {"scales": np.array([1.0, 1, 2, 3])}, {"scales": [1, 1, 2, 3]}),
    ("onnx.Resize", {"sizes": np.array([1, 1, 2, 3])}, {}),
    ("onnx.Resize", {"exclude_outside": np.int64(1)}, {"exclude_outside": 1}),
    ("keras.layers.UpSampling2D", {"size": np.array([2, 3])}, {"size": (2, 3)}),
    ("tflite.ResizeBilinear", {"align_corners": 1}, {"align_corners": True}),
    ("ncnn.Interp", {"resize_type": 2}, {"resize_type": "bilinear"}),
]


@pytest.mark.parametrize(("call", "written", "plain"), TAKEN)
def test_an_argument_is_taken_as_people_write_it(call, written, plain):
    rest = {k: v for k, v in written.items() if k == "mode"}
    assert equal(call, written, rest | plain)
    assert rl.find(call, **written).name == rl.find(call, **rest | plain).name


REFUSED = [
    (F, {"align_corners": "False", "mode": "bilinear"}, TypeError, "True or False"),
    (F, {"align_corners": 1, "mode": "bilinear"}, TypeError, "True or False; got 1"),
    (F, {"antialias": "False", "mode": "bilinear"}, TypeError, "True or False"),
    (F, {"scale_factor": "2"}, TypeError, "scale_factor must be a number; got '2'"),
    (F, {"scale_factor": 0}, ValueError, "scale_factor must be greater than 0"),
    (F, {"scale_factor": []}, ValueError, "scale_factor must hold a number an axis"),
    (F, {"size": 8.0}, TypeError, "size must be a whole number of pixels"),
    (F, {"size": (8, 0)}, ValueError, "size must be from 1 to"),
    (F, {"mode": "bilinaer"}, ValueError, "did you mean 'bilinear'"),
    (F, {"mode": None}, ValueError, "mode must be one of"),
    ("cv2.resize", {"interpolation": 7}, ValueError, "interpolation must be 0 to 6"),
    ("cv2.resize", {"interpolation": True}, ValueError, "must be one of"),
    ("cv2.resize", {"dsize": "8"}, TypeError, "dsize must be a whole number"),
    ("PIL.Image.Image.resize", {"box": (1, 2)}, ValueError, "left, upper, right"),
    ("tf.image.resize", {"antialias": 1}, TypeError, "True or False"),
    ("skimage.transform.resize", {"order": 1.0}, TypeError, "order must be a whole"),
    ("scipy.ndimage.zoom", {"output": "half"}, ValueError, "output must be one of"),
    ("scipy.ndimage.zoom", {"zoom": float("nan")}, ValueError, "zoom must be finite"),
    ("onnx.Resize", {"antialias": "1"}, ValueError, "antialias must be 0 or 1"),
    ("onnx.Resize", {"axes": [2.5]}, TypeError, "axes must be a whole number"),
    (F, {"antialias": True}, ValueError, "torch takes antialias=True with bilinear"),
    (F, {"size": 4, "scale_factor": 2.0}, ValueError, "torch refuses size and"),
    (F, {"mode": "area", "align_corners": True}, ValueError, "torch takes align_co"),
    ("cv2.resize", {"fx": 2.0}, ValueError, "above 0 and together; got fx=2.0, fy=0"),
    (PIL, {"resample": 2, "reducing_gap": 0.5}, ValueError, "of 1.0 or more; got 0.5"),
    (PIL, {"box": (4, 0, 2, 2)}, ValueError, "inside the image; got (4, 0, 2, 2)"),
]


@pytest.mark.parametrize(("call", "written", "error", "words"), REFUSED)
def test_what_no_library_would_take_is_refused(call, written, error, words):
    with pytest.raises(error) as told:
        rl.find(call, **written)
    assert words in str(told.value)


def test_opencv_reads_no_scale_beside_a_size():
    found = rl.find("cv2.resize", dsize=(3, 4), fx=2.0, fy=2.0)
    assert (found.name, found.scale) == ("opencv.linear", None)
    assert "ignored beside dsize" in found.notes
    cv2 = pytest.importorskip("cv2")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    got = cv2.resize(x, (5, 4), fx=2.0, fy=3.0)
    np.testing.assert_allclose(got, rl.resize(x, (4, 5), found), atol=1e-6)


def test_negative_axes_count_from_the_end():
    last = rl.find("onnxruntime.Resize", axes=[2, -1], scales=[2, 3])
    turned = rl.find("onnxruntime.Resize", axes=[-1, 2], scales=[3, 2])
    assert last.scale == turned.scale == (2.0, 3.0)
    # Of five axes the last but one follows axis 2.
    assert rl.find("onnx.Resize", axes=[4, -2], scales=[2, 3]).scale == (3.0, 2.0)


def test_lanczos_takes_align_corners_where_torch_does():
    torch = pytest.importorskip("torch")
    x = torch.zeros(1, 1, 4, 4)
    for value, good in ((False, True), (None, True), (True, False)):
        options = {"mode": "lanczos", "antialias": True, "align_corners": value}
        if good:
            assert rl.find(F, **options).name == "torch.lanczos"
            torch.nn.functional.interpolate(x, size=(2, 2), **options)
            continue
        with pytest.raises(ValueError, match="align_corners=True with mode='lanczos'"):
            rl.find(F, **options)
        with pytest.raises(ValueError, match="align_corners=True"):
            torch.nn.functional.interpolate(x, size=(2, 2), **options)


@pytest.mark.filterwarnings("ignore")
def test_the_libraries_own_enumerations_are_names():
    image = pytest.importorskip("PIL.Image")
    cv2 = pytest.importorskip("cv2")
    for flag in list(image.Resampling)[:6]:
        found = rl.find("PIL.Image.Image.resize", resample=flag)
        assert found.arguments["resample"] == flag.name
    for name in ("INTER_LINEAR", "INTER_AREA", "INTER_NEAREST_EXACT"):
        found = rl.find("cv2.resize", interpolation=getattr(cv2, name))
        assert found.arguments["interpolation"] == name
    resize = pytest.importorskip("jax").image.ResizeMethod
    assert rl.find("jax.image.resize", method=resize.LANCZOS3).name == "jax.lanczos3"


def test_arguments_are_kept_as_plain_values():
    found = rl.find(F, scale_factor=np.array([2, 3]), antialias=np.False_)
    assert dict(found.arguments) == {"scale_factor": [2, 3], "antialias": False}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rl.Convention.from_json(found.to_json()) == found


def test_plain_leaves_plain_values_alone():
    for value in (None, "a", 1, 2.5, [1, [2]], True):
        assert kinds.plain(value) == value
        assert type(kinds.plain(value)) is type(value)
