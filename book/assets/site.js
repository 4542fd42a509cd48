// What every page does by itself: the theme's two buttons that had their script written
// into them, the search on disk, and the book's copy for reading without a network.
(() => {
  const WORDS = {}; // Python writes its sentences in
  const actions = { full: () => toggleFullScreen(), print: () => window.print() };
  for (const node of document.querySelectorAll("[data-do]"))
    node.addEventListener("click", () => actions[node.dataset.do]());

  // A page on disk may not read its neighbours: results come without an excerpt.
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  // An excerpt is prose: what a cell holds and gives is left out.
  if (typeof Search !== "undefined") {
    const plain = Search.htmlToText;
    Search.htmlToText = (html, anchor) => {
      const page = new DOMParser().parseFromString(html, "text/html");
      for (const node of page.querySelectorAll(".cell, .highlight, table")) node.remove();
      const prose = page.documentElement.outerHTML;
      // A word of the index stands at a place without text of its own.
      return plain(prose, anchor) || plain(prose, "");
    };
  }

  if (!navigator.serviceWorker || navigator.connection?.saveData) return;
  if (!location.protocol.startsWith("http")) return;
  const root = new URL(document.documentElement.dataset.content_root || "./", location.href);

  function offer(worker) {
    const note = document.createElement("p"), button = document.createElement("button");
    note.className = "new-version";
    note.setAttribute("role", "status");
    button.textContent = WORDS.load;
    button.addEventListener("click", () => worker.postMessage("now"));
    note.append(WORDS.new, button);
    document.body.append(note);
  }

  async function keep() {
    const old = navigator.serviceWorker.controller;
    const kept = await navigator.serviceWorker.register(new URL("sw.js", root));
    const ready = (worker) => old && worker.state === "installed" && offer(worker);
    if (kept.waiting) ready(kept.waiting);
    kept.addEventListener("updatefound", () => {
      const worker = kept.installing;
      worker.addEventListener("statechange", () => ready(worker));
    });
    if (old)
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  }

  // The page comes first.
  addEventListener("load", () => setTimeout(() => keep().catch(() => 0), 2000));
})();
