// Which input pixel each output copies, by one rule above and another below. A ribbon
// goes to the copied pixel, a mark shows where the output reads: a diamond lies exactly
// between two pixels.
function copied({ state: s, get, controls }, side) {
  const c = controls.find((one) => one.key === side), rule = c.order.indexOf(s[side]), m = s.n_out, grid = get("grid")[rule] * m;
  return { name: c.options[s[side]], look: "g-" + c.looks[s[side]],
    all: each(m, (i) => ({ pixel: get("k")[rule * m + i], x: get("x")[grid + i], tie: !!get("tie")[grid + i] })) };
}

function drawCopies(view, { lit, marked, said, short }) {
  const { state: s, width, fill } = view, { n_in, n_out } = s, wide = width - 16, tile = wide / n_in, small = wide / n_out;
  const X = (x) => 8 + (within(x, -0.5, n_in - 0.5) + 0.5) * tile, two = ["above", "below"].map((side) => copied(view, side));
  const parts = [], front = [];
  two.forEach(({ name, look, all }, k) => {
    const y = k ? 164 : 20, from = k ? y : y + 24, to = k ? 120 : 88, count = new Array(n_in).fill(0), other = two[1 - k].all;
    for (const { pixel } of all) count[pixel]++;
    const next = new Array(n_in).fill(0), unread = count.filter((c) => !c).length, band = Math.min(0.7 * small, (0.9 * tile) / Math.max(...count));
    parts.push(text(8, k ? 202 : 13, name, "strong"), text(width - 8, k ? 202 : 13, unread ? fill("unread", { count: unread, n: n_in }) : fill("all"), "soft end"));
    all.forEach(({ pixel, x, tie }, i) => {
      const a = X(pixel) + (next[pixel]++ - count[pixel] / 2) * band, b = 8 + (i + 0.5) * small - band / 2, mid = (from + to) / 2, here = lit(i, pixel) ? " rl-here" : "", apart = pixel !== other[i].pixel;
      (here ? front : parts).push(svg("path", { class: `rl-ribbon ${look}${here}`, d: `M${a} ${to}C${a} ${mid} ${b} ${mid} ${b} ${from}H${b + band}C${b + band} ${mid} ${a + band} ${mid} ${a + band} ${to}Z` }));
      front.push(svg("rect", { class: `rl-out ${look}${here}${apart ? " rl-apart" : ""}`, x: 8 + i * small + 1, y, width: Math.max(1, small - 2), height: 24, rx: 2, "data-side": k ? "below" : "above", "data-output": i, "data-pixel": pixel, "data-tie": +tie }));
      if (small > 16) front.push(text(8 + (i + 0.5) * small, y + 17, String(pixel), here ? "middle strong" : "middle"));
      const at = X(x), end = to + (k ? -2 : 2), r = tie ? 5 : 3;
      front.push(tie ? svg("path", { class: `rl-dot ${look}${here}`, d: `M${at} ${end - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}Z` }) : svg("circle", { class: `rl-dot ${look}${here}`, cx: at, cy: end, r }));
    });
  });
  each(n_in, (j) => parts.push(svg("rect", { class: "rl-tile" + (marked(j) ? " rl-wire" : ""), x: 8 + j * tile + 1, y: 88, width: tile - 2, height: 32, rx: 3, "data-input": j }), tile > 16 ? text(8 + (j + 0.5) * tile, 109, marked(j) && tile > 34 ? fill("wire") : String(j), "middle") : ""));
  const words = short(two), half = Math.min(width / 2, 12 + words.length * 3.7);
  // One line where there is room.
  const legend = [fill("legend"), fill("legend.more")], lines = width < 560 ? legend : [legend.join(", ")];
  return { height: 228 + 16 * lines.length, parts: [...parts, ...front, text(width / 2, 220, words, "middle" + (half < width / 2 ? " strong" : "")), ...lines.map((one, k) => text(width / 2, 238 + 16 * k, one, "middle soft"))], said: said(two) };
}

KINDS.copies = {
  at: (x, { state: s, width }) => within(Math.floor(((x - 8) / (width - 16)) * s.n_out), 0, s.n_out - 1),
  draw(view) {
    const { state: s, fill } = view, i = Math.min(s.pixel, s.n_out - 1);
    const reads = ({ pixel, x, tie }) => fill(tie ? "between" : "reads", { x: say(x, 2), a: Math.floor(x), b: Math.ceil(x), pixel });
    return drawCopies(view, { lit: (o) => o === i, marked: () => false,
      short: ([a, b]) => fill("short", { i, x: say(a.all[i].x, 2), a: a.all[i].pixel, y: say(b.all[i].x, 2), b: b.all[i].pixel }),
      said: ([a, b]) => `${fill("output", { i })} ${a.name} ${reads(a.all[i])} ${b.name} ${reads(b.all[i])} ` +
        fill("apart", { count: a.all.filter((o, k) => o.pixel !== b.all[k].pixel).length, m: s.n_out }) });
  },
  table(view) {
    const { words, fill } = view, [a, b] = ["above", "below"].map((side) => copied(view, side));
    return sheet(fill("caption"), [words["head.pixel"], `${a.name}: ${words["head.reads"]}`, words["head.copies"], `${b.name}: ${words["head.reads"]}`, words["head.copies"]],
      a.all.map((o, i) => [i, say(o.x), o.pixel, say(b.all[i].x), b.all[i].pixel]));
  },
};
