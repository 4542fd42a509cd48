"""Read the chapters as they are written: cells with their tags, and prose."""

import re

import yaml
from browser import ROOT

FENCE = re.compile(
    r"^(`{3,}|~{3,})\{code-cell\}[^\n]*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL
)


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def front_matter(text: str) -> dict:
    found = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    return yaml.safe_load(found[1]) if found else {}


def options(body: str) -> tuple[dict, str]:
    """Split a directive's body into its options, of either notation, and the rest."""
    if block := re.match(r"---\n(.*?)^---\n", body, re.DOTALL | re.MULTILINE):
        return yaml.safe_load(block[1]), body[block.end() :]
    short = re.match(r"(?::.*\n)*", body)
    return yaml.safe_load(short[0].replace("\n:", "\n")[1:]) or {}, body[short.end() :]


def cells(text: str) -> list[tuple[set[str], list[str]]]:
    """Return (tags, code lines) of every code cell."""
    found = []
    for _, body in FENCE.findall(text):
        given, code = options(body)
        lines = [line for line in code.splitlines() if line.strip()]
        found.append((set(given.get("tags", ())), lines))
    return found


def prose(text: str) -> list[str]:
    """Return the lines that a reader reads: no code, options, tables or formulas."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^<!--.*?-->", "", text, flags=re.DOTALL | re.MULTILINE)
    lines, fences, formula = [], [], False
    for line in text.splitlines():
        mark = re.match(r"\s*(`{3,}|~{3,})(.*)", line)
        if mark and fences and mark[1] == fences[-1][0] and not mark[2].strip():
            fences.pop()
        elif mark:
            # A directive whose body is prose is read; code and literals are not.
            is_prose = re.match(r"\{(exercise|solution|note|tip|hint)", mark[2])
            fences.append((mark[1], bool(is_prose)))
        elif line.strip().startswith("$$"):
            formula = not formula and line.strip().count("$$") == 1
        elif formula or re.match(r"\s*(:|\||#|\+\+\+|\()", line):
            continue
        elif all(is_prose for _, is_prose in fences):
            lines.append(line)
    return lines
