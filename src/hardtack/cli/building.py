"""A source tree in, its bundle in its place, built by a process of its own: what a server calls when it was told that it may build.

A process, because parsers read what anybody wrote, a build takes memory that a server should not keep, and it can be stopped.
"""

from __future__ import annotations

import json
import logging
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from hardtack.errors import (
    BuildError,
    EncoderUnavailable,
    HardtackError,
    NothingIndexed,
    PolicyError,
    SourceError,
    SourceUnreadable,
)
from hardtack.tools.tool import Call

_log = logging.getLogger(__name__)

_LOOK_EVERY: Final = 0.2
"""Seconds between two looks whether the answer is still wanted."""

_STOPPING_SECONDS: Final = 6
"""A second more than the process itself takes to end what does not stop."""

_LAST_WORDS: Final = 2000
"""Bytes of what a process that broke down has written, for the log."""

_ERRORS: Final = {error.code: error for error in (EncoderUnavailable, NothingIndexed, PolicyError, SourceError, SourceUnreadable)}


def build_by_process(call: Call, source: Path, *, tests: bool = True, vendor: bool = False, anew: bool = False) -> None:
    """Build the bundle of ``source`` at its usual place.

    Args:
        call: is told how many files are done, and asked whether the bundle is still wanted; if not, nothing is left of the build.
        source: a directory or a git checkout.
        tests: index tests.
        vendor: index vendored trees.
        anew: take over nothing from the bundle that is there.

    Raises:
        HardtackError: what the build raised; as a plain :class:`BuildError` if it can only be told and not acted on.
    """
    # -P: the directory the server stands in must not be able to replace a module
    command = [sys.executable, "-P", "-m", "hardtack.cli.build_process", "--", os.fspath(source)]
    command[-2:-2] = [*([] if tests else ["--no-tests"]), *(["--vendor"] if vendor else []), *(["--anew"] if anew else [])]
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, start_new_session=True)
        except OSError as error:
            raise BuildError(f"The build could not be started: {error.strerror}.") from error
        failure: HardtackError | None = None
        try:
            assert process.stdout
            for message in _messages(call, process.stdout):
                if "files" in message:
                    call.report(message["files"], None, f"{message['files']} files indexed")
                else:
                    failure = _failure(message["error"])
            process.wait()
        finally:
            _end(process)
        if failure is None and process.returncode != 0:
            said.seek(max(said.tell() - _LAST_WORDS, 0))
            _log.error("a build broke down: %s", said.read().decode("utf-8", "replace"))
            failure = BuildError("The build broke down.", hint="The server's log says more; 'hardtack build' may as well.")
    if failure:
        raise failure


def _messages(call: Call, output: IO[bytes]) -> Iterator[dict[str, Any]]:
    """What the process tells, until it has no more to say."""
    begun = b""
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while True:
            call.check()
            if selector.select(_LOOK_EVERY):
                piece = os.read(output.fileno(), 1 << 16)
                if not piece:
                    return
                *lines, begun = (begun + piece).split(b"\n")
                yield from map(json.loads, lines)


def _failure(told: dict[str, str]) -> HardtackError:
    return _ERRORS.get(told["code"], BuildError)(told["message"], hint=told["hint"])


def _end(process: subprocess.Popen[bytes]) -> None:
    """See the process gone, and its workers: the end of its input stops it."""
    for stream in (process.stdin, process.stdout):
        if stream:
            with suppress(BrokenPipeError):
                stream.close()
    try:
        process.wait(timeout=_STOPPING_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
