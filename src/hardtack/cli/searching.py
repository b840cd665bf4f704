"""A search's words and what its flags say in, its answer on standard output and its exit code out."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hardtack.cli import environment, flags
from hardtack.cli.exits import NOTHING_FOUND
from hardtack.encoders import EncoderSettings
from hardtack.errors import UsageError
from hardtack.model import Answer
from hardtack.render import RENDERERS
from hardtack.render.markdown import FURTHER


def plain_search(arguments: Sequence[str]) -> Callable[[], int] | None:
    """What does the search that a plain command line asks for, after its verb; None where click must read it."""
    if (plain := flags.said(arguments, flags.SEARCH)) is None:
        return None
    words, given = plain
    if "bundle" not in given and (named := environment.variables().get(flags.BUNDLES.variable or "")):
        given["bundle"] = (named,)
    return lambda: search(query=words, encoder=environment.encoder_settings(), **given)


def search(
    *,
    query: Sequence[str],
    encoder: EncoderSettings,
    bundle: Sequence[str] = (),
    digest: str | None = None,
    package: Sequence[str] = (),
    why: bool = False,
    checkout: Path | None = None,
    context: int | None = None,
    before: int | None = None,
    after: int | None = None,
    max_tokens: int | None = None,
    further: int | None = None,
    format_: str = "text",
    as_json: bool = False,
    color: str = "auto",
    **narrowed: Any,
) -> int:
    """Search, and print what was found; parameters are as the flags, ``narrowed`` are other :class:`SearchOptions`."""
    format_ = "json" if as_json else format_
    if further is None:
        further = FURTHER if format_ == "markdown" else 0
    narrowed |= {
        "packages": package,
        "before": context if before is None else before,
        "after": context if after is None else after,
        "further": further,
    }
    answer = _answer(bundle, digest, checkout, encoder, " ".join(query), narrowed)
    style = environment.style(color, reasons=why, max_tokens=max_tokens)
    sys.stdout.write(RENDERERS[format_](answer, style))
    return 0 if answer.hits else NOTHING_FOUND


def _answer(
    bundles: Sequence[str], digest: str | None, checkout: Path | None, encoder: EncoderSettings, text: str, asked: dict[str, Any]
) -> Answer:
    gc.disable()  # modules and records stay until this process ends: looking for cycles among them takes 4 of 140 ms
    from hardtack.query.searcher import Searcher  # help is shown without what ranks

    named = [*dict.fromkeys(bundles)]
    if len(named) < 2:
        opened = environment.opened_bundle(named[0] if named else None, digest)
        with Searcher(opened, checkout=checkout, encoder=encoder) as searcher:
            return searcher.search(text, **asked)
    if digest:
        raise UsageError("A digest is one bundle's, and several are named.", hint="Drop --digest, or name one bundle.")
    from hardtack.query.several import by_name, search_all  # for who asks several

    with ExitStack() as stack:
        searchers = [
            stack.enter_context(Searcher(environment.opened_bundle(name), checkout=None if number else checkout, encoder=encoder))
            for number, name in enumerate(named)
        ]
        return search_all(by_name(searchers), text, **asked)
