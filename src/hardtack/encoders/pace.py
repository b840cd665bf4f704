"""A rate limit in requests a minute, shared by threads: when the next request may start."""

from __future__ import annotations

import threading
import time


class Pace:
    """Spaces out the starts of requests. Threads may share one."""

    def __init__(self, per_minute: float) -> None:
        """Allow ``per_minute`` requests; 0 for no limit."""
        self._interval = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self, stop: threading.Event) -> bool:
        """Wait for a turn; False as soon as ``stop`` is set."""
        while True:
            with self._lock:
                now = time.monotonic()
                if now >= self._next:
                    self._next = now + self._interval
                    return not stop.is_set()
                remaining = self._next - now
            if stop.wait(remaining):
                return False

    def hold(self, seconds: float) -> None:
        """Let no thread start for that long: a service that asks one thread to wait means them all."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)
