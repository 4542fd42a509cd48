"""Placements: worked numbers, laws, errors, and blobs resized by the real engines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab import Convention, Grid, Kernel, Spec, convention, find, resize, weights
from resizelab import engines as real
from resizelab.arrays import resizing
from resizelab.axis.grid import grid
from resizelab.drift import chain
from resizelab.geometry import (
    Placement,
    crop,
    flow,
    from_matrix,
    from_scale_and_translation,
    iou,
    place,
)
from resizelab.geometry.boxes import BOXES, from_edges, to_edges

HALF = Spec()
CORNERS = Spec(grid="align_corners")
ASYMMETRIC = Spec(grid="asymmetric")
ORIGINS = ("centre_at_integer", "centre_at_half")
ORDERS = ("array", "xy")

specs = st.sampled_from(
    [HALF, CORNERS, ASYMMETRIC, Spec(grid="half_pixel_symmetric"), Spec(kernel="area")]
)
sizes = st.integers(2, 40)
numbers = st.floats(-50, 50, allow_nan=False)
origins, orders = st.sampled_from(ORIGINS), st.sampled_from(ORDERS)


def planes():
    """Return placements of a plane under every common grid."""
    return st.builds(
        lambda spec, a, b: place(spec, a, b),
        specs,
        st.tuples(sizes, sizes),
        st.tuples(sizes, sizes),
    )


# worked


@pytest.mark.parametrize(
    ("spec", "expected"),
    [(HALF, [0.5, 2.5, 6.5]), (CORNERS, [0, 7 / 3, 7]), (ASYMMETRIC, [0, 2, 6])],
    ids=["half_pixel", "align_corners", "asymmetric"],
)
def test_where_three_of_the_four_pixels_go(spec, expected):
    moved = place(spec, (4,), (8,)).points([[0.0], [1.0], [3.0]])
    np.testing.assert_allclose(moved[:, 0], expected, atol=1e-12)


def test_the_same_point_under_the_other_origin():
    # Half a pixel more before, half a pixel more after.
    for spec in (HALF, CORNERS, ASYMMETRIC):
        p = place(spec, (4,), (8,))
        at_integer = p.points([1.0])
        at_half = p.points([1.5], "centre_at_half")
        assert at_half == pytest.approx(at_integer + 0.5, abs=1e-12)


def test_half_pixel_only_scales_where_the_origin_is_the_corner_of_the_picture():
    p = place(HALF, (480, 640), (240, 160))
    expected = np.diag([0.5, 0.25, 1.0])
    np.testing.assert_allclose(p.matrix("centre_at_half"), expected, atol=1e-12)
    np.testing.assert_allclose(
        p.matrix("centre_at_half", "xy"), np.diag([0.25, 0.5, 1.0]), atol=1e-12
    )


def test_one_box_in_three_forms():
    p = place(HALF, (4, 4), (8, 8))
    forms = {"xyxy_edges": [1, 0, 3, 2], "xyxy_inclusive": [1, 0, 2, 1]}
    forms["xywh"] = [1, 0, 2, 2]
    expected = {"xyxy_edges": [2, 0, 6, 4], "xyxy_inclusive": [2, 0, 5, 3]}
    expected["xywh"] = [2, 0, 4, 4]
    for form, box in forms.items():
        np.testing.assert_allclose(p.boxes(box, form), expected[form], atol=1e-12)


def test_the_whole_picture_is_the_whole_picture_under_half_pixel_alone():
    whole, doubled = [0, 0, 4, 4], [0, 0, 8, 8]
    boxes = {s: place(s, (4, 4), (8, 8)).boxes(whole, "xyxy_edges") for s in
             (HALF, CORNERS, ASYMMETRIC)}  # fmt: skip
    np.testing.assert_allclose(boxes[HALF], doubled, atol=1e-12)
    # A corner pixel's centre is kept, and its outer half becomes 7/6 of a pixel.
    edge = 7 / 6 - 0.5
    np.testing.assert_allclose(
        boxes[CORNERS], [-edge, -edge, 8 + edge, 8 + edge], atol=1e-12
    )
    np.testing.assert_allclose(boxes[ASYMMETRIC], [-0.5, -0.5, 7.5, 7.5], atol=1e-12)


def test_a_camera_halved_under_both_origins():
    p = place(HALF, (480, 640), (240, 320))
    k = np.array([[400.0, 0, 320], [0, 400, 240], [0, 0, 1]])
    at_half = p.intrinsics(k, "centre_at_half")
    np.testing.assert_allclose(at_half, [[200, 0, 160], [0, 200, 120], [0, 0, 1]])
    k[:2, 2] -= 0.5
    at_integer = p.intrinsics(k, "centre_at_integer")
    expected = [[200, 0, 159.5], [0, 200, 119.5], [0, 0, 1]]
    np.testing.assert_allclose(at_integer, expected, atol=1e-12)


def test_a_skewed_camera_and_a_batch_of_them():
    p = place(HALF, (40, 60), (80, 30))
    k = np.array([[30.0, 2.0, 29.5], [0, 40, 19.5], [0, 0, 1]])
    both = p.intrinsics(np.stack([k, k]), "centre_at_integer")
    assert both.shape == (2, 3, 3)
    np.testing.assert_allclose(both[1, 0], [15, 1, 14.5], atol=1e-12)
    np.testing.assert_allclose(both[1, 1], [0, 80, 39.5], atol=1e-12)


def test_the_numbers_that_jax_takes():
    scale, move = place(ASYMMETRIC, (4, 4), (8, 12)).scale_and_translation()
    np.testing.assert_allclose(scale, [2, 3])
    np.testing.assert_allclose(move, [-0.5, -1.0])  # 1/2 - scale / 2
    scale, move = place(HALF, (4, 4), (8, 12)).scale_and_translation()
    np.testing.assert_allclose(move, [0, 0], atol=1e-12)


def test_a_mask_of_labels_is_moved_and_never_mixed():
    labels = np.arange(16).reshape(4, 4)
    p = place(HALF, (4, 4), (8, 8))
    expected = np.kron(labels, np.ones((2, 2), int))
    np.testing.assert_array_equal(p.mask(labels), expected)
    # TensorFlow 1 lays output 1 on the border of pixels 0 and 1: the later one.
    moved = place(ASYMMETRIC, (4,), (8,)).mask(np.array([10, 20, 30, 40]), outside=-1)
    np.testing.assert_array_equal(moved, [10, 20, 20, 30, 30, 40, 40, -1])


def test_a_crop_copies_and_its_way_back_puts_it_in_place():
    picture = np.arange(30.0).reshape(5, 6)
    p = crop((5, 6), (2, 1, 5, 3), "xyxy_edges")
    assert (p.start, p.shape_out) == ((1.0, 2.0), (2, 3))
    np.testing.assert_array_equal(p.mask(picture), picture[1:3, 2:5])
    same = crop((5, 6), (2, 1, 4, 2), "xyxy_inclusive")
    assert same == p == crop((5, 6), (2, 1, 3, 2), "xywh")
    back = p.inverse().mask(p.mask(picture), outside=-1)
    np.testing.assert_array_equal(back[1:3, 2:5], picture[1:3, 2:5])
    assert (back == -1).sum() == 30 - 6


def test_a_region_of_crop_and_resize_is_measured_from_centre_to_centre():
    region = Spec(grid="tf_crop_and_resize")
    p = place(region, (5, 9), (3, 5), roi=[(0.25, 0.75), (0.5, 1.0)])
    assert (p.start, p.step) == ((1.0, 4.0), (1.0, 1.0))
    carried = Convention(name="c", spec=region, roi=((0.25, 0.75), (0.5, 1.0)))
    assert place(carried, (5, 9), (3, 5)) == p


def test_any_rank_and_the_axes_that_are_resized():
    p = place(CORNERS, (9, 480, 640, 3), (17, 479, 1279), axes=(0, 1, 2))
    assert (p.rank, p.shape_in) == (3, (9, 480, 640))
    np.testing.assert_allclose(p.points([8.0, 479, 639]), [16, 478, 1278], atol=1e-9)


def test_grids_come_alone_and_know_their_sizes():
    grids = [grid("asymmetric", 4, 8), grid("half_pixel", 6, 3)]
    assert place(grids) == Placement((0.5, 2.0), (0.0, 0.5), (4, 6), (8, 3))
    assert place(grids[0]) == place(ASYMMETRIC, (4,), (8,))
    own = Grid(4, 8, 4.0, 8.0, 0.25, 0.0)
    assert place(own).start == (0.125,)


def test_a_scale_that_is_given_fixes_the_step():
    p = place(HALF.replace(step_from="scale"), (5,), (7,), scale=1.5)
    assert p.step == (pytest.approx(2 / 3),)
    assert place(HALF, (5,), (7,), scale=1.5).step == (pytest.approx(5 / 7),)
    only = place(HALF, (5, 5), scale=1.5)
    assert only.shape_out == (7, 7)


@pytest.mark.parametrize(
    ("mode", "factor", "start"),
    [
        # Repeated pixels keep their place, and so does a mean of whole pixels.
        ("floor", 2, -0.25),
        ("floor", 3, -1 / 3),
        ("ceil", 2, 0.25),
    ],
)
def test_nearest_is_placed_where_it_reads_on_average(mode, factor, start):
    spec = Spec(kernel="nearest", nearest_mode=mode, grid="asymmetric")
    p = place(spec, (12,), (12 * factor,))
    assert p.start == (pytest.approx(start, abs=1e-12),)


def test_area_and_a_reader_s_own_kernel_are_placed_where_they_read():
    assert place(Spec(kernel="area"), (12,), (4,)).start == (pytest.approx(1.0),)
    ahead = Kernel("ahead", 1.0, lambda d: np.where(d > 0, 1.0, 0.0))
    # It reads the next pixel alone: 0.5 further on average, or 0.75 and 0.25.
    p = place(Spec(kernel=ahead), (16,), (32,))
    assert p.start == (pytest.approx(-0.25 + 0.5),)


def test_one_pixel_on_one_pixel_stays():
    for name in ("half_pixel", "align_corners", "asymmetric"):
        p = place(Spec(grid=name), (1,), (1,))
        assert p.points([0.0]) == pytest.approx([0.0])


def test_iou_by_hand():
    assert iou([0, 0, 4, 4], [2, 2, 6, 6], "xyxy_edges") == pytest.approx(4 / 28)
    assert iou([0, 0, 3, 3], [2, 2, 5, 5], "xyxy_inclusive") == pytest.approx(4 / 28)
    np.testing.assert_array_equal(
        iou([[0, 0, 1, 1], [0, 0, 0, 0]], [5, 5, 1, 1], "xywh"), [0, 0]
    )


# laws


@given(p=planes(), x=numbers, y=numbers, origin=origins, order=orders)
def test_there_and_back_is_where_it_was(p, x, y, origin, order):
    back = p.inverse().points(p.points([x, y], origin, order), origin, order)
    np.testing.assert_allclose(back, [x, y], atol=1e-9)
    vectors = p.inverse().vectors(p.vectors([x, y], order), order)
    np.testing.assert_allclose(vectors, [x, y], atol=1e-9)


@given(p=planes(), box=st.tuples(*[numbers] * 4), form=st.sampled_from(BOXES))
def test_boxes_come_back_in_every_form(p, box, form):
    moved = p.inverse().boxes(p.boxes(box, form), form)
    np.testing.assert_allclose(moved, box, atol=1e-9)


@given(box=st.tuples(*[numbers] * 4), form=st.sampled_from(BOXES))
def test_a_form_is_undone_by_its_inverse(box, form):
    np.testing.assert_allclose(from_edges(to_edges(box, form), form), box, atol=1e-12)


@given(p=planes(), origin=origins, order=orders)
def test_a_matrix_and_a_scale_with_a_translation_say_it_all(p, origin, order):
    shapes = p.shape_in, p.shape_out
    again = from_matrix(p.matrix(origin, order), *shapes, origin, order)
    np.testing.assert_allclose([again.step, again.start], [p.step, p.start], atol=1e-9)
    other = from_scale_and_translation(
        *p.scale_and_translation(origin), *shapes, origin
    )
    np.testing.assert_allclose([other.step, other.start], [p.step, p.start], atol=1e-9)
    back = p.inverse().matrix(origin, order) @ p.matrix(origin, order)
    np.testing.assert_allclose(back, np.eye(3), atol=1e-9)


@given(
    a=specs, b=specs, n=st.tuples(sizes, sizes), m=st.tuples(sizes, sizes),
    k=st.tuples(sizes, sizes), x=numbers,
)  # fmt: skip
def test_one_resize_after_another_is_one_placement(a, b, n, m, k, x):
    first, second = place(a, n, m), place(b, m, k)
    both = first.then(second)
    np.testing.assert_allclose(
        both.points([x, -x]), second.points(first.points([x, -x])), atol=1e-8
    )
    np.testing.assert_allclose(
        both.matrix("centre_at_half", "xy"),
        second.matrix("centre_at_half", "xy") @ first.matrix("centre_at_half", "xy"),
        atol=1e-8,
    )


@given(p=planes(), f=st.floats(5, 500), point=st.tuples(numbers, numbers),
       depth=st.floats(0.5, 20), origin=origins)  # fmt: skip
def test_the_new_camera_sees_a_point_where_the_picture_shows_it(
    p, f, point, depth, origin
):
    k = np.array([[f, 0.3, 17.0], [0, 1.2 * f, 11.0], [0, 0, 1]])
    space = np.array([*point, 1.0]) * depth
    seen, seen_after = k @ space, p.intrinsics(k, origin) @ space
    expected = p.points(seen[:2] / seen[2], origin, "xy")
    np.testing.assert_allclose(seen_after[:2] / seen_after[2], expected, rtol=1e-9)


@given(
    spec=st.sampled_from([HALF, CORNERS, ASYMMETRIC]), n=st.integers(12, 30),
    m=st.integers(0, 30), k=st.integers(0, 30),
)  # fmt: skip
def test_two_enlargements_carry_a_point_where_their_operators_do(spec, n, m, k):
    # drift measures its line on the product of the two matrices.
    middle, after = n + m, n + m + k
    both = place(spec, (n,), (middle,)).then(place(spec, (middle,), (after,)))
    last = chain(spec, n, [middle, after])[-1]
    for at in (0.0, (n - 1) / 2, n - 1.0):
        assert both.points([at])[0] == pytest.approx(last.lands(at), abs=1e-6)


@given(spec=st.sampled_from([HALF, CORNERS, ASYMMETRIC]), n=st.integers(4, 30),
       m=st.integers(4, 60))  # fmt: skip
def test_back_is_where_an_inner_output_reads(spec, n, m):
    w = weights(spec, n, m)
    inner = np.flatnonzero((w.index.min(1) > 0) & (w.index.max(1) < n - 1))
    back = place(spec, (n,), (m,)).inverse().points(inner[:, None])
    np.testing.assert_allclose(back[:, 0], w.centroids()[inner], atol=1e-9)


@given(n=st.tuples(sizes, sizes), by=st.integers(1, 4))
def test_an_enlarged_mask_comes_back_whole(n, by):
    labels = np.arange(n[0] * n[1]).reshape(n)
    for spec in (HALF, CORNERS):
        p = place(spec, n, [by * v for v in n])
        np.testing.assert_array_equal(p.inverse().mask(p.mask(labels)), labels)


@given(n=st.tuples(sizes, sizes), m=st.tuples(sizes, sizes), dx=numbers, dy=numbers)
def test_a_flow_that_is_the_same_everywhere_scales_everywhere(n, m, dx, dy):
    field = np.broadcast_to(np.array([dx, dy]), (*n, 2))
    moved = flow(field, m)
    expected = [dx * m[1] / n[1], dy * m[0] / n[0]]
    np.testing.assert_allclose(moved, np.broadcast_to(expected, (*m, 2)), atol=1e-9)
    rows_first = flow(field[..., ::-1], m, order="array")
    np.testing.assert_allclose(rows_first[..., ::-1], moved, atol=1e-9)


# live: a blob goes in, and its centre is measured on what the real engine returns


def blob(shape, at, width=5.0):
    """Return a Gaussian whose centre is at a point, in array order."""
    lines = [
        np.exp(-((np.arange(n) - c) ** 2) / (2 * width**2))
        for n, c in zip(shape, at, strict=True)
    ]
    picture = lines[0]
    for line in lines[1:]:
        picture = np.multiply.outer(picture, line)
    return picture.astype(np.float32)


def centre(picture):
    """Return the centre of mass, its pixels' centres at integers."""
    mass = np.asarray(picture, np.float64)
    around = [tuple(k for k in range(mass.ndim) if k != a) for a in range(mass.ndim)]
    sums = [mass.sum(others) for others in around]
    return np.array([line @ np.arange(len(line)) / line.sum() for line in sums])


