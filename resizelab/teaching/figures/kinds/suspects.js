// A hidden call: what each suspect would answer to the row, and who is crossed out by
// what was sent. Lines that lie upon each other are a probe that cannot tell.
const SHAPES = ["flat", "ramp", "pixel", "edge"];
const probeOf = (s) => 1000 * (1 + SHAPES.indexOf(s.shape)) + 100 * s.pixel + s.n_out;

// What all suspects answer to a probe that stands in the state as one number.
function answersTo(probe, { arrays, ops }) {
  const shape = SHAPES[Math.floor(probe / 1000) - 1], pixel = Math.floor(probe / 100) % 10, n_out = probe % 100;
  const x = arrays["x|" + shape].data.slice(8 * pixel, 8 * pixel + 8);
  return each(suspectCount(ops), (k) => apply(ops[`w|${k}|${n_out}`], x));
}

const suspectCount = (ops) => new Set(Object.keys(ops).map((key) => key.split("|")[1])).size;
const alikeRows = (a, b, { apart }) => a.every((v, i) => Math.abs(v - b[i]) <= apart.data[0]);

function lineUp(view) {
  const { state: s, arrays } = view, who = arrays.hidden.data[s.case - 1], now = probeOf(s), used = s.sent.filter(Boolean);
  const standing = each(suspectCount(view.ops), () => true);
  for (const probe of used) {
    const y = answersTo(probe, view);
    y.forEach((row_, k) => { standing[k] &&= alikeRows(row_, y[who], arrays); });
  }
  const would = answersTo(now, view), left = standing.flatMap((ok, k) => (ok ? [k] : []));
  const kinds = [];
  for (const k of left) if (!kinds.some((other) => alikeRows(would[k], would[other], arrays))) kinds.push(k);
  return { who, used: used.length, standing, left, would, kinds, answered: used.includes(now) };
}

KINDS.suspects = {
  control: "shape",
  act: {
    word: "send",
    off: (s) => !s.sent.includes(0) || s.sent.includes(probeOf(s)),
    run: (s) => ({ sent: s.sent.map((probe, k) => (k === s.sent.indexOf(0) ? probeOf(s) : probe)) }),
  },
  at: (x, { width }) => within(Math.floor(((x - 8) / (width - 16)) * 8), 0, 7),
  draw(view) {
    const { state: s, width, arrays, words } = view, found = lineUp(view), parts = [];
    const x = arrays["x|" + s.shape].data.slice(8 * s.pixel, 8 * s.pixel + 8), wide = (width - 16) / 8;
    each(8, (j) => parts.push(...grey(x[j], [0, 10], 8 + j * wide + 1, 3, wide - 2, 26, { class: "rl-sent" + (j === s.pixel && /pixel|edge/.test(s.shape) ? " rl-here" : ""), rx: 2, "data-input": j })));
    const top = 38, high = 84, Y = (v) => top + high - ((v + 1.6) / 13.2) * high, small = (width - 40) / s.n_out, X = (i) => 32 + i * small;
    for (const v of [0, 10]) parts.push(line(30, Y(v), width - 8, Y(v), "guide"), text(24, Y(v) + 4, String(v), "soft end"));
    each(s.n_out, (i) => { for (const v of new Set(found.left.map((k) => +found.would[k][i].toFixed(2)))) parts.push(line(X(i) + 0.1 * small, Y(v), X(i) + 0.9 * small, Y(v), { class: "rl-guess", "data-output": i, "data-y": v })); });
    // Each answer has a number: where it stands most alone, and before who gives it.
    const many = found.kinds.length > 1 && !found.answered;
    if (many) found.kinds.forEach((k, g) => {
      const alone = each(s.n_out, (i) => Math.min(...found.kinds.filter((o) => o !== k).map((o) => Math.abs(found.would[o][i] - found.would[k][i]))));
      const i = alone.indexOf(Math.max(...alone)), v = found.would[k][i];
      parts.push(text(X(i) + small / 2, v > 5 && v < 9.5 ? Y(v) + 13 : Y(v) - 4, String(g + 1), { class: "rl-middle rl-strong rl-small rl-halo", "data-answer": g + 1 }));
    });
    const given = (k) => (many ? found.kinds.findIndex((o) => alikeRows(found.would[k], found.would[o], arrays)) + 1 + " " : "· ");
    if (found.answered) found.would[found.who].forEach((v, i) => parts.push(svg("circle", { class: "rl-answer", cx: X(i) + small / 2, cy: Y(v), r: 4.5, "data-output": i, "data-y": v })));
    const done = found.left.length === 1, best = arrays.fewest.data[s.case - 1], name = words["call." + found.left[0]];
    const way = done ? (found.used > best ? "solved" : "best") : found.answered ? "crossed" : found.kinds.length > 1 ? "would" : "same";
    const said = tell(words[way], { n: found.left.length, m: found.kinds.length, used: found.used, best, name });
    parts.push(text(8, top + high + 16, said, { class: "rl-strong rl-name" }));
    const columns = width < 480 ? 2 : 3, rows = Math.ceil(found.standing.length / columns), first = top + high + 36;
    found.standing.forEach((ok, k) => parts.push(text(8 + Math.floor(k / rows) * ((width - 8) / columns), first + (k % rows) * 16, (ok ? (done ? "✓ " : given(k)) : "✗ ") + words["call." + k], { class: ok ? "rl-name" : "rl-name rl-crossed", "data-suspect": k })));
    return { height: first + (rows - 1) * 16 + 6, parts, said: `${tell(words.row, { x: Array.from(x, (v) => say(v, 1)).join(", "), m: s.n_out })} ${said}` };
  },
  table(view) {
    const found = lineUp(view), { words, state: s } = view;
    return sheet(tell(words.answers, { m: s.n_out }), [words["head.call"], words["head.answer"]],
      found.would.map((y, k) => [(found.standing[k] ? "" : "✗ ") + words["call." + k], Array.from(y, (v) => say(v, 2)).join(", ")]));
  },
};
