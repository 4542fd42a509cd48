"""The small binary box that carries operators from Python to the page.

Layout, before gzip: four bytes with the header's length (little endian), the
header as JSON, zeros up to a multiple of eight, then the arrays.  The header holds
``arrays`` (key → [dtype, shape, offset]), ``n_in`` (key → input pixels, for
operators) and ``meta`` (anything else that is JSON).  Equal arrays are stored once.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights

# What a browser has a typed array for, in the letters both sides use.
_DTYPES = {"f8": "<f8", "f4": "<f4", "i4": "<i4", "i2": "<i2", "u2": "<u2", "u1": "u1"}
_NAMES = {np.dtype(code): name for name, code in _DTYPES.items()}

Payload = Mapping[str, Weights | NDArray[Any]]


def pack(items: Payload, meta: Mapping[str, Any] | None = None) -> bytes:
    """Return operators and arrays as one gzipped box.

    A key names its operator or array; the page asks for it by that name.  Float
    arrays keep their precision, so send float32 where 1e-7 is enough.

    >>> box = unpack(pack({"x": np.array([0.0, 1.5])}, {"id": 7}))
    >>> box["meta"]["id"], box["arrays"]["x"].tolist()
    (7, [0.0, 1.5])
    """
    arrays: dict[str, NDArray[Any]] = {}
    n_in: dict[str, int] = {}
    for key, item in items.items():
        if isinstance(item, Weights):
            arrays[key + ".index"] = _small(item.index)
            arrays[key + ".weight"] = np.asarray(item.weight)
            n_in[key] = int(item.n_in)
            if item.offset is not None:
                arrays[key + ".offset"] = np.asarray(item.offset)
        else:
            arrays[key] = np.asarray(item)
    header, body = _lay_out(arrays)
    text = json.dumps(
        {"arrays": header, "n_in": n_in, "meta": dict(meta or {})},
        separators=(",", ":"),
        allow_nan=False,
    ).encode()
    head = len(text).to_bytes(4, "little") + text
    head += bytes(-len(head) % 8)
    # mtime=0: the same operators give the same bytes, so builds can be compared.
    return gzip.compress(head + body, compresslevel=9, mtime=0)


def pack_operators(
    operators: Mapping[str, Weights], meta: Mapping[str, Any] | None = None
) -> bytes:
    """Return operators as a gzipped box (see ``pack``)."""
    return pack(operators, meta)


def unpack(box: bytes) -> dict[str, Any]:
    """Open a box: a dict of ``arrays``, ``operators`` and ``meta``.

    It does in Python what ``unpack`` of drawing.js does in the page.
    """
    raw = gzip.decompress(box)
    end = 4 + int.from_bytes(raw[:4], "little")
    header = json.loads(raw[4:end])
    start = end + -end % 8
    arrays = {}
    for key, (dtype, shape, offset) in header["arrays"].items():
        count = int(np.prod(shape))
        flat = np.frombuffer(raw, _DTYPES[dtype], count, start + offset)
        arrays[key] = flat.reshape(shape)
    operators = {
        key: Weights(
            arrays[key + ".index"].astype(np.intp), arrays[key + ".weight"], n_in
        )
        for key, n_in in header["n_in"].items()
    }
    return {"arrays": arrays, "operators": operators, "meta": header["meta"]}


def _small(index: NDArray[Any]) -> NDArray[Any]:
    """Return indices in two bytes where they fit, else in four."""
    fits = index.size == 0 or int(np.abs(index).max()) < 2**15
    return index.astype("<i2" if fits else "<i4")


def _lay_out(arrays: Mapping[str, NDArray[Any]]) -> tuple[dict[str, list[Any]], bytes]:
    """Place each array at a multiple of eight bytes, equal ones at one place."""
    header: dict[str, list[Any]] = {}
    places: dict[bytes, int] = {}
    body = bytearray()
    for key, array in arrays.items():
        dtype = _NAMES.get(array.dtype)
        if dtype is None:
            raise TypeError(
                f"{key!r} has dtype {array.dtype}: allowed are {', '.join(_DTYPES)}"
            )
        raw = np.ascontiguousarray(array).tobytes()
        if raw not in places:
            body += bytes(-len(body) % 8)
            places[raw] = len(body)
            body += raw
        header[key] = [dtype, list(array.shape), places[raw]]
    return header, bytes(body)
