// Two rows of tiles on one wall, a ruler from its left end, and the positions below.
KINDS.wall = {
  at: (x, { state: s, width }) => within(Math.floor(((x - 8) / (width - 16)) * s.n_out), 0, s.n_out - 1),
  draw({ state: s, width, get, look, words, fill }) {
    const u = get("u"), n = get("w").nIn, wide = width - 16, X = (v) => 8 + (v * wide) / n, small = wide / s.n_out, i = s.pixel, at = X(u[i]);
    const parts = [text(8, 13, words.units, "soft"), line(8, 34, width - 8, 34, "axis"), text(8, 160, words.positions, "soft"), line(8, 130, width - 8, 130, "axis")];
    each(n + 1, (j) => parts.push(line(X(j), 30, X(j), 38, "axis"), text(within(X(j), 12, width - 12), 27, String(j), "middle soft")));
    each(n, (j) => parts.push(
      svg("rect", { class: "rl-tile", x: X(j) + 1, y: 42, width: wide / n - 2, height: 36, rx: 3, "data-input": j }), text(X(j) + 12, 65, String(j), "middle"),
      line(X(j + 0.5), 60, X(j + 0.5), 134, "guide"), svg("circle", { class: "rl-middle-dot", cx: X(j + 0.5), cy: 60, r: 3 }), text(X(j + 0.5), 145, String(j), "middle soft")));
    u.forEach((v, k) => {
      const here = k === i ? " rl-here" : "";
      parts.push(svg("rect", { class: `rl-out ${look}${here}`, x: X(v) - small / 2 + 1, y: 84, width: Math.max(1, small - 2), height: 34, rx: 2 }),
        svg("circle", { class: `rl-dot ${look}${here}`, cx: X(v), cy: 101, r: k === i ? 5 : 3, "data-output": k, "data-u": v }));
    });
    parts.push(svg("line", { class: `rl-read rl-here ${look}`, x1: at, y1: 34, x2: at, y2: 130 }));
    const said = fill("stands", { i, u: say(u[i], 2), x: say(get("x")[i], 2) });
    parts.push(text(width / 2, 180, fill("short", { u: say(u[i], 2), x: say(get("x")[i], 2) }), "middle strong"));
    return { height: 186, parts, said };
  },
  table: operatorTable,
};
