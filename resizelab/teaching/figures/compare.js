import { html, svg, apply, each, tell, unique, unpack, within } from "./drawing.js";
import { photograph, SIDE, square, drawing } from "./photograph.js";
// Two pictures in one place. A guess first; then they swap, blink for a while and stop,
// and two loupes look at the same place of both.

const SWAPS = 6, EVERY = 800; // milliseconds; it ends before five seconds are over

// What operators make of a square picture: each on every row, then on every column.
// What is stored stops at the ends of a byte, or keeps its eight lowest bits.
function through(part, links, wraps) {
  const from = drawing(part).getImageData(0, 0, SIDE, SIDE).data;
  let planes = each(3, (c) => each(SIDE, (y) => each(SIDE, (x) => from[4 * (SIDE * y + x) + c])));
  for (const [down, across] of links) planes = planes.map((plane) => {
    const rows = plane.map((line) => apply(across, line)), columns = each(across.nOut, (x) => apply(down, rows.map((line) => line[x])));
    return each(down.nOut, (y) => each(across.nOut, (x) => columns[x][y]));
  });
  const n = links.at(-1)[0].nOut, level = (v) => (wraps ? Math.round(v) & 255 : Math.round(v)), made = square(n), image = new ImageData(n, n);
  for (let k = 0; k < n * n; k++) for (let c = 0; c < 4; c++) image.data[4 * k + c] = c < 3 ? level(planes[c][Math.floor(k / n)][k % n]) : 255;
  drawing(made).putImageData(image, 0, 0);
  return made;
}

function compare({ model, el }) {
  let s = model.get("setup"), stage = null;
  const gone = new AbortController();
  const { words, labels, called } = s, given = s;
  let urls = ["first", "second"].map((key) => URL.createObjectURL(new Blob([model.get(key)], { type: "image/webp" })));
  const image = (k, alt = "") => html("img", { src: urls[k], alt, width: s.width, height: s.height });
  const said = html("p", { class: "rl-told", role: "status" });
  const root = html("figure", { class: "rl-fig rl-compare" + (s.squares ? " rl-squares" : ""), "aria-label": s.question });
  const pair = html("div", "two", called.map((label, k) => html("figure", {}, html("div", "under", image(k, s.alts[k]), s.rim ? svg("svg", { viewBox: `0 0 ${s.width} ${s.height}`, "aria-hidden": "true", class: "rl-masks" }, ["rl-rim-under", "rl-rim"].map((look) => svg("path", { d: s.rim, class: look }))) : null), html("figcaption", {}, label))));
  const ask = html("fieldset", "pick", html("legend", {}, s.question),
    s.options.map((option, k) => html("button", { type: "button", "data-option": k, onclick: () => answered(k) }, option)));
  root.append(pair, ask, said);
  el.append(root);

  function answered(k) {
    root.dataset.answered = k;
    ask.replaceWith();
    lay();
    said.textContent = words[k === s.right ? "right" : "wrong"] + s.explain;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) stage.blink();
    stage.focus();
    if (Object.keys(s.own).length) owned();
  }

  function lay() {
    const next = laid();
    (stage?.node || pair).replaceWith(next.node);
    stage?.stop();
    stage = next;
  }

  // A field for a photograph; the same operators as above make the two pictures of it.
  async function owned() {
    const { ops } = await unpack(model.get("payload"));
    const recorded = urls;
    root.append(photograph(words, gone.signal, (part) => {
      if (!part) { [s, urls] = [given, recorded]; lay(); return ""; }
      const made = labels.map((name) => through(part, s.own[name].map((pair) => pair.map((key) => ops[key])), name === s.wraps)), n = made[0].width;
      urls = made.map((one) => one.toDataURL());
      s = { ...given, masks: {}, width: n, height: n, start: [n >> 1, n >> 1] };
      lay();
      return tell(words.mine, { n, side: SIDE });
    }));
  }

  function laid() {
    const hop = s.squares ? 1 : 4; // pixels that an arrow key moves the loupes
    let shown = 0, masked = false, timer = 0, [y, x] = s.start;
    const images = labels.map((_, k) => image(k));
    const path = (key, look) => svg("path", { d: s.masks[key], class: look });
    const masks = s.masks.true ? labels.map((label) => svg("svg", { viewBox: `0 0 ${s.width} ${s.height}`, "aria-hidden": "true", class: "rl-masks" }, path(label, "rl-mask"), path("true", "rl-true"))) : [];
    const loupes = called.map((label, k) => html("div", { class: "rl-loupe", role: "img", "aria-label": tell(words.loupe, { label, zoom: s.zoom }), style: `background-image:url(${urls[k]})` }, html("span", {}, label)));
    const stage = html("div", { class: "rl-stage", role: "button", tabindex: 0, onclick: () => { stop(); swap(); } }, images, masks, html("span", "label"));
    const press = (label, run) => html("button", { type: "button", onclick: run }, label);
    const mask = masks.length ? press(words.mask, () => { masked = !masked; mask.setAttribute("aria-pressed", masked); show(); }) : null;
    mask?.setAttribute("aria-pressed", false);
    const node = html("div", { id: unique() }, html("div", "over", stage, html("div", "buttons", press(words.blink, blink), press(words.swap, () => { stop(); swap(); }), mask)), html("div", "loupes", loupes));
    function show() {
      images.forEach((img, k) => { img.hidden = k !== shown; });
      masks.forEach((one, k) => { one.style.display = masked && k === shown ? "" : "none"; });
      stage.lastChild.textContent = called[shown];
      stage.setAttribute("aria-label", tell(words.stage, { shown: called[shown] }));
      root.dataset.shown = labels[shown];
      for (const loupe of loupes) {
        const wide = loupe.clientWidth || 150, high = loupe.clientHeight || 100;
        loupe.style.backgroundSize = `${s.width * s.zoom}px ${s.height * s.zoom}px`;
        loupe.style.backgroundPosition = `${wide / 2 - (x + 0.5) * s.zoom}px ${high / 2 - (y + 0.5) * s.zoom}px`;
      }
    }
    function swap() { shown = 1 - shown; show(); }
    function stop() { clearInterval(timer); timer = 0; }
    function blink() {
      stop();
      let left = SWAPS;
      timer = setInterval(() => { swap(); if (!--left) stop(); }, EVERY);
    }
    stage.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [0, -hop], ArrowRight: [0, hop], ArrowUp: [-hop, 0], ArrowDown: [hop, 0] }[event.key];
      if (event.key === " " || event.key === "Enter") { stop(); swap(); }
      else if (move) { y = within(y + move[0], 0, s.height - 1); x = within(x + move[1], 0, s.width - 1); show(); }
      else return;
      event.preventDefault();
    });
    stage.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse") return;
      const box = stage.getBoundingClientRect();
      x = within(((event.clientX - box.left) / box.width) * s.width, 0, s.width - 1);
      y = within(((event.clientY - box.top) / box.height) * s.height, 0, s.height - 1);
      show();
    });
    requestAnimationFrame(show);
    return { node, blink, stop, focus: () => stage.focus({ preventScroll: true }) };
  }
  return () => { gone.abort(); for (const url of urls) URL.revokeObjectURL(url); root.remove(); };
}

export default { render: compare };
