// Which resize is this? A dropped picture or pasted numbers against every record.
import { explorer, html, svg, marker, say } from "./drawing.js";

const MOST = 1e6; // bytes: a true result has a few hundred
const NPY = { u1: "Uint8", i1: "Int8", u2: "Uint16", i2: "Int16", u4: "Uint32", i4: "Int32", u8: "BigUint64", i8: "BigInt64", f4: "Float32", f8: "Float64" };
const refuse = (words) => { throw new Error(words); };
const DTYPES = ["float32", "uint8"];
const latin = (bytes) => String.fromCharCode(...bytes);
const count = (n, word) => `${n} ${word}${n == 1 ? "" : "s"}`;

// ---- files and numbers → {shape, data, slack} -------------------------------

// Exactly `size` bytes out of a zlib stream; a stream that goes on is let go.
async function inflate(parts, size) {
  const reader = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const out = new Uint8Array(size);
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => refuse("Its compressed data is damaged."));
    if (done) break;
    if (at + value.length > size) { reader.cancel(); refuse("It holds more pixels than its header says."); }
    out.set(value, at);
    at += value.length;
  }
  return at === size ? out : refuse("It holds fewer pixels than its header says.");
}

// Read here and not by a canvas: some browsers alter what a canvas gives back.
async function png(bytes, sized) {
  const data = new DataView(bytes.buffer), body = [];
  let head, palette;
  for (let at = 8, kind = ""; kind !== "IEND"; ) {
    if (at + 12 > bytes.length) refuse("The file is cut off.");
    const length = data.getUint32(at), part = bytes.subarray(at + 8, at + 8 + length);
    if (at + 12 + length > bytes.length) refuse("The file is cut off.");
    kind = latin(bytes.subarray(at + 4, at + 8));
    if (kind === "IHDR") head = { width: data.getUint32(at + 8), height: data.getUint32(at + 12), depth: part[8], color: part[9], woven: part[12] };
    if (kind === "PLTE") palette = part;
    if (kind === "IDAT") body.push(part);
    at += 12 + length;
  }
  const { width, height, depth, color, woven } = head || refuse("The PNG has no header.");
  const each = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color] || refuse(`The PNG has colour type ${color}, which does not exist.`);
  sized([height, width]);
  if (depth !== 8 || woven) refuse(`The PNG has ${depth} bits${woven ? ", interlaced" : ""}: save it with 8 bits, not interlaced.`);
  const wide = width * each, raw = await inflate(body, height * (wide + 1)), out = new Uint8Array(height * wide);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (wide + 1)];
    if (filter > 4) refuse("Its compressed data is damaged.");
    for (let x = 0; x < wide; x++) {
      const i = y * wide + x, a = x < each ? 0 : out[i - each], b = y ? out[i - wide] : 0, c = y && x >= each ? out[i - wide - each] : 0;
      const [p, q, r] = [b - c, a - c, a + b - 2 * c].map(Math.abs);
      out[i] = raw[i + y + 1] + [0, a, b, (a + b) >> 1, p <= q && p <= r ? a : q <= r ? b : c][filter];
    }
  }
  if (color === 3) return { shape: [height, width, 3], data: Array.from(out).flatMap((k) => Array.from((palette || []).slice(3 * k, 3 * k + 3))) };
  const solid = each % 2 ? each : each - 1;
  if (solid < each && out.some((v, i) => i % each === solid && v !== 255)) refuse("The picture is transparent in places: save it without alpha.");
  return { shape: [height, width, solid], data: out.filter((v, i) => i % each < solid) };
}

