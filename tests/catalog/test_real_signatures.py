"""Our signatures are the libraries' own: names, order, defaults, what is by name."""

import importlib
import inspect
import re

import numpy as np
import pytest
from bulk import for_each, written

import resizelab as rl
from resizelab import engines
from resizelab.catalog.calls import ALIASES, CALLS, kinds, real
from resizelab.engines import torchvision

# Read from the text of the library: `[` opens what may be left out.
DOCUMENTED = [name for name in CALLS if name.startswith("cv2.")]
# They are operators of a file or layers of a text, and no function is called so.
FILES = ("onnx.", "onnxruntime.", "openvino.", "tflite.", "ncnn.")
# They are written in C, and Python knows nothing of their parameters.
COMPILED = ("pyvips.", "av.", "OpenImageIO.", "SimpleITK.")
INSPECTED = [
    name
    for name in CALLS
    if not name.startswith((*FILES, *COMPILED)) and name not in DOCUMENTED
]


def library_s(name):
    """Return what the library has under a call's name: a function, or a class."""
    root, *parts = name.split(".")
    if root == "torchvision":
        if not engines.version(root):
            pytest.skip("torchvision is not installed")
        torchvision.package()
    found = pytest.importorskip(root)
    for part in parts:
        if not hasattr(found, part):
            importlib.import_module(f"{found.__name__}.{part}")
        found = getattr(found, part)
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", INSPECTED)
def test_a_signature_is_the_library_s_own(name):
    real_one = library_s(name)
    theirs = [
        p
        for p in inspect.signature(real_one).parameters.values()
        if p.kind is not p.VAR_KEYWORD
    ]
    mine = list(CALLS[name].signature.parameters.values())
    if name.startswith("keras."):
        assert mine.pop().name == "name"  # one of the layer's **kwargs
    assert [(p.name, p.kind) for p in mine] == [(p.name, p.kind) for p in theirs]
    for own, their in zip(mine, theirs, strict=True):
        kind = CALLS[name].kinds[own.name]
        if kind is kinds.unread or their.default is their.empty:
            needed = own.default is own.empty or kind is kinds.unread
            assert needed, own.name
        elif own.default != their.default:  # an enumeration's member, a function
            assert own.default == kind(own.name, their.default), own.name


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_signature_of_opencv_is_the_documented_one(name):
    found = importlib.import_module("cv2") if pytest.importorskip("cv2") else None
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    text = found.__doc__.splitlines()[0]
    required, optional = re.match(r"\w+\(([^\[]*)(.*?)\) ->", text).groups()
    parameters = CALLS[name].signature.parameters.values()
    assert [p.name for p in parameters] == re.findall(r"\w+", required + optional)
    assert [p.name for p in parameters if p.default is p.empty] == re.findall(
        r"\w+", required
    )


@pytest.mark.parametrize(
    ("op", "opset"), [("Resize", 10), ("Resize", 11), ("Resize", 19), ("Upsample", 9)]
)
def test_a_node_has_onnx_s_attributes_and_inputs(op, opset):
    onnx = pytest.importorskip("onnx")
    schema = onnx.defs.get_schema(op, opset)
    mine = CALLS[f"onnxruntime.{op}"].signature.parameters
    assert {i.name for i in schema.inputs} <= set(mine)
    assert set(schema.attributes) <= set(mine)
    if opset != 10:
        listed = [p.name for p in mine.values() if p.kind is not p.KEYWORD_ONLY]
        assert listed == [i.name for i in schema.inputs]
    for name, attribute in schema.attributes.items():
        default = onnx.helper.get_attribute_value(attribute.default_value)
        default = default.decode() if isinstance(default, bytes) else default
        if default is not None and attribute.default_value.type:
            assert mine[name].default == default or np.isclose(
                mine[name].default, default
            ), name


def test_a_name_means_one_call():
    listed = [name for call in CALLS.values() for name in (call.name, *call.also)]
    assert len(listed) == len(set(listed))
    assert not set(ALIASES) & set(CALLS)
    for several in ("resize", "Resize", "image.resize"):
        with pytest.raises(LookupError):
            real(several)
    assert real("zoom") is real("ndimage.zoom") is CALLS["scipy.ndimage.zoom"]


@for_each(list(CALLS))
def test_every_parameter_has_a_kind(name):
    call = real(name)
    assert list(call.kinds) == list(call.signature.parameters)
    assert all(callable(kind) for kind in call.kinds.values())


# By position and by name, as the libraries bind.


def test_positions_are_the_library_s():
    x = np.zeros((1, 4, 4, 1), np.float32)
    keras = rl.find("keras.layers.Resizing", 8, 8, "area", False)
    assert keras.name == "keras.resizing.area"
    v1 = rl.find("tf.compat.v1.image.resize_bilinear", x, (8, 8), True, "up")
    assert v1.name == "tf1.bilinear.align_corners"
    torch = rl.find("F.interpolate", x, None, 2.0, "bicubic", True)
    assert torch.name == "torch.bicubic.align_corners.scale_factor"
    with pytest.raises(TypeError, match="takes input, size"):
        rl.find("F.interpolate", *range(9))
    with pytest.raises(TypeError, match="multiple values for argument 'input'"):
        rl.find("F.interpolate", x, input=x)


