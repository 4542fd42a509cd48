// Outputs as thin columns before the broad ones of the inputs, and the step between two.
KINDS.steps = {
  at: (x, { state: s, width }) => within(Math.floor(((x - 8) / (width - 16)) * s.n_out), 0, s.n_out - 1),
  draw({ state: s, width, get, look, words, fill }) {
    const op = get("w"), v = get("values"), y = apply(op, v), [low, high] = get("range"), wide = width - 16, tile = wide / op.nIn, small = wide / op.nOut;
    const base = 146, tall = (value) => 4 + (110 * (value - low)) / (high - low), step = (i) => y[i] - y[i - 1], parts = [line(8, base, width - 8, base, "axis")];
    v.forEach((value, j) => parts.push(svg("rect", { class: "rl-tile", x: 8 + j * tile + 1, y: base - tall(value), width: tile - 2, height: tall(value), "data-input": j })));
    y.forEach((value, i) => {
      const here = i === s.pixel ? " rl-here" : "", at = 8 + (i + 0.5) * small;
      parts.push(svg("rect", { class: `rl-out ${look}${here}`, x: at - small * 0.3, y: base - tall(value), width: small * 0.6, height: tall(value), "data-output": i, "data-made": value }));
      if (small > 34 || here) parts.push(text(at, base - tall(value) - 6, say(value, 2), "middle halo" + (here ? " strong" : "")));
      if (i && small > 34) parts.push(text(at - small / 2, base + 17, signed(step(i), 2), Math.abs(step(i) - step(Math.ceil(op.nOut / 2))) > 1e-9 ? "middle strong" : "middle soft"));
    });
    const said = fill("made", { all: Array.from(y, (value) => say(value, 2)).join(", "), steps: each(op.nOut - 1, (i) => signed(step(i + 1), 2)).join(", ") });
    parts.push(text(8, base + 36, fill("legend"), "soft"));
    return { height: 188, parts, said };
  },
  table: operatorTable,
};