function npy(bytes, sized) {
  const data = new DataView(bytes.buffer), old = bytes[6] === 1, start = old ? 10 : 12;
  if (bytes.length < start || ![1, 2, 3].includes(bytes[6])) refuse("The .npy header is damaged.");
  const end = start + (old ? data.getUint16(8, true) : data.getUint32(8, true));
  if (end > bytes.length) refuse("The .npy header is longer than the file.");
  const head = latin(bytes.subarray(start, Math.min(end, start + 4096)));
  const [, type] = /'descr':\s*('[^']*'|\[)/.exec(head) || refuse("The .npy header names no dtype.");
  if (/O/.test(type)) refuse("The file holds Python objects (a pickle): it is not opened. Save a plain array.");
  const [, order, code] = /^'([<>|=]?)([uif][1248])'$/.exec(type) || [];
  if (!NPY[code]) refuse(`dtype ${type.slice(0, 20)} is not read here: save it with .astype("float32") or as uint8.`);
  const [, sizes] = /'shape':\s*\(([\d,\s]*)\)/.exec(head) || refuse("The .npy header names no shape.");
  const shape = sizes.split(",").filter((n) => n.trim()).map(Number), size = +code[1];
  const said = shape.reduce((a, b) => a * b, size);
  if (said !== bytes.length - end) refuse(`Its header says ${shape.join(" × ")} of ${size} bytes each, but ${bytes.length - end} bytes follow.`);
  sized(shape);
  const flat = Array.from({ length: said / size }, (_, i) => Number(data["get" + NPY[code]](end + i * size, order !== ">")));
  if (!/'fortran_order':\s*True/.test(head)) return { shape, data: flat };
  const steps = shape.map((_, k) => shape.slice(0, k).reduce((a, b) => a * b, 1));
  const at = (i) => shape.reduceRight(([sum, left], n, k) => [sum + (left % n) * steps[k], Math.floor(left / n)], [0, i])[0];
  return { shape, data: flat.map((_, i) => flat[at(i)]) };
}

// Numbers as NumPy, PyTorch or a person writes them; `slack` is half of the last digit.
function numbers(text) {
  if (text.length > MOST) refuse("That is more than a million letters.");
  if (/\.\.\.|…/.test(text)) refuse("The middle is left out (“...”): print every number, for instance with .tolist().");
  if (/\b(nan|inf)/i.test(text)) refuse("NaN and infinity come from no resize of the card.");
  const bare = text.replace(/\w+=(\([^)]*\)|[^,()]*)/g, " ").replace(/−/g, "-");
  const words = bare.match(/(?<![\w.])[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/gi) || [];
  const half = (word) => {
    const [, digits = "", power = 0] = /\.(\d*)(?:e(.*))?$/i.exec(word) || [];
    return digits && Math.min(0.05, 0.5 * 10 ** (power - digits.length));
  };
  return { data: words.map(Number), slack: words.map((word) => +half(word)) };
}

// ---- shapes -----------------------------------------------------------------

// Where channel k of pixel i lies: (21, 6), (3, 21, 6), (1, 21, 6, 3), … are read.
function layout(shape, { size_in: from, size_out: [h, w] }) {
  const tight = shape.filter((n) => n !== 1).join();
  for (const [a, b] of [[h, w], [w, h]]) for (const c of [1, 3, 4]) {
    const found = { turned: a !== h, channels: c };
    if (tight === [a, b, ...(c > 1 ? [c] : [])].join()) return { ...found, at: (k, i) => i * c + k };
    if (tight === [c, a, b].join()) return { ...found, at: (k, i) => k * a * b + i };
  }
  const name = shape.join(" × ") || "one number", task = `height ${h}, width ${w}`;
  return refuse(`,${tight},`.includes(`,${from},`) ? `This is ${name}: the card itself. Resize it to ${task} first.` : `Wrong size: this is ${name}, but ${task} is needed.`);
}

// ---- comparing --------------------------------------------------------------

