"""What every part of the package refuses, and its words: one list.

A call stands in a line; below it, the exception and all that it says.
"""

import dataclasses
from string import Template

import numpy as np
import pytest
from told import blocks

import resizelab
from resizelab import axis, checks, drift, geometry, measure
from resizelab.arrays import sizes
from resizelab.axis import (
    Arithmetic,
    Convention,
    Particulars,
    Spec,
    boundary,
    choices,
    convention,
    grid,
    kernel,
    particulars,
    positions,
    recipe,
    spec,
)
from resizelab.axis.spec import Axis


def operator(spec, n_in, n_out, scale=None, particulars=None, roi=None):
    """Return the operator of an axis that the recipe itself makes."""
    own = particulars or Particulars()
    return recipe.weights(Axis.of_call(n_in, n_out, spec, own, scale, roi))


TWO = ((0.0, 1.0), (0.0, 2.0))
# The names that the calls below use, beside those of the package's rooms.
NAMES = {
    name: value
    for room in (axis, sizes, checks, geometry, drift, grid, kernel, resizelab)
    for name, value in vars(room).items()
} | {
    "np": np,
    "checks": checks,
    "measure": measure,
    "operator": operator,
    "sizes": sizes,
    "X": np.arange(12.0).reshape(3, 4),
    "LINE": np.arange(4.0),
    "HUGE": 2**31 - 1,
    "HALF": Spec(),
    "CORNERS": Spec(grid="align_corners"),
    "SAMPLE": geometry.place(Spec(), (4, 6), (8, 8)),
    "TWO_REGIONS": Convention(name="c", spec=Spec(grid="box"), roi=TWO),
}
# What a message lists, or shows, in full.
LISTED = {
    "KERNELS": kernel.KERNELS,
    "FUNCTIONS": kernel.PARAMETERS,
    "BOUNDARIES": boundary.BOUNDARIES,
    "GRIDS": grid.GRIDS,
    "POSITIONS": positions.POSITION_ARITHMETICS,
    "DTYPES": convention.DTYPES,
    "NEAREST_MODES": spec.NEAREST_MODES,
    "PREFILTERS": choices.PREFILTERS,
    "SIZE_RULES": particulars.SIZE_RULES,
    "STEP_FROM": spec.STEP_FROM,
}
SHOWN = {
    "ARITHMETIC": repr(Arithmetic()),
    "FIELDS": ", ".join(f.name for f in dataclasses.fields(Spec)),
    "PARTICULARS": ", ".join(f.name for f in dataclasses.fields(Particulars)),
    **{name: ", ".join(map(repr, values)) for name, values in LISTED.items()},
}
WORDS = blocks(r"""
checks.one_of("grid", "half", ("half_pixel", "asymmetric"))
    ValueError: grid must be one of 'half_pixel', 'asymmetric'; got 'half'; did you
    mean 'half_pixel'?
checks.one_of("grid", None, ("half_pixel",))
    ValueError: grid must be one of 'half_pixel'; got None
checks.flag("antialias", 1)
    TypeError: antialias must be True or False; got 1
checks.size("n_in", True)
    TypeError: n_in must be a whole number of pixels; got True
checks.size("n_in", 4.0)
    TypeError: n_in must be a whole number of pixels (an int); got 4.0
checks.size("n_in", 0)
    ValueError: n_in must be from 1 to 2147483647; got 0
checks.size("n_in", 2**31)
    ValueError: n_in must be from 1 to 2147483647; got 2147483648
checks.number("a", "-0.5")
    TypeError: a must be a number; got '-0.5'
checks.number("a", True)
    TypeError: a must be a number; got True
checks.number("a", 1j)
    TypeError: a must be a number; got 1j
checks.number("a", float("nan"))
    ValueError: a must be finite; got nan
checks.positive("scale", 0)
    ValueError: scale must be greater than 0; got 0
checks.pair("roi", (1, 2, 3))
    ValueError: roi must be two numbers; got (1, 2, 3)
checks.pair("roi", (0, float("inf")))
    ValueError: roi must be finite; got inf
checks.belongs("a", -0.5, "kernel='cubic'", applies=False)
    ValueError: a goes with kernel='cubic' and only with it; got a=-0.5
checks.belongs("a", None, "kernel='cubic'", applies=True)
    ValueError: kernel='cubic' needs a; got a=None

kernel("bicubic", a=-0.5)
    ValueError: kernel must be one of $FUNCTIONS; got 'bicubic'; did you mean
    'cubic'?
kernel("cubic", lobes=3)
    TypeError: kernel 'cubic' takes a, b, c; got lobes=3
kernel("linear", a=-0.5)
    TypeError: kernel 'linear' takes no parameter; got a=-0.5
kernel("cubic")
    TypeError: kernel 'cubic' needs a, or b and c; got {}
kernel("cubic", a=-0.5, b=1)
    TypeError: kernel 'cubic' needs a, or b and c; got {'a': -0.5, 'b': 1}
kernel("lanczos")
    TypeError: kernel 'lanczos' needs lobes; got {}
Kernel("mine", 0, abs)
    ValueError: radius must be greater than 0; got 0
Kernel("mine", 1, 3)
    TypeError: fn must be callable; got 3
Kernel("mine", 1, lambda d: d[:2])(np.zeros(3))
    ValueError: kernel 'mine' must return one real number for each distance: shape
    (3,); got shape (2,) and dtype float64
Kernel("mine", 1, lambda d: d * 1j)(np.zeros(3))
    ValueError: kernel 'mine' must return one real number for each distance: shape
    (3,); got shape (3,) and dtype complex128
Kernel("mine", 1, lambda d: np.where(d == 0, np.nan, 1))(np.zeros(3))
    ValueError: kernel 'mine' must be finite within its radius 1; it is not at
    distance 0

Spec(kernel="linaer")
    ValueError: kernel must be one of $KERNELS; got 'linaer'; did you mean 'linear'?
Spec(grid="half-pixel")
    ValueError: grid must be one of $GRIDS; got 'half-pixel'; did you mean
    'half_pixel'?
Spec(boundary="replicate")
    ValueError: boundary must be one of $BOUNDARIES; got 'replicate'; it is called
    'edge' here
Spec(kernel="nearest", nearest_mode="round")
    ValueError: nearest_mode must be one of $NEAREST_MODES; got 'round'
Spec(kernel="nearest")
    ValueError: kernel='nearest' needs nearest_mode; got nearest_mode=None
Spec(a=-0.5)
    ValueError: a goes with kernel='cubic' and only with it; got a=-0.5
Spec(kernel="cubic")
    ValueError: kernel='cubic' needs a (often -0.5 or -0.75), or b and c; got
    a=None, b=None, c=None
Spec(kernel="cubic", a=-0.5, b=0.0, c=0.5)
    ValueError: kernel='cubic' needs a (often -0.5 or -0.75), or b and c; got
    a=-0.5, b=0.0, c=0.5
Spec(kernel="cubic", a="-0.5")
    TypeError: a must be a number; got '-0.5'
Spec(kernel="cubic", a=float("nan"))
    ValueError: a must be finite; got nan
Spec(kernel="lanczos")
    ValueError: kernel='lanczos' needs lobes; got lobes=None
Spec(kernel="lanczos", lobes=2.5)
    TypeError: lobes must be a whole number of pixels (an int); got 2.5
Spec(kernel="bspline", order=10)
    ValueError: order must be from 1 to 9; got 10
Spec(kernel="gaussian", sigma=0, cut=1)
    ValueError: sigma must be greater than 0; got 0
Spec(antialias="yes")
    TypeError: antialias must be True or False; got 'yes'
Spec(kernel="area", antialias=True)
    ValueError: antialias stretches a kernel; kernel='area' has none
Spec(fill=1.0)
    ValueError: fill goes with boundary='constant' and only with it; got fill=1.0
Spec(step_from="size")
    ValueError: step_from must be one of $STEP_FROM; got 'size'; did you mean
    'sizes'?
Spec(extrapolation=float("inf"))
    ValueError: extrapolation must be finite; got inf
Spec().replace(mode="linear")
    TypeError: Spec has no field 'mode'; did you mean 'order'?; fields: $FIELDS
Spec().replace(antialiased=True)
    TypeError: Spec has no field 'antialiased'; did you mean 'antialias'?; fields:
    $FIELDS
Particulars(size_rule="round")
    ValueError: size_rule must be one of $SIZE_RULES; got 'round'
Particulars(prefilter="gauss")
    ValueError: prefilter must be one of $PREFILTERS; got 'gauss'; did you mean
    'gaussian'?
Particulars(prefilter="box")
    ValueError: prefilter 'box' needs reduce_gap; got reduce_gap=None
Particulars(reduce_gap=2.0)
    ValueError: reduce_gap goes with prefilter 'box' and only with it; got
    reduce_gap=2.0
Particulars(fraction_bits=64)
    ValueError: fraction_bits must be from 1 to 52; got 64
Particulars(tie_epsilon=-1e-6)
    ValueError: tie_epsilon must be 0 or more; got -1e-06
Particulars(clip_to_input=1)
    TypeError: clip_to_input must be True or False; got 1
Arithmetic(weight_rounding="half_even")
    ValueError: weight_rounding goes with weight_bits and only with it; got
    weight_rounding='half_even'
Arithmetic(weight_bits=11)
    ValueError: weight_bits needs weight_rounding; got weight_rounding=None
Convention(name=3)
    TypeError: name must be a str; got 3
Convention(name="mine", spec="linear")
    TypeError: spec must be a Spec; got 'linear'
Convention(name="mine", arithmetic={"uint9": Arithmetic()})
    ValueError: a key of arithmetic must be one of $DTYPES; got 'uint9'; did you
    mean 'uint8'?
Convention(name="mine", arithmetic={"uint8.grows": Arithmetic()})
    ValueError: the ending of arithmetic['uint8.grows'] must be one of 'few_pixels',
    'any_grows', 'all_halve', 'unchanged'; got 'grows'; did you mean 'any_grows'?
Convention(name="mine", arithmetic={"uint8": "half_up"})
    TypeError: arithmetic['uint8'] must be an Arithmetic; got 'half_up'
Convention(name="mine", arithmetic=Arithmetic())
    TypeError: arithmetic must be a Mapping; got $ARITHMETIC
Convention.from_json('{"name": "mine", "spec": "linear"}')
    TypeError: spec must be a Mapping; got 'linear'

weights(Spec(), 4, 8).apply(np.arange(4))
    TypeError: x must hold floats; got dtype int64
weights(Spec(), 4, 8).apply(np.zeros(5))
    ValueError: axis 0 of x must have 4 pixels; got shape (5,)
weights(Spec(), 4, 8).apply(np.zeros((4, 4)), 2)
    ValueError: axis must be from -2 to 1; got 2
weights(Spec(), 4, 8).apply(np.zeros((4, 4)), 1.5)
    TypeError: axis must be an int; got 1.5
weights(Spec(), 4, 8).apply(np.zeros((4, 4)), True)
    TypeError: axis must be an int; got True
weights(Spec(), 4, 8) @ weights(Spec(), 4, 8)
    ValueError: operators compose where sizes meet; got (8, 4) @ (8, 4)
Weights([0, 1], [1.0, 1.0], 2)
    ValueError: index must hold ints of shape (n_out, taps); got shape (2,) and
    dtype int64
Weights([[0.5]], [[1.0]], 2)
    ValueError: index must hold ints of shape (n_out, taps); got shape (1, 1) and
    dtype float64
Weights([[0, 1]], [[1.0]], 2)
    ValueError: weight must have index's shape (1, 2); got (1, 1)
Weights([[-1, 2]], [[0.5, 0.5]], 2)
    ValueError: index must be from 0 to 1; got -1 to 2
Weights([[0]], [[1.0]], 2, [1.0, 2.0])
    ValueError: offset must have shape (1,); got (2,)

operator(Spec(step_from="scale"), 4, 8)
    ValueError: step_from='scale' needs scale; got scale=None
operator(Spec(), 4, 0)
    ValueError: n_out must be from 1 to 2147483647; got 0
operator(Spec(), 4, 8, scale=0.0)
    ValueError: scale must be greater than 0; got 0.0
operator(Spec(), 4, 8, roi=(0, 1))
    ValueError: roi goes with tf_crop_and_resize, box, translate,
    tf_half_pixel_for_nn; got grid='half_pixel'
operator(Spec(), 4, 8, particulars=Particulars(prefilter="bspline"))
    ValueError: prefilter 'bspline' needs kernel='bspline'
operator(Spec(kernel=Kernel("mine", 1, np.log)), 4, 4)
    ValueError: kernel 'mine' must be finite within its radius 1; it is not at
    distance -1

grid("half_pixels", 4, 8)
    ValueError: grid must be one of $GRIDS; got 'half_pixels'; did you mean
    'half_pixel'?
grid("half_pixel", 4, 8, coordinate_arithmetic="float16")
    ValueError: coordinate_arithmetic must be one of $POSITIONS; got 'float16';
    did you mean 'float64'?
grid("half_pixel", 4, 0)
    ValueError: n_out must be from 1 to 2147483647; got 0
grid("half_pixel", 4, 8, scale=-1)
    ValueError: scale must be greater than 0; got -1
grid("half_pixel", 4, 8, roi=(0, 1))
    ValueError: roi goes with tf_crop_and_resize, box, translate,
    tf_half_pixel_for_nn; got grid='half_pixel'
grid("box", 4, 8, roi=3)
    ValueError: roi must be two numbers; got 3
grid("half_pixel", 4, 8, scale=1e-300)
    ValueError: scale=1e-300 and roi=None put positions beyond 2**53 pixels, where a
    float64 has no fractions
grid("half_pixel", 4, 1, single_pixel="middle")
    ValueError: single_pixel must be one of 'first', 'centre', 'before_first'; got
    'middle'
grid("asymmetric", 4, 8, coordinate_arithmetic="float32_normalised")
    ValueError: coordinate_arithmetic='float32_normalised' goes with grid
    'half_pixel' or 'align_corners'; got grid='asymmetric'
grid("half_pixel", 4, 8, scale=2.0, coordinate_arithmetic="float32_normalised")
    ValueError: coordinate_arithmetic='float32_normalised' builds the grid from
    sizes alone; got scale=2.0
grid("half_pixel", 1, 8, coordinate_arithmetic="float32_fraction")
    ValueError: coordinate_arithmetic='float32_fraction' goes with grid
    'align_corners' or 'tf_crop_and_resize'; got grid='half_pixel'
grid("half_pixel", 1, 8, coordinate_arithmetic="float64_region")
    ValueError: coordinate_arithmetic='float64_region' goes with grid
    'align_corners' or 'tf_crop_and_resize'; got grid='half_pixel'

Spec(grid="free")
    ValueError: grid='free' needs phase; got phase=None
Spec(phase=0.5)
    ValueError: phase goes with grid='free' and only with it; got phase=0.5
Spec(kernel="windowed_sinc", lobes=3)
    ValueError: kernel='windowed_sinc' needs taper; got taper=None
Spec(kernel="windowed_sinc", lobes=3, taper="han")
    ValueError: taper must be one of 'none', 'lanczos', 'hamming', 'hann',
    'blackman', 'welch', 'cosine'; got 'han'; did you mean 'hann'?
Particulars(pyramid="cubic")
    ValueError: pyramid must be one of 'linear', 'nearest'; got 'cubic'
Particulars(blur_taps="five")
    ValueError: blur_taps must be one of 'four_sigma_a_side', 'four_sigma'; got
    'five'
Convention(name="mine", growing={"when": "never"})
    ValueError: growing['when'] must be one of 'axis', 'any', 'all', 'area'; got
    'never'
Convention(name="mine", growing={"kernell": "box"})
    TypeError: Particulars has no field 'kernell'; fields: $PARTICULARS

output_size(4, 2.0, "round")
    ValueError: rule must be one of $SIZE_RULES; got 'round'
output_size(4, 0.2, "floor")
    ValueError: scale=0.2 leaves no pixel of 4 under rule='floor'
output_size(100, 1e300, "floor")
    ValueError: scale=1e+300 makes more than 2147483647 pixels of 100
output_size(100, 1.7e308, "half_up")
    ValueError: scale=1.7e+308 makes more than 2147483647 pixels of 100
output_size(4, float("nan"), "floor")
    ValueError: scale must be finite; got nan
sizes.per_axis("scale", (1, 2, 3), 2)
    ValueError: scale must be one number or 2, one an axis; got (1, 2, 3)
axis_numbers((0, 0), (1, 1), (4, 4))
    ValueError: axes must differ; got axes=(0, 0)
axis_numbers((0, -2), (1, 1), (4, 4))
    ValueError: axes must differ; got axes=(0, -2)

resize(np.zeros((2, 3)))
    ValueError: give shape, scale or both; got neither
weights(Convention(name="two", spec=Spec(step_from="scale"), scale=(2.0, 3.0)), 4, 8)
    ValueError: two carries one scale an axis, (2.0, 3.0): say which axis is meant
    with scale=…
resize(np.zeros((2, 3, 4)), (2, 3, 4), TWO_REGIONS)
    ValueError: the convention carries 2 regions, one an axis; got 3 axes

Spec(grid="align-corners")
    ValueError: grid must be one of $GRIDS; got 'align-corners'; did you mean
    'align_corners'?
Spec(kernel="bilinear")
    ValueError: kernel must be one of $KERNELS; got 'bilinear'; did you mean
    'linear'?
Spec(kernel=3)
    ValueError: kernel must be one of $KERNELS; got 3
Spec(kernel=abs)
    ValueError: kernel must be one of $KERNELS; got <built-in function abs>
Spec(boundary="zeros")
    ValueError: boundary must be one of $BOUNDARIES; got 'zeros'; it is called
    'constant' here
Spec(boundary="EDGE")
    ValueError: boundary must be one of $BOUNDARIES; got 'EDGE'
Spec(align_corners=True)
    TypeError: Spec.__init__() got an unexpected keyword argument 'align_corners'
resize(X, (0, 4))
    ValueError: shape must be from 1 to 2147483647; got 0
resize(X, (3, -4))
    ValueError: shape must be from 1 to 2147483647; got -4
resize(X, (3, 4.5))
    TypeError: shape must be a whole number of pixels (an int); got 4.5
resize(X, (3, 8.0))
    TypeError: shape must be a whole number of pixels (an int); got 8.0
resize(X, (3, True))
    TypeError: shape must be a whole number of pixels; got True
resize(LINE, np.array([True]))
    TypeError: shape must be a whole number of pixels; got np.True_
resize(LINE, "8")
    TypeError: shape must be a whole number of pixels (an int); got '8'
resize(LINE, float("nan"))
    TypeError: shape must be a whole number of pixels (an int); got nan
resize(X, (8,))
    ValueError: shape must have one size for each of the 2 axes of x, or come with
    axes=…; got shape=(8,)
resize(X, 8)
    ValueError: shape must have one size for each of the 2 axes of x, or come with
    axes=…; got shape=8
resize(X, (8, 8, 3))
    ValueError: shape must have one size for each of the 2 axes of x, or come with
    axes=…; got shape=(8, 8, 3)
resize(X, ())
    ValueError: shape must have one size for each of the 2 axes of x, or come with
    axes=…; got shape=()
resize(X, (8, 8), axes=0)
    ValueError: shape must have one size for each of axes=0; got shape=(8, 8)
resize(X)
    ValueError: give shape, scale or both; got neither
resize(X, 8, axes=2)
    ValueError: axes must be from -2 to 1 for x with 2 axes; got axes=2
resize(X, (8, 8), axes=(1, -1))
    ValueError: axes must differ; got axes=(1, -1)
resize(X, 8, axes=1.0)
    TypeError: axes must be ints; got 1.0 in axes=1.0
resize(X, 8, axes="w")
    TypeError: axes must be ints; got 'w' in axes='w'
weights(Spec(), 0, 4)
    ValueError: n_in must be from 1 to 2147483647; got 0
weights(Spec(), 4, 10**12)
    ValueError: n_out must be from 1 to 2147483647; got 1000000000000
resize(X, scale=float("nan"))
    ValueError: scale must be finite; got nan
resize(X, (3, 4), scale=float("inf"))
    ValueError: scale must be finite; got inf
resize(X, scale=0)
    ValueError: scale must be greater than 0; got 0
resize(X, scale=(2, -1))
    ValueError: scale must be greater than 0; got -1
resize(X, scale="2")
    TypeError: scale must be a number; got '2'
resize(X, scale=True)
    TypeError: scale must be a number; got True
resize(X, scale=2 + 0j)
    TypeError: scale must be a number; got (2+0j)
resize(X, scale=(2, 2, 2))
    ValueError: scale must be one number or 2, one an axis; got (2, 2, 2)
resize(X, scale=0.3)
    ValueError: scale=0.3 leaves no pixel of 3 under rule='floor'
resize(X, scale=1e300)
    ValueError: scale=1e+300 makes more than 2147483647 pixels of 3
resize(X, (6, 8), Spec(step_from="scale"))
    ValueError: step_from='scale' needs scale; got scale=None
resize(LINE, 3, Spec(step_from="scale"), scale=1e-200)
    ValueError: scale=1e-200 and roi=None put positions beyond 2**53 pixels, where a
    float64 has no fractions
resize(np.zeros((0, 4)), (2, 4))
    ValueError: axis 0 of x is empty (shape (0, 4)): nothing to read
resize(3.0, 4)
    ValueError: x has no axis to resize: it is a single number
resize(np.array(3.0), ())
    ValueError: x has no axis to resize: it is a single number
resize(None, 4)
    TypeError: x must hold numbers (floats or integers); got object
resize(LINE.astype(object), 8)
    TypeError: x must hold numbers (floats or integers); got object
resize(["a", "b"], 4)
    TypeError: x must hold numbers (floats or integers); got <U1
resize(LINE * 1j, 8)
    TypeError: x must hold numbers (floats or integers); got complex128
resize(LINE > 1, 8)
    TypeError: x must hold numbers (floats or integers); got bool
resize(np.zeros(4, "M8[s]"), 8)
    TypeError: x must hold numbers (floats or integers); got datetime64[s]
resize(np.ma.masked_less(LINE, 1), 8)
    TypeError: x is a masked array: a resize has no rule for masks; fill it
resize(LINE, 8, find("keras.layers.Resizing", crop_to_aspect_ratio=True))
    ValueError: keras.resizing.bilinear.crop_to_aspect_ratio keeps an aspect: it takes
    a shape of two axes and no scale; got 1 axes, shape=[8], scale=None
resize([0, 10, 20, 30], 8)
    TypeError: x has dtype int64: how integers are rounded is a choice of its own,
    and 'spec' has no Arithmetic for it (it has: none). Convert x to float32 first,
    or use a convention with an Arithmetic for int64
resize(X, (HUGE, HUGE))
    MemoryError: cannot allocate a result of shape (2147483647, 2147483647) and
    dtype float64
resize(np.zeros((1,) * 5), (HUGE,) * 5)
    MemoryError: cannot allocate a result of shape (2147483647, 2147483647,
    2147483647, 2147483647, 2147483647) and dtype float64
resize(LINE, 8, 42)
    TypeError: spec must be a Spec, a Convention or a convention's name; got int
weights(Spec, 4, 8)
    TypeError: spec must be a Spec, a Convention or a convention's name; got type

SAMPLE.points([1, 2, 3])
    ValueError: points must have shape (..., 2); got (3,)
SAMPLE.points(["a", "b"])
    TypeError: points must hold numbers; got ['a', 'b']
SAMPLE.points([1, 2], "corner")
    ValueError: origin must be one of 'centre_at_integer', 'centre_at_half'; got
    'corner'
SAMPLE.points([1, 2], "centre_at_halves")
    ValueError: origin must be one of 'centre_at_integer', 'centre_at_half'; got
    'centre_at_halves'; did you mean 'centre_at_half'?
SAMPLE.points([1, 2], order="yx")
    ValueError: order must be one of 'array', 'xy'; got 'yx'; did you mean 'xy'?
SAMPLE.boxes([1, 2, 3, 4], "coco")
    ValueError: form must be one of 'xyxy_edges', 'xyxy_inclusive', 'xywh'; got
    'coco'; it is called 'xywh' here
SAMPLE.boxes([1, 2, 3], "xywh")
    ValueError: boxes must have shape (..., 4); got (3,)
place(HALF, (4,), (8,)).boxes([0, 0, 1, 1], "xywh")
    ValueError: boxes have two axes; this placement has 1
place(HALF, (4,), (8,)).intrinsics(np.eye(3), "centre_at_integer")
    ValueError: a camera has two axes; this placement has 1
SAMPLE.intrinsics([[1, 0], [0, 1]], "centre_at_integer")
    ValueError: k must be 3 x 3 with the last row 0 0 1: fx, skew, cx; 0, fy, cy;
    got [[1, 0], [0, 1]]
SAMPLE.mask(np.zeros((6, 4)))
    ValueError: mask must have the shape (4, 6); got (6, 4)
SAMPLE.then(SAMPLE)
    ValueError: other must begin with the shape (8, 8) that this ends with; it
    begins with (4, 6)
place(CORNERS, (4,), (1,)).points([1.0])
    ValueError: axis 0 has step 0: all its outputs read position 0, so no other
    point of it has a place
Placement((1.0,), (0.0, 0.0), (4,), (4,))
    ValueError: a placement needs one number an axis; got {'step': 1, 'start': 2,
    'shape_in': 1, 'shape_out': 1}
Placement((-1.0,), (3.0,), (4,), (4,))
    ValueError: step must be 0 or more; got (-1.0,)
place(HALF, 5, (8, 8))
    TypeError: shape_in must be a sequence; got 5
place(HALF)
    TypeError: shape_in must be a sequence; got None
place("torch.bilinear", (4,), (8,))
    TypeError: choice must be a Spec, a Convention, a Grid or a list of Grids; got
    'torch.bilinear'. A name is looked up with resizelab.convention
place(grid("half_pixel", 4, 8), (4,), (8,))
    ValueError: a Grid knows its sizes: give it alone
crop((4, 6), (0, 0, 7, 4), "xyxy_edges")
    ValueError: box must lie within the picture of 4 rows and 6 columns and hold a
    pixel; got (0, 0, 7, 4) as xyxy_edges
crop((4, 6), (0, 0, 2.5, 4), "xyxy_edges")
    ValueError: box must lie on whole pixels: a crop copies them; got (0, 0, 2.5,
    4). For a region with fractions, use a grid that takes one (box)
crop((4, 6), [(0, 0, 2, 4)], "xyxy_edges")
    ValueError: box must be four numbers; got [(0, 0, 2, 4)]
crop((4, 6, 3), (0, 0, 2, 4), "xyxy_edges")
    ValueError: shape_in must have two sizes; got (4, 6, 3)
from_matrix([[0, 1, 0], [1, 0, 0], [0, 0, 1]], (4, 4), (4, 4), "centre_at_integer")
    ValueError: matrix must only scale (by more than 0) and translate: a resize does
    not rotate, shear or flip; got [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0,
    1.0]]
from_matrix(np.eye(3), (4,), (4,), "centre_at_integer")
    ValueError: matrix must be 2 x 2 for 1 axes; got (3, 3)
from_scale_and_translation([0.0], [0.0], (4,), (8,))
    ValueError: scale must be greater than 0; got [0.0]
flow(np.zeros((4, 4, 3)), (8, 8))
    ValueError: field must hold floats of shape (*sizes, rank): one number an axis
    in every pixel; got shape (4, 4, 3) and dtype float64

measure.dice([1, 0], [1, 0, 1])
    ValueError: truth and mask must have one shape; got (2,) and (3,)
measure.iou([0, 0], [0, 0])
    ValueError: truth and mask are both empty: nothing to compare
measure.mean_iou([], [])
    ValueError: truth and labels are empty; got shape (0,)
measure.difference([1, 2], [1, 2, 3])
    ValueError: a and b must have one shape; got (2,) and (3,)
measure.difference([], [])
    ValueError: a and b are empty; got shape (0,)
measure.difference([1], [1], level="one")
    TypeError: level must be a number; got 'one'
measure.cosine([0, 0], [1, 2])
    ValueError: the cosine of an array of zeros is not defined
measure.operator_difference(Weights.identity(3), Weights.identity(4))
    ValueError: operators must have one shape; got (3, 3) and (4, 4)
measure.local_shift(np.zeros((2, 3)), np.zeros((2, 3)))
    ValueError: before must have one axis; got shape (2, 3)
measure.local_shift([1.0], [1.0])
    ValueError: before must have at least 2 samples; got 1
measure.local_shift(np.zeros(9), np.zeros(9), window=0)
    ValueError: window must be from 1 to 2147483647; got 0

chain(HALF, 0, [8])
    ValueError: n must be from 1 to 2147483647; got 0
chain(HALF, 4, [8, 2.5])
    TypeError: sizes must be a whole number of pixels (an int); got 2.5
doubling(HALF, 4, 0)
    ValueError: steps must be from 1 to 2147483647; got 0
doubling(HALF, 4, True)
    TypeError: steps must be a whole number of pixels; got True
chain([HALF, HALF], 4, [8, 16, 32])
    ValueError: spec must be one Spec, or one for each of the 3 sizes; got 2
movement(Weights.from_dense(np.zeros((2, 2))))
    ValueError: no output of the operator (2, 2) reads the input: it moves nothing
""")


@pytest.mark.filterwarnings("ignore:(divide by zero|invalid value):RuntimeWarning")
@pytest.mark.parametrize("call", WORDS)
def test_what_is_refused_is_refused_in_these_words(call):
    kind, said = Template(WORDS[call]).substitute(SHOWN).split(": ", 1)
    with pytest.raises((ValueError, TypeError, MemoryError)) as told:
        eval(call, NAMES)
    assert (type(told.value).__name__, str(told.value)) == (kind, said)
    # No half-finished work stands behind the message.
    assert not isinstance(told.value.__context__, AssertionError)
