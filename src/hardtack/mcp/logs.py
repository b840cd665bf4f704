"""What happens in a server in, lines of JSON on standard error out, one an event: level, event, tool, bundle, duration, code.

Neither indexed text nor what was asked is in them, unless the log was told so: of an exception they tell the type and the places in
the code, since its words may be a user's. Lines are written by a thread of their own, so that a client that does not read them can
hold nothing up; what does not fit its queue is counted and dropped.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
import traceback
from datetime import UTC, datetime
from typing import Any, Final

from hardtack.render.style import inert_json

_WAITING: Final = 2_000
"""Lines that may wait to be written."""
_LAST_WORDS: Final = 0.5
"""Seconds that the end of a server waits for its last lines to be read."""
_OURS: Final = "hardtack"
_LONGEST: Final = 500
"""Characters of what another library says."""


def tell(log: logging.Logger, event: str, *, level: int = logging.INFO, **fields: Any) -> None:
    """Write one event, with what is to be told of it; fields that are None are left out."""
    if log.isEnabledFor(level):
        log.log(level, event, extra={"fields": fields})


class JsonLines(logging.Handler):
    """Writes each record as a line of JSON."""

    def __init__(self, descriptor: int = 2, *, log_queries: bool = False) -> None:
        """Write to an open file.

        Args:
            descriptor: of the file; standard error.
            log_queries: whether arguments of calls, and words of exceptions, may be told.
        """
        super().__init__()
        self._descriptor = descriptor
        self._log_queries = log_queries
        self._lines: queue.Queue[str | None] = queue.Queue(_WAITING)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def say(self, event: str, **fields: Any) -> None:
        """Write an event whatever the level: what an operator must know."""
        self.emit(
            logging.makeLogRecord({"name": _OURS, "levelno": logging.INFO, "levelname": "INFO", "msg": event, "fields": fields})
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Take one record."""
        try:
            self._lines.put_nowait(inert_json(self._told(record)))
        except queue.Full:
            self._dropped += 1

    def close(self) -> None:
        """Write what is waiting, as far as somebody reads it."""
        try:
            self._lines.put(None, timeout=_LAST_WORDS)
        except queue.Full:
            pass
        else:
            self._thread.join(_LAST_WORDS)
        super().close()

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            dropped, self._dropped = self._dropped, 0
            lost = inert_json({"level": "warning", "event": "log_lines_dropped", "count": dropped}) + "\n" if dropped else ""
            try:
                os.write(self._descriptor, f"{lost}{line}\n".encode())
            except OSError:
                return  # nobody reads any more

    def _told(self, record: logging.LogRecord) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        if record.name.partition(".")[0] == _OURS:
            fields |= {"event": record.msg.partition(":")[0], **getattr(record, "fields", {})}
        else:
            fields |= {"event": "library", "logger": record.name, "message": record.getMessage()[:_LONGEST]}
        error = record.exc_info[1] if record.exc_info else None
        if error:
            fields |= _places_of(error)
        if self._log_queries and (error or record.args):
            fields["said"] = f"{record.getMessage()}: {error}" if error else record.getMessage()
        return {name: value for name, value in fields.items() if value is not None}


def _places_of(error: BaseException) -> dict[str, Any]:
    """What an exception is, and where in the code it went wrong."""
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__qualname__,
        "at": [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames],
    }


def start(level: str, *, log_queries: bool = False) -> JsonLines:
    """Send everything that is logged in this process, from ``level`` on, to standard error as lines of JSON."""
    handler = JsonLines(log_queries=log_queries)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)  # of other libraries; what they say below that may hold what was asked
    logging.getLogger(_OURS).setLevel(level.upper())
    logging.captureWarnings(True)
    threading.excepthook = _thread_failed
    return handler


def _thread_failed(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value:
        logging.getLogger(_OURS).error("thread_failed", exc_info=ended.exc_value)
