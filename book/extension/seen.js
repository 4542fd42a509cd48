// What a page says, seen and heard: [text, where] of each; `open` unfolds it first.
({
seen: () => {
  const seen = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const called = (node) => `${node.tagName}.${node.getAttribute("class") || ""}`;
  const kept = "code, pre, script, style, .katex, .bibliography, noscript";
  while (walk.nextNode()) {
    const place = walk.currentNode.parentElement;
    if (walk.currentNode.data.trim() && !place.closest(kept))
      seen.push([walk.currentNode.data.trim(), called(place)]);
  }
  for (const name of ["aria-label", "aria-valuetext", "alt", "title", "placeholder"])
    for (const node of document.querySelectorAll(`body [${name}]`))
      seen.push([node.getAttribute(name), `${name} ${called(node)}`]);
  return seen;
},
open: () => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const press = ".rl-compare [data-option='0'], .rl-menu button[aria-expanded]";
  for (const one of document.querySelectorAll(press)) one.click();
  for (const form of document.querySelectorAll(".resizelab-predict form")) {
    const field = form.querySelector("input");
    if (field.type === "radio") field.checked = true; else field.value = "3";
    form.requestSubmit();
  }
},
})
