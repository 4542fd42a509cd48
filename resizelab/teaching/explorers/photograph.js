// The reader's own photograph: a part of it, kept in this browser alone, and the same
// for all that stand on the page.
import { html, label, tell } from "./drawing.js";

const KEPT = "resizelab.photo";
export const SIDE = 256;
export const square = (n) => Object.assign(document.createElement("canvas"), { width: n, height: n });
export const drawing = (node) => node.getContext("2d", { willReadFrequently: true });

// The middle of a picture, cut and not resized; null where it is too small.
async function cut(source) {
  const whole = await createImageBitmap(source), part = square(SIDE), { width, height } = whole;
  if (Math.min(width, height) < SIDE) return null;
  drawing(part).drawImage(whole, (width - SIDE) >> 1, (height - SIDE) >> 1, SIDE, SIDE, 0, 0, SIDE, SIDE);
  return part;
}

async function kept() {
  const node = new Image();
  try { node.src = localStorage.getItem(KEPT) || ""; await node.decode(); } catch { return null; }
  return cut(node);
}

// Keep a part, or none, and let the whole page know.
function keep(part) {
  try { if (part) localStorage.setItem(KEPT, part.toDataURL()); else localStorage.removeItem(KEPT); } catch { /* it stays in the page */ }
  dispatchEvent(new CustomEvent(KEPT, { detail: part }));
}

// A field for it. use(part or null) is called whenever it changes anywhere on the page,
// and returns what is said of it; chosen() where it was chosen here.
export function photograph(words, signal, use, chosen = () => {}) {
  const note = html("p", { class: "rl-mine", role: "status" });
  const forget = html("button", { type: "button", hidden: true, onclick: () => keep(null) }, words.forget);
  const field = html("input", { type: "file", accept: "image/*", onchange: async () => {
    const part = field.files[0] && (await cut(field.files[0]).catch(() => null));
    if (!part) { note.textContent = tell(words.small, { side: SIDE }); return; }
    keep(part);
    chosen();
  } });
  const taken = ({ detail: part }) => {
    forget.hidden = !part;
    if (!part) field.value = "";
    note.textContent = use(part);
  };
  addEventListener(KEPT, taken, { signal });
  kept().then((part) => part && taken({ detail: part }));
  return html("div", {}, html("div", "own", label(words.own, field), field, forget), note);
}
