// A kernel over the pixels: its weights, and what they do to a step and to waves.
import { explorer, svg, text, line, marker, row, apply, say, each, within, canvas, sheet } from "./drawing.js";

// Cubic is linear in a: from a = 0 and a = -1 comes every other.
const mix = (a, zero, one) => Float64Array.from(zero, (v, i) => v - a * (one[i] - v));

// The same of two operators, which need not read the same pixels: the taps of both.
function both(a, zero, one) {
  const taps = zero.taps + one.taps, index = new Int32Array(zero.nOut * taps), weight = new Float64Array(index.length);
  for (let i = 0, k = 0; i < zero.nOut; i++) for (const [op, part] of [[zero, 1 + a], [one, -a]]) {
    for (let t = i * op.taps; t < (i + 1) * op.taps; t++, k++) [index[k], weight[k]] = [op.index[t], part * op.weight[t]];
  }
  return { ...zero, index, weight, taps };
}

function member(view, key) {
  const { arrays, ops, state: s } = view;
  const a = key === "cubic" ? s.a : key.startsWith("cubic") ? +key.slice(5) : null;
  const data = (p) => (a === null ? arrays[p + key].data : mix(a, arrays[p + "cubic0"].data, arrays[p + "cubic-1"].data));
  const op = a === null ? ops["w|" + key] : both(a, ops["w|cubic0"], ops["w|cubic-1"]);
  const curve = data("k|"), wave = data("f|"), fine = op.nOut / op.nIn, base = op.nIn / 2 - 1, end = (curve.length - 1) / 2;
  const at = Math.round(s.t * fine), step = apply(op, each(op.nIn, (j) => Number(j > base)));
  const options = view.model.get("setup").controls.find((c) => c.key === "beside").options;
  const taps = new Map(row(op, base * fine + at).map(([j, w]) => [j - base, w]));
  // The weights before they are divided by their sum: the curve over each pixel.
  const raw = (j) => curve[end + j * fine - at] || 0;
  const reach = Math.ceil(end / fine), pixels = each(2 * reach, (k) => k - reach + 1);
  const most = step.indexOf(Math.max(...step));
  return { key, name: a === null ? options[key] : `a = ${say(a)} (cubic)`, curve, wave, step, fine, base, end, at, taps, raw, reach, pixels, most, ...view.look(key),
    over: Math.max(0, step[most] - 1), sum: [...taps.values()].reduce((x, y) => x + y, 0), before: pixels.reduce((x, j) => x + raw(j), 0), quarter: wave[16] };
}

const shown = (view) => [...new Set([view.state.kernel, view.state.beside])].filter((k) => k !== "none").map((k) => member(view, k));

const needs = (s) => [s.kernel, s.beside].filter((k) => k !== "none")
  .flatMap((k) => (k.startsWith("cubic") ? ["cubic0", "cubic-1"] : [k])).flatMap((k) => ["k|" + k, "f|" + k, "w|" + k]);

// A frame with ticks; returns the two scales.
function frame(figure, [left, top, w, h], [x0, x1], [y0, y1], title, xs, ys) {
  const X = (x) => left + ((x - x0) / (x1 - x0)) * w, Y = (y) => top + h - ((y - y0) / (y1 - y0)) * h;
  if (title) figure.append(text(left, top - 6, title, "soft"));
  for (const x of xs) figure.append(line(X(x), top, X(x), top + h, "guide"), text(X(x), top + h + 14, say(x), "middle small"));
  for (const y of ys) figure.append(line(left, Y(y), left + w, Y(y), { class: y ? "rl-guide" : "rl-axis" }), text(left - 4, Y(y) + 4, say(y), "end small"));
  return [X, Y];
}

const path = (m, what, values, x, X, Y) => svg("path", { "data-curve": what, fill: "none", stroke: m.color, "stroke-width": 2, "stroke-dasharray": m.dash,
  d: "M" + Array.from(values, (v, i) => `${X(x(i)).toFixed(2)} ${Y(v).toFixed(2)}`).join("L") });

