"""A plot as SVG: words are text, hues follow the page, pixels are the picture's own."""

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra 'plots'")
import matplotlib.pyplot as plt
from PIL import Image

from resizelab.teaching import inked, palette, plots


@pytest.fixture
def lines():
    with plots.style((4.8, 3.0)):
        plt.figure()
        for name in ("half_pixel", "asymmetric"):
            ax = plots.samples([0, 10, 20, 30], name=name)
        ax.legend()
    yield inked.svg(ax.figure)
    plt.close()


def drawn(**how):
    named = {
        "a": np.eye(4),
        "b": np.arange(16).reshape(4, 4) / 15,
        "c": np.ones((4, 4)),
    }
    with plots.style():
        figure = plots.pictures(named, **how)
    plt.close(figure)
    return inked.svg(figure), named


def test_its_words_are_text_and_its_colours_have_names(lines):
    words = re.findall(r">([^<>]+)</text>", lines)
    assert {"output pixel", "value", "half_pixel", "asymmetric"} <= set(words)
    literal = set(re.findall(r"[:\s](#\w{6})", lines))
    assert literal == set(), "each colour of the book's look has a variable"
    for colour in re.findall(r"var\(--([\w-]+),", lines):
        assert palette.sheet().count(f"--{colour}:") == 2, "light, dark"


def test_what_it_refers_to_is_there_and_once(lines):
    names = re.findall(r' id="([^"]+)"', lines)
    assert len(names) == len(set(names))
    assert set(re.findall(r'(?:href="|url\()#([\w-]+)', lines)) <= set(names)
    assert "<style" not in lines, "a sheet within would be the whole page's"


def test_pictures_stand_side_by_side_each_with_its_title_and_its_pixels():
    svg, named = drawn()
    root = ElementTree.fromstring(svg)
    parts = root.findall("{*}svg")
    assert [p.findtext(".//{*}text") for p in parts] == list(named)
    for part, picture in zip(parts, named.values(), strict=True):
        data = part.find(".//{*}image").get("href").partition(",")[2]
        shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("L"))
        np.testing.assert_array_equal(shown, np.floor(picture * 255.99))


@pytest.mark.parametrize("columns", [3, 2])
def test_a_page_can_set_pictures_in_fewer_columns(columns):
    page = inked.placed(drawn(columns=columns)[0], 'said "so"')
    assert page.startswith('<div role="img" aria-label="said &quot;so&quot;"')
    assert page.count("<svg ") == 3
    assert page.count('style="--w:') == 3
    assert ';--n:3"' in page
    ElementTree.fromstring(page)


def test_a_language_says_each_line(lines):
    told = inked.translated(lines, lambda line: "a < b" if line == "value" else line)
    assert ">a &lt; b</text>" in told
