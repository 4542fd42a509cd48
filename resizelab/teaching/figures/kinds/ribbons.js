// A ribbon from each output to each input it takes, as wide as the weight; hollow where
// it is subtracted. An input without a ribbon is an input that nobody reads. Where the
// page has "values" the tiles show them, and the outputs what becomes of them.
KINDS.ribbons = {
  control: "grid",
  at: (x, { width, get }) => {
    const n = get("w").nOut;
    return within(Math.floor(((x - 8) / (width - 16)) * n), 0, n - 1);
  },
  draw({ state: s, width, get, look, words, fill }) {
    const op = get("w"), n = op.nIn, m = op.nOut, taps = each(m, (i) => row(op, i).filter(([, w]) => Math.abs(w) > 1e-9));
    const wide = width - 16, tile = wide / n, small = wide / m;
    const column = new Array(n).fill(0);
    for (const some of taps) for (const [j, w] of some) column[j] += Math.abs(w);
    const spread = Math.max(1, ...taps.map((some) => some.reduce((sum, [, w]) => sum + Math.abs(w), 0)));
    const k = Math.min((0.82 * small) / spread, (0.96 * tile) / Math.max(...column, 1e-9));
    // Each ribbon has its own place on the input's edge, in the order of the outputs.
    const next = column.map((sum, j) => 8 + (j + 0.5) * tile - (k * sum) / 2);
    const parts = [], top = 44, bottom = words.under ? 132 : 150, front = [];
    taps.forEach((some, i) => {
      let left = 8 + (i + 0.5) * small - (k * some.reduce((sum, [, w]) => sum + Math.abs(w), 0)) / 2;
      for (const [j, w] of some) {
        const size = k * Math.abs(w), a = next[j], b = left, mid = (top + bottom) / 2;
        const path = `M${a} ${top}C${a} ${mid} ${b} ${mid} ${b} ${bottom}H${b + size}C${b + size} ${mid} ${a + size} ${mid} ${a + size} ${top}Z`;
        const drawn = `rl-ribbon ${look}${w < 0 ? " rl-minus" : ""}${i === s.pixel ? " rl-here" : ""}`;
        (i === s.pixel ? front : parts).push(svg("path", { class: drawn, d: path, "data-output": i, "data-tap": j, "data-weight": w }));
        next[j] += size;
        left += size;
      }
    });
    parts.push(...front);
    const values = get("values"), made = values && apply(op, values), unread = [];
    each(n, (j) => {
      if (!column[j]) unread.push(j);
      const at = 8 + j * tile + 1;
      if (values) parts.push(...grey(values[j], get("range"), at, 8, tile - 2, 34, { "data-input": j, ...(!column[j] && { class: "rl-unread" }) }));
      else parts.push(svg("rect", { class: "rl-tile" + (column[j] ? "" : " rl-unread"), x: at, y: 8, width: tile - 2, height: 34, rx: 3, "data-input": j }),
        text(at + tile / 2 - 1, 30, String(j), "middle"));
    });
    each(m, (i) => {
      const at = 8 + i * small + 1, size = Math.max(1, small - 2), here = i === s.pixel ? " rl-here" : "";
      if (made) parts.push(...grey(made[i], get("range"), at, bottom + 2, size, 30, { class: `rl-made ${look}${here}`, "data-made": made[i] }));
      else parts.push(svg("rect", { class: `rl-out ${look}${here}`, x: at, y: bottom + 2, width: size, height: 30, rx: 2 }));
    });
    const takes = taps[s.pixel].map(([j, w]) => tell(words.tap, { w: say(w, 2), j })).join(" + ").replaceAll("+ −", "− ");
    const said = fill("takes", { i: s.pixel, taps: takes }) + (unread.length ? " " + tell(words.unread, { all: unread.join(", ") }) : "");
    // On a narrow page the weights alone, in the order of the pixels.
    const brief = takes.length * 7 < wide ? takes : taps[s.pixel].map(([, w]) => say(w, 2)).join(" + ").replaceAll("+ −", "− ");
    parts.push(text(inside(8 + (s.pixel + 0.5) * small, brief, width), bottom + 50, brief, "middle strong"));
    if (words.under) parts.push(text(8, 201, fill("under"), "soft"));
    return { height: 206, parts, said };
  },
  table: operatorTable,
};
