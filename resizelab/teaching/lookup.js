// Two calls and a size: do they agree there, where not, by how much, what parts them.
(() => {
  const root = document.getElementById("two-calls");
  if (!root) return;
  const ask = (name) => root.querySelector(`[name=${name}]`);
  const answer = root.querySelector(".answer");
  let data, home, status;

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }
  // A sentence of Python's, with values or elements put in for the names in {}.
  const parts = (key, values = {}) => data.words[key].split(/\{(\w+)\}/).map((part, k) => (k % 2 ? values[part] : part));
  const told = (key, values) => parts(key, values).join("");
  const raw = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const by = (s) => `${data.sizes[s][0]} → ${data.sizes[s][1]}`;

  // The group of a family at a size: equal groups gave equal numbers.
  const group = (family, s) => data.groups[s][2 * family] + 256 * data.groups[s][2 * family + 1];
  function gap(a, b, s) {
    const [one, two] = [group(a, s), group(b, s)];
    if (one === two) return 0;
    const m = data.sizes[s][1];
    let worst = 0;
    for (let i = 0; i < m; i++) {
      worst = Math.max(worst, Math.abs(data.answers[s][one * m + i] - data.answers[s][two * m + i]));
    }
    return Math.max(worst, 0.5) / data.levels;
  }
  const amount = (x) => (x < 0.01 ? told("little") : told("amount", { x: x.toFixed(2) }));

  const el = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };
  const code = (name) => {
    const made = el("span");
    made.append(el("code", name), data.words[status.get(name)] ?? "");
    return made;
  };
  const line = (...parts) => {
    const made = el("p");
    made.append(...parts);
    return made;
  };

  function parted(a, b) {
    const [x, y] = [data.families[a].fields, data.families[b].fields];
    const keys = [...new Set([...Object.keys(x), ...Object.keys(y)])];
    const other = keys.filter((k) => x[k] !== y[k] && !k.startsWith("of "));
    const loud = other.filter((k) => !data.quiet.includes(k));
    return (loud.length ? loud : other).map((k) => told("parts", { field: k, here: x[k] ?? told("none"), there: y[k] ?? told("none") }));
  }

  // Of another library: who agrees with a family everywhere, else at one size.
  function others(a, library, s) {
    const found = {everywhere: [], here: []};
    data.families.forEach((family, k) => {
      const rows = family.rows.filter((row) => row[1] === library);
      rows.sort((x, y) => (y[2] === "live") - (x[2] === "live"));
      if (k === a) found.everywhere.push(...rows.map((row) => row[0]));
      else if (s >= 0 && group(k, s) === group(a, s)) found.here.push(...rows.map((row) => row[0]));
    });
    return found;
  }

  function map(gaps, chosen) {
    const most = Math.max(...data.sizes.filter((p) => Math.max(...p) <= data.small).map((p) => p[0]));
    const NS = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", `-14 -12 ${most * 16 + 16} ${most * 16 + 16}`);
    svg.setAttribute("role", "img");
    const some = gaps.filter((g) => g > 0).length;
    svg.setAttribute("aria-label", told("map", { some, all: gaps.length }));
    const put = (tag, entries, text) => {
      const made = document.createElementNS(NS, tag);
      for (const [k, v] of Object.entries(entries)) made.setAttribute(k, v);
      if (text !== undefined) made.textContent = text;
      svg.append(made);
      return made;
    };
    for (let k = 1; k <= most; k++) {
      put("text", {x: k * 16 - 8, y: -2, "text-anchor": "middle"}, k);
      put("text", {x: -3, y: k * 16 - 4, "text-anchor": "end"}, k);
    }
    gaps.forEach((g, s) => {
      const [n, m] = data.sizes[s];
      if (n > most || m > most) return;
      const cell = put("rect", {x: (n - 1) * 16, y: (m - 1) * 16, width: 15, height: 15, class: g ? "other" : "same"});
      if (g) cell.style.fillOpacity = 0.25 + 0.75 * Math.min(1, g);
      if (s === chosen) cell.classList.add("chosen");
      const title = document.createElementNS(NS, "title");
      title.textContent = `${by(s)}: ${g ? amount(g) : told("equal")}`;
      cell.append(title);
      cell.addEventListener("click", () => {
        [ask("n").value, ask("m").value] = [n, m];
        show();
      });
    });
    return svg;
  }

  function show() {
    const [first, second] = [ask("first").value.trim(), ask("second").value.trim()];
    const unknown = [first, second].filter((name) => !home.has(name));
    if (unknown.length) {
      answer.replaceChildren(line(...parts("unknown", { name: el("code", unknown[0]) })));
      return;
    }
    const [a, b] = [home.get(first), home.get(second)];
    const [n, m] = [Number(ask("n").value), Number(ask("m").value)];
    const chosen = data.sizes.findIndex((p) => p[0] === n && p[1] === m);
    const gaps = data.sizes.map((_, s) => gap(a, b, s));
    const other = gaps.map((g, s) => s).filter((s) => gaps[s] > 0);
    const made = [];
    if (chosen < 0) {
      made.push(line(el("b", told("unseen", { n, m })), told("seen", { small: data.small, others: data.sizes.filter((p) => Math.max(...p) > data.small).map((p) => p.join(" → ")).join(", ") })));
      const call = (name) => `rl.weights(rl.convention("${name}"), ${n}, ${m})`;
      made.push(el("pre", `import resizelab as rl, resizelab.measure\nprint(rl.measure.operator_difference(${call(first)}, ${call(second)}))`));
    } else if (gaps[chosen] === 0) {
      made.push(line(el("b", told("agree", { n, m })), ...parts("agree.calls", { first: code(first), second: code(second) })));
    } else {
      made.push(line(el("b", told("differ", { n, m, by: amount(gaps[chosen]) })), ...parts("differ.calls", { first: code(first), second: code(second) })));
    }
    const worst = other.reduce((w, s) => (gaps[s] > gaps[w] ? s : w), other[0]);
    if (a === b) made.push(line(told("one")));
    else if (!other.length) made.push(line(told("all", { n: gaps.length })));
    else made.push(line(told("some", { some: other.length, all: gaps.length, at: by(worst), by: amount(gaps[worst]) })));
    if (other.length) made.push(map(gaps, chosen));
    const why = a === b ? [] : parted(a, b);
    if (why.length) {
      const list = el("ul");
      list.append(...why.map((text) => el("li", text)));
      made.push(line(told("why")), list);
    }
    const library = data.families[b].rows.find((row) => row[0] === second)[1];
    const agree = others(a, library, other.length ? chosen : -1);
    if (a !== b) {
      const [one] = agree.everywhere.length ? agree.everywhere : agree.here;
      const way = agree.everywhere.length ? "everywhere" : one ? "here" : "nowhere";
      made.push(line(...parts(way, { library, first: code(first), other: one && code(one), n, m })));
    }
    answer.replaceChildren(...made);
  }

  async function start() {
    data = await unpack(root.querySelector("script[type='text/plain']").textContent);
    data.groups = data.groups.map(raw);
    data.answers = data.answers.map(raw);
    home = new Map();
    status = new Map();
    const list = root.querySelector("datalist");
    data.families.forEach((family, k) => {
      for (const [name, , how] of family.rows) {
        home.set(name, k);
        status.set(name, how);
        const option = el("option");
        option.value = name;
        list.append(option);
      }
    });
    root.addEventListener("input", show);
    root.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
    show();
  }
  if (typeof DecompressionStream === "undefined") answer.textContent = root.dataset.old;
  else start();

  // The filter of the table: every word must stand in the row.
  document.addEventListener("input", (event) => {
    if (event.target.id !== "rows-filter") return;
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of document.querySelectorAll(".all-rows tr[data-row]")) {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      shown += !row.hidden;
    }
    document.getElementById("rows-count").textContent = told(shown === 1 ? "row" : "rows", { n: shown });
  });
})();
