"""A directory in, its bundle in its place: the process that builds for a server, and ends with it.

Run by :mod:`hardtack.cli.building` and by nobody else. On standard output it writes JSON lines: ``{"files": 120}`` as it goes on,
and at its end, if it failed, ``{"error": {"code", "message", "hint"}}``. It stops when its standard input ends, as it does when
whoever started it is gone, however that came.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import INTERRUPTED, missing_extra
from hardtack.errors import HardtackError

STOPPING_SECONDS: Final = 5
"""How long a build that is no longer wanted may take to clear up after itself."""

_TELL_EVERY: Final = 0.5
"""Seconds between two accounts of how far it is."""


@click.command("build-process")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--no-tests", is_flag=True)
@click.option("--vendor", is_flag=True)
@click.option("--anew", is_flag=True)
@options.encoder_options
def command(*, source: Path, no_tests: bool, vendor: bool, anew: bool) -> None:
    """Build the bundle of a directory in its own place."""
    try:
        from hardtack.build.pipeline import AUTO, NO_BASE, BuildOptions, build_bundle, require_parsers
        from hardtack.build.source.tree import SourceOptions

        require_parsers()
    except ImportError as error:
        raise missing_extra(error, "Building a bundle", "build") from error
    wanted = BuildOptions(
        source=SourceOptions(tests=not no_tests, vendor=vendor),
        encoder=options.encoder_settings(),
        base=NO_BASE if anew else AUTO,
    )
    build_bundle(source, None, wanted, progress=_progress(), step=environment.kill_switch())


def _progress() -> Callable[[int], None]:
    """Tells how many files are done, every now and then."""
    told = time.monotonic()

    def tell(files: int) -> None:
        nonlocal told
        if time.monotonic() - told >= _TELL_EVERY:
            told = time.monotonic()
            _tell({"files": files})

    return tell


def _tell(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _stop_when_input_ends() -> None:
    """Interrupt this process, which then leaves nothing half done; if that does not help, end it and its workers."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(STOPPING_SECONDS)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def main() -> int:
    """Build what the arguments say; the exit code is that of ``hardtack build``."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a server started in the background would have it ignore
    threading.Thread(target=_stop_when_input_ends, daemon=True).start()
    try:
        command.main(standalone_mode=False)
    except HardtackError as error:
        _tell({"error": {"code": error.code, "message": str(error), "hint": error.hint}})
        return error.exit_code
    except (KeyboardInterrupt, click.Abort, BrokenPipeError):
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
