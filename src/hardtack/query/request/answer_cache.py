"""Queries and their answers in, the answer to the same query out: an agent asks the same again."""

from __future__ import annotations

from threading import Lock

from hardtack.nouns.model import Answer, Query


class AnswerCache:
    """The latest answers of one searcher, each by its query. Threads may share one."""

    def __init__(self, size: int) -> None:
        """Keep so many answers; 0 keeps none."""
        self._size = size
        self._answers: dict[Query, Answer] = {}
        self._lock = Lock()

    def __contains__(self, query: Query) -> bool:
        return query in self._answers

    def get(self, query: Query) -> Answer | None:
        """The answer that was kept for ``query``, which now is the latest."""
        with self._lock:
            answer = self._answers.pop(query, None)
            if answer is not None:
                self._answers[query] = answer
            return answer

    def put(self, query: Query, answer: Answer) -> None:
        """Keep an answer; the one that was not asked for the longest time makes room."""
        if not self._size:
            return
        with self._lock:
            self._answers[query] = answer
            if len(self._answers) > self._size:
                del self._answers[next(iter(self._answers))]
