"""The value itself: stages, files, places forwards and back, graphs, comparisons."""

import json

import numpy as np
import pytest

import resizelab as rl
from resizelab import engines, pipelines
from resizelab.cli import main
from resizelab.exact import proof
from resizelab.pipelines import (
    Alpha,
    Crop,
    Decode,
    Gamma,
    Layout,
    Levels,
    Normalise,
    Pad,
    Pipeline,
    Resize,
    named,
    sizing,
)

Image = pytest.importorskip("PIL.Image")
PHOTO = np.random.default_rng(0).integers(0, 256, (171, 238, 3), np.uint8)


def made(*stages):
    return Pipeline(name="mine", stages=stages)


HALF = Resize(convention="torch.area", rule="exact", size=(2, 2), numbers="float")
BACK = Gamma(curve="linear_to_srgb")

# --- sizes: the facts' own examples ---


@pytest.mark.parametrize(
    ("rule", "size", "shape", "expected"),
    [
        ("short_int", (256,), (171, 237), (256, 354)),
        ("half_up_cover", (256, 256), (171, 237), (256, 355)),
        ("floor_scale", (800, 1333), (375, 500), (800, 1066)),
        ("floor_scale_float32", (800, 1333), (375, 500), (799, 1066)),
        ("floor_scale_float32", (800, 1333), (427, 640), (799, 1199)),
        ("round_fit", (640, 640), (171, 238), (460, 640)),
        ("floor_float32", (640, 640), (171, 238), (459, 640)),
    ],
)
def test_a_size_rule_makes_the_size_that_was_measured(rule, size, shape, expected):
    assert sizing.sized(rule, *shape, size).size == expected


def test_a_rule_names_its_own_numbers():
    with pytest.raises(ValueError, match="must hold short, most; got"):
        Resize(convention="pillow.bilinear", rule="short_int", size=(1, 2, 3))
    with pytest.raises(ValueError, match="did you mean 'short_int'"):
        sizing.sized("short_in", 1, 1, (4,))


# --- stages ---


def test_premultiplied_alpha_keeps_a_hidden_colour_hidden():
    x = np.zeros((2, 4, 4), np.uint8)
    x[..., 0], x[..., 3] = 255, [255, 0, 0, 0]
    x[:, 1:, 2] = 255  # blue that no one sees
    plain = made(HALF, Normalise()).run(x)
    hidden = made(Alpha(way="premultiply"), HALF, Alpha(way="divide")).run(x)
    assert plain[0, 0, 2] > 0.1
    assert np.allclose(hidden[hidden[..., 3] > 0][:, 2], 0)
    over = made(Alpha(way="over", background=1.0)).run(x)
    assert np.allclose(over[0, 0], [1, 0, 0])
    assert np.allclose(over[0, 3], [1, 1, 1])


def test_a_stripe_that_is_averaged_in_linear_light_is_lighter():
    x = np.zeros((4, 4, 3), np.uint8)
    x[:, ::2] = 255
    linear = made(Gamma(), HALF, BACK, Levels()).run(x)
    assert made(HALF, Normalise(), Levels()).run(x)[0, 0, 0] in (127, 128)
    assert linear[0, 0, 0] == 188
    assert np.array_equal(
        made(Gamma(), Gamma(curve="linear_to_srgb"), Levels()).run(x), x
    )


def test_what_stands_at_a_wrong_place_is_refused():
    with pytest.raises(ValueError, match="Layout comes last"):
        made(Layout(), Normalise())
    with pytest.raises(ValueError, match="Decode comes first"):
        made(Normalise(), Decode())
    with pytest.raises(TypeError, match="must hold stages"):
        made("resize")
    with pytest.raises(ValueError, match="has no Decode stage"):
        made(Normalise()).run("photo.png")
    with pytest.raises(ValueError, match="must be a picture"):
        made(Normalise()).run(np.zeros((4, 4)))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"name": "a", "stages": [{"kind": "blur"}]}',
        '{"name": "a", "stages": [{"kind": "crop", "size": [1, 2], "x": 1}]}',
        '{"name": "a", "stages": 3}',
        '{"stages": []}',
        '{"name": "a", "stages": [], "more": 1}',
    ],
)
def test_damaged_json_is_refused(text):
    with pytest.raises((ValueError, TypeError)):
        Pipeline.from_json(text)


