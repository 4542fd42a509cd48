"""The class's data: its photographs, its networks, and what each way costs."""

import json
import zipfile

import numpy as np
import pytest

from resizelab.teaching import classroom
from resizelab.teaching.classroom import archive, models, photographs, study, ways
from resizelab.teaching.classroom.ways import Way

pytest.importorskip("PIL")
every_model = pytest.mark.parametrize("name", models.MODELS)


# ---- the pictures ----------------------------------------------------------


def test_the_data_are_small_and_travel_in_one_file(tmp_path):
    assert models.FILE.stat().st_size <= 200_000
    path = archive.write(tmp_path / "class-data.zip")
    assert path.stat().st_size <= 1_000_000
    first = path.read_bytes()
    assert archive.write(path).read_bytes() == first, "the same archive again"
    with zipfile.ZipFile(path) as packed:
        names = {name.removeprefix("class-data/") for name in packed.namelist()}
        told = packed.read("class-data/README.txt").decode()
    assert names == {p.name for p in photographs.FOLDER.iterdir()} | {"README.txt"}
    for name, (who, terms) in classroom.SOURCES.items():
        assert f"{name}.webp: {who}, {terms}" in told


def test_surfaces_are_the_photographs_of_scikit_image():
    data = pytest.importorskip("skimage.data")
    real = {"brick": data.brick, "grass": data.grass, "gravel": data.gravel}
    for name, load in {**real, "cat": data.chelsea}.items():
        np.testing.assert_array_equal(classroom.photograph(name), load())


def test_no_pixel_is_in_both_parts():
    for name in ("brick", "grass", "gravel"):
        halves = [classroom.surface(name, part) for part in photographs.PARTS]
        whole = np.concatenate(halves, 1)
        np.testing.assert_array_equal(whole, classroom.photograph(name))


def test_tiles_lie_side_by_side():
    x, truth = classroom.tiles("test")
    brick = classroom.surface("brick", "test")
    np.testing.assert_array_equal(x[7], brick[40:80, 40:80])
    assert (np.bincount(truth) == [72, 72, 72, 21]).all()


def test_crops_and_scenes_are_drawn_by_a_seed():
    one, again, other = (classroom.crops(50, seed)[0] for seed in (3, 3, 4))
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()
    x, truth = classroom.scenes(3, seed=3, part="train")
    np.testing.assert_array_equal(x, classroom.scenes(3, 3, "train")[0])
    # Each pixel of a scene is one of its own surface.
    for k, name in enumerate(classroom.SURFACES):
        seen = set(np.unique(x[truth == k]).tolist())
        assert seen <= set(np.unique(classroom.surface(name, "train")).tolist())


@pytest.mark.parametrize("name", ["cat", "cup", "face"])
def test_marks_lie_in_the_picture_and_on_what_they_name(name):
    picture, known = classroom.photograph(name).astype(float), classroom.marks(name)
    shape = picture.shape[:2]
    for label, box in known.boxes().items():
        mask = known.mask(label, shape)
        rows, columns = np.nonzero(mask)
        edges = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
        np.testing.assert_allclose(edges, box, atol=1.5)
        red, green, _ = (picture[..., c] for c in range(3))
        inside, ring = mask, ~mask
        # Green eyes, a bright rim, a red saucer, red lips, a metal spoon.
        tell = {
            "rim": picture.mean(2),
            "saucer": red - green,
            "mouth": red - green,
            "head": -picture.mean(2),
            "spoon": green - red,
        }.get(label, green - red)
        assert tell[inside].mean() > tell[ring].mean() + 10, label
    for across, down in known.points.values():
        assert 0 < across < shape[1]
        assert 0 < down < shape[0]


def test_slips_are_named():
    with pytest.raises(ValueError, match=r"name must be.*did you mean 'brick'"):
        classroom.photograph("brik")
    with pytest.raises(ValueError, match=r"numbers must be.*got 'byte'"):
        Way("pillow.bilinear", "byte")
    with pytest.raises(ValueError, match=r"x must be \(count, height, width\)"):
        classroom.load().logits(np.zeros((16, 16)))


