"""Count the lines of code in a text."""

import ast
from functools import cache


@cache
def parsed(text):
    return ast.parse(text)


@cache
def counted(text):
    """Say of each line whether it is neither blank, nor comment, nor docstring."""
    lines = [line.strip() for line in text.splitlines()]
    said = [bool(line) and not line.startswith("#") for line in lines]
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(parsed(text)):
        words = node.body[0] if isinstance(node, kinds) and node.body else None
        value = getattr(getattr(words, "value", None), "value", None)
        if isinstance(words, ast.Expr) and isinstance(value, str):
            said[words.lineno - 1 : words.end_lineno] = [False] * (
                words.end_lineno - words.lineno + 1
            )
    return said


def code_lines(text, first=1, last=None):
    """Return how many lines are neither blank, nor comment, nor docstring."""
    return sum(counted(text)[first - 1 : last])
