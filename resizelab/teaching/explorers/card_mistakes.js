// What else may have been done to the card: a second resize, a crop, a frame, a JPEG.
// Recipes and tables come from Python as numbers (card_material.py); nothing here
// knows a library or a sentence. Pictures are {h, w, data}, rows one after another.
import { each, within } from "./drawing.js";

// ---- one axis ---------------------------------------------------------------

const mirrored = (j, n) => (n < 2 ? 0 : ((j = Math.abs(j) % (2 * n - 2)), j < n ? j : 2 * n - 2 - j));

// A recipe's matrix, m × n; `grows` says whether any axis of the picture grows.
function operator(recipe, n, m, grows) {
  const { grid: [phase, offset, corners], pick, per, pieces, antialias, outside, blur, spline, closed } = recipe;
  const step = corners ? (m > 1 ? (n - 1) / (m - 1) : 0) : n / m, cells = (grows && recipe.grows) || recipe.cells;
  let sum = phase * step;
  const rows = each(m, (i) => {
    const row = new Float64Array(n), x = recipe.summed ? sum : (i + phase) * step - offset;
    sum += step;
    if (pick !== undefined) row[within(Math.floor(x + pick), 0, n - 1)] = 1;
    else if (cells === "two_tap_area") {
      const j = Math.min(n - 1, Math.floor(i * step + 1e-9)), part = Math.max(0, i + 1 - (j + 1) / step) % 1;
      row[j] = 1 - part;
      row[Math.min(n - 1, j + 1)] += part;
    } else if (cells) {
      const start = i * step, end = start + step;
      for (let j = Math.floor(start + 1e-9); j < end - 1e-9; j++) row[j] = cells === "area" ? Math.min(j + 1, end) - Math.max(j, start) : 1;
    } else {
      const stretch = antialias ? Math.max(1, step) : 1, reach = stretch * pieces.length / per;
      // Where a box ends upon a pixel, the order of these sums decides, as in Pillow.
      const centre = (i + phase) * step - (offset - 0.5);
      for (let j = Math.floor(centre - reach + 0.5); j < Math.floor(centre + reach + 0.5); j++) {
        const far = (j - centre + 0.5) * (1 / stretch) * per, k = closed && far === pieces.length ? far - 1 : Math.floor(Math.abs(far));
        const [a, b, c, d] = pieces[k] || [0, 0, 0, 0], t = Math.abs(far) - k;
        if (outside !== "exclude" || (j >= 0 && j < n)) row[outside === "reflect" ? mirrored(j, n) : within(j, 0, n - 1)] += a + t * (b + t * (c + t * d));
      }
    }
    const all = row.reduce((a, b) => a + b);
    return row.map((w) => w / all);
  });
  // The filter that a spline needs first, and then, before it, the blur.
  for (const row of spline && n > 1 ? rows : []) {
    const wanted = row.slice();
    for (let turn = 0; turn < 40; turn++) for (let j = 0; j < n; j++) {
      const left = j ? row[j - 1] * (j === 1 ? 2 : 1) : 0, right = j < n - 1 ? row[j + 1] * (j === n - 2 ? 2 : 1) : 0;
      row[j] = (6 * wanted[j] - left - right) / 4;
    }
  }
  const sigma = (step - 1) / 2, radius = Math.floor(4 * sigma + 0.5);
  if (!blur || radius < 1) return rows;
  const bell = each(2 * radius + 1, (k) => Math.exp(-(((k - radius) / sigma) ** 2) / 2)), area = bell.reduce((a, b) => a + b);
  return rows.map((row) => {
    const out = new Float64Array(n);
    row.forEach((w, j) => bell.forEach((g, k) => { out[mirrored(j + k - radius, n)] += w * g / area; }));
    return out;
  });
}

// Rows of `first` read by `second`.
const after = (second, first) => second.map((row) => {
  const out = new Float64Array(first[0].length);
  row.forEach((w, j) => { if (w) first[j].forEach((v, k) => { out[k] += w * v; }); });
  return out;
});

