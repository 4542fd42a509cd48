"""Which pipeline was it? Real tensors of known ones, and of some that are not known."""

import numpy as np
import pytest
from bulk import some

from resizelab import pipelines
from resizelab.pipelines import Crop, Layout, Normalise, Pad, Pipeline, Resize, named
from resizelab.pipelines.geometries import Geometry
from resizelab.pipelines.identifying import identify
from resizelab.pipelines.lines import line

data = pytest.importorskip("skimage.data")

CAT = np.ascontiguousarray(data.chelsea()[30:230, 60:337])
PHOTOS = {"coffee": data.coffee, "cat": data.chelsea, "rocket": data.rocket}


def right(pipeline, x, found):
    """Return whether size, places, row and values of an answer are right."""
    moved = pipeline.moves(x.shape[:2])
    true = Geometry(tuple(moved))
    row = true.resizes[0]
    told = found.geometry, *found.others
    sizes = [
        [m.shape_out for s, m in g.pairs if s.kind == "resize"] for g in (true, *told)
    ]
    a, b = line(pipeline), found.line
    values = a.order == b.order and np.allclose(a.gain, b.gain, rtol=2e-3)
    return (
        sizes[0] in sizes[1:],
        true.key in [g.key for g in told],
        (row.convention, row.numbers) in found.rows,
        values and bool(np.allclose(a.offset, b.offset, atol=0.2 * a.gain.max())),
    )


SHORT = ("openai.clip", "transformers.clip.torch", "timm.border", "tf.resize_with_pad")
SHORT += ("ultralytics.letterbox.auto", "keras.mobilenet.crop_to_aspect")
SHORT += ("transformers.llava.pillow", "transformers.qwen2_vl.pillow")


@pytest.mark.parametrize("name", some(SHORT, 1, 3, 4))
def test_a_known_pipeline_is_named(name):
    found = identify(CAT, named(name).run(CAT))
    assert right(named(name), CAT, found) == (True,) * 4
    assert name in found.names
    assert name in str(found)
    assert found.remains < 0.1


@pytest.mark.live
@pytest.mark.parametrize("photo", PHOTOS)
def test_nearly_every_known_pipeline_is_told_on_another_photograph(photo, capsys):
    x = PHOTOS[photo]()
    x = np.ascontiguousarray(x[..., :3])
    answers = []
    for name in pipelines.names():
        answers.append(right(named(name), x, identify(x, named(name).run(x))))
    shares = np.mean(answers, 0)
    with capsys.disabled():
        print(f"\n{photo}: size, places, row, values {shares.round(3)}")
    assert (shares >= 0.98).all()
    assert np.all(answers, 1).mean() >= 0.95


OTHERS = [
    (
        Resize(convention="pillow.bicubic", rule="short_int", size=(288,)),
        Crop(size=(256, 256)),
        Normalise(mean=(0.4, 0.4, 0.4), std=(0.2, 0.2, 0.2)),
        Layout(),
    ),
    (
        Resize(convention="opencv.linear", rule="round_long", size=(320,)),
        Pad(size=(320, 320), value=(7.0,)),
        Normalise(),
    ),
    (Resize(convention="opencv.area", rule="exact", size=(96, 128)), Normalise()),
    (
        Resize(convention="pillow.lanczos", rule="short_int", size=(147,)),
        Crop(size=(128, 128), offset="start"),
        Normalise(mean=(0.4, 0.4, 0.4)),
    ),
]
NEAREST = (
    ("timm.crop_pct", "size: resized to 288x398, there to"),
    ("ultralytics.letterbox", "size: resized to 231x320, there to"),
    ("opencv.blob.stretch", "row: opencv.area, bytes, there opencv.linear, bytes"),
    ("torchvision.classification.pil", "values: RGB, mean 0.4, deviation 1 of levels"),
)


@pytest.mark.parametrize("k", range(len(OTHERS)))
def test_what_is_not_known_is_told_by_its_stages(k):
    stages, (nearest, differs) = OTHERS[k], NEAREST[k]
    pipeline = Pipeline(name="mine", stages=stages)
    found = identify(CAT, pipeline.run(CAT))
    assert right(pipeline, CAT, found) == (True,) * 4
    assert found.names == ()
    assert "none of the known" in str(found)
    assert found.nearest == nearest
    assert any(line.startswith(differs) for line in found.differs)


def test_noise_is_not_named():
    noise = np.random.default_rng(0).random((3, 224, 224))
    found = identify(CAT, noise)
    assert found.names == ()
    assert "nothing known fits" in str(found)


def test_a_shape_that_nothing_makes_is_said():
    found = identify(CAT, np.random.default_rng(0).random((3, 1001, 17)))
    # Any size can be asked for exactly; that one fits badly, and is said to.
    assert found.geometry is not None
    assert "nothing known fits" in str(found)
    with pytest.raises(ValueError, match="tensor must be CHW or HWC"):
        identify(CAT, np.zeros((5, 5, 5)))
    with pytest.raises(ValueError, match="raw must be bytes"):
        identify(CAT.astype(float), np.zeros((3, 5, 5)))
