// A ribbon from each output to each input it takes, as wide as the weight. An input
// without a ribbon is an input that nobody reads.
KINDS.ribbons = {
  control: "grid",
  at: (x, { state: s, width }) => within(Math.floor(((x - 8) / (width - 16)) * s.n_out), 0, s.n_out - 1),
  draw({ state: s, width, ops, words }) {
    const op = ops[`w|${s.grid}|${s.n_in}|${s.n_out}`], taps = each(s.n_out, (i) => row(op, i).filter(([, w]) => Math.abs(w) > 1e-9));
    const wide = width - 16, tile = wide / s.n_in, small = wide / s.n_out;
    const column = new Array(s.n_in).fill(0);
    for (const some of taps) for (const [j, w] of some) column[j] += Math.abs(w);
    const k = Math.min(0.82 * small, (0.96 * tile) / Math.max(...column, 1e-9));
    // Each ribbon has its own place on the input's edge, in the order of the outputs.
    const next = column.map((sum, j) => 8 + (j + 0.5) * tile - (k * sum) / 2);
    const parts = [], top = 44, bottom = 150, front = [];
    taps.forEach((some, i) => {
      let left = 8 + (i + 0.5) * small - (k * some.reduce((sum, [, w]) => sum + Math.abs(w), 0)) / 2;
      for (const [j, w] of some) {
        const size = k * Math.abs(w), a = next[j], b = left, mid = (top + bottom) / 2;
        const path = `M${a} ${top}C${a} ${mid} ${b} ${mid} ${b} ${bottom}H${b + size}C${b + size} ${mid} ${a + size} ${mid} ${a + size} ${top}Z`;
        const look = `rl-ribbon g-${s.grid}${w < 0 ? " rl-minus" : ""}${i === s.pixel ? " rl-here" : ""}`;
        (i === s.pixel ? front : parts).push(svg("path", { class: look, d: path, "data-output": i, "data-tap": j, "data-weight": w }));
        next[j] += size;
        left += size;
      }
    });
    parts.push(...front);
    const unread = [];
    each(s.n_in, (j) => {
      if (!column[j]) unread.push(j);
      parts.push(svg("rect", { class: "rl-tile" + (column[j] ? "" : " rl-unread"), x: 8 + j * tile + 1, y: 8, width: tile - 2, height: 34, rx: 3, "data-input": j }),
        text(8 + (j + 0.5) * tile, 30, String(j), "middle"));
    });
    each(s.n_out, (i) => parts.push(svg("rect", { class: `rl-out g-${s.grid}${i === s.pixel ? " rl-here" : ""}`, x: 8 + i * small + 1, y: 152, width: Math.max(1, small - 2), height: 30, rx: 2 })));
    const takes = taps[s.pixel].map(([j, w]) => tell(words.tap, { w: say(w, 2), j })).join(" + ");
    const said = tell(words.takes, { i: s.pixel, grid: s.grid, taps: takes }) + (unread.length ? " " + tell(words.unread, { all: unread.join(", ") }) : "");
    parts.push(text(within(8 + (s.pixel + 0.5) * small, 90, width - 90), 200, takes, "middle strong"));
    return { height: 206, parts, said };
  },
  table: gridTable,
};
