"""Which fonts Matplotlib draws words with, in a language that its own font lacks."""

from __future__ import annotations

from resizelab.teaching.extras import extra
from resizelab.teaching.messages import language

with extra("fonts", "plots"):
    import matplotlib
    from matplotlib import font_manager

# Fonts of many letters: those that are installed are asked in this order.
MANY = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "WenQuanYi Zen Hei"),
    *("Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai"),
)


def families() -> list[str]:
    """Return the fonts to draw with: Matplotlib's, and in other languages more.

    A letter that none of them has is a warning, and so an error of the book's build.

    >>> families() == matplotlib.rcParams["font.family"]
    True
    """
    own = list(matplotlib.rcParams["font.family"])
    if language() == "en":
        return own
    known = set(font_manager.get_font_names())
    return ["DejaVu Sans", *(font for font in MANY if font in known)]
