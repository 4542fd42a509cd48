// Files and text that hold a result → {shape, data}. Nothing in a file is ever run.
// What is read past its end throws an error of another kind than Error.
import { each, say } from "./drawing.js";
import { isModel } from "./card_models.js";

const MOST = 1e6; // bytes: a true result has a few hundred
const LARGEST = 5e8; // of a model
export const BROKEN = "broken";
// Why a file is not taken, by the name of Python's sentence for it.
export const refuse = (why, values) => { throw Object.assign(new Error(why), { values }); };
export const latin = (bytes) => String.fromCharCode(...bytes);
const volume = (shape) => shape.reduce((a, b) => a * b, 1);

// Exactly `size` bytes out of a deflated stream; a stream that goes on is let go.
async function inflate(parts, size, kind = "deflate") {
  const reader = new Blob(parts).stream().pipeThrough(new DecompressionStream(kind)).getReader(), out = [];
  for (let next; out.length <= size && !(next = await reader.read()).done; ) for (const byte of next.value) out.push(byte);
  reader.cancel();
  return out.length === size ? out : refuse(BROKEN);
}

// ---- numbers in bytes ---------------------------------------------------------

const float16 = (v) => (v >> 15 ? -1 : 1) * ((v & 0x7c00) === 0x7c00 ? (v & 1023 ? NaN : Infinity) : v & 0x7c00 ? 2 ** (((v >> 10) & 31) - 25) * (1024 + (v & 1023)) : 2 ** -24 * (v & 1023));

// `type` is a kind (u, i, f, b for bfloat16) and its bytes, as "f4".
function values(bytes, at, n, type, little = true) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), [kind, size] = [type[0], +type[1]];
  const read = { f2: (i) => float16(data.getUint16(i, little)), b2: (i) => new Float32Array(new Uint32Array([data.getUint16(i, little) << 16]).buffer)[0] }[type];
  const get = `get${size > 4 && kind !== "f" ? "Big" : ""}${{ u: "Uint", i: "Int", f: "Float" }[kind]}${8 * size}`;
  if (!read && !data[get]) refuse("dtype", { type });
  return each(n, (k) => (read ? read(at + k * size) : Number(data[get](at + k * size, little))));
}

// ---- pictures -----------------------------------------------------------------

// Read here and not by a canvas: some browsers alter what a canvas gives back.
async function png(bytes, sized) {
  const data = new DataView(bytes.buffer), body = [], parts = {};
  for (let at = 8, kind; kind !== "IEND"; ) {
    const part = bytes.subarray(at + 8, at + 8 + data.getUint32(at));
    kind = latin(bytes.subarray(at + 4, at + 8));
    parts[kind] = part;
    if (kind === "IDAT") body.push(part);
    at += 12 + part.length;
  }
  const [width, height] = [16, 20].map((at) => data.getUint32(at)), [depth, color, , , woven] = parts.IHDR.subarray(8);
  sized([height, width]);
  const per = [1, 0, 3, 1, 2, 0, 4][color], solid = per - (per + 1) % 2, wide = width * per;
  if (depth !== 8 || woven || !per) refuse("png");
  const raw = await inflate(body, height * (wide + 1)), out = [];
  raw.forEach((byte, k) => {
    const x = k % (wide + 1) - 1, i = out.length, filter = raw[k - x - 1];
    if (x < 0) return;
    const a = x < per ? 0 : out[i - per], b = i < wide ? 0 : out[i - wide], c = x < per || i < wide ? 0 : out[i - wide - per];
    const [p, q, r] = [b - c, a - c, a + b - 2 * c].map(Math.abs);
    out.push((byte + [0, a, b, (a + b) >> 1, p <= q && p <= r ? a : q <= r ? b : c][filter]) & 255);
    if (filter > 4) refuse(BROKEN);
  });
  if (color === 3) return { shape: [height, width, 3], data: out.flatMap((k) => [0, 1, 2].map((c) => parts.PLTE[3 * k + c])) };
  if (out.some((v, i) => i % per === solid && v < 255)) refuse("transparent");
  return { shape: [height, width, solid], data: out.filter((v, i) => i % per < solid) };
}

// Windows' bitmap: rows from below, each filled up to four bytes, blue first.
function bmp(bytes, sized) {
  const data = new DataView(bytes.buffer), start = data.getUint32(10, true), width = data.getInt32(18, true), tall = data.getInt32(22, true);
  const bits = data.getUint16(28, true), per = bits / 8, height = Math.abs(tall), wide = Math.ceil(width * per / 4) * 4, colours = 14 + data.getUint32(14, true);
  sized([height, width]);
  if (![8, 24, 32].includes(bits) || ![0, 3].includes(data.getUint32(30, true))) refuse("bmp");
  if (start + height * wide > bytes.length) refuse(BROKEN);
  return { shape: [height, width, 3], data: each(height * width * 3, (k) => {
    const x = Math.floor(k / 3) % width, y = Math.floor(k / 3 / width), at = start + (tall < 0 ? y : height - 1 - y) * wide + x * per;
    return bits > 8 ? bytes[at + 2 - k % 3] : bytes[colours + 4 * bytes[at] + 2 - k % 3];
  }) };
}

