"""A command line in, an exit code out: click's group of all verbs."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from hardtack import __version__
from hardtack.cli import moved_on
from hardtack.cli.exits import explained, forget_stdout, leave_with, wants_json
from hardtack.errors import UsageError

GROUPS: Final[Mapping[str, Sequence[str]]] = {
    "Search": ("search", "explore", "grep", "similar", "explain"),
    "Look up": (
        *(
            "define",
            "function",
            "references",
            "callers",
            "implementations",
            "exports",
            "diff",
            "impact",
            "history",
            "map",
            "ls",
            "cat",
        ),
        *("status", "stats"),
    ),
    "Bundles": ("build", "merge", "list", "pull", "install", "verify", "pack", "export", "page", "catalogue", "clear", "gc"),
    "Agents": ("serve", "init", "tool", "savings"),
    "CI": ("ci", "comment", "publish", "fleet"),
    "This installation": ("doctor", "completion"),
}
"""Heading of the help -> its verbs, those that are used most first."""
VERBS: Final = tuple(sorted(verb for verbs in GROUPS.values() for verb in verbs))
"""Each is a module of this package with a command ``command``."""
_WHOLE: Final = 1000
"""Characters that no first sentence of a verb's help has; click shortens longer ones."""
_WIDTH: Final = max(map(len, VERBS))
"""Columns of the longest verb: all groups have one left edge."""


class _Verbs(click.Group):
    """Imports the module of a verb when the verb is called or help is shown: a search does not wait for the imports of a build."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"hardtack.cli.{name}").command
        return command

    def resolve_command(self, context: click.Context, arguments: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, arguments)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=VERBS, ctx=context) from error

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs group by group, each with its first sentence, whole."""
        for title, verbs in GROUPS.items():
            commands = {verb: self.get_command(context, verb) for verb in verbs}
            with formatter.section(title):
                formatter.write_dl(
                    [(verb.ljust(_WIDTH), command.get_short_help_str(_WHOLE)) for verb, command in commands.items() if command]
                )

    def invoke(self, context: click.Context) -> Any:
        try:
            result = super().invoke(context)
            moved_on.say(context)
            return result
        except BrokenPipeError:  # click would exit with 1, but a reader that has seen enough is no error
            forget_stdout()
            return 0


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="hardtack")
def commands() -> None:
    """Code search baked once in CI, carried anywhere.

    Build a bundle of a repository once; search, read and verify it anywhere, offline.
    """


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    _take_utf8()
    # What is made can be used by its owner, and not changed by everybody; what others are to read has a mode of its own.
    os.umask((os.umask(0o077) | 0o002) & 0o077)
    arguments = sys.argv[1:]
    leave_with(lambda: _done(arguments), arguments)


def _one_line(message: str) -> str:
    """A message of click's, which may have a list below it, as one sentence."""
    text = " ".join(message.split())
    return text if text.endswith((".", "?", "!", "?)")) else f"{text}."


def _take_utf8() -> None:
    """Have arguments, file names and output in UTF-8, whatever the locale says, and every stream open.

    Python reads arguments before any code of ours runs, so in another locale it is started again.
    """
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode and os.name == "posix" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606  (this very command)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the caller closed it
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (for as long as the process runs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")  # Windows would write CR LF


def _done(arguments: Sequence[str]) -> object:
    """The result of the verb, or the exit code of an error of click's, which is printed."""
    try:
        return commands.main(args=[*arguments], prog_name="hardtack", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        hint = f"Run: {context.command_path} --help" if context else ""
        return explained(UsageError(_one_line(error.format_message()), hint=hint), as_json=wants_json(arguments))
    except click.Abort as error:
        raise KeyboardInterrupt from error
