"""The choices are independent, frozen, checked, and never silently ignored."""

import dataclasses
import re
from itertools import product

import numpy as np
import pytest
from bulk import for_each

from resizelab import Convention, Kernel, Spec
from resizelab.axis import Arithmetic, Particulars
from resizelab.axis.boundary import BOUNDARIES
from resizelab.axis.convention import DTYPES
from resizelab.axis.grid import GRIDS
from resizelab.axis.kernel import KERNELS, PARAMETERS, PICKING
from resizelab.axis.spec import CELLS, NEAREST_MODES, PREFILTERS, SIZE_RULES, STEP_FROM

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


def listed(names):
    return ", ".join(map(repr, names))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: Spec(kernel="linaer"),
            ValueError,
            f"kernel must be one of {listed(KERNELS)}; got 'linaer'; "
            "did you mean 'linear'?",
        ),
        (
            lambda: Spec(grid="half-pixel"),
            ValueError,
            f"grid must be one of {listed(GRIDS)}; got 'half-pixel'; "
            "did you mean 'half_pixel'?",
        ),
        (
            lambda: Spec(boundary="replicate"),
            ValueError,
            f"boundary must be one of {listed(BOUNDARIES)}; got 'replicate'; "
            "it is called 'edge' here",
        ),
        (
            lambda: Spec(kernel="nearest", nearest_mode="round"),
            ValueError,
            f"nearest_mode must be one of {listed(NEAREST_MODES)}; got 'round'",
        ),
        (
            lambda: Spec(kernel="nearest"),
            ValueError,
            "kernel='nearest' needs nearest_mode; got nearest_mode=None",
        ),
        (
            lambda: Spec(a=-0.5),
            ValueError,
            "a goes with kernel='cubic' and only with it; got a=-0.5",
        ),
        (
            lambda: Spec(kernel="cubic"),
            ValueError,
            "kernel='cubic' needs a (often -0.5 or -0.75), or b and c; "
            "got a=None, b=None, c=None",
        ),
        (
            lambda: Spec(kernel="cubic", a=-0.5, b=0.0, c=0.5),
            ValueError,
            "kernel='cubic' needs a (often -0.5 or -0.75), or b and c; "
            "got a=-0.5, b=0.0, c=0.5",
        ),
        (
            lambda: Spec(kernel="cubic", a="-0.5"),
            TypeError,
            "a must be a number; got '-0.5'",
        ),
        (
            lambda: Spec(kernel="cubic", a=float("nan")),
            ValueError,
            "a must be finite; got nan",
        ),
        (
            lambda: Spec(kernel="lanczos"),
            ValueError,
            "kernel='lanczos' needs lobes; got lobes=None",
        ),
        (
            lambda: Spec(kernel="lanczos", lobes=2.5),
            TypeError,
            "lobes must be a whole number of pixels (an int); got 2.5",
        ),
        (
            lambda: Spec(kernel="bspline", order=10),
            ValueError,
            "order must be from 1 to 9; got 10",
        ),
        (
            lambda: Spec(kernel="gaussian", sigma=0, cut=1),
            ValueError,
            "sigma must be greater than 0; got 0",
        ),
        (
            lambda: Spec(antialias="yes"),
            TypeError,
            "antialias must be True or False; got 'yes'",
        ),
        (
            lambda: Spec(kernel="area", antialias=True),
            ValueError,
            "antialias stretches a kernel; kernel='area' has none",
        ),
        (
            lambda: Spec(fill=1.0),
            ValueError,
            "fill goes with boundary='constant' and only with it; got fill=1.0",
        ),
        (
            lambda: Spec(step_from="size"),
            ValueError,
            f"step_from must be one of {listed(STEP_FROM)}; got 'size'; "
            "did you mean 'sizes'?",
        ),
        (
            lambda: Spec(extrapolation=float("inf")),
            ValueError,
            "extrapolation must be finite; got inf",
        ),
        (
            lambda: Spec().replace(mode="linear"),
            TypeError,
            "Spec has no field 'mode'; did you mean 'order'?; fields: "
            + ", ".join(f.name for f in dataclasses.fields(Spec)),
        ),
        (
            lambda: Spec().replace(antialiased=True),
            TypeError,
            "Spec has no field 'antialiased'; did you mean 'antialias'?; fields: "
            + ", ".join(f.name for f in dataclasses.fields(Spec)),
        ),
        (
            lambda: Particulars(size_rule="round"),
            ValueError,
            f"size_rule must be one of {listed(SIZE_RULES)}; got 'round'",
        ),
        (
            lambda: Particulars(prefilter="gauss"),
            ValueError,
            f"prefilter must be one of {listed(PREFILTERS)}; got 'gauss'; "
            "did you mean 'gaussian'?",
        ),
        (
            lambda: Particulars(prefilter="box"),
            ValueError,
            "prefilter 'box' needs reduce_gap; got reduce_gap=None",
        ),
        (
            lambda: Particulars(reduce_gap=2.0),
            ValueError,
            "reduce_gap goes with prefilter 'box' and only with it; got reduce_gap=2.0",
        ),
        (
            lambda: Particulars(fraction_bits=64),
            ValueError,
            "fraction_bits must be from 1 to 52; got 64",
        ),
        (
            lambda: Particulars(tie_epsilon=-1e-6),
            ValueError,
            "tie_epsilon must be 0 or more; got -1e-06",
        ),
        (
            lambda: Particulars(clip_to_input=1),
            TypeError,
            "clip_to_input must be True or False; got 1",
        ),
        (
            lambda: Arithmetic(weight_rounding="half_even"),
            ValueError,
            "weight_rounding goes with weight_bits and only with it; "
            "got weight_rounding='half_even'",
        ),
        (
            lambda: Arithmetic(weight_bits=11),
            ValueError,
            "weight_bits needs weight_rounding; got weight_rounding=None",
        ),
        (lambda: Convention(name=3), TypeError, "name must be a str; got 3"),
        (
            lambda: Convention(name="mine", spec="linear"),
            TypeError,
            "spec must be a Spec; got 'linear'",
        ),
        (
            lambda: Convention(name="mine", arithmetic={"uint9": Arithmetic()}),
            ValueError,
            f"a key of arithmetic must be one of {listed(DTYPES)}; got 'uint9'; "
            "did you mean 'uint8'?",
        ),
        (
            lambda: Convention(name="mine", arithmetic={"uint8.grows": Arithmetic()}),
            ValueError,
            "the ending of arithmetic['uint8.grows'] must be one of 'any_grows', "
            "'all_halve', 'unchanged'; got 'grows'; did you mean 'any_grows'?",
        ),
        (
            lambda: Convention(name="mine", arithmetic={"uint8": "half_up"}),
            TypeError,
            "arithmetic['uint8'] must be an Arithmetic; got 'half_up'",
        ),
        (
            lambda: Convention(name="mine", arithmetic=Arithmetic()),
            TypeError,
            f"arithmetic must be a Mapping; got {Arithmetic()!r}",
        ),
        (
            lambda: Convention.from_json('{"name": "mine", "spec": "linear"}'),
            TypeError,
            "spec must be a Mapping; got 'linear'",
        ),
    ],
)
def test_the_message_says_all(call, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        call()


def test_a_readers_kernel_takes_no_parameter_of_a_named_one():
    mine = Kernel("mine", 1.0, lambda d: 1 - abs(d))
    assert Spec(kernel=mine).kernel is mine
    with pytest.raises(ValueError, match="lobes goes with kernel='lanczos'"):
        Spec(kernel=mine, lobes=2)


def test_windows_have_no_parameters():
    assert not set(PICKING) & set(PARAMETERS)
