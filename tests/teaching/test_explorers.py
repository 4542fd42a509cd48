"""The Python side of the explorers: boxes, controls, looks, and what is exported."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest
from bulk import for_each
from pygments.lexers import JavascriptLexer
from pygments.token import Token
from rjsmin import jsmin

import resizelab as rl
from resizelab.axis.grid import grid as grid_of
from resizelab.teaching import palette

pytest.importorskip("anywidget")

from resizelab.teaching import explorers
from resizelab.teaching.explorers import base, controls, payload, prediction
from resizelab.teaching.explorers.grid_explorer import MODES

HERE = Path(explorers.__file__).parent
# written into the modules that ask for them
LATE = ("card_files", "card_models", "card_mistakes", "card_judge", "card_verdict")
SHARED = ("drawing", "photograph", "picture_own", *LATE)
MODULES = sorted(p.name for p in HERE.glob("*.js") if p.stem not in ("host", *SHARED))


# ---- boxes -----------------------------------------------------------------


def test_a_box_gives_back_what_was_packed():
    w = rl.weights(rl.Spec(kernel="cubic", a=-0.75, grid="half_pixel"), 5, 7)
    x = np.arange(3, dtype=np.float32)
    box = payload.unpack(payload.pack({"w": w, "x": x}, {"id": 7, "what": "é"}))
    assert box["meta"] == {"id": 7, "what": "é"}
    np.testing.assert_array_equal(box["operators"]["w"].dense(), w.dense())
    np.testing.assert_array_equal(box["arrays"]["x"], x)
    assert box["arrays"]["x"].dtype == np.float32


def test_equal_arrays_are_stored_once():
    x = np.random.default_rng(0).random(500)
    one, two = (len(payload.pack(dict.fromkeys(k, x))) for k in ("a", "ab"))
    assert two < one + 100


def test_the_same_operators_give_the_same_bytes():
    w = rl.weights(rl.Spec(), 4, 8)
    assert payload.pack_operators({"w": w}) == payload.pack_operators({"w": w})


def test_every_array_starts_at_a_multiple_of_eight():
    arrays = {str(n): np.arange(n, dtype="u1") + n for n in range(1, 12)}
    raw = gzip.decompress(payload.pack(arrays))
    end = 4 + int.from_bytes(raw[:4], "little")
    places = [at for _, _, at in json.loads(raw[4:end])["arrays"].values()]
    assert all(at % 8 == 0 for at in places)


def test_a_dtype_no_browser_has_is_refused():
    allowed = "'x' has dtype complex128: allowed are f8, f4, i4, i2, u2, u1"
    with pytest.raises(TypeError, match=allowed):
        payload.pack({"x": np.zeros(2, complex)})


# ---- controls --------------------------------------------------------------

N = {"key": "n", "kind": "range", "label": "n", "min": 2, "max": 8, "step": 1}
I = {**N, "key": "i", "min": 0, "max": 15, "below": "n"}  # noqa: E741
LIVE = {**N, "key": "live", "live_max": 16}
MODE = {"key": "mode", "kind": "choice", "label": "m", "options": {"a": "A", "b": "B"}}
MANY = {**MODE, "key": "many", "kind": "choices"}
FLAG = {"key": "flag", "kind": "flag", "label": "f"}
ROW = {"key": "row", "kind": "numbers", "label": "r", "min": 0, "max": 9, "count": 2}
ALL = (N, I, LIVE, MODE, MANY, FLAG, ROW)


def test_a_legal_state_passes():
    state = {
        "n": 4.0, "i": 9, "live": 16, "mode": "a", "many": ["b", "a"],
        "flag": True, "row": [1.5, 9],
    }  # fmt: skip
    wanted = {**state, "n": 4, "i": 3, "many": ["a", "b"]}
    assert controls.check_state(ALL, state) == wanted


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"m": 1}, "no control is called 'm'"),
        ({"mod": "a"}, "no control is called 'mod'; did you mean 'mode'?"),
        ({"n": 9}, "n=9: a number from 2 to 8 is needed"),
        ({"n": True}, "n=True: a number from 2 to 8 is needed"),
        ({"n": "4"}, "n='4': a number from 2 to 8 is needed"),
        ({"n": float("nan")}, "n=nan: a number from 2 to 8 is needed"),
        ({"n": 2.5}, "n=2.5: a whole number is needed"),
        ({"live": 17}, "live=17: a number from 2 to 16 is needed"),
        ({"mode": "c"}, "mode='c': allowed are 'a', 'b'"),
        ({"many": "a"}, "many='a': a list is needed"),
        ({"many": ["c"]}, "many='c': allowed are 'a', 'b'"),
        ({"flag": 1}, "flag=1: allowed are True and False"),
        ({"row": [1]}, "row has 1 values, not 2"),
        ({"row": [1, 10]}, "row=10: a number from 0 to 9 is needed"),
    ],
)
def test_a_wrong_state_says_what_is_allowed(state, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        controls.check_state(ALL, state)


# ---- looks -----------------------------------------------------------------


def luminance(colour: str) -> float:
    """Return the relative luminance of a hex colour, as WCAG 2 defines it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
    ]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(a: str, b: str) -> float:
    """Return WCAG 2's contrast ratio of two colours."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_no_two_names_look_alike():
    looks = [palette.style(name) for name in palette.names()]
    assert len(set(looks)) == len(looks)


@for_each(palette.names())
def test_a_look_can_be_read_on_light_and_on_dark(name):
    look = palette.style(name)
    assert contrast(look.light, "#ffffff") >= 4.5
    assert contrast(look.dark, "#14181e") >= 4.5
    assert look.mpl_marker in "os^DvPX*"


def test_an_unknown_name_keeps_its_look():
    assert palette.style("my own") == palette.style("My own ")


# ---- modules ---------------------------------------------------------------


@for_each(MODULES)
def test_a_module_imports_nothing_by_address(name):
    text = base.module(name)
    assert not re.search(r"^\s*import\b|\bimport\(|\bfrom\s+[\"']", text, re.MULTILINE)
    assert text.count("export ") == 1
    assert "export default" in text


@for_each(LATE)
def test_a_late_part_is_handed_what_it_asks_for(part):
    handed = re.search(r"resizelabLate\(\{(.*?)\}\)", base.module("card_explorer.js"))
    asked = re.search(r'\{ (.*) \} from "./drawing', (HERE / f"{part}.js").read_text())
    assert set(asked[1].split(", ")) <= set(handed[1].split(","))


def said_by(source):
    """Return a script's tokens as another reader of JavaScript finds them."""
    skipped = (Token.Comment, Token.Text.Whitespace)
    return "".join(
        token if kind in Token.Literal.String else token.strip()
        for kind, token in JavascriptLexer().get_tokens(source)
        if all(kind not in s for s in skipped)
    )


