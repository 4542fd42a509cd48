"""The one-axis operator: a banded matrix that can be applied, composed and shown."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.axis import banded, native, shaded, sparse
from resizelab.axis.sparse import NEGLIGIBLE
from resizelab.checks import FloatArray, IndexArray

SMALL_WORK = 2**14  # products: for so few, cutting the operator into blocks is slower


@dataclass(frozen=True, eq=False)
class Weights:
    """A resize of one axis: out[i] = sum_k weight[i, k] * x[index[i, k]] (+ offset[i]).

    Parameters
    ----------
    index : (n_out, taps) int array
        Which input pixels each output reads.
    weight : (n_out, taps) float64 array
        How much of each.
    n_in : int
        Pixels of the axis before the resize.
    offset : (n_out,) float64 array, optional
        A constant added to each output, where the outside has a value of its own.

    >>> import resizelab as rl
    >>> rl.weights(rl.Spec(), 4, 8) @ np.array([0.0, 10.0, 20.0, 30.0])
    array([ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ])
    """

    index: IndexArray
    weight: FloatArray
    n_in: int
    offset: FloatArray | None = None
    _cut: dict[Any, tuple[banded.Block, ...]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Check the shapes and the indices, and keep read-only views of the arrays."""
        try:
            index, weight = np.asarray(self.index), np.asarray(self.weight, np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(f"index and weight must hold numbers: {error}") from None
        n = checks.size("n_in", self.n_in)
        if index.dtype.kind not in "iu" or index.ndim != 2 or index.size == 0:
            raise ValueError(
                "index must hold ints of shape (n_out, taps); got shape "
                f"{index.shape} and dtype {index.dtype}"
            )
        if weight.shape != index.shape:
            raise ValueError(
                f"weight must have index's shape {index.shape}; got {weight.shape}"
            )
        if index.min() < 0 or index.max() >= n:
            raise ValueError(
                f"index must be from 0 to {n - 1}; got {index.min()} to {index.max()}"
            )
        kept = {"index": index.astype(np.intp, copy=False), "weight": weight}
        if self.offset is not None:
            n_out = len(index)
            kept["offset"] = checks.last_axis("offset", self.offset, n_out, one=True)
        for name, array in kept.items():
            view = array.view()
            view.flags.writeable = False  # operators are shared by a cache
            object.__setattr__(self, name, view)

    def __reduce__(self) -> Any:
        """Copy and pickle by value; the copy's arrays are read-only too."""
        return Weights, (self.index, self.weight, self.n_in, self.offset)

    def __eq__(self, other: object) -> bool:
        """Say whether two operators read the same pixels with the same weights."""
        if not isinstance(other, Weights):
            return NotImplemented
        return self.n_in == other.n_in and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("index", "weight", "offset")
        )

    def __hash__(self) -> int:
        """Return a number that equal operators share."""
        return self._number

    @cached_property
    def _number(self) -> int:
        return hash((self.n_in, self.index.shape, self.index.tobytes()))

    @property
    def n_out(self) -> int:
        """Pixels of the axis after the resize."""
        return int(self.index.shape[0])

    @property
    def shape(self) -> tuple[int, int]:
        """(n_out, n_in), as of the matrix."""
        return self.n_out, self.n_in

    @classmethod
    def identity(cls, n: int) -> "Weights":
        """Return the operator that copies an axis of n pixels."""
        return cls(np.arange(checks.size("n", n))[:, None], np.ones((n, 1)), n)

    @classmethod
    def from_dense(
        cls, matrix: FloatArray, offset: FloatArray | None = None
    ) -> "Weights":
        """Return the operator of an (n_out, n_in) matrix, keeping what is not zero.

        >>> Weights.from_dense(np.eye(3)).index.ravel()
        array([0, 1, 2])
        """
        matrix = checks.numbers("matrix", matrix, 2)
        every = np.broadcast_to(np.arange(matrix.shape[1]), matrix.shape)
        return cls(*sparse.merged(every, matrix), int(matrix.shape[1]), offset)

    @classmethod
    def stacked(cls, parts: Iterable["Weights"], n_out: int) -> "Weights":
        """Return operators on one axis below each other, ``n_out`` outputs in all."""
        offsets: list[FloatArray] = []
        n_in = [0]

        def taps() -> Iterator[sparse.Taps]:
            for part in checks.made("parts", parts, iter, "be a sequence"):
                n_in[0] = checks.a("parts", part, Weights).n_in
                offsets.extend([] if part.offset is None else [part.offset])
                yield part.index, part.weight

        made = sparse.stacked(taps(), checks.size("n_out", n_out))
        return cls(*made, n_in[0], np.concatenate(offsets) if offsets else None)

    def trimmed(self) -> "Weights":
        """Return the operator without the columns that only weights of zero need."""
        used = self.weight != 0
        taps = max(1, int(used.sum(1).max()))
        if taps == used.shape[1]:
            return self
        # A stable sort puts what is used first and keeps its order.
        first = np.argsort(~used, axis=1, kind="stable")[:, :taps]
        index = np.take_along_axis(self.index, first, 1)
        weight = np.take_along_axis(self.weight, first, 1)
        # What only fills a row up would widen the band: point it inside.
        index = np.where(weight == 0, index[:, :1], index)
        return Weights(index, weight, self.n_in, self.offset)

    @cached_property
    def merged(self) -> "Weights":
        """The operator with one tap a pixel: those that read the same pixel add up."""
        kept = sparse.merged(self.index, self.weight)
        return Weights(*kept, self.n_in, self.offset)

    def dense(self) -> FloatArray:
        """Return the (n_out, n_in) matrix.

        >>> import resizelab as rl
        >>> rl.weights(rl.Spec(), 2, 4).dense()
        array([[1.  , 0.  ],
               [0.75, 0.25],
               [0.25, 0.75],
               [0.  , 1.  ]])
        """
        return sparse.dense(self.index, self.weight, self.n_in)

    @property
    def offsets(self) -> FloatArray:
        """What is added to each output: 0 where nothing from outside takes part."""
        return np.zeros(self.n_out) if self.offset is None else self.offset

    def row_sums(self) -> FloatArray:
        """Return the sum of each row: 1 where a flat input stays flat."""
        total: FloatArray = self.weight.sum(1)
        return total

    def centroids(self) -> FloatArray:
        """Return where each output reads on average, in input pixels (NaN: nowhere)."""
        moment = (self.weight * self.index).sum(1)
        total = self.row_sums()
        nowhere = np.full_like(total, np.nan)
        mean: FloatArray = np.divide(moment, total, out=nowhere, where=total != 0)
        return mean

    @property
    def T(self) -> "Weights":  # noqa: N802  (the matrix's own word)
        """The transpose: what a gradient goes through. An offset has no part in it."""
        made = sparse.transposed(self.index, self.weight, self.n_in)
        return Weights(*made, self.n_out)

    def __matmul__(self, other: Any) -> Any:
        """Compose with another operator, or apply to an array as a matrix would."""
        if isinstance(other, Weights):
            return self.after(other)
        x = other if native.library_of(other) else np.asarray(other)
        return self.apply(x, axis=0 if x.ndim == 1 else -2)

    def after(self, first: "Weights") -> "Weights":
        """Return the operator that does ``first`` and then this one."""
        if checks.a("first", first, Weights).n_out != self.n_in:
            raise ValueError(
                f"operators compose where sizes meet; got {self.shape} @ {first.shape}"
            )
        offset = self.offset if first.offset is None else self.apply(first.offset)
        kept = sparse.composed(self.index, self.weight, first.index, first.weight)
        return Weights(*kept, first.n_in, offset)

    def apply(self, x: Any, axis: int = 0) -> Any:
        """Return ``x`` resized along ``axis``; its float dtype is kept.

        An array of torch, JAX or CuPy gives one of its library, on its device.

        >>> import resizelab as rl
        >>> rl.weights(rl.Spec(), 2, 4).apply(np.eye(2), axis=1)
        array([[1.  , 0.75, 0.25, 0.  ],
               [0.  , 0.25, 0.75, 1.  ]])
        """
        library = None if type(x) is np.ndarray else native.library_of(x)
        x = np.asarray(x) if library is None else x
        kind = x.dtype.kind if library is None else native.kind(x)
        if kind != "f" and not self.picks:
            raise TypeError(f"x must hold floats; got dtype {x.dtype}")
        if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
            raise TypeError(f"axis must be an int; got {axis!r}")
        if not -x.ndim <= axis < x.ndim:
            raise ValueError(f"axis must be from {-x.ndim} to {x.ndim - 1}; got {axis}")
        axis %= x.ndim
        if x.shape[axis] != self.n_in:
            raise ValueError(
                f"axis {axis} of x must have {self.n_in} pixels; got shape {x.shape}"
            )
        if library is not None:
            return native.apply(library, self, x, axis - x.ndim)
        if self.index.shape[1] == 1 and self.picks:
            return np.take(x, self.index[:, 0], axis)
        if x.size // self.n_in * self.index.size <= SMALL_WORK:
            return self._summed(x, axis)
        out = np.empty((*x.shape[:axis], self.n_out, *x.shape[axis + 1 :]), x.dtype)
        banded.fill(self, x, out, axis)
        return out

    def _summed(self, x: NDArray[Any], axis: int) -> NDArray[Any]:
        """Return ``x`` resized tap by tap, in the plainest way; for small arrays."""
        work = np.float64 if x.dtype.itemsize > 4 else np.float32
        last = [1] * (x.ndim - axis - 1)
        weight = self.weight.astype(work).reshape(*self.index.shape, *last)
        with np.errstate(invalid="ignore"):  # NaN in, NaN out is no news
            # A tap of weight zero reads nothing: zero times infinity is NaN.
            product = np.take(x.astype(work), self.index, axis) * weight
            y: NDArray[Any] = np.where(weight, product, 0).sum(axis + 1)
        if self.offset is not None:
            y += self.offset.astype(work).reshape(-1, *last)
        return y.astype(x.dtype)

    def blocks(self, size: int, depth: int, dtype: Any) -> tuple[banded.Block, ...]:
        """Return the operator in blocks of outputs, ``depth`` numbers a pixel; kept."""
        key = size, depth, dtype
        if key not in self._cut:
            index, weight = self.index, self.weight
            if depth > 1:
                index, weight = banded.spread(index, weight, depth)
            self._cut[key] = banded.blocks(index, weight, size * depth, dtype)
        return self._cut[key]

    @cached_property
    def read(self) -> IndexArray:
        """The pixels that outputs read, in order: a whole run where that is short."""
        first, last = int(self.index.min()), int(self.index.max())
        if last - first < self.index.size:
            return np.arange(first, last + 1)
        return np.unique(self.index)

    @property
    def narrowed(self) -> "Weights":
        """The operator on the pixels of `read` alone."""
        read, place = self.read, self.index - self.read[0]
        if read[-1] - read[0] >= len(read):
            place = np.searchsorted(read, self.index)
        return Weights(place, self.weight, len(read), self.offset)

    @cached_property
    def picks(self) -> bool:
        """True if each output copies one input (nearest): any dtype will do."""
        one = self.index.shape[1] == 1 and self.offset is None
        return one and bool(np.all(self.weight == 1))

    @cached_property
    def is_identity(self) -> bool:
        """True if the output equals the input whatever the input is."""
        if self.n_in != self.n_out or self.offset is not None:
            return False
        diagonal = self.index == np.arange(self.n_out)[:, None]
        share = np.where(diagonal, self.weight, 0.0).sum(1)
        others = np.where(diagonal, 0.0, self.weight)
        return bool(np.all(abs(others) < NEGLIGIBLE) and np.all(share == 1))

    def _repr_html_(self) -> str:
        """Return the matrix as a shaded table, for notebooks."""
        return shaded.table(self.index, self.weight, self.n_in)
