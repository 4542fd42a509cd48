// One picture through several conventions, side by side, and how they differ.
import { explorer, html, sheet, badge, apply, say, each, unfolded, within } from "./drawing.js";
import { OWN, owned } from "./picture_own.js";

const N = 16;
const sides = (s) => [s.height, s.width || s.height];
const sizeOf = (s) => (s.pattern.endsWith("32") ? 32 : N);

// Undo bank.py: a weight is a guess plus what the guess missed.
function open(view) {
  const { names, sizes } = view.meta, { arrays } = view, heads = arrays["bank.head"].data, steps = arrays["bank.step"].data, missed = unfolded(arrays["bank.residue"]);
  let at = 0, rows = 0, h = 0;
  for (const [nIn, outs] of sizes) for (const nOut of outs) {
    const done = [];
    for (const name of names) {
      const taps = heads[h++], mode = heads[h++], unit = 2 ** heads[h++], like = done[mode - 2];
      const start = new Uint8Array(nOut), dense = new Float64Array(nOut * nIn), index = [], weight = [];
      for (let i = 0; i < nOut; i++) {
        const twin = nOut - 1 - i, mirrored = mode === 1 && twin <= i && 2 * i >= nOut;
        start[i] = steps[rows++] + (like ? like.start[i] : mirrored ? nIn - taps - start[twin] : start[i - 1] || 0);
        for (let t = 0, left = 1; t < taps; t++, at++) {
          const j = start[i] + t, here = i * nIn + j;
          const guess = like ? like.dense[here] : mirrored ? dense[(twin + 1) * nIn - 1 - j] : t === taps - 1 ? left : 0;
          left -= dense[here] = Math.floor(guess * unit + 0.5 + missed[at]) / unit;
          index.push(j);
          weight.push(dense[here]);
        }
      }
      done.push({ start, dense });
      view.ops[`w|${name}|${nIn}|${nOut}`] = { index, weight, nOut, taps, nIn };
    }
  }
}

// The operators of both axes; OpenCV's area looks at both sizes for either.
function keys(view, name) {
  const n = sizeOf(view.state), both = sides(view.state);
  const apart = both[0] === both[1] || !view.meta.coupled.includes(name);
  return both.map((m, axis) => `w|${name}|${n}|` + (apart ? m : both.join(".") + "|" + axis));
}

const shown = (view) => view.state.conventions.slice(0, 4);
const all = (view) => [...new Set([view.state.reference, ...shown(view)])];

function needs(s, view) {
  if (!view.ui) { open(view); view.ui = build(view); }
  return all(view).flatMap((name) => keys(view, name));
}

// Y = H X V^T: every row, then every column.
function resized(view, name, x) {
  const [down, across] = keys(view, name).map((key) => view.ops[key]), w = across.nOut;
  const rows = each(down.nIn, (r) => apply(across, x.slice(r * across.nIn, (r + 1) * across.nIn)));
  const y = new Float64Array(down.nOut * w);
  for (let c = 0; c < w; c++) apply(down, rows.map((row) => row[c])).forEach((v, r) => { y[r * w + c] = v; });
  return y;
}

const pixels = (view) => view.state.pattern === "drawn" ? view.state.pixels || new Array(N * N).fill(0) : view.state.pattern === OWN ? view.ui.own.levels() : Array.from(view.arrays["p|" + view.state.pattern].data);

// Why no recorded integers can be shown, or "".
function unrecorded({ state: s, meta: { recorded, words } }) {
  const [h, w] = sides(s);
  if (!recorded) return words.none;
  return words[s.pattern] || (h !== w || !recorded.sizes.includes(h) ? words.sizes : "");
}

function compare(one, other) {
  const gap = Float64Array.from(one, (v, k) => v - other[k]), far = gap.map(Math.abs), most = Math.max(...far);
  return { gap, most, mean: far.reduce((a, b) => a + b) / far.length, where: far.indexOf(most) };
}

function paint(canvas, h, w, values, shade, label) {
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const image = new ImageData(w, h), data = image.data.fill(255);
  for (let k = 0; k < h * w; k++) shade(values[k], data, 4 * k);
  // Kept out of the graphics card: pixels go in, and nothing else is drawn.
  canvas.getContext("2d", { willReadFrequently: true }).putImageData(image, 0, 0);
  canvas.values = values;
  canvas.setAttribute("aria-label", label);
}