# --- files ---


@pytest.fixture
def turned(tmp_path):
    """Write a JPEG that says it lies on its side."""
    path = tmp_path / "photo.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(PHOTO).save(path, quality=90, exif=exif)
    return path


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_is_applied_as_pillow_applies_it(tmp_path, orientation):
    from PIL import ImageOps

    path = tmp_path / "photo.png"
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(PHOTO).save(path, exif=exif)
    with Image.open(path) as image:
        expected = np.asarray(ImageOps.exif_transpose(image))
    assert np.array_equal(Decode(exif="applied").read(path), expected)
    assert np.array_equal(Decode().read(path), PHOTO)


def test_decoders_give_what_the_libraries_give(turned):
    cv2 = pytest.importorskip("cv2")
    tf = pytest.importorskip("tensorflow")
    ours = Decode(exif="applied", colours="BGR").read(turned)
    assert np.array_equal(ours, cv2.imread(str(turned)))
    fast = tf.io.decode_jpeg(turned.read_bytes()).numpy()
    assert np.array_equal(Decode(dct="fast").read(turned), fast)
    assert not np.array_equal(Decode().read(turned), fast)


# --- places ---


def test_boxes_come_back_from_a_letterbox():
    p, shape = named("ultralytics.letterbox"), (171, 238)
    boxes = np.array([[10.0, 20, 110, 90], [0, 0, 238, 171]])
    there = p.boxes(boxes, shape, "xyxy_edges")
    assert np.allclose(there[1], [0, 90, 640, 550], atol=0.1)
    assert np.allclose(p.boxes(there, shape, "xyxy_edges", "back"), boxes)
    points = p.points([[0.0, 0.0]], shape)
    assert np.allclose(p.points(points, shape, "back"), 0)


def test_a_mask_goes_where_its_picture_goes():
    p = named("tf.resize_with_pad")
    mask = np.zeros((171, 238), np.uint8)
    mask[40:80, 100:160] = 7
    there = p.masks(mask, mask.shape, outside=255)
    assert there.shape == (640, 640)
    assert (there[0] == 255).all()
    rows, columns = np.nonzero(there == 7)
    box = p.boxes([100, 40, 160, 80], mask.shape, "xyxy_edges")
    found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert np.abs(box - found).max() <= 1.0
    back = p.masks(there, mask.shape, "back")
    assert (back != mask).mean() < 0.01


# --- graphs ---


GRAPHS = ("openai.clip", "torchvision.v2.tensor", "ultralytics.letterbox")
GRAPHS += ("transformers.qwen2_vl.torch", "tf.resize_with_pad", "opencv.blob.crop")


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_reads_bytes_and_gives_the_network_s_input(name):
    pytest.importorskip("onnxruntime")
    from resizelab.pipelines.lines import line

    p = named(name)
    model = pipelines.onnx(p, PHOTO.shape[:2])
    level = float(np.abs(line(p).gain).max())
    for back_end in ("onnxruntime", "openvino"):
        if engines.version(back_end):
            (got,) = proof.run(back_end, model, {"image": PHOTO}).outputs
            assert got.shape == p.run(PHOTO).shape
            assert np.abs(got - p.run(PHOTO)).max() / level < 1e-3


def test_a_graph_of_bytes_gives_bytes():
    p = made(Crop(size=(100, 90)), Pad(size=(120, 120), value=(1.0, 2.0, 3.0)))
    (got,) = proof.run(
        "onnxruntime", pipelines.onnx(p, (171, 238)), {"image": PHOTO}
    ).outputs
    assert got.dtype == np.uint8
    assert np.array_equal(got, p.run(PHOTO))
    with pytest.raises(ValueError, match="a gamma curve has no graph"):
        pipelines.onnx(made(Gamma()), (4, 4))


