"""A real Chromium without a window, driven through its DevTools protocol over two pipes; nothing listens anywhere."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Self

PROGRAM: Final = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
"""None where there is none."""
_FLAGS: Final = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync", "--mute-audio"),
    *("--force-color-profile=srgb", "--remote-debugging-pipe"),
)
_SECONDS: Final = 60
KEYS: Final = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9}


def _high(descriptor: int) -> int:
    """The same open file under a number above 9, so that making descriptors 3 and 4 of the pipes replaces neither."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


class Chromium:
    """One browser with one page; a context manager that ends it."""

    def __init__(self, profile: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        to_it, ours = map(_high, os.pipe())
        theirs, from_it = map(_high, os.pipe())
        self._in, self._out = theirs, ours
        assert PROGRAM
        command = [
            "bash",  # dash knows no descriptor above 9
            "-c",
            f'exec "$@" 3<&{to_it} 4>&{from_it}',
            "bash",
            PROGRAM,
            *_FLAGS,
            f"--user-data-dir={profile}",
            "about:blank",
        ]
        self._process = subprocess.Popen(command, pass_fds=(to_it, from_it), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_it)
        os.close(from_it)
        self._rest = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []
        """What the page told so far: requests, dialogs, errors."""
        target = self._asked("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session: str | None = self._asked("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Performance"):
            self._asked(f"{domain}.enable")
        self.show(width, height, dark=dark)

    _session: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    # -- the protocol ---------------------------------------------------------------------------------------------------------

    def _asked(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters or {}}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read(_SECONDS)
            assert answer is not None, f"Chromium does not answer {method}"
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                found: dict[str, Any] = answer["result"]
                return found
            self._note(answer)

    def _read(self, seconds: float) -> dict[str, Any] | None:
        until = time.monotonic() + seconds
        while b"\0" not in self._rest:
            poll = select.poll()  # select() takes no descriptor above 1023
            poll.register(self._in, select.POLLIN)
            if not poll.poll(max(until - time.monotonic(), 0) * 1000):
                return None
            data = os.read(self._in, 1 << 20)
            assert data, "Chromium has ended"
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def _note(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        if event.get("method") == "Page.javascriptDialogOpening":
            self._number += 1
            message = {
                "id": self._number,
                "method": "Page.handleJavaScriptDialog",
                "params": {"accept": False},
                "sessionId": self._session,
            }
            os.write(self._out, json.dumps(message).encode() + b"\0")

    def wait(self, seconds: float) -> None:
        """Take in what the page tells for that long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if event := self._read(left):
                self._note(event)

    # -- what a user does -----------------------------------------------------------------------------------------------------

    def show(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the size of the window and the colour scheme."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._asked("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._asked("Emulation.setEmulatedMedia", {"features": [scheme]})

    def without_script(self, *, off: bool = True) -> None:
        """Switch scripts off or on, from the next page on."""
        self._asked("Emulation.setScriptExecutionDisabled", {"value": off})

    def open(self, address: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._asked("Page.navigate", {"url": "about:blank"})
        self._asked("Page.navigate", {"url": address})
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            code = KEYS.get(key, ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
            both = {"key": key, "windowsVirtualKeyCode": code}
            text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            self._asked("Input.dispatchKeyEvent", {"type": "keyDown", **both, **text})
            self._asked("Input.dispatchKeyEvent", {"type": "keyUp", **both})

    def click(self, selector: str) -> None:
        """Click the first visible element of a selector in its middle."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find((each) => each.getClientRects().length)"
        self.until(f"document.readyState === 'complete' && {found} !== undefined")
        self.value(f"{found}.scrollIntoView({{block: 'center'}})")
        place = self.value(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({found}.getClientRects()[0])")
        both = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._asked("Input.dispatchMouseEvent", {"type": kind, **both})

    # -- what one sees --------------------------------------------------------------------------------------------------------

    def value(self, expression: str) -> Any:
        """What an expression gives in the page; a promise is waited for."""
        answer = self._asked("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, condition: str, seconds: float = 20) -> None:
        """Wait until a condition holds in the page."""
        end = time.monotonic() + seconds
        while not self._holds(condition):
            assert time.monotonic() < end, (condition, self.value("location.href"))
            time.sleep(0.02)

    def _holds(self, condition: str) -> bool:
        answer = self._asked("Runtime.evaluate", {"expression": condition, "returnByValue": True})
        return answer["result"].get("value") is True

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write what is seen as a PNG; the whole page if asked."""
        data = self._asked("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})["data"]
        path.write_bytes(base64.b64decode(data))

    def requests(self) -> list[str]:
        """The addresses that the pages so far asked for; the pages themselves are among them."""
        self.wait(0.2)
        sent = (event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent")
        return [each for each in sent if not each.startswith("data:")]

    def troubles(self, but: Sequence[str] = ()) -> list[str]:
        """Dialogs, script errors and complaints of the console, as the pages so far gave them."""
        self.wait(0.2)
        found = []
        for event in self.events:
            method, told = event.get("method"), event.get("params", {})
            if method == "Page.javascriptDialogOpening":
                found.append(f"dialog: {told['message']}")
            elif method == "Runtime.exceptionThrown":
                found.append(f"exception: {told['exceptionDetails']}")
            elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
                found.append(f"log: {told['entry']['text']}")
            elif method == "Runtime.consoleAPICalled":
                found.append(f"console: {told['args']}")
        return [each for each in found if not any(word in each for word in but)]
