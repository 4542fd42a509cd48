// A picture resized under one grid, its box moved by a rule: does the box still fit?
import { explorer, svg, text, marker, apply, each, say, signed, within, canvas, sheet } from "./drawing.js";

const N = 16, TRUE = { half_pixel: "edges", align_corners: "corners", asymmetric: "centres" };
const GRID = { edges: "half_pixel", corners: "align_corners", centres: "asymmetric" };
const RULES = [...Object.keys(GRID), "inclusive"];
const needs = (s) => ["scene", `w|${s.grid}|${s.n_out}`, ...RULES.map((r) => `b|${r}|${s.n_out}`)];

// The object's first pixels: it stays within the picture.
const first = (s) => [s.left, s.top].map((v) => Math.min(v, N - s.side));

// [left, top, right, bottom] by a rule, pixel edges at integers.
function box({ state: s, arrays }, rule) {
  const { data } = arrays[`b|${rule}|${s.n_out}`];
  return [...first(s).map((k) => data[k]), ...first(s).map((k) => data[N + 1 + k + s.side])];
}

const area = ([l, t, r, b]) => Math.max(0, r - l) * Math.max(0, b - t);

// How one box lies against another: its middle, its size, and what both share.
function against(a, b) {
  const shared = area([0, 1, 2, 3].map((k) => (k < 2 ? Math.max : Math.min)(a[k], b[k])));
  return { off: [0, 1].map((k) => (b[k] + b[k + 2] - a[k] - a[k + 2]) / 2), wider: b[2] - b[0] - a[2] + a[0], iou: shared / (area(a) + area(b) - shared) };
}

const turned = (rows) => Array.from(rows[0], (_, j) => rows.map((r) => r[j]));

// A picture as an image of one pixel a value.
function painted(rows, x, y, side, which) {
  const n = rows.length, sheet = document.createElement("canvas"), image = new ImageData(n, n);
  sheet.width = sheet.height = n;
  rows.flatMap((r) => [...r]).forEach((v, k) => image.data.set([v * 255, v * 255, v * 255, 255], 4 * k));
  sheet.getContext("2d").putImageData(image, 0, 0);
  const node = svg("image", { x, y, width: side, height: side, href: sheet.toDataURL(), style: "image-rendering:pixelated", "data-picture": which });
  node.values = rows.map((r) => [...r]);
  return node;
}

// A line upon a wider one of the other shade can be seen on any grey.
const outline = ([l, t, r, b], x, y, unit, name, stroke, under, dashes) => [5, 2.2].map((wide, k) =>
  svg("rect", { x: x + l * unit, y: y + t * unit, width: (r - l) * unit, height: (b - t) * unit, fill: "none", stroke: k ? stroke : under, "stroke-width": wide, ...(k && { "stroke-dasharray": dashes, "data-box": name, "data-edges": [l, t, r, b].join(" ") }) }));

function draw(view) {
  const { state: s, width, stage } = view, [left, top] = first(s), truth = box(view, TRUE[s.grid]), mine = box(view, s.rule);
  const { off, wider, iou } = against(truth, mine), op = view.ops[`w|${s.grid}|${s.n_out}`];
  const rows = each(N, (i) => each(N, (j) => (i >= top && i < top + s.side && j >= left && j < left + s.side ? 1 : view.arrays.scene.data[N * i + j])));
  const after = turned(turned(rows.map((r) => apply(op, r))).map((c) => apply(op, c)));
  const wide = width >= 560, small = wide ? 190 : 116, x = wide ? small + 40 : 8, y = wide ? 24 : small + 66, side = Math.min(width - x - 8, document.fullscreenElement ? 340 : 440);
  const said = `An object of ${s.side} by ${s.side} pixels at column ${left}, row ${top}. Resized to ${s.n_out} by ${s.n_out} with ${s.grid}; its box is off by ${signed(off[0], 2)} px across and ${signed(off[1], 2)} px down, ${signed(wider, 2)} px in width: IoU ${say(iou, 2)}.`;
  const figure = canvas(width, Math.max(y + side, 330) + 12, "A scene before and after, a bright square in it, and a box. " + said, (px, py) => {
    const [a, b, size] = px < small && py < 24 + small ? [0, 24, small] : [x, y, side], at = (v) => within(Math.round((v / size) * N - s.side / 2), 0, N - s.side);
    view.set({ left: at(px - a), top: at(py - b) });
  });
  const { color, shape } = view.look(GRID[s.rule] || "inclusive"), dashed = ["#000", "#fff", "5 3"];
  figure.append(text(0, 16, `before: ${N} × ${N}`, "soft"), painted(rows, 0, 24, small, "before"),
    ...outline([left, top, left + s.side, top + s.side], 0, 24, small / N, "before", ...dashed),
    text(x, y - 8, `after: ${s.n_out} × ${s.n_out}, ${s.grid}`, "soft"), painted(after, x, y, side, "after"),
    ...outline(truth, x, y, side / s.n_out, "object", ...dashed), ...outline(mine, x, y, side / s.n_out, "box", color, view.dark ? "#000" : "#fff"));
  const at = wide ? 0 : small + 20, low = wide ? small + 48 : 34;
  [["off by", `${signed(off[0], 2)}, ${signed(off[1], 2)} px`], ["wider by", `${signed(wider, 2)} px`], ["IoU", say(iou, 2)]].forEach(([word, value], k) =>
    figure.append(text(at, low + 26 * k, word), text(wide ? small : width - 4, low + 26 * k, value, { class: "rl-end rl-strong", "data-told": word })));
  figure.append(marker(shape, at + 6, low + 76, 5, { fill: color }), text(at + 18, low + 80, "the box", "small"), svg("line", { x1: at + 70, x2: at + 96, y1: low + 76, y2: low + 76, stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": "4 3" }), text(at + 102, low + 80, "the object", "small"));
  stage.replaceChildren(figure);
  return said;
}

const table = (view) => sheet(`Under ${view.state.grid}, by the rule for the box, in pixels of the output`, ["rule", "off across", "off down", "wider", "IoU"], RULES.map((rule) => {
  const { off, wider, iou } = against(box(view, TRUE[view.state.grid]), box(view, rule));
  return [rule, ...off.map((v) => signed(v)), signed(wider), say(iou)];
}));

export default { render: (context) => explorer(context, { kind: "box", needs, draw, table }) };
