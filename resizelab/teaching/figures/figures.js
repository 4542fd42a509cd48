// Small figures that share one state of the page. No resize rule stands here: the page
// multiplies, compares and draws what Python computed.
import { svg, text, line, html, say, tell, unpack, row, apply, within, each, unique, label, sheet, point, fragment, enlist, changed, signed } from "./drawing.js";

const KINDS = {};
const STORES = Symbol.for("resizelab.stores");
const NEAR = "400px"; // figures farther from the screen wait
const DRAG = 14; // pixels of a drag that change a number in the prose by one step

// ---- what drawings share ------------------------------------------------------

// All reads and weights of the operator that is drawn.
function operatorTable({ state: s, get, words, fill }) {
  const op = get("w"), x = get("x"), takes = (i) => row(op, i).map(([j, w]) => tell(words.tap, { w: say(w), j })).join(", ");
  return sheet(fill("pixels", { n: op.nIn, m: op.nOut }), [words["head.pixel"], x && words["head.reads"], words["head.takes"]].filter(Boolean),
    each(op.nOut, (i) => [i, ...(x ? [say(x[i])] : []), takes(i)]));
}

// A tile in the grey of its value, the value on it where there is room.
function grey(value, [low, high], x, y, width, height, attributes) {
  // As many decimals as have room with air beside them.
  const level = within((value - low) / (high - low), 0, 1), fits = [2, 1].find((digits) => say(value, digits).length * 7.2 < width - 3), words = say(value, fits ?? 0), named = attributes?.class ? " " + attributes.class : "";
  const tile = svg("rect", { x, y, width, height, ...attributes, class: "rl-grey" + named, fill: `rgb(${each(3, () => Math.round(255 * level))})` });
  return words.length * 7.2 > width ? [tile] : [tile, text(x + width / 2, y + height / 2 + 5, words, "middle " + (level > 0.5 ? "black" : "white"))];
}

// Where words stand that belong to a place, and must not leave the drawing.
const inside = (x, words, width) => {
  const half = Math.min(width / 2, 6 + words.length * 4);
  return within(x, half, width - half);
};

// The value of a control under a point, where the drawing stands for its whole range.
function along(x, { width, controls, from = 8 }, key) {
  const { min, max, step } = controls.find((c) => c.key === key);
  return min + Math.round((within((x - from) / (width - 8 - from), 0, 1) * (max - min)) / step) * step;
}

// A picture's bytes as an address; it is made once.
const ADDRESSES = new WeakMap();
function address(bytes) {
  if (!ADDRESSES.has(bytes)) ADDRESSES.set(bytes, "data:image/webp;base64," + btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")));
  return ADDRESSES.get(bytes);
}

// ---- the store: one a page state, found by every figure and number ----------

function storeOf(model, live) {
  const all = (globalThis[STORES] ??= new Map()), id = model.get("store");
  if (!all.has(id)) all.set(id, made(model, live));
  return all.get(id);
}

const same = (a, b) => Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((k) => String(a[k]) === String(b[k]));

// A value that the page holds operators for: on a step of its control.
const stepped = (x, { min, step }) => +(min + Math.round((x - min) / step) * step).toFixed(6) + 0;

function made(model, live) {
  const setup = model.get("setup"), start = { ...model.get("state") }, show = new Set();
  let asked = false;
  const store = {
    name: setup.page, controls: setup.controls, words: setup.words, told: setup.told, start, live,
    state: start, arrays: {}, ops: {}, open: false, show,
    set(change, whole) {
      const state = { ...(whole || store.state), ...change };
      for (const c of store.controls) if (c.kind === "range") state[c.key] = stepped(state[c.key], c);
      for (const c of store.controls) if (c.below) state[c.key] = Math.min(state[c.key], state[c.below] - 1);
      if (same(state, store.state)) return;
      store.state = state;
      store.draw();
    },
    // Changes of one frame are drawn once.
    draw() {
      if (asked || !store.open) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        for (const run of show) run();
        changed();
      });
    },
  };
  prose(store);
  return store;
}

// ---- numbers in the prose ---------------------------------------------------

const READS = {
  at: (a, s, key) => a[s[key]], first: (a) => a[0], last: (a) => a[a.length - 1],
  step: (a) => (a.length > 1 ? a[1] - a[0] : 0), here: (a, s) => a[s.pixel],
};
const filled = (key, state) => key.replace(/\{(\w+)\}/g, (_, name) => state[name]);

