// How far the content of each place has moved, a line a grid: flat is a shift, sloping
// a stretch, and zero is where it belongs.
KINDS.moves = {
  key: "place",
  at: (x, view) => along(x, { ...view, from: 44 }, "place"),
  draw(view) {
    const { state: s, width, words, fill, controls } = view, all = moved(view), n = all[0][1].length, top = 80, high = 118;
    const most = Math.max(0.5, ...all.flatMap(([, v]) => v.map(Math.abs))), X = (j) => 44 + (j * (width - 52)) / (n - 1), Y = (v) => top + (high / 2) * (1 - v / most);
    const { min, step } = controls.find((c) => c.key === "place"), at = Math.round((s.place - min) / step), parts = [text(8, 14, words["moves.head"], "soft"), line(44, Y(0), width - 8, Y(0), "axis"), text(32, Y(0) + 4, "0", "end small"), line(X(at), top, X(at), top + high, "guide")];
    for (const v of [most, -most]) parts.push(text(32, Y(v) + 4, signed(v, 1), "end small"));
    parts.push(text(X(at) + (2 * at > n ? -6 : 6), top + 4, words["moves.here"], "small halo" + (2 * at > n ? " end" : "")));
    parts.push(text(44, top + high + 18, words["moves.left"], "soft"), text(width - 40, top + high + 18, words["moves.right"], "soft end"));
    all.forEach(([grid, values, name], k) => {
      // Lines that lie upon each other can both be seen.
      parts.push(svg("polyline", { class: `rl-curve g-${grid}`, points: values.map((v, j) => `${X(j).toFixed(2)},${Y(v).toFixed(2)}`).join(" "), "stroke-dasharray": k ? "9 " + 5 * k : null, "data-grid": grid, "data-moved": values.map((v) => +v.toFixed(6)).join(" ") }),
        svg("circle", { class: `rl-dot rl-here g-${grid}`, cx: X(at), cy: Y(values[at]), r: 5 + 2 * (all.length - 1 - k) }),
        line(8, 30 + 17 * k, 34, 30 + 17 * k, { class: `rl-curve g-${grid}`, "stroke-dasharray": k ? "9 " + 5 * k : null }), text(44, 34 + 17 * k, name), text(width - 8, 34 + 17 * k, fill("moves.by", { v: signed(values[at], 2) }), "end strong"));
    });
    return { height: top + high + 24, parts, said: fill("moves.said", { all: all.map(([, values, name]) => `${name} ${signed(values[at], 2)}`).join(", ") }) };
  },
  table(view) {
    const all = moved(view);
    return sheet(view.fill("moves.table"), [view.words["head.place"], ...all.map((one) => one[2])], each(all[0][1].length, (j) => [placeOf(view, j), ...all.map(([, v]) => signed(v[j]))]));
  },
};

// [grid, movements, its name] of each grid that the page has.
function moved({ get, controls }) {
  const { order, options } = controls.find((c) => c.key === "grid");
  return order.map((grid) => [grid, Array.from(get("moves:" + grid)), options[grid]]);
}

// Places go by the steps of their control.
const placeOf = ({ controls }, j) => { const { min, step } = controls.find((c) => c.key === "place"); return min + j * step; };
