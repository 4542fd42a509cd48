// Which input pixel each output copies: one convention above, the other below.
import { explorer, svg, text, line, marker, point, within, canvas, sheet, pointed } from "./drawing.js";

const DIAMOND = [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]];
const shown = (s) => [s.above, s.below];
const alone = (name, s) => `${name}|${s.n_in}|${s.n_out}`;
const menu = (view) => view.model.get("setup").controls;

// A map travels as 4 · (step from the output before) + 2 · edge + tie. All maps lie
// end to end, by n_in, then n_out, then convention; a kernel sends single ones.
function copied(view, name) {
  const s = view.state, controls = menu(view), names = controls[0].order;
  const own = view.arrays[alone(name, s)], largest = controls[2].max;
  const before = ((s.n_in - 1) * largest * (largest + 1) + (s.n_out - 1) * s.n_out) / 2;
  const start = before * names.length + names.indexOf(name) * s.n_out;
  let pixel = 0;
  return Array.from(own ? own.data : view.arrays.all.data.subarray(start, start + s.n_out),
    (code) => ({ pixel: (pixel += code >> 2), tie: !!(code & 1), edge: !!(code & 2) }));
}

function compare(view) {
  const [a, b] = shown(view.state).map((name) => copied(view, name));
  const apart = a.flatMap((o, i) => (o.pixel === b[i].pixel ? [] : [i]));
  const ties = a.flatMap((o, i) => (o.tie ? [i] : []));
  // The two input pixels that a tied output lies between.
  const near = (i) => { const k = Math.round((i + 0.5) * view.state.n_in / view.state.n_out); return [k - 1, k]; };
  const split = (i) => a[i].tie && [a, b].every((map) => near(i).includes(map[i].pixel));
  const alike = a.every((o, i) => o.edge === b[i].edge);
  const why = (i) => (a[i].pixel === b[i].pixel ? "" : split(i) ? "tie" : alike && a[i].edge ? "last bit" : "");
  return { a, b, apart, ties, near, why };
}

const list = (all, most = 6) => all.slice(0, most).join(", ") + (all.length > most ? ` and ${all.length - most} more` : "");

function draw(view) {
  const { state: s, width, stage } = view, { a, b, apart, ties, near, why } = compare(view);
  const [out, into] = [s.n_out, s.n_in].map((n) => (width - 2) / n);
  const X = (i) => 1 + (i + 0.5) * out, J = (j) => 1 + (j + 0.5) * into;
  const height = 254, middle = 115;
  const figure = canvas(width, height, `${s.n_in} input pixels between two rows of ${s.n_out} output pixels. ` + shown(s).map((name, k) => `${name} copies ${[a, b][k].map((o) => o.pixel).join(", ")}.`).join(" "));
  const tile = (x, y, w, dark, more) => svg("rect", { x: x - w / 2 + Math.min(1, w / 9), y, width: w - Math.min(2, w / 4.5), height: 24, rx: Math.min(3, w / 4), class: dark ? "rl-tile rl-odd" : "rl-tile", ...more });
  const name = (x, y, w, words) => (w > 17 ? text(x, y + 16, words, "middle small") : "");
  for (let j = 0; j < s.n_in; j++) figure.append(tile(J(j), middle, into, j % 2, { "data-input": j }), name(J(j), middle, into, String(j)));
  [a, b].forEach((map, k) => {
    const { color, shape } = view.look(shown(s)[k]), group = svg("g", { "data-convention": shown(s)[k], "data-side": k ? "below" : "above" });
    const y = k ? 190 : 40, [from, to] = k ? [y, middle + 24] : [y + 24, middle];
    const skipped = s.n_in - new Set(map.map((o) => o.pixel)).size;
    group.append(marker(shape, 8, k ? 238 : 14, 5, { fill: color }), text(18, k ? 242 : 18, shown(s)[k], "strong"),
      text(width - 2, k ? 242 : 18, skipped ? `never reads ${skipped} of ${s.n_in}` : "reads every pixel", "soft end"));
    map.forEach((o, i) => {
      const bad = apart.includes(i), here = i === s.pixel;
      group.append(
        line(X(i), from, J(o.pixel), to, { stroke: here ? "var(--rl-ink)" : color, "stroke-width": here ? 2.5 : bad ? 2.2 : 0.8, opacity: here || bad ? 1 : 0.6 }),
        tile(X(i), y, out, o.pixel % 2, { "data-output": i, "data-pixel": o.pixel, "data-tie": o.tie, "data-apart": bad, ...(here || bad ? { style: `stroke:${here ? "var(--rl-ink)" : color};stroke-width:${here ? 2.5 : 2}` } : {}) }),
        name(X(i), y, out, String(o.pixel)));
      if (o.tie) group.append(marker(DIAMOND, X(i), k ? y + 30 : y - 6, within(out / 2.4, 1.6, 4.5), { fill: bad ? color : "var(--rl-face)", stroke: color }));
    });
    figure.append(group);
  });
  pointed(figure, (event) => {
    const [x, y] = point(event, figure), pixel = within(Math.floor((x - 1) / out), 0, s.n_out - 1);
    if ((y < 70 || y > 185) && pixel !== view.state.pixel) view.set({ pixel });
  });
  stage.replaceChildren(figure);
  const at = (i) => `${i} (${a[i].pixel} or ${b[i].pixel}${why(i) ? ", " + why(i) : ""})`, i = s.pixel;
  return `Output pixel ${i} copies ${a[i].pixel} above and ${b[i].pixel} below` +
    (a[i].tie ? `; ${near(i).join(" and ")} are equally near. ` : ". ") +
    (apart.length ? `${apart.length} of ${s.n_out} outputs differ: ${list(apart.map(at))}. ` : `All ${s.n_out} outputs agree. `) +
    (ties.length ? `Ties (diamonds): ${list(ties, 12)}.` : "No ties.");
}

function table(view) {
  const { a, b, why } = compare(view);
  return sheet("The input pixel that each output copies", ["output pixel", ...shown(view.state), "differ", "why"],
    a.map((o, i) => [i, o.pixel, b[i].pixel, o.pixel === b[i].pixel ? "" : "≠", why(i)]));
}

function needs(largest) {
  return (s) => (Math.max(s.n_in, s.n_out) <= largest ? ["all"] : shown(s).map((name) => alone(name, s)));
}

export default {
  render: (context) => explorer(context, { kind: "nearest", needs: needs(context.model.get("setup").controls[2].max), draw, table }),
};
