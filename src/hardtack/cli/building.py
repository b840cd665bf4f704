"""Builds the bundle of a source tree in a process of its own, for a server that was started with ``--allow-build``.

A process can be stopped; it gives its memory back; and a parser that crashes on hostile source does not end the server.
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

_CHECK_EVERY: Final = 0.2
"""Seconds between two checks whether the call was cancelled."""

_STOPPING_SECONDS: Final = 6
"""One second more than ``exits.STOPPING_SECONDS``, after which the process kills itself."""

_LOGGED_BYTES: Final = 2000
"""Last bytes of the standard error of a process that crashed, for the log."""

_ERRORS: Final = {error.code: error for error in (EncoderUnavailable, NothingIndexed, PolicyError, SourceError, SourceUnreadable)}


def build_by_process(call: Call, source: Path, *, tests: bool = True, vendor: bool = False, anew: bool = False) -> None:
    """Build the bundle of ``source`` at its usual place.

    Args:
        call: gets the number of files done; a build that it cancels leaves nothing behind.
        source: a directory or a git checkout.
        tests: index tests.
        vendor: index vendored trees.
        anew: reuse nothing of the bundle that is there.

    Raises:
        HardtackError: the error of the build; a plain :class:`BuildError` unless its class tells the caller what to do.
    """
    # -P: no module may be imported from the server's working directory
    command = [sys.executable, "-P", "-m", "hardtack.cli.build_process", "--", os.fspath(source)]
    command[-2:-2] = [*([] if tests else ["--no-tests"]), *(["--vendor"] if vendor else []), *(["--anew"] if anew else [])]
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
            )
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
            errors.seek(max(errors.tell() - _LOGGED_BYTES, 0))
            _log.error("a build broke down: %s", errors.read().decode("utf-8", "replace"))
            failure = BuildError("The build broke down.", hint="The server's log says more; 'hardtack build' may as well.")
    if failure:
        raise failure


def _messages(call: Call, output: IO[bytes]) -> Iterator[dict[str, Any]]:
    """The messages of the process, until it closes its standard output."""
    begun = b""  # a line of which only the beginning has come yet
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while True:
            call.check()
            if selector.select(_CHECK_EVERY):
                piece = os.read(output.fileno(), 1 << 16)
                if not piece:
                    return
                *lines, begun = (begun + piece).split(b"\n")
                yield from map(json.loads, lines)


def _failure(message: dict[str, str]) -> HardtackError:
    return _ERRORS.get(message["code"], BuildError)(message["message"], hint=message["hint"])


def _end(process: subprocess.Popen[bytes]) -> None:
    """Close the input of the process, which stops it; kill it and its workers if it does not end."""
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
