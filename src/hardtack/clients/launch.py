"""The paths of this installation in, the command that starts its MCP server out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

PROGRAM = "hardtack"


def serve_command(found: str | None, scripts: Sequence[Path], interpreter: str, arguments: Sequence[str] = ()) -> tuple[str, ...]:
    """``hardtack serve`` if ``PATH`` finds this installation's program, else this interpreter with ``-m hardtack serve``.

    The name can be shared in a project's file and still works in a new virtual environment, but the client needs the same ``PATH``.

    Args:
        found: the path of ``hardtack`` that ``PATH`` finds; None if there is none.
        scripts: directories of this installation's programs.
        interpreter: absolute path of the running Python.
        arguments: further arguments for ``serve``.
    """
    is_ours = found is not None and Path(found).resolve().parent in [directory.resolve() for directory in scripts]
    return (*((PROGRAM,) if is_ours else (interpreter, "-m", PROGRAM)), "serve", *arguments)


def uvx_command(arguments: Sequence[str] = ()) -> tuple[str, ...]:
    """``hardtack serve`` by uvx, which brings the program: no path of this machine is in it, so a project's file can be shared."""
    return ("uvx", "--from", f"{PROGRAM}[mcp]", PROGRAM, "serve", *arguments)


def starts_hardtack(command: Sequence[str]) -> bool:
    """Whether a command with its arguments has one of the forms that :func:`serve_command` gives."""
    name = Path(command[0]).name if command else ""
    if name == "uvx":
        return PROGRAM in command[1:]
    return name in (PROGRAM, f"{PROGRAM}.exe") or tuple(command[1:3]) == ("-m", PROGRAM)
