"""Pictures are tested by what they hold: data, limits, labels; not by their pixels."""

import numpy as np
import pytest

from resizelab import Spec, convention, conventions, drift, weights
from resizelab.axis.grid import grid
from resizelab.axis.kernel import kernel

mpl = pytest.importorskip("matplotlib", reason="needs the extra 'plots'")
mpl.use("agg")

from matplotlib import pyplot as plt  # noqa: E402 (the backend comes first)

from resizelab.teaching import palette, plots  # noqa: E402

GRIDS = {name: grid(name, 4, 8) for name in ("half_pixel", "align_corners")}


@pytest.fixture
def ax():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


# --- worked ---


def test_grids_stand_at_their_positions(ax):
    assert plots.grids(GRIDS, ax=ax) is ax
    half, corners = ax.get_lines()
    np.testing.assert_array_equal(half.get_xdata(), GRIDS["half_pixel"].positions())
    np.testing.assert_array_equal(
        corners.get_xdata(), GRIDS["align_corners"].positions()
    )
    assert [half.get_ydata()[0], corners.get_ydata()[0]] == [0, 1]
    assert [t.get_text() for t in ax.get_yticklabels()] == list(GRIDS)
    assert ax.get_xlabel() == "input pixel"
    assert ax.get_ylim() == (1.5, -0.5)  # the first grid is on top


