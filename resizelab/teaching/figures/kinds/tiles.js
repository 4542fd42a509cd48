// Input and output as two rows of tiles, or posts: where each output has its place.
KINDS.tiles = {
  at: (x, { state: s, width, arrays }) => {
    const X = tileScale(s, width), far = Array.from(arrays[`x|${s.grid}|${s.n_in}|${s.n_out}`].data, (v) => Math.abs(X(v) - x));
    return far.indexOf(Math.min(...far));
  },
  draw({ state: s, width, arrays, words }) {
    const X = tileScale(s, width), x = arrays[`x|${s.grid}|${s.n_in}|${s.n_out}`].data;
    const note = text(8, 12, words["laid." + s.grid], "soft"), parts = [], posts = s.grid !== "half_pixel", down = s.grid === "align_corners" ? 20 : 10, step = x.length > 1 ? x[1] - x[0] : 1;
    const unit = X(1) - X(0), small = X(step) - X(0);
    each(s.n_in, (j) => {
      if (s.grid === "align_corners") parts.push(svg("rect", { class: "rl-post", x: X(j) - 3, y: 14, width: 6, height: 32, "data-input": j }));
      else parts.push(svg("rect", { class: "rl-tile", x: X(j - 0.5) + 1, y: 14, width: unit - 2, height: 32, rx: 3, "data-input": j }));
      // Positions count from these: a pixel's number is the place of its middle.
      parts.push(svg("circle", { class: "rl-middle-dot", cx: X(j), cy: s.grid === "align_corners" ? 30 : 40, r: 2.5 }));
      parts.push(text(X(j), s.grid === "align_corners" ? 10 : 31, String(j), "middle"));
    });
    if (s.grid === "align_corners") parts.push(line(X(0), 30, X(s.n_in - 1), 30, "axis"));
    each(s.n_out, (i) => {
      const here = i === s.pixel, at = X(x[i]);
      if (s.grid === "align_corners") parts.push(svg("rect", { class: `rl-out g-${s.grid}` + (here ? " rl-here" : ""), x: at - 3, y: 72, width: 6, height: 32 }));
      else parts.push(svg("rect", { class: `rl-out g-${s.grid}` + (here ? " rl-here" : ""), x: at - (posts ? 0 : small / 2) + 1, y: 72, width: Math.max(1, small - 2), height: 32, rx: 2 }));
      parts.push(svg("line", { class: `rl-read g-${s.grid}` + (here ? " rl-here" : ""), x1: at, y1: 72, x2: at, y2: here ? 40 : 47, "data-output": i, "data-x": x[i] }));
    });
    if (s.grid === "align_corners") parts.push(line(X(x[0]), 88, X(x[x.length - 1]), 88, "axis"));
    const read = `${s.grid}: ` + tell(words.short, { i: s.pixel, x: say(x[s.pixel], 2) });
    parts.push(text(inside(X(x[s.pixel]), read, width), 121, read, "middle strong"));
    return { height: 126 + down, parts: [note, svg("g", { transform: `translate(0 ${down})` }, parts)], said: tell(words.reads, { i: s.pixel, x: say(x[s.pixel]) }) };
  },
  table: operatorTable,
};

// A grid that begins on the first post ends half a pixel past the last tile.
const tileScale = (s, width) => (x) => 8 + ((x + 0.5) * (width - 16)) / (s.n_in + (s.grid === "asymmetric" ? 0.5 : 0));