// down · picture · acrossᵀ; what the rows lack to one is read from a frame of `fill`.
// Libraries of bytes round what the first pass, along the rows, gives.
function through({ h, w, data }, down, across, fill = 0, passes = false) {
  const half = new Float64Array(h * across.length), n = across.length, total = (row) => row.reduce((a, b) => a + b);
  for (let y = 0; y < h; y++) across.forEach((row, j) => {
    let sum = 0;
    for (let x = 0; x < w; x++) sum += row[x] * data[y * w + x];
    half[y * n + j] = passes ? bytes(sum) : sum;
  });
  const wide = across.map(total), out = new Float64Array(down.length * n);
  down.forEach((row, i) => {
    const high = total(row);
    for (let j = 0; j < n; j++) {
      let sum = fill * (1 - high * wide[j]);
      for (let y = 0; y < h; y++) sum += row[y] * half[y * n + j];
      out[i * n + j] = sum;
    }
  });
  return { h: down.length, w: n, data: out };
}

// What is left of y (m × k) that no picture behind these rows can give, as a sum of squares.
function unreachable(rows, y, k) {
  const m = rows.length, n = rows[0].length, base = new Float64Array((n + 1) * m), v = new Float64Array(m);
  let count = 0, left = 0;
  const strip = () => {
    for (let b = 0; b < count * m; b += m) {
      let dot = 0;
      for (let i = 0; i < m; i++) dot += base[b + i] * v[i];
      for (let i = 0; i < m; i++) v[i] -= dot * base[b + i];
    }
    let size = 0;
    for (let i = 0; i < m; i++) size += v[i] * v[i];
    return size;
  };
  for (let t = -1; t < n; t++) {
    for (let i = 0; i < m; i++) v[i] = t < 0 ? 1 : rows[i][t];
    const size = strip();
    if (size > 1e-9) { for (let i = 0; i < m; i++) base[count * m + i] = v[i] / Math.sqrt(size); count++; }
  }
  for (let j = 0; j < k; j++) { for (let i = 0; i < m; i++) v[i] = y[i * k + j]; left += strip(); }
  return left / Math.max(1, (m - count) * k);
}

// ---- a JPEG and back ---------------------------------------------------------

// libjpeg's cosines ("islow") in 8192ths; the other half is the same, with odd waves negated.
const COSINES = [
  [8192, 8192, 8192, 8192], [11363, 9633, 6437, 2260], [10703, 4433, -4433, -10703], [9633, -2259, -11362, -6436],
  [8192, -8192, -8192, 8192], [6437, -11362, 2261, 9633], [4433, -10704, 10704, -4433], [2260, -6436, 9633, -11363],
];
const WAVES = COSINES.map((row, k) => [...row, ...row.map((v) => (k & 1 ? -v : v)).reverse()]);
const bytes = (v) => within(Math.round(v), 0, 255);
const steps = (quality, table) => {
  const scale = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  return table.map((t) => within(Math.floor((t * scale + 50) / 100), 1, 255));
};

// One plane in blocks of 8 × 8, as a function of the steps; `at` gives its whole numbers,
// beyond its edges too.
function blocks(h, w, at) {
  const turn = (block, unit, back) => each(64, (k) => {
    let sum = unit / 2;
    for (let t = 0; t < 8; t++) sum += block[8 * (k >> 3) + t] * (back ? WAVES[t][k & 7] : WAVES[k & 7][t]);
    return Math.floor(sum / unit);
  });
  const flip = (block) => each(64, (k) => block[8 * (k & 7) + (k >> 3)]);
  const all = [];
  for (let top = 0; top < h; top += 8) for (let left = 0; left < w; left += 8) {
    const block = each(64, (k) => at(top + (k >> 3), left + (k & 7)) - 128);
    // Rows to quarters, then columns to eighths of a level.
    all.push([top, left, flip(turn(flip(turn(block, 2 ** 11)), 2 ** 15))]);
  }
  return (steps) => {
    const out = new Float64Array(h * w);
    for (const [top, left, waves] of all) {
      // Halves are rounded away from nothing.
      const kept = waves.map((v, k) => Math.sign(v) * Math.floor(Math.abs(v) / (8 * steps[k]) + 0.5) * steps[k]);
      const back = turn(flip(turn(flip(kept), 2 ** 11, true)), 2 ** 18, true);
      back.forEach((v, k) => { const y = top + (k >> 3), x = left + (k & 7); if (y < h && x < w) out[y * w + x] = bytes(v + 128); });
    }
    return out;
  };
}

