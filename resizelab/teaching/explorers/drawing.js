// Shared by all explorers: open a box of operators, build controls, draw, talk.
// Python writes this file into each module (see base.py), so it imports nothing.
// It holds no resize rule: it multiplies, compares and draws what Python computed.

const NS = "http://www.w3.org/2000/svg";
const TYPES = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array,
  i2: Int16Array, u2: Uint16Array, u1: Uint8Array,
};

// ---- numbers ---------------------------------------------------------------

export async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// A box of payload.py → {arrays: {key: {data, shape}}, ops: {key: operator}, meta}.
export async function unpack(bytes) {
  const raw = await gunzip(bytes);
  const end = 4 + new DataView(raw).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(raw, 4, end - 4)));
  const start = Math.ceil(end / 8) * 8;
  const arrays = {};
  for (const [key, [type, shape, at]] of Object.entries(head.arrays)) {
    const count = shape.reduce((a, b) => a * b, 1);
    arrays[key] = { data: new TYPES[type](raw, start + at, count), shape };
  }
  const ops = {};
  for (const [key, nIn] of Object.entries(head.n_in)) {
    const { data: index, shape: [nOut, taps] } = arrays[key + ".index"];
    const weight = arrays[key + ".weight"].data;
    ops[key] = { index, weight, offset: arrays[key + ".offset"]?.data, nOut, taps, nIn };
  }
  return { arrays, ops, meta: head.meta };
}

// The taps of output pixel i as [[input pixel, weight], …], equal pixels added up.
export function row(op, i) {
  const sum = new Map();
  for (let k = i * op.taps; k < (i + 1) * op.taps; k++) {
    if (op.weight[k]) sum.set(op.index[k], (sum.get(op.index[k]) || 0) + op.weight[k]);
  }
  return [...sum].sort((a, b) => a[0] - b[0]);
}

// y = W x (+ b)
export function apply(op, x) {
  const y = new Float64Array(op.nOut);
  for (let i = 0, k = 0; i < op.nOut; i++) {
    let sum = op.offset ? op.offset[i] : 0;
    for (let t = 0; t < op.taps; t++, k++) sum += op.weight[k] * x[op.index[k]];
    y[i] = sum;
  }
  return y;
}

// Whole numbers sent as planes of bytes, the low ones first, with signs folded in.
export const unfolded = ({ data, shape: [planes, n] }) => each(n, (i) => {
  let folded = 0;
  for (let p = planes; p--; ) folded = (folded << 8) | data[p * n + i];
  return (folded >>> 1) ^ -(folded & 1);
});

export const each = (n, make) => Array.from({ length: n }, (_, k) => make(k));

export const within = (x, low, high) => Math.max(low, Math.min(high, x));

// A number as a reader wants it: few digits, a true minus, never "-0".
export const say = (x, digits = 3) => String(+x.toFixed(digits) + 0).replace("-", "−");

// A sentence of Python's with values put in for the names in {}.
export const tell = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export const signed = (x, digits) => (x > 0 && say(x, digits) !== "0" ? "+" : "") + say(x, digits);

// ---- elements --------------------------------------------------------------

// Attributes may also be words for its looks: "small end" is class="rl-small rl-end".
const looks = (a) => (typeof a === "string" ? { class: a.replace(/\w+/g, "rl-$&") } : a);

function make(node, attributes, children) {
  for (const [key, value] of Object.entries(looks(attributes) || {})) {
    if (value === false || value == null) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((c) => c != null));
  return node;
}

// JupyterLab leaves the keys that a native control needs to it.
export function html(tag, attributes, ...children) {
  const node = make(document.createElement(tag), attributes, children);
  if (/^(a|button|input|select|textarea)$/.test(tag)) node.dataset.lmSuppressShortcuts = true;
  return node;
}

export const svg = (tag, attributes, ...children) =>
  make(document.createElementNS(NS, tag), attributes, children);

export const text = (x, y, words, attributes) =>
  svg("text", { x, y, ...looks(attributes) }, words);

export const line = (x1, y1, x2, y2, attributes) =>
  svg("line", { x1, y1, x2, y2, ...looks(attributes) });

export const unique = () => "rl" + Math.random().toString(36).slice(2, 10);

// The words beside a field, tied to it.
export function label(words, field) {
  field.id ||= unique();
  return html("label", { for: field.id }, words);
}