// Every answer against y: as it stands, rounded, cut, or y scaled and shifted.
function against(y, slack, answers, tolerance) {
  const whole = y.every(Number.isInteger);
  const found = answers.map((answer, set) => {
    const exact = whole && answer.whole, apart = whole && !answer.whole;
    let error = 0, sum = 0, direct = true, rounded = apart, cut = apart;
    answer.y.forEach((r, i) => {
      const t = exact ? 0 : Math.max(tolerance, slack[i]), c = Math.min(255, Math.max(0, r)), near = r === Math.round(r) ? 0 : t;
      const far = Math.abs(y[i] - r), miss = apart ? Math.abs(y[i] - Math.round(c)) : far;
      if (far > t) direct = false;
      if (Math.abs(y[i] - c) > 0.5 + near) rounded = false;
      if (c - y[i] < -near || c - y[i] >= 1 + near) cut = false;
      error = Math.max(error, miss);
      sum += miss;
    });
    const how = direct ? "" : rounded && cut ? "rounded or cut to whole numbers" : rounded ? "rounded to whole numbers" : cut ? "cut to whole numbers" : null;
    return { set, error, sum, how };
  }).sort((a, b) => a.error - b.error || a.sum - b.sum);
  if (whole || found.some((f) => f.how !== null)) return found;
  return found.map((f) => ({ ...f, how: undone(y, slack, answers[f.set].y, tolerance) }));
}

// y = a r + b, as a pipeline's division by 255 or a mean and a deviation leave it.
function undone(y, slack, r, tolerance) {
  const mean = (v) => v.reduce((s, x) => s + x, 0) / v.length, my = mean(y), mr = mean(r);
  let up = 0, down = 0;
  r.forEach((v, i) => { up += (v - mr) * (y[i] - my); down += (v - mr) ** 2; });
  const a = up / down, b = my - a * mr, blur = Math.max(...slack) / Math.abs(a);
  const fits = blur <= 0.02 && r.every((v, i) => Math.abs((y[i] - b) / a - v) <= Math.max(tolerance, blur));
  return fits ? `divided by ${say(1 / a, 2)}${Math.abs(b) > 1e-5 ? `, ${b < 0 ? "minus" : "plus"} ${say(Math.abs(b), 4)}` : ""}` : null;
}

function flips(h, w, turned) {
  const order = (at) => Array.from({ length: h * w }, (_, i) => at(Math.floor(i / w), i % w));
  if (turned) return [["transposed", order((y, x) => x * h + y)]];
  return [["", null], ["upside down", order((y, x) => (h - 1 - y) * w + x)], ["mirrored", order((y, x) => y * w + w - 1 - x)], ["turned by half", order((y, x) => h * w - 1 - y * w - x)]];
}

function picture(given, { answers, meta }) {
  const { data, slack } = given, { size_out: [h, w], tolerance } = meta;
  if (!Array.from(data).every(Number.isFinite)) refuse("It holds NaN or infinity: no resize of the card gives that.");
  const { turned, channels, at } = layout(given.shape, meta);
  const plane = (v, k) => Array.from({ length: h * w }, (_, i) => v[at(k, i)]);
  const planes = Array.from({ length: Math.min(channels, 3) }, (_, k) => plane(data, k));
  const apart = Math.max(...planes.map((p) => Math.max(...p.map((v, i) => Math.abs(v - planes[0][i])))));
  const found = (apart ? planes : planes.slice(0, 1)).map((p, k) => {
    const loose = slack ? plane(slack, k) : p.map(() => 0);
    let first;
    for (const [how, order] of flips(h, w, turned)) {
      const put = (v) => (order ? order.map((i) => v[i]) : v), all = against(put(p), put(loose), answers, tolerance);
      first ||= all;
      const same = all.filter((f) => f.how !== null);
      if (same.length) return { all, same, how };
    }
    return { all: first, same: [], how: "" };
  });
  const sets = found.map((f) => f.same.map((s) => s.set).sort().join());
  const notes = [];
  if (channels > 1) notes.push(apart ? "The channels differ; each was compared by itself." : `${channels} channels, all alike: counted once.`);
  if (apart && new Set(sets).size > 1) return { all: [], same: [], notes, title: `Not this card: its channels differ by up to ${say(apart)}, and the card is grey.` };
  const { all, same, how } = found[0];
  if (how) notes.push(`Your picture is ${how}.`);
  if (turned && !same.length) notes.push("Its height and width are swapped. OpenCV and Pillow ask for (width, height).");
  return { all, same, notes, y: planes[0] };
}

