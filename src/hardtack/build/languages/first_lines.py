"""A file's text in, what it says of its own language out: the interpreters that may run it, and the mode that an editor is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_SHEBANG: Final = re.compile(rb"#!\s*(\S+)(?:[ \t]+([^\r\n]*))?")
_SHELLS: Final = frozenset({"sh", "bash", "dash", "ksh", "zsh"})
_EXEC: Final = re.compile(
    rb"""(?:^|[ \t"'(])exec["']?[ \t]+["']?(?:[\w./]*/env[ \t]+)?(?:[\w.+-]*/)*([\w.+-]+)["']?"""
    rb"""(?:[ \t]+-[\w-]*)*[ \t]+["']*\$\{?0\}?(?=["' \t\r\n])""",
    re.MULTILINE,
)
"""A shell's command that has another interpreter run the same file."""
_EXEC_BYTES: Final = 1_024
"""Bytes of a shell script in which such a command may stand."""
_MODELINE_BYTES: Final = 512
"""Bytes at either end of a file in which a modeline may stand."""
_EMACS: Final = re.compile(rb"-\*-(?:[^\n]*?[ \t;]mode:)?[ \t]*([\w+#-]+?)(?:-mode)?[ \t]*(?:;[^\n]*)?-\*-", re.IGNORECASE)
_VI: Final = re.compile(rb"[ \t]vim?:(?:[^\n]*?[ \t:])?(?:ft|filetype|syn|syntax)=([\w+#-]+)")


def mode_of(text: bytes) -> str:
    """The mode that a comment tells an editor, Emacs in the first two lines, vi in the first or last five; empty if none does."""
    head, tail = text[:_MODELINE_BYTES].split(b"\n", 5)[:5], text[-_MODELINE_BYTES:].rstrip().rsplit(b"\n", 5)[-5:]
    named = _EMACS.search(b"\n".join(head[:2])) or _VI.search(b"\n".join((*head, *tail)))
    return named[1].decode() if named else ""


def programs_of(text: bytes) -> Iterator[str]:
    """What may be the interpreter, most likely first.

    It is the program of the ``#!`` line; for ``env`` any of the words behind it, which also are options and settings; and for a
    shell that has another interpreter run the same file, first that one.
    """
    if not text.startswith(b"#!") or (match := _SHEBANG.match(text, 0, 256)) is None:
        return
    words = [match[1], *(match[2] or b"").split()]
    programs = [word.decode("utf-8", "replace").rsplit("/", 1)[-1] for word in words]
    if programs[0] == "env":
        programs = [program.removeprefix("-S").removeprefix("--split-string=") for program in programs[1:]]
    else:
        del programs[1:]
    if not _SHELLS.isdisjoint(programs) and (other := _EXEC.search(text, 0, _EXEC_BYTES)) is not None:
        yield other[1].decode("utf-8", "replace")
    yield from programs
