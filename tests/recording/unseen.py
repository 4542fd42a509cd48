"""Ask the card's page about pipelines that it was not written beside.

`tests/recording/unseen.py --seed 1 --count 120` draws pipelines of eight libraries with
one mistake each (`--two`: two), runs them with the real libraries on the grey or the
colour card, gives each result to the page's own script in a browser, and prints a
table by mistake: named, named beside another that explains it alike, wrong or nothing.
The sentence that the page has to say is the catalogue's, filled with the numbers that
were drawn.  Then the same calls, without a mistake.  `--record` writes the pipelines
that the tests ask about, `tests/golden/card/mistakes.npz`, instead.
"""

import argparse
import base64
import collections
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import resizelab as rl
from resizelab import engines
from resizelab.teaching.explorers import card, card_material
from resizelab.teaching.explorers.card_explorer import coloured

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests" / "golden" / "card" / "mistakes.npz"
CARD = np.load(ROOT / "book" / "assets" / "resize-card.npy")
SIZE = (21, 5)
IMAGENET = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
TOLD = card_material.words()
SAYS = TOLD["page"]["mistakes"]
FLIPS = {"across": np.s_[:, ::-1], "down": np.s_[::-1], "turned": np.s_[::-1, ::-1]}
FILLS = (0, 114, 124, 127, 128, 255)
CLIP = (
    np.array([0.48145466, 0.4578275, 0.40821073]),
    np.array([0.26862954, 0.26130258, 0.27577711]),
)
MEANS = {"ImageNet": IMAGENET, "CLIP": CLIP}
# What people call.
POOL = {
    "pillow": "nearest box bilinear hamming bicubic lanczos",
    "opencv": "nearest linear cubic area lanczos4 linear_exact nearest_exact",
    "torch": "nearest nearest-exact area bilinear bilinear.align_corners bicubic "
    "bicubic.align_corners bilinear.antialias bicubic.antialias lanczos",
    "tf2": "bilinear bilinear.antialias nearest bicubic bicubic.antialias area "
    "lanczos3 lanczos3.antialias lanczos5 gaussian mitchellcubic",
    "keras.resizing": "nearest bilinear bilinear.antialias bicubic bicubic.antialias "
    "area lanczos3 lanczos5",
    "jax": "nearest linear cubic lanczos3 lanczos5 linear.no_antialias "
    "cubic.no_antialias cubic-pytorch",
    "skimage": "linear nearest cubic linear.no_antialias cubic.no_antialias "
    "linear.antialias cubic.antialias linear.edge.no_antialias",
    "onnxruntime": "nearest nearest.asymmetric.floor linear linear.align_corners "
    "linear.asymmetric cubic cubic.a-0.5.exclude_outside linear.antialias "
    "cubic.antialias linear.exclude_outside.antialias cubic.asymmetric",
}
Drawn = tuple[Callable[[Any, Any], Any], str, bool]
Resize = Callable[..., Any]


def jpeg(x: Any, quality: int, chroma: int = 2) -> Any:
    """Return a picture of bytes as a JPEG gives it back."""
    from PIL import Image

    out = io.BytesIO()
    more = {"subsampling": chroma} if x.ndim == 3 else {}
    Image.fromarray(byte(x)).save(out, "jpeg", quality=quality, **more)
    return np.asarray(Image.open(out)).astype(x.dtype)


def byte(y: Any) -> Any:
    return np.rint(np.clip(y, 0, 255)).astype(np.uint8)


def bfloat16(x: Any) -> Any:
    """Return x with eight bits of significand, to nearest, ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    kept = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return kept.astype(np.uint32).view(np.float32)


def resized(name: str, dtype: str) -> Resize:
    """Return the real library's resize of (H, W) or (H, W, channels)."""
    row = rl.convention(name)

    def run(x: Any, size: tuple[int, int] = SIZE) -> Any:
        if x.ndim == 3:
            return np.stack([run(x[..., c], size) for c in range(x.shape[-1])], axis=-1)
        x = np.ascontiguousarray(x)
        return np.asarray(
            engines.run(row, x if x.dtype.kind == "f" else x.astype(dtype), size)
        )

    return run


def said(key: str, **values: Any) -> str:
    """Return a pattern of the sentence; a size may be told as a range about it."""
    text = re.escape(SAYS[key])
    for name, value in values.items():
        text = text.replace(re.escape(f"{{{name}}}"), re.escape(str(value)))
    return text