function judge(given, parts) {
  const { meta, answers, pockets } = parts, n = meta.size_out[0] * meta.size_out[1], { length } = given.data;
  if (given.shape) return { ...picture(given, parts), answers };
  if (length === 8) {
    const tried = pockets.map((p, k) => ({ ...p, all: against(given.data, given.slack, p.answers, meta.tolerance), k }));
    const { all, answers, pixels } = tried.sort((a, b) => hits(b.all) - hits(a.all) || a.all[0].error - b.all[0].error)[0];
    return { all, same: all.filter((f) => f.how !== null), answers, notes: [`Compared with what the calls make of ${pixels.join(", ")}.`] };
  }
  const channels = length / n;
  if (![1, 3].includes(channels)) refuse(`${count(length, "number")}: ${n} are needed for the card, or 8 for the pocket version.`);
  const alike = given.data.every((v, i) => channels === 1 || v === given.data[i - (i % 3)]);
  return { ...picture({ ...given, shape: alike ? [...meta.size_out, channels] : [channels, ...meta.size_out] }, parts), answers };
}
const hits = (all) => all.filter((f) => f.how !== null).length;

// ---- telling ----------------------------------------------------------------

// Calls as [[call, dtype], …] in one line a library.
function list(calls, view) {
  const { meta } = view, byLibrary = new Map();
  for (const [k, dtype] of calls) {
    const [name, library, text] = meta.calls[k];
    const names = byLibrary.get(library) || byLibrary.set(library, new Map()).get(library);
    names.set(name, { text, dtypes: [...((names.get(name) || {}).dtypes || []), dtype] });
  }
  return html("ul", { class: "rl-answers" }, [...byLibrary].map(([library, names]) => {
    const { color, shape } = view.look(library), all = [...names].sort(([a], [b]) => a.length - b.length), most = all.length > 5 ? 3 : 5;
    const words = (some) => some.flatMap(([name, { text, dtypes }], i) => [i ? ", " : "", html("strong", { title: text, "data-call": name, "data-dtypes": dtypes.join() }, name), dtypes.length > 1 ? " (uint8 too)" : dtypes[0] === "uint8" ? " (uint8)" : ""]);
    return html("li", {}, svg("svg", { width: 18, height: 18, "aria-hidden": "true" }, marker(shape, 9, 10, 5.5, { fill: color })),
      ` ${library} ${meta.versions[library]}: `,
      words(all.slice(0, most)), all.length > most ? html("details", {}, html("summary", {}, `and ${all.length - most} more`), words(all.slice(most))) : null);
  }));
}

function told({ set, how, error }, answers, view, miss) {
  const [first, ...others] = answers[set].classes;
  const words = miss ? `At most ${count(say(error, error < 0.1 ? 4 : 2), "level")} away:` : how ? `Their answer, ${how}:` : "As they stand, given float32 where nothing is said:";
  return html("div", { [miss ? "data-miss" : "data-same"]: set, "data-error": error },
    html("p", {}, words), list(first.calls, view),
    miss ? null : others.map((c) => html("div", {}, html("p", {}, `Alike on this card only; other numbers at ${c.parts}:`), list(c.calls, view))));
}

function report(found, view, box) {
  const { all, same, notes, answers, refused } = found;
  if (refused) return box.replaceChildren(html("p", { "data-refused": true }, html("strong", {}, refused)));
  const n = new Set(same.flatMap((f) => answers[f.set].classes.flatMap((c) => c.calls.map(([k]) => k)))).size;
  const near = all[0] ? all[0].error : 0, small = found.y && !found.y.every(Number.isInteger) && near < 0.07;
  const title = found.title || (n ? `Same numbers as ${count(n, "recorded call")}.` : near > 20 ? "Not this card, or no resize of it: nothing recorded is near." : "No recorded call gives these numbers.");
  const hint = !n && all.length ? (small ? ["So small an error is what float16 leaves."] : near === 1 ? ["Off by one level: another rounding, or another version."] : []) : [];
  box.replaceChildren(html("p", {}, html("strong", {}, title), " ", [...notes, ...hint].join(" ")),
    ...same.map((f) => told(f, answers, view)),
    ...(all.length ? [html("details", { open: !n }, html("summary", {}, n ? "Nearest other answers" : "Nearest misses"), all.filter((f) => f.how === null).slice(0, 3).map((f) => told(f, answers, view, true)))] : []));
}

