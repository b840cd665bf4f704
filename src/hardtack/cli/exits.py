"""Runs a verb and ends the process: errors become sentences on standard error, and every outcome an exit code.

Exit codes: 0 done; 1 nothing found; 2 usage, or a missing extra; 3 bundle invalid; 4 build; 5 network or disk; 6 refused by
policy; 7 could not check; 70 a bug in Hardtack; 130 interrupted. A reader that closes the pipe early is no error.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from hardtack.errors import HardtackError, MissingExtra, SourceError, UsageError
from hardtack.render.style import inert_json, inert_line

NOTHING_FOUND = 1
OUR_BUG = 70
INTERRUPTED = 130
STOPPING_SECONDS = 5
"""Seconds that a process whose caller is gone has to remove what it wrote."""
_SHOWN = 300
"""Characters of a word that an error repeats of what was given."""
_LONG = re.compile(rf"(\S{{{_SHOWN}}})\S{{{_SHOWN},}}?(\W*(?:\s|$))")
_NARROWEST = 20
"""Columns that a sentence takes at least."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LABEL = re.compile(r" *(?:\w+ {2,})?")
"""What stands before the text of a line: blanks, or a word in a column of its own."""
_REFUSALS = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM),
        *(errno.EMFILE, errno.ENFILE, errno.ENAMETOOLONG, errno.ELOOP),
    }
)
"""A full or read-only disk, missing rights, too long names: the machine's errors, which no check beforehand can rule out."""


def leave_with(verb: Callable[[], object], arguments: Sequence[str]) -> NoReturn:
    """Run a verb and leave with its exit code.

    Args:
        verb: gives an exit code, or None for 0.
        arguments: of the command line; they say whether an error is printed as JSON.
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
    except OSError as error:
        refusal = _refusal_of(error)
        code = explained(refusal, as_json=wants_json(arguments)) if refusal else _bug()
    except Exception:  # noqa: BLE001  (the edge: any other exception is a bug of ours)
        code = _bug()
    _leave(code if isinstance(code, int) else 0)


def interruptible() -> None:
    """From now on an interrupt raises KeyboardInterrupt, so that what the verb has begun is cleaned up."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def stop_when_input_ends() -> None:
    """Interrupt this process when its standard input ends, so that it cleans up; kill it and its group if it does not end then.

    For a thread of a process that leads its group, and that somebody else's process has started.
    """
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(STOPPING_SECONDS)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _bug() -> int:
    with contextlib.suppress(OSError):
        traceback.print_exc()
        sys.stderr.write("hardtack: this is a bug in Hardtack; please report it with the lines above.\n")
    return OUR_BUG


def _refusal_of(error: OSError) -> HardtackError | None:
    """What the machine refused, as an error of ours; None of an error that it would not give for want of room or rights."""
    if error.errno == errno.ENOENT and not _has_working_directory():
        return UsageError("The working directory does not exist any more.", hint="Change into another one.")
    if error.errno not in _REFUSALS:
        return None
    place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else "Standard output"
    return SourceError(f"{place} cannot be used: {error.strerror}.")


def _has_working_directory() -> bool:
    with contextlib.suppress(OSError):
        return bool(Path.cwd())
    return False


def explained(error: HardtackError, *, as_json: bool) -> int:
    """Print an error on standard error, if that takes it; gives its exit code."""
    if as_json:
        from hardtack.render.schema import error_to_json  # an answer as text does without

        said = inert_json(error_to_json(error), is_spaced=True) + "\n"
    else:
        more = [f"  also: {inert_line(fault)}" for fault in getattr(error, "faults", ())[1:]]
        hint = [f"  {inert_line(error.hint)}"] if error.hint else []
        said = "\n".join([f"hardtack: {inert_line(str(error))}", *more, *hint])
        said = fitted(_LONG.sub(r"\1…\2", said), sys.stderr)
    with contextlib.suppress(OSError):
        sys.stderr.write(said)
        sys.stderr.flush()
    return error.exit_code


def say(text: str) -> None:
    """Print a remark on standard error."""
    sys.stderr.write(fitted(text, sys.stderr))


def show(text: str) -> None:
    """Print sentences and figures on standard output."""
    sys.stdout.write(fitted(text, sys.stdout))


def fitted(text: str, stream: TextIO) -> str:
    """Whole lines; where they go to a terminal, those that are too long for it are broken between words."""
    if not stream.isatty():
        return text if text.endswith("\n") else f"{text}\n"
    import shutil
    import textwrap

    width = max(shutil.get_terminal_size().columns, _NARROWEST)
    lines = []
    for line in text.splitlines():
        plain = _COLOUR.sub("", line)
        if len(plain) <= width:
            lines.append(line)
            continue
        label = found[0] if (found := _LABEL.match(plain)) else ""
        indent = " " * min(max(2, len(label)), width // 4)
        first, *others = textwrap.wrap(
            plain[len(label) :],
            width,
            initial_indent=label,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += [line[: len(line) - len(plain) + len(first)], *others]  # colours stand at the beginning of a line alone
    return "".join(f"{line}\n" for line in lines)


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether the command line asks for JSON, in which errors are printed then as well."""
    joined = " ".join(arguments)
    return "--json" in arguments or any(f"--format{by}{kind}" in joined for by in " =" for kind in ("json", "jsonl"))


def missing_extra(error: ImportError, what: str, extra: str) -> MissingExtra:
    """The error for an import that failed because ``extra`` is not installed; a failed import of our own module is raised again."""
    if error.name is None or error.name.partition(".")[0] == "hardtack":
        raise error
    return MissingExtra(what, extra)


def forget_stdout() -> None:
    """Redirect standard output to nowhere, so that the interpreter does not fail to flush it when it ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _leave(code: int) -> NoReturn:
    """Flush and exit at once, without the destructors of thread pools and maps, which take longer than a search."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # closed, full, or read by nobody any more: what could be said was said
            stream.flush()
    os._exit(code)
