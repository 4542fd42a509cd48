"""Scripts as they travel: the same tokens, without what only a reader needs.

Comments, indents and spaces that separate nothing are left out. Names stay as they
are, and every string, template and regular expression stays letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<space>(?:\s|//[^\n]*|/\*.*?\*/)+)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<word>\.?\d[\w.]*|[\w$]+)
    |(?P<sign>[^\s\w$"'`])""",
    re.VERBOSE | re.DOTALL,
)
# A template up to its end or to the next value in it.
_TEMPLATE = re.compile(r"[`}](?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)", re.DOTALL)
_PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
# After these a slash begins a regular expression; after a value it divides.
_BEFORE_PATTERN = (*"(,=:[!&|?{;<>*%", "return", "typeof", "case")
# No statement ends after one of these, nor before one of those.
_GOES_ON = (*",;:?{([=<>&|*%!",)
_WENT_ON = (*")]}.,;:?=&|<>%",)
# Signs that would become another sign, or a comment, without the space between.
_MERGING = ("++", "--", "//", "/*", "<!")


def served(source: str) -> str:
    r"""Return an ES module or script without comments and needless white space.

    A new line is kept where a statement may end at it. Raises ValueError for a slash
    that may divide as well as begin a regular expression; after ) it divides.

    >>> served("const a = 1;  // one\nconst b = `${a + 1} is  two`;\n")
    'const a=1;const b=`${a+1} is  two`;'
    """
    out: list[str] = []
    gap = ""
    for kind, token in _tokens(source):
        if kind == "space":
            gap = "\n" if "\n" in token else " "
            continue
        if out and gap:
            out.append(_between(out[-1], token, gap))
        out.append(token)
        gap = ""
    return "".join(out)


def _between(last: str, token: str, gap: str) -> str:
    """Return what has to stand between two tokens that white space separates."""
    if gap == "\n":
        needless = last.endswith(_GOES_ON) or token in _WENT_ON
        return "" if needless else gap
    # A letter after a regular expression would be a flag, a dot after 1 a fraction.
    pattern = len(last) > 1 and last.startswith("/")
    word = re.match(r"\.?[\w$]", token)
    both_words = word and (pattern or re.search(r"[\w$]$", last))
    fraction = last[-1].isdigit() and token == "."
    apart = both_words or fraction or last[-1] + token[0] in _MERGING
    return " " if apart else ""


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    at, last = 0, ";"
    open_braces: list[int] = []  # one count for each template that holds this place
    while at < len(source):
        kind, token = _token(source, at, last, open_braces)
        at += len(token)
        if kind != "space":
            last = token
        yield kind, token


def _token(source: str, at: int, last: str, open_braces: list[int]) -> tuple[str, str]:
    sign = source[at]
    resumes = sign == "}" and bool(open_braces) and open_braces[-1] == 0
    if sign == "`" or resumes:
        found = _TEMPLATE.match(source, at)
        if found is None:
            raise ValueError(f"a template has no end: {source[at : at + 40]!r}")
        if resumes:
            open_braces.pop()
        if found[0].endswith("${"):
            open_braces.append(0)
        return "text", found[0]
    found = _TOKEN.match(source, at)
    if found is None:
        raise ValueError(f"a text has no end: {source[at : at + 40]!r}")
    if found[0] == "/":
        return _slash(source, at, last)
    if open_braces and sign in "{}":
        open_braces[-1] += 1 if sign == "{" else -1
    return str(found.lastgroup), found[0]


def _slash(source: str, at: int, last: str) -> tuple[str, str]:
    if last in _BEFORE_PATTERN or last.endswith("${"):
        found = _PATTERN.match(source, at)
        if found:
            return "text", found[0]
    elif re.search(r"[\w$)\]]$", last):
        return "sign", "/"
    raise ValueError(f"does this slash divide? {source[at - 20 : at + 20]!r}")