// A convention's marker: its corners come from palette.py, a circle has none.
export function marker(corners, x, y, r, attributes) {
  if (!corners.length) return svg("circle", { cx: x, cy: y, r, ...attributes });
  return svg("polygon", { points: corners.map(([a, b]) => [x + a * r, y + b * r]).join(" "), ...attributes });
}

// The same among words.
export const badge = ({ color, shape }) =>
  svg("svg", { width: 18, height: 18, "aria-hidden": "true" }, marker(shape, 9, 10, 5.5, { fill: color }));

// Where a click fell, in the figure's own units.
export function point(event, figure) {
  const box = figure.getBoundingClientRect(), { width, height } = figure.viewBox.baseVal;
  return [(event.clientX - box.left) * width / box.width, (event.clientY - box.top) * height / box.height];
}

// An empty figure whose units are the pixels it is drawn in; a click is click(x, y).
export function canvas(width, height, label, click) {
  const figure = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  if (click) figure.addEventListener("click", (event) => click(...point(event, figure)));
  return figure;
}

// A table of words: each row begins with its own heading.
export const sheet = (caption, heads, rows) => html("table", {}, html("caption", {}, caption),
  html("thead", {}, html("tr", {}, heads.map((h) => html("th", { scope: "col" }, h)))),
  html("tbody", {}, rows.map(([first, ...rest]) => html("tr", {}, html("th", { scope: "row" }, first), rest.map((v) => html("td", {}, v))))));

// Pointing: a mouse that passes, a click, a tap.
export function pointed(node, run) {
  node.addEventListener("click", run);
  node.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse" && !event.buttons) run(event); });
}

// ---- links: "#grid:mode=half_pixel+asymmetric,n_in=4" -----------------------

const plain = (v) => (Array.isArray(v) ? v.join("+") : typeof v === "boolean" ? Number(v) : v);

export const fragment = (name, state) =>
  `#${name}:` + Object.entries(state).map(([k, v]) => `${k}=${plain(v)}`).join(",");

// One value typed by somebody → {value, note}, either may be missing; never code.
export function read({ key, kind, min, max, step, count, options }, typed, says) {
  const quoted = (word) => `“${word.slice(0, 20)}”`, note_ = (name, values) => tell(says["read." + name], { key, ...values });
  const number = (word) => {
    const x = word.trim() ? +word : NaN;
    if (!Number.isFinite(x)) return { note: note_("number", { typed: quoted(word) }) };
    const value = within(step === 1 ? Math.round(x) : x, min, max);
    return { value, note: value !== x && note_("limit", { value: say(value), min: say(min), max: say(max) }) };
  };
  if (kind === "range") return number(typed);
  if (kind === "flag") return /^[01]$/.test(typed) ? { value: typed === "1" } : { note: note_("flag") };
  const words = typed.split("+");
  if (kind === "numbers") {
    const all = words.map(number), value = all.map((n) => n.value);
    if (all.length !== count || value.includes(undefined)) return { note: note_("count", { count }) };
    return { value, note: all.find((n) => n.note)?.note };
  }
  const known = Object.keys(options).filter((o) => words.includes(o));
  const odd = words.find((w) => !known.includes(w)), note = odd !== undefined && note_("option", { typed: quoted(odd) });
  if (kind === "choices") return { value: known.length || typed === "" ? known : undefined, note };
  return known.length === 1 && !note ? { value: known[0] } : { note: note || note_("one") };
}

// The part of a fragment that is meant for `name` → {found, state, notes}.
export function parse(hash, name, controls, says) {
  const state = {}, notes = [];
  let part;
  try { part = decodeURIComponent(hash.slice(1)).split("&").find((p) => p.startsWith(name + ":")); } catch { /* no text of ours */ }
  for (const pair of part?.slice(name.length + 1).split(",") || []) {
    const [key, typed = ""] = pair.split(/=(.*)/s);
    const control = controls.find((c) => c.key === key);
    const { value, note } = control ? read(control, typed, says) : { note: tell(says["read.key"], { typed: `“${key.slice(0, 20)}”` }) };
    if (value !== undefined) state[key] = value;
    if (note) notes.push(note);
  }
  return { found: part !== undefined, state, notes };
}

// ---- places: what a link on this page can set ---------------------------------
// One list for all modules of the page. A link means the start with its changes,
// whatever was set before: what its sentence says is true after every click.

const PLACES = Symbol.for("resizelab.places");
const places = () => (globalThis[PLACES] ??= heard(new Map()));

