// One JSON request per line in, one JSON answer per line out:
// {"tex": "...", "display": true} -> {"html": "..."} or {"error": "..."}.
// The only argument is the path of katex.min.js.
const katex = require(process.argv[2]);
const lines = require("readline").createInterface({ input: process.stdin });
// MathML beside the drawn formula is what screen readers and copying use. Rows of
// fractions would touch at the usual distance.
const OPTIONS = {
  output: "htmlAndMathml",
  strict: "error",
  macros: { "\\arraystretch": "1.3" },
};

lines.on("line", (line) => {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(tex, { ...OPTIONS, displayMode: display }) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
