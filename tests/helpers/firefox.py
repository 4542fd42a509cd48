"""Firefox without a driver: it speaks WebDriver BiDi on a socket of its own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

from browser import PATIENCE
from windows import Window

PREFERENCES = {
    "remote.prefs.recommended": "true",
    "datareporting.policy.dataSubmissionEnabled": "false",
    "app.update.enabled": "false",
    "browser.shell.checkDefaultBrowser": "false",
}


def firefox_path() -> str | None:
    """Return the system's Firefox, or None where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox(Window):
    """One headless window: ``open`` a page, ``ask`` it, ``press`` keys in it."""

    def __init__(self, scripts: bool = True) -> None:
        import websocket

        self._numbers = count(1)
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        chosen = {**PREFERENCES, "javascript.enabled": str(scripts).lower()}
        lines = (f'user_pref("{key}", {value});' for key, value in chosen.items())
        (Path(self._folder.name) / "user.js").write_text("\n".join(lines))
        self._log = Path(self._folder.name) / "log.txt"
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [
                    *(str(firefox_path()), "--headless", "--no-remote"),
                    *("--remote-debugging-port", "0", "--profile", self._folder.name),
                ],
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        self._socket = websocket.create_connection(
            self._address() + "/session", timeout=PATIENCE, suppress_origin=True
        )
        self._send("session.new", capabilities={})
        self._tab = self._send("browsingContext.getTree")["contexts"][0]["context"]

    def _address(self) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := re.search(r"listening on (ws://\S+)", self._log.read_text()):
                return found[1]
            time.sleep(0.1)
        raise RuntimeError(f"Firefox did not listen within {PATIENCE} s")

    def _send(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(
            json.dumps({"id": number, "method": method, "params": params})
        )
        while True:
            said = json.loads(self._socket.recv())
            if said.get("id") == number:
                assert said["type"] == "success", said
                return said["result"]

    def open(self, url: str, width: int = 1280, height: int = 900) -> None:
        """Open a page and wait until it is loaded."""
        size = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self._tab, viewport=size)
        self._send(
            "browsingContext.navigate", context=self._tab, url=url, wait="complete"
        )

    def ask(self, expression: str) -> Any:
        """Return what an expression is: anything of JSON, None for what is not."""
        found = self._send(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._tab},
            awaitPromise=False,
        )
        assert found["type"] == "success", found
        value = found["result"].get("value")
        return None if value is None else json.loads(value)

    def act(self, action: dict[str, Any]) -> None:
        """Do what an input device of WebDriver does."""
        self._send("input.performActions", context=self._tab, actions=[action])

    def close(self) -> None:
        """End this Firefox."""
        self._socket.close()
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()
