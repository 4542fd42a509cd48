"""Run TFLite, OpenVINO and ncnn files, and take out what their resizes read and give.

Each function returns what was ``fed``, the ``outputs`` and the ``resizes``, as
`foreign.run` does; it is run in a process of its own.
"""

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import engines
from resizelab.modelfiles import files, nodes, text_files
from resizelab.models import aten
from resizelab.models.feeding import COLOURS, Port, fitted

Array = NDArray[Any]


def _litert(path: Path, feeds: Mapping[str, Array]) -> dict[str, Any]:
    contents = nodes.read(path)
    runtime = engines.load("ai_edge_litert.interpreter", "litert")
    interpreter = runtime.Interpreter(
        model_content=path.read_bytes(),
        num_threads=1,
        experimental_preserve_all_tensors=True,
    )
    fronts = interpreter.get_input_details()
    fed = fitted(feeds, [_tensor_port(front) for front in fronts])
    for front in fronts:
        interpreter.resize_tensor_input(front["index"], fed[front["name"]].shape)
    interpreter.allocate_tensors()
    for front in fronts:
        interpreter.set_tensor(front["index"], fed[front["name"]])
    interpreter.invoke()
    tensors = interpreter.get_tensor_details()
    named = {t["name"]: t for t in tensors}
    resizes = []
    for node in contents.nodes:
        about: dict[str, Any] = {"name": node.name, "call": f"tflite.{node.op}"}
        about["arguments"] = dict(node.arguments)
        if node.name in named:
            about["gives"] = _real(interpreter, named[node.name])
        resizes.append(about)
    outputs = [_real(interpreter, t) for t in interpreter.get_output_details()]
    return {"fed": fed, "outputs": outputs, "resizes": resizes}


def _tensor_port(front: Mapping[str, Any]) -> Port:
    signed = front.get("shape_signature", front["shape"])
    shape = tuple(None if n == -1 else int(n) for n in signed)
    scale, zero = front["quantization"]
    kind = np.dtype(front["dtype"]).name
    return Port(front["name"], shape, kind, float(scale), int(zero))


def _real(interpreter: Any, tensor: Mapping[str, Any]) -> Array:
    """Return a tensor's values; levels of a quantised one stand for them."""
    levels: Array = interpreter.get_tensor(tensor["index"])
    scale, zero = tensor["quantization"]
    return (levels.astype(np.float32) - zero) * np.float32(scale) if scale else levels


def _openvino(path: Path, feeds: Mapping[str, Array]) -> dict[str, Any]:
    from resizelab.engines.openvino import SETTINGS, core

    if path.suffix == ".xml":
        files.existing(path.with_suffix(".bin"))
    model = core().read_model(str(path))
    ordered = model.get_ordered_ops()
    known = [op for op in ordered if op.get_type_name() == "Interpolate"]
    ends = len(model.outputs)
    held = [_place(out.get_node().input_value(0)) for out in model.outputs]
    sides = [(op.input_value(0), op.output(0)) for op in known]
    for port in itertools.chain(*sides):
        if _place(port) not in held:  # else it is an output already
            model.add_outputs([port])
            held.append(_place(port))
    ports = [_model_port(front) for front in model.inputs]
    fed = fitted(feeds, ports)
    network = core().compile_model(model, "CPU", SETTINGS)
    results = network(list(fed.values()))
    made = [np.asarray(results[port]).copy() for port in network.outputs]
    resizes: list[dict[str, Any]] = []
    for op, pair in zip(known, sides, strict=True):
        reads, gives = (made[held.index(_place(port))] for port in pair)
        about = {"name": op.get_friendly_name(), "reads": reads, "gives": gives}
        resizes.append({**about, **text_files.call_of(".xml", op.get_attributes())})
    return {"fed": fed, "outputs": made[:ends], "resizes": resizes}


def _place(port: Any) -> tuple[str, int]:
    return port.get_node().get_friendly_name(), port.get_index()


def _model_port(front: Any) -> Port:
    shape = front.get_partial_shape()
    name = front.get_any_name() if front.get_names() else "input"
    kind = np.dtype(front.get_element_type().to_dtype()).name
    if not shape.rank.is_static:
        return Port(name, None, kind)
    sizes = tuple(d.get_length() if d.is_static else None for d in shape)
    return Port(name, sizes, kind)


def _ncnn(path: Path, feeds: Mapping[str, Array]) -> dict[str, Any]:
    ncnn = engines.load("ncnn", "ncnn")
    net = ncnn.Net()
    net.opt.num_threads = 1
    for option in dir(net.opt):
        if option.startswith("use_") and option != "use_winograd_convolution":
            setattr(net.opt, option, False)
    if net.load_param(str(path)) != 0:
        raise ValueError("the list of layers cannot be read")
    weights = path.with_suffix(".bin")
    if weights.exists() and weights.stat().st_size:
        if net.load_model(str(weights)) != 0:
            raise ValueError(f"{weights.name} cannot be read")
    else:
        net.load_model_mem("")
    layers = [line.split() for line in path.read_text("utf-8").splitlines()[2:]]
    ports = [_layer_port(layers, name) for name in net.input_names()]
    fed = {name: _planes(x) for name, x in fitted(feeds, ports).items()}
    resizes = []
    for words in layers:
        if words and words[0] == "Interp":
            about = _interp(words)
            about["reads"] = _extracted(ncnn, net, fed, words[4])
            about["gives"] = _extracted(ncnn, net, fed, words[4 + int(words[2])])
            resizes.append(about)
    outputs = [_extracted(ncnn, net, fed, name) for name in net.output_names()]
    return {"fed": fed, "outputs": outputs, "resizes": resizes}


def _extracted(ncnn: Any, net: Any, fed: Mapping[str, Array], name: str) -> Array:
    """Return one blob, (channels, height, width), with a batch of one in front."""
    extractor = net.create_extractor()
    for front, x in fed.items():
        extractor.input(front, ncnn.Mat(x).clone())
    status, out = extractor.extract(name)
    if status != 0:
        raise ValueError(f"it stopped with status {status} at {name!r}")
    return np.array(out)[None]


def _planes(x: Array) -> Array:
    """Return an array as ncnn has it: where no size is said, colours go first."""
    last = x.shape[-1] in COLOURS and x.shape[0] not in COLOURS
    return np.ascontiguousarray(np.moveaxis(x, -1, 0)) if last else x


def _layer_port(layers: list[list[str]], name: str) -> Port:
    line = next(w for w in layers if w and w[0] == "Input" and w[1] == name)
    sizes = dict(entry.split("=") for entry in line if "=" in entry)
    shape = tuple(int(sizes[k]) if k in sizes else None for k in ("2", "1", "0"))
    return Port(name, shape, "float32")


def _interp(words: list[str]) -> dict[str, Any]:
    said = dict(entry.split("=") for entry in words if "=" in entry)
    about = {"name": words[1], **text_files.call_of(".param", said)}
    if "1" in said and "3" not in said:
        scales = float(said["1"]), float(said.get("2", said["1"]))
        about["arguments"] |= {"height_scale": scales[0], "width_scale": scales[1]}
    return about


RUNNERS = {"litert": _litert, "openvino": _openvino, "ncnn": _ncnn, "torch": aten.run}