// ---- the explorer -----------------------------------------------------------

// A class of calls, each [call, dtype]; they travel as one number a call.
const group = ([parts, ...calls]) => ({ parts, calls: calls.map((n) => [n >> 1, DTYPES[n & 1]]) });

// Answers travel as steps from one another (see card_explorer.py).
function unfold({ arrays, meta }) {
  const [low, mid, high] = ["low", "mid", "high"].map((k) => arrays[k].data), n = meta.size_out[0] * meta.size_out[1], fixed = [];
  meta.parents.forEach((parent, k) => {
    fixed[k] = Array.from({ length: n }, (_, i) => {
      const at = k * n + i, z = low[at] | (mid[at] << 8) | (high[at] << 16), step = (z >> 1) ^ -(z & 1), base = parent < 0 ? 0 : fixed[parent][i];
      return meta.whole[k] ? (Math.min(255, Math.max(0, Math.floor(base / meta.fine + 0.5))) + step) * meta.fine : base + step;
    });
  });
  return fixed.map((v, k) => ({ y: v.map((x) => x / meta.fine), whole: !!meta.whole[k], classes: meta.sets[k].map(group) }));
}

function build(view, run) {
  const { arrays, meta } = view, quiet = { "data-lm-suppress-shortcuts": "true" }, id = "rl" + Math.random().toString(36).slice(2, 10);
  const [h, w] = meta.size_out, [H, W] = meta.size_in, { data } = arrays.card;
  const url = (key, type) => URL.createObjectURL(new Blob([arrays[key].data], { type }));
  const files = { png: url("png", "image/png"), npy: url("npy", "application/octet-stream") };
  const rows = Array.from({ length: H }, (_, y) => "[" + data.slice(y * W, (y + 1) * W).join(", ") + "]");
  const shown = html("div");
  const file = html("input", { type: "file", id, accept: ".png,.npy", ...quiet, onchange: () => { const [one] = file.files; file.value = ""; if (one) run(one); } });
  const typed = html("textarea", { id: id + "t", rows: 2, spellcheck: "false", ...quiet });
  const pick = html("div", { class: "rl-drop" }, html("label", { for: id }, "Drop the result here, .png or .npy, or choose the file"), file);
  const ask = html("form", { class: "rl-control", onsubmit: (event) => { event.preventDefault(); run(typed.value); } },
    html("label", { for: typed.id }, `Or paste numbers: all ${h * w}, or eight`), typed, html("button", { type: "submit", ...quiet }, "Name these numbers"),
    html("small", {}, "Eight numbers are the pocket version: resize ", meta.pockets.flatMap((p, k) => [k ? " or " : "", html("strong", {}, p.pixels.join(", "))]), " to eight pixels."));
  const tasks = html("div", {}, html("div", { class: "rl-shown" }, html("img", { class: "rl-card", src: files.png, width: W * 8, height: H * 8, alt: `The card: two bright letters, R and L, of noise upon dark noise, ${H} × ${W} pixels` }), shown),
    html("p", {}, html("a", { href: files.png, download: "resize-card.png", ...quiet }, "Download PNG"), " · ", html("a", { href: files.npy, download: "resize-card.npy", ...quiet }, "Download .npy")),
    html("details", {}, html("summary", {}, "The card as numbers"), html("textarea", { readonly: true, rows: 4, "aria-label": "The card as numbers", ...quiet }, "[" + rows.join(",\n ") + "]")));
  const verdict = html("div", { class: "rl-verdict", role: "status" });
  view.stage.append(html("div", { class: "rl-pair" }, tasks, html("div", {}, pick, ask)), verdict);
  for (const kind of ["dragover", "dragleave", "drop"]) view.root.addEventListener(kind, (event) => {
    event.preventDefault();
    event.stopPropagation();
    pick.toggleAttribute("data-over", kind === "dragover");
    if (kind === "drop") { const [one] = event.dataTransfer.files; run(one || event.dataTransfer.getData("text")); }
  });
  const answers = unfold(view);
  const pockets = meta.pockets.map(({ pixels, sets }, k) => ({ pixels, answers: sets.map((calls, s) => {
    const y = Array.from(arrays["pocket" + k].data.subarray(8 * s, 8 * s + 8));
    return { y, whole: y.every(Number.isInteger), classes: [group(["", ...calls])] };
  }) }));
  return { meta, answers, pockets, verdict, shown, typed, files };
}

