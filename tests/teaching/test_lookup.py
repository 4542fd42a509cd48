"""The look-up of two calls: what is one family is one, and what the page holds."""

import base64
import json
import zlib

import numpy as np
import pytest

import resizelab as rl
from resizelab.teaching import lookup, lookup_page

PAPER = "tensorrt.nearest.asymmetric.floor"
NAMES = (
    *("torch.bilinear", "opencv.linear", "torch.bilinear.align_corners"),
    *("torch.nearest", "opencv.nearest", PAPER),
    *("pillow.bilinear", "torch.bilinear.antialias", "tf1.bilinear"),
)


@pytest.fixture(scope="module")
def found():
    return lookup.families([rl.convention(name) for name in NAMES])


def test_one_resize_is_one_family(found):
    together = [{row.name for row in family.rows} for family in found]
    assert {"torch.bilinear", "opencv.linear"} in together
    assert {"pillow.bilinear", "torch.bilinear.antialias"} in together
    assert {"torch.nearest"} in together  # small pictures that double: another path
    assert found[0].head() == "half_pixel · linear · no antialias · edge"


def test_the_page_s_data_say_where_two_differ_and_by_how_much(found):
    whole = json.loads(zlib.decompress(base64.b64decode(lookup.data(found))))
    home = {row[0]: k for k, f in enumerate(whole["families"]) for row in f["rows"]}
    one, other = home["torch.bilinear"], home["tf1.bilinear"]
    size = [tuple(s) for s in whole["sizes"]].index((8, 4))
    groups = np.frombuffer(base64.b64decode(whole["groups"][size]), np.uint16)
    answers = np.frombuffer(base64.b64decode(whole["answers"][size]), np.uint8)
    told = answers.reshape(-1, 4)[groups[[one, other]]] / lookup.LEVELS + lookup.LOWEST
    rng = np.random.default_rng(lookup.SEED)
    noise = {n: rng.random(n) for n in sorted({n for n, _ in lookup.sizes()})}[8]
    for name, row in zip(("torch.bilinear", "tf1.bilinear"), told, strict=True):
        np.testing.assert_allclose(row, rl.weights(name, 8, 4) @ noise, atol=0.006)
    # What is told last is named as the fields are.
    fields = {k for family in whole["families"] for k in family["fields"]}
    assert {"the step is taken from", "how positions are computed"} <= (
        fields & set(whole["quiet"])
    )
    same = [tuple(s) for s in whole["sizes"]].index((5, 5))
    groups = np.frombuffer(base64.b64decode(whole["groups"][same]), np.uint16)
    assert groups[one] == groups[other]


def test_every_choice_has_words_for_a_reader():
    for name in NAMES:
        told = lookup.fields_of(rl.convention(name))
        assert told["where an output reads"] == rl.convention(name).spec.grid
        assert not [key for key in told if "_" in key]


def test_what_was_not_run_is_marked_wherever_it_is_named(found):
    said = lookup_page.named(rl.convention("torch.nearest"))
    assert said == "<code>torch.nearest</code>"
    paper = f"<code>{PAPER}</code> <small>(on paper)</small>"
    assert paper in lookup_page.family_list(found)
    rows = [rl.convention(name) for name in NAMES]
    assert paper in lookup_page.table(rows, {})
    assert lookup_page.table(rows, {}).count("<tr data-row>") == len(NAMES)


def test_the_form_is_small_and_asks_nobody(found):
    text = lookup_page.form(found, "torch.bilinear", "tf1.bilinear", (8, 4))
    script = text.split("<script>")[1]
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")
    assert len(zlib.compress(script.encode(), 9)) < 30_000