const reader = (h, w, data) => (y, x) => data[Math.min(h - 1, y) * w + Math.min(w - 1, x)];
const jpeg = ({ h, w, data }, [table]) => {
  const made = blocks(h, w, reader(h, w, data.map(bytes)));
  return (quality) => ({ h, w, data: made(steps(quality, table)) });
};

// Red and green, which are `own`, and blue, as libjpeg keeps them, its colours halved or not.
function coloured({ h, w, data }, tables, halved) {
  const own = data.map(bytes);
  const mixed = (a, b, half) => own.map((v) => Math.floor((a * v + b * (255 - v) + half) / 65536)), H = (h + 1) >> 1, W = (w + 1) >> 1;
  const light = blocks(h, w, reader(h, w, mixed(58065, 7471, 32768)));
  const colours = [mixed(-32768, 32768, 8421375), mixed(5329, -5329, 8421375)].map((plane) => {
    const read = reader(h, w, plane);
    if (!halved) return blocks(h, w, read);
    const made = blocks(H, W, (y, x) => { const top = 2 * Math.min(H - 1, y); return (read(top, 2 * x) + read(top, 2 * x + 1) + read(top + 1, 2 * x) + read(top + 1, 2 * x + 1) + 1 + (x & 1)) >> 2; });
    // Three parts of the nearer and one of the farther, down and then across.
    return (steps) => {
      const small = made(steps);
      return Float64Array.from(own, (_, i) => {
        const y = Math.floor(i / w), x = i % w, far = within((y >> 1) + (y & 1 ? 1 : -1), 0, H - 1), tall = (x) => 3 * small[(y >> 1) * W + x] + small[far * W + x];
        return (3 * tall(x >> 1) + tall(within((x >> 1) + (x & 1 ? 1 : -1), 0, W - 1)) + (x & 1 ? 7 : 8)) >> 4;
      });
    };
  });
  return (quality) => {
    const [luma, chroma] = tables.map((t) => steps(quality, t)), bright = light(luma), [cb, cr] = colours.map((made) => made(chroma));
    const shade = (a, b) => ({ h, w, data: bright.map((v, i) => bytes(v + Math.floor((a * (cb[i] - 128) + b * (cr[i] - 128) + 32768) / 65536))) });
    return [shade(0, 91881), shade(-22554, -46802), shade(116130, 0)];
  };
}

const jpegs = (picture, tables, inColours) => (inColours ? [true, false].map((half) => coloured(picture, tables, half)) : [jpeg(picture, tables)]);

// Levels without a screen's curve, and with it put on.
export const unlit = (v, { power, lift, knee, slope }) => { const x = within(v, 0, 255) / 255; return 255 * (x > knee ? ((x + lift) / (1 + lift)) ** power : x / slope); };
export const lit = (v, { power, lift, knee, slope }) => { const x = within(v, 0, 255) / 255; return 255 * (x > knee / slope ? (1 + lift) * x ** (1 / power) - lift : slope * x); };

// A float with so many bits in its significand, to nearest.
export const kept = (v, bits) => {
  if (!v) return 0;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(v))) + 1 - bits), k = v / unit, low = Math.floor(k);
  return (k - low === 0.5 ? low + (low & 1) : Math.round(k)) * unit;
};

// ---- how far a picture is from what was dropped ---------------------------------

function mean(v, at) {
  let sum = 0;
  for (const k of at) sum += v[k];
  return sum / at.length;
}

// y = gain · p + offset by least squares, and the error that remains, in levels of p.
export function fitted(p, y, at = [...p.keys()]) {
  const mp = mean(p, at), my = mean(y, at);
  let pp = 0, py = 0, yy = 0;
  for (const k of at) { const a = p[k] - mp, b = y[k] - my; pp += a * a; py += a * b; yy += b * b; }
  const gain = py / pp;
  return { gain, offset: my - gain * mp, rms: py ? Math.sqrt(Math.max(0, yy - gain * py) / at.length) / Math.abs(gain) : Infinity };
}

