"""A cache of answers by query, because agents repeat their queries."""

from __future__ import annotations

from threading import Lock

from hardtack.nouns.model import Answer, Query


class AnswerCache:
    """The least recently used cache of one searcher's answers. Threads may share one."""

    def __init__(self, size: int) -> None:
        """Keep ``size`` answers at most; 0 keeps none."""
        self._size = size
        self._answers: dict[Query, Answer] = {}
        self._lock = Lock()

    def __contains__(self, query: Query) -> bool:
        return query in self._answers

    def get(self, query: Query) -> Answer | None:
        """The cached answer to ``query``, which becomes the most recently used; None if there is none."""
        with self._lock:
            answer = self._answers.pop(query, None)
            if answer is not None:
                self._answers[query] = answer
            return answer

    def put(self, query: Query, answer: Answer) -> None:
        """Cache an answer; drop the least recently used one if the cache is full."""
        if not self._size:
            return
        with self._lock:
            self._answers[query] = answer  # a dict keeps insertion order, so its first key is the least recently used
            if len(self._answers) > self._size:
                del self._answers[next(iter(self._answers))]
