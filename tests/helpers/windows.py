"""What is done in a window of a browser, whichever it is, in WebDriver's words."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from browser import PATIENCE


class Window:
    """One window. A browser's own: ``open`` a page, ``ask`` it, ``act``, ``close``."""

    ask: Callable[[str], Any]
    act: Callable[[dict[str, Any]], None]

    def wait(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.ask(expression):
            assert time.monotonic() < end, f"{PATIENCE} s passed: {expression}"
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press a key where the focus is; the letters of WebDriver."""
        keys = [{"type": how, "value": key} for how in ("keyDown", "keyUp")]
        self.act({"type": "key", "id": "keys", "actions": keys})

    def drag(self, x: float, y: float, dx: float) -> None:
        """Drag the mouse sideways from a place of the screen."""

        def move(to: float) -> dict[str, Any]:
            return {"type": "pointerMove", "x": round(to), "y": round(y)}

        button = {"button": 0}
        steps = [
            *(move(x), {"type": "pointerDown", **button}),
            *(move(x + dx * part / 4) for part in range(1, 5)),
            {"type": "pointerUp", **button},
        ]
        self.act({"type": "pointer", "id": "mouse", "actions": steps})