@for_each(sorted(HERE.glob("*.js")))
def test_on_the_way_no_word_of_a_script_is_lost(path):
    source = path.read_text()
    wired = jsmin(source)
    assert said_by(wired) == said_by(source)
    assert jsmin(wired) == wired
    assert len(wired) < 0.95 * len(source)


@for_each(sorted(HERE.glob("*.js")))
def test_no_template_stands_in_another(path):
    # rjsmin takes the inner one's words for code, and their spaces away.
    nested = re.findall(r"`[^`]*\$\{[^}`]*`.*", path.read_text())
    assert nested == []


# ---- grid ------------------------------------------------------------------


@pytest.fixture(scope="module")
def grid():
    return explorers.grid()


def test_the_page_gets_every_state_its_sliders_reach(grid):
    box = payload.unpack(grid.payload)
    pairs = [(n, m) for n in range(2, 9) for m in range(1, 17)]
    for mode in MODES:
        for n_in, n_out in pairs:
            key = f"{mode}|{n_in}|{n_out}"
            x = grid_of(mode, n_in, n_out).positions()
            np.testing.assert_array_equal(box["arrays"]["x|" + key], x)
            w = rl.weights(rl.Spec(kernel="linear", grid=mode), n_in, n_out)
            np.testing.assert_array_equal(
                box["operators"]["w|" + key].dense(), w.dense()
            )
    assert len(grid.payload) <= 50_000


