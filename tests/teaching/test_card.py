"""The resize test card: its record, and the page that names what is dropped on it."""

import io
import itertools
import json
import re
import struct
import zlib

import exported
import numpy as np
import pytest
import record_card
import unseen
from browser import ROOT, Visits
from explorer_checks import from_menu
from tiny_book import code

import resizelab as rl
from resizelab import engines

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import card, card_explorer, payload

RECORD = ROOT / "resizelab/teaching/records/card.json"
TOLD = json.loads(RECORD.read_text(encoding="utf-8"))
ARRAYS = dict(np.load(RECORD.with_suffix(".npz")))
CARD = ARRAYS["card"]
SIZE = tuple(TOLD["size_out"])
# (name, dtype) of a run → the number of its answer
RUNS = {
    (TOLD["calls"][k][0], dtype): number
    for number, classes in enumerate(TOLD["sets"])
    for c in classes
    for k, dtype in c["calls"]
}
LIBRARY = {name: library for name, library, _ in TOLD["calls"]}
X = "\N{MULTIPLICATION SIGN}"
MEMBERS = [
    {run for run, n in RUNS.items() if n == number}
    for number in range(len(TOLD["sets"]))
]


def current(name: str) -> bool:
    """Say whether the library of a row is here, in the version that was recorded."""
    library = LIBRARY[name]
    version = (engines.version(library) or "").split("+")[0]
    return version == TOLD["versions"][library] and name in rl.conventions()


