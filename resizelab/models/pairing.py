"""Which result of one side belongs to which of the other: by name, module or order."""

import ast
import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from resizelab.modelfiles.nodes import is_resize, name_of
from resizelab.models.feeding import Array
from resizelab.models.running import Exposed

SCOPES = "pkg.torch.onnx.name_scopes"  # torch's newer exporter writes it at each node
CALLS = "interpolate."  # how the torch hook names the calls of interpolate
READS = "reads."  # and what goes into them, where that is known
# To paste into a notebook: few lines matter more than short ones.
HOOK = """\
import numpy as np, torch
def dump(path, model, **inputs):  # dump("dump.npz", model.eval(), x=x)
    seen = dict(inputs)
    keep = lambda n, y: seen.update({n: y.detach().clone()} if torch.is_tensor(y) else {})
    class Resizes(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, f, types, args=(), kwargs=None):
            y = f(*args, **(kwargs or {}))
            return keep(f"interpolate.{len(seen)}", y) or y if f is torch.nn.functional.interpolate else y
    hooks = [m.register_forward_hook(lambda m, i, y, n=n: keep(n or "output", y)) for n, m in model.named_modules()]
    with torch.no_grad(), Resizes(): model(*inputs.values())
    np.savez(path, **{k: v.numpy(force=True) for k, v in seen.items()}); [h.remove() for h in hooks]
"""  # noqa: E501
ENOUGH = 0.5  # of the names in common: then names are names


def of_models(a: Exposed, b: Exposed) -> dict[str, str]:
    """Return {a's result: b's}, by name where names agree, else by order of kinds."""
    common = [name for name in a.tensors if name in b.nodes]
    same_kind = [n for n in common if a.nodes[n].op_type == b.nodes[n].op_type]
    if len(same_kind) >= ENOUGH * min(len(a.tensors), len(b.tensors)):
        return {name: name for name in same_kind}
    mine = [a.nodes[name].op_type for name in a.tensors]
    theirs = [b.nodes[name].op_type for name in b.tensors]
    found = {}
    matcher = difflib.SequenceMatcher(None, mine, theirs, autojunk=False)
    for start, other, length in matcher.get_matching_blocks():
        for k in range(length):
            found[a.tensors[start + k]] = b.tensors[other + k]
    return found


def of_dump(a: Exposed, dump: Mapping[str, Array]) -> dict[str, str]:
    """Return {a's result: the dump's name} for what the two have in common.

    A dump names tensors as the model does, or modules as torch does ("encoder.up1"),
    or is the work of `HOOK`.
    """
    found = {name: name for name in a.tensors if name in dump}
    taken = set(found.values())
    last = {}
    for name in a.tensors:  # the last result of a module is what the module returns
        for module in _outer(_module(a.nodes[name])):
            last[module] = name
    for key in dump:
        if key not in taken and key in last:
            found.setdefault(last[key], key)
    resizes = [n for n in a.tensors if is_resize(a.nodes[n])]
    calls = [key for key in dump if key.startswith(CALLS)]
    if len(resizes) == len(calls):
        for name, key in zip(resizes, calls, strict=True):
            found.setdefault(name, key)
            read, source = f"{READS}{key[len(CALLS) :]}", a.nodes[name].input[0]
            if read in dump and source in a.nodes:
                found.setdefault(source, read)
    outputs = [o.name for o in a.model.graph.output]
    if "output" in dump and outputs:
        found.setdefault(outputs[0], "output")
    order = {name: k for k, name in enumerate(a.tensors)}
    return {k: found[k] for k in sorted(found, key=lambda n: order.get(n, len(order)))}


def _module(node: Any) -> str:
    """Return the torch module that a node came from, as torch names it, or ''."""
    for entry in node.metadata_props:
        if entry.key == SCOPES:
            try:
                scopes = ast.literal_eval(entry.value)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return ""
            return str(scopes[-2]) if len(scopes) > 1 else ""
    # The older exporter writes /layer1/layer1.0/conv1/Conv: a part that repeats the
    # one before it stands for both.
    path: list[str] = []
    for part in name_of(node).strip("/").split("/")[:-1]:
        if path and part.startswith(f"{path[-1]}."):
            path[-1] = part
        else:
            path.append(part)
    return ".".join(path)


def _outer(module: str) -> Iterable[str]:
    """Return a module's name and the names of those around it."""
    parts = module.split(".") if module else []
    return [".".join(parts[: k + 1]) for k in range(len(parts))]
