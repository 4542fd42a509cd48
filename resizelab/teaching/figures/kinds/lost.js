// A point for each pair of sizes that loses a pixel when the quotient is handed over.
KINDS.lost = {
  key: "n_out",
  at: (x, { width, controls }, y) => {
    const { X, Y } = lostScale(controls, width), most = controls.find((c) => c.key === "n_in").max;
    return { n_in: within(Math.round((x - X(0)) / (X(1) - X(0))), 1, most), n_out: within(Math.round((y - Y(0)) / (Y(1) - Y(0))), 1, most) };
  },
  draw({ state: s, width, get, controls, fill }) {
    const { X, Y, side, tall } = lostScale(controls, width), most = controls.find((c) => c.key === "n_in").max;
    const pairs = get("lost"), gone = get("float64")[s.n_out] === 0, said = fill(gone ? "lost.one" : "lost.none", { made: s.n_out - gone });
    const path = each(pairs.length / 2, (k) => `M${X(pairs[2 * k] - 0.5)} ${Y(pairs[2 * k + 1] + 0.5)}h${side}v${tall}h${-side}z`).join("");
    const parts = [svg("rect", { class: "rl-tile", x: X(0.5), y: Y(most + 0.5), width: side * most, height: tall * most }),
      svg("path", { class: "rl-points", d: path, "data-count": pairs.length / 2 }),
      line(X(s.n_in), Y(0.5), X(s.n_in), Y(most + 0.5), "aim"), line(X(0.5), Y(s.n_out), X(most + 0.5), Y(s.n_out), "aim"),
      svg("circle", { class: `rl-dot g-float64${gone ? " rl-here" : ""}`, cx: X(s.n_in), cy: Y(s.n_out), r: 5 }),
      text(8, 12, fill("lost.up", { most }), "soft"), text(8, 220, "1", "soft"), text(width / 2, 220, fill("lost.across"), "middle soft"), text(width - 8, 220, String(most), "end soft"), text(8, 238, fill("lost.black"), "soft"), text(width - 8, 12, said, "end strong")];
    return { height: 244, parts, said };
  },
  table({ get, words, fill }) {
    const by = new Map(), pairs = get("lost");
    for (let k = 0; k < pairs.length; k += 2) by.set(pairs[k], [...(by.get(pairs[k]) || []), pairs[k + 1]]);
    return sheet(fill("lost.table"), [words["control.n_in"], words["control.n_out"]], [...by].map(([n, all]) => [n, all.join(", ")]));
  },
};

const lostScale = (controls, width) => {
  const most = controls.find((c) => c.key === "n_in").max, side = (width - 16) / most, tall = 186 / most;
  return { side, tall, X: (n) => 8 + (n - 0.5) * side, Y: (m) => 18 + (most - m + 0.5) * tall };
};