// Let links find {controls, start, get, set, root, note, says, live} by its name.
export function enlist(name, place) {
  const all = places();
  all.set(name, place);
  lead(wished(location.hash, [name]), true);
  changed();
  return () => { if (all.get(name) === place) all.delete(name); };
}

// The whole states that a fragment asks for, by name.
function wished(hash, names = [...places().keys()]) {
  const wanted = new Map();
  for (const name of hash.includes(":") ? names : []) {
    const { found, state, notes } = parse(hash, name, places().get(name).controls, places().get(name).says);
    if (found) wanted.set(name, { state: { ...places().get(name).start, ...state }, notes });
  }
  return wanted;
}

function lead(wanted, move) {
  for (const [name, { state, notes }] of wanted) {
    const place = places().get(name);
    place.set(state);
    if (notes.length) place.note(tell(place.says.left, [notes.join("; ")]));
  }
  const root = [...wanted.keys()].map((name) => places().get(name).root)[0];
  if (!move || !root) return;
  const { top, bottom } = root.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) root.scrollIntoView({ block: "nearest" });
}

const present = () => Object.fromEntries([...places()].map(([name, place]) => [name, place.get()]));

function heard(all) {
  globalThis[PLACES] = all;
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href*='#']");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const live = [...all.values()].some((place) => place.live);
    if (!live && link.pathname !== location.pathname) return;
    const wanted = wished(link.hash);
    if (!wanted.size) return;
    event.preventDefault();
    // A notebook has an address of its own to look after.
    if (live) event.stopPropagation();
    else if (location.hash !== link.hash) {
      history.replaceState({ resizelab: present() }, "");
      history.pushState({ resizelab: { ...present(), ...Object.fromEntries([...wanted].map(([name, { state }]) => [name, state])) } }, "", link.hash);
    }
    lead(wanted, true);
  }, { capture: true });
  addEventListener("popstate", ({ state }) => {
    const kept = state && state.resizelab;
    if (!kept) return;
    for (const [name, place] of all) if (kept[name]) place.set(kept[name]);
  });
  // An address that was typed.
  addEventListener("hashchange", () => { if (!history.state?.resizelab) lead(wished(location.hash), true); });
  return all;
}