PAIRS = [
    ((64, 80), (150, 97)),
    ((64, 80), (33, 41)),
    ((64, 80), (128, 160)),
    ((64, 80), (31, 200)),
]
EXACT = [
    # half_pixel
    "torch.bilinear", "torch.bicubic", "tf2.bilinear", "tf2.lanczos3", "opencv.linear",
    "opencv.cubic", "skimage.linear.no_antialias", "scipy.zoom.linear.grid_mode",
    "onnxruntime.linear", "onnxruntime.linear.half_pixel_symmetric",
    # align_corners
    "torch.bilinear.align_corners", "torch.bicubic.align_corners",
    "tf1.bilinear.align_corners", "scipy.zoom.linear", "scipy.zoom.cubic",
    "onnxruntime.linear.align_corners",
    # asymmetric
    "tf1.bilinear", "tf1.bicubic", "onnxruntime.linear.asymmetric",
    "onnxruntime.linear.opset10",
    # shrinking with antialias (and enlarging, where it does nothing)
    "torch.bilinear.antialias", "torch.bicubic.antialias", "tf2.bilinear.antialias",
    "tf2.bicubic.antialias", "pillow.bilinear", "pillow.bicubic", "pillow.lanczos",
    "pillow.bilinear.reducing_gap", "skimage.linear.antialias",
    "onnxruntime.linear.antialias", "onnxruntime.linear.asymmetric.antialias",
    "torch.bilinear.antialias.align_corners", "opencv.area", "tf1.area",
    "tf1.area.align_corners", "torch.area",
]  # fmt: skip
# Whole pixels: where outputs read is known on average, and less so under a blob.
PICKS = [
    "torch.nearest", "torch.nearest-exact", "tf1.nearest", "tf1.nearest.align_corners",
    "tf2.nearest", "opencv.nearest", "onnxruntime.nearest", "onnxruntime.nearest.ceil",
]  # fmt: skip


