// The drawing of copies.js, to move a bright pixel of the input: which outputs still have it?
KINDS.wire = {
  ...KINDS.copies,
  key: "wire",
  at: (x, { state: s, width }) => within(Math.floor(((x - 8) / (width - 16)) * s.n_in), 0, s.n_in - 1),
  draw(view) {
    const { state: s, fill } = view, left = ({ all }) => all.filter((o) => o.pixel === s.wire).length;
    const words = ([a, b]) => fill("left", { wire: s.wire, one: a.name, a: left(a), two: b.name, b: left(b) });
    return drawCopies(view, { lit: (_, pixel) => pixel === s.wire, marked: (j) => j === s.wire, said: words, short: ([a, b]) => fill("bright", { a: left(a), b: left(b) }) });
  },
};