@pytest.mark.parametrize(
    ("call", "given", "size"),
    [
        ("F.interpolate", {"size": (20, 30)}, (20, 30)),
        ("F.interpolate", {"size": 20}, (20,)),
        ("cv2.resize", {"dsize": (30, 20)}, (20, 30)),
        ("cv2.resize", {"dsize": None, "fx": 2, "fy": 2}, None),
        ("PIL.Image.Image.resize", {"size": np.array([30, 20])}, (20, 30)),
        ("skimage.transform.resize", {"output_shape": (20, 30, 3)}, (20, 30, 3)),
        ("keras.layers.Resizing", {"height": 20, "width": 30}, (20, 30)),
        ("jax.image.resize", {"shape": (1, 20, 30, 3)}, (1, 20, 30, 3)),
        ("keras.layers.UpSampling2D", {"size": (2, 3)}, None),
    ],
)
def test_a_call_s_size_is_read_height_first(call, given, size):
    assert real(call).size(real(call).bind(**given)) == size


# Fronts: another form of a call that is a row.


FRONTS = """
torch.nn.Upsample(scale_factor=2, mode='bilinear') -> torch.bilinear.scale_factor
nn.UpsamplingBilinear2d(size=(8, 8)) -> torch.bilinear.align_corners
torch.nn.UpsamplingNearest2d(scale_factor=2) -> torch.nearest.scale_factor
F.upsample(mode='bicubic') -> torch.bicubic
T.Resize(size=224) -> torchvision.bilinear.antialias
v2.Resize(size=(8, 8), interpolation=3) -> torch.bicubic.antialias
v2.Resize(size=8, antialias=False) -> torch.bilinear
TF.resize(size=8, interpolation='nearest-exact') -> torch.nearest-exact
TF.resize(size=8, interpolation='lanczos') -> pillow.lanczos
tf.keras.layers.UpSampling2D(interpolation='bilinear') -> keras.upsampling.bilinear
tf.keras.layers.Resizing(height=8, width=8) -> keras.resizing.bilinear
albumentations.Resize(height=8, width=8) -> opencv.linear
A.LongestMaxSize(max_size=8, interpolation=2) -> opencv.cubic
kornia.geometry.transform.resize(size=8) -> torch.bilinear
kornia.geometry.transform.Resize(size=8, align_corners=True)
  -> torch.bilinear.align_corners
cv2.dnn.blobFromImage(size=(8, 8)) -> opencv.linear
tf.compat.v1.image.resize_images(method=2) -> tf1.bicubic
tf.compat.v1.image.resize(align_corners=True) -> tf1.bilinear.align_corners
"""


@pytest.mark.parametrize(("form", "given", "row"), [*written(FRONTS)])
def test_a_form_is_a_front_of_a_row(form, given, row):
    found = rl.find(form, **given)
    assert found.name == row
    assert found.status == "live"
    assert found.call == rl.convention(row).call


def test_a_front_of_values_that_no_row_has_is_derived():
    found = rl.find("Image.thumbnail", size=(8, 8))
    assert (found.name, found.status) == ("pillow.bicubic.reducing_gap", "derived")
    assert found.notes.endswith("no row has reducing_gap=2.0")


def test_torchvision_s_resize_of_a_pil_image_is_pillow_s():
    image = pytest.importorskip("PIL.Image").new("L", (4, 4))
    assert rl.find("TF.resize", image, [2, 2]).name == "pillow.bilinear"
    array = np.zeros((1, 4, 4), np.float32)
    # Of the first generation bytes are rounded otherwise than torch's.
    assert rl.find("TF.resize", array, [2, 2]).name == "torchvision.bilinear.antialias"
    second = rl.find("v2.functional.resize", array, [2, 2])
    assert second.name == "torch.bilinear.antialias"
    assert "on a PIL image" in rl.find("TF.resize", size=[2, 2]).notes


def test_blob_from_image_resizes_as_opencv_does():
    cv2 = pytest.importorskip("cv2")
    x = np.random.default_rng(0).random((12, 9)).astype(np.float32)
    whole = cv2.dnn.blobFromImage(x, size=(5, 7))[0, 0]
    mine = rl.resize(x, (7, 5), rl.find("cv2.dnn.blobFromImage", x, size=(5, 7)))
    np.testing.assert_allclose(mine, whole, atol=1e-6)
    crop = rl.find("cv2.dnn.blobFromImage", x, size=(6, 6), crop=True)
    assert (crop.name, crop.scale) == ("opencv.linear.fx", (6 / 9, 6 / 9))
    cut = cv2.dnn.blobFromImage(x, size=(6, 6), crop=True)[0, 0]
    np.testing.assert_allclose(rl.resize(x, None, crop)[1:7], cut, atol=1e-6)
    with pytest.raises(ValueError, match="the larger of two ratios"):
        rl.find("cv2.dnn.blobFromImage", size=(6, 6), crop=True)


def test_a_single_side_is_no_size():
    for form in ("TF.resize", "v2.Resize", "kornia.geometry.transform.resize"):
        assert real(form).size({"size": 8}) is None
        assert real(form).size({"size": [8, 9]}) == (8, 9)
