"""What every page of figures does: a row a state, by the chapter that shows it."""

import itertools
import random
import re

import numpy as np
import pytest
from browser import ROOT
from bulk import some
from explorer_checks import check_axe
from sources import text_of

import resizelab as rl
from resizelab.teaching import figures
from resizelab.teaching.explorers.choosing import positions
from resizelab.teaching.explorers.controls import check_state
from resizelab.teaching.figures.copies import MENU

RECORDED = ROOT / "resizelab/teaching/records"
PHOTOS = {
    path.stem: figures.Photograph.read(path)
    for path in RECORDED.glob("*.webp")
    if path.with_suffix(".json").exists()
}
PAGES = {
    "drift": figures.chains(PHOTOS["eye"], step=1),
    "cubic": figures.cubic(),
    "four-to-eight": figures.recipe(),
    "geometry": figures.labels(PHOTOS["face"], PHOTOS["cup"]),
    "grids": figures.grids(),
    "nearest": figures.copies(),
    "sizes": figures.knife(),
    "sizes round": figures.rounding(),
    "tf1-bug": figures.grids(
        "reads", range(16, 17), n_in=16, n_out=4, grid="asymmetric", dial=0
    ),
    "shrinking": figures.shrinking(),
    "shrinking stripes": figures.stripes(),
    "shrinking areas": figures.areas(),
    "segmentation": figures.masks(PHOTOS["retina"]),
}
CHAPTERS = sorted({n.split()[0] for n in PAGES})
# A bench, a photograph: the slow run takes all pages.
QUICK = ("cubic", "segmentation")


def each(names):
    kept = [k for k, name in enumerate(names) if name in QUICK]
    return pytest.mark.parametrize("name", some(names, *kept))


every_state, every_page = each(PAGES), each(CHAPTERS)
FEW, MANY = 40, 300  # states of a page that are looked at
HIGHEST = 260  # pixels of a figure at the text's width
FAR = {1280: 400, 360: 500}  # from the sentence to the bottom of its drawing
NUMBERED = [n for n, page in PAGES.items() if page._told]
STORE = """([...globalThis[Symbol.for("resizelab.stores")].values()]
  .find((s) => s.name === name))"""
READS = {
    "first": lambda a, *_: a[0],
    "last": lambda a, *_: a[-1],
    "step": lambda a, *_: a[1] - a[0] if len(a) > 1 else 0,
    "at": lambda a, s, key: a[s[key]],
    "here": lambda a, s, *_: a[s["pixel"]],
}


def opened(visit, name, **how):
    page = visit(f"book/{name.split()[0]}.html", **how)
    page.wait_for_selector(".rl-fig[data-drawn]")
    return page


def told(page, state):
    """Return what the prose tells of a state, by Python."""
    items = page.items(state)
    # As the page writes a number: 1, not 1.0.
    said = {k: f"{v:g}" if isinstance(v, float) else v for k, v in state.items()}
    numbers = {}
    for name, (key, how) in page._told.items():
        how, *more = how.split(":")
        array = np.ravel(items[key.format(**said)])
        numbers[name] = float(READS[how](array, state, *more))
    return numbers


def plain(value):
    """Return a value of a state as a link writes it."""
    return value if isinstance(value, str) else f"{value:g}"


def number(text):
    return float(text.replace("\u2212", "-"))


def in_the_source(name):
    """Return the page's numbers as (what is shown, key)."""
    found = rf"\{{(?:scrub|told)\}}`(\S+) <{PAGES[name].name}:([^>]+)>`"
    return re.findall(found, text_of(f"book/{name.split()[0]}.md"))


@pytest.mark.parametrize("name", NUMBERED)
def test_the_prose_says_the_start_s_numbers(name):
    page, known = PAGES[name], in_the_source(name)
    numbers = {**page.start, **told(page, page.start)}
    assert len(known) >= 2
    for shown, key in known:
        key = re.sub(r"^(\w+):\d+$", r"\1", key)
        assert abs(number(shown) - numbers[key]) <= 0.00501, key


