// The picture explorer's photograph: the reader's own, and the square of it to resize.
import { html, each, within } from "./drawing.js";
import { photograph, SIDE, drawing } from "./photograph.js";

export const OWN = "own32";
const SQUARE = 32, MOST = SIDE - SQUARE;

export function owned(view) {
  let part;
  const at = () => view.state.corner || [MOST / 2, MOST / 2];
  const move = (corner) => view.set({ corner: corner.map((v) => within(Math.round(v), 0, MOST)) });
  const frame = html("span", {});
  const whole = html("div", { class: "rl-whole", role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": MOST, "aria-label": view.says.place,
    onclick(event) {
      const box = whole.getBoundingClientRect();
      move([(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width].map((v) => v * SIDE - SQUARE / 2));
    },
    onkeydown(event) {
      const step = { ArrowLeft: [0, -8], ArrowRight: [0, 8], ArrowUp: [-8, 0], ArrowDown: [8, 0] }[event.key];
      if (!step) return;
      event.preventDefault();
      move(at().map((v, k) => v + step[k]));
    } }, frame);
  const field = photograph(view.says, view.signal, (found) => {
    if ((part = found)) whole.style.backgroundImage = `url(${part.toDataURL()})`;
    view.redraw();
    return part ? view.tell("mine", { n: SQUARE }) : "";
  }, () => view.set({ pattern: OWN }));
  return { field, whole,
    levels() {
      if (!part) return new Array(SQUARE ** 2).fill(0);
      const { data } = drawing(part).getImageData(at()[1], at()[0], SQUARE, SQUARE);
      return each(SQUARE ** 2, (k) => Math.floor((299 * data[4 * k] + 587 * data[4 * k + 1] + 114 * data[4 * k + 2] + 500) / 1000));
    },
    update() {
      const [row, column] = at(), told = { "aria-valuenow": column, "aria-valuetext": view.tell("corner", { row, column }) };
      whole.hidden = !part || view.state.pattern !== OWN;
      for (const key in told) whole.setAttribute(key, told[key]);
      [frame.style.top, frame.style.left] = [row, column].map((v) => 100 * v / SIDE + "%");
    } };
}
