"""A bundle's symbols and paths in, the index that the page's search box reads out, in shards.

A name is found by the beginning of any word in it: ``headers`` and ``upd`` find ``update_headers``. So each entry is in the shards
of the first two letters of its words, and a search reads one shard. A shard is a script that calls one function with JSON, since a
page that was opened as a file may read no other file than scripts and styles.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Tag
from hardtack.page.addresses import Addresses
from hardtack.page.uses import Uses
from hardtack.render.style import inert_line
from hardtack.text import parts_of

KEYS: Final = "keys"
"""The name of the shard that lists the keys of all others."""
_KEY: Final = 2
_OTHER: Final = re.compile("[^a-z0-9]")
_LONGEST: Final = 200
"""Characters of a name."""


class Entry(NamedTuple):
    """A symbol, or a file, whose kind is ``file``."""

    name: str
    full: str
    """Qualified name, or path."""
    kind: str
    file: int
    number: int
    """Of the symbol in its file; -1 for a file."""
    line: int
    uses: int


def entries_of(bundle: Bundle, uses: Uses) -> Iterator[Entry]:
    """All files, and all symbols that code elsewhere can name."""
    for ordinal, file in enumerate(bundle.files):
        path = inert_line(file.path)
        yield Entry(path.rpartition("/")[2], path, "file", ordinal, -1, 1, 0)
        for number in range(file.symbol_count):
            symbol = file.first_symbol + number
            name = bundle.symbol_name(symbol)
            if Tag.LOCAL in bundle.tags_of(symbol):
                continue
            short, full = inert_line(name.name)[:_LONGEST], inert_line(name.qualified_name)[:_LONGEST]
            line = bundle.symbol(symbol).selection_line
            yield Entry(short, full, name.kind.value, ordinal, number, line, uses.count_of(symbol))


def key_of(word: str) -> str:
    """The shard of a word: its first two letters, or what stands for them."""
    return _OTHER.sub("_", word[:_KEY].lower()).ljust(_KEY, "_")


def shards(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Key -> entries of which a word begins so, in order of keys."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        words = {entry.name, *parts_of(entry.name)}
        if entry.kind == "file":
            words.update(part for folder in entry.full.split("/") for part in parts_of(folder))
        for key in {key_of(word) for word in words if word}:
            found[key].append(entry)
    return dict(sorted(found.items()))


def shard_json(entries: Sequence[Entry], paths: Sequence[str], addresses: Addresses) -> str:
    """One shard: its files, each with path and page, and its entries, each with the place of its file among them.

    ASCII without ``<``, so that it can stand in a page.
    """
    numbers: dict[int, int] = {}
    for entry in entries:
        numbers.setdefault(entry.file, len(numbers))
    files = [[inert_line(paths[ordinal]), addresses.file(ordinal)] for ordinal in numbers]
    rows = [[each.name, each.full, each.kind, numbers[each.file], each.number, each.line, each.uses] for each in entries]
    document: dict[str, Any] = {"files": files, "entries": rows}
    return json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")


def shard_script(key: str, content: str) -> str:
    """The script that hands a shard over."""
    return f'hardtackShard("{key}",{content});\n'
