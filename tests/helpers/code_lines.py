"""Count the lines of code in a text."""

import ast


def documented(tree):
    """Return the line numbers of all docstrings."""
    lines = set()
    for node in ast.walk(tree):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, kinds) and ast.get_docstring(node) is not None:
            text = node.body[0]
            lines.update(range(text.lineno, text.end_lineno + 1))
    return lines


def code_lines(text, first=1, last=None):
    """Return how many lines are neither blank, nor comment, nor docstring."""
    skipped = documented(ast.parse(text))
    numbered = list(enumerate(text.splitlines(), 1))[first - 1 : last]
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and n not in skipped
        for n, line in numbered
    )
