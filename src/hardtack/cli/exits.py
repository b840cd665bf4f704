"""What a verb does in, the process's end out: errors become sentences on standard error, and everything an exit code.

Exit codes: 0 done; 1 nothing found; 2 usage, or an extra that is missing; 3 bundle invalid; 4 build; 5 network or disk; 6 refused
by policy; 7 could not check; 70 our bug; 130 interrupted. A reader that closes the pipe early is no error.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from hardtack.errors import HardtackError, MissingExtra

NOTHING_FOUND = 1
OUR_BUG = 70
INTERRUPTED = 130


def leave_with(verb: Callable[[], object], arguments: Sequence[str]) -> NoReturn:
    """Do what a verb does and leave with the exit code that it gives.

    Args:
        verb: does it; gives a code or nothing.
        arguments: of the command line, which say how errors are wanted.
    """
    try:
        code = verb()
        sys.stdout.flush()
    except HardtackError as error:
        code = explained(error, as_json=wants_json(arguments))
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        forget_stdout()
        code = 0
    except Exception:  # noqa: BLE001  (the edge: whatever is left is our bug, and says so)
        import traceback  # an answer does without

        traceback.print_exc()
        sys.stderr.write("hardtack: this is a bug in Hardtack; please report it with the lines above.\n")
        code = OUR_BUG
    _leave(code if isinstance(code, int) else 0)


def explained(error: HardtackError, *, as_json: bool) -> int:
    """The exit code of an error, which standard error has then been told of."""
    if as_json:
        import json

        from hardtack.render.schema import error_to_json

        sys.stderr.write(json.dumps(error_to_json(error), ensure_ascii=False) + "\n")
    else:
        from hardtack.render.style import inert

        sys.stderr.write(f"hardtack: {inert(str(error))}\n")
        for fault in getattr(error, "faults", ())[1:]:
            sys.stderr.write(f"  also: {inert(fault)}\n")
        if error.hint:
            sys.stderr.write(f"  {inert(error.hint)}\n")
    return error.exit_code


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether the answer was asked for as JSON, which then also holds for the error."""
    joined = " ".join(arguments)
    return "--json" in arguments or any(f"--format{by}{kind}" in joined for by in " =" for kind in ("json", "jsonl"))


def missing_extra(error: ImportError, what: str, extra: str) -> MissingExtra:
    """The error to raise for an import that failed because ``extra`` is not installed; a broken import of our own is not that."""
    if error.name is None or error.name.partition(".")[0] == "hardtack":
        raise error
    return MissingExtra(what, extra)


def forget_stdout() -> None:
    """Keep the interpreter from complaining, on its way out, about output nobody reads."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _leave(code: int) -> NoReturn:
    """Exit at once: tearing down thread pools and maps takes longer than a search, and everything has been written."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        forget_stdout()
    os._exit(code)
