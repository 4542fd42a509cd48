// A product beside the whole number that was meant: on the line as everybody draws it,
// and beneath a lens in which the neighbours are the type's next numbers.
KINDS.knife = {
  key: "n_out",
  at: () => ({}), // the numbers in the prose and the map move it
  draw({ state: s, width, get, fill }) {
    const m = s.n_out, mid = width / 2, unit = (width - 16) / 3.4, fine = (width - 16) / 5.4, parts = [], said = [];
    const X = (v) => mid + (v - m) * unit, steps = { float64: get("float64")[m] - 1, float32: get("float32")[m] - 1 };
    // What is left of the whole number falls to the one before it.
    const shelf = (y, high) => parts.push(svg("rect", { class: "rl-falls", x: 8, y, width: mid - 8, height: high }), svg("rect", { class: "rl-stays", x: mid, y, width: width / 2 - 8, height: high }));
    shelf(8, 34);
    parts.push(text(X(m - 0.5), 30, fill("becomes", { size: m - 1 }), "middle soft"), text(X(m + 0.5), 30, fill("becomes", { size: m }), "middle soft"));
    for (const v of [m - 1, m, m + 1]) parts.push(line(X(v), 42, X(v), 50, "axis"), text(X(v), 64, String(v), "middle" + (v === m ? " strong" : "")));
    parts.push(line(8, 42, width - 8, 42, "axis"), svg("circle", { class: "rl-dot g-float64 rl-here", cx: X(m), cy: 42, r: 5 }));
    for (const end of [8, width - 8]) parts.push(line(mid, 70, end, 88, "guide"));
    const exact = { float64: s.n_in * (m / s.n_in), float32: Math.fround(Math.fround(m / s.n_in) * s.n_in) };
    Object.entries(steps).forEach(([type, d], k) => {
      const y = 92 + k * 56, size = m - (d < 0), value = type === "float64" ? String(exact[type]) : String(+exact[type].toPrecision(8));
      shelf(y, 26);
      parts.push(line(8, y + 26, width - 8, y + 26, "axis"));
      for (let t = -2; t <= 2; t++) parts.push(line(mid + t * fine, y + 20, mid + t * fine, y + 32, "axis"));
      parts.push(svg("circle", { class: `rl-dot g-${type} rl-here`, cx: mid + d * fine, cy: y + 26, r: 6, "data-type": type, "data-steps": d, "data-value": value }),
        text(8, y + 46, fill("type." + type, { value, size }), "small"));
      said.push(fill("type." + type, { value, size }));
    });
    const head = text(8, 13, fill("knife.short"), "soft"), ticks = text(8, 232, fill("knife.ticks"), "soft");
    return { height: 238, parts: [head, svg("g", { transform: "translate(0 14)" }, parts), ticks], said: said.join(" ") };
  },
  table: ({ state: s, get, words, fill }) => sheet(fill("knife.head"), [words["control.n_out"], "float64", "float32"], each(get("float64").length - 1, (k) => [k + 1, ...["float64", "float32"].map((type) => k + 1 - (get(type)[k + 1] === 0))])),
};
