"""The lines of JSON by which a retrieval harness asks a search tool, and by which the tool answers.

The first line out says that the index is ready and what it took: ``index_ms``, and of the processor ``index_cpu_ms``. Then each
line in is ``{"query": "..."}`` and is answered by one line, an array of ``[path, start_line, end_line]``, best first. With
``"timed": true`` beside the query the answer is ``{"ms": ..., "cpu_ms": ..., "hits": [...]}``: the search alone, by the clock and
of the processor, without pipe and JSON. Imports nothing beyond the standard library, since tools that are compared run in
environments of their own.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence

Hits = Sequence[tuple[str, int, int]]


class Indexing:
    """The time since this was made, by the clock and of the processor, this process and those it started and saw end."""

    def __init__(self) -> None:
        self._clock, self._cpu = time.perf_counter(), sum(os.times()[:4])

    def took(self) -> dict[str, object]:
        """As the first line has it."""
        return {
            "index_ms": (time.perf_counter() - self._clock) * 1000,
            "index_cpu_ms": (sum(os.times()[:4]) - self._cpu) * 1000,
        }


def serve(ready: dict[str, object], search: Callable[[str], Hits]) -> None:
    """Say ``ready``, then answer queries until standard input ends."""
    print(json.dumps(ready), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        start, cpu = time.perf_counter(), time.process_time()
        hits = search(asked["query"])
        cpu_ms, milliseconds = (time.process_time() - cpu) * 1000, (time.perf_counter() - start) * 1000
        print(json.dumps({"ms": milliseconds, "cpu_ms": cpu_ms, "hits": hits} if asked.get("timed") else hits), flush=True)
