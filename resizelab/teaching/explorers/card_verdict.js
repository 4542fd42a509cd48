// All that is needed once there is something to judge. A page loads it then, as one
// script (see `late` in base.py): what it has of drawing.js is handed to it.
import { each, say, tell, html, svg, canvas, fragment, badge } from "./drawing.js";
import { BROKEN, numbers, opened } from "./card_files.js";
import { callOf } from "./card_models.js";
import { DTYPES, count, group, hits, judge, layout, manner, recorded, unfold } from "./card_judge.js";

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

// ---- what the explorer asks for ---------------------------------------------

export function verdict({ arrays, meta }) {
  const [h, w] = meta.size_out, [H, W] = meta.size_in;
  const answers = unfold(arrays.steps, meta, meta.fine, (set) => set.map(group));
  const pockets = meta.pockets.map((pocket, k) => ({ ...pocket, answers: unfold(arrays["pocket" + k], pocket, meta.fine, (calls) => [group(["", null, ...calls])]) }));
  const parts = { meta, answers, pockets, card: { h: H, w: W, data: Float64Array.from(arrays.card.data) } };
  return {
    // A file, or text: what was found, or why it is not taken.
    async judged(what, view, { busy, rest }) {
      try {
        const given = typeof what === "string" ? numbers(what) : await opened(what, (shape) => layout(shape, meta), h * w);
        if (given.data?.length !== 8) busy();
        return given.model ? given : { ...(await judge(given, { ...parts, rest, says: view.says })), eight: given.data };
      } catch (error) { return { refused: view.tell("refused." + ((error.constructor === Error && error.message) || BROKEN), error.values || {}) }; }
    },
    recorded: (number) => recorded(number, parts),
    // One side alone, or what parts the two, and then each.
    told(results, view) {
      const { sides } = meta.sentences, there = results.filter((r) => r), known = { ...view, meta, answers };
      return there.length < 2 ? there.flatMap((r) => report(r, known)) : [...both(results, known),
        ...results.map((r, k) => html("details", {}, html("summary", {}, k ? sides.other : sides.one), report(r, known)))];
    },
  };
}
