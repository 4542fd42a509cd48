// A photograph with the mask that a small map becomes: is it still on its object? Where
// there is room the mask of the page's first grid stands beside the chosen one's.
KINDS.mask = {
  key: "step",
  control: "grid",
  at: (x, view) => along(x, view, "step"),
  draw(view) {
    const { width, get, fill } = view, [high, wide] = get("size");
    const two = width >= 560, across = Math.min((width - (two ? 32 : 16)) / (two ? 2 : 1), (maskHigh(width) * wide) / high);
    const sides = [...(two ? [":home"] : []), ""], parts = [];
    sides.forEach((side, k) => {
      const [grid, name] = maskGrid(view, side), x = 8 + k * (across + 16), unit = across / wide, rows = maskOf(get, side), told = maskWords(get, side);
      parts.push(svg("g", { transform: `translate(${x} 20) scale(${unit})` },
        svg("image", { href: address(get("photo")), width: wide, height: high, preserveAspectRatio: "none" }),
        svg("path", { class: `rl-over g-${grid}`, d: maskPath(rows), transform: `scale(${wide / rows[0].length})`, "data-mask": side || "chosen" }),
        svg("ellipse", { class: "rl-truth-under", ...maskTruth(get) }), svg("ellipse", { class: "rl-truth", ...maskTruth(get) })),
        text(x, 14, name, "strong"), text(x + across, 14, fill("mask.short", told), "end"));
    });
    const tall = 20 + Math.min(maskHigh(width), (across * high) / wide);
    parts.push(text(8, tall + 17, view.words["mask.legend"], "soft"));
    return { height: tall + 23, parts, said: fill("mask.said", maskWords(get, "")) };
  },
  table: (view) => sheet(view.fill("mask.table"), [view.words["head.grid"], view.words["head.told"]],
    [":home", ""].map((side) => [maskGrid(view, side)[1], view.fill("mask.short", maskWords(view.get, side))])),
};

// A picture's height: on the page, and where the whole screen is the figure's.
const maskHigh = (width) => (width > 700 ? 0.36 * width : 185);

// The map resized down its columns and along its rows, as rows of numbers.
function maskOf(get, side) {
  const map = get("map"), down = get("down" + side), right = get("right" + side), n = right.nIn;
  const wide = each(down.nIn, (i) => apply(right, map.slice(i * n, (i + 1) * n)));
  const columns = each(right.nOut, (j) => apply(down, wide.map((r) => r[j])));
  return each(down.nOut, (i) => columns.map((c) => c[i]));
}

// What is not negative is inside: runs of pixels, as a path.
function maskPath(rows) {
  let d = "";
  rows.forEach((values, y) => {
    for (let x = 0, from = -1; x <= values.length; x++) {
      const inside = x < values.length && values[x] >= -1e-9;
      if (inside && from < 0) from = x;
      if (!inside && from >= 0) { d += `M${from} ${y}H${x}V${y + 1}H${from}Z`; from = -1; }
    }
  });
  return d;
}

// A grid and its name: the page's first one at home, the chosen one beside it.
function maskGrid({ state, controls }, side) {
  const { order, options } = controls.find((c) => c.key === "grid"), grid = side ? order[0] : state.grid;
  return [grid, options[grid]];
}

function maskTruth(get) {
  const [cx, cy, rx, ry] = get("truth");
  return { cx, cy, rx, ry };
}

// The numbers that Python has for a side: {0}, and with a sign {s0}.
function maskWords(get, side) {
  return Object.fromEntries([...get("told" + side)].flatMap((v, k) => [[k, say(v, 2)], ["s" + k, signed(v, 2)]]));
}
