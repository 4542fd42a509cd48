"""WebKit by its own driver, which speaks WebDriver, in a display that nobody sees."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

from browser import PATIENCE
from windows import Window

MINI = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
DRIVER, DISPLAY = "WebKitWebDriver", "Xvfb"
SCREEN = ("-screen", "0", "1400x1000x24", "-nolisten", "tcp")


def webkit_path() -> str | None:
    """Return WebKit's small browser, or None where something of it is missing."""
    needed = shutil.which(DRIVER) and shutil.which(DISPLAY) and Path(MINI).exists()
    return MINI if needed else None


class WebKit(Window):
    """One window of the MiniBrowser."""

    def __init__(self) -> None:
        words = [DISPLAY, "-displayfd", "1", *SCREEN]
        no = subprocess.DEVNULL
        self._display = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=no)
        assert self._display.stdout is not None
        with self._display.stdout as said:
            number = said.readline().decode().strip()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self._address = f"http://127.0.0.1:{port}"
        # Root may not have its sandbox; the pages are our own.
        own = {"DISPLAY": f":{number}", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        words = [DRIVER, f"--port={port}"]
        self._driver = subprocess.Popen(words, env=os.environ | own, stderr=no)
        browser = {"binary": MINI, "args": ["--automation"]}
        asked = {"alwaysMatch": {"webkitgtk:browserOptions": browser}}
        self._listen()
        made = self._send("/session", capabilities=asked)
        self._address += f"/session/{made['sessionId']}"

    def _listen(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return urllib.request.urlopen(self._address + "/status").close()
            except OSError:
                assert time.monotonic() < end, f"no driver within {PATIENCE} s"
                time.sleep(0.05)

    def _send(self, path: str, **given: Any) -> Any:
        body = json.dumps(given).encode()
        request = urllib.request.Request(self._address + path, body)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def open(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._send("/url", url=url)

    def ask(self, expression: str) -> Any:
        """Return what an expression is: anything of JSON, None for what is not."""
        script = f"return JSON.stringify({expression})"
        said = self._send("/execute/sync", script=script, args=[])
        return None if said is None else json.loads(said)

    def act(self, action: dict[str, Any]) -> None:
        """Do what an input device of WebDriver does."""
        self._send("/actions", actions=[action])

    def close(self) -> None:
        """End this WebKit, and its display."""
        request = urllib.request.Request(self._address, method="DELETE")
        urllib.request.urlopen(request, timeout=PATIENCE).close()
        for process in (self._driver, self._display):
            process.terminate()
            process.wait()