// A TIFF of one picture: whole numbers or floats, plain or deflated.
async function tiff(bytes, sized) {
  const data = new DataView(bytes.buffer), little = bytes[0] === 73, at = data.getUint32(4, little), tags = {};
  for (let k = 0, n = data.getUint16(at, little); k < n; k++) {
    const entry = at + 2 + 12 * k, kind = data.getUint16(entry + 2, little), many = data.getUint32(entry + 4, little), size = { 1: 1, 3: 2, 4: 4 }[kind];
    if (size && many < 1e4) tags[data.getUint16(entry, little)] = values(bytes, size * many > 4 ? data.getUint32(entry + 8, little) : entry + 8, many, "u" + size, little);
  }
  const [width, height, bits, pack, per, kind, guess] = [[256], [257], [258, 1], [259, 1], [277, 1], [339, 1], [317, 1]].map(([tag, none]) => (tags[tag] || [none])[0]);
  const shape = [height, width, ...(per > 1 ? [per] : [])], size = volume(shape) * bits / 8;
  sized(shape);
  if (![1, 8, 32946].includes(pack) || guess > 1 || (per > 1 && (tags[284] || [1])[0] > 1)) refuse("tiff");
  const strips = tags[273].map((from, k) => bytes.subarray(from, from + tags[279][k]));
  const whole = pack === 1 ? new Uint8Array(await new Blob(strips).arrayBuffer()) : Uint8Array.from(strips.length > 1 ? refuse("tiff") : await inflate(strips, size));
  if (whole.length !== size) refuse(BROKEN);
  return { shape, data: values(whole, 0, volume(shape), " uif"[kind] + bits / 8, little) };
}

// A JPEG is decoded by the browser; its size is read first.
async function jpg(bytes, sized) {
  const data = new DataView(bytes.buffer);
  let at = 2;
  while (bytes[at] === 255 && !(bytes[at + 1] >= 192 && bytes[at + 1] <= 194)) at += 2 + data.getUint16(at + 2);
  if (bytes[at] !== 255) refuse(BROKEN);
  const shape = [data.getUint16(at + 5), data.getUint16(at + 7)];
  sized(shape);
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }), { colorSpaceConversion: "none" }).catch(() => refuse(BROKEN));
  const pen = new OffscreenCanvas(shape[1], shape[0]).getContext("2d");
  pen.drawImage(bitmap, 0, 0);
  const seen = pen.getImageData(0, 0, shape[1], shape[0]).data;
  return { shape: [...shape, 3], data: [...seen].filter((_, k) => k % 4 < 3), lossy: true };
}

// ---- arrays -------------------------------------------------------------------

function npy(bytes, sized) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), end = bytes[6] < 2 ? 10 + data.getUint16(8, true) : 12 + data.getUint32(8, true);
  const head = latin(bytes.subarray(8, Math.min(end, MOST / 100))), [, type] = /'descr': *('.*?'|\[)/.exec(head);
  if (/O/.test(type)) refuse("pickle");
  const [, order, kind, size] = /'([<>|=])([uif])(\d)'/.exec(type) || [];
  if (!size) refuse("dtype", { type });
  const shape = /'shape': *\((.*?)\)/.exec(head)[1].split(",").filter((n) => n.trim()).map(Number);
  if (shape.reduce((a, b) => a * b, +size) !== bytes.length - end) refuse(BROKEN);
  sized(shape);
  // In Fortran's order it is the transposed picture, row by row.
  const flipped = /'fortran_order': *True/.test(head);
  return { shape: flipped ? shape.reverse() : shape, flipped, data: values(bytes, end, (bytes.length - end) / size, kind + size, order !== ">") };
}

// The files in a zip by name, none larger than a result may be.
async function unzipped(bytes) {
  const data = new DataView(bytes.buffer), files = new Map();
  let at = bytes.length - 22;
  while (at > 0 && data.getUint32(at, true) !== 0x06054b50) at--;
  for (let k = data.getUint16(at + 10, true), entry = data.getUint32(at + 16, true); k--; ) {
    const [packed, size, name, extra, note] = [[20, 4], [24, 4], [28, 2], [30, 2], [32, 2]].map(([place, wide]) => values(bytes, entry + place, 1, "u" + wide)[0]);
    const start = data.getUint32(entry + 42, true), from = start + 30 + data.getUint16(start + 26, true) + data.getUint16(start + 28, true), body = bytes.subarray(from, from + packed);
    if (data.getUint32(entry, true) !== 0x02014b50 || size > MOST || body.length !== packed) refuse(BROKEN);
    files.set(latin(bytes.subarray(entry + 46, entry + 46 + name)), data.getUint16(entry + 10, true) ? () => inflate([body], size, "deflate-raw").then((all) => Uint8Array.from(all)) : async () => body.slice());
    entry += 46 + name + extra + note;
  }
  return files;
}