def values_of(control):
    """Return every value that a control reaches, whole ones without a point."""
    steps = round((control["max"] - control["min"]) / control["step"])
    all_ = [round(control["min"] + k * control["step"], 6) for k in range(steps + 1)]
    return [int(value) if value == int(value) else value for value in all_]


@each(NUMBERED)
@pytest.mark.parametrize("most", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_told_numbers_are_pythons_in_every_state(visit, name, most):
    python = PAGES[name]
    keys = {key.partition(":")[0] for _, key in in_the_source(name)}
    moved = [c for c in python.controls if c["key"] in keys]
    reached = [values_of(c) for c in moved]
    names = [c["key"] for c in moved]
    asked = (
        python.start | dict(zip(names, values, strict=True))
        for values in itertools.product(*reached)
    )
    states = [check_state(python.controls, state) for state in asked]
    if len(states) > most:
        states = random.Random(5).sample(states, most)
    page = opened(visit, name)
    said = page.evaluate(
        """async ([name, states]) => {
          const store = STORE, all = [];
          const nodes = [...document.querySelectorAll(`[data-tell^="${name}:"]`)];
          for (const state of states) {
            store.set({}, state);
            await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
            const key = (n) => n.dataset.tell.slice(name.length + 1);
            all.push(nodes.map((n) => [key(n), n.textContent]));
          }
          return all;
        }""".replace("STORE", STORE),
        [python.name, states],
    )
    assert len(said) == len(states) > 2
    for state, numbers in zip(states, said, strict=True):
        own = told(python, state)
        for key, text in numbers:
            assert abs(number(text) - own[key]) <= 0.00501, (state, key)


@every_state
@pytest.mark.parametrize("via", ["http", pytest.param("file", marks=pytest.mark.slow)])
def test_a_link_means_the_start_and_its_changes(visit, name, via):
    python, page = PAGES[name], opened(visit, name, via=via)
    named = page.eval_on_selector_all(
        f".rl-fig[data-store={python.name}]", "all => all.map(f => f.id.slice(4))"
    )
    links = page.eval_on_selector_all(
        "article a[href^='#']", "all => all.map((a) => a.getAttribute('href'))"
    )
    own = "|".join([*named, python.name])
    mine = sorted({h for h in links if re.match(rf"#({own}):", h)})
    assert len(mine) >= 2
    # One after the other and back again: each follows another state than its own.
    for href in [*mine, *mine[::-2], *mine[1::2]]:
        wanted = {k: plain(v) for k, v in python.start.items()}
        wanted |= dict(pair.split("=") for pair in href.split(":")[1].split(","))
        state = page.evaluate(
            """async ([name, href]) => {
              const link = document.querySelector(`article a[href='${href}']`);
              link.click();
              while (!link.hasAttribute("aria-current")) {
                await new Promise((r) => setTimeout(r, 20));
              }
              return STORE.state;
            }""".replace("STORE", STORE),
            [python.name, href],
        )
        assert {k: plain(v) for k, v in state.items()} == wanted, href


@every_page
@pytest.mark.parametrize("width", FAR)
def test_figures_are_low_and_stand_under_their_sentence(visit, name, width):
    """And keep their place before they are drawn, have names, and let a finger pass."""
    how = {"height": 740, "has_touch": True} if width < 1280 else {"height": 900}
    page = opened(visit, name, width=width, **how)
    check_names(page)
    places = page.evaluate(
        """async () => {
          const all = [];
          for (const figure of document.querySelectorAll(".rl-fig[data-figure]")) {
            figure.scrollIntoView();
            while (!figure.dataset.drawn) await new Promise((r) => setTimeout(r, 30));
            let told = figure.closest(".cell");
            while (told.classList.contains("cell")) told = told.previousElementSibling;
            const box = figure.getBoundingClientRect();
            const end = figure.querySelector("svg").getBoundingClientRect().bottom;
            const far = end - told.getBoundingClientRect().top;
            all.push([figure.id, box.height, far]);
          }
          return all;
        }"""
    )
    assert 3 <= len(places) <= 8
    print(name, width, [(i[4:], round(h), round(far)) for i, h, far in places])
    for figure, height, far in places:
        assert far <= FAR[width], figure
        # A bench has several controls under its drawing.
        assert height <= HIGHEST or width < 1280 or figure == "fig-bench", figure
    first = page.eval_on_selector_all(
        ".rl-fig", "all => all[0].getBoundingClientRect().bottom + scrollY"
    )
    # Before the guess of this page any of its figures would answer it.
    assert name == "grids" or first <= 1.3 * page.viewport_size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 1280:
        check_axe(page, ".rl-fig[data-drawn]", ".rl-fig")
    else:
        check_a_finger_that_goes_down_changes_nothing(page, name)


def check_names(page):
    """Fail unless each figure has a name of its own and room, drawn or not."""
    names = page.eval_on_selector_all(
        ".rl-fig .rl-stage", "all => all.map((s) => s.getAttribute('aria-label'))"
    )
    assert len(set(names)) == len(names) >= 3
    assert None not in names
    heights = page.eval_on_selector_all(
        ".rl-fig .rl-stage", "(all) => all.map((e) => e.clientHeight)"
    )
    assert len(heights) >= 3
    assert min(heights) > 40


def check_a_finger_that_goes_down_changes_nothing(page, name):
    before = page.evaluate(f"(name) => {STORE}.state", PAGES[name].name)
    touch = page.context.new_cdp_session(page)
    for stage in page.locator(".rl-fig [role=slider].rl-stage").all()[:3]:
        stage.scroll_into_view_if_needed()
        box = stage.bounding_box()
        gesture = {"x": box["x"] + 150, "y": box["y"] + 60, "yDistance": -150}
        touch.send("Input.synthesizeScrollGesture", gesture)
    assert page.evaluate(f"(name) => {STORE}.state", PAGES[name].name) == before


@every_page
def test_without_scripts_the_start_is_drawn(visit, name):
    page = visit(f"book/{name}.html", java_script_enabled=False)
    drawn = page.locator(".rl-still svg[role=img]")
    labels = [one.get_attribute("aria-label") for one in drawn.all()]
    assert len(labels) >= 3
    assert all(labels)
    assert page.locator("link[href*='figures.css']").count() == 1  # their colours
    assert not any("undefined" in label or "NaN" in label for label in labels)


# --- what is drawn is what Python computed ---


def drawn(page, figure, selector, *data):
    """Return numbers of the elements that a figure has drawn."""
    return page.eval_on_selector_all(
        f"#fig-{figure} {selector}",
        "(all, data) => all.map((e) => data.map((key) => +e.dataset[key]))",
        list(data),
    )


@pytest.mark.parametrize("n_out", [1, 3, 8, 13])
def test_tent_and_matrix_and_steps_are_the_operator(visit, n_out):
    python = PAGES["four-to-eight"]
    state = {"n_out": n_out, "pixel": n_out - 1, "values": "spot"}
    page = opened(visit, "four-to-eight")
    for name in ("tent", "matrix", "ribbons"):
        page.locator(f"#fig-{name}").scroll_into_view_if_needed()
        page.wait_for_selector(f"#fig-{name}[data-drawn]")
    page.evaluate(f"([name, state]) => {STORE}.set({{}}, state)", [python.name, state])
    page.wait_for_timeout(100)
    items = python.items(state)
    operator = items[f"w|{n_out}"]
    x, last = items[f"x|{n_out}"][-1], operator.dense()[-1]
    taps = dict(drawn(page, "tent", ".rl-read", "tap", "weight"))
    assert all(np.isclose(w, 1 - abs(x - j)) for j, w in taps.items())
    # What stands outside is read off the nearest pixel.
    folded = np.zeros(4)
    for j, w in taps.items():
        folded[int(min(max(j, 0), 3))] += w
    assert np.allclose(folded, last)
    cells = np.array(drawn(page, "matrix", ".rl-cell", "weight")).reshape(n_out, 4)
    assert np.allclose(cells, operator.dense())
    made = np.ravel(drawn(page, "matrix", "[data-made]", "made"))
    assert np.allclose(made, operator @ items["spot"])


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (("pillow.nearest", "tf2.nearest"), (4, 10)),
        (("torch.nearest", "half_pixel.round_prefer_floor"), (16, 4)),
        (("tf1.nearest.align_corners", "opencv.nearest"), (15, 5)),
        (("onnxruntime.nearest", "torch.nearest-exact"), (18, 1)),
    ],
)
def test_copies_are_the_rules_own_and_ties_lie_between(visit, rules, sizes):
    (above, below), (n_in, n_out) = rules, sizes
    page = opened(visit, "nearest")
    page.locator("#fig-copies").scroll_into_view_if_needed()
    state = f"above={above},below={below},n_in={n_in},n_out={n_out},pixel=0"
    page.evaluate("(hash) => { location.hash = hash; }", f"#copies:{state}")
    page.wait_for_selector(f"#fig-copies[data-drawn*='{below}']")
    for side, name in (("above", above), ("below", below)):
        seen = drawn(page, "copies", f"[data-side={side}]", "pixel", "tie")
        pixels, ties = np.transpose(seen)
        menu = MENU[name]
        assert pixels.tolist() == rl.weights(menu, n_in, n_out).index[:, 0].tolist()
        x = positions(menu, n_in, n_out) - (0.5 if ".tf2" in f".{name}" else 0)
        if "pillow" in name or ("exact" in name and "opencv" in name):
            continue  # it adds steps up: its position is off a tie by the last bit
        between = np.isclose(x % 1, 0.5) & (x > 0) & (x < n_in - 1)
        assert ties.astype(bool).tolist() == between.tolist()


