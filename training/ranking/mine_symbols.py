"""Queries by name: a type or function that exactly one file defines, asked for bare, qualified, or with a word for its kind.

The benchmark's symbol queries are names that other code speaks of (``ClientSession``, ``Sinatra::Base``), so those that many other
files mention come first.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING

from mine_definitions import CALLABLES, TYPES, Definition

from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_IN_A_FILE = 2
SHORTEST_NAME = 3
SHARES = (("type", 0.55), ("callable", 0.25), ("qualified", 0.20))
"""How the queries divide where a repository has enough of each."""
WITH_KIND = 6
"""Every sixth query has the kind's word beside the name, as people type it."""

_IDENTIFIER = re.compile(r"[A-Za-z_][\w']*[?!]?")
_JOINTS = {"ruby": "::", "php": "::", "rust": "::", "cpp": "::"}
_WORD = re.compile(r"[a-z]+[?!]?|[A-Z]+")
"""No name but a word: what it means in a query, and who mentions it, cannot be told. A type's capital makes it one."""
_CAPITALISED = re.compile(r"[A-Z][a-z]+")


def mine_symbols(
    definitions: Sequence[Definition], texts: Mapping[str, str], language: str, *, most: int
) -> list[dict[str, object]]:
    """At most ``most`` queries.

    ``definitions`` are those of all the files that may be asked for, ``texts`` these files' texts by path, which tell how often a
    name is spoken of; the language decides how a qualified name is written.
    """
    mentions = Counter(word for text in texts.values() for word in set(_IDENTIFIER.findall(text)))
    homes: defaultdict[str, set[str]] = defaultdict(set)
    for definition in definitions:
        if definition.kind in TYPES | CALLABLES:
            homes[_tail(definition.name)].add(definition.path)
    types = {(definition.path, definition.qualified_name) for definition in definitions if definition.kind in TYPES}
    pools: dict[str, dict[str, Definition]] = {kind: {} for kind, _ in SHARES}
    for definition in definitions:
        name = _tail(definition.name)
        if not _IDENTIFIER.fullmatch(name) or _is_declaration(definition, language):
            continue
        is_found = is_telling(name) and len(homes[name]) == 1
        if definition.kind in TYPES and is_found:
            pools["type"].setdefault(written(definition, language), definition)
        elif definition.kind in CALLABLES and definition.kind is not Kind.CONSTRUCTOR:
            if is_found and not _CAPITALISED.fullmatch(name):
                pools["callable"].setdefault(name, definition)
            if (definition.path, definition.qualified_name.rpartition(".")[0]) in types:
                pools["qualified"].setdefault(_last_two(definition, language), definition)
    _keep_unambiguous(pools["qualified"], definitions, language)
    return _taken(pools, mentions, most)


def written(definition: Definition, language: str) -> str:
    """A type's name as code of the language writes it: with its namespaces where they are part of the name."""
    if language in ("elixir", "haskell") or (language == "ruby" and hash_of(definition.qualified_name) % 2):
        return definition.qualified_name.replace(".", _JOINTS.get(language, "."))
    return _tail(definition.name)


def _is_declaration(definition: Definition, language: str) -> bool:
    """Whether it may be but the announcement of what another file defines: typedefs of one line, and functions in headers."""
    if language != "c":
        return False
    is_alias = definition.kind is Kind.TYPE and len(definition.lines) == 1
    return is_alias or (definition.kind in CALLABLES and definition.path.endswith(".h"))


def is_telling(name: str) -> bool:
    """Whether a name is more than a word, so that who says it means what it names."""
    return len(name) >= SHORTEST_NAME and not _WORD.fullmatch(name)


def hash_of(text: str) -> int:
    """A number that scatters texts, the same everywhere."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _tail(name: str) -> str:
    return re.split(r"::|[.#]", name)[-1]


def _last_two(definition: Definition, language: str) -> str:
    return _JOINTS.get(language, ".").join(definition.qualified_name.split(".")[-2:])


def _keep_unambiguous(pool: dict[str, Definition], definitions: Iterable[Definition], language: str) -> None:
    homes = defaultdict(set)
    for definition in definitions:
        if "." in definition.qualified_name:
            homes[_last_two(definition, language)].add(definition.path)
    for query in [query for query in pool if len(homes[query]) != 1 or not re.fullmatch(r"[\w:.?!']+", query)]:
        del pool[query]


def _taken(pools: Mapping[str, Mapping[str, Definition]], mentions: Mapping[str, int], most: int) -> list[dict[str, object]]:
    """From each pool its share; what a pool cannot give, the others give."""
    queries: list[dict[str, object]] = []
    used, names = Counter[str](), set()
    shares = [round(share * most) for _, share in SHARES]
    limits = [*accumulate(shares), *[most] * len(SHARES)]
    for (kind, _), limit in zip(SHARES * 2, limits, strict=True):
        # Buckets of powers of two, so that among names mentioned about equally often the hash and not the count decides.
        ranked = (
            (-mentions[_tail(definition.name)].bit_length(), hash_of(query), query) for query, definition in pools[kind].items()
        )
        for _, _, query in sorted(ranked):
            definition = pools[kind][query]
            name = _tail(definition.name)
            if len(queries) < limit and used[definition.path] < MOST_IN_A_FILE and name not in names:
                used[definition.path] += 1
                names.add(name)
                asked = f"{query} {definition.kind.value}" if len(queries) % WITH_KIND == WITH_KIND - 1 else query
                queries.append({"query": asked, "kind": "symbol", "relevant": [definition.path], "tree": "plain"})
    return queries
