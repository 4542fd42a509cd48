// Grey pixels through the reader's own canvas, and which rule made what came back. The
// rules are Python's: the page multiplies and compares.
import { html, unpack, each, say, tell } from "./drawing.js";

// A canvas that holds grey bytes, and the bytes that a canvas holds.
function canvasOf(bytes, h, w) {
  const node = document.createElement("canvas"), image = new ImageData(w, h);
  node.width = w;
  node.height = h;
  bytes.forEach((v, i) => image.data.set([v, v, v, 255], 4 * i));
  node.getContext("2d", { willReadFrequently: true }).putImageData(image, 0, 0);
  return node;
}
const bytesOf = (context, h, w) => Array.from(context.getImageData(0, 0, w, h).data).filter((_, i) => i % 4 === 0);

// One way of the browser to make (h, w) bytes into (m, n) bytes.
async function through(bytes, [h, w], { call, options }, [m, n]) {
  const context = canvasOf([], m, n).getContext("2d", { willReadFrequently: true });
  if (call === "createImageBitmap") {
    const plain = { premultiplyAlpha: "none", colorSpaceConversion: "none", resizeWidth: n, resizeHeight: m };
    const source = canvasOf(bytes, h, w).getContext("2d", { willReadFrequently: true }).getImageData(0, 0, w, h);
    context.drawImage(await createImageBitmap(source, { ...plain, ...options }), 0, 0);
  } else {
    Object.assign(context, options);
    context.drawImage(canvasOf(bytes, h, w), 0, 0, w, h, 0, 0, n, m);
  }
  return bytesOf(context, m, n);
}

// ---- the table -----------------------------------------------------------------

// What a rule makes of the card: a sum of products, every row, then every column.
function rebuilt(bytes, [h, w], [m, n], [key, inBytes, shares], arrays) {
  const clip = (v) => Math.max(0, Math.min(255, v)), y = new Float64Array(m * n);
  const dot = (matrix, i, count, of) => { let sum = 0; for (let k = 0; k < count; k++) sum += matrix[i * count + k] * of(k); return sum; };
  shares.forEach((share, part) => {
    const down = arrays[`${key}|${part}|down`].data, across = arrays[`${key}|${part}|across`].data;
    const half = each(h * n, (at) => dot(across, at % n, w, (k) => bytes[Math.floor(at / n) * w + k])).map((v) => (inBytes ? clip(Math.round(v)) : v));
    y.forEach((_, at) => { y[at] += share * dot(down, Math.floor(at / n), h, (k) => half[k * n + (at % n)]); });
  });
  return Array.from(y, clip);
}

function verdict(answer, made, { words, limit, alike }) {
  if (!answer) return words.absent;
  const gaps = made.map(([key, y]) => [key, Math.max(...y.map((v, i) => Math.abs(v - answer[i])))]);
  const least = Math.min(...gaps.map(([, gap]) => gap)), [key, gap] = gaps.find((one) => one[1] <= least + alike), rule = words["rule." + key];
  return gap <= limit ? rule : tell(words.unknown, { rule, gap: say(gap, 0) });
}

async function render({ model, el }) {
  const s = model.get("setup"), { words } = s, box = await unpack(model.get("payload"));
  const card = Array.from(box.arrays.card.data), [h, w] = s.from, [m, n] = s.size;
  const made = s.rules.map((rule) => [rule[0], rebuilt(card, s.from, s.size, rule, box.arrays)]);
  const back = bytesOf(canvasOf(card, h, w).getContext("2d", { willReadFrequently: true }), h, w);
  const altered = back.some((v, i) => v !== card[i]);
  const answers = [];
  for (const [, call, options] of s.ways) answers.push(altered ? null : await through(card, s.from, { call, options }, s.size).catch(() => null));
  const said = answers.map((answer) => verdict(answer, made, s));
  const alike = s.others.map(([name, theirs]) => tell(words.alike, { name, n: said.filter((word, k) => word === theirs[k]).length, all: said.length }));
  // A picture of bytes, each pixel as large as the style sheet says.
  const shown = (bytes, high, wide, label) => {
    const node = canvasOf(bytes, high, wide);
    for (const [key, value] of Object.entries({ class: "rl-pixels", role: "img", "aria-label": label, style: `width:${Math.max(2, Math.round(100 / wide)) * wide}px` })) node.setAttribute(key, value);
    return node;
  };
  const rows = s.ways.map(([way], k) => html("tr", {}, html("th", { scope: "row" }, html("code", {}, way)),
    html("td", { "data-way": way }, answers[k] && shown(answers[k], m, n, tell(words.picture, { way })), said[k]),
    s.others.map(([, theirs]) => html("td", theirs[k] === said[k] ? { class: "rl-alike" } : {}, theirs[k]))));
  const root = html("figure", { class: "rl-fig rl-browser", "data-side": s.side, "data-said": JSON.stringify(said) },
    html("p", { class: "rl-told", role: "status" }, altered ? words.altered : [...alike, words.same].join(" ")),
    html("div", { class: "rl-numbers", role: "region", tabindex: 0, "aria-label": words["table." + s.side] },
      html("table", {}, html("caption", {}, words["table." + s.side]), html("thead", {}, html("tr", {}, [words["head.way"], words["head.own"], ...s.others.map(([name]) => name)].map((head) => html("th", { scope: "col" }, head)))),
        html("tbody", {}, html("tr", {}, html("th", { scope: "row" }, words["head.card"]), html("td", {}, shown(card, h, w, words["head.card"])), s.others.map(() => html("td")))), html("tbody", {}, rows))));
  el.append(root);
  return () => root.remove();
}

export default { render };
