// Which recorded answer a result is, and what else was done to it.
import { each, say, tell, unfolded, within } from "./drawing.js";
import { refuse } from "./card_files.js";
import { fitted, kept, lit, mistakes, unlit } from "./card_mistakes.js";

export const DTYPES = ["float32", "uint8"];
// One or several, in Python's words for either.
export const count = (n, word, view) => view.tell(n == 1 ? word : word + "s", { n });

// ---- the recorded answers ----------------------------------------------------

// A class of calls, each [call, dtype]; they travel as one number a call.
export const group = ([parts, idea, ...calls]) => ({ parts, idea, calls: calls.map((n) => [n >> 1, DTYPES[n & 1]]) });

// Answers travel as steps from one another (see card_explorer.py).
export function unfold(planes, { parents, whole, sets }, fine, classes) {
  const steps = unfolded(planes), n = steps.length / parents.length, fixed = [];
  parents.forEach((parent, k) => {
    fixed[k] = each(n, (i) => {
      const step = steps[k * n + i], base = parent < 0 ? 0 : fixed[parent][i];
      return whole[k] ? (within(Math.floor(base / fine + 0.5), 0, 255) + step) * fine : base + step;
    });
  });
  return fixed.map((v, k) => ({ y: v.map((x) => x / fine), whole: !!whole[k], classes: classes(sets[k]) }));
}

// A call's own answer, as if its result had been dropped.
export function recorded(number, { answers }) {
  const set = answers.findIndex(({ classes }) => classes.some(({ calls }) => calls.some(([k, dtype]) => 2 * k + DTYPES.indexOf(dtype) === number)));
  return set < 0 ? null : { all: answers.map((_, k) => ({ set: k, error: 0, rms: 0, how: k === set ? "" : null })), answers, notes: [], z: answers[set].y };
}

// ---- shapes -----------------------------------------------------------------

// Where channel k of pixel i lies: (21, 5), (3, 21, 5), (1, 21, 5, 3), … are read.
export function layout(shape, { size_in: from, size_out: [h, w] }) {
  const tight = shape.filter((n) => n !== 1).join();
  for (const [a, b] of [[h, w], [w, h]]) for (const channels of [1, 3, 4]) {
    const found = { channels, turned: a === w }, last = channels > 1 ? [channels] : [];
    if (tight === [a, b, ...last].join()) return { ...found, at: (k, i) => i * channels + k };
    if (tight === [...last, a, b].join()) return { ...found, at: (k, i) => k * h * w + i };
  }
  const itself = `,${tight},`.includes(`,${from},`);
  return refuse(itself ? "itself" : shape.length ? "size" : "one_number", { shape: shape.join(" × "), h, w });
}

// ---- comparing --------------------------------------------------------------

const WAYS = { rounded: (r) => Math.round(within(r, 0, 255)), cut: (r) => Math.floor(within(r, 0, 255)), wrapped: (r) => Math.trunc(r) & 255, rounded_wrapped: (r) => Math.round(r) & 255 };

// Every answer against z, in levels: as it stands, or made whole in one of the ways.
function against(z, slack, answers, tolerance) {
  const whole = z.every(Number.isInteger);
  return answers.map((answer, set) => {
    const exact = whole && answer.whole, apart = whole && !answer.whole, near = Math.min(tolerance, 0.01);
    const fits = Object.fromEntries(Object.keys(WAYS).map((way) => [way, apart]));
    let error = 0, sum = 0, direct = true;
    answer.y.forEach((r, i) => {
      const miss = Math.abs(z[i] - (apart ? WAYS.rounded(r) : r));
      direct &&= Math.abs(z[i] - r) <= (exact ? 0 : Math.max(tolerance, slack[i]));
      // A float may be a hair on the other side of a whole number, or of a half.
      for (const way in fits) fits[way] &&= [r - near, r, r + near].some((v) => WAYS[way](v) === z[i]);
      error = Math.max(error, miss);
      sum += miss ** 2;
    });
    const beyond = answer.y.some((r) => r < -near || r > 255 + near);
    const ways = Object.keys(WAYS).filter((way) => fits[way] && (beyond || !way.endsWith("wrapped")));
    return { set, error, rms: Math.sqrt(sum / z.length), how: direct ? "" : ways.length ? ways.join("|") : null };
  }).sort((a, b) => a.error - b.error || a.rms - b.rms);
}

