"""What the look-up verbs share: find, then print what was found, or the nearest names. No verb of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli.main import NOTHING_FOUND
from hardtack.descriptors import SymbolDescriptor, descriptor_to_json
from hardtack.model import Kind
from hardtack.query.describe import describe_all, describe_symbol
from hardtack.query.symbols import LookUp, look_up
from hardtack.render.descriptors import render_descriptors
from hardtack.render.style import inert

_Told = TypeVar("_Told")


class Shape(NamedTuple, Generic[_Told]):
    """How the results of one verb are printed."""

    does: str
    """What they do to the symbol, as in ``nothing calls it``."""
    to_json: Callable[[_Told], dict[str, Any]]
    render: Callable[[str, Sequence[SymbolDescriptor], Sequence[_Told]], str]


def show(bundle: Bundle, verb: str, name: str, kinds: frozenset[Kind], *, package: str, as_json: bool, owner: str = "") -> int:
    """Look ``name`` up and print what it means; the exit code."""
    found = look_up(bundle, name, kinds, package=package, owner=owner)
    descriptors = describe_all(bundle, found.found)
    if as_json:
        document = {"schema": f"hardtack.{verb}/1", "name": name, "results": descriptor_to_json(descriptors)}
        if found.suggestions:
            document["suggestions"] = list(found.suggestions)
        click.echo(json.dumps(document, ensure_ascii=False))
    elif descriptors:
        click.echo(render_descriptors(descriptors), nl=False)
    else:
        click.echo(f"hardtack: nothing of that kind is called {inert(name)}.{_nearest(found)}", err=True)
    return 0 if descriptors else NOTHING_FOUND


def tell(
    bundle: Bundle, verb: str, name: str, symbols: LookUp, results: Sequence[_Told], shape: Shape[_Told], *, as_json: bool
) -> int:
    """Print what was found of the symbols called ``name``; the exit code."""
    descriptors = [describe_symbol(bundle, ordinal) for ordinal in symbols.found]
    if as_json:
        document = {
            "schema": f"hardtack.{verb}/1",
            "name": name,
            "symbols": descriptor_to_json(descriptors),
            "results": [shape.to_json(result) for result in results],
        }
        if not descriptors and not results and symbols.suggestions:
            document["suggestions"] = list(symbols.suggestions)
        click.echo(json.dumps(document, ensure_ascii=False))
    elif results:
        click.echo(shape.render(name, descriptors, results), nl=False)
    elif descriptors:
        click.echo(f"hardtack: {inert(name)} is in the bundle, and nothing there {shape.does} it, as far as was asked.", err=True)
    else:
        click.echo(f"hardtack: nothing is called {inert(name)}.{_nearest(symbols)}", err=True)
    return 0 if results else NOTHING_FOUND


def _nearest(symbols: LookUp) -> str:
    return f" Nearest: {', '.join(map(inert, symbols.suggestions))}." if symbols.suggestions else ""