def sample(count: int) -> list[tuple[str, str]]:
    """Return about ``count`` runs of what is installed, from every library in turn."""
    by_library: dict[str, list] = {}
    for name, dtype in RUNS:
        if current(name):
            by_library.setdefault(rl.convention(name).library, []).append((name, dtype))
    spread = [runs[:: max(1, len(runs) // 9)] for runs in by_library.values()]
    turns = itertools.zip_longest(*spread)
    # JAX and Keras compile every call anew: two of each are enough here.
    slow, chosen = dict.fromkeys(record_card.COMPILED, 2), []
    for run in (r for turn in turns for r in turn if r is not None):
        library = rl.convention(run[0]).library
        slow[library] = slow.get(library, count) - 1
        if slow[library] >= 0:
            chosen.append(run)
    return chosen[:count]


def answer(name: str, dtype: str) -> np.ndarray:
    """Run the real library on the card."""
    row = rl.convention(name)
    y = record_card.run(row, CARD.astype(dtype), SIZE, TOLD["scale"])
    assert y is not None, f"{name} with {dtype} was recorded but does not run"
    return y


# ---- the record ------------------------------------------------------------


def test_the_record_is_large_and_its_answers_are_apart():
    assert len(RUNS) >= 120
    assert {dtype for _, dtype in RUNS} == {"float32", "uint8"}
    answers = ARRAYS["answers"].astype(float)
    assert answers.shape == (len(TOLD["sets"]), SIZE[0] * SIZE[1])
    gaps = np.abs(answers[:, None] - answers[None]).max(2)
    assert gaps[~np.eye(len(gaps), dtype=bool)].min() > 2 * card_explorer.TOLERANCE
    print(f"{len(RUNS)} runs, {len(answers)} answers")


def test_the_card_is_the_one_that_the_search_found():
    np.testing.assert_array_equal(CARD, record_card.draw(TOLD["seed"]))
    assert (list(record_card.SIZE_OUT), list(record_card.SCALE)) == (
        TOLD["size_out"],
        TOLD["scale"],
    )


def test_the_files_hold_the_card():
    pillow = pytest.importorskip("PIL.Image")
    assets = ROOT / "book" / "assets"
    with pillow.open(assets / "resize-card.png") as image:
        assert image.mode == "L"
        np.testing.assert_array_equal(np.asarray(image), CARD)
        colours = np.asarray(pillow.open(assets / "resize-card-colour.png"))
    np.testing.assert_array_equal(np.load(assets / "resize-card.npy"), CARD)
    np.testing.assert_array_equal(colours, card_explorer.coloured(CARD))


def test_answers_survive_the_packing():
    answers = ARRAYS["answers"].astype(float)
    order, planes, meta = card_explorer.coded(answers)
    back = card_explorer.decoded(planes, meta["parents"], meta["whole"])
    assert sorted(order) == list(range(len(answers)))
    gap = np.abs(back - answers[order]).max(1)
    assert gap.max() <= 0.5 / card_explorer.FINE + 1e-9
    assert gap[np.array(meta["whole"], bool)].max() == 0


def test_the_payload_is_small():
    made = card(RECORD)
    print(f"payload: {len(made.payload)} bytes, compressed")
    assert len(made.payload) <= 60_000
    box = payload.unpack(made.payload)
    np.testing.assert_array_equal(box["arrays"]["card"], CARD)
    assert sum(len(c) - 2 for s in box["meta"]["sets"] for c in s) == len(RUNS)


def test_a_missing_or_torn_record_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"give the path of card\.json"):
        card(tmp_path / "card.json")
    (tmp_path / "card.json").write_text(json.dumps({**TOLD, "sets": TOLD["sets"][1:]}))
    np.savez(tmp_path / "card.npz", **ARRAYS)
    with pytest.raises(ValueError, match=r"answers are \(\d+, \d+\), not"):
        card(tmp_path / "card.json")


@pytest.mark.live
def test_the_libraries_still_answer_as_recorded():
    runs = sample(150)
    if not runs:
        pytest.skip("no library is installed in the version that was recorded")
    for name, dtype in runs:
        y = answer(name, dtype).ravel()
        kept = ARRAYS["answers"][RUNS[name, dtype]].astype(float)
        gap = np.abs(record_card.levels(y, dtype) - kept).max()
        assert gap <= card_explorer.TOLERANCE, f"{name} with {dtype}: {gap}"


@pytest.mark.live
@pytest.mark.parametrize("k", range(len(TOLD["pockets"])))
def test_the_pockets_are_still_as_recorded(k):
    pocket, tried = TOLD["pockets"][k], 0
    for number, calls in enumerate(pocket["sets"]):
        call, dtype = calls[0]
        name, library, _ = TOLD["calls"][call]
        if not current(name) or library in record_card.COMPILED:
            continue
        pixels = np.array(pocket["pixels"]).astype(dtype)
        y = record_card.run(rl.convention(name), pixels, (8,))
        np.testing.assert_allclose(
            record_card.levels(y, dtype), ARRAYS[f"pocket{k}"][number], atol=1e-3
        )
        tried += 1
    assert tried or not any(current(c[0]) for c in TOLD["calls"])


# ---- the page --------------------------------------------------------------


def bytes_of(array: np.ndarray, *, fortran: bool = False) -> bytes:
    """Return an array as a .npy file."""
    out = io.BytesIO()
    np.save(out, np.asfortranarray(array) if fortran else array)
    return out.getvalue()


TINY_PAGES = {
    "card": "# Card\n\n[posts](#card:eight=0+5+10+15+20+25+30+30)\n"
    + code(f"from resizelab.teaching.explorers import card\ncard({str(RECORD)!r})")
}


def opened(look: Visits, page: str = "card.html", via: str = "http", **how):
    """Return a page whose card is drawn."""
    tab = look(page, via, **how)
    tab.wait_for_selector(".resizelab[data-drawn]")
    return tab


VERDICT = """() => {
  const box = document.querySelector(".rl-verdict");
  const runs = (n) => [...n.querySelectorAll("[data-call]")].flatMap(
    (c) => c.dataset.dtypes.split(",").map((d) => c.dataset.call + " " + d));
  return {
    text: box.innerText,
    refused: (box.querySelector("[data-refused]") || {}).innerText,
    same: [...box.querySelectorAll("[data-same]")].map(
      (n) => ({ how: n.dataset.how, runs: runs(n) })),
    misses: [...box.querySelectorAll("[data-miss]")].map(
      (n) => ({ error: +n.dataset.error, runs: runs(n) })),
  };
}"""


def told(page) -> dict:
    """Wait for the verdict and return it."""
    page.wait_for_function(
        "document.querySelector('.rl-verdict').childElementCount"
        " && !document.querySelector('.rl-busy')"
    )
    return page.evaluate(VERDICT)


def forget(page) -> None:
    """Empty the verdict, so that the next one can be waited for."""
    page.evaluate("document.querySelector('.rl-verdict').replaceChildren()")


def choose(page, name: str, content: bytes, side: int = 0) -> dict:
    """Give the page a file through the file input of a side."""
    forget(page)
    chosen = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.locator("input[type=file]").nth(side).set_input_files(chosen)
    return told(page)


def drop(page, name: str, content: bytes) -> dict:
    """Drop a file on the page as a hand does."""
    forget(page)
    page.evaluate(
        """([name, bytes]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
          const event = { dataTransfer, bubbles: true, cancelable: true };
          const place = document.querySelector(".rl-drop");
          for (const kind of ["dragover", "drop"])
            place.dispatchEvent(new DragEvent(kind, event));
        }""",
        [name, list(content)],
    )
    return told(page)


def paste(page, text: str) -> dict:
    """Type numbers and press the button."""
    forget(page)
    page.get_by_label("Or paste numbers").fill(text)
    page.get_by_text("Name these numbers").click()
    return told(page)


def file_of(y: np.ndarray) -> tuple[str, bytes]:
    """Return an answer as a reader would save it: bytes as PNG, floats as .npy."""
    if y.dtype == np.uint8:
        return "resized.png", card_explorer.png(y)
    return "resized.npy", bytes_of(y)


def named(verdict: dict, how: str | None = "") -> list[set[tuple[str, str]]]:
    """Return the sets of runs that the verdict names in this way (None: in any)."""
    return [
        {tuple(run.split(" ")) for run in same["runs"]}
        for same in verdict["same"]
        if how in (None, same["how"])
    ]


@pytest.mark.live
def test_real_outputs_are_named_and_altered_ones_are_not(look):
    runs = sample(90)
    if len(runs) < 60:
        pytest.skip(f"{len(runs)} runs of the recorded versions are installed, not 60")
    page, rng, rightly = opened(look), np.random.default_rng(0), 0
    for k, (name, dtype) in enumerate(runs):
        y = answer(name, dtype)
        give = drop if k % 2 else choose
        verdict = give(page, *file_of(y))
        divided = dtype == "uint8" and y.dtype.kind == "f" and y.max() <= 2
        assert ("divided by 255" in verdict["text"]) == divided
        found = named(verdict)
        assert MEMBERS[RUNS[name, dtype]] in found, (name, dtype, verdict["text"])
        assert len(found) == 1
        rightly += 1
        # One pixel, one level: no longer a recorded answer.
        i, j = (int(rng.integers(n)) for n in SIZE)
        step = 1 / 255 if divided else 1
        altered = y.astype(float)
        altered[i, j] += -step if altered[i, j] >= 128 * step else step
        verdict = give(page, *file_of(altered.astype(y.dtype)))
        assert verdict["same"] == [], (name, dtype, i, j, verdict["text"])
        assert verdict["misses"]
    print(f"{rightly} real outputs named")
    assert rightly >= 60


def test_noise_and_other_sizes_are_not_named(look):
    page, rng = opened(look), np.random.default_rng(1)
    y = ARRAYS["answers"][RUNS["torch.bilinear", "float32"]].reshape(SIZE)
    noisy = (y + rng.normal(0, 0.02, SIZE)).astype(np.float32)
    verdict = choose(page, "noisy.npy", bytes_of(noisy))
    assert verdict["same"] == []
    assert ("torch.bilinear float32") in verdict["misses"][0]["runs"]
    expected = np.abs(noisy - y).max()
    assert verdict["misses"][0]["error"] == pytest.approx(expected, abs=1e-3)
    verdict = choose(
        page, "any.png", card_explorer.png(rng.integers(0, 256, SIZE, "u1"))
    )
    assert "Not this card" in verdict["text"]
    h, w = SIZE
    for array, said in (
        (np.zeros((h + 1, w), "u1"), f"Wrong size: this is {h + 1} {X} {w}"),
        (np.zeros((2, h, w), "f4"), f"Wrong size: this is 2 {X} {h} {X} {w}"),
        (np.zeros((), "f4"), "Wrong size: this is one number"),
        (CARD, "the card itself"),
        (CARD[None], "the card itself"),
    ):
        verdict = choose(page, "wrong.npy", bytes_of(array))
        assert said in verdict["refused"]
    verdict = choose(page, "card.png", card_explorer.png(CARD))
    assert "the card itself" in verdict["refused"]


def test_one_answer_in_every_dress_is_named(look):
    page = opened(look)
    run = ("torch.bicubic.antialias", "float32")
    y = ARRAYS["answers"][RUNS[run]].reshape(SIZE).astype(np.float32)
    three = np.repeat(y[..., None], 3, axis=2)
    mean, std = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    plain = {
        "float64": y.astype(np.float64),
        "big endian": y.astype(">f4"),
        "Fortran": np.asfortranarray(y),
        "batch": y[None, None],
        "channels last": three,
        "channels first": np.moveaxis(three, 2, 0)[None],
    }
    for dress, array in plain.items():
        verdict = choose(page, f"{dress}.npy", bytes_of(array))
        assert MEMBERS[RUNS[run]] in named(verdict), (dress, verdict["text"])
    for array, said in (
        (y / 255, "divided by 255."),
        (y / 127.5 - 1, "divided by 127.5, minus 1."),
        ((three / 255 - mean) / std, "ImageNet's mean and deviation"),
        (y.astype(np.float16), "kept as float16"),
        (y[:, ::-1], "flipped left to right"),
        (y.T, "Your picture is transposed."),
        (np.rint(y.clip(0, 255)), "rounded to whole numbers"),
        (np.floor(y.clip(0, 255)), "cut to whole numbers"),
    ):
        verdict = choose(page, "dressed.npy", bytes_of(np.ascontiguousarray(array)))
        assert said in verdict["text"]
        assert MEMBERS[RUNS[run]] in named(verdict, None), (said, verdict["text"])
    swapped = np.moveaxis(three, 2, 0) * np.array([1, 0.9, 1])[:, None, None] ** 2
    swapped[1] += np.random.default_rng(0).normal(0, 1, SIZE)
    verdict = choose(page, "coloured.npy", bytes_of(swapped))
    assert verdict["same"] == []
    turned = rl.resize(CARD.astype(float), SIZE[::-1], "torch.bilinear")
    verdict = choose(page, "turned.npy", bytes_of(turned))
    assert "height and width are swapped" in verdict["text"]
    whole = np.array2string(y, threshold=10**6, separator=", ")
    tensor = f"tf.Tensor(\n{whole}, shape={SIZE}, dtype=float32)"
    for words in (whole, whole.replace(",", ""), str(y.tolist()), tensor):
        verdict = paste(page, words)
        assert MEMBERS[RUNS[run]] in named(verdict), verdict["text"]


def test_pngs_of_every_kind_give_their_exact_bytes(look):
    image = pytest.importorskip("PIL.Image")
    page = opened(look)
    run = next(r for r in RUNS if r[1] == "uint8" and r[0] == "pillow.bicubic")
    y = ARRAYS["answers"][RUNS[run]].reshape(SIZE).astype(np.uint8)
    grey = image.fromarray(y)
    kinds = {m: grey.convert(m) for m in ("L", "RGB", "RGBA", "LA", "P")}
    kinds["adaptive"] = grey.convert("RGB").convert("P", palette=image.Palette.ADAPTIVE)
    for kind, picture in kinds.items():
        for extra in ({}, {"gamma": 0.45455}, {"optimize": True}):
            shown = np.asarray(picture.convert("RGB"))[..., 0]
            if not np.array_equal(shown, y):
                continue  # a palette that rounds colours has lost them already
            out = io.BytesIO()
            picture.save(out, "png", **{k: v for k, v in extra.items() if k != "gamma"})
            content = out.getvalue()
            if "gamma" in extra:
                gamma = struct.pack(">I", 45455)
                check = struct.pack(">I", zlib.crc32(b"gAMA" + gamma))
                content = content[:33] + b"\0\0\0\4gAMA" + gamma + check + content[33:]
            verdict = choose(page, f"{kind}.png", content)
            assert MEMBERS[RUNS[run]] in named(verdict), (kind, verdict["text"])


def files_of(y: np.ndarray) -> dict[str, bytes]:
    """Return a result of bytes, and as floats, in every kind of file that is read."""
    image, torch = pytest.importorskip("PIL.Image"), pytest.importorskip("torch")
    floats, made = y.astype(np.float32), {}

    def add(name, write):
        out = io.BytesIO()
        write(out)
        made[name] = out.getvalue()

    grey = image.fromarray(y)
    for kind in ("bmp", "tiff"):
        add(f"grey.{kind}", lambda out, kind=kind: grey.save(out, kind))
        add(f"rgb.{kind}", lambda out, kind=kind: grey.convert("RGB").save(out, kind))
    for pack in ("raw", "tiff_adobe_deflate"):
        add(
            f"{pack}.tif",
            lambda out, pack=pack: image.fromarray(floats).save(
                out, "tiff", compression=pack
            ),
        )
    add("one.npz", lambda out: np.savez(out, y=floats))
    add("many.npz", lambda out: np.savez_compressed(out, a=np.zeros(3), y=floats))
    for dtype in (torch.float32, torch.uint8, torch.float64):
        tensor = torch.from_numpy(y.copy())[None].to(dtype)
        add(f"{dtype}.pt", lambda out, tensor=tensor: torch.save(tensor, out))
    turned = torch.from_numpy(np.ascontiguousarray(floats.T)).T
    add("strides.pt", lambda out: torch.save(turned, out))
    made |= {"bytes.raw": y.tobytes(), "floats.bin": floats.tobytes()}
    made |= {
        "y.txt": str(y.tolist()).encode(),
        "y.csv": b"\n".join(",".join(map(str, row)).encode() for row in y),
    }
    return made


def test_files_of_every_kind_are_read(look):
    page = opened(look, via="file")
    run = ("pillow.bicubic", "uint8")
    y = ARRAYS["answers"][RUNS[run]].reshape(SIZE).astype(np.uint8)
    files = files_of(y)
    for name, content in files.items():
        verdict = choose(page, name, content)
        assert MEMBERS[RUNS[run]] in named(verdict), (name, verdict["text"])
    for name, content in files.items():
        if not name.startswith(("y.", "bytes", "floats")):
            verdict = choose(page, name, content[: len(content) // 2])
            assert verdict["refused"], (name, verdict["text"])
    out = io.BytesIO()
    pytest.importorskip("PIL.Image").fromarray(y).save(out, "jpeg", quality=90)
    verdict = choose(page, "y.jpg", out.getvalue())
    assert "A JPEG altered the numbers" in verdict["text"]
    assert "The result was a JPEG of quality 90" in verdict["text"]
    bomb = io.BytesIO()
    np.savez_compressed(bomb, y=np.zeros(10**7))
    refused = choose(page, "bomb.npz", bomb.getvalue())["refused"]
    assert refused == f"The file is damaged: {DAMAGED}."


def test_a_models_resize_nodes_are_told(look, tmp_path):
    page = opened(look, via="file")
    cases = {
        "linear": ({"mode": "linear"}, "half_pixel · linear", "torch.bilinear"),
        "corners": (
            {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
            "align_corners · linear",
            "torch.bilinear.align_corners",
        ),
        "cubic": (
            {"mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1},
            "cubic, a = -0.5",
            "jax.cubic.no_antialias",
        ),
        "older": ({"mode": "nearest", "opset": 10}, "asymmetric · nearest", ""),
    }
    models = {}
    for name, (attributes, said, training) in cases.items():
        path = exported.resize_model(tmp_path / f"{name}.onnx", **attributes)
        models[path.name] = path.read_bytes()
        text = choose(page, path.name, models[path.name])["text"]
        assert said in text, (name, text)
        assert training in page.locator(".rl-verdict").inner_html(), name
        assert f"1 {X} 1 {X} 8 {X} 8 → 1 {X} 1 {X} 16 {X} 16" in text, text
    exporter = exported.torchscript().read_bytes()
    assert "ask resizelab lint" not in choose(page, "torch.onnx", exporter)["text"]
    models["three.tflite"] = exported.tflite().read_bytes()
    verdict = choose(page, "three.tflite", models["three.tflite"])
    assert "The model has 3 resize nodes" in verdict["text"]
    for said in ("half_pixel · linear", "asymmetric · linear", "align_corners · near"):
        assert said in verdict["text"], verdict["text"]
    for name, content in models.items():
        half = content[: len(content) // 2]
        assert DAMAGED in choose(page, name, half)["refused"], name
    deep = b""
    for _ in range(40):  # a graph in an attribute of a node in a graph …
        inner = b"\x2a" + varint(len(deep) + 1 + len(varint(len(deep)))) + b"\x32"
        inner += varint(len(deep)) + deep
        deep = b"\x0a" + varint(len(inner)) + inner
    for content in (
        b"\x3a" + varint(len(deep)) + deep,
        b"\x3a\xff\xff\xff\x7f",
        b"\xff" * 40,
    ):
        assert DAMAGED in choose(page, "crafted.onnx", content)["refused"]


def varint(n: int) -> bytes:
    low, rest = n & 127, n >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def chunk(kind: bytes, body: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + body))
    return struct.pack(">I", len(body)) + kind + body + check


DAMAGED = "its header and its content do not fit"


def crafted() -> dict[str, tuple[bytes, str]]:
    """Return files that somebody made to fool the page, and what it must say."""
    h, w = SIZE
    good = np.zeros(SIZE, np.float32)
    plain, png = bytes_of(good), card_explorer.png(np.zeros(SIZE, np.uint8))
    objects = io.BytesIO()
    np.save(objects, np.array([{}, []], object), allow_pickle=True)
    start = b"\x89PNG\r\n\x1a\n"

    def head(height, width, depth=8, color=0, woven=0):
        fields = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, woven)
        return start + chunk(b"IHDR", fields)

    end = chunk(b"IEND", b"")
    huge = zlib.compress(bytes(50_000_000), 9)
    clear = np.zeros((h, w * 2 + 1), np.uint8)
    lie = plain.replace(f"({h}, {w})".encode(), f"({h + 1}, {w})".encode())
    return {
        "pickle.npy": (objects.getvalue(), "Python objects"),
        "lie.npy": (lie, DAMAGED),
        "cut.npy": (plain[:-5], DAMAGED),
        "long.npy": (plain + b"\0", DAMAGED),
        "head.npy": (plain[:9], DAMAGED),
        "far.npy": (plain[:8] + b"\xff\xff" + plain[10:], DAMAGED),
        "version.npy": (plain[:6] + b"\x09" + plain[7:], DAMAGED),
        "bool.npy": (bytes_of(good > 0), "dtype '|b1' is not read here"),
        "struct.npy": (bytes_of(np.zeros(3, "f4,i4")), "is not read here"),
        "text.npy": (bytes_of(np.array(["a"])), "is not read here"),
        "complex.npy": (bytes_of(good.astype(complex)), "is not read here"),
        "nan.npy": (bytes_of(good * np.nan), "NaN or infinity"),
        "noshape.npy": (plain.replace(b"'shape'", b"'shqpe'"), DAMAGED),
        "nodtype.npy": (plain.replace(b"'descr'", b"'dexcr'"), DAMAGED),
        "bomb.png": (head(h, w) + chunk(b"IDAT", huge) + end, DAMAGED),
        "short.png": (
            head(h, w) + chunk(b"IDAT", zlib.compress(b"\0" * 9)) + end,
            DAMAGED,
        ),
        "giant.png": (head(2**31 - 1, 2**31 - 1) + end, "Wrong size"),
        "damaged.png": (
            head(h, w) + chunk(b"IDAT", b"\x78\xdanonsense") + end,
            DAMAGED,
        ),
        "filter.png": (
            head(h, w) + chunk(b"IDAT", zlib.compress(b"\7" * (h * (w + 1)))) + end,
            DAMAGED,
        ),
        "cut.png": (png[:-20], DAMAGED),
        "liar.png": (png[:8] + b"\x7f\xff\xff\xff" + png[12:], DAMAGED),
        "nohead.png": (start + end, DAMAGED),
        "woven.png": (head(h, w, woven=1) + end, "not interlaced"),
        "deep.png": (head(h, w, depth=16) + end, "with 8 bits"),
        "color.png": (head(h, w, color=5) + end, "with 8 bits"),
        "alpha.png": (
            head(h, w, color=4) + chunk(b"IDAT", zlib.compress(clear.tobytes())) + end,
            "transparent",
        ),
        "empty.png": (b"", "is not read here"),
        "photo.jpg": (b"\xff\xd8\xff\xe0 JFIF", DAMAGED),
        "page.png": (b"<img src=x onerror=alert(1)>", "is not read here"),
        "large.npy": (plain[:128] + bytes(100_000_000), "100 MB"),
    }


def test_crafted_files_are_refused_and_the_page_goes_on(look):
    page = opened(look, via="file")
    y = ARRAYS["answers"][RUNS["torch.bilinear", "float32"]].reshape(SIZE)
    good = bytes_of(y.astype(np.float32))
    for name, (content, said) in crafted().items():
        if name == "large.npy":
            # 100 MB do not go through a test's pipe: the page makes the file itself.
            forget(page)
            page.evaluate(
                """size => {
                  const given = new DataTransfer();
                  given.items.add(new File([new Uint8Array(size)], "large.npy"));
                  const input = document.querySelector("input[type=file]");
                  input.files = given.files;
                  input.dispatchEvent(new Event("change"));
                }""",
                len(content),
            )
            verdict = told(page)
        else:
            verdict = choose(page, name, content)
        assert verdict["same"] == [], name
        assert said in verdict["refused"], (name, verdict["text"])
        assert page.locator(".rl-verdict img").count() == 0
    verdict = choose(page, "good.npy", good)
    assert MEMBERS[RUNS["torch.bilinear", "float32"]] in named(verdict)


def test_pasted_nonsense_is_told(look):
    page = opened(look)
    for text, said in {
        "": "0 numbers: ",
        "1 2 3": "3 numbers: ",
        "[[1, 2, ..., 3]]": "Was the middle left out?",
        "nan 1 2 3 4 5 6 7": "7 numbers: ",
        "<b>8</b>": "1 number: ",
        "1 " * 600_000: "600000 numbers: ",
    }.items():
        assert said in paste(page, text)["refused"]
        assert named(paste(page, "0 2.5 7.5 12.5 17.5 22.5 27.5 30"))


# ---- mistakes ----------------------------------------------------------------

WRONG = unseen.recorded()


def said_of(page, one) -> bool:
    """Say whether the page names the mistake of a recorded pipeline."""
    choose(page, "wrong.npy", bytes_of(one["y"]))
    found = unseen.judged(one, page.evaluate(unseen.VERDICT))
    print(found, one["call"], one["kind"], one["truth"])
    return found in ("named", "alike")


def test_one_mistake_in_a_pipeline_is_named(look):
    page = opened(look, via="file")
    kinds, calls = ({one[k] for one in WRONG} for k in ("kind", "call"))
    libraries = {call.split(".")[0] for call in calls}
    assert (len(WRONG), len(kinds), len(libraries)) == (117, 24, 8)
    names = WRONG[:: len(WRONG) // 3]
    assert [one for one in names if not said_of(page, one)] == []


@pytest.mark.slow
def test_a_hundred_pipelines_with_a_mistake_are_named(look):
    page = opened(look)
    assert [one for one in WRONG if not said_of(page, one)] == []


def test_the_pages_operators_are_those_of_python(look):
    page = opened(look)
    source = (explorers_folder() / "card_mistakes.js").read_text("utf-8")
    page.evaluate(
        """source => {
          const each = (n, make) => Array.from({ length: n }, (_, k) => make(k));
          const within = (x, low, high) => Math.max(low, Math.min(high, x));
          const made = new Function("each", "within", source + "; return operator;");
          globalThis.tried = made(each, within);
        }""",
        re.sub(r"^(import .*|export )", "", source, flags=re.M),
    )
    asked = "([r, n, m]) => tried(r, n, m, false).map((w) => [...w])"
    for told in TOLD["recipes"]:
        row = rl.convention(told["name"])
        for n, m in itertools.product((7, 12, 22, 31), (5, 9, 21, 40)):
            if told["grows"] and m > n:
                continue
            got = page.evaluate(asked, [told, n, m])
            gap = np.abs(np.array(got) - rl.weights(row, n, m).dense()).max()
            # TensorFlow's gaussian ends with a step: a tie may fall on either side.
            allowed = 1e-2 if row.spec.kernel == "gaussian" else 1e-3
            assert gap < allowed, (told["name"], n, m, gap)


def explorers_folder():
    return ROOT / "resizelab" / "teaching" / "explorers"


def test_two_sides_are_told_apart_and_the_link_carries_it(look):
    page = opened(look, via="file")
    sides = [("pillow.bicubic", "uint8"), ("torch.bilinear", "float32")]
    for k, run in enumerate(sides):
        y = ARRAYS["answers"][RUNS[run]].reshape(SIZE) / (1, 255)[k]
        verdict = choose(page, "side.npy", bytes_of(y.astype(np.float32)), k)
    one, other = (ARRAYS["answers"][RUNS[run]] for run in sides)
    said = page.locator("[data-apart]").inner_text()
    assert "kernel, antialias, outside the picture" in said
    assert f"{np.abs(one - other).max():.1f}"[:-2] in said
    assert "divided by 255" in verdict["text"]
    link = page.get_by_role("link", name="A link to this answer")
    link.click()
    assert "The two sides differ in: kernel" in told(page)["text"]
    verdict = choose(page, "same.npy", bytes_of(other.reshape(SIZE)))
    assert "Both sides are the same" in told(page)["text"]


# ---- the pocket ------------------------------------------------------------


def test_eight_numbers_get_their_names(look):
    tab = opened(look, width=360, height=740, has_touch=True)
    for k, pocket in enumerate(TOLD["pockets"]):
        members = [
            {(TOLD["calls"][call][0], dtype) for call, dtype in calls}
            for calls in pocket["sets"]
        ]
        for number in range(0, len(members), max(1, len(members) // 12)):
            y = ARRAYS[f"pocket{k}"][number]
            verdict = paste(tab, " ".join(f"{v:.4f}" for v in y))
            assert members[number] in named(verdict), (k, number, verdict["text"])
    few = paste(tab, "tensor([0., 4.29, 8.57, 12.86, 17.14, 21.43, 25.71, 30.])")
    assert any(("torch.bilinear.align_corners", "float32") in s for s in named(few))
    numpy = paste(tab, "array([ 0.,  5., 10., 15., 20., 25., 30., 30.], dtype=float32)")
    assert any(("tf1.bilinear", "float32") in s for s in named(numpy))
    verdict = paste(tab, "0 2.5 7.5 12.5 17.5 22.5 27.5 31")
    assert verdict["same"] == []
    wrong = np.array([0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 31])
    gaps = [np.abs(ARRAYS[f"pocket{k}"] - wrong).max(1).min() for k in (0, 1)]
    assert verdict["misses"][0]["error"] == pytest.approx(min(gaps), abs=1e-3)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_link_names_eight_numbers_and_junk_is_told(look):
    page = opened(look)
    page.get_by_role("link", name="posts").click()
    assert any(("tf1.bilinear", "float32") in s for s in named(told(page)))
    forget(page)
    for junk, said in {
        "card:eight=1+2": "eight needs 8 numbers",
        "card:eight=a+b+c+d+e+f+g+h": "eight needs 8 numbers",
        "card:file=x": "“file” is nothing to set here",
    }.items():
        page.evaluate("hash => { location.hash = hash; }", junk)
        page.wait_for_function(
            "t => document.querySelector('.rl-note').textContent.includes(t)", arg=said
        )


# ---- the explorer ----------------------------------------------------------


def test_the_downloads_are_the_card(look):
    page = opened(look)
    for words, name in (("PNG", "resize-card.png"), (".npy", "resize-card.npy")):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=f"Download {words}").click()
        assert waiting.value.suggested_filename == name
        kept = ROOT / "book" / "assets" / name
        assert waiting.value.path().read_bytes() == kept.read_bytes()
    page.get_by_text("The card as numbers").click()
    shown = page.get_by_label("The card as numbers").input_value()
    np.testing.assert_array_equal(json.loads(shown), CARD)


def test_a_verdict_stays_in_the_dark_and_axe_is_content(look):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(look)
    run = ("torch.bilinear", "float32")
    y = ARRAYS["answers"][RUNS[run]].reshape(SIZE)
    choose(page, "good.npy", bytes_of(y))
    for theme in ("light", "dark"):
        page.evaluate("t => { document.documentElement.dataset.theme = t; }", theme)
        page.wait_for_function(
            "d => document.querySelector('.resizelab').hasAttribute('data-dark') === d",
            arg=theme == "dark",
        )
        assert MEMBERS[RUNS[run]] in named(told(page))
        answer = axe.run(page, context=".resizelab", options={"preload": False})
        found = answer.response["violations"]
        assert found == [], json.dumps(found, indent=1)[:2000]
    from_menu(page, "Start again")
    assert page.locator(".rl-verdict").inner_text() == ""


@pytest.mark.parametrize("width", [360, 1280])
def test_its_room_is_kept_free(look, width):
    page = opened(look, width=width)
    page.wait_for_timeout(200)
    kept, used = page.evaluate(
        """() => {
          const root = document.querySelector(".resizelab");
          const kept = root.parentElement.parentElement.getBoundingClientRect().height;
          root.style.minHeight = 0;
          return [kept, root.getBoundingClientRect().height];
        }"""
    )
    print(f"at {width}: {used:.0f} of {kept:.0f} pixels")
    assert kept - 60 <= used <= kept + 1


# ---- the snippets of the chapter -------------------------------------------

CHAPTER = (ROOT / "book" / "card.md").read_text(encoding="utf-8")
SNIPPETS = dict(
    re.findall(r":::\{tab-item\} (.+?)\n```python\n(.*?)```", CHAPTER, re.DOTALL)
)
EXPECTED = {
    "PyTorch": ("torch", "torch.bilinear"),
    "TensorFlow": ("tensorflow", "tf2.bicubic"),
    "OpenCV": ("opencv", "opencv.area"),
    "Pillow": ("pillow", "pillow.bicubic"),
    "ONNX Runtime": ("onnxruntime", "onnxruntime.linear"),
    "scikit-image": ("scikit-image", "skimage.linear.antialias"),
    "SciPy": ("scipy", "scipy.zoom.cubic"),
    "JAX": ("jax", "jax.lanczos3"),
}


def test_every_snippet_is_tried():
    assert set(SNIPPETS) == set(EXPECTED)


@pytest.mark.live
def test_the_snippets_make_what_they_promise(look, tmp_path, monkeypatch):
    page, tried = opened(look), []
    for name, source in SNIPPETS.items():
        library, call = EXPECTED[name]
        if engines.version(library) is None:
            continue
        folder = tmp_path / library
        folder.mkdir()
        for kind in (".png", ".npy"):
            kept = record_card.CARD.with_suffix(kind)
            (folder / kept.name).write_bytes(kept.read_bytes())
        if library == "onnxruntime":
            (folder / "model.onnx").write_bytes(linear_model())
        monkeypatch.chdir(folder)
        exec(compile(source, name, "exec"), {})
        made = next(folder.glob("resized.*"))
        verdict = choose(page, made.name, made.read_bytes())
        calls = {c for s in named(verdict, None) for c, _ in s}
        assert call in calls, (name, verdict["text"])
        tried.append(name)
    if not tried:
        pytest.skip("no library is installed")
    assert len(tried) >= 1


def linear_model() -> bytes:
    """Return an ONNX model of one Resize, linear, to the card's output size."""
    onnx = pytest.importorskip("onnx")
    helper, kind = onnx.helper, onnx.TensorProto
    sizes = helper.make_tensor("sizes", kind.INT64, [4], [1, 1, *SIZE])
    node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode="linear")
    x = helper.make_tensor_value_info("x", kind.FLOAT, [1, 1, *CARD.shape])
    y = helper.make_tensor_value_info("y", kind.FLOAT, [1, 1, *SIZE])
    graph = helper.make_graph([node], "resize", [x], [y], [sizes])
    opset = [helper.make_opsetid("", 19)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=9)
    return model.SerializeToString()
