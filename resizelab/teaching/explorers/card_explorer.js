// Which resize is this? A dropped picture or pasted numbers against every record.
// What answers is loaded once something was dropped, pasted or linked.
import { explorer, html, svg, canvas, fragment, badge, label, say, tell, each, within, unfolded } from "./drawing.js";

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
  return { verdict, typed };
}

// The rest is text in a notebook, and a script with an address on the site.
async function later(model) {
  const part = model.get("late"), src = part.src || URL.createObjectURL(new Blob([part], { type: "text/javascript" }));
  await new Promise((onload, onerror) => document.head.append(html("script", { src, onload, onerror })));
  return globalThis.resizelabLate({ html, svg, canvas, fragment, badge, say, tell, each, within, unfolded });
}

function render(context) {
  let parts, last, seen, late, turn = 0, results = [];
  function draw(view) {
    const show = () => parts.verdict.replaceChildren(...(results.length ? late.told(results, view) : []));
    const note = (looks, words) => parts.verdict.replaceChildren(html("p", looks, words));
    async function loaded() {
      try { return (late ||= (await later(view.model))(view)); } catch { return note({ "data-refused": true }, view.says.late); }
    }
    async function run(what, side = 0) {
      const mine = ++turn;
      // Between two recipes the page may draw; a newer drop ends the search.
      const rest = async () => { await new Promise((go) => setTimeout(go)); if (mine < turn) throw new Error(); };
      if (!(await loaded()) || mine < turn) return;
      const next = await late.judged(what, view, { rest, busy: () => note("busy", view.meta.sentences.busy) });
      if (mine < turn) return;
      if (next.pocket || next.model || typeof what === "string") results = [];
      results[side] = next;
      show();
      if (next.pocket) { last = String(next.eight); view.set({ eight: next.eight }); }
    }
    async function linked(sides) {
      const mine = ++turn;
      if (!(await loaded()) || mine < turn) return;
      results = sides.map(late.recorded).filter((r) => r);
      show();
    }
    parts ||= build(view, run);
    const { state } = view, eight = state.eight && String(state.eight);
    if (state !== seen && (eight !== last || !eight)) {
      parts.typed.value = eight || "";
      results = [];
      if (eight) run(eight);
      else if (state.sides) linked(state.sides);
      else show();
    }
    [seen, last] = [state, eight];
    if (results.length) show();
    return "";
  }
  return explorer(context, { kind: "card", draw });
}

export default { render };
