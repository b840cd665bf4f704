"""The beginning of an argument in, what it may become out: paths, packages, names of symbols, languages, names of indexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import mcp_types as types

from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.mcp.prompts import PROMPTS
from hardtack.mcp.resources import TEMPLATES
from hardtack.query.state.completions import names_from, packages_from, paths_from
from hardtack.tools.catalog import Catalog

MOST: Final = 100
"""Values that one answer may have; the protocol's bound."""

_Reference = types.PromptReference | types.ResourceTemplateReference


def _languages_from(bundle: Bundle, beginning: str, most: int) -> list[str]:
    languages = (language.id for language in bundle.manifest.languages)
    return [language for language in languages if language.startswith(beginning.lower())][:most]


_SOURCES: Final[Mapping[str, Callable[[Bundle, str, int], list[str]]]] = {
    "path": paths_from,
    "package": packages_from,
    "name": names_from,
    "language": _languages_from,
}
"""Name of an argument, of whatever prompt or address -> what it may be in a bundle."""


def complete(
    catalog: Catalog, reference: _Reference, argument: types.CompletionArgument, known: Mapping[str, str]
) -> types.Completion:
    """What an argument may become, the likeliest first; nothing where anything may be meant.

    Args:
        catalog: of the bundles.
        reference: whose argument it is.
        argument: its name, and how it begins.
        known: arguments that have a value already; ``index_name`` says of which bundle.

    Raises:
        UsageError: there is no such prompt or address.
        BundleNotFound: no bundle is served, or none of that name.
    """
    _require(reference)
    if argument.name == "index_name":
        names = [entry.name for entry in catalog.entries() if entry.name.lower().startswith(argument.value.lower())]
        return _completion(names)
    source = _SOURCES.get(argument.name)
    if source is None:
        return types.Completion(values=[])
    with catalog.searcher(known.get("index_name") or None) as searcher:
        return _completion(source(searcher.bundle, argument.value, MOST + 1))


def _completion(values: list[str]) -> types.Completion:
    return types.Completion(values=values[:MOST], has_more=len(values) > MOST)


def _require(reference: _Reference) -> None:
    """Raise unless there is such a prompt or address."""
    if isinstance(reference, types.PromptReference):
        is_known = reference.name in {prompt.name for prompt in PROMPTS}
    else:
        is_known = reference.uri in {template.uri_template for template in TEMPLATES}
    if not is_known:
        raise UsageError("There is no such prompt or resource template.", code="INVALID_REQUEST", details={"param": "ref"})
