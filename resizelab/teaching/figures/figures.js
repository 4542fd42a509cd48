// Small figures that share one state of the page. No resize rule stands here: the page
// multiplies, compares and draws what Python computed.
import { svg, text, line, html, say, tell, unpack, row, within, each, unique, label, sheet, point, fragment, enlist, changed, signed } from "./drawing.js";

const KINDS = {};
const STORES = Symbol.for("resizelab.stores");
const NEAR = "400px"; // figures farther from the screen wait
const DRAG = 14; // pixels of a drag that change a number in the prose by one step

// ---- the store: one a page state, found by every figure and number ----------

function storeOf(model, live) {
  const all = (globalThis[STORES] ??= new Map()), id = model.get("store");
  if (!all.has(id)) all.set(id, made(model, live));
  return all.get(id);
}

const same = (a, b) => Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((k) => String(a[k]) === String(b[k]));

function made(model, live) {
  const setup = model.get("setup"), start = { ...model.get("state") }, show = new Set();
  let asked = false;
  const store = {
    name: setup.page, controls: setup.controls, words: setup.words, told: setup.told, start, live,
    state: start, arrays: {}, ops: {}, open: false, show,
    set(change, whole) {
      const state = { ...(whole || store.state), ...change };
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
  first: (a) => a[0], last: (a) => a[a.length - 1],
  step: (a) => (a.length > 1 ? a[1] - a[0] : 0), here: (a, s) => a[s.pixel],
};
const filled = (key, state) => key.replace(/\{(\w+)\}/g, (_, name) => state[name]);

function prose(store) {
  const mine = (attribute) => [...document.querySelectorAll(`[${attribute}^="${store.name}:"]`)].map((node) => [node, node.getAttribute(attribute).slice(store.name.length + 1)]);
  for (const [node, key] of mine("data-scrub")) scrub(store, node, key);
  for (const [node, name] of mine("data-tell")) {
    const [key, how] = store.told[name];
    store.show.add(() => {
      const array = store.arrays[filled(key, store.state)];
      if (array) node.textContent = say(READS[how](array.data, store.state), 2);
    });
  }
}

// A number that is a slider: drag it sideways, or use the arrow keys.
function scrub(store, node, key) {
  const control = store.controls.find((c) => c.key === key);
  const least = Math.max(control.min, Number(node.dataset.least) || control.min);
  const most = () => (control.below ? store.state[control.below] - 1 : control.max);
  const set = (value) => store.set({ [key]: within(value, least, most()) });
  for (const [name, value] of Object.entries({ role: "slider", tabindex: 0, "aria-label": control.label, "aria-valuemin": least })) node.setAttribute(name, value);
  node.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -99, End: 99 }[event.key];
    if (!steps) return;
    event.preventDefault();
    set(store.state[key] + steps);
  });
  sideways(node, () => {
    const from = store.state[key];
    return (dx) => set(from + Math.round(dx / DRAG));
  });
  store.show.add(() => {
    const value = store.state[key];
    if (node.textContent !== String(value)) node.textContent = value;
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
  const stop = new AbortController();
  const bytes = model.get("payload");
  if (bytes.byteLength) {
    const box = await unpack(bytes);
    Object.assign(store.arrays, box.arrays);
    Object.assign(store.ops, box.ops);
    store.open = true;
  }
  const stage = html("div", { class: "rl-stage", role: "slider", tabindex: 0, "aria-label": words["name." + setup.name] || words["name." + model.get("kind")], "aria-valuemin": 0 });
  const note = html("p", { class: "rl-note", role: "status" });
  const numbers = html("div", "numbers");
  const control = kind.control && picker(store, kind.control);
  const act = kind.act && html("button", { type: "button", "data-act": kind.act.word, onclick: () => { store.set(kind.act.run(state())); voice(stage); } }, words[kind.act.word]);
  if (act) control.node.append(act);
  // Where a click or an arrow may put the page's pixel.
  const places = () => (kind.places ? kind.places() : state().n_out);
  const root = html("figure", { class: "rl-fig", id: "fig-" + setup.name, "data-figure": model.get("kind"), "data-store": store.name },
    stage, control && control.node, more(), numbers, note);
  el.parentNode?.querySelector(".rl-still")?.remove();
  el.append(root);

  const room = () => Math.max(240, document.fullscreenElement === root ? within(innerHeight * 1.4, 420, 900) : stage.clientWidth || 640);
  let near = true, stale = true;
  // A slider has a value from the start, drawn or not yet.
  function placed() {
    stage.setAttribute("aria-valuemax", places() - 1);
    stage.setAttribute("aria-valuenow", state().pixel);
  }
  function draw() {
    placed();
    control?.update();
    act?.toggleAttribute("disabled", kind.act.off(state()));
    if (!near) { stale = true; return; }
    stale = false;
    const s = state(), view = { state: s, width: room(), arrays: store.arrays, ops: store.ops, words };
    const { height, parts, said } = kind.draw(view);
    stage.replaceChildren(svg("svg", { viewBox: `0 0 ${view.width} ${height}`, width: view.width, height, "aria-hidden": "true" }, parts));
    stage.setAttribute("aria-valuetext", said);
    root.dataset.drawn = JSON.stringify(s);
    if (numbers.childNodes.length) numbers.replaceChildren(kind.table(view));
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
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -99, End: 99 }[event.key];
    if (!steps) return;
    event.preventDefault();
    store.set({ pixel: within(store.state.pixel + steps, 0, places() - 1) });
    voice(stage);
  });
  const pick = (event) => {
    const drawing = stage.firstChild;
    if (drawing) store.set({ pixel: kind.at(point(event, drawing)[0], { state: state(), width: drawing.viewBox.baseVal.width, arrays: store.arrays }) });
  };
  stage.addEventListener("click", pick);
  sideways(stage, () => (_, event) => pick(event));

  const seen = new IntersectionObserver((entries) => {
    near = entries.at(-1).isIntersecting;
    if (near && stale && store.open) draw();
  }, { rootMargin: NEAR });
  seen.observe(root);
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
          numbers.replaceChildren(...(open ? [kind.table({ state: state(), arrays: store.arrays, ops: store.ops, words })] : []));
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
    root, live, left: words.left, note: (words_) => { note.textContent = words_; } });
  const leave = [place(setup.name), place(store.name)];
  store.draw();
  return () => {
    stop.abort(); seen.disconnect(); sizes.disconnect();
    store.show.delete(told);
    model.off("change:state", heard);
    for (const run of leave) run();
    root.remove();
  };
}

// The one control of a figure: radio buttons for a choice, a slider for a range.
function picker(store, key) {
  const c = store.controls.find((one) => one.key === key);
  if (c.kind === "choice") {
    const group = unique();
    const inputs = c.order.map((value) => html("input", { type: "radio", name: group, value, "data-key": key, onchange: () => store.set({ [key]: value }) }));
    const node = html("fieldset", "pick", html("legend", "hidden", c.label),
      inputs.map((input) => html("span", { class: "rl-check g-" + input.value }, input, label(c.options[input.value], input))));
    return { node, update() { for (const input of inputs) input.checked = input.value === store.state[key]; } };
  }
  const stops = Object.entries(c.stops || {}).sort((a, b) => a[1] - b[1]);
  const input = html("input", { type: "range", min: c.min, max: c.max, step: c.step, "data-key": key, oninput: () => store.set({ [key]: +input.value }) });
  const node = html("div", "pick", html("span", "hidden", label(c.label, input)), input,
    html("span", "stops", stops.map(([name, value]) => html("button", { type: "button", class: "g-" + name, onclick: () => store.set({ [key]: value }) }, name))));
  return { node, update() { input.value = store.state[key]; } };
}

export default { render: figure };