// Where y is not at an end that it meets more than once: there it may have been clipped.
function inside(y) {
  const ends = [Math.min, Math.max].map((f) => y.reduce((a, b) => f(a, b))).filter((end) => y.indexOf(end) !== y.lastIndexOf(end));
  const at = [...y.keys()], kept = at.filter((k) => !ends.includes(y[k]));
  return kept.length > 0.6 * y.length ? kept : at;
}

// The same where a frame shows, b of it in each value, and its grey is to be found.
function framed(p, b, y, at) {
  const [mp, mb, my] = [p, b, y].map((v) => mean(v, at));
  let pp = 0, pb = 0, bb = 0, py = 0, by = 0, yy = 0;
  for (const k of at) {
    const a = p[k] - mp, c = b[k] - mb, d = y[k] - my;
    pp += a * a; pb += a * c; bb += c * c; py += a * d; by += c * d; yy += d * d;
  }
  const apart = pp * bb - pb * pb;
  if (!(apart > 1e-6 * pp * bb)) return { fill: 0, ...fitted(p, y, at) };
  const gain = (py * bb - by * pb) / apart, grey = (by * pp - py * pb) / apart, fill = grey / gain;
  const rms = Math.sqrt(Math.max(0, yy - gain * py - grey * by) / at.length) / Math.abs(gain);
  // A frame is a whole grey, unless a whole one is plainly worse.
  const round = Math.round(fill), near = fitted(p.map((v, k) => v + round * b[k]), y, at);
  return near.rms <= 1.1 * rms + 0.02 ? { fill: round, ...near } : { fill: +fill.toFixed(2), rms, gain, offset: my - gain * mp - grey * mb };
}

function far(p, z) {
  let sum = 0, max = 0;
  for (let k = 0; k < p.length; k++) { const d = Math.abs(p[k] - z[k]); sum += d * d; max = Math.max(max, d); }
  return { rms: Math.sqrt(sum / p.length), max };
}

// ---- what may have happened ---------------------------------------------------

const SIDES = [-1, 0, 1];
const span = (from, to) => each(to - from + 1, (k) => from + k);
const placed = (room) => [...new Set([0, room >> 1, (room + 1) >> 1, room])];

// One axis at a time: candidates [matrix made by op(n, m, grows), what to say, grown].
function axis(kind, op, n, m, grows, { far, frames }) {
  const wide = (rows, at, all) => rows.map((row) => { const out = new Float64Array(all); out.set(row, at); return out; });
  if (kind === "crop_before") return span(0, far).flatMap((a) => span(0, Math.min(far, n - a - 2)).map((b) =>
    [() => wide(op(n - a - b, m, grows), a, n), { first: a, last: n - b - 1, cut: a + b }, m > n - a - b]));
  if (kind === "crop_after") return span(m, 3 * Math.max(n, m)).flatMap((size) => placed(size - m).map((at) =>
    [(up) => op(n, size, up).slice(at, at + m), { size, at }, size > n]));
  if (kind === "twice") return span(2, 64).map((size) => [(up, last) => after(op(size, m, last), op(n, size, up)), { size }, size > n, m > size]);
  if (kind === "frame_before") return [...new Set([0, 1, 2, 3, 4, 5, 8, 10, ...frames])].flatMap((more) => placed(more).map((at) =>
    [() => op(n + more, m, grows).map((row) => row.slice(at, at + n)), { size: n + more, at }, m > n + more]));
  if (kind === "frame_after") return span(2, m).flatMap((size) => placed(m - size).map((at) =>
    [(up) => each(m, (i) => (i >= at && i < at + size ? op(n, size, up)[i - at] : new Float64Array(n))), { size, at }, size > n]));
  const moved = (size) => SIDES.flatMap((by) => (by ? ["edge", "wrap", "empty"] : ["edge"]).map((end) => [by, end, each(size, (i) => (end === "wrap" ? (i - by + size) % size : end === "edge" ? within(i - by, 0, size - 1) : i - by))]));
  if (kind === "moved_after") return moved(m).map(([by, end, from]) => [() => { const rows = op(n, m, grows); return from.map((i) => rows[i] || new Float64Array(n)); }, { by, end }]);
  return moved(n).map(([by, end, from]) => [() => after(op(n, m, grows), from.map((i) => { const row = new Float64Array(n); if (i >= 0 && i < n) row[i] = 1; return row; })), { by, end }]);
}

