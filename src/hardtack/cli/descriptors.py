"""Shared by the verbs that look names up: print the results, or the nearest names. Not a verb."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli import moved_on, options
from hardtack.cli.ambiguity import next_commands
from hardtack.cli.answers import json_lines, left_out_sentence, print_markdown, print_places, print_text
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.nouns.descriptors import ClassDescriptor, FunctionDescriptor, SymbolDescriptor
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.lookup.describe import text_of_type
from hardtack.query.lookup.narrowing import symbols_asked
from hardtack.query.lookup.results import LookUpResult
from hardtack.render.descriptors import descriptor_json, note_line, render_descriptors
from hardtack.render.places import places_of_symbols, places_of_usages, render_counts
from hardtack.render.style import inert_json, inert_line

_Usage = TypeVar("_Usage", bound=Usage | CallingSymbol)


class Shape(NamedTuple, Generic[_Usage]):
    """How the results of one verb are printed."""

    to_json: Callable[[_Usage], dict[str, Any]]
    render: Callable[[str, Sequence[SymbolDescriptor], Sequence[_Usage]], str]


def show(
    look_up: Callable[..., LookUpResult[ClassDescriptor] | LookUpResult[FunctionDescriptor]],
    asked: Mapping[str, str],
    bundle: Bundle,
    listing: options.Listing,
) -> int:
    """Print the descriptors of the symbols that are meant: one in full, of several a list; gives the exit code.

    Args:
        look_up: of ``define`` or ``function``.
        asked: its arguments.
        bundle: is asked.
        listing: how to print.
    """
    name, verb, found = asked["name"], look_up.__name__, look_up(**asked)
    results = found.results[: listing.limit]
    left_out = len(found.results) - len(results)
    if listing.format == "json":
        document = {"schema": f"hardtack.{verb}/1", "name": name, "results": descriptor_json(results, bundle.name)}
        more = {"left_out": left_out} if left_out else {}
        click.echo(inert_json(document | more | besides(found) | moved_on.as_json(), is_spaced=True))
        return 0 if results else NOTHING_FOUND
    if not results:
        nothing = f"hardtack: nothing of that kind is called {inert_line(name)}.{nearest(found.suggestions)}"
        say(f"{nothing} {inert_line(found.note)}".rstrip())
        return NOTHING_FOUND
    is_list = len(found.results) > 1
    if listing.format == "jsonl":
        text = json_lines(descriptor_json(results, bundle.name))
        print_text(text, listing)
    elif is_list and listing.format == "text":
        print_places(places_of_symbols(results), listing, bundle)
    elif listing.shows_counts:
        print_text(render_counts(places_of_symbols(results)), listing)
    else:
        source = text_of_type(bundle, found.results[0]) if not is_list and isinstance(found.results[0], ClassDescriptor) else ""
        print_markdown(render_descriptors(results, source, note=found.note), listing, bundle)
    if left_out:
        say(left_out_sentence(left_out))
    if is_list and listing.format == "text":
        takes = {*asked} - {"name"}
        say(next_commands(bundle, found.results, asked, takes, lambda narrowed: look_up(**narrowed).results))
        if found.note:
            say(f"hardtack: {inert_line(found.note)}")
    return 0


def show_usages(
    look_up: Callable[..., LookUpResult[_Usage]],
    asked: Mapping[str, Any],
    shape: Shape[_Usage],
    bundle: Bundle,
    listing: options.Listing,
) -> int:
    """Print the usages of the symbols that are meant; gives the exit code.

    Args:
        look_up: of ``references``, ``callers`` or ``implementations``.
        asked: its arguments.
        shape: how its results are printed.
        bundle: is asked.
        listing: how to print.
    """
    name, verb, found = asked["name"], look_up.__name__, look_up(**asked)
    results = found.results[: listing.limit]
    left_out = len(found.results) - len(results)
    if listing.format == "json":
        document = {
            "schema": f"hardtack.{verb}/1",
            "name": name,
            "symbols": descriptor_json(found.symbols, bundle.name),
            "results": [shape.to_json(result) for result in results],
        }
        more = {"left_out": left_out} if left_out else {}
        click.echo(inert_json(document | more | besides(found) | moved_on.as_json(), is_spaced=True))
        return 0 if results else NOTHING_FOUND
    if results:
        if listing.format == "text":
            print_places(places_of_usages(results), listing, bundle)
        elif listing.format == "jsonl":
            print_text(json_lines(map(shape.to_json, results)), listing)
        else:
            print_text(shape.render(name, found.symbols, results) + note_line(found.note), listing)
    if left_out:
        say(left_out_sentence(left_out))
    if results and len(found.symbols) > 1 and listing.format != "markdown":
        given = {key: asked[key] for key in ("name", "package", "owner")}
        say(next_commands(bundle, found.symbols, given, ("package", "owner"), symbols_asked(bundle)))
    for sentence in _asides(name, found, is_markdown=listing.format == "markdown"):
        say(f"hardtack: {inert_line(sentence)}")
    return 0 if results else NOTHING_FOUND


def _asides(name: str, found: LookUpResult[Any], *, is_markdown: bool) -> Iterator[str]:
    """What is to be said on standard error, one sentence each."""
    if not found.results:
        nothing = found.nothing if found.symbols else f"nothing is called {name}.{nearest(found.suggestions)}"
        yield f"{nothing} {found.note}".rstrip()
        return
    if is_markdown:
        return
    if found.note:
        yield found.note


def besides(found: LookUpResult[Any]) -> dict[str, Any]:
    """What a result says besides its lists, as JSON values."""
    suggestions = {"suggestions": list(found.suggestions)} if found.suggestions else {}
    note = " ".join(filter(None, (found.nothing, found.note)))
    return suggestions | ({"note": note} if note else {})


def nearest(suggestions: Sequence[str]) -> str:
    """The nearest names, as a sentence after a space; empty without any."""
    return f" Nearest: {', '.join(map(inert_line, suggestions))}." if suggestions else ""