// Of several arrays the one that has the result's size.
async function npz(files, sized) {
  const names = [...files.keys()];
  for (const name of names) {
    const one = await files.get(name)();
    try { return npy(one, sized); } catch (error) { if (names.length < 2) throw error; }
  }
  return refuse("arrays", { names: names.map((n) => n.replace(".npy", "")).join(", ").slice(0, 200) });
}

// PyTorch's file of one tensor: its numbers lie beside the pickle, which is read as
// text for a type, sizes and strides, and never run.
async function pt(files, sized) {
  const name = [...files.keys()].find((n) => n.endsWith("data.pkl")), folder = name.slice(0, -8), stored = [...files.keys()].filter((n) => n.startsWith(folder + "data/"));
  if (stored.length !== 1) refuse("tensors", { count: stored.length });
  const pickle = await files.get(name)(), words = latin(pickle), type = { Float: "f4", Double: "f8", Half: "f2", BFloat16: "b2", Byte: "u1", Char: "i1", Short: "i2", Int: "i4", Long: "i8" }[(/torch\n(\w+)Storage\n/.exec(words) || [])[1]];
  const ints = [];
  for (let at = words.indexOf("cpu") + 3; at > 2 && at < pickle.length && words[at] !== "R"; ) {
    const size = { K: 1, M: 2, J: 4 }[words[at]];
    if (size) ints.push(values(pickle, at + 1, 1, (size > 2 ? "i" : "u") + size)[0]);
    at += 1 + (size || { q: 1, h: 1, r: 4, j: 4 }[words[at]] || 0);
  }
  const [all, from, ...rest] = ints, shape = rest.slice(0, rest.length / 2), strides = rest.slice(rest.length / 2);
  if (!type || rest.length % 2 || !shape.length) refuse("pt");
  sized(shape);
  const body = await files.get(stored[0])();
  if (all * type[1] !== body.length) refuse(BROKEN);
  const flat = values(body, 0, all, type);
  const place = (k) => shape.reduceRight(([at, left], n, axis) => [at + (left % n) * strides[axis], Math.floor(left / n)], [from, k])[0];
  return { shape, data: each(volume(shape), (k) => flat[place(k)]) };
}

// Numbers as NumPy, PyTorch or a person writes them; `slack` is half of the last digit.
export function numbers(text) {
  const bare = text.replace(/\w+=(\([^)]*\)|[^,()]*)/g, " ").replace(/−/g, "-");
  const words = bare.match(/(?<![\w.])[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/gi) || [];
  const half = (word) => {
    const [, digits = "", power = 0] = /\.(\d*)(?:e(.*))?$/i.exec(word) || [];
    return digits && Math.min(0.05, 0.5 * 10 ** (power - digits.length));
  };
  return { data: words.map(Number), slack: words.map((word) => +half(word)) };
}

// ---- any file -------------------------------------------------------------------

// `sized(shape)` refuses what is no result; `room` is how many numbers one channel has.
export async function opened(file, sized, room) {
  const model = isModel(new Uint8Array(await file.slice(0, 8).arrayBuffer()), file.name);
  if (model) return file.size > LARGEST ? refuse("large_model") : { model: model(new Uint8Array(await file.arrayBuffer())) };
  if (file.size > MOST) refuse("large", { size: say(file.size / 1e6, 1) });
  const bytes = new Uint8Array(await file.arrayBuffer()), start = latin(bytes.subarray(0, 6));
  if (start.startsWith("\x89PNG")) return png(bytes, sized);
  if (start === "\x93NUMPY") return npy(bytes, sized);
  if (start.startsWith("BM")) return bmp(bytes, sized);
  if (/^(II\*\0|MM\0\*)/.test(start)) return tiff(bytes, sized);
  if (start.startsWith("\xff\xd8\xff")) return jpg(bytes, sized);
  if (start.startsWith("PK\x03\x04")) {
    const files = await unzipped(bytes);
    return [...files.keys()].some((name) => name.endsWith("data.pkl")) ? pt(files, sized) : npz(files, sized);
  }
  // Numbers alone have as many bytes as their dtype says.
  const type = ["u1", "f4", "f8"].find((t) => [1, 3].some((c) => bytes.length === c * room * t[1]));
  const text = bytes.every((b) => b < 128 && (b > 31 || b === 9 || b === 10 || b === 13)) && latin(bytes);
  if (text && /\d/.test(text) && !text.includes("<")) return numbers(text);
  if (type) return { raw: type, data: values(bytes, 0, bytes.length / type[1], type) };
  return refuse("unread");
}