# ---- the networks ----------------------------------------------------------


def test_a_network_of_the_book_is_the_same_once_folded():
    torch = pytest.importorskip("torch")
    from resizelab.teaching.classroom.training import Network, folded

    torch.manual_seed(0)
    network = Network("strided", "head", channels=1)
    x = torch.randn(4, 1, 32, 32)
    network(x, None)  # running means that are not zero
    with torch.no_grad():
        real = network.eval()(x, None).numpy()
        model = classroom.Model("new", folded(network), {})
    np.testing.assert_allclose(model.logits(x[:, 0].numpy()), real, atol=5e-3)


# ---- the ways --------------------------------------------------------------


def test_a_way_is_what_the_real_libraries_do():
    image, torch = pytest.importorskip("PIL.Image"), pytest.importorskip("torch")
    cv2 = pytest.importorskip("cv2")
    x = classroom.tiles("test")[0][::20]

    def by_torch(y):
        y = torch.from_numpy(y)[None, None].float()
        return torch.nn.functional.interpolate(y, (16, 16), mode="bilinear")[0, 0]

    real = {
        "pillow.bilinear": lambda y: image.fromarray(y).resize((16, 16), 2),
        "opencv.area": lambda y: cv2.resize(y, (16, 16), interpolation=cv2.INTER_AREA),
    }
    for row, run in real.items():
        ours = Way(row).prepare(x, 16, 0.0, 1.0) * 255
        np.testing.assert_allclose(ours, [np.asarray(run(y)) for y in x], atol=1e-4)
    ours = Way("torch.bilinear", "floats").prepare(x, 16, 0.0, 1.0) * 255
    np.testing.assert_allclose(ours, [by_torch(y).numpy() for y in x], atol=1e-3)


# ---- what they cost --------------------------------------------------------


@pytest.fixture(scope="module")
def rows():
    """Return the rows of the page's first table."""
    return study.classified(classroom.load())


@every_model
def test_what_was_recorded_is_what_numpy_says(name):
    model = classroom.load(name)
    recorded = json.loads(models.FILE.with_suffix(".json").read_text("utf-8"))
    known = recorded["models"][name]
    some = [w for w in ways.WAYS if w.resize in ("pillow.bilinear", "torch.bilinear")]
    some = [w for w in some if w.values == "as trained"]
    measured = study.segmented if name == "segmenter" else study.classified
    # One tile more or less, where two logits are as good as equal.
    loose = 0.15 if name == "segmenter" else 0.5
    for row in measured(model, some):
        assert abs(row.value - known["seeds"][0][row.name]) <= loose, row.name
    assert len(known["seeds"]) == 5
    assert known["resize"] in ("pillow.bilinear", "torch.bilinear")


def test_a_change_is_counted_from_training(rows):
    first = rows[0]
    x, truth = classroom.tiles("test")
    known = classroom.load().known
    ready = ways.TRAINED.prepare(x, 16, known["mean"], known["deviation"])
    right = (classroom.load().classify(ready) == truth).mean()
    assert first.value == pytest.approx(100 * right)
    assert (first.change, first.change_interval, first.moved) == (0, (0, 0), 0)
    for row in rows:
        assert row.interval[0] <= row.value <= row.interval[1]
        low, high = row.change_interval
        assert low <= row.change <= high
        assert row.change == pytest.approx(row.value - first.value)


@pytest.mark.slow
def test_an_interval_covers_what_another_draw_gives():
    # A coin with a known share, drawn many times: about 95 of 100 intervals hold it.
    rng, held = np.random.default_rng(0), 0
    for _ in range(200):
        right = rng.random((237, 1)) < 0.9
        found = [("", "a", right[:, 0], right)]
        (row,) = study._rows(found, lambda sums, n: sums[..., 0] / n, "a")
        held += row.interval[0] <= 90 <= row.interval[1]
    assert 180 <= held <= 198


def test_the_table_has_a_line_a_way(rows):
    lines = study.table(rows, "accuracy").splitlines()
    assert len(lines) == 2 + len(rows)
    assert "| pillow.bilinear | 91.6 | 0 | none moved | 0 |" in lines