def quiet(library):
    """Keep the libraries' warnings about old calls from standard error."""
    pytest.importorskip(
        {"opencv": "cv2", "pillow": "PIL", "scikit-image": "skimage"}.get(
            library, library
        )
    )
    if library == "tensorflow":
        import tensorflow

        tensorflow.get_logger().setLevel("ERROR")


@pytest.mark.live
@pytest.mark.filterwarnings("ignore:It is recommended to use mode:UserWarning")
@pytest.mark.parametrize("name", EXACT + PICKS)
def test_a_blob_is_where_geometry_puts_it(name):
    choice = convention(name)
    quiet(choice.library)
    at = (31.3, 38.6)
    for before, after in PAIRS:
        seen = centre(real.run(choice, blob(before, at), after))
        expected = place(choice, before, after).points(at)
        np.testing.assert_allclose(seen, expected, atol=0.01 if name in EXACT else 0.03)


@pytest.mark.live
@pytest.mark.parametrize("name", ["torch.trilinear", "torch.trilinear.align_corners"])
def test_a_blob_in_a_volume(name):
    pytest.importorskip("torch")
    choice, at = convention(name), (10.2, 14.7, 12.1)
    before, after = (22, 30, 26), (44, 25, 39)
    seen = centre(real.run(choice, blob(before, at, 2.0), after))
    expected = place(choice, before, after).points(at)
    np.testing.assert_allclose(seen, expected, atol=0.01)


