"""A catalog in, its first bundle ready to answer: what a first call would wait for, done while nobody waits yet.

Hashing lets go of the interpreter's lock, so a bundle is opened beside the imports of the SDK; all else does not, so it comes when
the server can already say who it is. After that nothing is imported any more: a server that has answered opens nothing but bundles.
"""

from __future__ import annotations

import ctypes
import logging
import threading
from contextlib import suppress
from typing import Final

from hardtack.errors import HardtackError
from hardtack.mcp.logs import tell
from hardtack.query.files.patterns import compiled
from hardtack.query.retrieval.encoder import carries_encoder
from hardtack.tools import tools_of
from hardtack.tools.catalog import Catalog

_log = logging.getLogger(__name__)

_ARENA_MAX: Final = -8
"""The number of a setting of glibc's ``mallopt``."""
_ARENAS: Final = 2


def use_few_arenas() -> None:
    """Let threads share what they allocate from, as long as there is one thread.

    By default glibc gives every thread memory of its own, which a server of many threads that take turns never gives back; and it
    reads a file to learn how many processors there are, whenever two threads first get into each other's way.
    """
    with suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


class WarmUp:
    """Gets a catalog ready, in a thread of its own."""

    def __init__(self, catalog: Catalog, *, allow_build: bool = False) -> None:
        """Begin, by opening the first bundle."""
        self._catalog = catalog
        self._allow_build = allow_build
        self._may_load = threading.Event()
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)
        self._thread.start()

    def load(self) -> None:
        """Go on with what takes the interpreter's lock: nobody waits for this one any more."""
        self._may_load.set()

    def wait(self) -> None:
        """Return when it is done."""
        self._thread.join()

    def _run(self) -> None:
        try:
            with self._catalog.searcher():
                pass
        except HardtackError as error:  # told by the calls that need it, too; a bundle may come later
            tell(_log, "no_bundle_yet", code=error.code)
        self._may_load.wait()
        tools_of(allow_build=self._allow_build)
        for load in (self._load_engines, self._load_patterns):
            try:
                load()
            except HardtackError as error:
                tell(_log, "not_loaded", level=logging.DEBUG, code=error.code)

    def _load_engines(self) -> None:
        """One search of each sort loads all that such a search needs; an encoder that is a service is not asked."""
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