const KINDS = ["crop_before", "twice", "crop_after", "frame_after", "frame_before", "moved_after", "moved_before"];
// Levels, of a recipe that explains so much that no other is asked: bytes, and floats.
const FOUND = 0.45, SHARP = 0.05;
const NEAR = 6; // levels, on all of it
const KEPT = 400; // that are worked out again: bytes that are cut are no straight line
const FAR = 8; // levels, on a few rows of the result

// Cards that were altered before one plain resize: [kind, what to say, picture, what was
// done to the result]. Where the colours are no copies, the picture holds them as `rgb`.
function altered(card, { jpeg: tables, greys, curves, order, main }) {
  const { h, w, data } = card, made = (change, base = data) => ({ h, w, data: Float64Array.from(base, change) }), blue = data.map((v) => 255 - v);
  const chosen = (rgb) => ({ ...rgb[order[main]], rgb });
  const at = (pick) => ({ h, w, data: Float64Array.from(data, (_, k) => data[pick(Math.floor(k / w), k % w)]) });
  return [
    ["plain", {}, card],
    ["half_before", { name: "float16" }, made((v) => kept(v / 255, 11) * 255)],
    ["half_before", { name: "bfloat16" }, made((v) => kept(v / 255, 8) * 255)],
    ["flip_before", { how: "across" }, at((y, x) => y * w + w - 1 - x)],
    ["flip_before", { how: "down" }, at((y, x) => (h - 1 - y) * w + x)],
    ["flip_before", { how: "turned" }, at((y, x) => (h - 1 - y) * w + w - 1 - x)],
    ["transposed", {}, { h: w, w: h, data: Float64Array.from(data, (_, k) => data[(k % h) * w + Math.floor(k / h)]) }],
    ...greys.map(({ gain, offset }) => ["grey_before", {}, made((v) => (Math.round(gain * v + offset) - offset) / gain)]),
    ...jpegs(card, tables, order).flatMap((made) => span(1, 100).map((quality) => ["jpeg_before", { quality }, order ? chosen(made(quality)) : made(quality)])),
    ...curves.flatMap((curve) => {
      const [own, other] = [data, blue].map((base) => made((v) => unlit(v, curve), base)), picture = order ? chosen([own, own, other]) : own;
      return [["light_before", { curve: curve.said }, picture], ["light_both", { curve: curve.said }, picture, (v) => lit(v, curve)]];
    }),
  ];
}

