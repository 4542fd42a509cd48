// One output's recipe: pixels that can be dragged, weights, the sum, the matrix.
import { explorer, svg, html, text, line, marker, point, row, apply, say, read, label, each, within, canvas, sheet, pointed } from "./drawing.js";

const at = (n, s) => `x|${n}|${s.n_out}`;
const by = (n, s) => `w|${n}|${s.n_out}`;
const chosen = (s) => [...new Set([s.convention, s.against])].filter((n) => n !== "none");
const needs = (s) => chosen(s).flatMap((n) => [at(n, s), by(n, s)]);

const all = (view) => chosen(view.state).map((name) => {
  const op = view.ops[by(name, view.state)];
  return { name, op, x: view.arrays[at(name, view.state)].data, y: apply(op, view.state.values), ...view.look(name) };
});

// "0.75 · 0 + 0.25 · 10", an offset last.
function sum(r, i, { state: { values }, says }) {
  const own = r.op.offset && r.op.offset[i];
  return row(r.op, i).map(([j, w]) => [w, ` · ${say(values[j])}`]).concat(own ? [[own, ""]] : [])
    .map(([w, of], k) => (w < 0 ? (k ? " − " : "−") : k ? " + " : "") + say(Math.abs(w)) + of).join("") || says.nothing;
}

const small = "middle small";
const soft = "middle small soft";
const frame = { fill: "none", stroke: "var(--rl-ink)", "stroke-width": 2 };


function build(view) {
  const c = view.model.get("setup").controls.find((k) => k.key === "values");
  const put = (j, v) => view.set({ values: view.state.values.map((old, k) => (k === j ? v : old)) });
  const inputs = each(c.count, (j) => {
    const input = html("input", { type: "number", min: c.min, max: c.max, step: "any",
      oninput: () => { const v = input.valueAsNumber; if (v >= c.min && v <= c.max) put(j, v); },
      onchange: () => {
        const got = read({ ...c, kind: "range", key: view.tell("pixel", { j }) }, input.value, view.says);
        put(j, got.value ?? view.state.values[j]);
        input.value = view.state.values[j];
        if (got.note) view.note(got.note + ".");
      } });
    return input;
  });
  const fields = html("div", { class: "rl-fields", role: "group", "aria-label": view.says.fields },
    inputs.map((input, j) => html("div", {}, label(view.tell("pixel", { j }), input), input)));
  const picture = html("div", "drag"), matrix = html("div"), left = html("div", {}, fields, picture);
  // `hit` comes with each drawing: it tells the input or the output at a place.
  for (const node of [picture, matrix]) pointed(node, (event) => {
    const { pixel } = node.hit(...point(event, node.firstChild));
    if (pixel >= 0 && pixel !== view.state.pixel) view.set({ pixel });
  });
  let drag = null;
  picture.addEventListener("pointerdown", (event) => {
    const { input } = picture.hit(...point(event, picture.firstChild));
    if (!(input >= 0)) return;
    drag = { j: input, x: event.clientX, y: event.clientY, v: view.state.values[input] };
    // The node outlives the drawing in it, so it is the one to follow the pointer.
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!drag) return;
    // A finger that goes up scrolls the page, so only its way sideways counts.
    const way = event.clientX - drag.x - (event.pointerType === "touch" ? 0 : event.clientY - drag.y);
    put(drag.j, +within(drag.v + way * (c.max - c.min) / 70, c.min, c.max).toFixed(c.max - c.min < 10 ? 2 : 0));
  });
  picture.addEventListener("pointerup", () => { drag = null; });
  picture.addEventListener("pointercancel", () => { if (drag) put(drag.j, drag.v); drag = null; });
  view.stage.classList.add("rl-beside");
  view.stage.append(left, matrix);
  return { inputs, left, picture, matrix, low: c.min, high: c.max };
}


