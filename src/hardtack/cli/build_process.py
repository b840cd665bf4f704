"""The process that builds a bundle for a server, and ends with the server; :mod:`hardtack.cli.building` starts it.

On standard output it writes JSON lines: ``{"files": 120}`` as it goes on, and at its end, if it failed,
``{"error": {"code", "message", "hint"}}``. It stops when its standard input ends, which happens however the server ends.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import INTERRUPTED, missing_extra, stop_when_input_ends
from hardtack.errors import HardtackError

_REPORT_EVERY: Final = 0.5
"""Seconds between two progress messages."""


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
    build_options = BuildOptions(
        source=SourceOptions(tests=not no_tests, vendor=vendor),
        encoder=options.encoder_settings(),
        base=NO_BASE if anew else AUTO,
    )
    step, own = environment.kill_switch(), environment.own_work()
    build_bundle(source, None, build_options, progress=_progress(), step=step, own=own)


def _progress() -> Callable[[int], None]:
    """Writes the number of files that are done, at most twice a second."""
    last = time.monotonic()

    def report(files: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _REPORT_EVERY:
            last = time.monotonic()
            _write({"files": files})

    return report


def _write(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> int:
    """Build what the arguments say; exit codes are those of ``hardtack build``."""
    # A server that a shell started in the background ignores SIGINT, and this process has inherited that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=stop_when_input_ends, daemon=True).start()
    try:
        command.main(standalone_mode=False)
    except HardtackError as error:
        _write({"error": {"code": error.code, "message": str(error), "hint": error.hint}})
        return error.exit_code
    except (KeyboardInterrupt, click.Abort, BrokenPipeError):
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
