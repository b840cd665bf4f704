"""Shared by the verbs that look names up: print the results, or the nearest names. Not a verb."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli import moved_on, options
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.nouns.descriptors import ClassDescriptor, FunctionDescriptor, SymbolDescriptor
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.lookup.describe import text_of_type
from hardtack.query.lookup.results import LookUpResult
from hardtack.render.descriptors import descriptor_json, note_line, render_descriptors
from hardtack.render.places import render_counts, render_places
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


def show_usages(
    verb: str, name: str, found: LookUpResult[_Usage], shape: Shape[_Usage], index_name: str, listing: options.Listing
) -> int:
    """Print the usages of the symbols called ``name``; gives the exit code."""
    results = found.results[: listing.limit]
    left_out = len(found.results) - len(results)
    if listing.format == "json":
        document = {
            "schema": f"hardtack.{verb}/1",
            "name": name,
            "symbols": descriptor_json(found.symbols, index_name),
            "results": [shape.to_json(result) for result in results],
        }
        more = {"left_out": left_out} if left_out else {}
        click.echo(inert_json(document | more | besides(found) | moved_on.as_json(), is_spaced=True))
        return 0 if results else NOTHING_FOUND
    if results:
        click.echo(_RENDERERS[listing.format](name, found, results, shape, listing), nl=False, color=listing.style.color)
    if left_out:
        say(left_out_sentence(left_out))
    for sentence in _asides(name, found, is_markdown=listing.format == "markdown"):
        say(f"hardtack: {inert_line(sentence)}")
    return 0 if results else NOTHING_FOUND


def _markdown(name: str, found: LookUpResult[Any], results: Sequence[Any], shape: Shape[Any], _: options.Listing) -> str:
    return shape.render(name, found.symbols, results) + note_line(found.note)


def _lines_of_json(_: str, __: LookUpResult[Any], results: Sequence[Any], shape: Shape[Any], ___: options.Listing) -> str:
    return "".join(f"{inert_json(shape.to_json(result), is_spaced=True)}\n" for result in results)


def _text(_: str, __: LookUpResult[Any], results: Sequence[Any], ___: Shape[Any], listing: options.Listing) -> str:
    return render_counts(results) if listing.shows_counts else render_places(results, listing.style)


_RENDERERS: Final = {"markdown": _markdown, "jsonl": _lines_of_json, "text": _text}


def _asides(name: str, found: LookUpResult[Any], *, is_markdown: bool) -> Iterator[str]:
    """What is to be said on standard error, one sentence each."""
    if not found.results:
        nothing = found.nothing if found.symbols else f"nothing is called {name}.{nearest(found.suggestions)}"
        yield f"{nothing} {found.note}".rstrip()
        return
    if is_markdown:
        return
    if len(found.symbols) > 1:
        yield f"{len(found.symbols)} symbols are called {name}; --package, --class or a qualified name narrows them."
    if found.note:
        yield found.note


def left_out_sentence(count: int) -> str:
    """What is said of results that ``--limit`` leaves out."""
    return f"hardtack: {count} more {'is' if count == 1 else 'are'} left out; ask for more with -n."


def besides(found: LookUpResult[Any]) -> dict[str, Any]:
    """What a result says besides its lists, as JSON values."""
    suggestions = {"suggestions": list(found.suggestions)} if found.suggestions else {}
    note = " ".join(filter(None, (found.nothing, found.note)))
    return suggestions | ({"note": note} if note else {})


def nearest(suggestions: Sequence[str]) -> str:
    """The nearest names, as a sentence after a space; empty without any."""
    return f" Nearest: {', '.join(map(inert_line, suggestions))}." if suggestions else ""
