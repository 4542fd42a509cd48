"""Record what three browsers make of the card, by the page's own script.

``record_browsers.py [name …]`` writes ``teaching/records/browsers.json``.
Each browser opens a page of this machine's loopback, which draws the card in every way
and sends back what came out: no driver is needed. Chromium and Firefox are headless;
WebKit is the MiniBrowser of Debian's webkit2gtk-driver, under Xvfb.
"""

import datetime
import json
import re
import subprocess
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np

from resizelab.teaching.figures import canvas

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "resizelab/teaching/records/browsers.json"
MINI = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
COMMANDS = {
    "Chromium": ["chromium", "--headless", "--no-sandbox", "--user-data-dir={folder}"],
    "Firefox": ["firefox-esr", "--headless", "--no-remote", "--profile", "{folder}"],
    "WebKit": ["xvfb-run", "-a", MINI],
}
VERSIONS = {
    "Chromium": ["chromium", "--version"],
    "Firefox": ["firefox-esr", "--version"],
    "WebKit": ["dpkg-query", "-W", "-f", "${Version}", "webkit2gtk-driver"],
}
WAIT = 120  # seconds


def page(card: Any) -> str:
    """Return a page that draws the card in every way and posts what came out."""
    own = re.sub(r"^import [^;]*;\n", "", canvas.SCRIPT.read_text("utf-8"), flags=re.M)
    own = own.split("// ---- the table")[0]
    flat, sizes = card.ravel().tolist(), list(canvas.SIZES.values())
    asked = {"card": flat, "ways": canvas.WAYS, "sizes": sizes}
    return f"""<!doctype html><meta charset="utf-8"><script>
{own}
(async () => {{
  const {{ card, ways, sizes }} = {json.dumps(asked)}, answers = {{}};
  for (const [name, way] of Object.entries(ways)) {{
    answers[name] = [];
    for (const size of sizes) {{
      const made = await through(card, {list(card.shape)}, way, size).catch(() => null);
      answers[name].push(made);
    }}
  }}
  await fetch("/", {{ method: "POST", body: JSON.stringify(answers) }});
}})();
</script>"""


def asked(name: str, card: Any) -> dict[str, Any]:
    """Return what one browser made of the card: way to a list of answers."""
    found: dict[str, Any] = {}

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page(card).encode())

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            found.update(json.loads(self.rfile.read(length)))
            self.send_response(204)
            self.end_headers()

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.timeout = WAIT
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        words = [word.replace("{folder}", folder) for word in COMMANDS[name]]
        words.append(f"http://127.0.0.1:{server.server_port}/")
        no = subprocess.DEVNULL
        process = subprocess.Popen(words, stdout=no, stderr=no)
        for _ in range(6):  # the page, an icon, the answer
            if not found:
                server.handle_request()
        process.terminate()
        process.wait()
    server.server_close()
    if not found:
        raise RuntimeError(f"{name} sent nothing in {WAIT} s")
    return found


def version(name: str) -> str:
    """Return a browser's version."""
    words = VERSIONS[name]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found = re.search(r"[\d.]+", said)
    assert found is not None
    return found[0]


def main() -> None:
    """Ask the browsers named, or all; the others' answers stay."""
    with np.load(RECORD.with_name("card.npz")) as stored:
        card = stored["card"]
    kept = json.loads(RECORD.read_text("utf-8")) if RECORD.is_file() else {}
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    for name in sys.argv[1:] or COMMANDS:
        one = {"version": version(name), "recorded": date}
        kept[name] = one | {"answers": asked(name, card)}
    RECORD.write_text(json.dumps(kept, separators=(",", ":")) + "\n", "utf-8")
    print({name: one["version"] for name, one in kept.items()})


if __name__ == "__main__":
    main()
