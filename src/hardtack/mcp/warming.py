"""Opens the first bundle and loads the engines while a server starts, so that its first call does not wait for them.

Hashing releases the GIL, so the bundle is opened while the SDK is imported. Loading engines does not, so it begins when the server
can already answer the client's handshake. After that nothing is imported any more: the server opens no files but bundles.
"""

from __future__ import annotations

import ctypes
import logging
import sys
import threading
from contextlib import suppress
from typing import Final

from hardtack.errors import HardtackError
from hardtack.mcp.logs import log_event
from hardtack.query.files.patterns import compiled
from hardtack.query.retrieval.encoder import carries_encoder
from hardtack.tools import tools_of
from hardtack.tools.catalog import Catalog

_log = logging.getLogger(__name__)

_ARENA_MAX: Final = -8
"""``M_ARENA_MAX`` of glibc's ``mallopt``."""
_ARENAS: Final = 2


def use_few_arenas() -> None:
    """Let all threads allocate from two arenas; call it while there is only one thread.

    By default glibc makes arenas for many threads, and a server whose threads take turns never returns that memory to the system;
    and glibc reads a file to count the processors when two threads first contend for an arena.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


class WarmUp:
    """Makes a catalog ready to answer, in a thread of its own."""

    def __init__(self, catalog: Catalog, *, allow_build: bool = False) -> None:
        """Start the thread, which opens the first bundle."""
        self._catalog = catalog
        self._allow_build = allow_build
        self._may_load = threading.Event()
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)
        self._thread.start()

    def load(self) -> None:
        """Let the thread load engines, which holds the GIL: the main thread has nothing urgent to do any more."""
        self._may_load.set()

    def wait(self) -> None:
        """Return when the thread has finished."""
        self._thread.join()

    def _run(self) -> None:
        try:
            with self._catalog.searcher(as_built=True):
                pass
        except HardtackError as error:  # calls that need the bundle report it as well; it may come later
            log_event(_log, "no_bundle_yet", code=error.code)
        self._may_load.wait()
        tools_of(allow_build=self._allow_build)
        for load in (self._load_engines, self._load_patterns):
            try:
                load()
            except HardtackError as error:
                log_event(_log, "not_loaded", level=logging.DEBUG, code=error.code)

    def _load_engines(self) -> None:
        """Search once in each way, which loads what such a search needs; an encoder that is a service is not called."""
        with self._catalog.searcher() as searcher:
            bundle = searcher.bundle
            is_own = bundle.has_vectors and carries_encoder(bundle)
            searcher.search("warm up", limit=1, mode="hybrid" if is_own else "keyword")
            if bundle.has_text:
                searcher.files.search("a", limit=1)
            if bundle.manifest.counts.symbols:
                bundle.detail(0)

    def _load_patterns(self) -> None:
        compiled("warm up")
