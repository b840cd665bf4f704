"""A search's words and what its flags say in, its answer on standard output and its exit code out."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from hardtack.arrays import use_lists
from hardtack.cli import environment, flags
from hardtack.cli.exits import NOTHING_FOUND
from hardtack.errors import UsageError
from hardtack.hints import TYPE_CHECKING, Any
from hardtack.model import Answer, Mode
from hardtack.render import RENDERERS
from hardtack.render.style import MARKDOWN_FURTHER

if TYPE_CHECKING:
    from hardtack.encoders import EncoderSettings


def plain_search(arguments: Sequence[str]) -> Callable[[], int] | None:
    """What does the search that a plain command line asks for, after its verb; None where click must read it."""
    if (plain := flags.said(arguments, flags.SEARCH)) is None:
        return None
    words, given = plain
    if "bundle" not in given and (named := environment.variables().get(flags.BUNDLES.variable or "")):
        given["bundle"] = (named,)
    return lambda: search(query=words, encoder=environment.encoder_settings, is_all=True, **given)


def search(
    *,
    query: Sequence[str],
    encoder: Callable[[], EncoderSettings],
    is_all: bool,
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
    """Search, and print what was found; parameters are as the flags, but for two. ``narrowed`` are other :class:`SearchOptions`.

    ``encoder`` gives what the user said about encoders, ``is_all`` says that this process does nothing else.
    """
    format_ = "json" if as_json else format_
    if further is None:
        further = MARKDOWN_FURTHER if format_ == "markdown" else 0
    narrowed |= {
        "packages": package,
        "before": context if before is None else before,
        "after": context if after is None else after,
        "further": further,
    }
    gc.disable()  # modules and records stay until this process ends: looking for cycles among them takes 4 of 140 ms
    text, named = " ".join(query), [*dict.fromkeys(bundle)]
    if len(named) < 2:
        answer = _answer_of_one(named[0] if named else None, digest, checkout, encoder, text, narrowed, is_all=is_all)
    elif digest:
        raise UsageError("A digest is one bundle's, and several are named.", hint="Drop --digest, or name one bundle.")
    else:
        answer = _answer_of_several(named, checkout, encoder(), text, narrowed)
    style = environment.style(color, reasons=why, max_tokens=max_tokens)
    sys.stdout.write(RENDERERS[format_](answer, style))
    return 0 if answer.hits else NOTHING_FOUND


def _answer_of_one(
    named: str | None,
    digest: str | None,
    checkout: Path | None,
    encoder: Callable[[], EncoderSettings],
    text: str,
    asked: dict[str, Any],
    *,
    is_all: bool,
) -> Answer:
    opened = environment.opened_bundle(named, digest)
    has_vectors = opened.has_vectors and asked.get("mode") != Mode.KEYWORD
    if is_all and not has_vectors:
        use_lists(chunks=opened.manifest.counts.chunks)
    from hardtack.query.searcher import Searcher  # which takes the arrays that there are then; help is shown without

    with Searcher(opened, checkout=checkout, encoder=encoder() if has_vectors else None) as searcher:
        return searcher.search(text, **asked)


def _answer_of_several(
    named: Sequence[str], checkout: Path | None, encoder: EncoderSettings, text: str, asked: dict[str, Any]
) -> Answer:
    from hardtack.query.searcher import Searcher
    from hardtack.query.several import by_name, search_all

    with ExitStack() as stack:
        searchers = [
            stack.enter_context(Searcher(environment.opened_bundle(name), checkout=None if number else checkout, encoder=encoder))
            for number, name in enumerate(named)
        ]
        return search_all(by_name(searchers), text, **asked)
