// Just enough of a document to draw a figure without a browser.
const escaped = (words) => String(words).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

class Drawn {
  constructor(tag) { this.tag = tag; this.attributes = []; this.children = []; this.dataset = {}; }
  setAttribute(key, value) { this.attributes.push(` ${key}="${escaped(value)}"`); }
  addEventListener() {}
  append(...children) { this.children.push(...children); }
  toString() {
    const inside = this.children.map((c) => (c instanceof Drawn ? String(c) : escaped(c))).join("");
    return `<${this.tag}${this.attributes.join("")}>${inside}</${this.tag}>`;
  }
}

globalThis.document = { createElement: (tag) => new Drawn(tag), createElementNS: (_, tag) => new Drawn(tag) };

function still({ kind, view, setup }) {
  const { height, parts, said } = KINDS[kind].draw(seen(view, setup));
  // On a phone a drawing may be higher, on a wide page lower: room is kept for either.
  const rooms = [688, 328].map((width) => KINDS[kind].draw(seen({ ...view, width }, setup)).height);
  const title = svg("title", {}, said);
  console.log(String(svg("svg", { xmlns: NS, "data-under": KINDS[kind].control, "data-rooms": rooms.join(" "), viewBox: `0 0 ${view.width} ${height}`, width: view.width, height, role: "img", "aria-label": said }, title, parts)));
}
