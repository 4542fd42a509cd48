// The matrix times the column of pixels: a row is an output's recipe.
const matrixRoom = (s, width, op) => {
  const cell = Math.min(96, (width - 170) / op.nIn), tall = Math.min(22, 176 / op.nOut);
  return { cell, tall, left: 26, top: 26, values: 26 + cell * op.nIn + 18, made: 26 + cell * op.nIn + 82 };
};

KINDS.matrix = {
  control: "values",
  at: (x, { state: s, width, get }, y) => {
    const { top, tall } = matrixRoom(s, width, get("w"));
    return within(Math.floor((y - top) / tall), 0, s.n_out - 1);
  },
  draw({ state: s, width, get, look, words, fill }) {
    const op = get("w"), v = get("values"), y = apply(op, v), i = s.pixel, { cell, tall, left, top, values, made } = matrixRoom(s, width, op);
    const parts = [text(8, 13, words.weights, "soft"), text(values, 13, words.times, "soft"), text(made, 13, words.gives, "soft")], column = new Array(op.nIn).fill(0);
    each(op.nOut, (o) => {
      const at = top + o * tall, here = o === i, own = new Map(row(op, o));
      if (tall > 11 || here) parts.push(text(left - 6, at + tall / 2 + 4, String(o), here ? "end strong" : "end soft"));
      each(op.nIn, (j) => {
        const w = own.get(j) || 0;
        column[j] += w;
        parts.push(svg("rect", { class: `rl-cell ${look}`, x: left + j * cell + 1, y: at + 0.5, width: cell - 2, height: tall - 1, rx: 2, "fill-opacity": w * (here ? 0.5 : 0.3), "data-row": o, "data-column": j, "data-weight": w }));
        if (w && (tall > 14 || here)) parts.push(text(left + (j + 0.5) * cell, at + tall / 2 + 4, say(w, 2), here ? "middle strong" : "middle"));
      });
      if (here) parts.push(svg("rect", { class: `rl-frame ${look}`, x: left - 1, y: at - 1, width: cell * op.nIn + 2, height: tall + 2, rx: 3 }));
      parts.push(...grey(y[o], get("range"), made, at + 0.5, 54, tall - 1, { class: `rl-made ${look}${here ? " rl-here" : ""}`, "data-made": y[o] }));
    });
    each(op.nIn, (j) => parts.push(...grey(v[j], get("range"), values, top + j * 26, 44, 24, { "data-input": j })));
    parts.push(text(values - 9, top + 17, "·", "middle"), text(values + 54, top + 17, "=", "middle"), text(left - 6, 222, "Σ", "end soft"));
    column.forEach((sum, j) => parts.push(text(left + (j + 0.5) * cell, 222, say(sum, 2), "middle soft")));
    const said = fill("takes", { i, taps: row(op, i).map(([j, w]) => tell(words.tap, { w: say(w, 2), j })).join(" + ") }) + " " + fill("makes", { total: say(y[i], 2) });
    return { height: 228, parts, said };
  },
  table: operatorTable,
};
