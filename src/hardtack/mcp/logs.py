"""Log records in, lines of JSON on standard error out, one for each event: level, event, tool, bundle, duration, code.

They hold neither indexed text nor queries, unless ``log_queries`` is set. Of an exception they give the type and the places in the
code, not the message, which may hold a query. A thread of its own writes the lines, so that a client that does not read them holds
nothing up; lines that do not fit its queue are dropped and counted. Of warnings and errors of one kind, those beyond a few are
counted, too, instead of written: who has no token could fill a disk with them.
"""

from __future__ import annotations

import logging
import math
import os
import queue
import threading
import time
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from hardtack.render.style import inert_json

_WAITING: Final = 2_000
"""Lines that wait to be written at most."""
_CLOSING_SECONDS: Final = 0.5
"""How long a server that ends waits for its last lines to be written."""
_OFTEN: Final = 20
"""Warnings or errors of one kind that are written in each :data:`_PERIOD`."""
_PERIOD: Final = 60.0
"""Seconds."""
_OURS: Final = "hardtack"
_LONGEST: Final = 500
"""Characters of a message of another library at most."""


def log_event(log: logging.Logger, event: str, *, level: int = logging.INFO, **fields: Any) -> None:
    """Log one event with its fields; fields that are None are left out."""
    if log.isEnabledFor(level):
        log.log(level, event, extra={"fields": fields})


@dataclass(slots=True)
class _Warned:
    """The warnings of one kind, in one period."""

    since: float
    count: int = 0


class JsonLines(logging.Handler):
    """A handler that writes each record as a line of JSON."""

    def __init__(self, descriptor: int = 2, *, log_queries: bool = False) -> None:
        """Start the thread that writes.

        Args:
            descriptor: of an open file, by default standard error.
            log_queries: also write arguments of calls and messages of exceptions.
        """
        super().__init__()
        self._descriptor = descriptor
        self._log_queries = log_queries
        self._lines: queue.Queue[str | None] = queue.Queue(_WAITING)
        self._dropped = 0
        self._warned: dict[str, _Warned] = {}
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def announce(self, event: str, **fields: Any) -> None:
        """Write an event that the operator must see, at any log level."""
        self.emit(
            logging.makeLogRecord({"name": _OURS, "levelno": logging.INFO, "levelname": "INFO", "msg": event, "fields": fields})
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the line of one record, unless it is one of too many of its kind."""
        now = time.monotonic()
        self._tell_left_out(before=now - _PERIOD)
        if record.levelno >= logging.WARNING:
            warned = self._warned.setdefault(_kind_of(record), _Warned(since=now))
            warned.count += 1
            if warned.count > _OFTEN:
                return
        self._queue(self._fields_of(record))

    def _tell_left_out(self, *, before: float) -> None:
        """Say how many warnings were counted and not written, of each period that began ``before``."""
        for kind in [kind for kind, warned in self._warned.items() if warned.since < before]:
            left_out = self._warned.pop(kind).count - _OFTEN
            if left_out > 0:
                self._queue({"level": "warning", "event": "log_lines_limited", "of": kind, "count": left_out})

    def _queue(self, fields: dict[str, Any]) -> None:
        try:
            self._lines.put_nowait(inert_json(fields))
        except queue.Full:
            self._dropped += 1

    def close(self) -> None:
        """Write the lines that wait, unless nobody reads them within half a second."""
        self._tell_left_out(before=math.inf)
        try:
            self._lines.put(None, timeout=_CLOSING_SECONDS)
        except queue.Full:
            pass
        else:
            self._thread.join(_CLOSING_SECONDS)
        super().close()

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            dropped, self._dropped = self._dropped, 0
            lost = inert_json({"level": "warning", "event": "log_lines_dropped", "count": dropped}) + "\n" if dropped else ""
            try:
                os.write(self._descriptor, f"{lost}{line}\n".encode())
            except OSError:
                return  # the reader is gone

    def _fields_of(self, record: logging.LogRecord) -> dict[str, Any]:
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


def _kind_of(record: logging.LogRecord) -> str:
    """What a warning is about: our event and its code, or the place in a library that gives it. A message may differ each time."""
    if record.name.partition(".")[0] != _OURS:
        return f"{record.name}:{record.lineno}"
    return " ".join(filter(None, (record.msg.partition(":")[0], getattr(record, "fields", {}).get("code"))))


def _places_of(error: BaseException) -> dict[str, Any]:
    """The type of an exception and its traceback, without any message."""
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__qualname__,
        "at": [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames],
    }


def start(level: str, *, log_queries: bool = False) -> JsonLines:
    """Write all log records of this process from ``level`` on to standard error, as lines of JSON."""
    handler = JsonLines(log_queries=log_queries)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)  # for other libraries, whose records below this level may hold queries
    logging.getLogger(_OURS).setLevel(level.upper())
    logging.captureWarnings(True)
    threading.excepthook = _thread_failed
    return handler


def _thread_failed(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value:
        logging.getLogger(_OURS).error("thread_failed", exc_info=ended.exc_value)
