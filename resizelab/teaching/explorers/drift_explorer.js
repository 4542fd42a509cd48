// A bright spot or an edge under one doubling after another, a block per grid.
import { explorer, svg, text, line, marker, apply, say, signed, each, within, canvas, sheet } from "./drawing.js";

const key = (grid, s) => `${grid}|${s.kernel}|${s.n}`;
const needs = (s) => s.grid.map((g) => key(g, s)).flatMap((k) => ["d|" + k, "p|" + k, ...each(5, (i) => `u|${k}|${i}`)]);

// A spot is one pixel, or the two about a border; an edge starts at the mark.
const content = ({ row, mark, n }) => each(n, (j) =>
  (row === "edge" ? within(j - mark + 0.5, 0, 1) : Number(Math.abs(j - mark) <= 0.5)));

function chains(view) {
  const { state: s, arrays, ops } = view;
  return s.grid.map((grid) => {
    const k = key(grid, s), { data: d } = arrays["d|" + k], { data: p } = arrays["p|" + k];
    let y = content(s);
    const steps = each(s.steps, (i) => {
      const [shift, stretch, blur, ...now] = d.slice(6 * i, 6 * i + 6), at = 2 * (i * (2 * s.n - 1) + 2 * s.mark);
      y = apply(ops[`u|${k}|${i}`], y);
      return { y, n: y.length, original: [shift, stretch, blur], now, lands: p[at], moved: p[at + 1], scale: 2 ** (i + 1) };
    });
    return { grid, steps, last: steps.at(-1), ...view.look(grid) };
  });
}

// Three lengths in words: of the current image, where there is room of the original too.
const lengths = ({ now, original }, wide, view) => view.tell("lengths", Object.fromEntries(["shift", "stretch", "blur"].map((word, i) => {
  const put = i < 2 ? signed : say, length = put(now[i], 2);
  return [word, wide ? view.tell("both", { now: length, original: put(original[i], 2) }) : length];
})));

function draw(view) {
  const { state: s, width, stage } = view, all = chains(view), x = content(s);
  const left = 36, right = 52, strip = 26, head = 46, across = width - left - right;
  const top = 50, block = head + strip * s.steps + 16, height = top + block * all.length;
  const X = (place, n) => left + ((place + 0.5) / n) * across;
  const said = view.tell("belongs", { mark: say(s.mark), n: s.n, place: say((s.mark + 0.5) * 2 ** s.steps - 0.5), m: s.n * 2 ** s.steps, all: all.map((c) => sentence(c, view)).join(" ") });
  const figure = canvas(width, height, view.tell(s.row, { n: s.n, steps: s.steps, said }), (x) =>
    view.set({ mark: within(Math.round(2 * ((x - left) / across * s.n - 0.5)) / 2, 0, s.n - 1) }));
  // A row as one outline: each pixel a bar, drawn from the baseline y.
  const bars = (values, y, more) => {
    const tall = (v) => (y - within(v, -0.15, 1.15) * (strip - 8)).toFixed(2);
    const d = Array.from(values, (v, i) => `V${tall(v)}H${X(i + 0.5, values.length).toFixed(2)}`).join("");
    return svg("path", { d: `M${left} ${y}${d}V${y}Z`, "fill-opacity": 0.45, ...more });
  };
  figure.append(text(2, 12, view.tell("pixels", { n: s.n }), "soft"), text(width - 2, 12, view.says[width < 460 ? "moved" : "brackets"], "soft end"),
    line(left, top - 8, left + across, top - 8, "axis"), bars(x, top - 8, { fill: "var(--rl-soft)", "data-first": "" }));
  all.forEach((c, k) => {
    const start = top + block * k, { color, shape } = c;
    const group = svg("g", { "data-grid": c.grid });
    group.append(marker(shape, 9, start + 12, 5, { fill: color }), text(20, start + 16, c.grid, "strong"),
      text(width - 2, start + (width < 460 ? 34 : 16), lengths(c.last, width >= 460, view), "end small"));
    const track = [`${X(s.mark, s.n)} ${start + head - 12}`];
    c.steps.forEach((step, i) => {
      const y = start + head + strip * (i + 1) - 6, at = X(step.lands, step.n);
      track.push(`${at} ${y}`);
      group.append(line(left, y, left + across, y, "guide"),
        bars(step.y, y, { fill: color, stroke: color, "stroke-width": 0.8, "data-step": i + 1, "data-values": Array.from(step.y, (v) => +v.toFixed(8)).join(" ") }),
        text(left - 5, y - 3, "×" + step.scale, "end small"),
        text(width - 2, y - 3, signed(step.moved, 2), "end strong"));
    });
    const low = start + head + strip * s.steps;
    group.append(line(X(s.mark, s.n), start + head - 12, X(s.mark, s.n), low, { stroke: "currentColor", "stroke-dasharray": "3 3" }),
      svg("polyline", { points: track.join(" "), fill: "none", stroke: color, "stroke-width": 1.6 }));
    c.steps.forEach((step, i) => group.append(marker(shape, X(step.lands, step.n), start + head + strip * (i + 1) - 6, 4.5, { fill: "var(--rl-face)", stroke: color, "stroke-width": 1.8,
      "data-lands": step.lands, "data-moved": step.moved, "data-lengths": [...step.original, ...step.now].join(" ") })));
    figure.append(group);
  });
  stage.replaceChildren(figure);
  return said;
}

function sentence({ grid, last }, view) {
  const far = Math.abs(last.moved);
  return view.tell(far < 0.005 ? "there" : last.moved < 0 ? "to_left" : "to_right", { grid, at: say(last.lands, 2), far: say(far, 2), first: say(far / last.scale, 2) });
}

function table(view) {
  const both = (put, now, original) => view.tell("both", { now: put(now, 3), original: put(original, 4) });
  return sheet(view.says.table, ["table.grid", "table.pixels", "table.moved", "shift", "stretch", "blur"].map((key) => view.says[key]),
    chains(view).flatMap((c) => c.steps.map((step) => [c.grid, step.n, both(signed, step.moved, step.moved / step.scale), ...step.now.map((now, i) => both(i < 2 ? signed : say, now, step.original[i]))])));
}

export default { render: (context) => explorer(context, { kind: "drift", needs, draw, table }) };
