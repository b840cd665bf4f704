"""The other end of ``retrieval_protocol.py``: a search tool as a process over one directory."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from typing import Any, Self

from measure import ONE_THREAD


class Process:
    """A tool's process over one directory, once its index is ready. A context manager.

    Args:
        command: a line of words, or the words; ``{root}`` in them stands for the directory.
        root: the directory.

    Raises:
        SystemExit: the process ended before it said that its index is ready. So does a question that it does not answer.
    """

    def __init__(self, command: str | Sequence[str], root: str) -> None:
        words = shlex.split(command) if isinstance(command, str) else command
        self._words = [word.replace("{root}", root) for word in words]
        self._process = subprocess.Popen(
            self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD}
        )
        self.ready = json.loads(self._line())

    def ask(self, query: str) -> dict[str, Any]:
        """The timed answer to one query."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"query": query, "timed": True}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._line())
        return answer

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{shlex.join(self._words)} ended early.")
        return line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
