"""A language that nobody speaks: English with accents, so that what stays plain shows.

Code, formulas, fields, links and names of roles are left as they are.
"""

import re

from babel.messages.catalog import Catalog

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
