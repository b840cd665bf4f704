"""The log is lines of JSON, holds neither queries nor indexed text, and never blocks the server."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Iterator
from typing import Any

import pytest

from hardtack.mcp.logs import JsonLines, log_event


class _Pipe:
    """A log that is written to a pipe, and the lines that are read from it."""

    def __init__(self, *, log_queries: bool) -> None:
        self.reading, writing = os.pipe()
        self.handler = JsonLines(writing, log_queries=log_queries)
        self.writing = writing
        self.log_queries = log_queries

    def events(self) -> list[dict[str, Any]]:
        self.handler.close()
        os.close(self.writing)
        with os.fdopen(self.reading, "rb") as lines:
            return [json.loads(line) for line in lines]


@pytest.fixture(params=[False, True], ids=["quiet", "log_queries"])
def pipe(request: pytest.FixtureRequest) -> Iterator[_Pipe]:
    yield _Pipe(log_queries=request.param)


@pytest.fixture
def log(pipe: _Pipe) -> Iterator[logging.Logger]:
    made = logging.getLogger("hardtack.test")
    made.addHandler(pipe.handler)
    made.setLevel(logging.INFO)
    made.propagate = False
    yield made
    made.removeHandler(pipe.handler)


def test_an_event_is_a_line_with_what_is_told_of_it(pipe: _Pipe, log: logging.Logger) -> None:
    log_event(log, "tool_called", tool="search", bundle="pantry\u202e\x1b", duration_ms=1.5, code=None)
    log_event(log, "left_out", level=logging.DEBUG)
    (event,) = pipe.events()
    assert event.pop("time").endswith("+00:00")
    assert event == {"level": "info", "event": "tool_called", "tool": "search", "bundle": "pantry\u202e\x1b", "duration_ms": 1.5}


def test_of_an_exception_its_kind_and_place_are_told_and_its_words_only_if_asked(pipe: _Pipe, log: logging.Logger) -> None:
    try:
        raise ValueError("what somebody searched for")
    except ValueError as error:
        log.error("a tool failed", exc_info=error)
    (event,) = pipe.events()
    assert event["error"] == "ValueError"
    assert event["at"][-1].startswith("test_logs.py:")
    assert ("what somebody searched for" in json.dumps(event)) == pipe.log_queries


def test_words_put_into_an_event_are_told_only_if_asked(pipe: _Pipe, log: logging.Logger) -> None:
    log.error("a build broke down: %s", "a line of somebody's code")
    (event,) = pipe.events()
    assert ("somebody's code" in json.dumps(event)) == pipe.log_queries


def test_what_is_said_is_written_whatever_the_level(pipe: _Pipe, log: logging.Logger) -> None:
    log.setLevel(logging.ERROR)
    pipe.handler.announce("listening", url="http://127.0.0.1:1/mcp", token=None)
    assert [event["event"] for event in pipe.events()] == ["listening"]


def test_a_log_that_nobody_reads_holds_nobody_up(pipe: _Pipe, log: logging.Logger) -> None:
    begun = time.monotonic()
    for number in range(5000):
        log_event(log, "tool_called", number=number, filler="x" * 200)
    assert time.monotonic() - begun < 5
    pipe.handler.close()
    assert time.monotonic() - begun < 7
    os.set_blocking(pipe.reading, False)
    lines = os.read(pipe.reading, 1 << 20).splitlines()
    assert json.loads(lines[0])["number"] == 0
    os.close(pipe.reading)


def test_of_warnings_of_one_kind_a_few_are_written_and_the_others_counted(pipe: _Pipe, log: logging.Logger) -> None:
    library = logging.getLogger("a.library")
    library.addHandler(pipe.handler)
    library.propagate = False
    for number in range(30):
        log_event(log, "request_refused", level=logging.WARNING, code="TOKEN_WRONG")
        library.warning("session %d is not known", number)  # one place in the code, whatever it says
    log_event(log, "request_refused", level=logging.WARNING, code="MESSAGE_TOO_LARGE")
    library.removeHandler(pipe.handler)
    events = pipe.events()
    written = [(event["event"], event.get("code")) for event in events]
    assert written.count(("request_refused", "TOKEN_WRONG")) == 20
    assert written.count(("request_refused", "MESSAGE_TOO_LARGE")) == 1
    assert written.count(("library", None)) == 20
    told = sorted((event["of"].partition(":")[0], event["count"]) for event in events if event["event"] == "log_lines_limited")
    assert told == [("a.library", 10), ("request_refused TOKEN_WRONG", 10)]


def test_what_is_no_warning_is_always_written(pipe: _Pipe, log: logging.Logger) -> None:
    for _ in range(100):
        log_event(log, "tool_called", tool="search")
    assert len(pipe.events()) == 100


def test_after_a_minute_warnings_are_written_again(pipe: _Pipe, log: logging.Logger, monkeypatch: pytest.MonkeyPatch) -> None:
    for minute in range(3):
        monkeypatch.setattr(time, "monotonic", lambda now=float(1000 + 61 * minute): now)
        for _ in range(25):
            log_event(log, "request_refused", level=logging.WARNING, code="TOKEN_WRONG")
    monkeypatch.undo()
    events = [event["event"] for event in pipe.events()]
    assert events.count("request_refused") == 60
    assert events.count("log_lines_limited") == 3
