"""A catalog in, its first bundle ready to answer: what a first call would wait for, done while nobody waits yet.

Hashing lets go of the interpreter's lock, so a bundle is opened beside the imports of the SDK; all else does not, so it comes when
the server can already say who it is. After that nothing is imported any more: a server that has answered opens nothing but bundles.
"""

from __future__ import annotations

import logging
import threading

from hardtack.errors import HardtackError
from hardtack.mcp.logs import tell
from hardtack.query.encoder import carries_encoder
from hardtack.query.patterns import compiled
from hardtack.tools import tools_of
from hardtack.tools.catalog import Catalog

_log = logging.getLogger(__name__)


class WarmUp:
    """Gets a catalog ready, in a thread of its own."""

    def __init__(self, catalog: Catalog) -> None:
        """Begin, by opening the first bundle."""
        self._catalog = catalog
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
        tools_of(allow_build=True)
        for load in (self._load_engines, self._load_patterns):
            try:
                load()
            except HardtackError as error:
                tell(_log, "not_loaded", level=logging.DEBUG, code=error.code)

    def _load_engines(self) -> None:
        """One search loads all that a search needs."""
        with self._catalog.searcher() as searcher:
            is_own = searcher.bundle.has_vectors and carries_encoder(searcher.bundle)
            searcher.search("warm up", limit=1, mode="hybrid" if is_own else "keyword")

    def _load_patterns(self) -> None:
        compiled("warm up")
