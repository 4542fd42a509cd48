// A fine row on top, and under it what each of the page's "ways" makes of it.
KINDS.stripes = {
  control: "n_out",
  at: (x, { state: s, width }) => within(Math.floor(((x - 8) / (width - 16)) * s.n_out), 0, s.n_out - 1),
  draw({ state: s, width, arrays, get, words, fill, keys }) {
    const values = get("values"), ways = stripeWays(keys, words), wide = width - 16, parts = [], said = [];
    const strip = (y, row, key) => parts.push(svg("rect", { class: "rl-tile", x: 7, y: y - 1, width: wide + 2, height: 28 })) && Array.from(row, (v, i) => parts.push(svg("rect", { x: 8 + (i * wide) / row.length, y, width: wide / row.length + (i < row.length - 1), height: 26, fill: `rgb(${each(3, () => Math.round(255 * within(v, 0, 1)))})`, "data-way": key, "data-output": i, "data-made": v })));
    const heading = (y, words_) => parts.push(text(8, y, words_, "soft"));
    heading(13, fill("row.in", { n: values.length }));
    strip(18, values, "in");
    ways.forEach(([way, name], k) => {
      const y = 52 + k * 48, made = arrays[`made|${way}|${s.n_out}`].data, v = say(made[s.pixel], 2);
      heading(y + 13, name);
      strip(y + 18, made, way);
      parts.push(svg("rect", { class: "rl-marked", x: 8 + (s.pixel * wide) / s.n_out, y: y + 18, width: wide / s.n_out, height: 26 }), text(width - 8, y + 13, tell(words.is, { i: s.pixel, v }), "end"));
      said.push(`${name}: ${v}`);
    });
    return { height: 52 + ways.length * 48, parts, said: fill("made", { i: s.pixel, all: said.join(", ") }) };
  },
  table({ state: s, arrays, get, words, fill, keys }) {
    const values = get("values"), ways = stripeWays(keys, words), made = ways.map(([way]) => arrays[`made|${way}|${s.n_out}`].data);
    return sheet(fill("row.in", { n: values.length }), [words["head.pixel"], ...ways.map(([, name]) => name)], each(s.n_out, (i) => [i, ...made.map((row) => say(row[i]))]));
  },
};

const stripeWays = (keys, words) => keys.ways.split(" ").map((way) => [way, words["way." + way]]);