@pytest.mark.live
@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ("PIL.Image.Image.resize", {"resample": "BICUBIC", "box": (9.5, 6.25, 70, 60)}),
        ("PIL.Image.Image.resize", {"resample": "HAMMING", "box": (9.5, 6.25, 70, 60)}),
        ("tensorflow.image.crop_and_resize", {"boxes": (0.1, 0.12, 0.95, 0.9)}),
        ("torch.nn.functional.interpolate",
         {"mode": "bilinear", "scale_factor": (1.37, 0.71)}),
        ("cv2.resize", {"interpolation": "INTER_LINEAR", "fx": 0.71, "fy": 1.37}),
        ("jax.image.scale_and_translate",
         {"scale": (1.4, 0.8), "translation": (-7.3, 5.6), "method": "linear"}),
    ],
    ids=["bicubic", "hamming", "crop_and_resize", "torch", "opencv", "jax"],
)  # fmt: skip
def test_a_region_or_a_given_scale_moves_the_blob_as_told(call, arguments):
    choice = find(call, **arguments)
    quiet(choice.library)
    before, at = (64, 80), (31.3, 38.6)
    scaled = "scale_factor" in arguments or "fx" in arguments
    after = None if scaled else (77, 83)
    y = real.run(choice, blob(before, at, 4.0), after)
    p = place(choice, before, y.shape)
    np.testing.assert_allclose(centre(y), p.points(at), atol=0.01)
    if call.startswith("jax"):
        scale, move = p.scale_and_translation()
        np.testing.assert_allclose(scale, arguments["scale"], rtol=1e-6)
        np.testing.assert_allclose(move, arguments["translation"], rtol=1e-5)