// What a drawing sees. `get` finds what its page calls "w" (an operator) or "x" (an
// array) in the present state, `look` is its class, `fill` a sentence with the state's
// values, options by the name that readers see.
function seen(view, { keys, controls }) {
  const { state, arrays, ops, words } = view;
  const named = Object.fromEntries(controls.map((c) => [c.key, c.options ? c.options[state[c.key]] : c.kind === "range" ? say(state[c.key]) : ""]));
  return { ...view, keys, controls, look: "g-" + filled(keys.look || "", state),
    get(name) {
      const key = filled(keys[name] || "", state);
      return ops[key] || arrays[key]?.data;
    },
    fill: (word, values) => tell(words[word], { ...named, ...values }) };
}

function prose(store) {
  const mine = (attribute) => [...document.querySelectorAll(`[${attribute}^="${store.name}:"]`)].map((node) => [node, node.getAttribute(attribute).slice(store.name.length + 1)]);
  for (const [node, key] of mine("data-scrub")) scrub(store, node, key);
  for (const [node, name] of mine("data-tell")) {
    const [key, how] = store.told[name];
    store.show.add(() => {
      const array = store.arrays[filled(key, store.state)];
      if (array) node.textContent = say(READS[how.split(":")[0]](array.data, store.state, how.split(":")[1]), 2);
    });
  }
}

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -1e6, End: 1e6 };

// A number that is a slider: drag it sideways, or use the arrow keys.
function scrub(store, node, key) {
  const control = store.controls.find((c) => c.key === key);
  const least = Math.max(control.min, Number(node.dataset.least) || control.min);
  const most = () => (control.below ? store.state[control.below] - 1 : control.max);
  const set = (value) => store.set({ [key]: within(value, least, most()) });
  for (const [name, value] of Object.entries({ role: "slider", tabindex: 0, "aria-label": control.label, "aria-valuemin": least })) node.setAttribute(name, value);
  node.addEventListener("keydown", (event) => {
    const steps = STEPS[event.key];
    if (!steps) return;
    event.preventDefault();
    set(store.state[key] + steps * control.step);
  });
  sideways(node, () => {
    const from = store.state[key];
    return (dx) => set(from + Math.round(dx / DRAG) * control.step);
  });
  store.show.add(() => {
    const value = store.state[key];
    if (node.textContent !== say(value)) node.textContent = say(value);
    node.setAttribute("aria-valuenow", value);
    node.setAttribute("aria-valuemax", most());
  });
}

// A mouse drags at once; a finger first has to move more sideways than down.
function sideways(node, begin) {
  let move = null, x = 0, y = 0;
  const end = () => { move = null; };
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    [x, y] = [event.clientX, event.clientY];
    move = begin(event);
    if (event.pointerType === "mouse") node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (!move) return;
    const dx = event.clientX - x, dy = event.clientY - y;
    if (event.pointerType !== "mouse" && (Math.abs(dx) < 8 || Math.abs(dx) < Math.abs(dy))) return;
    move(dx, event);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) node.addEventListener(name, end);
}

// ---- one figure ---------------------------------------------------------------

// One voice for the page: it says the state that has stayed.
const VOICE = Symbol.for("resizelab.voice");
function voice(stage) {
  const heard = (globalThis[VOICE] ??= { node: document.body.appendChild(html("p", { class: "rl-voice", "aria-live": "polite" })) });
  clearTimeout(heard.late);
  heard.late = setTimeout(() => { heard.node.textContent = stage.getAttribute("aria-valuetext"); }, 400);
}

