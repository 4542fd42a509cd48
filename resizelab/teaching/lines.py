"""Which line of a page this is: a key made of its text and of what led to it.

A key changes when the line says something else, or when a line does that gave a name
that it reads. Comments, layout and other lines do not count, nor does running a cell
twice. Nothing is run for it, so a key is the same wherever the page is opened.
"""

import ast
import hashlib
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS)
LAYOUT = ("ctx", "kind", "type_comment")


def said(node: object) -> str:
    """Return what a piece of syntax says, in the same words in every Python.

    >>> said(ast.parse("f(x)  # twice")) == said(ast.parse("f( x )"))
    True
    """
    if isinstance(node, list):
        return "[" + " ".join(map(said, node)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = ((k, v) for k, v in ast.iter_fields(node) if k not in LAYOUT)
    inner = " ".join(f"{k}={said(v)}" for k, v in fields if v is not None and v != [])
    return f"{type(node).__name__}({inner})"


def _digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def _in_order(node: ast.AST) -> list[ast.AST]:
    """Return a node's parts in the order in which they run."""
    parts = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value:
        return [node.value, *(part for part in parts if part is not node.value)]
    if isinstance(node, ast.For | ast.comprehension):
        return [node.iter, *(part for part in parts if part is not node.iter)]
    if isinstance(node, COMPREHENSIONS):
        return [*node.generators, *(p for p in parts if p not in node.generators)]
    return parts


def read(node: ast.AST, bound: set[str] | None = None) -> Iterator[str]:
    """Yield the names that a statement reads and has not given itself before.

    >>> sorted(set(read(ast.parse("for k in ks: y = x[k]; print(y)"))))
    ['ks', 'print', 'x']
    """
    bound = set() if bound is None else bound
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in bound:
            yield node.id
        elif isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        return
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield from () if node.target.id in bound else (node.target.id,)
    inner = bound
    if isinstance(node, SCOPES):
        inner = set(bound)
    if isinstance(node, FUNCTIONS):
        inside = list(ast.walk(node))
        inner |= {n.arg for n in inside if isinstance(n, ast.arg)}
        names = (n for n in inside if isinstance(n, ast.Name))
        inner |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    for part in _in_order(node):
        yield from read(part, inner)


def _here(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that run in the page's own scope."""
    yield node
    for child in () if isinstance(node, SCOPES) else ast.iter_child_nodes(node):
        yield from _here(child)


def _root(node: ast.AST) -> str:
    """Return the name that a chain such as ``a.b[0].c`` begins with, or ""."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def imported(node: ast.AST) -> dict[str, str]:
    """Return the names that a statement's imports bind, with what each stands for.

    >>> imported(ast.parse("import a.b, c as d; from e import f"))
    {'a': 'a.b', 'd': 'c', 'f': 'e.f'}
    """
    found = {}
    for n in _here(node):
        if isinstance(n, ast.Import | ast.ImportFrom):
            place = f"{n.module}." if isinstance(n, ast.ImportFrom) else ""
            for a in n.names:
                found[a.asname or a.name.split(".")[0]] = place + a.name
    return found


def given(node: ast.AST, modules: set[str]) -> set[str]:
    """Return the names to which a statement gives a value, or whose value it changes.

    A call such as ``found.append(1)`` changes ``found``, unless that is a module.

    >>> sorted(given(ast.parse("x[0] = y; found.append(x); np.seed(1)"), {"np"}))
    ['found', 'x']
    """
    names = set(imported(node))
    for n in _here(node):
        if isinstance(n, ast.Name | ast.Attribute | ast.Subscript):
            names |= set() if isinstance(n.ctx, ast.Load) else {_root(n)}
        elif isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(n.name)
        elif isinstance(n, ast.Expr) and isinstance(n.value, ast.Call):
            called = n.value.func
            if isinstance(called, ast.Attribute) and _root(called) not in modules:
                names.add(_root(called))
    return names - {""}


class Lines:
    """Reads a page's statements one after another and gives each its key."""

    def __init__(self) -> None:
        self.came: dict[str, str] = {}  # of a name: the line that gave it
        self.before: dict[tuple[str, str], str] = {}  # what a line changed, unchanged
        self.modules: set[str] = set()
        self.gives: dict[str, set[str]] = {}  # of a key: the names it gives

    def key(self, node: ast.stmt) -> str:
        """Return a statement's key, and remember which names it gives.

        >>> lines = Lines()
        >>> keys = [lines.key(n) for n in ast.parse("x = 1; x = 2; x += 1; x = 2").body]
        >>> [keys.index(key) for key in keys]
        [0, 1, 2, 1]
        """
        text = said(node)
        reads = sorted(set(read(node)) & {*self.came})
        # A line that changes what it reads finds, run twice, what it found at first.
        origins = [
            self.before.get((n, self.came[n] + text), self.came[n]) for n in reads
        ]
        digest = _digest(text, *map(":".join, zip(reads, origins, strict=True)))
        stands = imported(node)
        self.modules |= set(stands)
        names = given(node, self.modules)
        self.before |= {
            (n, digest + text): came for n, came in zip(reads, origins, strict=True)
        }
        self.came |= dict.fromkeys(names, digest)
        self.came |= {name: _digest(what) for name, what in stands.items()}
        self.gives[digest] = names
        return digest
