"""An open bundle in; each of its pages out when it is asked for, and what a search of it finds, for a server that shows a page."""

from __future__ import annotations

from threading import Lock
from typing import Any, Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Answer, Hit
from hardtack.page.addresses import file_page, line_anchor
from hardtack.page.highlighting import Highlighters
from hardtack.page.pages import Pages
from hardtack.page.rendering import shell
from hardtack.render.style import inert, inert_line

MOST_HITS: Final = 20

__all__ = ["MOST_HITS", "LivePages", "answer_to_json", "shell"]


class LivePages:
    """The pages of one bundle, which stays open meanwhile. Threads may share one; they take turns."""

    def __init__(self, bundle: Bundle, name: str) -> None:
        self.bundle = bundle
        self._pages = Pages(bundle, name, is_single=False)
        self._highlighters = Highlighters(1)
        self._lock = Lock()

    def page(self, place: str) -> dict[str, str] | None:
        """Title and HTML of the page at a place, such as ``index.html``; None where there is none."""
        with self._lock:
            found = self._pages.one(place, self._highlighters)
        return {"title": found[0], "html": str(found[1])} if found else None

    def close(self) -> None:
        """End the process that highlights."""
        with self._lock:
            self._highlighters.__exit__()


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """An answer as the script of the page takes it: texts to be shown as they are, and the place of each hit's page."""
    return {"hits": [_hit(hit) for hit in answer.hits], "hint": inert_line(answer.hint), "more": answer.truncated}


def _hit(hit: Hit) -> dict[str, Any]:
    line = hit.match_line or hit.selection_line or hit.start_line
    return {
        "place": file_page(hit.path),
        "anchor": line_anchor(line),
        "path": inert_line(hit.path),
        "line": line,
        "kind": hit.kind,
        "name": inert_line(hit.name),
        "full": inert_line(hit.qualified_name),
        "score": hit.score,
        "snippet": inert(hit.snippet),
        "reasons": [inert_line(reason) for reason in hit.reasons],
    }