async function open(file, meta) {
  if (file.size > MOST) refuse(`The file has ${say(file.size / 1e6, 1)} MB: a result of the card has less than 1 MB.`);
  const bytes = new Uint8Array(await file.arrayBuffer()), sized = (shape) => layout(shape, meta);
  if (latin(bytes.subarray(0, 8)) === "\x89PNG\r\n\x1a\n") return png(bytes, sized);
  if (latin(bytes.subarray(0, 6)) === "\x93NUMPY") return npy(bytes, sized);
  return refuse("This is no PNG and no .npy file (its first bytes say so). A JPEG changes numbers: save a PNG.");
}

// What a recorded call made of the card, in tiles.
function drawn(view, { answers, meta, shown }) {
  const { call, dtype } = view.state, [h, w] = meta.size_out, k = meta.calls.findIndex(([name]) => name === call);
  const set = answers.findIndex((a) => a.classes.some((c) => c.calls.some(([n, d]) => n === k && d === dtype)));
  if (set < 0) { shown.replaceChildren(); return `${call} gives no picture for ${dtype}: the library refuses it.`; }
  const { y, classes } = answers[set], unit = 8, figure = svg("svg", { width: w * unit, height: h * unit, viewBox: `0 0 ${w * unit} ${h * unit}`, role: "img", "aria-label": `What ${call} makes of the card: ${h} × ${w} grey tiles` });
  y.forEach((v, i) => {
    const level = Math.round(Math.min(255, Math.max(0, v)));
    figure.append(svg("rect", { x: (i % w) * unit, y: Math.floor(i / w) * unit, width: unit, height: unit, fill: `rgb(${level},${level},${level})`, "data-value": v }, svg("title", {}, say(v))));
  });
  shown.replaceChildren(figure);
  const others = against(y, y.map(() => 0), answers, 0).filter((f) => f.set !== set), [near] = others, like = classes.reduce((n, c) => n + c.calls.length, 0) - 1;
  const [[other]] = answers[near.set].classes[0].calls;
  return `${call}, given ${dtype}: ${like ? count(like, "other recorded run") + (like === 1 ? " gives" : " give") : "no other recorded run gives"} these numbers. The nearest other answer is ${meta.calls[other][0]}, at most ${say(near.error)} levels away.`;
}

function render(context) {
  let parts, found, last, seen;
  const first = JSON.stringify(context.model.get("state"));
  function draw(view) {
    async function run(what) {
      try {
        const given = typeof what === "string" ? numbers(what) : await open(what, parts.meta);
        found = judge(given, parts);
        if (!given.shape && given.data.length === 8 && given.data.every((v) => Math.abs(v) <= 1e6)) { last = JSON.stringify(given.data); view.set({ eight: given.data }); }
      } catch (error) { found = { refused: error.message }; }
      report(found, view, parts.verdict);
    }
    parts ||= build(view, run);
    const { eight } = view.state, now = JSON.stringify(eight);
    if (eight && now !== last) { last = now; parts.typed.value = eight.join(", "); found = judge(numbers(parts.typed.value), parts); }
    else if (view.state !== seen && JSON.stringify(view.state) === first) { found = last = null; parts.verdict.replaceChildren(); parts.typed.value = ""; }
    seen = view.state;
    if (found) report(found, view, parts.verdict);
    return view.state.call ? drawn(view, parts) : "";
  }
  return explorer(context, { kind: "card", draw }).then((stop) => () => {
    for (const url of Object.values(parts ? parts.files : {})) URL.revokeObjectURL(url);
    stop();
  });
}

export default { render };