async function figure({ model, el, fixed: still }) {
  const live = !still, store = storeOf(model, live), setup = model.get("setup");
  const kind = KINDS[model.get("kind")], own = setup.fixed, words = { ...store.words };
  const state = () => ({ ...store.state, ...own });
  // What the stage's own slider moves, and how far.
  const turns = store.controls.find((c) => c.key === (kind.key || "pixel"));
  const most = () => (turns.below ? state()[turns.below] - 1 : turns.max);
  const look = (width) => seen({ state: state(), width, arrays: store.arrays, ops: store.ops, words }, setup);
  const stop = new AbortController();
  const bytes = model.get("payload");
  if (bytes.byteLength) {
    const box = await unpack(bytes);
    Object.assign(store.arrays, box.arrays);
    Object.assign(store.ops, box.ops);
    store.open = true;
  }
  // A figure whose subject is one pixel is a picture: there is nothing to move in it.
  const settled = turns.key in own, called = words["name." + setup.name] || words["name." + model.get("kind")];
  const stage = html("div", { class: "rl-stage", "aria-label": called, ...(settled ? { role: "img" } : { role: "slider", tabindex: 0, "aria-valuemin": turns.min }) });
  const note = html("p", { class: "rl-note", role: "status" });
  const numbers = html("div", "numbers");
  const chosen = setup.control.length ? setup.control : [kind.control], many = chosen.length > 1;
  const pickers = store.controls.filter((c) => chosen.includes(c.key) && !(c.key in own)).map((c) => (many ? bench : picker)(store, c));
  // What the figure's button does to the state; `off` says when it can do nothing.
  const act = kind.act && html("button", { type: "button", "data-act": kind.act.word, onclick: () => { store.set(kind.act.run(state())); voice(stage); } }, words[kind.act.word]);
  if (act) pickers[0].node.append(act);
  const root = html("figure", { class: "rl-fig", id: "fig-" + setup.name, "data-figure": model.get("kind"), "data-store": store.name },
    kind.presses ? html("div", "under", stage) : stage, many ? html("div", "pick", pickers.map((p) => p.node)) : pickers.map((p) => p.node), more(), numbers, note);
  // The still keeps the figure's place until this is drawn.
  const begun = el.parentNode?.querySelector(".rl-still"), drawing = begun?.querySelector("svg");
  if (drawing) { drawing.setAttribute("aria-hidden", "true"); stage.append(drawing); }
  begun?.remove();
  el.append(root);

  const room = () => Math.max(240, document.fullscreenElement === root ? within(innerHeight * 1.4, 420, 900) : stage.clientWidth || 640);
  let near = true, stale = true;
  // A slider has a value from the start, drawn or not yet.
  function placed() {
    if (settled) return;
    stage.setAttribute("aria-valuemax", most());
    stage.setAttribute("aria-valuenow", state()[turns.key]);
  }
  function draw() {
    placed();
    for (const p of pickers) p.update();
    act?.toggleAttribute("disabled", kind.act.off(state()));
    if (!near) { stale = true; return; }
    stale = false;
    const view = look(room());
    const { height, parts, said } = kind.draw(view);
    stage.replaceChildren(svg("svg", { viewBox: `0 0 ${view.width} ${height}`, width: view.width, height, "aria-hidden": "true" }, parts));
    if (settled) stage.setAttribute("aria-label", `${called}. ${said}`);
    else stage.setAttribute("aria-valuetext", said);
    root.dataset.drawn = JSON.stringify(view.state);
    if (kind.presses) kind.presses(view).forEach((one, k) => press(one, k, view.width, height));
    if (numbers.childNodes.length) numbers.replaceChildren(kind.table(view));
  }
  // Buttons lie upon what is drawn of them; they stay, so that the focus does.
  const buttons = [];
  function press({ x, y, width: wide, height: high, label: words_, set }, k, width_, height_) {
    const part = (v, whole) => `${((100 * v) / whole).toFixed(3)}%`;
    buttons[k] ||= stage.parentNode.appendChild(html("button", { type: "button", class: "rl-press" }));
    const style = { left: part(x, width_), top: part(y, height_), width: part(wide, width_), height: part(high, height_) };
    Object.assign(buttons[k].style, style);
    buttons[k].setAttribute("aria-label", words_);
    buttons[k].onclick = () => { store.set(set); voice(stage.getAttribute("aria-valuetext")); };
  }
  function told() {
    draw();
    if (!same(model.get("state"), store.state)) { model.set("state", store.state); if (live) model.save_changes(); }
  }
  store.show.add(told);
  placed();
  // What Python sets, or another view of this widget, is the page's state from now on.
  const heard = () => store.set({}, model.get("state"));
  model.on("change:state", heard);

  stage.addEventListener("keydown", (event) => {
    const steps = STEPS[event.key];
    if (!steps || settled) return;
    event.preventDefault();
    store.set({ [turns.key]: within(store.state[turns.key] + steps * turns.step, turns.min, most()) });
    voice(stage);
  });
  const pick = (event) => {
    const drawing = stage.firstChild;
    if (!drawing || settled) return;
    const [x, y] = point(event, drawing), at = kind.at(x, look(drawing.viewBox.baseVal.width), y);
    // A drawing whose points mean more than one value says all of them.
    store.set(typeof at === "number" ? { [turns.key]: at } : at);
  };
  stage.addEventListener("click", pick);
  sideways(stage, () => (_, event) => pick(event));

  const nearing = new IntersectionObserver((entries) => {
    near = entries.at(-1).isIntersecting;
    if (near && stale && store.open) draw();
  }, { rootMargin: NEAR });
  nearing.observe(root);
  // On paper every figure is near.
  addEventListener("beforeprint", () => { near = true; if (stale && store.open) draw(); }, { signal: stop.signal });
  let width = 0;
  const sizes = new ResizeObserver(() => { if (store.open && room() !== width) { width = room(); draw(); } });
  sizes.observe(stage);

  function more() {
    const link = () => fragment(setup.name, store.state);
    const menu = html("details", "more",
      html("summary", { title: words.more }, html("span", { "aria-hidden": "true" }, "⋯"), html("span", "hidden", words.more + ": " + (words["name." + setup.name] || setup.name))),
      html("div", "menu",
        html("button", { type: "button", onclick: copy }, words.copy),
        html("button", { type: "button", onclick: () => { store.set({}, store.start); shut(); } }, words.again),
        document.fullscreenEnabled && html("button", { type: "button", onclick: () => { shut(); document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen(); } }, words.full),
        html("button", { type: "button", "aria-expanded": "false", onclick: ({ target }) => {
          const open = !numbers.childNodes.length;
          numbers.replaceChildren(...(open ? [kind.table(look(room()))] : []));
          target.setAttribute("aria-expanded", open);
          shut();
        } }, words.numbers)));
    function shut(focus = true) {
      const was = menu.open;
      menu.open = false;
      if (was && focus) menu.firstChild.focus();
    }
    async function copy() {
      const whole = live ? link() : location.href.split("#")[0] + link();
      shut();
      try {
        await navigator.clipboard.writeText(whole);
        note.textContent = tell(words.copied, { link: whole });
      } catch { note.textContent = tell(words.link, { link: whole }); }
    }
    menu.addEventListener("keydown", (event) => { if (event.key === "Escape" && menu.open) { event.stopPropagation(); shut(); } });
    document.addEventListener("pointerdown", (event) => { if (menu.open && !menu.contains(event.target)) shut(false); }, { signal: stop.signal });
    return menu;
  }

  const place = (name) => enlist(name, { name: store.name, controls: store.controls, start: store.start, get: () => store.state, set: (s) => store.set({}, s),
    root, live, says: words, note: (words_) => { note.textContent = words_; } });
  const leave = [place(setup.name), place(store.name)];
  store.draw();
  return () => {
    stop.abort(); nearing.disconnect(); sizes.disconnect();
    store.show.delete(told);
    model.off("change:state", heard);
    for (const run of leave) run();
    root.remove();
  };
}