def test_a_request_is_answered_with_the_same_numbers(grid):
    asked = {**grid.state, "n_in": 15, "n_out": 31, "mode": ["pytorch_half_pixel"]}
    grid.request = {"id": 3, "state": asked}
    box = payload.unpack(grid.answer)
    assert box["meta"] == {"id": 3}
    w = rl.weights(rl.Spec(kernel="linear", grid="pytorch_half_pixel"), 15, 31)
    shown = box["operators"]["w|pytorch_half_pixel|15|31"].dense()
    np.testing.assert_array_equal(shown, w.dense())


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"n_in": 999}, "n_in=999: a number from 2 to 16 is needed"),
        ({"mode": ["x"]}, "mode='x': allowed are 'asymmetric'"),
        ({"hat": 1}, "no control is called 'hat'"),
    ],
)
def test_a_wrong_request_gets_its_reason(grid, state, message):
    grid.request = {"id": message, "state": {**grid.state, **state}}
    meta = payload.unpack(grid.answer)["meta"]
    assert meta["id"] == message
    assert meta["error"].startswith(message)


def test_its_kernel_can_be_another():
    cubic = rl.Spec(kernel="cubic", a=-0.5, grid="half_pixel")
    box = payload.unpack(explorers.grid(spec=cubic).payload)
    shown = box["operators"]["w|align_corners|4|8"].dense()
    w = rl.weights(cubic.replace(grid="align_corners"), 4, 8)
    np.testing.assert_array_equal(shown, w.dense())


def test_it_shows_itself_without_scripts(grid):
    data, _ = grid._repr_mimebundle_()
    assert data["image/png"].startswith("iVBORw0KGgo")
    assert "half_pixel at 0.25" in data["text/plain"]
    assert data["text/html"].count("<noscript>") == 1
    still = f'<svg role="img" aria-label="{data["text/plain"]}"'
    assert still in data["text/html"]
    assert grid.model_id in data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in data


# ---- predict ---------------------------------------------------------------

ANSWERS = {"half_pixel": 2.5, "align_corners": 30 / 7, "asymmetric": 5.0}


def test_the_seal_opens_and_hides():
    ask = explorers.predict("Second?", ANSWERS, "half_pixel", explain="Why so.")
    opened = prediction.unseal(ask.sealed)
    assert {a["label"]: a["value"] for a in opened["answers"]} == ANSWERS
    assert opened["correct"] == "half_pixel"
    assert opened["tolerance"] == pytest.approx((5 - 30 / 7) / 4)
    assert b"\x1f\x8b" not in ask.sealed[:8]
    data, _ = ask._repr_mimebundle_()
    setup = {k: v for k, v in ask.get_state()["setup"].items() if k != "height"}
    told = json.dumps([setup, data["text/plain"]])
    assert "2.5" not in told
    assert "Why so" not in told


@pytest.mark.parametrize(
    ("answers", "tolerance"),
    [({"a": 1.0, "b": 1.0}, 0.01), ({"a": 0.0}, 0.005), ({"a": 0, "b": 4}, 1.0)],
)
def test_the_tolerance_never_reaches_a_second_answer(answers, tolerance):
    opened = prediction.unseal(explorers.predict("?", answers).sealed)
    assert opened["tolerance"] == pytest.approx(tolerance)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"answers": {}}, "answers={}: at least one convention has to answer"),
        ({"answers": {"a": float("nan")}}, "answers['a']=nan: a number within ±1e9"),
        (
            {"answers": ANSWERS, "correct": "half_pixl"},
            "correct='half_pixl': allowed are 'half_pixel', 'align_corners', "
            "'asymmetric'; did you mean 'half_pixel'?",
        ),
        (
            {"answers": ANSWERS, "feedback": {"x": "y"}},
            "feedback has 'x': allowed are 'else', 'half_pixel'",
        ),
        (
            {"answers": {"a": "lft"}, "choices": ["left", "right"]},
            "answers['a']='lft': allowed are 'left', 'right'; did you mean 'left'?",
        ),
        ({"answers": ANSWERS, "tolerance": -1}, "tolerance=-1: a number ≥ 0 is needed"),
    ],
)
def test_a_wrong_question_says_what_is_allowed(arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        explorers.predict("?", **arguments)
