"""What the look-up verbs share: find, then print one account, a list, or the nearest names. No verb of its own."""

from __future__ import annotations

import json

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli.main import NOTHING_FOUND
from hardtack.descriptors import descriptor_to_json
from hardtack.model import Kind
from hardtack.query.describe import describe
from hardtack.query.symbols import look_up
from hardtack.render.descriptors import render_descriptors
from hardtack.render.style import inert


def show(bundle: Bundle, verb: str, name: str, kinds: frozenset[Kind], *, package: str, as_json: bool, owner: str = "") -> int:
    """Look ``name`` up and print what it means; the exit code."""
    found = look_up(bundle, name, kinds, package=package, owner=owner)
    descriptors = [describe(bundle, ordinal) for ordinal in found.found]
    if as_json:
        document = {"schema": f"hardtack.{verb}/1", "name": name, "results": descriptor_to_json(descriptors)}
        if found.suggestions:
            document["suggestions"] = list(found.suggestions)
        click.echo(json.dumps(document, ensure_ascii=False))
    elif descriptors:
        click.echo(render_descriptors(descriptors), nl=False)
    else:
        nearest = f" Nearest: {', '.join(map(inert, found.suggestions))}." if found.suggestions else ""
        click.echo(f"hardtack: nothing of that kind is called {inert(name)}.{nearest}", err=True)
    return 0 if descriptors else NOTHING_FOUND
