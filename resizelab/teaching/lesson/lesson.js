// The class's show of hands: one line a choice, plus, minus, a bar for the share.
(() => {
  const make = (tag, words, more) => Object.assign(document.createElement(tag), { textContent: words }, more);
  for (const box of document.querySelectorAll("[data-tally]")) {
    const lines = box.dataset.choices.split("|").map((choice) => {
      const line = { hands: 0, bar: make("i", ""), out: make("output", "0") };
      const press = (sign, step) => make("button", sign, { type: "button", ariaLabel: `${step > 0 ? "one more hand" : "one hand less"} for ${choice}`, onclick: () => count(line, step) });
      const row = make("div", "");
      row.append(make("b", choice), press("−", -1), press("+", 1), line.out, line.bar);
      box.append(row);
      return line;
    });
    const sum = make("p", "");
    sum.setAttribute("role", "status");
    function show() {
      const all = lines.reduce((a, line) => a + line.hands, 0);
      for (const { hands, bar, out } of lines) {
        out.textContent = hands;
        bar.style.setProperty("--share", all ? hands / all : 0);
      }
      sum.textContent = `Hands: ${all}`;
    }
    function count(line, step) {
      line.hands = Math.max(0, line.hands + step);
      show();
    }
    box.append(sum, make("button", "Clear", { type: "button", onclick: () => { for (const line of lines) line.hands = 0; show(); } }));
    show();
  }
})();