@pytest.mark.live
def test_a_crop_and_a_resize_do_not_change_places():
    pytest.importorskip("torch")
    choice, before, at = convention("torch.bilinear"), (64, 80), (34.0, 36.0)
    x, box = blob(before, at, 2.0), (28, 26, 76, 58)
    cut = crop(before, box, "xyxy_edges")
    first = cut.then(place(choice, cut.shape_out, (64, 96)))
    last = place(choice, before, (128, 160)).then(
        crop((128, 160), (56, 52, 152, 116), "xyxy_edges")
    )
    one = real.run(choice, cut.mask(x), (64, 96))
    other = real.run(choice, x, (128, 160))[52:116, 56:152]
    np.testing.assert_allclose(centre(one), first.points(at), atol=0.01)
    np.testing.assert_allclose(centre(other), last.points(at), atol=0.01)
    # half_pixel nests: the same places. align_corners does not: the corners are new.
    np.testing.assert_allclose(first.matrix(), last.matrix(), atol=1e-12)
    corners = convention("torch.bilinear.align_corners")
    one = real.run(corners, cut.mask(x), (64, 96))
    other = real.run(corners, x, (128, 160))[52:116, 56:152]
    apart = centre(one) - centre(other)
    first = cut.then(place(corners, cut.shape_out, (64, 96)))
    last = place(corners, before, (128, 160)).then(
        crop((128, 160), (56, 52, 152, 116), "xyxy_edges")
    )
    expected = first.points(at) - last.points(at)
    np.testing.assert_allclose(apart, expected, atol=0.01)
    assert abs(expected).min() > 0.1


