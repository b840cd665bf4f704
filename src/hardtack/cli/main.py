"""Arguments in, an exit code out: the command group, and the one place where errors become sentences on standard error.

Exit codes: 0 done; 1 nothing found; 2 usage, or an extra that is missing; 3 bundle invalid; 4 build; 5 network or disk; 6 refused
by policy; 7 could not check; 70 our bug; 130 interrupted. A reader that closes the pipe early is no error.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import sys
import traceback
from typing import Any, NoReturn

import click

from hardtack import __version__
from hardtack.errors import HardtackError, MissingExtra, UsageError

VERBS = (
    *(
        "build",
        "callers",
        "cat",
        "ci",
        "clear",
        "completion",
        "define",
        "doctor",
        "explain",
        "exports",
        "function",
        "gc",
        "grep",
        "implementations",
        "init",
        "install",
        "list",
        "ls",
        "pack",
        "publish",
        "pull",
        "references",
        "search",
        "serve",
        "similar",
        "stats",
        "status",
        "tool",
        "verify",
    ),
)
"""Each is a module of this package with a command ``command``."""

NOTHING_FOUND = 1
OUR_BUG = 70
INTERRUPTED = 130


class _Verbs(click.Group):
    """Loads a verb's module when it is called or its help is shown: a search must not pay for the imports of a build."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"hardtack.cli.{name}").command
        gc.freeze()  # or the first thing the collector did would be to look through all of it
        gc.enable()  # __main__ has put it off
        return command

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except BrokenPipeError:  # click leaves with 1, as if what nobody waited to read were an error
            _forget_stdout()
            return 0


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "--version", prog_name="hardtack")
def commands() -> None:
    """Code search baked once in CI, carried anywhere.

    Build a bundle of a repository once; search, read and verify it anywhere, offline.
    """


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    arguments = sys.argv[1:]
    try:
        code = commands.main(args=arguments, prog_name="hardtack", standalone_mode=False)
        sys.stdout.flush()
    except HardtackError as error:
        code = _explain(error, as_json=_wants_json(arguments))
    except click.ClickException as error:
        if _wants_json(arguments):
            code = _explain(UsageError(error.format_message()), as_json=True)
        else:
            error.show()
            code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        code = 0
    except Exception:  # noqa: BLE001  (the edge: whatever is left is our bug, and says so)
        traceback.print_exc()
        sys.stderr.write("hardtack: this is a bug in Hardtack; please report it with the lines above.\n")
        code = OUR_BUG
    _leave(code if isinstance(code, int) else 0)


def _explain(error: HardtackError, *, as_json: bool) -> int:
    if as_json:
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


def _wants_json(arguments: list[str]) -> bool:
    """Whether the answer was asked for as JSON, which then also holds for the error."""
    joined = " ".join(arguments)
    return "--json" in arguments or any(f"--format{by}{kind}" in joined for by in " =" for kind in ("json", "jsonl"))


def missing_extra(error: ImportError, what: str, extra: str) -> MissingExtra:
    """The error to raise for an import that failed because ``extra`` is not installed; a broken import of our own is not that."""
    if error.name is None or error.name.partition(".")[0] == "hardtack":
        raise error
    return MissingExtra(what, extra)


def _forget_stdout() -> None:
    """Keep the interpreter from complaining, on its way out, about output nobody reads."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _leave(code: int) -> NoReturn:
    """Exit at once: tearing down thread pools and maps takes longer than a search, and everything has been written."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        _forget_stdout()
    os._exit(code)
