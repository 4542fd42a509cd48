// Where each grid reads: input pixels as tiles, one row of markers per grid.
import { explorer, svg, text, line, marker, row, say, signed, within, canvas, sheet } from "./drawing.js";

const STOPS = ["asymmetric", "half_pixel", "align_corners"];
const at = (mode, s) => `x|${mode}|${s.n_in}|${s.n_out}`;
const by = (mode, s) => `w|${mode}|${s.n_in}|${s.n_out}`;

// The dial lies between two stops: positions are mixed in proportion.
function dial(view) {
  const s = view.state, low = Math.min(1, Math.floor(s.dial)), part = s.dial - low;
  const [a, b] = [STOPS[low], STOPS[low + 1]].map((m) => view.arrays[at(m, s)].data);
  const exact = part === 0 ? STOPS[low] : part === 1 ? STOPS[low + 1] : null;
  const name = exact ? view.tell("dial.on", { stop: exact }) : view.tell("dial.part", { share: say(part * 100, 0), low: STOPS[low], high: STOPS[low + 1] });
  return { mode: "dial", name, op: exact && view.ops[by(exact, s)], x: Array.from(a, (v, i) => (1 - part) * v + part * b[i]) };
}

const rows = (view) => [
  ...view.state.mode.map((m) => ({ mode: m, name: m, op: view.ops[by(m, view.state)], x: view.arrays[at(m, view.state)].data })),
  dial(view)];

function needs(s) {
  const modes = new Set([...STOPS, ...s.mode]);
  return [...modes].flatMap((m) => [at(m, s), by(m, s)]);
}

function draw(view) {
  const { state: s, width, stage } = view;
  const all = rows(view), base = view.arrays[at("half_pixel", s)].data;
  const unit = (width - 2) / (s.n_in + 1), X = (x) => 1 + (x + 1) * unit;
  const top = 62, step = 84, height = top + step * all.length;
  const figure = canvas(width, height, view.tell("drawn", { n: s.n_in, m: s.n_out, rows: all.length, all: all.map((r) => sentence(r, view, base)).join(" ") }), (px, py) => {
    const r = all[within(Math.floor((py - top) / step), 0, all.length - 1)];
    const far = Array.from(r.x, (x) => Math.abs(X(x) - px));
    view.set({ pixel: far.indexOf(Math.min(...far)) });
  });
  const every = Math.ceil(18 / unit);
  for (let j = 0; j < s.n_in; j++) {
    figure.append(
      svg("rect", { class: "rl-tile", x: X(j - 0.5) + 1, y: 22, width: unit - 2, height: 30, rx: 3, "data-input": j }),
      line(X(j), 52, X(j), height - 14, "guide"));
    if (j % every === 0) figure.append(text(X(j), 42, String(j), "middle"));
  }
  figure.append(text(2, 13, view.says.input, "soft"),
    text(width - 2, 13, view.tell("head", { pixel: s.pixel }), "soft end"));
  all.forEach((r, k) => {
    const y = top + k * step + 38, { color, shape } = view.look(r.mode);
    const group = svg("g", { "data-mode": r.mode });
    const shift = r.x[s.pixel] - base[s.pixel];
    group.append(
      marker(shape, 9, y - 24, 5, { fill: color }),
      text(20, y - 20, width < 460 ? r.mode : r.name),
      text(width - 2, y - 20, `${say(r.x[s.pixel])} (${signed(shift)})`, "end strong"),
      line(X(-0.9), y, X(s.n_in - 0.1), y, "axis"));
    const size = within((unit * s.n_in) / s.n_out / 3, 2.5, 6);
    r.x.forEach((x, i) => {
      const here = i === s.pixel;
      // A bar from where half_pixel reads: its length is the shift.
      if (r.mode !== "half_pixel") group.append(line(X(base[i]), y, X(x), y, { stroke: color, "stroke-width": 3, opacity: 0.45 }));
      group.append(marker(shape, X(x), y, here ? size + 2.5 : size, {
        fill: here ? color : "var(--rl-face)", stroke: color, "stroke-width": 1.8, "data-output": i, "data-x": x, "data-shift": x - base[i] }));
    });
    for (const [j, w] of r.op ? row(r.op, s.pixel) : []) {
      group.append(
        svg("rect", { x: X(j) - Math.min(9, unit * 0.3), y: w < 0 ? y + 12 + 18 * w : y + 12, width: Math.min(18, unit * 0.6), height: 18 * Math.abs(w),
          fill: color, opacity: 0.75, "data-tap": j, "data-weight": w }),
        text(X(j), y + 42, say(w, unit < 27 ? 1 : 2), "small middle"));
    }
    figure.append(group);
  });
  stage.replaceChildren(figure);
  return view.tell("said", { pixel: s.pixel, all: all.map((r) => view.tell("said.row", { x: say(r.x[s.pixel]), name: r.name })).join(", ") });
}

function sentence(r, { state: s, tell }, base) {
  const taps = r.op ? row(r.op, s.pixel).map(([j, w]) => tell("tap", { w: say(w), j })).join(" + ") : "";
  const shift = r.x[s.pixel] - base[s.pixel];
  const how = tell(Math.abs(shift) < 5e-4 ? "still" : shift > 0 ? "to_right" : "to_left", { v: say(Math.abs(shift)) });
  return tell(taps ? "row.taps" : "row", { name: r.name, pixel: s.pixel, x: say(r.x[s.pixel]), how, taps });
}

function table(view) {
  const all = rows(view), base = view.arrays[at("half_pixel", view.state)].data;
  return sheet(view.says.table, [view.says["table.pixel"], ...all.map((r) => r.mode)],
    Array.from(base, (b, i) => [i, ...all.map((r) => `${say(r.x[i])} (${signed(r.x[i] - b)})`)]));
}

export default { render: (context) => explorer(context, { kind: "grid", needs, draw, table }) };
