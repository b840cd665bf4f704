"""Commands on a real pseudo-terminal, and what a person sees there, as pyte's terminal shows it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyte

_KEPT = 5000
"""Lines of which none scrolls away."""
_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^\[\]])")
_LINK = re.compile(r"\x1b\]8;[^;]*;([^\x1b]+)\x1b\\")


class Seen(NamedTuple):
    """What came of a command on a terminal."""

    raw: bytes
    """What the terminal was sent."""
    lines: list[str]
    """What is seen, without blanks at the ends."""
    code: int

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def escapes(self) -> set[bytes]:
        """The escape sequences that the terminal was sent."""
        return set(_ESCAPE.findall(self.raw))

    @property
    def links(self) -> list[str]:
        """The addresses of links."""
        return _LINK.findall(self.raw.decode("utf-8", "replace"))


def on_a_terminal(
    command: Sequence[str], columns: int, *, rows: int = 40, variables: Mapping[str, str | None] | None = None, typed: bytes = b""
) -> Seen:
    """Run a command on a terminal of that size.

    Args:
        command: and its arguments.
        columns: of the terminal.
        rows: of the terminal; what scrolls away is seen, too.
        variables: of the environment, beside ours; None unsets one.
        typed: by the person, at once.
    """
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    plain = dict.fromkeys(("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PAGER", "LESS", "COLUMNS", "LINES"))
    given = {**os.environ, **plain, "TERM": "xterm-256color", **(variables or {})}
    environment = {key: value for key, value in given.items() if value is not None}
    process = subprocess.Popen([*command], stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True)
    os.close(its)
    if typed:
        os.write(mine, typed)
    raw = bytearray()
    try:
        while piece := os.read(mine, 1 << 16):
            raw += piece
    except OSError:  # Linux says so that the other side is closed
        pass
    finally:
        os.close(mine)
    return Seen(bytes(raw), seen(bytes(raw), columns), process.wait())


def seen(raw: bytes, columns: int) -> list[str]:
    """The lines that a terminal of so many columns shows of what it was sent."""
    screen = pyte.Screen(columns, _KEPT)
    pyte.ByteStream(screen).feed(raw)
    return "\n".join(line.rstrip() for line in screen.display).rstrip("\n").split("\n")