# --- comparisons ---


PARTED = """
openai.clip, transformers.clip.pillow: offset, offset='half_even'
torchvision.classification.pil, torchvision.classification.tensor:
  levels, pillow.bilinear
timm.crop_pct, albumentations.short: size, rule='short_int'
ultralytics.letterbox, tf.resize_with_pad: size, round_fit
transformers.vit.pillow, transformers.segformer.pillow: size, (224, 224)
openai.clip, timm.crop_pct: size, (224,)
detectron2.800, transformers.detr.pillow: values, channels
"""


@pytest.mark.parametrize("line", PARTED.strip().replace("\n  ", " ").splitlines())
def test_the_first_stage_that_parts_is_named_and_mended(line):
    (a, b), (first, mend) = (side.split(", ", 1) for side in line.split(": "))
    told = pipelines.compare(named(a), named(b), PHOTO)
    assert told.first == first
    assert mend in told.mend or mend in str(told)


def test_pipelines_that_agree_here_are_said_to():
    a = named("torchvision.detection")
    told = pipelines.compare(a, named("torchvision.detection.scripted"), PHOTO)
    assert (told.first, str(told)) == (None, str(told))
    assert "agree on this photograph" in str(told)


def test_a_file_that_is_turned_parts_in_decoding(turned):
    a, b = named("openai.clip"), named("transformers.clip.pillow")
    told = pipelines.compare(a, b, turned)
    assert told.first == "decode"
    assert "orientation" in told.parts["decode"]
    assert "exif='ignored' (now 'applied')" in told.mend


# --- the command ---


def test_the_command_shows_and_says(capsys):
    assert main(["pipeline", "show"]) == 0
    assert "openai.clip" in capsys.readouterr().out
    assert main(["pipeline", "show", "openai.clip", "--json"]) == 0
    text = capsys.readouterr().out
    assert rl.Pipeline.from_json(text) == named("openai.clip")
    assert main(["pipeline", "show", "openai.clip", "--to", "torchvision"]) == 0
    assert "T.CenterCrop((224, 224))" in capsys.readouterr().out
    assert main(["pipeline", "show", "openai.clip", "--to", "transformers"]) == 1
    assert main(["pipeline", "show", "openai.klip"]) == 2
    assert "did you mean 'openai.clip'" in capsys.readouterr().err


def test_the_command_runs_compares_and_identifies(tmp_path, turned, capsys):
    out = tmp_path / "t.npy"
    words = ["--image", str(turned)]
    run = ["pipeline", "run", "transformers.clip.pillow", *words, "-o", str(out)]
    assert main(run) == 0
    expected = named("transformers.clip.pillow").run(turned)
    assert np.array_equal(np.load(out), expected)
    graph = str(tmp_path / "p.onnx")
    assert main(["pipeline", "run", "openai.clip", *words, "-o", graph]) == 0
    pair = ["openai.clip", "transformers.clip.pillow"]
    assert main(["pipeline", "compare", *pair, *words, "--json"]) == 1
    capsys.readouterr()
    given = ["--raw", str(turned), "--tensor", str(out)]
    assert main(["pipeline", "identify", *given]) == 0
    said = capsys.readouterr().out
    assert "EXIF applied" in said
    assert "transformers.clip.pillow" in said


def test_the_command_reads_a_pipeline_of_one_s_own(tmp_path, capsys):
    own = tmp_path / "own.json"
    own.write_text(named("openai.clip").to_json())
    np.save(tmp_path / "x.npy", PHOTO)
    pair = [str(own), "openai.clip", "--image", str(tmp_path / "x.npy")]
    assert main(["pipeline", "compare", *pair]) == 0
    assert "agree" in capsys.readouterr().out
    own.write_text(json.dumps({"name": "a"}))
    assert main(["pipeline", "show", str(own)]) == 2