# A picture and what became of it: second(p + flow(p)) = first(p), exactly.
FREQUENCIES = np.array([[0.11, 0.05], [-0.04, 0.13], [0.07, -0.09]])


def shade(rows, columns):
    """Return a smooth picture at any position."""
    waves = [np.sin(a * rows + b * columns + a) for a, b in FREQUENCIES]
    return np.sum(waves, axis=0)


@pytest.mark.live
@pytest.mark.parametrize(
    "name", ["torch.bilinear", "torch.bilinear.align_corners", "tf1.bilinear"]
)
@pytest.mark.parametrize("after", [(120, 120), (32, 36)])
def test_a_resized_flow_still_warps_one_picture_onto_the_other(name, after):
    ndimage = pytest.importorskip("scipy.ndimage")
    choice = convention(name)
    quiet(choice.library)
    rows, columns = np.mgrid[:60, :80].astype(np.float64)
    # A zoom about a point and a slide: the flow is linear, its inverse exact.
    field = np.stack([0.06 * (columns - 30) + 1.5, -0.04 * (rows - 20) - 2.0], -1)
    second = shade(rows, columns)
    first = shade(rows + field[..., 1], columns + field[..., 0])
    small = [real.run(choice, v.astype(np.float32), after) for v in (first, second)]
    moved = flow(field, after, choice)

    def left(vectors):
        places = np.mgrid[: after[0], : after[1]].astype(np.float64)
        places += np.moveaxis(vectors[..., ::-1], -1, 0)
        warped = ndimage.map_coordinates(small[1], places, order=3, mode="nearest")
        cut = (slice(after[0] // 5, -(after[0] // 5)),) * 2
        return float(np.sqrt(np.mean((warped - small[0])[cut] ** 2)))

    unscaled = resize(field, after, choice, axes=(0, 1))
    assert left(moved) < 0.005
    assert left(unscaled) > 50 * left(moved)
    print(f"{name} {after}: {left(moved):.4f}, vectors not scaled {left(unscaled):.3f}")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_crop_at_no_place_is_refused(bad):
    with pytest.raises(ValueError, match=r"^box must lie on whole pixels"):
        crop((4, 4), (bad, 0, 2, 2), "xyxy_edges")


def test_no_grids_are_no_choice():
    with pytest.raises(TypeError, match=r"^choice must be .* list of Grids; got \[\]"):
        place([])


def test_where_outputs_read_on_average_takes_an_operator_that_fits(monkeypatch):
    # The bytes an operator takes per output, made so many that no machine has them.
    monkeypatch.setattr(resizing, "OPERATOR", 2**40)
    huge = 2**31 - 1
    with pytest.raises(MemoryError, match=f"^cannot allocate .*{huge}"):
        place(Spec(kernel="area"), (4,), (huge,))
    assert place(HALF, (4,), (huge,)).step == (4 / huge,)  # needs none
