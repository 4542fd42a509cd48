// Which resize is this? A dropped picture or pasted numbers against every record.
import { explorer, html, badge, label, say, each, within, unfolded } from "./drawing.js";

const MOST = 1e6; // bytes: a true result has a few hundred
const DTYPES = ["float32", "uint8"];
const BROKEN = "The file is damaged: its header and its content do not fit.";
const refuse = (words) => { throw new Error(words); };
const latin = (bytes) => String.fromCharCode(...bytes);
const count = (n, word) => `${n} ${word}${n == 1 ? "" : "s"}`;

// ---- files and numbers → {shape, data, slack} -------------------------------
// What is read past its end throws an error of another kind: see run().

// Exactly `size` bytes out of a zlib stream; a stream that goes on is let go.
async function inflate(parts, size) {
  const reader = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate")).getReader(), out = [];
  for (let next; out.length <= size && !(next = await reader.read()).done; ) for (const byte of next.value) out.push(byte);
  reader.cancel();
  return out.length === size ? out : refuse(BROKEN);
}

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
  if (depth !== 8 || woven || !per) refuse("Save the PNG with 8 bits, and not interlaced.");
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
  if (out.some((v, i) => i % per === solid && v < 255)) refuse("The picture is transparent in places.");
  return { shape: [height, width, solid], data: out.filter((v, i) => i % per < solid) };
}

