"""Shared by the verbs that look names up: which command to type where a name is that of several symbols. Not a verb."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import click
from click.core import ParameterSource

from hardtack.bundle.reader import Bundle
from hardtack.nouns.descriptors import Descriptor
from hardtack.query.lookup.narrowing import Ask, narrowed
from hardtack.render.style import inert_line

_SHOWN: Final = 3
"""Commands that are named at most: they show how, and each takes some look-ups to find."""
_FLAGS: Final = {"owner": "--class", "package": "--package", "file": "--file"}


def next_commands(bundle: Bundle, found: Sequence[Descriptor], given: Mapping[str, str], takes: Collection[str], ask: Ask) -> str:
    """The sentence that several symbols have the name, and the command for each of the first, indented, one a line."""
    said = f"hardtack: {len(found)} symbols are called {inert_line(given['name'])}"
    meant = [asked for each in found[:_SHOWN] if (asked := narrowed(bundle, each, given, takes, ask))]
    if not meant:
        return f"{said}."
    more = " for example" if len(found) > len(meant) else ""
    return "\n".join([f"{said}. For one of them, type{more}:", *(f"  {_command(asked)}" for asked in meant)])


def _command(asked: Mapping[str, str]) -> str:
    """The running verb with these arguments, for a shell."""
    context = click.get_current_context()
    flags = [part for key, flag in _FLAGS.items() if asked.get(key) for part in (flag, asked[key])]
    if context.get_parameter_source("bundle") is ParameterSource.COMMANDLINE:
        flags += ["-b", context.params["bundle"]]
    name = asked["name"]
    words = [*flags, "--", name] if name.startswith("-") else [name, *flags]
    return inert_line(shlex.join(["hardtack", context.info_name or "", *words]))
