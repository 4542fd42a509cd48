// What stands for the pixels that do not exist: arrows from each to the pixel that it
// is read as, and the ribbons of one output, hollow where a pixel is subtracted.
KINDS.outside = {
  key: "end",
  control: "rule",
  at: (x, { width, get }) => {
    const X = outsideScale(get, width), far = Array.from(get("x"), (v) => Math.abs(X(v) - x));
    return far.indexOf(Math.min(...far));
  },
  draw({ state: s, width, get, look, fill, words }) {
    const X = outsideScale(get, width), tile = X(1) - X(0), [first, real] = get("outside"), values = get("values"), stands = get("stands"), raw = get("v"), made = apply(get("w"), values);
    const parts = [], range = get("range"), top = 76, bottom = 150, at = get("x")[s.end], taps = row(raw, s.end).filter(([, w]) => Math.abs(w) > 1e-9);
    const total = taps.reduce((sum, [, w]) => sum + Math.abs(w), 0), k = (0.5 * tile) / total;
    let left = X(at) - (k * total) / 2;
    for (const [t, w] of taps) {
      const j = first + t, size = k * Math.abs(w), a = X(j) - size / 2, b = left, mid = (top + bottom) / 2, dropped = stands[t] === -2;
      parts.push(svg("path", { class: dropped ? "rl-dropped" : `rl-ribbon rl-here ${look}${w < 0 ? " rl-minus" : ""}`, "data-tap": j, "data-weight": w,
        d: `M${a} ${top}C${a} ${mid} ${b} ${mid} ${b} ${bottom}H${b + size}C${b + size} ${mid} ${a + size} ${mid} ${a + size} ${top}Z` }),
        text(X(j), top + 15, say(w, 2), "middle halo " + (tile > 60 ? "strong" : "small")));
      left += size;
    }
    each(raw.nIn, (t) => {
      const j = first + t, beyond = j < 0 || j >= real, from = stands[t];
      if (from === -2) parts.push(svg("rect", { class: "rl-tile rl-ghost", x: X(j) - tile / 2 + 1, y: 42, width: tile - 2, height: 32, rx: 3 }));
      else parts.push(...grey(from < 0 ? 0 : values[from], range, X(j) - tile / 2 + 1, 42, tile - 2, 32, { class: beyond ? "rl-beyond" : "" }));
      if (beyond && from >= 0) {
        const high = 36 - Math.min(30, 7 * Math.abs(from - j));
        parts.push(svg("path", { class: "rl-arc", d: `M${X(j)} 41Q${(X(j) + X(from)) / 2} ${high} ${X(from)} 38` }), svg("path", { class: "rl-tip", d: `M${X(from) - 4} 34l4 7 4 -7z` }));
      }
    });
    made.forEach((v, i) => parts.push(...grey(v, range, X(get("x")[i]) - tile / 4 + 1, 152, tile / 2 - 2, 28, { class: `rl-made ${look}${i === s.end ? " rl-here" : ""}`, "data-made": v })));
    const brief = fill("is", { i: s.end, v: say(made[s.end], 2) });
    parts.push(text(inside(X(at), brief, width), 198, brief, "middle strong"));
    const all = taps.map(([t]) => stands[t] === -2 ? words.nothing : say(stands[t] < 0 ? 0 : values[stands[t]])).join(", ");
    parts.push(text(8, 217, words.under, "soft"));
    return { height: 222, parts, said: fill("outside", { i: s.end, all, v: say(made[s.end], 2) }) };
  },
  table: operatorTable,
};

const outsideScale = (get, width) => {
  const n = get("v").nIn, [first] = get("outside");
  return (x) => 8 + ((x - first + 0.5) * (width - 16)) / n;
};
