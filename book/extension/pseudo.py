"""A language that nobody speaks: English with accents, so that what stays plain shows.

Code, formulas, fields, links and names of roles are left as they are.
"""

import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

HERE = Path(__file__).parent

CODE = "vo"  # Volapük: Babel knows it, no package of the book speaks it
LETTERS = str.maketrans("aeiouyAEIOUY", "àéîöûýÀÉÎÖÛÝ")
KEPT = re.compile(
    r"""(?xs)
      (`{1,3}).+?\1(?!`)                # code, and what a role is given
    | \$\$.+?\$\$ | (?<![\d$])\$[^$\n]+\$  # formulas
    | \{[^{}]*\}                        # fields, roles
    | \]\([^()]*(?:\([^()]*\)[^()]*)*\) # where a link leads
    | \[\^[^\]]+\] | \]\[[^\]]+\]
    | </?[a-zA-Z][^<>]*> | &\w+;
    | https?://\S+ | \w+[_=.]\w+       # addresses, names of choices and calls
    """
)


def pseudo(text: str) -> str:
    """Return a message in the language that nobody speaks.

    >>> pseudo("Output pixel {i} of `x`")
    'Öûtpût pîxél {i} öf `x`'
    """
    done, at = [], 0
    for kept in KEPT.finditer(text):
        done += [text[at : kept.start()].translate(LETTERS), kept[0]]
        at = kept.end()
    return "".join([*done, text[at:].translate(LETTERS)])


def translated(template: Catalog) -> Catalog:
    """Return a whole translation of a template."""
    made = Catalog(locale=CODE, fuzzy=False)
    for message in template:
        if message.id:
            made.add(message.id, pseudo(message.id))
    return made


# Names of choices and calls, addresses; then a word of two letters and more.
NAMES = re.compile(r"https?://\S+|\w*[_=./\\]\w[\w.]*|\w+\(\)")
WORD = re.compile(r"(?<![\w'\u2019-])[A-Za-z]{2,}(?!\w)")
# What may stay, by a text of it or the place: why.
ALLOWED = {
    r"(pst|sd|bd|theme|headerlink|navbar|sidebar|skip-link|search|copyright)": "the "
    "theme's own words: its packages bring their translations",
    r"component-author|logo": "names",
    r"prev-next|toctree|btn|onthispage|H2\.$|NAV\.|toggle|admonition-title": "theme",
}
NAMED = {"Resize", "Lab", "PyTorch", "OpenCV", "Pillow", "TensorFlow", "SciPy", "ONNX"}
NAMED |= {"JAX", "torch", "tensorflow"}
NAMED |= {"Runtime", "NumPy", "Python", "JupyterLab", "Binder", "IoU", "Dice", "MIT"}
NAMED |= {"half", "asymmetric", "dial", "linear", "cubic", "nearest", "English"}


# Sentences of the theme and of Sphinx: real languages have them from those packages.
THEME = {"Skip to main content", "Copy to clipboard", "Search this book...", "Exercise"}
THEME |= {"Version warning", "Toggle hidden content", "next page", "previous page"}


def plain(text: str) -> list[str]:
    """Return the words of a text that nobody translated; pseudo-words have accents."""
    words = WORD.findall(NAMES.sub(" ", text))
    return [w for w in words if re.search("[aeiouy]", w.lower()) and w not in NAMED]


def english(seen: list[tuple[str, str]]) -> dict[tuple[str, str], list[str]]:
    """Return the plain words of each (text, place) of a page that has no excuse."""
    return {
        (text, where): words
        for text, where in seen
        if text.rstrip(" 0123456789.") not in {theme.rstrip(".") for theme in THEME}
        and (words := plain(text))
        and not any(re.search(a, where) for a in ALLOWED)
    }


def write(locale: Path, templates: dict[str, Catalog]) -> None:
    """Write a whole translation of templates, {domain: template}, below a folder."""
    target = locale / CODE / "LC_MESSAGES"
    target.mkdir(parents=True)
    for name, template in templates.items():
        with (target / f"{name}.po").open("wb") as file:
            write_po(file, translated(template))
