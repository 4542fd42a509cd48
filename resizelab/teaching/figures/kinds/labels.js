// A box that was found in a small picture, and where a rule puts it on the photograph.
// Where there is room the small picture stands beside it.
KINDS.labels = {
  key: "step",
  control: "rule",
  at: (x, view) => along(x, view, "step"),
  draw(view) {
    const { state: s, width, get, fill } = view, parts = [], look = s.scene === "plain" ? view.look : "g-dial";
    const [high, wide] = get("size"), [rows, columns] = get("shape"), two = width >= 560;
    const tall = Math.min(width > 700 ? 0.3 * width : 185, ((width - 16) * high) / wide), across = (tall * wide) / high, beside = (tall * columns) / rows;
    const frame = ([l, t, r, b], css, unit) => svg("rect", { class: css, x: l, y: t, width: r - l, height: b - t, ...(unit && { "data-box": [l, t, r, b].join(" ") }) });
    const cross = ([l, t, r, b], css, size) => svg("path", { class: css, d: `M${(l + r) / 2 - size} ${(t + b) / 2}h${2 * size}M${(l + r) / 2} ${(t + b) / 2 - size}v${2 * size}` });
    if (two) {
      parts.push(text(8, 14, fill("labels.small", { rows, columns }), "strong"), svg("g", { transform: `translate(8 20) scale(${tall / rows})` },
        svg("image", { class: "rl-pixels", href: address(get("small")), width: columns, height: rows, preserveAspectRatio: "none" }),
        frame(get("from"), "rl-truth-under"), frame(get("from"), "rl-truth")));
    }
    const x = two ? 8 + beside + 16 : 8, unit = tall / high, truth = get("truth"), mapped = get("mapped");
    parts.push(text(x, 14, view.words["labels.large"], "strong"), svg("g", { transform: `translate(${x} 20) scale(${unit})` },
      svg("image", { href: address(get("photo")), width: wide, height: high, preserveAspectRatio: "none" }),
      frame(truth, "rl-truth-under"), frame(truth, "rl-truth"),
      frame(mapped, "rl-label-under"), frame(mapped, "rl-label " + look, true), cross(mapped, "rl-label " + look, 4 / unit)));
    const numbers = labelWords(get), at = x + across + 12;
    if (width - at > 96) ["across", "down", "wider", "iou"].forEach((word, k) => parts.push(text(at, 40 + 40 * k, view.words["head." + word], "soft"), text(at, 57 + 40 * k, numbers[k < 3 ? "s" + k : k] + (k < 3 ? " px" : ""), "strong")));
    else parts.push(text(x + across, 14, fill("labels.short", numbers), "end"));
    parts.push(text(8, 37 + tall, view.words["labels.legend"], "soft"));
    return { height: 43 + tall, parts, said: fill(s.scene === "plain" ? "labels.said" : "labels.back", numbers) };
  },
  table: ({ get, fill, words, state: s }) => sheet(fill(s.scene === "plain" ? "labels.said" : "labels.back", labelWords(get)), ["across", "down", "wider", "iou"].map((k) => words["head." + k]), [Array.from(get("told"), (v) => say(v))]),
};

const labelWords = (get) => Object.fromEntries([...get("told")].flatMap((v, k) => [[k, say(v, 2)], ["s" + k, signed(v, 2)]]));
