// Down three levels and up again: a spot in each level's pixels, and a line where it
// belongs. Each resize is a button: what it is now, and a press makes it the other.
KINDS.levels = {
  at: (x, { width }) => {
    const half = (width - 24) / 2, in_ = (x - 8) % (half + 8);
    return Math.round(LEVELS_FROM + (within(in_ / half, 0, 1)) * LEVELS_WIDE - 0.5);
  },
  presses: ({ state: s, width, fill, controls }) => levelWays().map(({ key, row: r, side }) => {
    const { options, order } = controls.find((c) => c.key === key), other = order.find((o) => o !== s[key]);
    return { ...levelBox(width, r, side), label: fill("levels." + key[0], { n: key[1], what: options[s[key]] }), set: { [key]: other } };
  }),
  draw(view) {
    const { state: s, width, get, fill, words, controls } = view, half = (width - 24) / 2, parts = [];
    const X = (side, at) => 8 + side * (half + 8) + ((at - LEVELS_FROM) / LEVELS_WIDE) * half;
    let y = get("blob"), size = y.length;
    const whole = size, truth = s.pixel + 0.5, shown = [[0, 0, y]];
    for (const { key, row: r, side } of levelWays()) {
      y = apply(get((side ? "up:" : "down:") + s[key] + ":" + y.length), y);
      shown.push([side ? r : r + 1, side, y]);
      if (!side && r === 2) shown.push([3, 1, y]);
    }
    [words["levels.down"], words["levels.up"]].forEach((name, side) => half < 220 && side ? null : parts.push(text(X(side, LEVELS_FROM), 12, name, "soft")));
    for (const [r, side, values] of shown) {
      const top = 18 + r * 58, unit = whole / values.length, peak = Math.max(...values), at = centreOf(values) * unit;
      const off = at - truth, wrong = Math.abs(off) > 0.25;
      values.forEach((v, j) => {
        const [a, b] = [j * unit, (j + 1) * unit].map((e) => within(e, LEVELS_FROM, LEVELS_FROM + LEVELS_WIDE));
        if (b > a) parts.push(svg("rect", { class: "rl-tile", x: X(side, a), y: top, width: X(side, b) - X(side, a), height: 28 }), svg("rect", { class: "rl-bar", x: X(side, a), y: top + 28 * (1 - v / peak), width: X(side, b) - X(side, a), height: (28 * v) / peak, "data-level": `${side}|${values.length}|${j}`, "data-value": v }));
      });
      parts.push(line(X(side, truth), top - 4, X(side, truth), top + 32, "belongs"), svg("circle", { class: "rl-spot" + (wrong ? " rl-wrong" : ""), cx: X(side, at), cy: top + 14, r: 5, "data-centre": at - 0.5 }),
        text(X(side, LEVELS_FROM) + 4, top + 13, String(values.length), "small"));
    }
    for (const { key, row: r, side } of levelWays()) {
      const box = levelBox(width, r, side), { options } = controls.find((c) => c.key === key);
      parts.push(svg("rect", { class: "rl-key", rx: 5, x: box.x, y: box.y, width: box.width, height: box.height }), text(box.x + box.width / 2, box.y + 16, (side ? "↑ " : "↓ ") + options[s[key]], "middle"));
    }
    const out = signed(get("out")[0], 2);
    parts.push(text(X(1, LEVELS_FROM + LEVELS_WIDE), 12, fill("levels.short", { out }), "end strong"));
    parts.push(text(8, 243, words["levels.legend"], "soft"));
    return { height: 250, parts, said: fill("levels.said", { out }) };
  },
  table: ({ state: s, get, fill, words, controls }) => sheet(fill("levels.said", { out: signed(get("out")[0], 2) }), [words["head.resize"], words["head.what"]],
    levelWays().map(({ key }) => {
      const { options } = controls.find((c) => c.key === key);
      return [fill("levels." + key[0], { n: key[1], what: "" }).replace(/: $/, ""), options[s[key]]];
    })),
};

const LEVELS_FROM = 20, LEVELS_WIDE = 24; // of 64 pixels the middle ones are drawn

const levelWays = () => [...each(3, (k) => ({ key: "d" + (k + 1), row: k, side: 0 })), ...each(3, (k) => ({ key: "u" + (k + 1), row: 2 - k, side: 1 }))];

// Between two levels there is room for a button of 24 pixels.
function levelBox(width, r, side) {
  const half = (width - 24) / 2;
  return { x: 8 + side * (half + 8) + half * 0.14, y: 49 + r * 58, width: half * 0.72, height: 24 };
}

// The middle of a spot, edges at whole numbers.
function centreOf(values) {
  let mass = 0, sum = 0;
  values.forEach((v, j) => { mass += v; sum += v * (j + 0.5); });
  return sum / mass;
}
