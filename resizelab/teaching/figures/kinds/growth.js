// One movement step by step, in pixels of the present image and in those of the first.
KINDS.growth = {
  key: "step",
  at: (x, view) => along(x, view, "step"),
  draw(view) {
    const { state: s, width, get, words, look, fill } = view, half = (width - 72) / 2, parts = [text(8, 14, words["growth.head"], "soft")], low = 150;
    [["now", Math.max(...get("now"))], ["first", 0.5]].forEach(([name, most], k) => {
      const left = 8 + k * (half + 24), values = get(name), tile = half / values.length, tall = (v) => (v / most) * 84;
      parts.push(text(left, 32, words["growth." + name], "soft"), line(left, low, left + half, low, "axis"));
      if (name === "first") parts.push(line(left, low - 84, left + half, low - 84, "limit"), text(left, low - 88, words["growth.limit"], "small"));
      values.forEach((v, i) => {
        const here = i + 1 === s.step, x = left + (i + 0.5) * tile;
        parts.push(svg("rect", { class: `rl-out ${look}${here ? " rl-here" : ""}`, x: x - tile * 0.36, y: low - tall(v), width: tile * 0.72, height: tall(v), "data-growth": name, "data-value": v }),
          // On a phone the numbers would touch: the chosen one and the last stay.
          tile >= 30 || here || (i === values.length - 1 && i !== s.step) ? text(x, low - tall(v) - 5, say(v, tile < 40 && v < 1 ? 2 : 3), "middle small halo" + (here ? " strong" : "")) : null, text(x, low + 16, (tile < 30 && i ? "" : "×") + 2 ** (i + 1), "soft middle"));
      });
    });
    return { height: low + 22, parts, said: fill("growth.said", { now: say(get("now")[s.step - 1] || 0, 2), first: say(get("first")[s.step - 1] || 0, 2) }) };
  },
  table: ({ get, words }) => sheet(words["growth.head"], [words["head.scale"], words["growth.now"], words["growth.first"]], [...get("now")].map((v, i) => ["×" + 2 ** (i + 1), say(v), say(get("first")[i], 4)])),
};
