// The resize nodes of a model file, .onnx or .tflite, read as bytes: nothing is run.
// What a node computes, and who reads it otherwise, stands in the record.
import { each } from "./drawing.js";
import { BROKEN, latin, refuse } from "./card_files.js";

const DEEP = 16; // graphs inside graphs

// ---- protobuf -------------------------------------------------------------------

// The fields of a message: number → [number, or {at, end} of bytes].
function message(bytes, { at, end }) {
  const found = new Map();
  const number = () => {
    for (let value = 0, shift = 0; shift < 70; shift += 7) {
      const byte = at < end ? bytes[at++] : refuse(BROKEN);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    return refuse(BROKEN);
  };
  while (at < end) {
    const key = number(), wire = key & 7, field = Math.floor(key / 8);
    let value;
    if (wire === 0) value = number();
    else {
      const size = { 1: 8, 2: 0, 5: 4 }[wire] ?? refuse(BROKEN), length = wire === 2 ? number() : size;
      value = { at, end: at + length };
      at = value.end <= end ? value.end : refuse(BROKEN);
    }
    const list = found.get(field);
    if (list) list.push(value);
    else found.set(field, [value]);
  }
  return found;
}

function onnx(bytes) {
  const read = (range) => message(bytes, range), text = (range) => (range ? new TextDecoder().decode(bytes.subarray(range.at, range.end)) : "");
  const data = new DataView(bytes.buffer), model = read({ at: 0, end: bytes.length }), nodes = [];
  const signed = (n) => (n >= 2 ** 63 ? n - 2 ** 64 : n), whole = (values) => (values || []).flatMap((v) => (v.at === undefined ? [signed(v)] : message64(v)));
  const message64 = ({ at, end }) => { const out = []; while (at < end) { let n = 0, s = 1, b; do { b = bytes[at++]; n += (b & 127) * s; s *= 128; } while (b > 127 && at < end); out.push(signed(n)); } return out; };
  const opset = Math.max(0, ...(model.get(8) || []).map(read).filter((o) => !text(o.get(1)?.[0])).map((o) => o.get(2)?.[0] || 0));
  // A tensor's few numbers: sizes or scales.
  function tensor(range) {
    const t = read(range), raw = t.get(9)?.[0], type = t.get(2)?.[0];
    if (raw && raw.end - raw.at <= 64) return type === 7 ? each((raw.end - raw.at) / 8, (k) => Number(data.getBigInt64(raw.at + 8 * k, true))) : type === 1 ? each((raw.end - raw.at) / 4, (k) => data.getFloat32(raw.at + 4 * k, true)) : null;
    const floats = t.get(4)?.[0];
    return t.has(7) ? whole(t.get(7)).slice(0, 8) : floats ? each(Math.min(8, (floats.end - floats.at) / 4), (k) => data.getFloat32(floats.at + 4 * k, true)) : null;
  }
  (function graph(range, deep) {
    if (deep > DEEP) refuse(BROKEN);
    const g = read(range), shapes = new Map(), known = new Map();
    for (const field of [11, 12, 13]) for (const info of g.get(field) || []) {
      const v = read(info), kind = v.get(2) && read(v.get(2)[0]).get(1), shape = kind && read(kind[0]).get(2);
      if (shape) shapes.set(text(v.get(1)?.[0]), (read(shape[0]).get(1) || []).map((d) => read(d).get(1)?.[0] ?? null));
    }
    for (const t of g.get(5) || []) known.set(text(read(t).get(8)?.[0]), t);
    for (const range of g.get(1) || []) {
      const node = read(range), op = text(node.get(4)?.[0]), [inputs, outputs] = [1, 2].map((f) => (node.get(f) || []).map(text)), given = {};
      for (const a of (node.get(5) || []).map(read)) {
        const [value] = [...(a.get(4) || []).map(text), ...whole(a.get(3)), ...(a.get(2) || []).map((f) => data.getFloat32(f.at, true))];
        given[text(a.get(1)?.[0])] = value;
        if (op === "Constant" && a.has(5)) known.set(outputs[0], a.get(5)[0]);
        for (const inner of a.get(6) || []) graph(inner, deep + 1);
      }
      if (op !== "Resize" && op !== "Upsample") continue;
      const constant = (k) => (known.has(inputs[k]) ? tensor(known.get(inputs[k])) : null), late = op === "Resize" && opset > 10;
      const before = shapes.get(inputs[0]), scales = constant(late ? 2 : 1), sizes = late ? constant(3) : null;
      nodes.push({ name: text(node.get(3)?.[0]) || outputs[0], op, opset, given, before, after: shapes.get(outputs[0]) || sizes, scales: scales?.length ? scales : null });
    }
  })(model.get(7)?.[0] || refuse(BROKEN), 0);
  return { libraries: ["onnx", "onnxruntime", "openvino"], nodes };
}

// ---- flatbuffers ------------------------------------------------------------------

function tflite(bytes) {
  const data = new DataView(bytes.buffer), u32 = (at) => data.getUint32(at, true), nodes = [];
  let entries = 0; // a true file holds each once
  const field = (table, k) => { const v = table - data.getInt32(table, true), size = data.getUint16(v, true), at = 4 + 2 * k < size && data.getUint16(v + 4 + 2 * k, true); return at ? table + at : 0; };
  const vector = (at) => { if (!at) return []; const start = at + u32(at), n = u32(start); return (entries += n) * 4 > bytes.length ? refuse(BROKEN) : each(n, (k) => start + 4 + 4 * k); };
  const tables = (at) => vector(at).map((p) => p + u32(p)), numbers = (at) => vector(at).map((p) => data.getInt32(p, true));
  const root = u32(0), codes = tables(field(root, 1)).map((code) => { const [old, now] = [field(code, 0), field(code, 3)]; return Math.max(old ? data.getInt8(old) : 0, now ? data.getInt32(now, true) : 0); });
  for (const graph of tables(field(root, 2))) {
    const tensors = tables(field(graph, 0)), shape = (k) => (tensors[k] ? numbers(field(tensors[k], 0)) : null);
    const name = (k) => { const at = tensors[k] && field(tensors[k], 3), start = at && at + u32(at); return start ? latin(bytes.subarray(start + 4, start + 4 + Math.min(200, u32(start)))) : ""; };
    for (const operator of tables(field(graph, 3))) {
      const index = field(operator, 0), code = codes[index ? u32(index) : 0], first = { 23: 2, 97: 0 }[code];
      if (first === undefined) continue;
      const at = field(operator, 4), options = at && at + u32(at), flag = (k) => { const place = options && field(options, k); return place && data.getUint8(place) ? "True" : "False"; };
      const [[input], [output]] = [1, 2].map((k) => numbers(field(operator, k)));
      nodes.push({ name: name(output), op: first ? "ResizeBilinear" : "ResizeNearestNeighbor", given: { align_corners: flag(first), half_pixel_centers: flag(first + 1) }, before: shape(input), after: shape(output) });
    }
  }
  return { libraries: ["litert"], nodes };
}

export const isModel = (bytes, name) => (latin(bytes.subarray(4, 8)) === "TFL3" ? tflite : /\.onnx$/i.test(name) ? onnx : null);

// ---- what the record says of a node -------------------------------------------------

// "lib.Resize(mode='linear', antialias=1)" → the arguments, with what is not said.
function written(call, defaults) {
  const [, op, inside] = /\.(\w+)\((.*)\)$/.exec(call) || [], said = Object.fromEntries([...(inside || "").matchAll(/(\w+)=('[^']*'|\([^)]*\)|\[[^\]]*\]|[^,]+)/g)].map(([, k, v]) => [k, v.replace(/'/g, "")]));
  return { op, said: { ...defaults[op], ...said } };
}

// The number of the call that is this node in a library, or -1.
export function callOf(node, library, { calls, models }) {
  const old = node.op === "Resize" && node.opset <= 10, wanted = { ...models[node.op] };
  const { mode = wanted.mode } = node.given, counts = (key) => !models.only[key] || models.only[key] === mode;
  for (const key of Object.keys(wanted)) if (node.given[key] !== undefined && counts(key)) wanted[key] = String(node.given[key]);
  const plain = Object.keys(models[node.op]).length;
  return calls.findIndex(([, own, call]) => {
    if (own !== library) return false;
    const { op, said } = written(call, models);
    const extra = Object.keys(said).length - plain, opset = said.opset === undefined ? null : +said.opset;
    return op === node.op && (old ? opset === 10 && extra === 1 && said.mode === wanted.mode : opset === null && !extra && Object.keys(wanted).every((k) => said[k] === wanted[k] || +said[k] === +wanted[k]));
  });
}
