// A hard edge, enlarged: as a strip of greys, and as a curve whose overshoot is filled.
KINDS.ringing = {
  key: "spot",
  control: "a",
  at: (x, { width, get }) => within(Math.floor(((x - 8) / (width - 16)) * get("e").nOut), 0, get("e").nOut - 1),
  draw({ state: s, width, get, look, fill, words }) {
    const values = get("bar"), made = apply(get("e"), values), wide = width - 16, parts = [];
    const low = Math.min(...values), high = Math.max(...values), X = (i) => 8 + (i * wide) / made.length, Y = (v) => 200 - (v - 0.12) * 126;
    const strip = (y, row, height) => row.forEach((v, i) => parts.push(svg("rect", { x: 8 + (i * wide) / row.length, y, width: wide / row.length + (i < row.length - 1), height, fill: `rgb(${each(3, () => Math.round(255 * within(v, 0, 1)))})` })));
    parts.push(text(8, 12, fill("row.in", { n: values.length }), "soft"));
    strip(17, Array.from(values), 22);
    parts.push(text(8, 54, fill("row.out", { m: made.length }), "soft"));
    strip(59, Array.from(made), 28);
    made.forEach((v, i) => {
      const edge = within(v, low, high);
      if (Math.abs(v - edge) > 1e-6) parts.push(svg("rect", { class: "rl-over " + look, x: X(i), y: Y(Math.max(v, edge)), width: wide / made.length + 0.3, height: Math.abs(v - edge) * 126 }));
    });
    for (const v of [low, high]) parts.push(line(8, Y(v), width - 8, Y(v), "guide"), text(width - 8, Y(v) + (v === low ? -5 : 14), say(v), "end soft"));
    parts.push(svg("path", { class: "rl-curve " + look, d: Array.from(made, (v, i) => (i ? "L" : "M") + X(i + 0.5) + " " + Y(v)).join("") }));
    const v = made[s.spot], where = v > high + 5e-4 ? "above" : v < low - 5e-4 ? "below" : "inside";
    parts.push(svg("circle", { class: `rl-dot ${look} rl-here`, cx: X(s.spot + 0.5), cy: Y(v), r: 5, "data-output": s.spot, "data-made": v }),
      text(within(X(s.spot + 0.5), 70, width - 70), Y(v) + (where === "below" ? 20 : -10), say(v), "middle strong"));
    return { height: 203, parts, said: fill(where, { i: s.spot, v: say(v), gap: say(Math.abs(v - within(v, low, high))) }) };
  },
  table: ({ get, words, fill }) => sheet(fill("row.out", { m: get("e").nOut }), [words["head.pixel"], words["head.value"]], Array.from(apply(get("e"), get("bar")), (v, i) => [i, say(v)])),
};
