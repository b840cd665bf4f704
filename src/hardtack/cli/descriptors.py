"""Shared by the verbs that look names up: print the results, or the nearest names. Not a verb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli import moved_on
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.nouns.descriptors import ClassDescriptor, FunctionDescriptor, SymbolDescriptor
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.lookup.describe import text_of_type
from hardtack.query.lookup.lookups import LookUpResult
from hardtack.render.descriptors import descriptor_json, note_line, render_descriptors
from hardtack.render.style import inert_json, inert_line

_Usage = TypeVar("_Usage", bound=Usage | CallingSymbol)


class Shape(NamedTuple, Generic[_Usage]):
    """How the results of one verb are printed."""

    to_json: Callable[[_Usage], dict[str, Any]]
    render: Callable[[str, Sequence[SymbolDescriptor], Sequence[_Usage]], str]


def show(
    verb: str, name: str, found: LookUpResult[ClassDescriptor] | LookUpResult[FunctionDescriptor], bundle: Bundle, *, as_json: bool
) -> int:
    """Print the descriptors of the symbols called ``name``; gives the exit code."""
    if as_json:
        document = {"schema": f"hardtack.{verb}/1", "name": name, "results": descriptor_json(found.results, bundle.name)}
        click.echo(inert_json(document | besides(found) | moved_on.as_json(), is_spaced=True))
    elif found.results:
        (only,) = found.results if len(found.results) == 1 else (None,)
        text = text_of_type(bundle, only) if isinstance(only, ClassDescriptor) else ""
        click.echo(render_descriptors(found.results, text, note=found.note), nl=False)
    else:
        nothing = f"hardtack: nothing of that kind is called {inert_line(name)}.{nearest(found.suggestions)}"
        say(f"{nothing} {inert_line(found.note)}".rstrip())
    return 0 if found.results else NOTHING_FOUND


def show_usages(verb: str, name: str, found: LookUpResult[_Usage], shape: Shape[_Usage], index_name: str, *, as_json: bool) -> int:
    """Print the usages of the symbols called ``name``; gives the exit code."""
    if as_json:
        document = {
            "schema": f"hardtack.{verb}/1",
            "name": name,
            "symbols": descriptor_json(found.symbols, index_name),
            "results": [shape.to_json(result) for result in found.results],
        }
        click.echo(inert_json(document | besides(found) | moved_on.as_json(), is_spaced=True))
    elif found.results:
        click.echo(shape.render(name, found.symbols, found.results) + note_line(found.note), nl=False)
    elif found.symbols:
        say(f"hardtack: {inert_line(found.nothing)} {inert_line(found.note)}".rstrip())
    else:
        nothing = f"hardtack: nothing is called {inert_line(name)}.{nearest(found.suggestions)}"
        say(f"{nothing} {inert_line(found.note)}".rstrip())
    return 0 if found.results else NOTHING_FOUND


def besides(found: LookUpResult[Any]) -> dict[str, Any]:
    """What a result says besides its lists, as JSON values."""
    suggestions = {"suggestions": list(found.suggestions)} if found.suggestions else {}
    note = " ".join(filter(None, (found.nothing, found.note)))
    return suggestions | ({"note": note} if note else {})


def nearest(suggestions: Sequence[str]) -> str:
    """The nearest names, as a sentence after a space; empty without any."""
    return f" Nearest: {', '.join(map(inert_line, suggestions))}." if suggestions else ""
