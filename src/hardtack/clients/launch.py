"""Where this installation lies in, the command that starts its server out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

PROGRAM = "hardtack"


def serve_command(found: str | None, scripts: Sequence[Path], interpreter: str, arguments: Sequence[str] = ()) -> tuple[str, ...]:
    """``hardtack serve`` by name where that name leads to this installation, else this interpreter with ``-m hardtack``.

    A name can be shared in a project's file and outlives a new virtual environment; but a client must have the same ``PATH``.

    Args:
        found: where ``PATH`` leads for ``hardtack``; None for nowhere.
        scripts: directories that this installation's programs are in.
        interpreter: absolute path of the running Python.
        arguments: more of them for ``serve``.
    """
    is_ours = found is not None and Path(found).resolve().parent in [directory.resolve() for directory in scripts]
    return (*((PROGRAM,) if is_ours else (interpreter, "-m", PROGRAM)), "serve", *arguments)


def starts_hardtack(command: Sequence[str]) -> bool:
    """Whether a command, its arguments included, is one that :func:`serve_command` could have given."""
    name = Path(command[0]).name if command else ""
    return name in (PROGRAM, f"{PROGRAM}.exe") or tuple(command[1:3]) == ("-m", PROGRAM)
