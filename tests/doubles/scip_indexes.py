"""SCIP indexes written in a test, with the format's own library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hardtack.build.scip.schema import message_classes

METADATA, DOCUMENT, EXTERNAL = 1, 2, 3


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*data, number))


def field(number: int, data: bytes) -> bytes:
    """A field that has a size."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def symbol(descriptors: str, package: str = "jars") -> str:
    """A global symbol of scip-typescript."""
    return f"scip-typescript npm {package} 1.0.0 {descriptors}"


def document(path: str, occurrences: Iterable[tuple[Sequence[int], str, int]], *, text: str = "", encoding: int = 0) -> Any:
    """A document; an occurrence is (range, symbol, roles)."""
    made = message_classes()[0]["Document"](relative_path=path, text=text, position_encoding=encoding)
    for place, named, roles in occurrences:
        made.occurrences.add(range=place, symbol=named, symbol_roles=roles)
    return made


def index(*documents: Any, root: str = "file:///srv/jars", name: str = "scip-test", version: str = "1") -> bytes:
    """An index of documents."""
    metadata = message_classes()[0]["Metadata"](tool_info={"name": name, "version": version}, project_root=root)
    return field(METADATA, metadata.SerializeToString()) + b"".join(field(DOCUMENT, each.SerializeToString()) for each in documents)


def occurrences(text: str, *marked: tuple[str, str, int]) -> list[tuple[list[int], str, int]]:
    """Occurrences of words in a text, each at its next place after the last; an item is (word, symbol, roles)."""
    found, at = [], 0
    for word, named, roles in marked:
        at = text.index(word, at)
        line, start = text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)
        found.append(([line, start, start + len(word)], named, roles))
        at += 1
    return found
