const WORDS = JSON.parse(document.getElementById("words").textContent);
const filled = (words, fields) => words.replace(/\{(\w+)\}/g, (_, key) => fields[key]);
const make = (tag, words, more) => Object.assign(document.createElement(tag), { textContent: words }, more);

// The class's show of hands: first the question alone, then the choices by letter, and
// the tallies only when all have voted.
(() => {
  const STEPS = [WORDS.choices, WORDS.tallies, WORDS.clear];
  for (const box of document.querySelectorAll("[data-tally]")) {
    const lines = box.dataset.choices.split("|").map((choice, k) => {
      const line = { hands: 0, letter: "ABCDEFG"[k], bar: make("i", ""), out: make("output", "") };
      const press = (sign, step) => make("button", sign, { type: "button", ariaLabel: filled(step > 0 ? WORDS.more : WORDS.less, line), onclick: () => count(line, step) });
      line.row = make("div", "");
      line.row.append(make("b", `${line.letter}: ${choice}`), press("−", -1), press("+", 1), line.out, line.bar);
      box.append(line.row);
      return line;
    });
    const sum = make("p", ""), next = make("button", "", { type: "button", onclick: () => open((stage + 1) % STEPS.length) });
    let stage = 0;
    sum.setAttribute("role", "status");
    function open(to) {
      stage = to;
      if (!stage) for (const line of lines) line.hands = 0;
      next.textContent = STEPS[stage];
      show();
    }
    function show() {
      const all = lines.reduce((a, line) => a + line.hands, 0), told = stage === 2;
      for (const { hands, bar, out, row } of lines) {
        row.hidden = !stage;
        out.textContent = told ? hands : "";
        bar.style.setProperty("--share", told && all ? hands / all : 0);
      }
      sum.textContent = stage ? filled(WORDS.hands, { all }) : WORDS.write;
    }
    function count(line, step) {
      line.hands = Math.max(0, line.hands + step);
      show();
    }
    box.append(sum, next);
    open(0);
  }
})();

// The same file as slides: one part at a time, turned by keys.
(() => {
  const root = document.documentElement, slides = [...document.querySelectorAll(".slide")], bar = document.querySelector(".turn");
  const out = make("output", ""), ADDRESS = /^#slides(?:-(\d+))?$/;
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen());
  let at = -1; // no slides: a page to scroll
  const button = (words, label, run) => make("button", words, { type: "button", ariaLabel: label, onclick: run });
  const notes = button(WORDS.notes, WORDS.speaker, () => {
    root.toggleAttribute("data-notes");
    notes.setAttribute("aria-pressed", root.hasAttribute("data-notes"));
  });
  notes.setAttribute("aria-pressed", false);
  bar.append(button("‹", WORDS.before, () => turn(-1)), out, button("›", WORDS.next, () => turn(1)), notes,
    button(WORDS.full, WORDS.full, fill), button(WORDS.page, WORDS.leave, () => show(-1)));

  function show(to) {
    const was = at;
    at = Math.min(to, slides.length - 1);
    root.toggleAttribute("data-slides", at >= 0);
    bar.hidden = at < 0;
    slides.forEach((slide, k) => slide.classList.toggle("on", k === at));
    out.textContent = `${at + 1} / ${slides.length}`;
    const place = at < 0 ? "" : `#slides-${at + 1}`;
    if (location.hash !== place) history.replaceState(null, "", place || location.pathname);
    if (at >= 0) scrollTo(0, 0);
    else if (was >= 0) slides[was].scrollIntoView();
  }
  const turn = (by) => show(Math.max(0, at + by));
  const asked = () => {
    const found = ADDRESS.exec(location.hash);
    if (found) show((found[1] || 1) - 1);
  };

  const KEYS = { PageDown: 1, PageUp: -1, ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1, " ": 1, Home: -1e3, End: 1e3 };
  // A figure or a field that has the focus keeps its keys; a clicker sends Page Down.
  const taken = (event) => event.defaultPrevented || event.target.closest("input, select, textarea, [role=slider]") || (event.key === " " && event.target.closest("button, a, summary"));
  addEventListener("keydown", (event) => {
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = KEYS[event.key];
    if (event.key === "Escape") {
      const focus = document.activeElement;
      if (focus && focus !== document.body) focus.blur();
      else if (!document.fullscreenElement) show(-1);
    } else if (steps && (event.key.startsWith("Page") || !taken(event))) {
      event.preventDefault();
      turn(steps);
    } else if (!taken(event) && event.key === "n") notes.click();
    else if (!taken(event) && event.key === "f") fill();
  });
  addEventListener("hashchange", asked);
  for (const link of document.querySelectorAll(".plan a")) {
    link.addEventListener("click", (event) => {
      if (at < 0) return;
      event.preventDefault();
      show(slides.indexOf(document.querySelector(link.hash + " .slide")));
    });
  }
  document.querySelector("[data-go]").onclick = () => show(0);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => { root.dataset.theme = matches ? "dark" : "light"; });
  asked();
})();
