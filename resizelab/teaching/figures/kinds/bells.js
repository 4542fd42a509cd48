// Each output's kernel stands at its read, over the pixels; a stem is what a pixel
// weighs, hollow where it is subtracted. "curve" holds the kernel as distance, height,
// distance, …; "outside" the first tile and how many exist, "v" weights as if all did.
KINDS.bells = {
  control: "how",
  at: (x, { width, get }) => {
    const X = bellScale(get, width), far = Array.from(get("x"), (v) => Math.abs(X(v) - x));
    return far.indexOf(Math.min(...far));
  },
  draw({ state: s, width, get, look, words, fill, keys }) {
    const X = bellScale(get, width), x = get("x"), op = get("v") || get("w"), curve = get("curve"), [first, real] = get("outside") || [0, op.nIn];
    const points = each(curve.length / 2, (k) => [curve[2 * k], curve[2 * k + 1]]);
    const low = Math.min(0, ...points.map(([, h]) => h)), unit = 96 / (1 - low), base = 28 + unit, Y = (h) => base - h * unit;
    const height = (d) => {
      const k = points.findIndex(([at]) => at >= d);
      if (k < 1) return k ? 0 : points[0][1];
      const [[a, p], [b, q]] = [points[k - 1], points[k]];
      return p + ((d - a) / (b - a)) * (q - p);
    };
    const parts = [line(8, base, width - 8, base, "axis")], front = [];
    x.forEach((at, i) => {
      const here = i === s.pixel;
      if (!here && keys.alone) return;
      const path = points.map(([d, h], k) => (k ? "L" : "M") + X(at + d) + " " + Y(h)).join("");
      (here ? front : parts).push(svg("path", { class: `rl-bell ${look}${here ? " rl-here" : ""}`, d: path }));
    });
    const at = x[s.pixel], taps = row(op, s.pixel).filter(([, w]) => Math.abs(w) > 1e-9);
    const step = X(1) - X(0), edge = 134;
    for (const [k, w] of taps) {
      const j = first + k, top = Y(height(j - at)), some = say(w, 2);
      front.push(svg("line", { class: `rl-stem ${look}`, x1: X(j), y1: base, x2: X(j), y2: top, "data-tap": k, "data-weight": w }),
        svg("circle", { class: `rl-dot ${look}${w < 0 ? "" : " rl-here"}`, cx: X(j), cy: top, r: 4.5 }));
      if (step > 34) front.push(text(X(j), edge + 46, some, "middle " + (step > 60 ? "strong" : "small")));
    }
    each(op.nIn, (k) => {
      const j = first + k, beyond = j < 0 || j >= real;
      const unread = beyond || !each(op.nOut, (i) => row(op, i)).some((all) => all.some(([t, w]) => t === k && Math.abs(w) > 1e-9));
      parts.push(svg("rect", { class: "rl-tile" + (beyond ? " rl-ghost" : unread ? " rl-unread" : ""), x: X(j - 0.5) + 1, y: edge, width: step - 2, height: 28, rx: 3 }), text(X(j), edge + 19, say(j), "middle" + (beyond ? " soft" : "")));
    });
    parts.push(...front, svg("line", { class: `rl-read ${look} rl-here`, x1: X(at), y1: base, x2: X(at), y2: edge }), text(inside(X(at), fill("at", { x: say(at, 2) }), width), 14, fill("at", { x: say(at, 2) }), "middle"), words.legend ? text(8, edge + 66, words.legend, "soft") : "");
    const takes = taps.map(([k, w]) => tell(words.tap, { w: say(w, 2), j: say(first + k) })).join(" + ").replaceAll("+ −", "− ");
    return { height: words.legend ? 206 : 186, parts, said: fill("stands", { i: s.pixel, x: say(at, 2), taps: takes }) };
  },
  table: operatorTable,
};

const bellScale = (get, width) => {
  const [first] = get("outside") || [0], n = (get("v") || get("w")).nIn;
  return (x) => 8 + ((x - first + 0.5) * (width - 16)) / n;
};