function npy(bytes, sized) {
  const data = new DataView(bytes.buffer), end = bytes[6] < 2 ? 10 + data.getUint16(8, true) : 12 + data.getUint32(8, true);
  const head = latin(bytes.subarray(8, Math.min(end, MOST / 100))), [, type] = /'descr': *('.*?'|\[)/.exec(head);
  if (/O/.test(type)) refuse("The file holds Python objects (a pickle): it is not opened.");
  const [, order, kind, size] = /'([<>|=])([uif])(\d)'/.exec(type) || [];
  const get = `get${size > 4 && kind !== "f" ? "Big" : ""}${{ u: "Uint", i: "Int", f: "Float" }[kind]}${8 * size}`;
  if (!data[get]) refuse(`dtype ${type} is not read here: save it as float32 or uint8.`);
  const shape = /'shape': *\((.*?)\)/.exec(head)[1].split(",").filter((n) => n.trim()).map(Number);
  if (shape.reduce((a, b) => a * b, +size) !== bytes.length - end) refuse(BROKEN);
  sized(shape);
  // In Fortran's order it is the transposed picture, row by row.
  const flipped = /'fortran_order': *True/.test(head);
  return { shape: flipped ? shape.reverse() : shape, flipped, data: each((bytes.length - end) / size, (i) => Number(data[get](end + i * size, order !== ">"))) };
}

// Numbers as NumPy, PyTorch or a person writes them; `slack` is half of the last digit.
function numbers(text) {
  const bare = text.replace(/\w+=(\([^)]*\)|[^,()]*)/g, " ").replace(/−/g, "-");
  const words = bare.match(/(?<![\w.])[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/gi) || [];
  const half = (word) => {
    const [, digits = "", power = 0] = /\.(\d*)(?:e(.*))?$/i.exec(word) || [];
    return digits && Math.min(0.05, 0.5 * 10 ** (power - digits.length));
  };
  return { data: words.map(Number), slack: words.map((word) => +half(word)) };
}

// ---- shapes -----------------------------------------------------------------

// Where channel k of pixel i lies: (21, 5), (3, 21, 5), (1, 21, 5, 3), … are read.
function layout(shape, { size_in: from, size_out: [h, w] }) {
  const tight = shape.filter((n) => n !== 1).join();
  for (const [a, b] of [[h, w], [w, h]]) for (const channels of [1, 3, 4]) {
    const found = { channels, turned: a === w }, last = channels > 1 ? [channels] : [];
    if (tight === [a, b, ...last].join()) return { ...found, at: (k, i) => i * channels + k };
    if (tight === [...last, a, b].join()) return { ...found, at: (k, i) => k * h * w + i };
  }
  const itself = `,${tight},`.includes(`,${from},`);
  return refuse(`${itself ? "This is the card itself" : "Wrong size: this is " + (shape.join(" × ") || "one number")}. Resize the card to height ${h}, width ${w}.`);
}

// ---- comparing --------------------------------------------------------------

// Every answer against y: as it stands, rounded, cut, or y scaled and shifted.
function against(y, slack, answers, tolerance) {
  const whole = y.every(Number.isInteger);
  const found = answers.map((answer, set) => {
    const exact = whole && answer.whole, apart = whole && !answer.whole;
    let error = 0, sum = 0, direct = true, rounded = apart, cut = apart;
    answer.y.forEach((r, i) => {
      const t = exact ? 0 : Math.max(tolerance, slack[i]), c = within(r, 0, 255), near = r === Math.round(r) ? 0 : t;
      const far = Math.abs(y[i] - r), miss = apart ? Math.abs(y[i] - Math.round(c)) : far;
      direct &&= far <= t;
      rounded &&= Math.abs(y[i] - c) <= 0.5 + near;
      cut &&= c - y[i] >= -near && c - y[i] < 1 + near;
      error = Math.max(error, miss);
      sum += miss;
    });
    const ways = [rounded && "rounded", cut && "cut"].filter((way) => way).join(" or ");
    return { set, error, sum, how: direct ? "" : ways ? ways + " to whole numbers" : null };
  }).sort((a, b) => a.error - b.error || a.sum - b.sum);
  if (whole || hits(found).length) return found;
  return found.map((f) => ({ ...f, how: undone(y, slack, answers[f.set].y, tolerance) }));
}

const hits = (all) => all.filter((f) => f.how !== null);

// y = a r + b, as a pipeline's division by 255 or a mean and a deviation leave it.
function undone(y, slack, r, tolerance) {
  const mean = (v) => v.reduce((s, x) => s + x, 0) / v.length, my = mean(y), mr = mean(r);
  const a = mean(r.map((v, i) => (v - mr) * (y[i] - my))) / mean(r.map((v) => (v - mr) ** 2)), b = my - a * mr, blur = Math.max(...slack) / Math.abs(a);
  const fits = blur <= 0.02 && r.every((v, i) => Math.abs((y[i] - b) / a - v) <= Math.max(tolerance, blur));
  return fits ? `divided by ${say(1 / a, 2)}` + (Math.abs(b) > 1e-5 ? `, ${b < 0 ? "minus" : "plus"} ${say(Math.abs(b), 4)}` : "") : null;
}

function judge({ shape, data, slack, flipped = false }, { meta, answers, pockets }) {
  const { size_out: [h, w], tolerance } = meta, n = h * w;
  if (!shape && data.length === 8) {
    const tried = pockets.map((p) => ({ ...p, all: against(data, slack, p.answers, tolerance) }));
    const [{ all, answers, pixels }] = tried.sort((a, b) => hits(b.all).length - hits(a.all).length || a.all[0].error - b.all[0].error);
    return { all, answers, pocket: true, notes: [`Compared with the answers for ${pixels.join(", ")}.`] };
  }
  if (!shape && data.length !== n) refuse(`${count(data.length, "number")}: ${n} or 8 are needed. Was the middle left out?`);
  if (!data.every(Number.isFinite)) refuse("It holds NaN or infinity.");
  const { turned, channels, at } = layout(shape || [h, w], meta), notes = [];
  const plane = (v, k) => each(n, (i) => v[at(k, turned ? (i % w) * h + Math.floor(i / w) : i)]);
  const planes = each(Math.min(channels, 3), (k) => plane(data, k));
  const apart = Math.max(...planes.flatMap((p) => p.map((v, i) => Math.abs(v - planes[0][i]))));
  const found = (apart ? planes : [planes[0]]).map((p) => against(p, slack || p.map(() => 0), answers, tolerance));
  const names = new Set(found.map((all) => hits(all).map((f) => f.set).sort().join())), [all] = found;
  if (apart && names.size > 1) return { all: [], answers, notes, title: `Not this card: it is grey, and these channels differ by up to ${say(apart)}.` };
  if (channels > 1) notes.push(apart ? "Each channel was compared by itself." : "All channels are alike.");
  if (turned !== flipped) notes.push(hits(all).length ? "Your picture is transposed." : "Its height and width are swapped: OpenCV and Pillow take the width first.");
  return { all, answers, notes };
}

// ---- telling ----------------------------------------------------------------

// Calls as [call, dtype]: the plainest names, and all of them as a user writes them.
function list(calls, view) {
  const { meta } = view, byLibrary = new Map();
  for (const [k, dtype] of calls) {
    const [name, library, text] = meta.calls[k], names = byLibrary.get(library) || new Map(), [, given] = names.get(name) || [text, []];
    byLibrary.set(library, names.set(name, [text, [...given, dtype]]));
  }
  const lines = [...byLibrary].map(([library, names]) => {
    const all = [...names.keys()].sort((a, b) => a.length - b.length), most = all.length > 5 ? 3 : 5;
    return html("li", {}, badge(view.look(library)), ` ${library} ${meta.versions[library]}: `, html("strong", {}, all.slice(0, most).join(", ")), all.length > most ? ` and ${all.length - most} more` : null);
  });
  const written = [...byLibrary.values()].flatMap((names) => [...names]).map(([name, [text, given]]) =>
    html("li", { "data-call": name, "data-dtypes": given.join() }, `${name}, given ${given.join(" or ")}: `, html("code", {}, text)));
  return [html("ul", "answers", lines), html("details", {}, html("summary", {}, "As they are called"), html("ul", {}, written))];
}

function told({ set, how, error }, answers, view, miss) {
  const { classes } = answers[set], given = new Set(classes.flatMap((c) => c.calls.map(([, dtype]) => dtype)));
  const words = (miss ? `At most ${count(say(error, 4), "level")} away, given ` : "Given ") +
    [...given].sort().join(" or ") + (miss || !how ? ":" : `, then ${how}:`);
  return html("div", { [miss ? "data-miss" : "data-same"]: set, "data-how": how, "data-error": error }, html("p", {}, words),
    (miss ? classes.slice(0, 1) : classes).map((c, k) => html("div", {}, k ? html("p", {}, `Alike on this card, but not at ${c.parts}:`) : null, list(c.calls, view))));
}

function report({ all, answers, notes, title, refused }, view, box) {
  if (refused) return box.replaceChildren(html("p", { "data-refused": true }, html("strong", {}, refused)));
  const same = hits(all).sort((a, b) => a.how.length - b.how.length), calls = new Set(same.flatMap((f) => answers[f.set].classes.flatMap((c) => c.calls.map(([k]) => k)))).size;
  title ||= calls ? `Same numbers as ${count(calls, "recorded call")}.` : all[0].error > 20 ? "Not this card: nothing recorded is near." : "No recorded call gives these numbers.";
  const misses = all.filter((f) => f.how === null).slice(0, 3);
  box.replaceChildren(html("p", {}, html("strong", {}, title), " ", notes.join(" ")),
    ...same.map((f) => told(f, answers, view)),
    html("details", { open: !calls }, html("summary", {}, "Nearest misses"), misses.map((f) => told(f, answers, view, true))));
}

// ---- the explorer -----------------------------------------------------------

// A class of calls, each [call, dtype]; they travel as one number a call.
const group = ([parts, ...calls]) => ({ parts, calls: calls.map((n) => [n >> 1, DTYPES[n & 1]]) });

// Answers travel as steps from one another (see card_explorer.py).
function unfold({ arrays, meta }) {
  const n = meta.size_out[0] * meta.size_out[1], steps = unfolded(arrays.steps), fixed = [];
  meta.parents.forEach((parent, k) => {
    fixed[k] = each(n, (i) => {
      const step = steps[k * n + i], base = parent < 0 ? 0 : fixed[parent][i];
      return meta.whole[k] ? (within(Math.floor(base / meta.fine + 0.5), 0, 255) + step) * meta.fine : base + step;
    });
  });
  return fixed.map((v, k) => ({ y: v.map((x) => x / meta.fine), whole: !!meta.whole[k], classes: meta.sets[k].map(group) }));
}

function build(view, run) {
  const { arrays, meta } = view, { png, npy } = meta;
  const [h, w] = meta.size_out, [H, W] = meta.size_in, { data } = arrays.card;
  const file = html("input", { type: "file", accept: ".png,.npy", onchange: () => { const [one] = file.files; file.value = ""; if (one) run(one); } });
  const typed = html("textarea", { rows: 2, spellcheck: "false" });
  const pick = html("div", "drop", label("Drop the result here, .png or .npy, or choose the file", file), file);
  const ask = html("form", { class: "rl-control", onsubmit: (event) => { event.preventDefault(); run(typed.value); } },
    label(`Or paste numbers: all ${h * w}, or eight`, typed), typed, html("button", {}, "Name these numbers"),
    html("small", {}, "The pocket version: resize ", meta.pockets.flatMap((p, k) => [k ? " or " : "", html("strong", {}, p.pixels.join(", "))]), " to eight pixels."));
  const tasks = html("div", {}, html("img", { class: "rl-card", src: png, width: W * 8, height: H * 8, alt: "The card: two letters, R and L, of bright noise on dark noise" }),
    html("p", {}, html("a", { href: png, download: "resize-card.png" }, "Download PNG"), " · ", html("a", { href: npy, download: "resize-card.npy" }, "Download .npy")),
    html("details", {}, html("summary", {}, "The card as numbers"), html("textarea", { readonly: true, rows: 4, "aria-label": "The card as numbers" }, JSON.stringify(each(H, (y) => [...data.subarray(y * W, y * W + W)])))));
  const verdict = html("div", { class: "rl-verdict", role: "status" });
  view.stage.append(html("div", "pair", tasks, html("div", {}, pick, ask)), verdict);
  for (const kind of ["dragover", "drop"]) view.root.addEventListener(kind, (event) => {
    const { files: [one] } = event.dataTransfer;
    event.preventDefault();
    event.stopPropagation();
    if (kind === "drop" && one) run(one);
  });
  const answers = unfold(view);
  const pockets = meta.pockets.map(({ pixels, sets }, k) => ({ pixels, answers: sets.map((calls, s) => {
    const y = Array.from(arrays["pocket" + k].data.subarray(8 * s, 8 * s + 8));
    return { y, whole: y.every(Number.isInteger), classes: [group(["", ...calls])] };
  }) }));
  return { meta, answers, pockets, verdict, typed };
}

async function open(file, meta) {
  if (file.size > MOST) refuse(`The file has ${say(file.size / 1e6, 1)} MB: a result has less than one.`);
  const bytes = new Uint8Array(await file.arrayBuffer()), sized = (shape) => layout(shape, meta);
  if (latin(bytes.subarray(0, 4)) === "\x89PNG") return png(bytes, sized);
  if (latin(bytes.subarray(0, 6)) === "\x93NUMPY") return npy(bytes, sized);
  return refuse("This is no PNG and no .npy file. A JPEG changes numbers.");
}

function render(context) {
  let parts, found, last, seen, turn = 0;
  function draw(view) {
    async function run(what) {
      const mine = ++turn;
      let next, given;
      try {
        given = typeof what === "string" ? numbers(what) : await open(what, parts.meta);
        next = judge(given, parts);
      } catch (error) { next = { refused: error.constructor === Error ? error.message : BROKEN }; }
      if (mine < turn) return;
      found = next;
      report(found, view, parts.verdict);
      if (next.pocket) { last = String(given.data); view.set({ eight: given.data }); }
    }
    parts ||= build(view, run);
    const { state } = view, eight = state.eight && String(state.eight);
    if (state !== seen && (eight !== last || !eight)) {
      found = eight && judge(numbers((parts.typed.value = eight)), parts);
      if (!eight) { parts.typed.value = ""; parts.verdict.replaceChildren(); }
    }
    [seen, last] = [state, eight];
    if (found) report(found, view, parts.verdict);
    return "";
  }
  return explorer(context, { kind: "card", draw });
}

export default { render };