function drawPicture({ state: s, tell }, { picture, low, high }, rs, width) {
  const n = s.values.length, i = s.pixel, unit = (width - 2) / n, part = (width - 2) / s.n_out;
  const X = (x) => 1 + (x + 0.5) * unit, Z = (k) => 1 + (k + 0.5) * part;
  const base = 96, zero = 108, first = 154 + 14 * rs.length, step = 74;
  const figure = canvas(width, first + step * rs.length - 16, tell("inputs", { all: s.values.map((v) => say(v)).join(", "),
    outputs: rs.map((r) => tell("outputs", { name: r.name, all: Array.from(r.y, (v) => say(v)).join(", ") })).join(" ") }));
  // A tile filled as high as its value; what goes beyond the limits has a tenth more.
  const tile = (x, y, w, h, v, fill, data) => {
    const full = h * within((v - low) / (high - low) / 1.2 + 1 / 12, 0, 1);
    figure.append(svg("rect", { class: "rl-tile", x: x - w / 2, y, width: w, height: h, rx: 3 }),
      svg("rect", { x: x - w / 2, y: y + h - full, width: w, height: full, rx: 2, fill, opacity: 0.55, "data-value": v, ...data }));
  };
  s.values.forEach((v, j) => {
    tile(X(j), 4, unit - 2, 84, v, "var(--rl-soft)", { "data-input": j });
    figure.append(line(X(j), base - 4, X(j), base + 4, "axis"));
  });
  figure.append(line(1, base, width - 1, base, "axis"));
  rs[0].x.forEach((x, o) => figure.append(line(Z(o), first, X(x), base, "guide")));
  rs.forEach((r, k) => figure.append(line(Z(i), first + k * step, X(r.x[i]), base, { stroke: r.color, "stroke-width": 2 })));
  rs.forEach((r, k) => {
    const top = first + k * step, fits = Math.max(...Array.from(r.y, (v) => say(v, 2).length)) * 7 < part;
    r.x.forEach((x, o) => {
      tile(Z(o), top, Math.max(1, part - 2), 36, r.y[o], r.color, { "data-output": o, "data-x": x, "data-of": r.name });
      if (o === i) figure.append(svg("rect", { x: Z(o) - part / 2, y: top - 1, width: part, height: 38, rx: 3, ...frame }));
      if (o === i || fits) figure.append(text(within(Z(o), 16, width - 16), top + 51, say(r.y[o], 2), o === i ? "middle strong" : soft));
    });
    const wide = Math.min(16, (unit * 0.7) / rs.length);
    for (const [j, w] of row(r.op, i)) figure.append(
      svg("rect", { x: X(j) + (k - rs.length / 2) * wide, y: zero + 30 * Math.min(0, w), width: wide - 1, height: 30 * Math.abs(w), fill: r.color, "data-tap": j, "data-weight": w, "data-of": r.name }),
      marker(r.shape, X(j) - 17, zero + 38 + 14 * k, 3.5, { fill: r.color }), text(X(j) + 4, zero + 42 + 14 * k, say(w, 2), small));
    figure.append(marker(r.shape, X(r.x[i]), base, 6.5, { fill: r.color, "data-read": r.x[i], "data-of": r.name }),
      marker(r.shape, 7, top - 9, 4.5, { fill: r.color }), text(16, top - 5, r.name, "small"));
  });
  picture.replaceChildren(figure);
  picture.hit = (x, y) => (y < base ? { input: within(Math.floor((x - 1) / unit), 0, n - 1) } :
    y > first && (y - first) % step < 40 ? { pixel: within(Math.floor((x - 1) / part), 0, s.n_out - 1) } : {});
}

function drawMatrix({ state: s, says, tell }, { matrix }, rs, width) {
  const n = s.values.length, left = 20, each = (width - left) / rs.length, cell = Math.min(38, (each - 8) / n);
  const tall = within(300 / s.n_out, 9, 22), top = 32, Y = (o) => top + (o + 0.5) * tall + 4;
  const figure = canvas(width, top + tall * s.n_out + 3, tell("matrix.of", { all: rs.map((r) => r.name).reduce((one, other) => tell("and", { one, other })), m: s.n_out, n, pixel: s.pixel }));
  for (let o = 0; o < s.n_out; o++) if (tall > 11 || o === s.pixel) figure.append(text(8, Y(o), String(o), o === s.pixel ? "middle small strong" : soft));
  rs.forEach((r, k) => {
    const x0 = left + k * each, peak = Math.max(...r.op.weight.map(Math.abs));
    figure.append(marker(r.shape, x0 + 6, 8, 4.5, { fill: r.color }), text(x0 + 15, 12, says.matrix, "small"));
    for (let j = 0; j < n; j++) figure.append(text(x0 + cell * (j + 0.5), 27, String(j), soft));
    for (let o = 0; o < s.n_out; o++) {
      figure.append(svg("rect", { class: "rl-tile", x: x0, y: top + o * tall, width: cell * n, height: tall }));
      for (const [j, w] of row(r.op, o)) figure.append(
        svg("rect", { x: x0 + j * cell, y: top + o * tall, width: cell, height: tall, fill: w < 0 ? "var(--rl-soft)" : r.color, opacity: 0.08 + 0.34 * Math.abs(w) / peak, "data-row": o, "data-column": j, "data-weight": w, "data-of": r.name }),
        cell > 27 && tall > 12 ? text(x0 + (j + 0.5) * cell, Y(o), say(w, 2), small) : "");
    }
    figure.append(svg("rect", { x: x0 - 1, y: top + s.pixel * tall, width: cell * n + 2, height: tall, ...frame, "data-marked": s.pixel }));
  });
  matrix.replaceChildren(figure);
  matrix.hit = (x, y) => (y < top ? {} : { pixel: within(Math.floor((y - top) / tall), 0, s.n_out - 1) });
}

function render(context) {
  let parts = null;
  function draw(view) {
    parts ||= build(view);
    const rs = all(view), { pixel: i, values } = view.state, room = view.width > 560 ? (rs.length > 1 ? 300 : 190) : 0;
    parts.inputs.forEach((input, j) => {
      // Whoever is typing keeps the letters typed: "2." is no number yet.
      if (input !== input.ownerDocument.activeElement) input.value = values[j];
    });
    const width = view.width - (room && room + 22);
    parts.left.style.width = `${(100 * width) / view.width}%`;
    drawPicture(view, parts, rs, width);
    drawMatrix(view, parts, rs, room || width);
    return rs.map((r) => view.tell("said", { name: r.name, pixel: i, x: say(r.x[i]), sum: sum(r, i, view), total: say(r.y[i]) })).join(" ");
  }
  return explorer(context, { kind: "recipe", needs, draw, table });
}

function table(view) {
  const rs = all(view);
  return sheet(view.says.table, [view.says["table.pixel"], ...rs.flatMap((r) => [view.tell("table.reads", { name: r.name }), view.says["table.recipe"], view.says["table.sum"]])],
    Array.from(rs[0].x, (_, i) => [i, ...rs.flatMap((r) => [say(r.x[i]), sum(r, i, view), say(r.y[i])])]));
}

export default { render };
