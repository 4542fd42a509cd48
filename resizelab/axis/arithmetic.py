"""What happens to integers, and to floats of another type than the result's."""

from collections.abc import Collection
from dataclasses import dataclass

from resizelab import checks
from resizelab.axis.choices import PREFILTERS, SHORTCUTS, Choices
from resizelab.axis.positions import POSITION_ARITHMETICS

OUTPUT_DTYPES = (
    "float32",
    "float64",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "int64",
    "uint32",
    "uint64",
)
ACCUMULATORS = (
    "float32",
    "float64",
    "float32_lerp",
    "float32_joint",
    "float32_halved",
    "float32_successive",
)

CLOSED: dict[str, Collection[str]] = {
    "weight_rounding": ("half_away", "half_even", "truncate"),
    "edge_taps": ("merged", "separate"),
    "accumulator": ACCUMULATORS,
    "between_passes": ("round", "keep", "staged", "clip_high"),
    "sum_rounding": ("half_up", "half_even", "half_away", "truncate"),
    "pass_order": ("width_first", "height_first", "fewest_rows"),
    "shortcut": SHORTCUTS,
    "coordinate_arithmetic": POSITION_ARITHMETICS,
    "output_dtype": OUTPUT_DTYPES,
    "clip_dtype": OUTPUT_DTYPES,
}


@dataclass(frozen=True, kw_only=True)
class Arithmetic(Choices):
    """What happens to integers: fixed-point weights, rounding, clipping, pass order.

    Parameters
    ----------
    weight_bits : int or "fit_int16"
        Weights are stored as integers times 2**-bits; ``fit_int16`` takes the most
        bits (up to 22) that let the largest weight fit 16 bits; None keeps floats.
    weight_rounding : str
        half_away, half_even or truncate; with weight_bits.
    edge_taps : str
        ``merged``: taps that the boundary rule sends to one pixel are added before
        weights are rounded; ``separate``: each is rounded by itself.
    accumulator : str
        float32 or float64, where weights are floats; integers add exactly. Of two taps
        an axis, the order too: ``float32_lerp``, a + (b - a) * w, one axis after the
        other; ``float32_joint``, both axes at once, value * (w * w), row by row;
        ``float32_halved``, the same, a last pixel that is read alone counting as two
        halves; ``float32_successive``, value * w * w, column by column.
    between_passes : str
        ``round``: back to the integer type after each axis; ``keep``: not;
        ``staged``: the first axis drops 4 bits, each product of the second 16;
        ``clip_high``: not rounded, but cut at the type's largest value (FFmpeg).
    sum_rounding : str
        half_up, half_even, half_away or truncate.
    pass_order : str
        width_first, height_first, or fewest_rows: height first if and only if rows
        shrink by more than twice as many pixels as columns.
    shortcut, coordinate_arithmetic, prefilter
        As in `Particulars`, where this dtype's path has one of its own.
    unit_range : bool
        Integers are first divided by the largest value of their type.
    output_dtype : str
        NumPy name of the result's type; None keeps the input's. Integers are clipped.
    clip_dtype : str
        The type to whose range sums are clipped where it is not the result's; what the
        result cannot hold then wraps round.
    """

    weight_bits: int | str | None = None
    weight_rounding: str | None = None
    edge_taps: str = "merged"
    accumulator: str = "float32"
    between_passes: str = "keep"
    sum_rounding: str = "half_even"
    pass_order: str = "width_first"
    shortcut: str | None = None
    coordinate_arithmetic: str | None = None
    prefilter: tuple[str, ...] | None = None
    unit_range: bool = False
    output_dtype: str | None = None
    clip_dtype: str | None = None

    def __post_init__(self) -> None:
        """Validate every field."""
        if isinstance(self.weight_bits, str):
            checks.one_of("weight_bits", self.weight_bits, ("fit_int16",))
        elif self.weight_bits is not None:
            checks.size("weight_bits", self.weight_bits)
        fixed = self.weight_bits is not None
        checks.belongs("weight_rounding", self.weight_rounding, "weight_bits", fixed)
        self._check_sets(CLOSED)
        if self.prefilter is not None:
            for name in self.prefilter:
                checks.one_of("prefilter", name, PREFILTERS)
            object.__setattr__(self, "prefilter", tuple(self.prefilter))
