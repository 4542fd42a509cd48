// Runs anywidget modules on a page that has no kernel.  It reads the states that
// the book wrote into the page, imports each module and hands it model and element.
// What it cannot do it says in the widget's place: a reader never meets a blank.
(() => {
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const WORDS = {}; // Python writes its sentences in
  const REF = "IPY_MODEL_";
  const told = (key, values = {}) => WORDS[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const models = new Map(), modules = new Map(), sheets = new Set();
  let states = null;

  // The book writes an object, or the same object as a string.
  const json = (script) => {
    const value = JSON.parse(script.textContent);
    return typeof value === "string" ? JSON.parse(value) : value;
  };

  function all() {
    if (states) return states;
    states = {};
    for (const script of document.querySelectorAll(STATE)) {
      const { state, shared = "" } = json(script);
      // The book says once what its modules have in common (see book/extension).
      for (const { state: own } of Object.values(state)) if (typeof own._esm === "string") own._esm = shared + own._esm;
      for (const { state: own } of Object.values(state)) if (own._esm?.like) own._esm = state[own._esm.like].state._esm;
      Object.assign(states, state);
    }
    return states;
  }

  function view(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return new DataView(bytes.buffer);
  }

  function model(id) {
    if (models.has(id)) return models.get(id);
    const saved = all()[id];
    if (!saved) throw new Error(told("state"));
    const state = { ...saved.state }, listeners = new Map();
    for (const { path, data, encoding } of saved.buffers || []) {
      if (encoding !== "base64") throw new Error(told("encoding", { encoding }));
      let place = state;
      for (const key of path.slice(0, -1)) place = place[key];
      place[path.at(-1)] = view(data);
    }
    const odd = Object.keys(state).find((k) => k !== "layout" && (JSON.stringify(state[k]) || "").includes('"' + REF));
    if (odd) throw new Error(told("widget", { odd }));
    const refuse = () => { throw new Error(told("messages")); };
    const made = {
      get: (key) => state[key],
      set(key, value) {
        if (state[key] === value) return;
        state[key] = value;
        for (const event of ["change:" + key, "change"]) for (const run of [...(listeners.get(event) || [])]) run();
      },
      save_changes() {},
      on(event, run) {
        if (event.startsWith("msg:")) refuse();
        listeners.set(event, (listeners.get(event) || new Set()).add(run));
      },
      off(event, run) {
        if (!event) listeners.clear();
        else if (run) (listeners.get(event) || new Set()).delete(run);
        else listeners.delete(event);
      },
      send: refuse,
    };
    models.set(id, made);
    return made;
  }

  function load(code) {
    if (!modules.has(code)) {
      const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
      modules.set(code, import(url).finally(() => URL.revokeObjectURL(url)));
    }
    return modules.get(code);
  }

  function style(css) {
    if (!css || sheets.has(css)) return;
    sheets.add(css);
    const sheet = document.createElement("style");
    sheet.textContent = css;
    document.head.append(sheet);
  }

  function say(el, words) {
    const note = document.createElement("p");
    note.className = "resizelab-refused";
    note.setAttribute("role", "note");
    note.textContent = words;
    el.append(note);
  }

  // A widget of another kind (a slider of ipywidgets): show what it had drawn.
  function still(id, el) {
    const seen = new Set(), outputs = [];
    (function walk(id) {
      const saved = all()[id];
      if (!saved || seen.has(id)) return;
      seen.add(id);
      outputs.push(...(saved.state.outputs || []));
      for (const word of JSON.stringify(saved.state).match(/IPY_MODEL_[0-9a-f-]+/g) || []) walk(word.slice(REF.length));
    })(id);
    for (const { data, text } of outputs) {
      const png = data && data["image/png"];
      const words = text || (data && data["text/plain"]);
      const node = document.createElement(png ? "img" : "pre");
      if (png) { node.src = "data:image/png;base64," + png; node.alt = told("alt"); node.style.maxWidth = "100%"; }
      else if (words) node.textContent = [].concat(words).join("");
      else continue;
      el.append(node);
    }
    say(el, told("still"));
  }

  async function start(script) {
    const el = document.createElement("div");
    script.after(el);
    const failed = (error) => {
      el.replaceChildren();
      say(el, told("refused", { error: error.message || error }));
    };
    try {
      const id = json(script).model_id, saved = all()[id];
      if (saved && saved.model_module !== "anywidget") return still(id, el);
      const shared = model(id);
      if (!shared.get("_esm")) throw new Error(told("module"));
      style(shared.get("_css"));
      let widget = (await load(shared.get("_esm"))).default;
      if (typeof widget === "function") widget = await widget();
      const experimental = { invoke: () => { throw new Error(told("calls")); } };
      if (widget.initialize) await widget.initialize({ model: shared, experimental });
      await widget.render({ model: shared, el, experimental, fixed: true });
    } catch (error) {
      failed(error);
    }
  }

  function run() {
    document.removeEventListener("readystatechange", run);
    for (const script of document.querySelectorAll(VIEW)) start(script);
  }

  // Not DOMContentLoaded: that waits for every deferred script of the theme.
  if (document.readyState === "loading") document.addEventListener("readystatechange", run);
  else run();
})();
