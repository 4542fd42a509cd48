// A guess first, then the answers of all conventions: nothing is opened before.
import { explorer, html, line, marker, badge, label, unique, canvas, text, say, gunzip } from "./drawing.js";

// The answers lie in the page only mixed with a stream that its first four bytes
// start: enough that nobody reads them by accident, no more is meant.
async function open(view) {
  const sealed = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let s = new DataView(sealed.buffer, sealed.byteOffset).getUint32(0, true);
  const mixed = sealed.slice(4).map((byte) => {
    s ^= s << 13; s ^= s >>> 17; s ^= s << 5;
    return byte ^ (s & 255);
  });
  return JSON.parse(new TextDecoder().decode(await gunzip(mixed)));
}

// "4.29", "4,29", "−1" and "30/7" are numbers; anything else is not.
function number(typed) {
  const parts = typed.trim().replaceAll(/[−–]/g, "-").replaceAll(",", ".").split("/");
  const [a, b = 1] = parts.map((p) => (p.trim() === "" ? NaN : Number(p)));
  return parts.length > 2 || !Number.isFinite(a / b) ? null : a / b;
}

const list = (labels, view) => labels.length < 2 ? labels.join("") : view.tell("and", { one: labels.slice(0, -1).join(", "), other: labels.at(-1) });

function judge(guess, { answers, correct, tolerance, feedback, unit, explain }, practice, view) {
  const numeric = typeof guess === "number";
  const tell = (v) => (numeric ? say(v) + (unit ? " " + unit : "") : v);
  const away = (a) => (numeric ? Math.abs(a.value - guess) : Number(a.value !== guess));
  const near = Math.min(...answers.map(away));
  const like = answers.filter((a) => away(a) <= (numeric ? Math.min(tolerance, near + 1e-9) : 0)).map((a) => a.label);
  const best = answers.filter((a) => away(a) <= near + 1e-9).map((a) => view.tell("with", { label: a.label, value: tell(a.value) }));
  const right = answers.find((a) => a.label === correct);
  const found = like.includes(correct), names = list(like, view);
  let words;
  // Who practises may try again: a wrong answer is named and the right one kept.
  if (practice) {
    words = (found ? [correct] : like).map((l) => feedback[l]).find(Boolean) || view.tell(found ? "right.practice" : like.length ? "wrong.practice" : "unknown.practice", { names });
  } else if (!like.length) {
    words = feedback.else || view.tell(numeric ? "nearest" : "unknown", { guess: tell(guess), names: list(best, view) });
  } else if (found) {
    words = feedback[correct] || view.tell("right", { guess: tell(guess), names });
  } else {
    words = like.map((l) => feedback[l]).find(Boolean) || view.tell("like", { guess: tell(guess), names });
  }
  if (right && !found && !practice) words += " " + view.tell(right.value === correct ? "here" : "here.label", { answer: tell(right.value), label: correct });
  return { words: words + (explain ? " " + explain : ""), like, tell, numeric, found };
}

function drawing(view, guess, { answers }, mine) {
  const all = [...answers.map((a) => a.value), guess];
  const low = Math.min(...all), span = Math.max(...all) - low || 1;
  const w = view.width, X = (v) => 24 + ((v - low) / span) * (w - 48);
  const figure = canvas(w, 74, view.tell("line", { mine, guess: say(guess), all: answers.map((a) => `${a.label} ${say(a.value)}`).join("; ") }));
  const edge = X(guess) < 60 ? "start" : X(guess) > w - 60 ? "end" : "middle";
  figure.append(line(8, 48, w - 8, 48, "axis"), line(X(guess), 20, X(guess), 62, { class: "rl-guess", "data-guess": guess }),
    text(X(guess), 14, `${mine} ${say(guess)}`, edge));
  let last = -99;
  for (const a of [...answers].sort((p, q) => p.value - q.value)) {
    const { color, shape } = view.look(a.label), x = X(a.value);
    figure.append(marker(shape, x, 48, 6, { fill: color, "data-label": a.label, "data-value": a.value }));
    if (x - last > 44) { figure.append(text(x, 71, say(a.value), "middle soft")); last = x; }
  }
  return figure;
}

