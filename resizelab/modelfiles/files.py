"""Read files that anybody may have written, and write files whole or not at all.

Sizes are checked before anything of that size is allocated. Nothing that a file holds
is executed: no pickles, no formats that carry programs.
"""

import math
import os
import secrets
import tokenize
import warnings
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from resizelab import checks

MOST_BYTES = 2**31 - 1  # of one array, one picture, or one model (protobuf's own limit)
LONGEST_HEADER = 2**16  # of a .npy file; NumPy writes fewer than 200 bytes
DAMAGED_HEADER = (
    *(ValueError, SyntaxError, TypeError, RecursionError, MemoryError),
    tokenize.TokenError,
)
MAGIC = b"\x93NUMPY"
KINDS = "biuf"
# Formats without programs inside: PostScript, for one, would run.
PICTURES = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".bmp": "BMP",
    ".webp": "WEBP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".ppm": "PPM",
    ".pgm": "PPM",
}
MODES = ("L", "LA", "RGB", "RGBA", "I;16", "I", "F")
ARRAYS = (".npy", *PICTURES)
ORIENTATION = 0x0112  # the EXIF tag
Array = NDArray[Any]
PathLike = str | os.PathLike[str]


def existing(path: PathLike) -> Path:
    """Return ``path`` if it is a file of a size that can be read, else raise."""
    path = Path(checks.a("path", path, (str, os.PathLike)))
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    if not path.is_file():
        raise ValueError(f"{path} is not a file")
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise ValueError(
            f"{path} holds {size} bytes; at most {MOST_BYTES} are read here"
        )
    if size == 0:
        raise ValueError(f"{path} is empty")
    return path


def array(path: PathLike) -> Array:
    """Return the array of a .npy file, or the pixels of a picture (H, W[, channels]).

    Raises ValueError for a file that is damaged, too large, or holds objects.
    """
    path = existing(path)
    kind = checks.one_of("the file's ending", path.suffix.lower(), ARRAYS)
    if kind in PICTURES:
        return _looked_at(path, PICTURES[kind], _pixels)  # type: ignore[no-any-return]
    with path.open("rb") as stream:
        return _npy(stream, path.stat().st_size, str(path))


def arrays(path: PathLike) -> dict[str, Array]:
    """Return the arrays of a .npz file by name, in the file's order."""
    path = existing(path)
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
            whole = sum(member.file_size for member in members)
            if whole > MOST_BYTES:
                raise ValueError(
                    f"{path} unpacks to {whole} bytes; at most {MOST_BYTES} are read"
                )
            found = {}
            for member in members:
                name = member.filename.removesuffix(".npy")
                stream = BytesIO(packed.read(member))
                found[name] = _npy(stream, member.file_size, f"{path}: {name}")
            return found
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"{path} is not a readable .npz file: {error}") from None


def _npy(stream: BinaryIO, size: int, where: str) -> Array:
    """Return one array; what its header promises must be what the file holds."""
    shape, fortran, dtype = _header(stream, where)
    if dtype.hasobject or dtype.kind not in KINDS:
        raise ValueError(
            f"{where} holds {dtype}; only numbers and booleans are read (a pickled "
            "object could run a program)"
        )
    wanted = math.prod(shape) * dtype.itemsize
    held = size - stream.tell()
    if min(shape, default=0) < 0 or wanted != held:
        raise ValueError(
            f"{where} says it holds {shape} of {dtype}, {wanted} bytes; the file has "
            f"{held}"
        )
    flat = np.frombuffer(stream.read(wanted), dtype)
    return flat.reshape(shape, order="F" if fortran else "C")


def _header(stream: BinaryIO, where: str) -> tuple[tuple[int, ...], bool, Any]:
    start = stream.read(12)
    version = start[6:8]
    width = 2 if version == b"\x01\x00" else 4
    length = int.from_bytes(start[8 : 8 + width], "little")
    if start[:6] != MAGIC or version not in (b"\x01\x00", b"\x02\x00"):
        raise ValueError(f"{where} is not a .npy file of version 1 or 2")
    if length > LONGEST_HEADER:
        raise ValueError(
            f"{where} has a header of {length} bytes; at most {LONGEST_HEADER} are read"
        )
    stream.seek(8)
    read = np.lib.format.read_array_header_1_0
    if width == 4:
        read = np.lib.format.read_array_header_2_0
    try:
        shape, fortran, dtype = read(stream, max_header_size=LONGEST_HEADER)
    except DAMAGED_HEADER as error:
        raise ValueError(f"{where} has a damaged header: {error}") from None
    return shape, fortran, dtype


def _looked_at(path: Path, kind: str, take: Callable[[Any], Any]) -> Any:
    """Open a picture of one kind, and return what ``take`` makes of it."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ModuleNotFoundError as error:
        raise ImportError(
            "reading pictures needs Pillow: pip install 'resizelab[models]'"
        ) from error
    bombs = (Image.DecompressionBombError, Image.DecompressionBombWarning)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path, formats=[kind]) as image:
                return take(image)
    except bombs as error:
        raise ValueError(f"{path} is too large a picture: {error}") from None
    except (UnidentifiedImageError, OSError, SyntaxError, EOFError) as error:
        raise ValueError(f"{path} is not a readable {kind} picture: {error}") from None


def _pixels(image: Any) -> Array:
    plain = {"P": "RGB", "1": "L", "PA": "RGBA"}
    image = image.convert(plain[image.mode]) if image.mode in plain else image
    checks.one_of("the picture's mode", image.mode, MODES)
    return np.asarray(image)


def orientation(path: PathLike) -> int:
    """Return the orientation that a camera wrote into a picture, 1 … 8 (1: upright)."""
    path = existing(path)
    kind = checks.one_of("the file's ending", path.suffix.lower(), PICTURES)
    tag = _looked_at(path, PICTURES[kind], lambda p: p.getexif().get(ORIENTATION, 1))
    return tag if isinstance(tag, int) else 1


def free_target(path: PathLike, source: PathLike | None = None) -> Path:
    """Return where ``path`` may be written: a file's name in an existing folder.

    ``source`` is never the target: that would be writing in place.
    """
    target = Path(path)
    if target.is_dir() or (target.exists() and not target.is_file()):
        raise ValueError(f"{target} is not a file that can be written")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {target.parent}")
    if source is not None and target.exists() and target.samefile(source):
        raise ValueError(
            f"{target} is the input itself; say --in-place (in_place=True) to change it"
        )
    return target


def target(path: PathLike, output: PathLike | None, in_place: bool) -> Path:
    """Return where a changed file goes: ``output``, or itself where that is said."""
    source = existing(path)
    if in_place and output is not None:
        raise ValueError("give output, or in_place=True, not both")
    if in_place:
        return source
    if output is None:
        raise ValueError("say where to write: -o FILE (output=), or --in-place")
    return free_target(output, source)


def write(path: PathLike, content: bytes) -> None:
    """Write a file whole, or not at all."""
    # Through a link, the file it names is replaced, not the link.
    target = Path(path).resolve()
    suffix = f".{secrets.token_hex(4)}{target.suffix}"
    draft = target.with_name(f".{target.stem[:100]}{suffix}")
    try:
        with draft.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            draft.chmod(target.stat().st_mode & 0o777)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
