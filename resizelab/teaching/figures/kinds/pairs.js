// What was measured for each grid of the training (rows) and of the run (columns).
KINDS.pairs = {
  key: "step",
  at: (x, view) => along(x, view, "step"),
  draw({ state: s, width, get, controls, words, fill }) {
    const { order, options } = controls.find((c) => c.key === "grid"), left = width < 480 ? 96 : 150, tile = Math.min(150, (width - left - 40) / 3), parts = [];
    parts.push(text(8, 14, words["pairs.what"], "strong"), text(left, 14, words["pairs.run"], "soft"), text(8, 34, words["pairs.trained"], "soft"));
    order.forEach((made, i) => {
      parts.push(text(left - 8, 66 + 44 * i, options[made], "end small"), text(left + tile * (i + 0.5), tile < 90 && i === 1 ? 22 : 34, options[made], "middle small"));
      order.forEach((_, j) => {
        const v = get("miou")[3 * i + j], home = i === j;
        parts.push(svg("rect", { class: "rl-heat" + (home ? " rl-home" : ""), x: left + j * tile + 3, y: 41 + 44 * i, width: tile - 6, height: 38, rx: 3, "fill-opacity": (0.6 * within((v - 30) / 70, 0, 1)).toFixed(3), "data-pair": `${i}|${j}`, "data-value": v }),
          text(left + (j + 0.5) * tile, 65 + 44 * i, say(v, 0) + " %", "middle" + (home ? " strong" : "")));
      });
    });
    return { height: 176, parts, said: fill("pairs.said", { stride: 2 ** s.step, all: [...get("miou")].map((v) => say(v, 0)).join(", ") }) };
  },
  table({ state: s, get, controls, words, fill }) {
    const { order, options } = controls.find((c) => c.key === "grid"), all = [...get("miou")];
    return sheet(fill("pairs.table", { stride: 2 ** s.step }), [words["pairs.trained"], ...order.map((g) => options[g])], order.map((g, i) => [options[g], ...all.slice(3 * i, 3 * i + 3).map((v) => say(v, 1))]));
  },
};