def test_a_bench_has_a_menu_and_a_slider_for_each_choice(visit):
    page = opened(visit, "nearest")
    bench = page.locator("#fig-bench")
    bench.scroll_into_view_if_needed()
    bench.get_by_label("rule below").select_option("pillow.nearest")
    bench.get_by_label("input pixels").press("ArrowRight")
    page.wait_for_selector("#fig-bench[data-drawn*='\"n_in\":5']")
    drawn_state = bench.get_attribute("data-drawn")
    assert '"below":"pillow.nearest"' in drawn_state
    page.locator("#fig-copies").scroll_into_view_if_needed()
    page.wait_for_selector("#fig-copies[data-drawn*='\"n_in\":5']")


def test_stripes_and_kernels_are_pythons(visit):
    page = opened(visit, "shrinking")
    for name in ("bells", "stripes"):
        page.locator(f"#fig-{name}").scroll_into_view_if_needed()
        page.wait_for_selector(f"#fig-{name}[data-drawn]")
    for link in ("#bells:n_out=5,pixel=3,how=plain", "#bells:n_out=7,pixel=6"):
        page.evaluate("(link) => { location.hash = link; }", link)
        page.wait_for_timeout(100)
        state = {"n_out": 5, "pixel": 3, "how": "plain"}
        if "7" in link:
            state = {"n_out": 7, "pixel": 6, "how": "antialias"}
        items = PAGES["shrinking"].items(state)
        row = np.zeros(12)
        for j, w in drawn(page, "bells", ".rl-stem", "tap", "weight"):
            row[int(j)] += w
        operator = items[f"w|{state['how']}|{state['n_out']}"]
        assert np.allclose(row, operator.dense()[state["pixel"]])
    items = PAGES["shrinking stripes"].items({"n_out": 16})
    for way in ("plain", "antialias", "area"):
        made = drawn(page, "stripes", f"[data-way={way}]", "made")
        assert np.allclose(np.ravel(made), items[f"made|{way}|16"])