function draw(view) {
  const { state: s, width, stage, root } = view, all = shown(view);
  for (const node of root.querySelectorAll("[data-key=a]")) node.disabled = s.kernel !== "cubic";
  all.forEach((m, k) => { m.dash = k ? "6 4" : null; });
  const reach = Math.max(2, ...all.map((m) => m.reach)), t = all[0].at / all[0].fine, inset = 26, wide = width >= 480;
  const lows = all.flatMap((m) => [Math.min(...m.curve), Math.max(...m.curve)]);
  const range = [Math.min(-0.2, ...lows), Math.max(1.05, ...lows)];
  const top = 22 * all.length + 8, tall = 190, under = top + tall + 30, second = under + 20 * all.length + 34;
  const part = (width - 2 * inset - 20) / 2, height = second + 172;
  const said = all.map(sentence).join(" ");
  const figure = canvas(width, height, `Weights at ${say(t)} of a pixel after pixel 0. ${said}`, (x, y) => {
    if (y < under) view.set({ t: within(Math.round((x - X(0)) / unit * all[0].fine) / all[0].fine, 0, 1) });
  });
  const [X, Y] = frame(figure, [inset, top, width - inset - 2, tall], [-reach - 0.1, reach + 1.1], range, "", [], [0, 1]);
  const unit = X(1) - X(0), digits = unit > 54 ? 4 : unit > 40 ? 3 : 2;
  // Where pixels are narrow, ".02" is as good as "0.02".
  const short = (w) => (unit < 36 ? say(w, digits).replace("0.", ".") : say(w, digits));
  const pixels = each(2 * reach, (k) => k - reach + 1);
  for (const j of pixels) figure.append(
    svg("rect", { class: "rl-tile", x: X(j - 0.5) + 1, y: top + tall + 4, width: unit - 2, height: 22, rx: 3 }),
    text(X(j), top + tall + 19, say(j), "middle"));
  figure.append(line(X(t), top, X(t), top + tall + 4, { stroke: "currentColor", "stroke-dasharray": "2 3" }));
  const [FX, FY] = frame(figure, [inset, second, part, 140], [0, 1.5], [Math.min(-0.2, ...all.map((m) => Math.min(...m.wave))), Math.max(1.15, ...all.map((m) => Math.max(...m.wave)))],
    wide ? "what is left of a wave, by cycles per pixel" : "waves, cycles/pixel", wide ? [0, 0.25, 0.5, 1, 1.5] : [0, 0.5, 1, 1.5], [0, 1]);
  const [SX, SY] = frame(figure, [width - part - 8, second, part, 140], [-3, 3], [-0.25, 1.25], wide ? "a step from 0 to 1, by pixels" : "a step, pixels", [-3, -2, -1, 0, 1, 2, 3], [0, 1]);
  all.forEach((m, k) => {
    const y = 16 + 22 * k, low = under + 20 * k + 12, { color, shape } = m;
    const group = svg("g", { "data-kernel": m.key, "data-sum": m.sum, "data-before": m.before, "data-fraction": t });
    group.append(marker(shape, 9, y - 4, 5, { fill: color }), text(20, y, m.name, "strong"),
      text(width - 2, y, m.over > 5e-5 ? `overshoot ${say(100 * m.over, 1)} %` : "no overshoot", "end"),
      path(m, "kernel", m.curve, (i) => t + (i - m.end) / m.fine, X, Y),
      path(m, "wave", m.wave, (i) => i / 64, FX, FY),
      path(m, "step", m.step.slice((m.base - 2.5) * m.fine, (m.base + 3.5) * m.fine + 1), (i) => i / m.fine - 3, SX, SY),
      marker(shape, FX(0.25), FY(m.quarter), 4, { fill: color, "data-quarter": m.quarter }),
      marker(shape, 9, low - 4, 4, { fill: color }),
      text(width - 2, low, `= ${say(m.sum)}`, "end small"));
    if (m.over > 5e-5) group.append(marker(shape, SX(m.most / m.fine - m.base - 0.5), SY(1 + m.over), 4, { fill: color, "data-overshoot": m.over }));
    for (const j of m.pixels) {
      const w = m.taps.get(j) || 0, x = X(j) + 2 * k;
      group.append(line(x, Y(0), x, Y(w), { stroke: color, "stroke-width": 2, opacity: 0.6 }),
        marker(shape, X(j), Y(w), 4.5, { fill: k ? "var(--rl-face)" : color, stroke: color, "stroke-width": 1.6, "data-tap": j, "data-weight": w }),
        text(X(j), low, short(w), "middle small"));
    }
    figure.append(group);
  });
  stage.replaceChildren(figure);
  return said;
}

function sentence(m) {
  const list = m.pixels.map((j) => say(m.taps.get(j) || 0, 4)).join(", ");
  const divided = Math.abs(m.before - 1) > 5e-5 ? ` (${say(m.before, 4)} before they are divided by it)` : "";
  return `${m.name}: pixels ${say(m.pixels[0])} to ${say(m.pixels.at(-1))} weigh ${list}; sum ${say(m.sum, 4)}${divided}. ` +
    (m.over > 5e-5 ? `A step overshoots by ${say(100 * m.over, 1)} %` : "A step does not overshoot") + `; a wave of four pixels keeps ${say(m.quarter, 2)} of its height.`;
}

function table(view) {
  const all = shown(view), pixels = all.map((m) => m.pixels).sort((a, b) => b.length - a.length)[0], t = all[0].at / all[0].fine;
  const sums = (words, key) => [words, "", ...all.map((m) => say(m[key], 6))];
  return sheet(`Weights at ${say(t, 6)} of a pixel after pixel 0`, ["pixel", "distance", ...all.map((m) => m.name)], [
    ...pixels.map((j) => [say(j), say(Math.abs(j - t), 6), ...all.map((m) => say(m.taps.get(j) || 0, 6))]),
    sums("sum", "sum"), sums("sum before dividing", "before")]);
}

export default { render: (context) => explorer(context, { kind: "kernel", needs, draw, table }) };
