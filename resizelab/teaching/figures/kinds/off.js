// How far each enlarged value is from the line or curve that the pixels lie on.
KINDS.off = {
  key: "spot",
  control: "row",
  at: (x, { width, get }) => offPlace(get, width).at(x),
  draw({ state: s, width, get, look, fill, words }) {
    const off = get("off"), [most] = get("most"), { X, first, step } = offPlace(get, width), zero = 84, Y = (v) => zero - (v / most) * 60;
    const parts = [text(8, 12, fill("off.head"), "soft"), line(8, zero, width - 8, zero, "axis")];
    for (const v of [most, -most]) parts.push(line(8, Y(v), width - 8, Y(v), "guide"), text(10, Y(v) + (v > 0 ? 14 : -5), signed(v, 2), "small halo"));
    off.forEach((v, k) => parts.push(svg("rect", { class: "rl-over " + look, x: X(k), y: Math.min(zero, Y(v)), width: step, height: Math.abs(Y(v) - zero), "data-output": first + k, "data-off": v })));
    for (let k = 0; k <= off.length; k += get("per")[0]) parts.push(line(X(k), 24, X(k), 144, "guide"));
    const k = within(s.spot - first, 0, off.length - 1), v = off[k], flat = off.every((one) => Math.abs(one) < 5e-6);
    parts.push(svg("circle", { class: `rl-dot ${look} rl-here`, cx: X(k + 0.5), cy: Y(v), r: 5 }),
      text(within(X(k + 0.5), 60, width - 60), v < 0 ? Y(v) + 18 : Y(v) - 9, signed(v, 3), "middle strong"));
    return { height: 152, parts, said: fill(flat ? "off.none" : "off.some", { i: first + k, v: signed(v, 3) }) };
  },
  table: ({ get, words, fill }) => sheet(fill("off.head"), [words["head.pixel"], words["head.off"]], Array.from(get("off"), (v, k) => [get("span")[0] + k, signed(v, 4)])),
};

const offPlace = (get, width) => {
  const n = get("off").length, [first] = get("span"), step = (width - 16) / n;
  return { first, step, X: (k) => 8 + k * step, at: (x) => first + within(Math.floor((x - 8) / step), 0, n - 1) };
};
