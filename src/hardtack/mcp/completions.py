"""The beginning of an argument in, its completions out: paths, packages, names of symbols, languages and indexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import mcp_types as types

from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.mcp.prompts import PROMPTS
from hardtack.mcp.resources import TEMPLATES
from hardtack.query.state.completions import languages_from, names_from, packages_from, paths_from
from hardtack.tools.catalog import Catalog

MOST: Final = 100
"""Values of one answer at most, as the protocol demands."""

_Reference = types.PromptReference | types.ResourceTemplateReference

_SOURCES: Final[Mapping[str, Callable[[Bundle, str, int], list[str]]]] = {
    "path": paths_from,
    "package": packages_from,
    "name": names_from,
    "language": languages_from,
}
"""Name of an argument, the same in all prompts and addresses -> gives its completions from a bundle."""


def complete(
    catalog: Catalog, reference: _Reference, argument: types.CompletionArgument, known: Mapping[str, str]
) -> types.Completion:
    """The completions of an argument, the likeliest first; none for an argument that takes any text.

    Args:
        catalog: of the bundles.
        reference: the prompt or resource template that has the argument.
        argument: its name, and its beginning.
        known: arguments that have a value already; ``index_name`` names the bundle.

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
    with catalog.searcher(known.get("index_name") or None, as_built=True) as searcher:
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