// Mark the links whose sentence is true of what is shown now.
let marking = 0;
export function changed() {
  cancelAnimationFrame(marking);
  marking = requestAnimationFrame(() => {
    for (const link of document.querySelectorAll("a[href*='#'][href*=':']")) {
      if (link.pathname !== location.pathname) continue;
      const wanted = wished(link.hash);
      if (!wanted.size) continue;
      const now = [...wanted].every(([name, { state }]) => alike(state, places().get(name).get()));
      if (now) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  });
}

const alike = (a, b) => Object.keys(a).every((k) => String(a[k]) === String(b[k]));

// ---- controls --------------------------------------------------------------

// One native control; it calls set(value) and has an update(state).
function control(c, live, set) {
  const id = unique(), off = c.live && !live;
  const told = off ? c.off : c.hint;
  const hint = told ? html("small", { id: id + "-hint" }, told) : null;
  const own = { "data-key": c.key, disabled: off, "aria-describedby": hint && hint.id };
  const box = (...inside) => html("div", "control" + (c.wide ? " wide" : ""), inside, hint);
  if (c.kind === "range") {
    const out = html("output", { for: id });
    // Stops are also ticks on the slider, where a dragged thumb catches.
    const ticks = c.stops && html("datalist", { id: id + "-stops" }, Object.values(c.stops).map((value) => html("option", { value })));
    const input = html("input", { type: "range", id, min: c.min, max: c.max, step: c.step, list: ticks && ticks.id, ...own,
      oninput: () => set(+input.value) });
    const stops = Object.entries(c.stops || {}).sort((a, b) => a[1] - b[1]).map(([name, value]) => html("button", { ...own, onclick: () => set(value) }, name));
    return { node: box(label(c.label, input), out, input, ticks, stops.length ? html("span", "stops", stops) : null),
      update(state) {
        if (c.below) input.max = state[c.below] - 1;
        input.value = state[c.key];
        out.textContent = say(state[c.key]);
      } };
  }
  if (c.kind === "choice") {
    const input = html("select", { ...own, onchange: () => set(input.value) },
      Object.entries(c.options).map(([value, name]) => html("option", { value }, name)));
    return { node: box(label(c.label, input), input), update: (state) => { input.value = state[c.key]; } };
  }
  const options = c.kind === "choices" ? Object.entries(c.options) : [["", c.label]];
  const inputs = options.map(([value]) => html("input", { type: "checkbox", value, ...own, onchange: () =>
    set(c.kind === "flag" ? inputs[0].checked : inputs.filter((b) => b.checked).map((b) => b.value)) }));
  const pairs = inputs.map((b, k) => html("span", "check", b, label(options[k][1], b)));
  const node = c.kind === "flag" ? box(pairs) : html("fieldset", "control choices", html("legend", {}, c.label), pairs, hint);
  return { node, update(state) {
    for (const b of inputs) b.checked = c.kind === "flag" ? state[c.key] : state[c.key].includes(b.value);
  } };
}

// ---- the explorer ----------------------------------------------------------

function isDark() {
  const { theme } = document.documentElement.dataset, { jpThemeLight: lab } = document.body.dataset;
  return theme ? theme === "dark" : lab ? lab === "false" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// Build an explorer in `el` and keep it true to model, link, theme and width.
//   needs(state, view) → keys that must be there before draw (computed by Python if absent)
//   draw(view)   → fill view.stage; return the sentence that says what is drawn
//   bare         → a question: no menu
//   table(view)  → optional: a table of all numbers, folded under the picture
// view: state, arrays, ops, width (px to draw in), dark, look(name) → {color, shape},
//   set({key: value}), redraw(), signal (it ends with the explorer), note(text), stage, root, words (the live sentence), model, live,
//   says (Python's sentences by key), tell(key, {name: value}) → one filled in.
// A control with `own` (or of kind "numbers") has no input here: draw makes one.
// Returns the function that takes it away again.
export async function explorer({ model, el, fixed }, { kind, needs, draw, table, bare }) {
  const live = !fixed;
  const name = model.get("name"), setup = model.get("setup"), says = setup.words;
  // A kernel can do more than the page.
  const controls = setup.controls.map((c) => ({ ...c, ...(live && c.live_max && { max: c.live_max }),
    // A saved notebook sorts the keys of its objects: the options get their order back.
    ...(c.order && { options: Object.fromEntries(c.order.map((key) => [key, c.options[key]])) }) }));
  const stop = new AbortController();
  const on = (target, event, run, more) => target.addEventListener(event, run, { signal: stop.signal, ...more });
  let waiting = null, wanted, late, drawn = false;

  const stage = html("div", "stage");
  const words = html("p", { class: "rl-say", "aria-live": "polite" });
  const note = html("p", { class: "rl-note", role: "status" });
  const numbers = html("div", "numbers");
  const set = (change, whole) => {
    const state = { ...(whole || model.get("state")), ...change };
    for (const c of controls) if (c.below) state[c.key] = Math.min(state[c.key], state[c.below] - 1);
    note.textContent = "";
    model.set("state", state);
    model.save_changes();
  };
  const parts = controls.filter((c) => c.kind !== "numbers" && !c.own).map((c) =>
    control(c, live, (value) => set({ [c.key]: value })));
  const start = { ...model.get("state") };
  const root = html("div", { role: "group", class: `resizelab resizelab-${kind}`, "aria-label": setup.heading, "data-name": name, style: "min-height:" + setup.height },
    html("p", "head", html("strong", {}, setup.heading), " ", setup.caption),
    stage, words,
    parts.length ? html("div", "controls", parts.map((p) => p.node)) : null,
    table ? html("details", {}, html("summary", { onclick: () => { if (drawn) numbers.replaceChildren(table(view)); } }, says.numbers), numbers) : null,
    note, bare ? null : more());
  // What stands under the drawing is seen when that has its height: nothing jumps.
  root.style.visibility = "hidden";
  el.append(root);

  function more() {
    const menu = html("details", "more", html("summary", { title: says.more }, html("span", { "aria-hidden": "true" }, "⋯"), html("span", "hidden", says.more + ": " + setup.heading)));
    const entry = (label_, run) => html("button", { type: "button", onclick: () => { menu.open = false; menu.firstChild.focus(); run(); } }, label_);
    menu.append(html("div", "menu", entry(says.copy, copy), entry(says.again, () => set({}, start)),
      document.fullscreenEnabled && entry(says.full, () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()))));
    on(menu, "keydown", (event) => { if (event.key === "Escape" && menu.open) { event.stopPropagation(); menu.open = false; menu.firstChild.focus(); } });
    on(document, "pointerdown", (event) => { if (!menu.contains(event.target)) menu.open = false; });
    return menu;
  }
  async function copy() {
    const link = fragment(name, model.get("state"));
    if (!live) history.replaceState(history.state, "", link);
    const whole = live ? link : location.href;
    try {
      await navigator.clipboard.writeText(whole);
      note.textContent = says.copied + whole;
    } catch {
      note.textContent = live ? says.link + whole : says.address;
    }
  }

  const view = { root, stage, words, model, live, set, redraw, signal: stop.signal, says, tell: (key, values) => tell(says[key], values), state: start, arrays: {}, ops: {}, meta: {}, note: (t) => { note.textContent = t; },
    look(n) {
      const [light, dark, shape] = setup.looks[n];
      return { color: view.dark ? dark : light, shape };
    } };

  // On a projector the same picture is drawn larger, letters and all, as far as it fits.
  let fits = 1.6;
  const full = () => document.fullscreenElement === root;
  const zoom = () => (full() ? fits : 1);
  // While it is hidden (a theme is being changed) the last width holds.
  const room = () => (stage.clientWidth ? Math.max(240, stage.clientWidth / zoom()) : view.width || 640);

  function redraw() {
    root.style.visibility = "";
    view.state = model.get("state");
    for (const p of parts) p.update(view.state);
    const missing = needs ? needs(view.state, view).filter((k) => !view.arrays[k] && !view.ops[k]) : [];
    if (missing.length) return ask(missing);
    clearTimeout(late);
    wanted = null;
    view.dark = isDark();
    root.toggleAttribute("data-dark", view.dark);
    for (fits = 1.6; ; fits -= 0.1) {
      view.width = room();
      const said = draw(view), larger = zoom();
      if (larger !== 1) for (const s of stage.querySelectorAll("svg[viewBox]")) for (const side of ["width", "height"]) s.setAttribute(side, s.viewBox.baseVal[side] * larger);
      if (words.textContent !== said) words.textContent = said;
      if (!full() || fits < 0.8 || root.scrollHeight <= root.clientHeight) break;
    }
    // A folded table is made when it is opened: most redraws need none.
    if (table && numbers.parentNode.open) numbers.replaceChildren(table(view));
    root.dataset.drawn = JSON.stringify(view.state);
    drawn = true;
    changed();
  }

  // Only one question is on its way; what changes meanwhile is asked after it.
  function ask(missing) {
    if (!live) {
      view.note(tell(says.absent, missing));
      return;
    }
    if (waiting) return;
    if (missing.join() === wanted) { view.note(tell(says.unsent, missing)); return; }
    wanted = missing.join();
    waiting = unique();
    model.set("request", { id: waiting, state: view.state });
    model.save_changes();
    late = setTimeout(() => { waiting = wanted = null; view.note(says.silent); }, 5000);
  }

  async function answered() {
    const bytes = model.get("answer");
    if (!bytes.byteLength) return;
    const box = await unpack(bytes);
    // A late answer, or one to another view of this explorer, is as good.
    Object.assign(view.arrays, box.arrays);
    Object.assign(view.ops, box.ops);
    if (box.meta.id === waiting) {
      waiting = null;
      clearTimeout(late);
      if (box.meta.error) { view.note(box.meta.error); return; }
    }
    redraw();
  }

  const bytes = model.get("payload");
  if (bytes.byteLength) Object.assign(view, await unpack(bytes));
  redraw();
  model.on("change:state", redraw);
  model.on("change:answer", answered);
  const leave = enlist(name, { controls, start, root, live, says, get: () => model.get("state"), set: (state) => set({}, state), note: view.note });
  const themes = new MutationObserver(() => { if (drawn && isDark() !== view.dark) redraw(); });
  for (const node of [document.documentElement, document.body]) themes.observe(node, { attributes: true });
  on(matchMedia("(prefers-color-scheme: dark)"), "change", redraw);
  const sizes = new ResizeObserver(() => { if (drawn && room() !== view.width) redraw(); });
  sizes.observe(stage);
  return () => {
    stop.abort();
    leave();
    themes.disconnect();
    sizes.disconnect();
    clearTimeout(late);
    model.off("change:state", redraw);
    model.off("change:answer", answered);
    root.remove();
  };
}
