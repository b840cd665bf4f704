"""Says once what a verb has to say beside its answer: that the checkout has moved on from the bundle's commit. Not a verb."""

from __future__ import annotations

from typing import Any, Final

import click

from hardtack.cli.exits import say as tell
from hardtack.nouns.model import MovedOn
from hardtack.render.style import inert_line

_KEY: Final = "hardtack.moved_on"
_SAID: Final = "hardtack.said"


def remember(moved: MovedOn | None) -> None:
    """Keep what the running verb is to say; of several bundles the first counts."""
    context = click.get_current_context(silent=True)
    if context and moved:
        context.meta.setdefault(_KEY, moved)


def say_once(sentence: str) -> None:
    """Print a sentence on standard error, unless the running verb has printed it already; an empty one never."""
    context = click.get_current_context(silent=True)
    if sentence and context and sentence not in context.meta.setdefault(_SAID, set()):
        context.meta[_SAID].add(sentence)
        tell(f"hardtack: {inert_line(sentence)}")


def taken() -> MovedOn | None:
    """What is to be said, for the verb to say it in its JSON, so that it is not said again."""
    moved: MovedOn | None = click.get_current_context().meta.pop(_KEY, None)
    return moved


def as_json() -> dict[str, Any]:
    """:func:`taken` as keys of a JSON document; none when there is nothing to say."""
    from hardtack.render.schema import moved_on_to_json

    moved = taken()
    return {"moved_on": moved_on_to_json(moved)} if moved else {}


def say(context: click.Context) -> None:
    """Print on standard error what has not been said."""
    if moved := context.meta.pop(_KEY, None):
        tell(f"hardtack: {inert_line(moved.sentence)}.")