def unlit(v: Any, curve: str) -> Any:
    """Return levels without sRGB's curve, or a gamma of 2.2."""
    v = np.clip(v, 0, 255) / 255
    power = np.where(v > 0.04045, ((v + 0.055) / 1.055) ** 2.4, v / 12.92)
    return np.float32(255 * (power if curve == "sRGB" else v**2.2))


def lit(v: Any, curve: str) -> Any:
    """Return linear levels with the curve put on."""
    v = np.clip(v, 0, 255) / 255
    root = np.where(v > 0.0031308, 1.055 * v ** (1 / 2.4) - 0.055, 12.92 * v)
    return np.float32(255 * (root if curve == "sRGB" else v ** (1 / 2.2)))


def kinds(rng: np.random.Generator, pairs: bool) -> dict[str, Callable[[], Drawn]]:
    """Return each mistake's draw: (what is run, what is said, bytes will do)."""
    (h, w), (m, k) = CARD.shape, SIZE

    def draw(low: int, high: int) -> int:
        return int(rng.integers(low, high + 1))

    def pick(given: Any) -> Any:
        return given[draw(0, len(given) - 1)]

    def grey_level() -> int:
        return int(pick((*FILLS, draw(0, 255))))

    def crop_before() -> Drawn:
        a, b, c, d = draw(0, 3), draw(0, 2), draw(0, 6), draw(0, 6)
        a += not a + b + c + d
        rows = {"first_row": a + 1, "last_row": h - b}
        columns = {"first_column": c + 1, "last_column": w - d}
        pattern = said("crop_before", **rows, **columns)
        return lambda r, x: r(x[a : h - b, c : w - d]), pattern, True

    def crop_after() -> Drawn:
        p, q = draw(0, 12), draw(1, 12)
        a, b = (pick((0, n // 2, n)) for n in (p, q))
        pattern = said("crop_after", h=m + p, w=k + q, top=a, left=b)
        return (lambda r, x: r(x, (m + p, k + q))[a : a + m, b : b + k], pattern, True)

    def twice() -> Drawn:
        size = draw(8, 40), draw(5, 44)
        return lambda r, x: r(r(x, size)), f"twice {size[0]} {size[1]}", True

    def frame_after() -> Drawn:
        p, q, fill = draw(3, 12), draw(0, 1), grey_level()
        a, b = pick(((0, 0), (p // 2, q // 2)))

        def run(r: Any, x: Any) -> Any:
            y = r(x, (m - p, k - q))
            out = np.full(SIZE + y.shape[2:], fill, y.dtype)
            out[a : a + m - p, b : b + k - q] = y
            return out

        return (
            run,
            said("frame_after", h=m - p, w=k - q, fill=fill, top=a, left=b),
            True,
        )

    def frame_before() -> Drawn:
        fill, at = grey_level(), pick((0, (w - h) // 2))
        pattern = said("frame_before", fill=fill, h=w, w=w)

        def run(r: Any, x: Any) -> Any:
            pad = ((at, w - h - at), (0, 0), (0, 0))[: x.ndim]
            return r(np.pad(x, pad, constant_values=fill))

        return run, pattern, True

    def jpeg_before() -> Drawn:
        q, chroma = draw(40, 95), pick((0, 2))
        pattern = said("jpeg_before", quality=q)
        return lambda r, x: r(jpeg(x, q, chroma)), pattern, True

    def jpeg_after() -> Drawn:
        q, chroma = draw(50, 95), pick((0, 2))
        pattern = said("jpeg_after", quality=q)
        return lambda r, x: jpeg(byte(r(x)), q, chroma), pattern, True

    def half_after() -> Drawn:
        if draw(0, 1):
            return (
                lambda r, x: (r(x) / np.float32(255)).astype(np.float16),
                "kept as float16",
                False,
            )
        return lambda r, x: bfloat16(r(x)), "kept as bfloat16", False

    def half_before() -> Drawn:
        name = pick(("float16", "bfloat16"))
        turn = bfloat16 if name == "bfloat16" else lambda v: np.float32(np.float16(v))
        return (
            lambda r, x: r(turn(x / np.float32(255))),
            said("half_before", name=name),
            False,
        )

    def moved(key: str) -> Drawn:
        side, by, end = draw(0, 1), pick((-1, 1)), pick(("edge", "wrap"))

        def shift(x: Any) -> Any:
            n = x.shape[side]
            at = np.arange(n) - by
            at = at % n if end == "wrap" else at.clip(0, n - 1)
            return np.take(x, at, side)

        way = TOLD["page"]["directions"][side][by > 0]
        pattern = said(key, way=way)
        if key == "moved_after":
            return lambda r, x: shift(r(x)), pattern, True
        return lambda r, x: r(shift(x)), pattern, True

    def order() -> Drawn:
        return (
            lambda r, x: r(coloured(byte(x)).astype(x.dtype)[..., ::-1].copy()),
            "blue, green, red",
            True,
        )

    def flip_after() -> Drawn:
        how = pick(tuple(FLIPS))
        pattern = re.escape(TOLD["page"]["flips"][how])
        return lambda r, x: r(x)[FLIPS[how]], pattern, True

    def flip_before() -> Drawn:
        how = pick(tuple(FLIPS))
        # Most resizes treat both ends alike: then it is the same as afterwards.
        either = (SAYS["flip_before_" + how], TOLD["page"]["flips"][how])
        pattern = "|".join(map(re.escape, either))
        return lambda r, x: r(np.ascontiguousarray(x[FLIPS[how]])), pattern, True

    def turned() -> Drawn:
        if draw(0, 1):
            return lambda r, x: r(x).T, "Your picture is transposed", True
        return (
            lambda r, x: r(np.ascontiguousarray(np.swapaxes(x, 0, 1))),
            said("transposed"),
            True,
        )

    def scaled() -> Drawn:
        ways = {
            "minus 128": lambda y: (byte(y).astype(int) - 128).astype(np.int8),
            r"divided by 127\.5, minus 1": lambda y: np.float32(y) / 127.5 - 1,
            "divided by 255 twice": lambda y: np.float32(y) / 255 / 255,
            "divided by 128, minus 1": lambda y: np.float32(y) / 128 - 1,
        }
        words = pick(tuple(ways))
        return lambda r, x: ways[words](r(x)), words, True

    def normed() -> Drawn:
        name = pick(tuple(MEANS))
        mean, std = MEANS[name]
        words = {n["said"].split("'")[0].split()[-1]: n for n in TOLD["norm"]}
        own = words[name]
        flip, divide = pick(((1, True), (-1, True), (1, False)))
        key = "norm_undivided" if not divide else "norm_reversed"
        text = own["said"] if flip > 0 and divide else TOLD["said"][key].format(**own)

        def run(r: Any, x: Any) -> Any:
            y = r(coloured(byte(x)).astype(x.dtype)) / np.float32(255 if divide else 1)
            return ((y - mean[::flip]) / std[::flip]).astype(np.float32)

        return run, re.escape(text), True

    def grey() -> Drawn:
        told = pick(TOLD["grey"])
        share = np.array(told["weights"])
        if draw(0, 1):
            return (
                lambda r, x: r(coloured(byte(x)).astype(x.dtype)) @ share,
                re.escape(told["said"]),
                False,
            )
        return (
            lambda r, x: r(byte(coloured(byte(x)) @ share).astype(x.dtype)),
            re.escape(told["said"]),
            True,
        )

    def cut() -> Drawn:
        return lambda r, x: np.clip(r(x), 0, 255).astype(np.uint8), "cut", False

    def wrapped() -> Drawn:
        def run(r: Any, x: Any) -> Any:
            return np.trunc(r(x)).astype(np.int64).astype(np.uint8)

        return run, "cut|wrapped", False

    def other_mean() -> Drawn:
        mean, std = rng.uniform(0.3, 0.6, 3), rng.uniform(0.2, 0.4, 3)
        pattern = rf"divided by {int(255 * std[0])}\."

        def run(r: Any, x: Any) -> Any:
            y = r(coloured(byte(x)).astype(x.dtype)) / np.float32(255)
            return ((y - mean) / std).astype(np.float32)

        return run, pattern, True

    def standardised() -> Drawn:
        def run(r: Any, x: Any) -> Any:
            y = np.float32(r(x))
            return (y - y.mean()) / y.std()

        return run, "divided by", True

    def alpha() -> Drawn:
        order, text = pick(
            (
                ([3, 0, 1, 2], TOLD["page"]["orders"][2]),
                ([3, 2, 1, 0], TOLD["page"]["orders"][0]),
                ([2, 1, 0, 3], TOLD["page"]["orders"][0]),
            )
        )

        def run(r: Any, x: Any) -> Any:
            y = r(coloured(byte(x)).astype(x.dtype))
            opaque = 255 if y.max() > 2 else 1
            y = np.concatenate([y, np.full_like(y[..., :1], opaque)], 2)
            return np.ascontiguousarray(y[..., order])

        return run, re.escape(text), True

    def light() -> Drawn:
        curve, how = pick(("sRGB", "2.2")), pick(("before", "both", "off", "on"))
        pattern = said(f"light_{how}", curve=TOLD["curves"][curve != "sRGB"]["said"])

        def run(r: Any, x: Any) -> Any:
            if how in ("before", "both"):
                y = r(unlit(x, curve))
                return y if how == "before" else lit(y, curve)
            return (unlit if how == "off" else lit)(r(x), curve)

        return run, pattern, False

    def two() -> Drawn:
        """Return a mistake of the picture, and one of its numbers or its frame."""
        inner, outer = pick(
            (
                (crop_before, scaled),
                (crop_before, flip_after),
                (crop_after, scaled),
                (crop_after, order),
                (twice, scaled),
                (twice, order),
                (frame_after, scaled),
                (frame_before, scaled),
                (crop_before, order),
                (crop_before, normed),
                (crop_after, normed),
                (flip_after, scaled),
                (flip_after, order),
                (turned, scaled),
                (crop_after, flip_after),
                (twice, flip_after),
                (jpeg_before, scaled),
                (crop_before, half_after),
            )
        )
        one, first, whole = inner()
        other, second, also = outer()
        return (
            lambda r, x: other(lambda x: one(r, x), x),
            f"{first} & {second}",
            whole and also,
        )

    given = (crop_before, crop_after, twice, frame_after, frame_before, jpeg_before)
    given += (jpeg_after, half_after, half_before, order, flip_after, flip_before)
    given += (turned, scaled, normed, grey, cut, wrapped, other_mean, standardised)
    given += (alpha, light)
    made = {one.__name__: one for one in ((two,) if pairs else given)}
    for key in () if pairs else ("moved_after", "moved_before"):
        made[key] = lambda key=key: moved(key)
    return made


def drawn(seed: int, count: int, pairs: bool = False) -> Iterator[dict[str, Any]]:
    """Return pipelines: their library, call, dtype, mistake, truth and result."""
    rng = np.random.default_rng(seed)
    mistakes = kinds(rng, pairs)
    names, libraries = list(mistakes), list(POOL)
    for turn in range(count):
        library = libraries[turn % len(libraries)]
        call = f"{library}.{rng.choice(POOL[library].split())}"
        kind = names[turn % len(names)]
        run, truth, whole = mistakes[kind]()
        # What makes the colours itself is given the grey card.
        own = {"order", "normed", "grey", "other_mean", "alpha", "two"}
        colour = kind not in own and rng.random() < 0.4
        given = coloured(CARD) if colour else CARD
        floats = (
            library in ("onnxruntime", "skimage") or not whole or rng.random() < 0.5
        )
        dtype = "float32" if floats else "uint8"
        told = {"call": call, "dtype": dtype, "kind": kind, "colour": colour}
        resize = resized(call, dtype)
        try:
            y = np.asarray(run(resize, given.astype(dtype)))
            plain = np.asarray(resize(given.astype(dtype)))
        except Exception as refused:
            print(call, dtype, kind, "refused:", str(refused).split("\n")[0][:100])
            continue
        # What a float loses in bytes or halves is lost the same way after picking.
        void = y.shape == plain.shape and np.array_equal(y, plain)
        halved = "half_before" in kind or "bfloat16" in truth
        if void or (halved and "nearest" in call):
            continue
        yield {**told, "truth": truth, "y": y, "plain": plain}


def recorded() -> list[dict[str, Any]]:
    """Return the pipelines that are kept, as ``drawn`` made them."""
    with np.load(RECORD) as kept:
        told = json.loads(kept["told"].tobytes())
        return [{**one, "y": kept[str(k)]} for k, one in enumerate(told)]


def record(given: list[dict[str, Any]]) -> None:
    """Keep pipelines, and what is to be said of each."""
    results = {}
    for k, one in enumerate(given):
        y = one["y"]
        results[str(k)] = y.astype(np.float32) if y.dtype == np.float64 else y
    told = [{k: v for k, v in one.items() if k not in ("y", "plain")} for one in given]
    text = np.frombuffer(json.dumps(told).encode(), np.uint8)
    np.savez_compressed(RECORD, told=text, **results)


# ---- the page ------------------------------------------------------------------

# What stands between the widget and its data on a page without a kernel.
START = """async ([source, given, box]) => {
  const bytes = Uint8Array.from(atob(box), (c) => c.charCodeAt(0));
  const values = { ...given, payload: new DataView(bytes.buffer) };
  const module = await import("data:text/javascript;base64," + source);
  const model = { get: (key) => values[key], set: (key, v) => { values[key] = v; },
    on() {}, off() {}, save_changes() {}, send() {} };
  await module.default.render({ model, el: document.querySelector("main") });
}"""
VERDICT = """() => {
  const box = document.querySelector(".rl-verdict");
  return { text: box.innerText,
    ways: +(box.querySelector("[data-ways]") || { dataset: { ways: 1 } }).dataset.ways,
    named: !!box.querySelector("[data-mistake]") || !!box.querySelector("[data-same]"),
    calls: [...box.querySelectorAll(":not([data-miss]) > * [data-call]")]
      .filter((c) => !c.closest("[data-miss]")).map((c) => c.dataset.call) };
}"""


class Asked:
    """The page's own script in a browser, asked one file after the other."""

    def __init__(self, browser: Any) -> None:
        made = card(ROOT / "resizelab/teaching/records/card.json")
        self.page = browser.new_page()
        self.page.set_content("<!doctype html><body><main></main>")
        given = {
            k: getattr(made, k) for k in ("name", "setup", "state", "request", "late")
        }
        text = [
            base64.b64encode(t).decode() for t in (made._esm.encode(), made.payload)
        ]
        self.page.evaluate(START, [text[0], {**given, "answer": None}, text[1]])
        self.page.wait_for_selector(".rl-verdict", state="attached")

    def __call__(self, y: Any) -> dict[str, Any]:
        out = io.BytesIO()
        np.save(out, np.float32(y) if y.dtype == np.float64 else y)
        file = {"name": "y.npy", "mimeType": "", "buffer": out.getvalue()}
        self.page.evaluate("document.querySelector('.rl-verdict').replaceChildren()")
        self.page.locator("input[type=file]").first.set_input_files(file)
        self.page.wait_for_function(
            "document.querySelector('.rl-verdict').childElementCount"
            " && !document.querySelector('.rl-busy')",
            timeout=300_000,
        )
        return dict(self.page.evaluate(VERDICT))


def judged(one: dict[str, Any], verdict: dict[str, Any]) -> str:
    """Return "named", "wrong" or "nothing"."""
    truth, text = one["truth"], verdict["text"]
    if " & " in truth:
        both = [judged({**one, "truth": t}, verdict) for t in truth.split(" & ")]
        worst = [
            found for found in ("nothing", "wrong", "alike", "named") if found in both
        ]
        return worst[0]
    if truth.startswith("twice "):
        wanted = list(map(int, truth.split()[1:]))
        size = r"\(?(\d+)(?: to (\d+)\))?"
        sizes = re.findall(rf"twice: to {size} \W {size},", text)
        fits = [
            all(
                int(s[2 * a]) <= n <= int(s[2 * a + 1] or s[2 * a])
                for a, n in enumerate(wanted)
            )
            for s in sizes
        ]
        right = any(fits)
    else:
        right = re.search(truth, text.split("Nearest")[0]) is not None
    if right:
        return "alike" if verdict["ways"] > 1 else "named"
    return "wrong" if verdict["named"] else "nothing"


def main() -> None:
    """Draw, run, ask, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--two", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    given = list(drawn(options.seed, options.count, options.two))
    if options.record:
        record(given)
        return
    sys.path.insert(0, str(ROOT / "tests" / "helpers"))
    from browser import ARGUMENTS, chromium_path
    from playwright.sync_api import sync_playwright

    table: dict[str, collections.Counter[str]] = {}
    without: collections.Counter[str] = collections.Counter()
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=chromium_path(), args=[*ARGUMENTS]
        )
        ask = Asked(browser)
        for one in given:
            verdict = ask(one["y"])
            found = judged(one, verdict)
            call = one["call"] in verdict["calls"]
            table.setdefault(one["kind"], collections.Counter())[found] += 1
            table[one["kind"]]["call"] += found in HEADS[:2] and call
            if found not in HEADS[:2]:
                words = " ".join(verdict["text"].split("\n")[:3])[:300]
                print(found, call, one["call"], one["dtype"], one["kind"], one["truth"])
                print("   ", words, flush=True)
            plain = ask(one["plain"])
            right = one["call"] in plain["calls"]
            without["named" if right else "wrong" if plain["named"] else "nothing"] += 1
            if not right:
                print("plain", one["call"], one["dtype"], plain["text"][:200])
        browser.close()
    whole: collections.Counter[str] = collections.Counter()
    print(f"\n| mistake | {' | '.join(HEADS)} |\n|---{'|---' * len(HEADS)}|")
    for kind, row in table.items():
        whole += row
        print(f"| {kind} | {' | '.join(str(row[k]) for k in HEADS)} |")
    print(f"| all | {' | '.join(str(whole[k]) for k in HEADS)} |")
    print(f"without a mistake: {dict(without)}; {rl.__name__} seed {options.seed}")


HEADS = ("named", "alike", "wrong", "nothing", "call")

if __name__ == "__main__":
    sys.exit(main())
