"""Run a torch `.pt2` file by its list of operators, without torch's own loader.

That loader unpickles, evaluates texts and imports what a file names: it runs programs.
The list itself is plain: built-in operators of ``torch.ops.aten``, numbers, and weights
as raw bytes. Whatever else a file holds is refused.
"""

import json
import re
import zipfile
from collections.abc import Mapping
from operator import add, floordiv, mul, sub
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from resizelab import engines
from resizelab.modelfiles import files
from resizelab.models.feeding import Port, fitted

Array = NDArray[Any]
HOLDER = "models/model.json"
OPERATOR = re.compile(r"torch\.ops\.aten\.(\w+)\.(\w+)")
# Of sizes that stay open: whole numbers are multiplied, no more.
WHOLE = {f"_operator.{f.__name__}": f for f in (mul, add, sub, floordiv)}
RESIZE = re.compile(r"_?upsample_(\w+?)(?:1d|2d|3d)(_aa)?$")
REFUSED = ("from_file",)  # the one operator that opens files
DTYPES = {1: "uint8", 2: "int8", 4: "int32", 5: "int64", 6: "float16", 7: "float32"}
DTYPES |= {8: "float64", 12: "bool"}  # by the numbers in a file
PLAIN = (
    *("as_int", "as_ints", "as_float", "as_floats", "as_bool", "as_bools"),
    *("as_string", "as_int_lists", "as_float_lists"),
)
EXPORT = (
    "export it where you trust it, torch.onnx.export(model, (x,), 'model.onnx', "
    "dynamo=True), and give the .onnx file"
)
Parts = Mapping[str, Any]


def run(path: Path, feeds: Mapping[str, Array]) -> dict[str, Any]:
    """Return what `foreign` returns of a model: what was fed, outputs, resizes."""
    try:
        with zipfile.ZipFile(path) as packed:
            whole = sum(member.file_size for member in packed.infolist())
            if whole > files.MOST_BYTES:
                raise ValueError(f"it unpacks to {whole} bytes")
            parts = {name.partition("/")[2]: name for name in packed.namelist()}
            read = {name: packed.read(real) for name, real in parts.items()}
        program = json.loads(read[HOLDER])
        graph = program["graph_module"]["graph"]
        for node in graph["nodes"]:
            named = OPERATOR.fullmatch(node["target"])
            if node["target"] in WHOLE:
                continue
            if not named or named[1] in REFUSED:
                raise ValueError(f"it calls {node['target']!r}, no operator of aten")
        torch = engines.load("torch", "torch")
        weights = _weights(torch, read)
        values, ports = _begun(program, graph, weights)
        fed = fitted(feeds, ports)
        values |= {name: torch.from_numpy(x) for name, x in fed.items()}
        with torch.no_grad():
            resizes = list(_run(torch, graph["nodes"], values))
        made = [values[entry["as_tensor"]["name"]] for entry in graph["outputs"]]
    except (zipfile.BadZipFile, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is no .pt2 file of today: {error!r}") from None
    return {"fed": fed, "outputs": [y.numpy() for y in made], "resizes": resizes}


def _begun(
    program: Parts, graph: Parts, weights: Parts
) -> tuple[dict[str, Any], list[Port]]:
    values, ports = {}, []
    shapes = graph["tensor_values"]
    for entry in program["graph_module"]["signature"]["input_specs"]:
        ((kind, said),) = entry.items()
        if kind == "user_input":
            name = said["arg"]["as_tensor"]["name"]
            sizes = tuple(n.get("as_int") for n in shapes[name]["sizes"])
            ports.append(Port(name, sizes, DTYPES[shapes[name]["dtype"]]))
        else:
            values[said["arg"]["name"]] = weights[said[f"{kind}_name"]]
    return values, ports


def _weights(torch: Any, read: Mapping[str, bytes]) -> dict[str, Any]:
    """Return weights, buffers and constants by name, from their raw bytes."""
    found = {}
    for folder in ("weights", "constants"):
        config = json.loads(read[f"data/{folder}/model_{folder}_config.json"])["config"]
        for name, said in config.items():
            if said["use_pickle"] or not said["tensor_meta"]:
                raise ValueError(f"{name!r} is pickled, which can run a program")
            about = said["tensor_meta"]
            raw = read[f"data/{folder}/{said['path_name']}"]
            dtype = getattr(torch, DTYPES[about["dtype"]])
            flat = torch.frombuffer(bytearray(raw), dtype=dtype)
            sizes = [n["as_int"] for n in about["sizes"]]
            strides = [n["as_int"] for n in about["strides"]]
            start = about["storage_offset"]["as_int"]
            found[name] = flat.as_strided(sizes, strides, start)
    return found


def _run(torch: Any, nodes: Any, values: dict[str, Any]) -> Any:
    """Run the nodes in order; go through the resizes among them."""
    for node in nodes:
        named: Any = OPERATOR.fullmatch(node["target"])
        operator = WHOLE.get(node["target"])
        operator = operator or getattr(getattr(torch.ops.aten, named[1]), named[2])
        given = {e["name"]: _value(torch, e["arg"], values) for e in node["inputs"]}
        first = [given[e["name"]] for e in node["inputs"] if e["kind"] == 1]
        rest = {e["name"]: given[e["name"]] for e in node["inputs"] if e["kind"] != 1}
        made = operator(*first, **rest)
        several = made if isinstance(made, (tuple, list)) else (made,)
        outputs = node["outputs"]
        if len(outputs) == 1 and "as_tensors" in outputs[0]:
            outputs = [{"as_tensor": entry} for entry in outputs[0]["as_tensors"]]
        for entry, y in zip(outputs, several, strict=False):
            values[_name(entry)] = y
        if kind := named and RESIZE.match(named[1]):
            yield {
                "name": node["name"],
                "call": "torch.nn.functional.interpolate",
                "arguments": _said(kind, given),
                "reads": first[0].numpy(),
                "gives": made.numpy(),
            }


def _value(torch: Any, said: Parts, values: Mapping[str, Any]) -> Any:
    ((kind, value),) = said.items()
    if kind in PLAIN:
        return value
    match kind:
        case "as_none" | "as_memory_format" | "as_layout" | "as_device":
            return None
        case "as_tensor":
            return values[value["name"]]
        case "as_tensors":
            return [values[entry["name"]] for entry in value]
        case "as_optional_tensors":
            return [_value(torch, entry, values) for entry in value]
        case "as_optional_tensor":
            return _value(torch, value, values)
        case "as_sym_int":
            return value["as_int"] if "as_int" in value else values[_name(said)]
        case "as_sym_ints":
            return [_value(torch, {"as_sym_int": e}, values) for e in value]
        case "as_scalar_type":
            return getattr(torch, DTYPES[value])
    raise ValueError(f"it has an argument of the kind {kind!r}, which is not read here")


def _name(said: Parts) -> str:
    """Return the name of a tensor, or of a whole number."""
    ((_, value),) = said.items()
    name: str = value.get("name") or value["as_name"]
    return name


def _said(kind: re.Match[str], given: Parts) -> dict[str, Any]:
    """Return the arguments of the call that makes this operator."""
    said: dict[str, Any] = {"mode": kind[1].replace("_", "-")}
    if "align_corners" in given:
        said["align_corners"] = given["align_corners"]
    if kind[2]:
        said["antialias"] = True
    scales = given.get("scale_factors") or []
    if any(s is not None and not float(s).is_integer() for s in scales):
        said["scale_factor"] = list(scales)
    return said