const grey = (full) => (v, data, k) => data.fill((v / full) * 255, k, k + 3);

const between = ({ dark, meta }, limit) => (v, data, k) => {
  const [less, none, more] = meta.hues[+dark], part = Math.abs(v) / limit;
  for (let c = 0; c < 3; c++) data[k + c] = none[c] + part * ((v < 0 ? less : more)[c] - none[c]);
};

// The picture as cells to draw on, with a finger, a mouse or the keyboard.
function board(view) {
  let ink, down, last;
  const cells = each(N * N, (k) => html("button", { role: "gridcell", tabindex: k ? -1 : 0, "data-cell": k }));
  const put = (k) => {
    const drawn = [...pixels(view)];
    ink ??= drawn[k] === view.state.ink ? 0 : view.state.ink;
    drawn[k] = ink;
    view.set({ pattern: "drawn", pixels: drawn });
  };
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.dataset.cell;
  const node = html("div", { role: "grid", class: "rl-board", "aria-label": view.says.paint,
    // A finger that goes up or down scrolls the page; a tap or a sideways drag paints.
    onpointerdown(event) { down = event; ink = last = undefined; },
    onpointermove(event) {
      const k = under(event), dx = event.clientX - down?.clientX, dy = event.clientY - down?.clientY;
      if (!event.buttons || k === undefined || k === last || (last === undefined && !(Math.abs(dx) > Math.max(4, event.pointerType === "touch" && Math.abs(dy))))) return;
      if (last === undefined) put(under(down));
      put((last = k));
    },
    onclick(event) {
      const k = event.target.dataset.cell;
      if (last === undefined && k) { ink = undefined; put(k); }
      last = undefined;
    },
    onfocusin(event) { for (const c of cells) c.tabIndex = c === event.target ? 0 : -1; },
    onkeydown(event) {
      const k = +event.target.dataset.cell, [step, free] = { ArrowLeft: [-1, k % N], ArrowRight: [1, (k + 1) % N], ArrowUp: [-N, 1], ArrowDown: [N, 1] }[event.key] || [];
      if (!step) return;
      event.preventDefault();
      if (free) cells[k + step]?.focus();
    } }, each(N, (r) => html("div", { role: "row" }, cells.slice(r * N, (r + 1) * N))));
  return { node, update: (levels) => cells.forEach((cell, k) => {
    const v = levels[k];
    if (cell.level === v) return;
    cell.style.background = `rgb(${v},${v},${(cell.level = v)})`;
    cell.setAttribute("aria-label", view.tell("cell", { row: Math.floor(k / N), column: k % N, v }));
  }) };
}

const screen = (name) => html("canvas", { class: name, role: "img" });

function build(view) {
  const ui = { board: board(view), large: screen("rl-board"), legend: html("p", {}), bar: screen("rl-bar"), ends: html("p", "stops"), own: owned(view), grid: html("div", "panels"), panels: {} };
  ui.select = view.root.querySelector("[data-key=dtype]");
  ui.hint = ui.select.parentNode.querySelector("small");
  ui.about = ui.hint.textContent;
  view.stage.append(html("div", "beside", ui.board.node, ui.large, ui.own.whole, html("div", "scale", ui.legend, ui.bar, ui.ends,
    html("button", { onclick: () => view.set({ pattern: "drawn", pixels: new Array(N * N).fill(0) }) }, view.says.blank), ui.own.field)), ui.grid);
  return ui;
}

function panel(view, name) {
  return view.ui.panels[name] ||= (() => {
    const p = { out: screen("rl-out"), gap: screen("rl-gap"), words: html("p"), mark: html("span") };
    p.node = html("div", { "data-convention": name }, html("p", "strong", p.mark, " ", name.split(/(?<=[._])/).flatMap((part) => [part, html("wbr")])), p.out, p.gap, p.words);
    return p;
  })();
}