// Everything that explains y, the nearest first: {kind, said, recipe, fill, rms, max, dress}.
// `snap(fit)` returns what is known to be done to all numbers alike, or nothing.
// `channels` are {planes, main, inverted, order} where they have to be explained too.
export async function mistakes(y, card, [m, k], { recipes, jpeg: tables, greys, curves, answers, channels }, snap, rest) {
  const found = [];
  const settledBy = ([one]) => one && one.rms < FOUND && (one.rms < SHARP || snap(one, 2).some((dress) => bare(y, dress).every(whole)));
  function keep(entry) {
    if (found.length >= KEPT && entry.rms >= found.at(-1).rms) return;
    found.splice(found.findIndex((f) => f.rms > entry.rms) >>> 0, 0, entry);
    if (found.length > KEPT) found.pop();
  }
  // The most that may be left of y, in its own unit: a few levels.
  const middle = mean(y, [...y.keys()]), most = y.reduce((sum, v) => sum + (v - middle) ** 2, 0) / y.length * 0.004;
  // A frame makes the card square, or of the result's proportions.
  const up = (x) => Math.max(0, Math.round(x));
  const sides = [[card.h, m, { far: 5, frames: [up(card.w - card.h), up(card.w * m / k - card.h)] }], [card.w, k, { far: 10, frames: [up(card.h - card.w), up(card.h * k / m - card.w)] }]];
  const few = Math.max(1, Math.floor(m / 5)), at = inside(y), seen = (list) => list.filter((i) => Math.floor(i / k) % few === few >> 1), whence = [at, seen(at)], anywhere = [[...y.keys()], seen([...y.keys()])];
  const free = new Set(at), changed = altered(card, { jpeg: tables, greys, curves, ...channels });
  for (const recipe of recipes) {
    // What picks pixels is often explained by another rule that picks, all else by one.
    if (settledBy(found) && !(found[0].recipe.pick !== undefined && recipe.pick !== undefined)) continue;
    const known = new Map();
    const op = (n, size, grows) => {
      const key = [n, size, recipe.grows && grows].join();
      if (!known.has(key)) known.set(key, operator(recipe, n, size, grows));
      return known.get(key);
    };
    for (const [kind, said, picture, post] of changed) {
      const grows = m > picture.h || k > picture.w, stages = [[op(picture.h, m, grows), op(picture.w, k, grows)]];
      const p = through(picture, ...stages[0]).data;
      keep({ kind, said, recipe, picture, post, stages: () => stages, ...fitted(post ? p.map(post) : p, y, at) });
    }
    for (const kind of KINDS) {
      const grows = m > card.h || k > card.w, list = sides.map(([n, size, more]) => axis(kind, op, n, size, grows, more));
      const halves = new Map(), wholes = new Map();
      const made = (side, i, up, last) => {
        const cache = side ? wholes : halves, key = [i, up, last].join();
        if (!cache.has(key)) {
          const rows = list[side][i][0](up, last);
          cache.set(key, side ? { rows, wide: rows.map((r) => r.reduce((a, b) => a + b)), half: through(card, each(card.h, (a) => { const one = new Float64Array(card.h); one[a] = 1; return one; }), rows).data } : { rows, high: rows.map((r) => r.reduce((a, b) => a + b)) });
        }
        return cache.get(key);
      };
      const able = (a, up, last) => {
        const one = made(0, a, up, last);
        return one.able ??= unreachable(one.rows, y, k) < most;
      };
      const p = new Float64Array(m * k), b = new Float64Array(m * k), open = kind.startsWith("frame") || kind.startsWith("moved");
      for (let a = 0; a < list[0].length; a++) for (let c = 0; c < list[1].length; c++) {
        const up = !!recipe.grows && !!(list[0][a][2] || list[1][c][2]), last = !!recipe.grows && !!(list[0][a][3] || list[1][c][3]);
        if (!able(a, up, last)) continue;
        const one = made(0, a, up, last), other = made(1, c, up, last);
        const full = !open || [one.high, other.wide].every((sums) => sums.every((v) => Math.abs(v - 1) < 1e-9));
        const work = (start, by) => {
          for (let i = start; i < m; i += by) for (let j = 0, row = one.rows[i]; j < k; j++) {
            let sum = 0;
            for (let t = 0; t < row.length; t++) sum += row[t] * other.half[t * k + j];
            p[i * k + j] = sum;
            if (!full) b[i * k + j] = 1 - one.high[i] * other.wide[j];
          }
        };
        const fit = (part) => (full ? { fill: 0, ...fitted(p, y, whence[part]) } : framed(p, b, y, anywhere[part].filter((i) => free.has(i) || b[i] > 0.999)));
        // A few rows tell most of them that they are far away.
        work(few >> 1, few);
        if (fit(1).rms > FAR) continue;
        work(0, 1);
        const found = fit(0);
        if (found.rms < NEAR && found.fill >= 0 && found.fill <= 255) keep({ kind, said: { down: list[0][a][1], across: list[1][c][1] }, recipe, picture: card,
          stages: () => (kind !== "twice" ? [[one.rows, other.rows]] : [[list[0][a], list[1][c]].map(([, { size }], side) => op(side ? card.w : card.h, size, up)), [op(list[0][a][1].size, m, last), op(list[1][c][1].size, k, last)]]), ...found });
      }
    }
    await rest();
  }
  // A JPEG of the result itself, from the recorded answers that are nearest.
  const near = answers.map((answer) => ({ answer, ...fitted(answer.y, y) })).sort((a, b) => a.rms - b.rms).slice(0, 40);
  for (const { answer, ...fit } of settledBy(found) ? [] : near) {
    for (const dress of snap(fit, 12)) {
      const z = bare(y, dress);
      // A JPEG gives bytes.
      for (const made of z.every(whole) ? jpegs({ h: m, w: k, data: answer.y }, tables, channels) : []) for (const quality of span(1, 100)) {
        const rgb = channels && made(quality), { data } = rgb ? rgb[channels.order[channels.main]] : made(quality);
        keep({ kind: "jpeg_after", said: { quality }, answer, dress, whole: true, rgb, ...fitted(data, y), ...far(data, z) });
      }
    }
  }
  return found.map((entry) => (entry.kind === "jpeg_after" ? entry : settled(entry, y, snap))).filter((entry) => !channels || agrees(entry, channels)).sort((a, b) => a.rms - b.rms || a.max - b.max);
}