def test_rings_and_lobes_and_what_stands_outside_are_pythons(visit):
    python, page = PAGES["cubic"], opened(visit, "cubic")
    for name in ("ringing", "bells", "off", "outside"):
        page.locator(f"#fig-{name}").scroll_into_view_if_needed()
        page.wait_for_selector(f"#fig-{name}[data-drawn]")
    for change in ({"a": -1}, {"a": -0.5, "rule": "exclude", "pixel": 6, "end": 7}):
        state = python.start | change
        page.evaluate(
            f"([name, state]) => {STORE}.set({{}}, state)", [python.name, state]
        )
        for name in ("ringing", "bells", "off", "outside"):  # far ones wait
            page.locator(f"#fig-{name}").scroll_into_view_if_needed()
            page.wait_for_timeout(150)
        items = python.items(state)
        a, rule = f"{state['a']:g}", state["rule"]
        ((spot, value),) = drawn(page, "ringing", "[data-made]", "output", "made")
        assert np.isclose(value, (items[f"e|{a}"] @ items["bar"])[int(spot)])
        stems = dict(drawn(page, "bells", ".rl-stem", "tap", "weight"))
        raw = items[f"v|{a}"].dense()[state["pixel"]]
        assert stems == pytest.approx({k: raw[int(k)] for k in stems})
        assert np.isclose(sum(stems.values()), 1)
        made = np.ravel(drawn(page, "outside", "[data-made]", "made"))
        assert np.allclose(made, items[f"w|{a}|{rule}"] @ items["values"])
        off = np.array(drawn(page, "off", "[data-off]", "output", "off"))
        assert np.allclose(off[:, 1], items[f"off|line|{a}"], atol=1e-6)
        assert (abs(off[:, 1]).max() < 1e-5) == (a == "-0.5")


