// Two ways to count, on a row of pixels and on the same row enlarged: from the first
// centre (numbers in the tiles) and from the corner (numbers at the edges).
KINDS.zero = {
  key: "place",
  at: (x, { width, controls }) => {
    const { min, max, step } = controls.find((c) => c.key === "place");
    return within(Math.round((((x - 8) / (width - 16)) * 8 - 0.5) / step) * step, min, max);
  },
  draw({ state: s, width, get, words, fill }) {
    const wide = width - 16, n = 8, m = 32, at = 8 + (wide * (s.place + 0.5)) / n, parts = [];
    const centre = get("centre")[0], times = get("times")[0], wrong = 8 + (wide * (times + 0.5)) / m;
    for (const [count, top, every, skip] of [[n, 20, 1, 1], [m, 104, 4, width < 480 ? 8 : 4]]) {
      const tile = wide / count;
      each(count, (j) => parts.push(svg("rect", { class: "rl-tile", x: 8 + j * tile, y: top, width: tile, height: 26 }), every === 1 || tile > 17 ? text(8 + (j + 0.5) * tile, top + 18, String(j), "small middle") : null));
      each(count / skip + 1, (j) => parts.push(text(8 + j * skip * tile, top + 42, String(j * skip), "soft small " + (j ? (j === count / skip ? "end" : "middle") : ""))));
    }
    parts.push(line(at, 14, at, 134, "belongs"), svg("circle", { class: "rl-dot rl-here g-half_pixel", cx: at, cy: 33, r: 6 }), svg("circle", { class: "rl-dot rl-here g-half_pixel", cx: at, cy: 117, r: 6, "data-at": centre }),
      svg("path", { class: "rl-curve g-asymmetric", d: `M${wrong - 6} 111l12 12m0 -12l-12 12`, "data-times": times }),
      text(wrong - (at - wrong < 30 ? 8 : 0), 101, say(times), "middle small halo"), text(at + (at - wrong < 30 ? 8 : 0), 101, say(centre), "middle small halo strong"),
      text(8, 12, words["zero.rows"], "soft"), text(8, 84, words["zero.large"], "soft halo"));
    const told = fill("zero.said", { place: say(s.place), centre: say(centre), times: say(times), corner: say(get("corner")[0]), edge: say(get("edge")[0]) });
    parts.push(text(8, 168, fill("zero.short", { place: say(s.place), centre: say(centre), times: say(times) }), "strong small"));
    return { height: 176, parts: parts.filter(Boolean), said: told };
  },
  table: ({ state: s, get, words }) => sheet(words["zero.table"], [words["head.count"], words["head.before"], words["head.after"]], [
    [words["zero.centre"], say(s.place), say(get("centre")[0])], [words["zero.corner"], say(get("corner")[0]), say(get("edge")[0])]]),
};
