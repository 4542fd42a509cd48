// The same outputs by two steps: by the factor that was given, and by the two sizes.
KINDS.reads = {
  control: "factor",
  at: (x, { state: s, width, get }) => {
    const X = readsScale(s, width), far = Array.from(get("factor"), (v) => Math.abs(X(v) - x));
    return far.indexOf(Math.min(...far));
  },
  draw({ state: s, width, get, words, fill }) {
    const X = readsScale(s, width), one = get("factor"), two = get("sizes"), tile = X(1) - X(0), i = Math.min(s.pixel, one.length - 1);
    const parts = [text(8, 14, fill("row.factor"), "soft"), text(8, 150, fill("row.sizes", { m: one.length }), "soft")];
    each(s.n, (j) => parts.push(svg("rect", { class: "rl-tile", x: X(j - 0.5) + 1, y: 66, width: tile - 2, height: 28, rx: 3 })));
    one.forEach((v, k) => {
      const here = k === i ? " rl-here" : "";
      parts.push(svg("line", { class: "rl-join g-factor" + here, x1: X(v), y1: 32, x2: X(two[k]), y2: 128 }),
        svg("circle", { class: "rl-dot g-factor" + here, cx: X(v), cy: 32, r: here ? 6 : 4, "data-output": k, "data-factor": v }),
        svg("circle", { class: "rl-dot g-sizes" + here, cx: X(two[k]), cy: 128, r: here ? 6 : 4, "data-output": k, "data-sizes": two[k] }));
    });
    // The numbers lie upon the lines.
    each(s.n, (j) => parts.push(text(X(j), 85, String(j), "middle halo")));
    const said = fill("reads", { i, a: say(one[i], 2), b: say(two[i], 2) });
    parts.push(text(8, 168, fill("reads.short", { i, a: say(one[i], 2), b: say(two[i], 2) }), "strong"));
    return { height: 174, parts, said };
  },
  table: ({ get, words, fill }) => sheet(fill("reads.head"), [words["head.pixel"], fill("row.factor"), fill("row.sizes", { m: get("sizes").length })], Array.from(get("factor"), (v, i) => [i, say(v), say(get("sizes")[i])])),
};

const readsScale = (s, width) => (x) => 8 + ((x + 0.5) * (width - 16)) / s.n;
