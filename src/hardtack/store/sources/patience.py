"""How long a source is waited for, in all: tries, bytes and seconds in, the sentence with which it is given up out.

A server decides when a connection breaks, what a resumed download continues, and how fast bytes come. So none of that counts
as progress: only bytes beyond the highest size that was ever reached do, and they have to come at a mean rate.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

_WORTHWHILE: Final = 1 << 14
"""The fewest new bytes of a try that count as progress; of a large file, a :data:`_SHARE` of it."""
_SHARE: Final = 200


class Patience:
    """With one download: it ends, whatever the server does."""

    def __init__(self, *, had: int, size: int | None, grace: float, least_mean: int, most_requests: int) -> None:
        """Begin to wait.

        Args:
            had: bytes that an earlier download left.
            size: bytes of the file; None when it is not known.
            grace: seconds that any download may take.
            least_mean: bytes a second that a longer one must have brought, as a mean over all of it.
            most_requests: the most requests.
        """
        self._had = self._highest = had
        self._worthwhile = max(_WORTHWHILE, (size or 0) // _SHARE)
        self._grace, self._least_mean, self._most_requests = grace, least_mean, most_requests
        self._started = time.monotonic()
        self._requests = self._failed = 0

    def reached(self, size: int) -> str:
        """Say that the file has grown to ``size``; the sentence's end if the download is given up."""
        self._highest = max(self._highest, size)
        seconds, came = time.monotonic() - self._started, self._highest - self._had
        if seconds > self._grace and came < (seconds - self._grace) * self._least_mean:
            return f"gave {came} bytes in {seconds:.0f} seconds, and {self._least_mean} a second are waited for"
        return ""

    def failed(self, before: int, *, restarted: bool) -> int:
        """Count a try that broke off: the number of tries in a row without progress, this one included.

        Args:
            before: :attr:`highest` before the try.
            restarted: whether bytes were thrown away, as the server has other ones now.
        """
        self._requests += 1
        made_progress = self._highest - before >= self._worthwhile and not restarted
        self._failed = 1 if made_progress else self._failed + 1
        return self._failed

    @property
    def highest(self) -> int:
        """The most bytes that the file ever had."""
        return self._highest

    @property
    def verdict(self) -> str:
        """The sentence's end if there were too many requests, else empty."""
        if self._requests < self._most_requests:
            return ""
        return f"broke off {self._requests} times and gave {self._highest - self._had} bytes so far"


class Stopwatch:
    """The time for which at least one thread was waiting for an answer."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running = 0
        self._since = self._before = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of the context."""
        with self._lock:
            if not self._running:
                self._since = time.monotonic()
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                if not self._running:
                    self._before += time.monotonic() - self._since

    @property
    def seconds(self) -> float:
        """The time so far."""
        with self._lock:
            return self._before + (time.monotonic() - self._since if self._running else 0.0)