function draw(view) {
  const { ui, state: s, meta, width, says, tell } = view, [h, w] = sides(s), n = sizeOf(s), names = shown(view);
  const why = unrecorded(view), integers = s.dtype === "uint8" && !why, full = integers ? 255 : 1;
  const levels = pixels(view), x = Float64Array.from(levels, (v) => v / 255);
  // A library that answers integers with floats is computed: levels go in.
  const recorded = (name) => view.arrays[`u|${name}|${s.pattern}|${h}`]?.data || (meta.recorded.floats.includes(name) && resized(view, name, levels));
  view.results = Object.fromEntries(all(view).map((name) => [name, integers ? recorded(name) : resized(view, name, x)]));
  const base = view.results[s.reference];
  const gaps = names.map((name) => base && view.results[name] && compare(view.results[name], base));
  const most = Math.max(0, ...gaps.map((g) => g?.most || 0)), same = most < 1e-6, ten = 10 ** Math.floor(Math.log10(most));
  // The next of 1, 2, 5, 10: a scale that does not creep.
  const limit = same ? 1 : +([1, 2, 5, 10].find((k) => k * ten >= most * 0.999999) * ten).toPrecision(1);

  ui.select.disabled = !!why;
  ui.hint.textContent = why ? why + meta.words.floats : integers ? tell("results", { all: [...new Set(names.map((name) => meta.recorded.told[name]))].join("; ") }) : ui.about;
  const big = document.fullscreenElement === view.root, columns = width < 480 ? 2 : big ? within(names.length, 2, 4) : 4;
  const lay = (key, value) => view.root.style.setProperty("--rl-" + key, value);
  lay("cell", (width < 480 || (big && innerWidth > 1500) ? 18 : 14) + "px");
  lay("side", (big ? 300 : 180) + "px");
  lay("columns", columns);
  ui.board.node.hidden = n > N;
  ui.large.hidden = n === N;
  if (n > N) paint(ui.large, n, n, levels, grey(255), says.large);
  else ui.board.update(levels);
  ui.own.update();
  ui.legend.textContent = tell(same ? "legend.same" : "legend", { reference: s.reference });
  paint(ui.bar, 1, 101, each(101, (k) => (k / 50 - 1) * limit), between(view, limit), tell("scale", { low: say(-limit, 6), high: say(limit, 6) }));
  ui.ends.replaceChildren(...[-limit, 0, limit].map((v) => html("span", {}, say(v, 6))));

  const told = names.map((name, k) => {
    const p = panel(view, name), y = view.results[name], g = gaps[k];
    p.mark.replaceChildren(badge(view.look(name)));
    p.out.hidden = !y;
    p.gap.hidden = !g || name === s.reference;
    p.words.textContent = "";
    if (!y) return (p.words.textContent = meta.recorded.told[name]);
    const range = tell("range", { low: say(Math.min(...y)), high: say(Math.max(...y)) });
    paint(p.out, h, w, y, grey(full), tell("shown", { name, h, w, range }));
    if (!g) return (p.words.textContent = tell("no_reference", { range }));
    const gap = name === s.reference ? says.reference : g.most < 1e-6 ? says.same : tell("gap", { most: say(g.most), row: Math.floor(g.where / w), column: g.where % w, mean: say(g.mean) });
    paint(p.gap, h, w, g.gap, between(view, limit), tell("less", { name, reference: s.reference, gap }));
    Object.assign(p.node.dataset, { most: g.most, mean: g.mean });
    p.words.textContent = tell(name === s.reference ? "is_reference" : "differs", { range, gap });
    return `${name} ${gap}`;
  });
  ui.grid.replaceChildren(...names.map((name) => panel(view, name).node));
  if (s.conventions.length > 4) view.note(says.four);
  return tell(integers ? "said.bytes" : "said.floats", { n, h, w, reference: s.reference, all: told.join("; ") });
}

function table(view) {
  const [h, w] = sides(view.state), small = h * w <= 144;
  return html("div", {}, Object.entries(view.results).map(([name, y]) => y && sheet(small ? name : view.tell("listed", { name }),
    small ? [view.says["table.row"], ...each(w, String)] : [], small ? each(h, (r) => [r, ...Array.from(y.slice(r * w, (r + 1) * w), (v) => say(v))].map(String)) : [])));
}

export default { render: (context) => explorer(context, { kind: "picture", needs, draw, table }) };
