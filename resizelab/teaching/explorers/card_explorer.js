// Which resize is this? A dropped picture or pasted numbers against every record.
import { explorer, html, svg, canvas, fragment, badge, label, say, tell, each, within, unfolded } from "./drawing.js";
import { BROKEN, numbers, opened, refuse } from "./card_files.js";
import { callOf, isModel } from "./card_models.js";
import { fitted, kept, lit, mistakes, unlit } from "./card_mistakes.js";

const DTYPES = ["float32", "uint8"];
// One or several, in Python's words for either.
const count = (n, word, view) => view.tell(n == 1 ? word : word + "s", { n });

// ---- shapes -----------------------------------------------------------------

// Where channel k of pixel i lies: (21, 5), (3, 21, 5), (1, 21, 5, 3), … are read.
function layout(shape, { size_in: from, size_out: [h, w] }) {
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
function manner(how, view) {
  const [first, by, sign, of] = how.split("|");
  if (first === "divided") return view.tell(sign ? "divided." + sign : "divided", { by, of });
  const ways = how.split("|").map((way) => view.says["how." + way]).reduce((one, other) => view.tell("or", { one, other }));
  return view.tell("whole", { ways });
}

const hits = (all) => all.filter((f) => f.how !== null);

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

async function judge({ shape, data, slack, flipped = false, lossy, raw }, { meta, answers, pockets, card, rest, says }) {
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

// ---- telling ----------------------------------------------------------------

// Calls as [call, dtype]: the plainest names, and all of them as a user writes them.
function list(calls, view) {
  const { meta } = view, byLibrary = new Map();
  for (const [k, dtype] of calls) {
    const [name, library, text] = meta.calls[k], names = byLibrary.get(library) || new Map(), [, given] = names.get(name) || [text, []];
    byLibrary.set(library, names.set(name, [text, [...given, dtype]]));
  }
  const lines = [...byLibrary].map(([library, names]) => {
    const all = [...names.keys()].sort((a, b) => a.length - b.length), most = all.length > 5 ? 3 : 5;
    return html("li", {}, badge(view.look(library)), ` ${library} ${meta.versions[library]}: `, html("strong", {}, all.slice(0, most).join(", ")), all.length > most ? view.tell("and_more", { n: all.length - most }) : null);
  });
  const written = [...byLibrary.values()].flatMap((names) => [...names]).map(([name, [text, given]]) =>
    html("li", { "data-call": name, "data-dtypes": given.join() }, view.tell("given.call", { name, given: given.reduce((one, other) => view.tell("or", { one, other })) }), html("code", {}, text)));
  return [html("ul", "answers", lines), html("details", {}, html("summary", {}, view.says.as_called), html("ul", {}, written))];
}

const idea = (k, { meta }) => meta.ideas[k].slice(0, 4).filter((word) => word).join(" · ");

function told({ set, how, error }, answers, view, miss) {
  const { classes } = answers[set], given = new Set(classes.flatMap((c) => c.calls.map(([, dtype]) => dtype)));
  const types = [...given].sort().reduce((one, other) => view.tell("or", { one, other }));
  const words = miss ? view.tell("given.miss", { far: count(say(error, 4), "level", view), types }) : how ? view.tell("given.then", { types, how: manner(how, view) }) : view.tell("given", { types });
  return html("div", { [miss ? "data-miss" : "data-same"]: set, "data-how": how && manner(how, view), "data-error": error }, classes[0].idea == null ? null : html("p", {}, html("strong", {}, idea(classes[0].idea, view))), html("p", {}, words),
    (miss ? classes.slice(0, 1) : classes).map((c, k) => html("div", {}, k ? html("p", {}, view.tell("apart", { parts: c.parts })) : null, list(c.calls, view))));
}

// One mistake in a sentence of Python's.
function sentence({ kind, said, fill, dress }, { meta: { sentences, directions } }, all = []) {
  // Sizes that give the same numbers are said as a range.
  const range = (side) => { const sizes = [said, ...all.filter((f) => f.kind === kind).map((f) => f.said)].map((s) => s[side]?.size), [low, high] = [Math.min(...sizes), Math.max(...sizes)]; return low === high ? low : `(${low} to ${high})`; };
  const { down = {}, across = {} } = said, values = { ...said, fill, dress: dress?.said, h: range("down"), w: range("across"), top: down.at, left: across.at, rows: down.cut, columns: across.cut, first_row: down.first + 1, last_row: down.last + 1, first_column: across.first + 1, last_column: across.last + 1 };
  if (down.end) values.way = [down.by && directions[0][+(down.by > 0)], across.by && directions[1][+(across.by > 0)]].filter((v) => v).join(", ");
  return tell(sentences.mistakes[kind + (said.how ? "_" + said.how : "")], values);
}

// The sentences of all that explains it alike, the nearest first.
function explained({ best, same }, view) {
  const twins = same.filter((f) => f.recipe === best.recipe);
  return same.map((f) => sentence(f, view, f.kind === "twice" ? twins : []));
}

function guessed(guess, view) {
  const { best, same, sharp } = guess, every = explained(guess, view), ways = [...new Set(every)], shown = ways.slice(0, 3), { sentences } = view.meta;
  const dress = best.dress && best.dress.said && !best.kind.startsWith("grey") ? tell(sentences.dress, best.dress) + " " : "";
  const recipes = [...new Set(same.filter((_, k) => every[k] === ways[0]).map((f) => f.recipe).filter((r) => r))];
  return [html("p", { "data-mistake": best.kind, "data-ways": ways.length }, html("strong", {}, shown.join(" " + sentences.or + " ")), " ", dress, best.cut ? sentences.cut + " " : "", tell(best.max === 0 ? sentences.exact : sharp ? sentences.sure : sentences.likely, { max: say(best.max ?? best.rms, sharp ? 4 : 1), rms: say(best.rms, sharp ? 4 : 2) })),
    ...(best.answer ? best.answer.classes.slice(0, 1).flatMap((c) => [html("p", {}, html("strong", {}, idea(c.idea, view))), ...list(c.calls, view)]) : []),
    ...recipes.slice(0, 3).flatMap((r) => [html("p", { "data-recipe": r.name }, html("strong", {}, r.said)), ...list(r.calls.map((k) => [k, best.whole ? "uint8" : "float32"]), view)])];
}

function report(found, view) {
  let { all, answers, notes, refused, guess, title, model } = found;
  if (model) return modelTold(found, view);
  if (refused) return [html("p", { "data-refused": true }, html("strong", {}, refused))];
  const same = best(all), calls = new Set(same.flatMap((f) => answers[f.set].classes.flatMap((c) => c.calls.map(([k]) => k)))).size;
  title ||= calls ? view.tell("same", { calls: count(calls, "call", view) }) : guess ? "" : view.says[all[0].error > 20 ? "not_this" : "no_call"];
  const misses = all.filter((f) => f.how === null).slice(0, 3);
  return [html("p", {}, html("strong", {}, title), " ", notes.join(" ")),
    ...(guess ? guessed(guess, view) : []),
    ...same.map((f) => told(f, answers, view)),
    html("details", { open: !calls && !guess }, html("summary", {}, view.says.misses), misses.map((f) => told(f, answers, view, true)))];
}

// ---- a model ------------------------------------------------------------------

const shown = (shape) => (shape ? shape.map((n) => (n === null || n < 0 ? "?" : n)).join(" × ") : "?");

// One node: its sizes, what it computes, who reads it otherwise, and the same elsewhere.
function nodeTold(node, libraries, view) {
  const { meta, answers } = view, { sentences: { models: said } } = meta;
  const place = (call) => { const set = call < 0 ? -1 : answers.findIndex(({ classes }) => classes.some(({ calls }) => calls.some(([k, dtype]) => k === call && dtype === "float32"))); return set < 0 ? null : { set, group: answers[set].classes.find(({ calls }) => calls.some(([k]) => k === call)) }; };
  const read = libraries.map((library) => ({ library, ...place(callOf(node, library, meta)) })).filter(({ group }) => group), [first] = read;
  const head = html("p", { "data-node": node.name }, html("strong", {}, node.name.slice(0, 80)), `: ${node.op}, ${shown(node.before)} → ${shown(node.after)}`);
  if (!first) return html("div", {}, head, html("p", {}, said.unknown));
  const others = read.filter(({ set }) => set !== first.set).map(({ library, set }) => tell(said.otherwise, { library, most: say(Math.max(...answers[set].y.map((v, i) => Math.abs(v - answers[first.set].y[i]))), 2) }));
  const between = node.scales && node.before?.some((n, k) => n > 0 && node.scales[k] > 0 && Math.abs(n * node.scales[k] % 1) > 1e-6);
  const elsewhere = first.group.calls.filter(([k, dtype]) => dtype === "float32" && !libraries.includes(meta.calls[k][1]) && !/^(onnx|openvino|ncnn|litert)/.test(meta.calls[k][1]));
  return html("div", {}, head, html("p", {}, html("strong", {}, idea(first.group.idea, view))), ...(others.length ? others : read.length < 2 ? [] : [tell(said.alike, { libraries: read.map((r) => r.library).join(", ") })]).map((line) => html("p", {}, line)),
    between ? html("p", {}, said.between) : null, html("p", {}, elsewhere.length ? said.training : said.no_training), ...(elsewhere.length ? list(elsewhere, view) : []));
}

const modelTold = ({ model: { nodes, libraries } }, view) => {
  const { models: said } = view.meta.sentences;
  return [html("p", { "data-model": nodes.length }, html("strong", {}, nodes.length ? tell(said.nodes, { count: count(nodes.length, "node", view) }) : said.none)), ...nodes.slice(0, 100).map((node) => nodeTold(node, libraries, view))];
};

const best = (all) => hits(all).sort((a, b) => a.how.length - b.how.length || a.rms - b.rms);

// ---- two sides --------------------------------------------------------------

// What one side is, in words that can be compared, and its calls by library.
function facts({ all, answers, notes, guess }, view) {
  const [hit] = best(all), recipe = guess?.best.recipe, from = hit ? answers[hit.set].classes[0] : guess?.best.answer?.classes[0];
  const idea = from ? view.meta.ideas[from.idea] : recipe ? [...recipe.said.split(" · "), ""] : null;
  if (!idea) return null;
  const calls = from ? from.calls : recipe.calls.map((k) => [k, "float32"]);
  return { idea, calls, words: [...idea.slice(0, 4), hit?.how ? manner(hit.how, view) : "", [...notes, guess ? explained(guess, view)[0] : ""].filter((v) => v).join(" ")] };
}

// A call of a library that one side uses, with which it gives the other side's numbers.
function mended(mine, theirs, { meta }) {
  const libraries = [...new Set(mine.calls.map(([k]) => meta.calls[k][1]))];
  return libraries.map((library) => {
    const [call] = theirs.calls.filter(([k]) => meta.calls[k][1] === library).map(([k]) => meta.calls[k][2]);
    return html("li", {}, `${library}: `, call ? html("code", {}, call) : meta.sentences.sides.no_call);
  });
}

// Where two results part, a square a pixel: the darker, the farther.
function where(a, b, [h, w], view) {
  const far = each(h * w, (i) => Math.abs(a[i] - b[i])), most = Math.max(...far), at = far.indexOf(most), size = 12;
  const figure = canvas(w * size, h * size, view.tell("where", { row: Math.floor(at / w) + 1, column: (at % w) + 1 }));
  far.forEach((d, i) => figure.append(svg("rect", { x: (i % w) * size, y: Math.floor(i / w) * size, width: size - 1, height: size - 1, fill: "currentColor", "fill-opacity": 0.06 + 0.94 * d / (most || 1) })));
  return { most, figure, at };
}

function both(results, view) {
  const { meta } = view, { sentences: { sides } } = meta, [one, other] = results.map((r) => (r.refused || r.pocket || r.model ? null : facts(r, view)));
  if (!one || !other) return [html("p", {}, html("strong", {}, sides.unknown))];
  const parts = sides.fields.map((name, k) => [name, one.words[k], other.words[k]]).filter(([, a, b]) => a !== b);
  const [a, b] = results.map((r) => r.z), seen = a && b && where(a, b, meta.size_out, view), same = !parts.length && seen?.most < 0.01;
  const values = { what: parts.map(([name]) => name).join(", "), most: say(seen?.most ?? 0, 3), row: Math.floor(seen?.at / meta.size_out[1]) + 1, column: seen?.at % meta.size_out[1] + 1 };
  const code = [[one, other, sides.first], [other, one, sides.second]].map(([mine, theirs, title]) => [title, mended(mine, theirs, view)]);
  const [k, l] = [one, other].map(({ calls: [[call, dtype]] }) => 2 * call + DTYPES.indexOf(dtype)), page = (one.idea[4] === "grids" ? other : one).idea[4];
  return [html("p", { "data-apart": values.what }, html("strong", {}, tell(same ? sides.same : parts.length ? sides.differ : sides.bytes, values))),
    html("div", "pair", html("div", {}, parts.length ? html("ul", {}, parts.map(([name, x, y]) => html("li", {}, `${name}: ${x || sides.none} | ${y || sides.none}`))) : null,
      ...(same ? [] : code.flatMap(([title, lines]) => [html("p", {}, title), html("ul", {}, lines)]))), same || !seen ? null : html("div", {}, seen.figure)),
    html("p", {}, page ? html("a", { href: page + ".html" }, sides.chapter) : null, page ? " · " : null, html("a", { href: fragment("card", { sides: [k, l] }) }, sides.link))].filter((v) => v);
}

// ---- the explorer -----------------------------------------------------------

// A class of calls, each [call, dtype]; they travel as one number a call.
const group = ([parts, idea, ...calls]) => ({ parts, idea, calls: calls.map((n) => [n >> 1, DTYPES[n & 1]]) });

// Answers travel as steps from one another (see card_explorer.py).
function unfold(planes, { parents, whole, sets }, fine, classes) {
  const steps = unfolded(planes), n = steps.length / parents.length, fixed = [];
  parents.forEach((parent, k) => {
    fixed[k] = each(n, (i) => {
      const step = steps[k * n + i], base = parent < 0 ? 0 : fixed[parent][i];
      return whole[k] ? (within(Math.floor(base / fine + 0.5), 0, 255) + step) * fine : base + step;
    });
  });
  return fixed.map((v, k) => ({ y: v.map((x) => x / fine), whole: !!whole[k], classes: classes(sets[k]) }));
}

function build(view, run) {
  const { arrays, meta } = view, { png, npy } = meta;
  const [h, w] = meta.size_out, [H, W] = meta.size_in, { data } = arrays.card;
  const file = html("input", { type: "file", onchange: () => { const [one] = file.files; file.value = ""; if (one) run(one); } });
  const typed = html("textarea", { rows: 2, spellcheck: "false" });
  const second = html("input", { type: "file", onchange: () => { const [one] = second.files; second.value = ""; if (one) run(one, 1); } });
  const beside = html("div", "drop", label(meta.sentences.sides.drop, second), second);
  const pick = html("div", "drop", label(view.says.drop, file), file);
  const ask = html("form", { class: "rl-control", onsubmit: (event) => { event.preventDefault(); run(typed.value); } },
    label(view.tell("paste", { n: h * w }), typed), typed, html("button", {}, view.says.name),
    html("small", {}, view.says.pocket.split(/\{(\w+)\}/).flatMap((part, k) => (k % 2 ? meta.pockets.flatMap((p, i) => [i ? view.says.or_pocket : "", html("strong", {}, p.pixels.join(", "))]) : part))));
  const tasks = html("div", {}, html("img", { class: "rl-card", src: png, width: W * 8, height: H * 8, alt: view.says.alt }),
    html("p", {}, html("a", { href: png, download: "resize-card.png" }, view.says.png), " · ", html("a", { href: npy, download: "resize-card.npy" }, view.says.npy)),
    html("details", {}, html("summary", {}, view.says.as_numbers), html("textarea", { readonly: true, rows: 4, "aria-label": view.says.as_numbers }, JSON.stringify(each(H, (y) => [...data.subarray(y * W, y * W + W)])))));
  const verdict = html("div", { class: "rl-verdict", role: "status" });
  view.stage.append(html("div", "pair", tasks, html("div", {}, pick, beside, ask)), verdict);
  for (const kind of ["dragover", "drop"]) view.root.addEventListener(kind, (event) => {
    const { files: [one] } = event.dataTransfer;
    event.preventDefault();
    event.stopPropagation();
    if (kind === "drop" && one) run(one, +beside.contains(event.target));
  });
  const answers = unfold(arrays.steps, meta, meta.fine, (set) => set.map(group));
  const pockets = meta.pockets.map((pocket, k) => ({ ...pocket, answers: unfold(arrays["pocket" + k], pocket, meta.fine, (calls) => [group(["", null, ...calls])]) }));
  return { meta, answers, pockets, verdict, typed, card: { h: H, w: W, data: Float64Array.from(data) } };
}

function render(context) {
  let parts, last, seen, turn = 0, results = [];
  function draw(view) {
    // One side alone, or what parts the two, and then each.
    function show() {
      const { sides } = view.meta.sentences, there = results.filter((r) => r);
      parts.verdict.replaceChildren(...(there.length < 2 ? there.flatMap((r) => report(r, view)) : [...both(results, view),
        ...results.map((r, k) => html("details", {}, html("summary", {}, k ? sides.other : sides.one), report(r, view)))]));
    }
    async function run(what, side = 0) {
      const mine = ++turn;
      let next, given;
      // Between two recipes the page may draw; a newer drop ends the search.
      const rest = async () => { await new Promise((go) => setTimeout(go)); if (mine < turn) throw new Error(); };
      try {
        given = typeof what === "string" ? numbers(what) : await opened(what, (shape) => layout(shape, parts.meta), parts.meta.size_out[0] * parts.meta.size_out[1]);
        if (given.data?.length !== 8) parts.verdict.replaceChildren(html("p", "busy", view.meta.sentences.busy));
        next = given.model ? given : await judge(given, { ...parts, rest, says: view.says });
      } catch (error) { next = { refused: view.tell("refused." + ((error.constructor === Error && error.message) || BROKEN), error.values || {}) }; }
      if (mine < turn) return;
      if (next.pocket || next.model || typeof what === "string") results = [];
      results[side] = next;
      show();
      if (next.pocket) { last = String(given.data); view.set({ eight: given.data }); }
    }
    view.meta = (parts ||= build(view, run)).meta;
    view.answers = parts.answers;
    const { state } = view, eight = state.eight && String(state.eight);
    if (state !== seen && (eight !== last || !eight)) {
      results = (state.sides || []).map((n) => recorded(n, parts)).filter((r) => r);
      if (eight) run(parts.typed.value = eight);
      else { parts.typed.value = ""; show(); }
    }
    [seen, last] = [state, eight];
    if (results.length) show();
    return "";
  }
  return explorer(context, { kind: "card", draw });
}

// A call's own answer, as if its result had been dropped.
function recorded(number, { answers }) {
  const set = answers.findIndex(({ classes }) => classes.some(({ calls }) => calls.some(([k, dtype]) => 2 * k + DTYPES.indexOf(dtype) === number)));
  return set < 0 ? null : { all: answers.map((_, k) => ({ set: k, error: 0, rms: 0, how: k === set ? "" : null })), answers, notes: [], z: answers[set].y };
}

export default { render };
