"""The process that builds and publishes one repository of a fleet; :mod:`hardtack.fleet.process` starts it, and it ends with that.

One line of JSON comes in: ``entry``, ``plan``, ``scratch``; one goes out: the outcome. All temporary files lie in ``scratch``.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Final

from hardtack.cli import environment
from hardtack.cli.exits import INTERRUPTED, stop_when_input_ends
from hardtack.fleet.listing import Entry
from hardtack.fleet.task import Plan, do
from hardtack.notations import parse_json

_MESSAGE_LIMIT: Final = 1 << 16


def main() -> int:
    """Do what the line says; a failure is an outcome, and any other exit status a bug or a death."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.umask((os.umask(0o077) | 0o002) & 0o077)  # as for every verb
    message = parse_json(sys.stdin.buffer.readline(_MESSAGE_LIMIT).decode("ascii"), most=_MESSAGE_LIMIT)
    assert isinstance(message, dict), "a fleet wrote it"
    threading.Thread(target=stop_when_input_ends, daemon=True).start()
    scratch = Path(message["scratch"])
    tempfile.tempdir = str(scratch)
    try:
        outcome = do(Entry(**message["entry"]), Plan(**message["plan"]), environment.source_settings(), scratch)
    except KeyboardInterrupt:
        return INTERRUPTED
    sys.stdout.write(json.dumps(outcome.to_json()) + "\n")
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    os._exit(main())  # without the destructors of maps and thread pools
