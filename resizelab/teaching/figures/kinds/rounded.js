// A product on the number line, and the whole number that each rule makes of it.
KINDS.rounded = {
  key: "factor",
  control: "factor",
  at: () => ({}), // its control and the numbers in the prose move it
  draw({ state: s, width, get, keys, words, fill }) {
    const product = get("product")[s.n], low = Math.floor(product + 1e-9) - 1, X = (v) => 24 + ((v - low) * (width - 48)) / 3, parts = [], said = [];
    each(4, (k) => parts.push(line(X(low + k), 18, X(low + k), 196, "guide"), text(X(low + k), 12, String(low + k), "middle")));
    keys.rules.split(" ").forEach((rule, k) => {
      const y = 54 + k * 45, size = get(rule)[s.n], name = words["rule." + rule];
      parts.push(text(8, y - 12, name, "soft halo"), svg("line", { class: "rl-read g-factor rl-here", x1: X(product), y1: y, x2: X(size), y2: y }),
        svg("circle", { class: "rl-dot g-factor", cx: X(product), cy: y, r: 4 }), svg("circle", { class: "rl-dot g-factor rl-here", cx: X(size), cy: y, r: 6, "data-rule": rule, "data-size": size }));
      said.push(`${name}: ${size}`);
    });
    parts.push(text(8, 213, fill("rounded.legend", { product: say(product, 2) }), "soft"));
    return { height: 218, parts, said: fill("product", { product: say(product, 2) }) + " " + said.join(". ") + "." };
  },
  table: ({ get, keys, words, fill }) => sheet(fill("rounded.head"), [words["control.n"], words["head.product"], ...keys.rules.split(" ").map((rule) => words["rule." + rule])],
    each(get("product").length - 2, (k) => [k + 2, say(get("product")[k + 2], 2), ...keys.rules.split(" ").map((rule) => get(rule)[k + 2])])),
};
