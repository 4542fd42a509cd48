// A disc in logits at a stride, enlarged by the dial's grid: where is the mask, and Dice?
import { explorer, svg, text, line, marker, apply, each, say, within, canvas, sheet } from "./drawing.js";

const N = 96, PARTS = 8, LAST = 2 * PARTS, EDGE = -1e-9;
const STOPS = ["asymmetric", "half_pixel", "align_corners"];
const up = (s, k) => `u|${s.stride}|${k}`, sampler = (s) => `s|${s.trained}|${s.stride}`;
const needs = (s) => [sampler(s), "p|" + s.stride, ...each(LAST + 1, (k) => up(s, k))];

const turned = (rows) => Array.from(rows[0], (_, j) => rows.map((r) => r[j]));
// Both axes; rows become columns, so only an even number of these keeps a picture upright.
const both = (op, rows) => turned(rows.map((r) => apply(op, r))).map((r) => apply(op, r));

function title(k, view) {
  const low = Math.floor(k / PARTS), part = k % PARTS;
  return part ? view.tell("part", { share: say((100 * part) / PARTS, 1), low: STOPS[low], high: STOPS[low + 1] }) : STOPS[low];
}

// The pixels inside both, missed and too many, and what they come to.
function judge(truth, rows) {
  const hit = [], missed = [], extra = [];
  for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) {
    if (rows[i][j] >= EDGE) (truth[i][j] ? hit : extra).push([j, i]);
    else if (truth[i][j]) missed.push([j, i]);
  }
  const both = hit.length, wrong = missed.length + extra.length;
  return { hit, missed, extra, dice: (2 * both) / (2 * both + wrong), iou: both / (both + wrong) };
}

function work(view) {
  const { state: s, ops } = view;
  const depth = each(N, (i) => each(N, (j) => s.radius - Math.hypot(j - s.x, i - s.y)));
  const truth = depth.map((r) => r.map((v) => v >= EDGE)), logits = both(ops[sampler(s)], depth);
  const at = within(Math.floor(s.dial * PARTS + 0.5), 0, LAST), home = PARTS * STOPS.indexOf(s.trained);
  const all = each(LAST + 1, (k) => judge(truth, both(ops[up(s, k)], logits)));
  return { logits, at, home, all, now: all[at], matched: all[home] };
}

function draw(view) {
  const { state: s, width, stage } = view, { logits, at, all, now, matched } = work(view);
  const wide = width >= 600, side = Math.min(wide ? width - 270 : width, document.fullscreenElement ? 260 : 420), unit = side / N;
  const left = wide ? side + 40 : 28, across = Math.min(width - left - 12, 320), top = wide ? 140 : side + 130, low = top + 130;
  const X = (k) => left + (k / LAST) * across, Y = (v) => low - 130 * v;
  const said = view.tell("said", { radius: say(s.radius), stride: s.stride, trained: s.trained, run: title(at, view), dice: say(now.dice, 2), iou: say(now.iou, 2), missed: now.missed.length, extra: now.extra.length, matched: say(matched.dice, 2) });
  const figure = canvas(width, Math.max(side, low + 40), view.tell("drawn", { said }), (x, y) => {
    const place = (v) => within(Math.round(4 * (v / unit - 0.5)) / 4, 0, N - 1);
    if (x < side && y < side) view.set({ x: place(x), y: place(y) });
    else if (y > top - 20) view.set({ dial: within(Math.round(((x - left) / across) * LAST), 0, LAST) / PARTS });
  });
  // One path a kind, one square a pixel; in the picture a pixel is one unit.
  const fill = view.look(STOPS[Math.round(at / PARTS)]).color;
  const squares = (kind, more) => svg("path", { d: now[kind].map(([j, i]) => `M${j - 0.5} ${i - 0.5}h1v1h-1z`).join(""), "shape-rendering": "crispEdges", "data-kind": kind, fill, ...more });
  const places = view.arrays["p|" + s.stride].data.slice(at * logits.length);
  const dots = (sign, size, stroke) => svg("path", { d: logits.flatMap((r, j) => Array.from(r, (v, i) => (v * sign > 0 ? `M${places[j]} ${places[i]}h0` : ""))).join(""), "stroke-linecap": "round", "stroke-width": size / unit, stroke, "data-sign": sign });
  figure.append(svg("rect", { class: "rl-tile", width: side, height: side }), svg("svg", { width: side, height: side },
    svg("g", { transform: `scale(${unit}) translate(.5 .5)` },
      squares("hit", { opacity: 0.75 }), squares("extra", { opacity: 0.35 }), squares("missed", { fill: "var(--rl-face)" }),
      dots(-1, 2.5, "var(--rl-soft)"), dots(1, 4.5, "var(--rl-ink)"),
      svg("circle", { cx: s.x, cy: s.y, r: s.radius, fill: "none", stroke: "currentColor", "stroke-width": 1.8 / unit }))));
  [["Dice", now.dice, "dice"], ["IoU", now.iou, "iou"], [view.says.matched, matched.dice, "matched"]].forEach(([word, value, key], i) => {
    const y = top - 104 + 24 * i;
    figure.append(text(left, y, word, "strong"), text(X(LAST), y, say(value), { class: "rl-end rl-strong", ["data-" + key]: value }));
  });
  for (const v of [0, 1]) figure.append(line(left, Y(v), X(LAST), Y(v), v ? "guide" : "axis"), text(left - 6, Y(v) + 4, v, "end small"));
  figure.append(line(X(at), low, X(at), top, "axis"),
    svg("polyline", { points: all.map((a, k) => `${X(k)},${Y(a.dice)}`).join(" "), fill: "none", stroke: "var(--rl-soft)", "stroke-width": 1.6, "data-curve": all.map((a) => a.dice).join(" ") }));
  STOPS.forEach((stop, i) => {
    const k = i * PARTS, { color, shape } = view.look(stop);
    figure.append(marker(shape, X(k), Y(all[k].dice), 5.5, { fill: color }), text(X(k), low + (i === 1 ? 34 : 18), stop, ["small", "small middle", "small end"][i]));
  });
  figure.append(svg("circle", { cx: X(at), cy: Y(now.dice), r: 9, fill: "none", stroke: "currentColor", "stroke-width": 1.8 }));
  stage.replaceChildren(figure);
  return said;
}

const table = (view) => sheet(view.says.table, [view.says["table.grid"], "Dice", "IoU", view.says["table.missed"], view.says["table.extra"]],
  work(view).all.map((a, k) => [title(k, view), say(a.dice), say(a.iou), a.missed.length, a.extra.length]));

export default { render: (context) => explorer(context, { kind: "disc", needs, draw, table }) };