// How a result parts from an answer, in words.
export function manner(how, view) {
  const [first, by, sign, of] = how.split("|");
  if (first === "divided") return view.tell(sign ? "divided." + sign : "divided", { by, of });
  const ways = how.split("|").map((way) => view.says["how." + way]).reduce((one, other) => view.tell("or", { one, other }));
  return view.tell("whole", { ways });
}

export const hits = (all) => all.filter((f) => f.how !== null);

// y = a r + b with numbers that nobody foresaw.
function undone(y, slack, r, tolerance, round = 0) {
  const { gain, offset, rms } = fitted(r, y), blur = Math.max(...slack) / Math.abs(gain);
  const fits = blur <= 0.02 && rms < 1 && r.every((v, i) => Math.abs((y[i] - offset) / gain - v) <= Math.max(tolerance, blur, round));
  return fits ? ["divided", say(1 / gain, 2), ...(Math.abs(offset) > 1e-5 ? [offset < 0 ? "minus" : "plus", say(Math.abs(offset), 4)] : [])].join("|") : null;
}

const FLIPS = { "": (y, x) => [y, x], across: (y, x, h, w) => [y, w - 1 - x], down: (y, x, h) => [h - 1 - y, x], turned: (y, x, h, w) => [h - 1 - y, w - 1 - x] };

// Planes in levels once `dress` is taken off, the card's blue turned back; else nothing.
function undressed(planes, inverted, slack, { gains, offsets, grey }) {
  if (grey && inverted >= 0) return null;
  const all = planes.map((y, c) => Float64Array.from(y, (v) => (v - offsets[c]) / gains[c]).map((v) => (c === inverted ? 255 - v : v)));
  const [low, high] = [Math.min, Math.max].map((f) => f(...all[0]));
  if (low < -90 || high > 345 || high - low < 40) return null;
  const tidy = all.map((z) => { const near = z.map(Math.round); return z.every((v, i) => Math.abs(v - near[i]) < 2e-4) ? near : z; });
  const own = tidy.findIndex((_, c) => c !== inverted), room = slack.map((s) => s / Math.abs(gains[own])), most = Math.max(...room);
  const apart = Math.max(...tidy.map((z, c) => Math.max(...z.map((v, i) => Math.abs(v - tidy[own][i])))));
  // Bytes round 255 less a half the other way, in each of two passes.
  const allowed = tidy[own].every(Number.isInteger) && inverted >= 0 ? 2 : Math.max(0.01, 2 * most);
  return apart <= allowed ? { z: tidy[own], room, own } : null;
}

// Floats with so few digits of a binary fraction that they were half precision.
function halved(planes) {
  const all = planes.flatMap((p) => [...p]), bits = [8, 11].find((b) => all.every((v) => kept(v, b) === v));
  return bits && !all.every((v) => Number.isInteger(v)) ? { bits, name: bits > 8 ? "float16" : "bfloat16" } : null;
}

