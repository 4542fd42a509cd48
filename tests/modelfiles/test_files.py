"""Files that anybody may have written are read whole, or refused with a word."""

import io
import pickle
import struct
import zipfile

import numpy as np
import pytest
from processes import python

from resizelab.modelfiles import files


def refused(path, *words, read=files.array):
    with pytest.raises((ValueError, FileNotFoundError)) as told:
        read(path)
    for word in words:
        assert word in str(told.value)


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64", "bool", "int16"])
def test_an_array_comes_back(tmp_path, dtype):
    x = (np.arange(24).reshape(2, 3, 4) % 2).astype(dtype)
    np.save(tmp_path / "x.npy", np.asfortranarray(x))
    back = files.array(tmp_path / "x.npy")
    assert back.dtype == x.dtype
    assert np.array_equal(back, x)


def test_a_picture_comes_back(tmp_path):
    image = pytest.importorskip("PIL.Image")
    x = np.arange(36, dtype=np.uint8).reshape(3, 4, 3)
    image.fromarray(x).save(tmp_path / "x.png")
    assert np.array_equal(files.array(tmp_path / "x.png"), x)


def test_arrays_of_an_archive_come_back_in_order(tmp_path):
    np.savez(tmp_path / "x.npz", b=np.ones(3), **{"a.b": np.zeros((2, 2))})
    found = files.arrays(tmp_path / "x.npz")
    assert list(found) == ["b", "a.b"]
    assert found["a.b"].shape == (2, 2)


class Runs:
    """Unpickled, it would leave a file behind."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def test_a_pickled_array_is_refused_and_runs_nothing(tmp_path):
    np.save(tmp_path / "x.npy", np.array([Runs(tmp_path / "ran")], object))
    refused(tmp_path / "x.npy", "only numbers", "pickled")
    (tmp_path / "y.npy").write_bytes(pickle.dumps(Runs(tmp_path / "ran")))
    refused(tmp_path / "y.npy", "not a .npy file")
    assert not (tmp_path / "ran").exists()


def header(words: bytes, version=1, length=None):
    size = len(words) if length is None else length
    packed = struct.pack("<H" if version == 1 else "<I", size)
    return b"\x93NUMPY" + bytes([version, 0]) + packed + words


HEADERS = {
    "2 GB of header": (header(b"", 2, 2**31), "a header of 2147483648 bytes"),
    "2 GB of numbers": (
        header(b"{'descr':'<f8','fortran_order':False,'shape':(268435456,)}\n"),
        "2147483648 bytes; the file has 0",
    ),
    "a negative size": (
        header(b"{'descr':'<f8','fortran_order':False,'shape':(-1,)}\n"),
        "says it holds",
    ),
    "a call": (
        header(b"{'descr':'<f8','fortran_order':print(1),'shape':(1,)}\n"),
        "damaged header",
    ),
    "a short header": (header(b"{'descr':", 1, 200), "damaged header"),
    "text": (b"hello there, this is text", "not a .npy file"),
}


@pytest.mark.parametrize("kind", HEADERS)
def test_a_header_that_lies_is_refused(tmp_path, kind):
    content, words = HEADERS[kind]
    (tmp_path / "x.npy").write_bytes(content)
    refused(tmp_path / "x.npy", words, "x.npy")


def test_every_truncation_of_an_array_is_refused(tmp_path):
    np.save(tmp_path / "x.npy", np.ones((4, 4)))
    whole = (tmp_path / "x.npy").read_bytes()
    for length in range(0, len(whole), 7):
        (tmp_path / "y.npy").write_bytes(whole[:length])
        refused(tmp_path / "y.npy", "y.npy")


def test_a_lying_header_takes_no_memory(tmp_path):
    (tmp_path / "x.npy").write_bytes(HEADERS["2 GB of numbers"][0])
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "from resizelab.modelfiles import files\n"
        f"try: files.array({str(tmp_path / 'x.npy')!r})\n"
        "except ValueError as e: print(e)"
    )
    assert "the file has 0" in python(code, OPENBLAS_NUM_THREADS="1")


def bomb(width, height):
    """Return a PNG of a few bytes that claims to be large."""
    import zlib

    def chunk(kind, data):
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = chunk(b"IDAT", zlib.compress(b"\0" * 100))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + data + chunk(b"IEND", b"")


def test_pictures_that_lie_or_break_are_refused(tmp_path):
    image = pytest.importorskip("PIL.Image")
    (tmp_path / "bomb.png").write_bytes(bomb(60_000, 60_000))
    refused(tmp_path / "bomb.png", "too large a picture")
    (tmp_path / "large.png").write_bytes(bomb(10_000, 10_000))
    refused(tmp_path / "large.png", "too large a picture")
    image.fromarray(np.zeros((40, 40), np.uint8)).save(tmp_path / "x.png")
    whole = (tmp_path / "x.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[:50])
    refused(tmp_path / "cut.png", "not a readable PNG")
    (tmp_path / "script.png").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\nquit\n")
    refused(tmp_path / "script.png", "not a readable PNG")


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 2**20)
    np.savez_compressed(tmp_path / "x.npz", x=np.zeros(2**18))
    assert (tmp_path / "x.npz").stat().st_size < 2**12
    refused(tmp_path / "x.npz", "unpacks to", read=files.arrays)
    (tmp_path / "y.npz").write_bytes(b"PK\x03\x04 and then nothing")
    refused(tmp_path / "y.npz", "not a readable .npz", read=files.arrays)


def test_missing_empty_huge_and_odd_files_are_refused(tmp_path):
    refused(tmp_path / "none.npy", "there is no file")
    (tmp_path / "empty.npy").touch()
    refused(tmp_path / "empty.npy", "is empty")
    refused(tmp_path, "is not a file")
    with (tmp_path / "huge.npy").open("wb") as stream:
        stream.truncate(2**31)  # sparse: it takes no room
    refused(tmp_path / "huge.npy", "at most 2147483647")
    (tmp_path / "x.txt").write_text("1")
    refused(tmp_path / "x.txt", "ending must be one of", "'.npy'", "'.txt'")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    target = tmp_path / "x.bin"
    target.write_bytes(b"before")
    with pytest.raises(TypeError):
        files.write(target, "no bytes")
    assert target.read_bytes() == b"before"
    files.write(target, b"after")
    assert target.read_bytes() == b"after"
    assert [p.name for p in tmp_path.iterdir()] == ["x.bin"]


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path):
    real = tmp_path / "real.bin"
    real.write_bytes(b"before")
    real.chmod(0o640)
    link = tmp_path / "link.bin"
    link.symlink_to(real)
    files.write(link, b"after")
    assert link.is_symlink()
    assert real.read_bytes() == b"after"
    assert real.stat().st_mode & 0o777 == 0o640


def test_targets_that_cannot_be_are_refused(tmp_path):
    source = tmp_path / "a.onnx"
    source.write_bytes(b"x")
    with pytest.raises(ValueError, match="is the input itself"):
        files.free_target(source, source)
    with pytest.raises(FileNotFoundError, match="no folder"):
        files.free_target(tmp_path / "none" / "b.onnx", source)
    with pytest.raises(ValueError, match="not a file that can be written"):
        files.free_target(tmp_path, source)


def test_an_object_inside_an_archive_runs_nothing(tmp_path):
    stream = io.BytesIO()
    np.save(stream, np.array([Runs(tmp_path / "ran")], object))
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as packed:
        packed.writestr("x.npy", stream.getvalue())
    refused(tmp_path / "x.npz", "only numbers", read=files.arrays)
    assert not (tmp_path / "ran").exists()