def test_what_stands_outside_is_what_the_operators_read():
    page = PAGES["cubic"]
    for rule in figures.cubics.RULES:
        items = page.items({"a": -0.75, "rule": rule})
        stands, raw = items[f"stands|{rule}"], items["v|-0.75"].dense()
        values = np.where(stands >= 0, items["values"][stands.clip(0)], 0)
        weights = np.where(stands == figures.cubics.NOTHING, 0, raw)
        made = weights @ values / weights.sum(1)
        assert np.allclose(made, items[f"w|-0.75|{rule}"] @ items["values"])


def test_products_stand_where_floats_put_them(visit):
    python, page = PAGES["sizes"], opened(visit, "sizes")
    for n, m in ((88, 120), (22, 26), (7, 10), (128, 127)):
        page.evaluate(
            f"([name, state]) => {STORE}.set({{}}, state)",
            [python.name, {"n_in": n, "n_out": m}],
        )
        page.wait_for_timeout(100)
        shown = page.eval_on_selector_all(
            "#fig-knife [data-type]",
            "all => all.map(({dataset: d}) => [d.type, +d.steps, d.value])",
        )
        exact, single = n * (m / n), np.float32(n) * np.float32(m / n)
        values = {kind: value for kind, _, value in shown}
        assert float(values["float64"]) == exact
        assert np.isclose(float(values["float32"]), single, rtol=1e-7)
        for (_, steps, _), made in zip(shown, (exact, single), strict=True):
            assert np.sign(steps) == np.sign(made - m)
    page.locator("#fig-lost").scroll_into_view_if_needed()
    page.wait_for_selector("#fig-lost[data-drawn]")
    n, m = np.mgrid[1:129, 1:129]
    count = page.locator("#fig-lost [data-count]").get_attribute("data-count")
    assert int(count) == (np.floor(n * (m / n)) < m).sum()
    box = page.locator("#fig-lost svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 18 + 186 / 2)
    page.wait_for_timeout(100)
    state = page.evaluate(f"(name) => {STORE}.state", python.name)
    assert abs(state["n_in"] - 64) <= 1
    assert abs(state["n_out"] - 64) <= 1