export async function judge({ shape, data, slack, flipped = false, lossy, raw }, { meta, answers, pockets, card, rest, says }) {
  const { size_out: [h, w], tolerance, dresses, sentences } = meta, n = h * w;
  if (raw && data.length > n) shape = [h, w, 3];
  if (!shape && data.length === 8) {
    const tried = pockets.map((p) => {
      const all = against(data, slack, p.answers, tolerance).map((f) => (hits([f]).length ? f : { ...f, how: undone(data, slack, p.answers[f.set].y, tolerance) }));
      return { ...p, all };
    });
    const [{ all, answers, pixels }] = tried.sort((a, b) => hits(b.all).length - hits(a.all).length || a.all[0].error - b.all[0].error);
    return { all, answers, pocket: true, notes: [tell(says.compared, { pixels: pixels.join(", ") })] };
  }
  if (!shape && data.length !== n) refuse(data.length === 1 ? "count_one" : "count", { given: data.length, n });
  if (!data.every(Number.isFinite)) refuse("infinite");
  const { turned, channels, at } = layout(shape || [h, w], meta), notes = [];
  const plane = (v, k) => Float64Array.from({ length: n }, (_, i) => v[at(k, turned ? (i % w) * h + Math.floor(i / w) : i)]);
  const all4 = each(channels, (k) => plane(data, k)), flat = channels > 3 && all4[0].every((v) => v === all4[0][0]);
  const planes = flat ? all4.slice(1) : all4.slice(0, 3), half = halved(planes), alike = planes.every((p) => p.every((v, i) => v === planes[0][i]));
  const room = slack || planes[0].map((v, i) => half ? Math.max(...planes.map((p) => Math.abs(p[i]))) * 2 ** -half.bits : 0);
  // The card in colours has 255 less its red for blue, and its red for green.
  const spread = (p) => Math.max(...p) - Math.min(...p);
  // Rounded numbers part by a rounding, others by next to nothing.
  const part = half || planes.every((p) => p.every(Number.isInteger)) ? 0.012 : 0.002;
  // Blue is the one that its two twins are not, even within a frame or a JPEG.
  const pairs = planes.length < 3 || alike ? [0] : planes.map((_, c) => { const [a, b] = planes.filter((_, k) => k !== c), { gain, rms } = fitted(a, b); return gain > 0 ? rms / spread(a) : Infinity; });
  const inverted = pairs.every((far) => far <= part) ? -1 : pairs.indexOf(Math.min(...pairs)), colour = inverted >= 0;
  if (turned !== flipped) notes.push(says.swapped);
  if (lossy) notes.push(sentences.lossy);
  if (raw) notes.push(tell(sentences.raw, { type: { u1: "uint8", f4: "float32", f8: "float64" }[raw] }));
  if (flat) notes.push(sentences.alpha);
  if (colour) notes.push(sentences.orders[inverted]);
  else if (channels > 1) notes.push(says[alike ? "alike" : "channelwise"]);
  if (half) notes.push(tell(sentences.half, half));
  const moved = (p, move) => p.map((_, i) => { const [y, x] = move(Math.floor(i / w), i % w, h, w); return p[y * w + x]; });
  let all = null;
  for (const [flip, move] of Object.entries(FLIPS)) {
    const seen = planes.map((p) => moved(p, move));
    const tried = dresses.map((dress) => {
      const bare = undressed(alike ? seen.slice(0, 1) : seen, inverted, room, dress);
      return bare && { ...bare, dress, all: against(bare.z, bare.room, answers, Math.max(tolerance, 2e-6 / Math.abs(dress.gains[bare.own]))) };
    }).filter((t) => t);
    for (const t of tried) {
      // Numbers with few digits fit several: those that they fit best.
      const named = hits(t.all), least = Math.min(...named.map((f) => f.rms));
      t.all = t.all.map((f) => (f.how === "" && Math.max(...t.room) > 0.02 && f.rms > 1.3 * least + 0.002 ? { ...f, how: null } : f));
    }
    const [good] = tried.filter((t) => hits(t.all).length);
    if (good) return done({ ...good, flip });
    if (!flip && tried.length) all = tried.sort((a, b) => a.all[0].error - b.all[0].error)[0];
    if (!flip && !seen[0].every(Number.isInteger)) {
      const found = (alike ? seen.slice(0, 1) : seen).map((p, c) => answers.map(({ y, whole }, set) => ({ set, error: Infinity, rms: Infinity, how: undone(p, room, y, tolerance, whole && c === inverted ? 2.1 : 0) })));
      const one = found[+(inverted === 0)], common = one.filter(({ set }) => found.every((f) => f[set].how !== null));
      if (common.length) return done({ z: answers[common[0].set].y, all: common, dress: dresses[0], flip });
    }
  }
  const bright = litUp();
  if (bright) return bright;
  const apart = planes.some((p) => fitted(p, planes[0]).rms > part * spread(p));
  const main = planes.findIndex((_, c) => c !== inverted), y = [...planes[main]];
  const near = ({ gain, offset }, most) => {
    const far = (d) => Math.abs(Math.log(gain / d.gains[main])) * 20 + Math.abs(offset - d.offsets[main]) / Math.abs(d.gains[main]) / 4;
    return dresses.filter((d) => d.gains[main] * gain > 0 && !(d.grey && colour) && far(d) < most).sort((a, b) => far(a) - far(b)).slice(0, 3)
      .map((d) => ({ ...d, gain: d.gains[main], offset: d.offsets[main] }));
  };
  const greys = dresses.filter((d) => d.grey && d.gains[0] > 0.1).map((d) => ({ gain: d.gains[0], offset: d.offsets[0] }));
  let guess = null, flip = "";
  for (const [how, move] of Object.entries(FLIPS)) {
    const seen = planes.map((p) => moved(p, move)), channel = apart ? { planes: seen, main, inverted, order: [[2, 1, 0], [0, 2, 1], [0, 1, 2]][inverted < 0 ? 2 : inverted] } : null;
    const one = decided(await mistakes([...seen[main]], card, [h, w], { ...meta, greys: channels === 1 || alike ? greys : [], answers: how ? [] : answers, channels: channel }, near, rest));
    if (one && (!guess || one.sharp)) [guess, flip] = [one, how];
    // Floats that come back roughly may come back exactly when they are flipped.
    if (guess && (guess.sharp || guess.best.whole)) break;
  }
  if (flip) notes.push(sentences.flips[flip]);
  // Of channels that no known gain makes alike, none is named alone.
  all = all ? all.all : against(y, room, answers, tolerance).map((f) => ({ ...f, how: null }));
  if (apart && !guess) return { all, answers, notes, title: sentences.channels };
  const undo = guess?.best.dress || guess?.best;
  return { all, answers, notes, guess, z: guess && Float64Array.from(y, (v) => (v - undo.offset) / undo.gain) };

  // A screen's curve put on or undone after a recorded resize.
  function litUp() {
    for (const dress of dresses.slice(0, 2)) for (const curve of meta.curves) for (const [key, bent] of [["light_off", unlit], ["light_on", lit]]) {
      const found = (alike ? planes.slice(0, 1) : planes).map((p, c) => {
        const z = p.map((v) => v / dress.gains[0]), made = answers.map(({ y }) => ({ y: y.map((v) => bent(c === inverted ? 255 - v : v, curve)), whole: false }));
        return spread(z) < 40 || spread(z) > 300 ? made.map(() => null) : against(z, room, made, 4 * tolerance).sort((a, b) => a.set - b.set);
      });
      const common = found[0].filter((f, k) => found.every((every) => every[k] && every[k].how !== null));
      if (common.length) {
        notes.push(tell(sentences.mistakes[key], { curve: curve.said }));
        return done({ z: answers[common[0].set].y, all: common, dress, flip: "" });
      }
    }
    return null;
  }

  function done({ z, all, dress, flip }) {
    const what = [dress.said && tell(sentences.dress, { said: dress.said }), flip && sentences.flips[flip]].filter((v) => v);
    return { all, answers, notes: [...notes.map((v) => (v === says.swapped ? says.transposed : v)), ...what], z, dress };
  }
}

// What is said of the mistakes that were worked out: one, or those that fit alike.
function decided(found) {
  const [best] = found;
  if (!best) return null;
  const sharp = best.rms < 0.02, [most, top] = /^jpeg/.test(best.kind) ? [1.2, 5] : best.whole || !best.dress ? [0.6, 2.6] : [0.45, 2.6];
  if (best.rms > most || best.max > top) return null;
  const same = found.filter((f) => f.rms <= (sharp ? 3 * best.rms + 1e-3 : 1.12 * best.rms + 0.005));
  // What needs no mistake, or only grey, goes before what needs one.
  const plain = same.filter((f) => f.kind === (best.dress?.grey ? "grey_before" : "plain"));
  if (plain.length) return { best: plain[0], same: plain, sharp };
  const rival = found.find((f) => !same.includes(f) && f.kind !== best.kind && f.rms < 1.3 * best.rms);
  return { best, same: rival ? [...same, rival] : same, sharp };
}