// All the page's answers as plain text, for whatever a course collects answers with.
async function copyAll(view, paper) {
  const said = [...document.querySelectorAll(".resizelab[data-verdict]")].map(({ dataset: d }) => `${d.name}: ${d.verdict}${d.tries || ""}`);
  const title = document.querySelector("h1")?.textContent.replace(/[#¶]\s*$/, "") || document.title;
  paper.value = [`${title} (${new Date().toLocaleDateString("sv")})`, ...said].join("\n");
  paper.rows = said.length + 3;
  try {
    await navigator.clipboard.writeText(paper.value);
    view.note(view.says["copied.answers"]);
  } catch {
    paper.hidden = false;
    paper.select();
    view.note(view.says.copy_field);
  }
}

// The worked solution, once an answer was committed. A page holds it sealed; in a
// notebook it is the next cell whose code is folded, and the words before it.
async function work(view, found) {
  const place = document.querySelector(`[data-worked="${view.root.dataset.name}"]`);
  if (place) {
    if (place.hidden) place.innerHTML = (await open(Uint8Array.from(atob(place.dataset.sealed), (c) => c.charCodeAt(0)))).html;
    place.hidden = false;
    place.querySelector("details").open ||= found;
    return null;
  }
  let cell = view.root.closest(".jp-Cell")?.nextElementSibling;
  while (cell && !cell.querySelector(".jp-InputPlaceholder")) cell = cell.nextElementSibling;
  if (!cell) return null;
  const unfold = () => {
    for (const dots of cell.querySelectorAll(".jp-Placeholder-content")) dots.click();
    for (const fold of cell.previousElementSibling.querySelectorAll("details")) fold.open = true;
  };
  if (found) unfold();
  return found ? null : html("button", { type: "button", onclick: unfold }, view.says.worked);
}

function build(view, commit) {
  const { choices, unit, practice } = view.model.get("setup").question;
  const mine = view.says[practice ? "answer" : "guess"];
  let field, guess, put;
  if (choices.length) {
    const name = unique(), inputs = choices.map((value) => html("input", { type: "radio", name, value }));
    field = html("fieldset", "control choices", html("legend", {}, mine),
      inputs.map((b) => html("span", "check", b, label(b.value, b))));
    guess = () => (inputs.find((b) => b.checked) || {}).value ?? null;
    put = (g) => { for (const b of inputs) b.checked = b.value === g; };
  } else {
    const input = html("input", { type: "text", inputmode: "decimal", size: 8, autocomplete: "off" });
    field = html("div", "control", label(mine, input), input, unit || null);
    guess = () => number(input.value);
    put = (g) => { input.value = g == null ? "" : say(g, 6); };
  }
  const form = html("form", { class: "rl-form", novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    const g = guess();
    if (g == null) view.note(view.says[(choices.length ? "choose" : "write") + (practice ? ".practice" : "")]);
    else commit(g);
  } }, field, html("button", {}, view.says[practice ? "check" : "commit"]));
  if (practice) {
    const paper = html("textarea", { readonly: true, hidden: true, "aria-label": view.says.all });
    form.append(html("button", { type: "button", onclick: () => copyAll(view, paper) }, view.says.copy_all), paper);
  }
  return { form, put };
}

function render(context) {
  const { model } = context;
  let parts = null, answers = null, shown, button;
  const tries = [];
  async function commit(guess, view) {
    answers ||= await open(model.get("sealed"));
    const { practice } = model.get("setup").question;
    if (guess !== tries.at(-1)) tries.push(guess);
    if (practice) button = await work(view, judge(guess, answers, true, view).found);
    shown = guess;
    view.set({ guess });
  }
  function draw(view) {
    if (!parts) {
      parts = build(view, (g) => commit(g, view));
      parts.reveal = html("div", "reveal");
      view.stage.append(parts.form, view.words, parts.reveal);
    }
    const { guess } = view.state, { practice } = view.model.get("setup").question;
    if (guess !== parts.guess) parts.put((parts.guess = guess));
    if (guess == null || guess !== shown) {
      // A link or Python may fill in a guess; only the reader commits it.
      shown = undefined;
      parts.reveal.replaceChildren();
      if (practice) view.root.dataset.verdict = view.says.none;
      return "";
    }
    const { words, like, tell, numeric, found } = judge(guess, answers, practice, view);
    if (practice) {
      const before = tries.slice(0, -1).map(tell).join(", ");
      view.root.dataset.verdict = view.tell(found ? "found" : "missed", { guess: tell(guess) });
      view.root.dataset.tries = view.tell(before ? "try.before" : "try", { n: tries.length, before });
      if (!found) { parts.reveal.replaceChildren(...(button ? [button] : [])); return words; }
    }
    parts.reveal.replaceChildren(...(numeric ? [drawing(view, guess, answers, view.says[practice ? "your_answer" : "your_guess"])] : []),
      html("ul", "answers", answers.answers.map((a) => {
        const { label, value } = a;
        return html("li", { "data-answer": label }, badge(view.look(label)), label === tell(value) ? " " : ` ${label}: `, html("strong", {}, tell(value)), like.includes(label) ? view.says.you : "");
      })));
    return words;
  }
  return explorer(context, { kind: "predict", draw, bare: true });
}

export default { render };
