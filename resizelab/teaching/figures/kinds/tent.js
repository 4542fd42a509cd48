// The kernel as a tent over the place where an output reads: how high it stands over a
// pixel's middle is that pixel's weight. What stands outside the row is dashed.
const tentScale = (n, width) => (x) => 8 + ((x + 1.5) * (width - 16)) / (n + 2);

KINDS.tent = {
  at: (x, { width, get }) => {
    const X = tentScale(get("w").nIn, width), far = Array.from(get("x"), (v) => Math.abs(X(v) - x));
    return far.indexOf(Math.min(...far));
  },
  draw({ state: s, width, get, look, words, fill }) {
    const i = s.pixel, op = get("w"), n = op.nIn, x = get("x")[i], v = get("values"), X = tentScale(n, width), Y = (w) => 100 - 74 * w, unit = X(1) - X(0);
    const parts = [line(X(-1.5), 100, X(n + 0.5), 100, "axis")], last = n - 1;
    each(n + 2, (k) => {
      const j = k - 1, out = j < 0 || j > last;
      parts.push(svg("rect", { class: "rl-tile" + (out ? " rl-ghost" : ""), x: X(j - 0.5) + 1, y: 102, width: unit - 2, height: 32, rx: 3, "data-input": j }),
        text(X(j), 123, say(v[within(j, 0, last)]), out ? "middle soft" : "middle strong"), text(X(j), 150, out ? fill("copy", { j: say(j) }) : say(j), "middle soft"));
    });
    const offset = get("offset"), height = get("height");
    parts.push(svg("path", { class: `rl-tent ${look}`, d: "M" + Array.from(offset, (t, k) => `${X(x + t)} ${Y(height[k])}`).join("L") + "Z" }));
    const taps = get("tap"), share = get("share"), many = taps.length / op.nOut, seen = each(many, (k) => [taps[i * many + k], share[i * many + k]]).filter(([, w]) => w > 1e-9);
    for (const [j, w] of seen) parts.push(
      svg("line", { class: `rl-read rl-here ${look}`, x1: X(j), y1: 100, x2: X(j), y2: Y(w), "data-tap": j, "data-weight": w }),
      svg("circle", { class: `rl-dot ${look} rl-here`, cx: X(j), cy: Y(w), r: 4 }), 
      j > x ? text(X(j) + 8, Y(w) + 4, say(w, 2), "strong halo") : text(within(X(j), 24, width), Y(w) - 9, say(w, 2), "middle strong halo"));
    for (const other of get("x")) parts.push(line(X(other), 100, X(other), 95, "axis"));
    parts.push(svg("path", { class: `rl-dot ${look} rl-here`, d: `M${X(x)} 100l-6 -9h12Z`, "data-output": i, "data-x": x }), text(within(X(x), 60, width - 60), 15, fill("at", { x: say(x, 2) }), "middle"));
    const sum = seen.map(([j, w]) => `${say(w, 2)} · ${say(v[within(j, 0, last)])}`).join(" + ");
    const ghost = seen.find(([j]) => j < 0 || j > last);
    const said = fill("sum", { i, x: say(x, 2), sum, total: say(apply(op, v)[i], 2) }) + (ghost ? " " + fill("outside", { j: say(ghost[0]), near: within(ghost[0], 0, last) }) : "");
    parts.push(text(width / 2, 174, `${sum} = ${say(apply(op, v)[i], 2)}`, "middle strong"));
    return { height: 180, parts, said };
  },
  table: operatorTable,
};
