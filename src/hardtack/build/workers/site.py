"""On a machine of a cluster: batches of packed files in, packed replies out, from the worker processes that a local build has.

So each file has the same limits of memory and time there, and a parser that crashes is told in the same words. The caller, a
process of the cluster, may have many threads; there is a worker process for each that is at work. Worker processes belong to one
build: what hostile text of its tree has taken over replies for no other. They end when the build says so, when it has asked nothing
for a while, and with this process, however it ends.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import msgpack

from hardtack.build.workers.processes import Worker, Workers, how_it_ended
from hardtack.build.workers.slot import Reply, Slot
from hardtack.errors import BuildError

_IDLE_SECONDS: Final = 60.0
"""How long worker processes wait for the next batch of a build that may have been killed."""
_KILLS_EVERY: Final = 0.05
_STOPPED: Final = frozenset(how_it_ended(-number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
"""Ends that no parser comes to by itself: the machine is being taken away."""

_state = threading.Condition()
"""Held for every look at, and change of, the variables below and :attr:`Site.users`; told when users leave."""
_sites: Final[dict[str, Site]] = {}
"""Build -> its worker processes here."""


def analyse_batch(build: str, products: Mapping[str, bool], languages: Sequence[str], batch: bytes) -> bytes:
    """Analyse packed files.

    Args:
        build: any text that no other build has.
        products: what workers make, as :class:`Workers` takes it; the same in each call of a build.
        languages: ids of those that the build has met so far.
        batch: packed files, packed as a list.

    Returns:
        A packed list with a :class:`Reply` for each file, in order.

    Raises:
        BuildError: worker processes cannot be started here, or were ended from outside.
    """
    files: list[bytes] = msgpack.unpackb(batch)
    with _entered(build, products) as site:
        replies: bytes = msgpack.packb(site.replies(files, languages))
        return replies


def end_build(build: str) -> None:
    """End the worker processes of a build, also those at work."""
    with _state:
        site = _sites.pop(build, None)
        _state.notify_all()
    if site:
        site.close()


class Site:
    """The worker processes of one build on this machine."""

    def __init__(self, products: Mapping[str, bool]) -> None:
        """Start the fork server.

        Raises:
            BuildError: it cannot be started.
        """
        self.users = 0
        """Threads that are at work."""
        self.used = time.monotonic()
        """When the last of them left."""
        self._workers = Workers(**products).__enter__()
        self._languages: set[str] = set()
        self._idle: list[Slot] = []
        self._is_closed = False

    def replies(self, files: Sequence[bytes], languages: Iterable[str]) -> list[Reply]:
        """The reply to each packed file.

        Raises:
            BuildError: worker processes cannot be started, or were ended from outside.
        """
        self._languages.update(languages)
        with _state:
            slot = self._idle.pop() if self._idle else Slot(self._workers, self._start)
        replies = slot.replies(files)
        if any(reply.crash in _STOPPED for reply in replies):
            raise BuildError("Its worker processes were ended from outside.")
        with _state:
            self._idle.append(slot)
        return replies

    def close(self) -> None:
        """End all of them, once no thread is at work; those that are raise soon. To be called once."""
        self._is_closed = True
        with _state:
            while self.users:
                self._workers.kill()  # again and again: a thread may be about to start one
                _state.wait(_KILLS_EVERY)
        self._workers.__exit__(None, None, None)

    def _start(self) -> Worker:
        if self._is_closed:
            raise BuildError("The build was stopped.")
        return self._workers.start(self._languages)


@contextmanager
def _entered(build: str, products: Mapping[str, bool]) -> Iterator[Site]:
    """The build's worker processes here, for one thread; when something is wrong with them, the next one gets others."""
    with _state:
        site = _sites.get(build)
        if site is None:
            site = _sites[build] = Site(products)
            threading.Thread(target=_end_when_idle, args=(build, site), daemon=True).start()
        site.users += 1
    is_broken = True
    try:
        yield site
        is_broken = False
    finally:
        with _state:
            site.users -= 1
            site.used = time.monotonic()
            if is_broken and (is_broken := _sites.get(build) is site):
                del _sites[build]
            _state.notify_all()
        if is_broken:
            site.close()


def _end_when_idle(build: str, site: Site) -> None:
    with _state:
        while _sites.get(build) is site:
            left = _IDLE_SECONDS if site.users else site.used + _IDLE_SECONDS - time.monotonic()
            if left <= 0:
                del _sites[build]
                break
            _state.wait(left)
        else:
            return  # somebody else ends it
    site.close()