const bare = (y, { gain, offset }) => Float64Array.from(y, (v) => (v - offset) / gain);
const whole = (v) => Math.abs(v - Math.round(v)) < 1e-3;
const MANNERS = [{}, { rounded: true }, { passes: true }, { rounded: true, passes: true }, { clipped: true }];

// A picture through what an entry says was done, in a manner of its library.
function worked({ stages, post, fill = 0 }, picture, { rounded, passes, clipped }) {
  const [low, high] = clipped ? [Math.min, Math.max].map((f) => picture.data.reduce((a, b) => f(a, b))) : [];
  let p = picture;
  for (const [k, [down, across]] of stages().entries()) {
    if (k && rounded) p = { ...p, data: p.data.map(bytes) };
    p = through(p, down, across, fill, passes);
    // Some libraries clip to the range of what they are given.
    if (clipped) p.data = p.data.map((v) => within(v, low, high));
  }
  return post ? p.data.map(post) : p.data;
}

// Whether the other channels come out too; a frame may be of another grey in each.
function agrees(entry, { planes, main, inverted, order }) {
  return planes.every((y, c) => {
    if (c === main) return true;
    // A wave of a JPEG that is rounded the other way shows in all of a plane.
    const most = Math.max(entry.kind.startsWith("jpeg") ? 3 : entry.kind.startsWith("frame") ? 1.5 : 0.6, 1.5 * entry.rms);
    if (entry.rgb) return fitted(entry.rgb[order[c]].data, y).rms <= most;
    const { picture } = entry, free = new Set(inside(y)), minus = (p) => ({ ...p, data: p.data.map((v) => 255 - v) });
    const own = picture.rgb ? picture.rgb[order[c]] : c === inverted ? minus(picture) : picture;
    const p = worked({ ...entry, fill: 0 }, own, {}), b = worked({ ...entry, post: null, fill: 1 }, { ...own, data: own.data.map(() => 0) }, {});
    const { fill, rms } = framed(p, b, y, [...y.keys()].filter((k) => free.has(k) || b[k] > 0.999)), { dress } = entry;
    if (rms <= most) return true;
    // Where much is clipped no straight line fits.
    const z = dress && entry.whole && bare(y, { gain: dress.gains[c], offset: dress.offsets[c] });
    return !!z && [entry.fill || 0, ...SIDES.map((by) => fill + by)].some((grey) => far(p.map((v, k) => bytes(v + grey * b[k])), z).rms <= most);
  });
}

// With the gain known, all is worked out again, bytes rounded where they may have been.
function settled(entry, y, snap) {
  const ways = [...snap(entry, 2), null].flatMap((dress) => {
    const { gain, offset } = dress || entry, z = bare(y, dress || entry), integer = !!dress && z.every(whole), grey = dress?.grey && y.every(whole);
    // What was clipped beside a frame may have moved its grey by one.
    const fills = entry.fill > 0 && integer ? SIDES.map((by) => within(entry.fill + by, 0, 255)) : [entry.fill];
    return fills.flatMap((fill) => MANNERS.flatMap((manner) => {
      const p = worked({ ...entry, fill }, entry.picture, manner);
      // Grey that was made of colours was rounded as grey.
      if (grey) return { dress, fill, whole: true, ...far(p.map((v) => bytes(gain * v + offset)), y) };
      const as = (made, more) => ({ dress, fill, whole: integer, ...more, ...far(made ? p.map(made) : p, z) });
      return integer ? [as(bytes), as((v) => Math.floor(within(v, 0, 255) + 1e-4), { cut: true })] : as();
    }));
  });
  // An unknown gain has to explain more than a known one.
  const worth = (way) => way.rms * (way.dress ? 1 : 3) + (way.dress ? 0 : 1e-3);
  return { ...entry, ...ways.sort((a, b) => worth(a) - worth(b))[0] };
}
