"""The choices are independent, frozen, checked, and never silently ignored."""

import dataclasses
import re
from itertools import product

import numpy as np
import pytest
from bulk import for_each

from resizelab import Kernel, Spec
from resizelab.axis import Arithmetic, Particulars
from resizelab.axis.boundary import BOUNDARIES
from resizelab.axis.grid import GRIDS
from resizelab.axis.kernel import KERNELS, PARAMETERS, PICKING
from resizelab.axis.spec import CELLS

# The smallest legal Spec of every kernel.
LEGAL = {
    "linear": {},
    "cubic": {"a": -0.75},
    "box": {},
    "hamming": {},
    "lanczos": {"lobes": 3},
    "gaussian": {"sigma": 0.5, "cut": 1.5},
    "bspline": {"order": 3},
    "windowed_sinc": {"lobes": 3, "taper": "hann"},
    "gaussian_less_cut": {"sigma": 0.5, "cut": 2.0},
    "gaussian_over_pixels": {"sigma": 0.8, "cut": 3.2},
    "closed_box": {},
    "hann": {},
    "magic_sharp": {},
    "blackman_harris": {},
    "cardinal_spline": {},
    "nearest": {"nearest_mode": "floor"},
    "area": {},
    "adaptive_area": {},
    "two_tap_area": {},
    "counted_box": {},
}

# --- worked ---


def test_the_plain_spec_is_linear_on_half_pixels():
    s = Spec()
    assert (s.kernel, s.grid, s.boundary) == ("linear", "half_pixel", "edge")
    assert (s.antialias, s.step_from) == (False, "sizes")
    assert (s.a, s.nearest_mode, s.fill, s.extrapolation) == (None,) * 4


def test_replace_changes_one_thing_and_leaves_the_old_value():
    old = Spec(kernel="cubic", a=-0.75)
    new = old.replace(a=-0.5)
    assert (old.a, new.a) == (-0.75, -0.5)
    assert dataclasses.asdict(old) | {"a": -0.5} == dataclasses.asdict(new)


def test_equal_choices_are_equal_values():
    assert Spec(antialias=np.True_) == Spec(antialias=True)
    assert hash(Spec(kernel="cubic", a=-1)) == hash(Spec(kernel="cubic", a=-1.0))
    assert len({Particulars(), Particulars(), Arithmetic(), Arithmetic()}) == 2


def test_a_constant_outside_is_zero_if_not_said():
    assert Spec(boundary="constant").fill == 0.0


def test_prefilters_may_be_a_list_or_one_name():
    assert Particulars(prefilter=["gaussian"]) == Particulars(prefilter="gaussian")
    assert hash(Particulars(prefilter=["gaussian"])) is not None


# --- laws ---


def test_every_kernel_has_a_legal_spec():
    assert LEGAL.keys() == set(KERNELS)
    assert [Spec(kernel=k, **LEGAL[k]).kernel for k in KERNELS] == list(KERNELS)


@for_each([*product(GRIDS, BOUNDARIES)])
def test_grid_and_boundary_are_independent(pair):
    grid, boundary = pair
    own = {"phase": 0, "offset": 0} if grid == "free" else {}
    s = Spec(grid=grid, boundary=boundary, **own)
    assert (s.grid, s.boundary) == (grid, boundary)


@for_each([*product(CELLS, GRIDS)])
def test_an_average_of_cells_needs_a_grid_that_has_cells(pair):
    kernel, grid = pair
    if grid in ("half_pixel", "align_corners", "translate"):
        assert Spec(kernel=kernel, grid=grid).grid == grid
    else:
        message = (
            f"kernel='{kernel}' averages the cells of grid 'half_pixel' or "
            f"'align_corners' or 'translate'; got grid='{grid}'"
        )
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            Spec(kernel=kernel, grid=grid)


EVERY_PARAMETER = ("a", "b", "c", "lobes", "sigma", "cut", "order", "nearest_mode")


@for_each([*product(KERNELS, EVERY_PARAMETER)])
def test_a_parameter_that_does_not_apply_is_an_error(pair):
    kernel, parameter = pair
    takes = {*PARAMETERS.get(kernel, ()), *LEGAL[kernel]}
    value = {"nearest_mode": "floor", "lobes": 2, "order": 2}.get(parameter, 0.5)
    given = {**LEGAL[kernel], parameter: value}
    if parameter in takes - {"b", "c"}:
        assert getattr(Spec(kernel=kernel, **given), parameter) == value
    else:
        with pytest.raises(ValueError, match=parameter):
            Spec(kernel=kernel, **given)


@pytest.mark.parametrize("cls", [Spec, Particulars, Arithmetic])
def test_values_are_frozen(cls):
    value = cls()
    for field in dataclasses.fields(value):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, field.name, getattr(value, field.name))


def test_fields_are_named_so_that_no_call_depends_on_their_order():
    with pytest.raises(TypeError):
        Spec("linear")


# --- errors ---


def test_a_readers_kernel_takes_no_parameter_of_a_named_one():
    mine = Kernel("mine", 1.0, lambda d: 1 - abs(d))
    assert Spec(kernel=mine).kernel is mine
    with pytest.raises(ValueError, match="lobes goes with kernel='lanczos'"):
        Spec(kernel=mine, lobes=2)


def test_windows_have_no_parameters():
    assert not set(PICKING) & set(PARAMETERS)
