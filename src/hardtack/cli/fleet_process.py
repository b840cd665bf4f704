"""The process that builds and publishes one repository of a fleet; :mod:`hardtack.fleet.process` starts it, and it ends with that.

One line of JSON comes in: ``entry``, ``plan``, ``scratch``; one goes out: the outcome. All temporary files lie in ``scratch``.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import threading
from dataclasses import replace
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
    outcome = replace(outcome, cpu_seconds=round(_cpu_seconds(), 3))
    sys.stdout.write(json.dumps(outcome.to_json()) + "\n")
    sys.stdout.flush()
    return 0


def _cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    os._exit(main())  # without the destructors of maps and thread pools