def test_samples_stand_at_their_pixels(ax):
    plots.samples([0, 10, 20, 30], ax=ax)
    (line,) = ax.get_lines()
    assert line.get_xydata().tolist() == [[0, 0], [1, 10], [2, 20], [3, 30]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("output pixel", "value")


def test_a_matrix_shows_its_weights_around_zero(ax):
    w = weights(Spec(kernel="cubic", a=-0.75), 4, 8)
    plots.matrix(w, ax=ax)
    (image,) = ax.get_images()
    np.testing.assert_array_equal(image.get_array(), w.dense())
    assert image.norm.vmin == -image.norm.vmax
    assert image.norm.vcenter == 0
    written = {t.get_position(): t.get_text() for t in ax.texts}
    assert written == {
        (j, i): f"{w.dense()[i, j]:.3g}" for i, j in np.argwhere(w.dense() != 0)
    }


def test_numbers_are_left_out_where_they_would_not_fit(ax):
    plots.matrix(weights(Spec(), 30, 60), ax=ax)
    assert not ax.texts
    plots.matrix(weights(Spec(), 4, 4), ax=ax, numbers=False)
    assert not ax.texts


def test_a_kernel_is_drawn_past_its_radius(ax):
    k = kernel("cubic", a=-0.5)
    plots.kernel(k, ax=ax, name="Keys")
    line = ax.get_lines()[0]
    assert line.get_label() == "Keys"
    assert (line.get_xdata().min(), line.get_xdata().max()) == (-2.5, 2.5)
    np.testing.assert_array_equal(line.get_ydata(), k(line.get_xdata()))


def test_the_tents_response_is_a_squared_sinc(ax):
    plots.response(kernel("linear"), ax=ax)
    line = ax.get_lines()[0]
    np.testing.assert_allclose(
        line.get_ydata(), np.sinc(line.get_xdata()) ** 2, atol=1e-5
    )
    assert ax.get_xlabel() == "cycles per input pixel"


@pytest.mark.parametrize("current", [False, True])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_drift_is_drawn_in_the_pixels_asked_for(ax, current, place):
    field = ("shift", "stretch", "blur")[place]
    steps = drift.doubling(Spec(grid="asymmetric"), 16, 3)
    plots.drifts({"asymmetric": steps}, field, current=current, ax=ax)
    line = ax.get_lines()[0]
    expected = [d.in_current()[place] if current else getattr(d, field) for d in steps]
    assert line.get_xdata().tolist() == [1, 2, 3]
    assert line.get_ydata().tolist() == expected
    whose = "the current image" if current else "the original"
    assert ax.get_ylabel() == f"{field} in pixels of {whose}"


def test_pictures_stand_under_their_names():
    named = {name: np.full((4, 4), k / 4) for k, name in enumerate("abcde")}
    figure = plots.pictures(named, columns=4)
    shown = [a for a in figure.axes if a.get_images()]
    assert [a.get_title() for a in shown] == list("abcde")
    for a, picture in zip(shown, named.values(), strict=True):
        np.testing.assert_array_equal(a.get_images()[0].get_array(), picture)
    assert len(figure.axes) == 8
    plt.close(figure)


@pytest.mark.parametrize("draw", [plots.pictures, plots.tiles])
def test_a_notebook_shows_a_figure_once(draw):
    ipython = pytest.importorskip("IPython.core.formatters")
    figure = draw({"a": np.zeros((2, 2)) if draw is plots.pictures else [0, 1]})
    assert figure.number in plt.get_fignums(), "shown at the cell's end, if not before"
    ipython.IPythonDisplayFormatter()(figure)
    assert figure.number not in plt.get_fignums()
    assert type(figure).__mro__[1] is mpl.figure.Figure, "IPython knows how to show it"


# --- laws ---

DRAWN = {
    "grids": lambda **k: plots.grids(GRIDS, **k),
    "samples": lambda **k: plots.samples([1, 2], **k),
    "kernel": lambda **k: plots.kernel(kernel("linear"), **k),
    "response": lambda **k: plots.response(kernel("linear"), **k),
    "drifts": lambda **k: plots.drifts({"x": drift.doubling(Spec(), 4, 2)}, **k),
}


@pytest.mark.parametrize("name", DRAWN)
def test_the_callers_keywords_win(ax, name):
    DRAWN[name](ax=ax, color="lime", label="mine")
    line = ax.get_lines()[0]
    assert (line.get_color(), line.get_label()) == ("lime", "mine")


@pytest.mark.parametrize("name", DRAWN)
def test_without_axes_the_current_ones_are_used(ax, name):
    plt.sca(ax)
    assert DRAWN[name]() is ax


@pytest.mark.parametrize("name", DRAWN)
def test_a_plot_leaves_titles_and_settings_alone(ax, name):
    before = dict(mpl.rcParams)
    DRAWN[name](ax=ax)
    assert ax.get_title() == ""
    assert dict(mpl.rcParams) == before


def test_the_books_look_ends_with_its_block():
    before = dict(mpl.rcParams)
    with plots.style((3.0, 2.0)):
        assert mpl.rcParams["figure.figsize"] == [3.0, 2.0]
        assert mpl.rcParams["axes.facecolor"] == "none"
    assert dict(mpl.rcParams) == before


def test_one_colour_and_one_marker_a_convention():
    looks = [palette.style(name) for name in palette.names()]
    assert len({(s.light, s.marker) for s in looks}) == len(looks)
    assert palette.style("torch.bilinear") == palette.style("PyTorch")


def test_a_call_has_the_hue_of_no_other_grid():
    named = set(palette.names()) & set(conventions())
    assert len(named) > 4
    for name in (*named, "tf1.bilinear", "tf2.bilinear"):
        for mode in ("align_corners", "asymmetric"):
            if palette.style(name).light == palette.style(mode).light:
                assert convention(name).spec.grid == mode, name
    assert palette.style("never heard of") == palette.style("never heard of")


# --- errors ---


def test_drift_has_three_faces(ax):
    chains = {"x": drift.doubling(Spec(), 4, 2)}
    with pytest.raises(ValueError, match=r"^field must be one of 'shift', 'stretch', "):
        plots.drifts(chains, "shfit", ax=ax)


@pytest.mark.parametrize("call", [lambda: plots.grids({}), lambda: plots.pictures({})])
def test_nothing_to_draw_is_said(call):
    with pytest.raises(ValueError, match="nothing to draw"):
        call()
