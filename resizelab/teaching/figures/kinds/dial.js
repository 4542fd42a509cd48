// Two rows of reads, joined one to one: parallel lines slide, a fan stretches.
const DIAL = ["asymmetric", "half_pixel", "align_corners"];

function dialReads(s, arrays) {
  const low = Math.min(1, Math.floor(s.dial)), part = s.dial - low;
  const [a, b] = [DIAL[low], DIAL[low + 1]].map((name) => arrays[`x|${name}|${s.n_in}|${s.n_out}`].data);
  return Array.from(a, (v, i) => (1 - part) * v + part * b[i]);
}

const dialName = (s, words) => {
  const low = Math.min(1, Math.floor(s.dial)), part = s.dial - low;
  return part === 0 ? DIAL[low] : part === 1 ? DIAL[low + 1] : tell(words.between, { share: say(part * 100, 0), a: DIAL[low], b: DIAL[low + 1] });
};

KINDS.dial = {
  control: "dial",
  at: (x, { state: s, width, arrays }) => {
    const X = dialScale(s, width), far = dialReads(s, arrays).map((v) => Math.abs(X(v) - x));
    return far.indexOf(Math.min(...far));
  },
  draw({ state: s, width, arrays, words }) {
    const X = dialScale(s, width), base = arrays[`x|half_pixel|${s.n_in}|${s.n_out}`].data, x = dialReads(s, arrays);
    // On a stop the row has that grid's colour, as everywhere.
    const name = dialName(s, words), look = "g-" + (DIAL.includes(name) ? name : "dial"), parts = [text(8, 14, words["row.half_pixel"], "soft"), text(8, 130, name, "soft")];
    each(s.n_in, (j) => parts.push(line(X(j), 22, X(j), 114, "guide")));
    for (const y of [32, 104]) parts.push(line(X(-0.9), y, X(s.n_in - 0.1), y, "axis"));
    x.forEach((v, i) => {
      const here = i === s.pixel ? " rl-here" : "";
      parts.push(svg("line", { class: `rl-join ${look}${here}`, x1: X(base[i]), y1: 32, x2: X(v), y2: 104 }),
        svg("circle", { class: "rl-dot g-half_pixel" + here, cx: X(base[i]), cy: 32, r: here ? 6 : 4 }),
        svg("circle", { class: `rl-dot ${look}${here}`, cx: X(v), cy: 104, r: here ? 6 : 4, "data-output": i, "data-x": v }));
    });
    // The numbers of the input pixels lie upon the lines.
    each(s.n_in, (j) => parts.push(text(X(j), 72, String(j), "soft middle halo")));
    const first = x[0] - base[0], last = x[x.length - 1] - base[base.length - 1];
    const flat = Math.abs(first - last) < 5e-4;
    const how = flat ? (Math.abs(first) < 5e-4 ? "same" : first > 0 ? "slide" : "slide_left") : "fan";
    const by = { gap: say(Math.abs(first), 2), first: signed(first, 2), last: signed(last, 2) };
    parts.push(text(width - 8, 14, tell(words["by." + how], by), "end strong"));
    return { height: 138, parts, said: `${name}. ${tell(words[how], by)}` };
  },
  table({ state: s, arrays, words }) {
    const x = dialReads(s, arrays);
    return sheet(dialName(s, words), [words["head.pixel"], words["head.reads"]], x.map((v, i) => [i, say(v)]));
  },
};

const dialScale = (s, width) => (x) => 8 + ((x + 1) * (width - 16)) / (s.n_in + 1);