// The one control of a figure: radio buttons for a choice, a slider for a range.
function picker(store, c) {
  const { key } = c;
  if (c.kind === "choice") {
    const group = unique();
    const inputs = c.order.map((value) => html("input", { type: "radio", name: group, value, "data-key": key, onchange: () => store.set({ [key]: value }) }));
    const node = html("fieldset", "pick", html("legend", "hidden", c.label), c.quiet ? [] : html("span", { class: "rl-which", "aria-hidden": "true" }, c.label),
      inputs.map((input) => html("span", { class: "rl-check g-" + input.value }, input, label(c.options[input.value], input))));
    return { node, update() { for (const input of inputs) input.checked = input.value === store.state[key]; } };
  }
  const stops = Object.entries(c.stops || {}).sort((a, b) => a[1] - b[1]);
  const input = html("input", { type: "range", min: c.min, max: c.max, step: c.step, "data-key": key, oninput: () => store.set({ [key]: +input.value }) });
  const marks = html("span", "stops", stops.map(([name, value]) => html("button", { type: "button", class: "g-" + name, style: `--at:${(100 * (value - c.min)) / (c.max - c.min)}%`, onclick: () => store.set({ [key]: value }) }, name)));
  // A control whose stops say all needs no word and no number beside it.
  const out = html("output", {}), named = label(c.label, input);
  const node = html("div", "pick", c.quiet ? [html("span", "hidden", named), input, marks] : html("span", "named one", named, out, html("span", "slide", input, marks)));
  return { node, update() { input.value = store.state[key]; out.textContent = say(store.state[key]); } };
}

// Several together, each with its words: a menu for a choice, a slider for a range.
function bench(store, c) {
  const { key } = c, menu = c.kind === "choice", out = menu ? "" : html("output", {});
  const input = html(menu ? "select" : "input", { "data-key": key, ...(menu ? {} : { type: "range", min: c.min, max: c.max, step: c.step }), oninput: () => store.set({ [key]: menu ? input.value : +input.value }) },
    menu ? c.order.map((value) => html("option", { value }, c.options[value])) : []);
  return { node: html("span", "named", label(c.label, input), out, input), update() {
    if (c.below) input.max = store.state[c.below] - 1;
    input.value = store.state[key];
    if (out) out.textContent = say(store.state[key]);
  } };
}

export default { render: figure };
