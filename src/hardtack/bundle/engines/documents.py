"""A chunk and its symbols in, the document that the lexical index has of it out: the terms of each field (:mod:`hardtack.text`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from hardtack.nouns.model import Kind
from hardtack.text import term_text, whole_name

TEXT_FIELDS: Final = ("symbol", "name", "scope", "signature", "doc", "path", "body")
"""Searched fields. ``symbol`` holds whole names, ``name`` their parts, ``scope`` the parts of what encloses them."""


class Named(Protocol):
    """The parts of a symbol that its document has; the build's and the bundle's symbols both have them."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def qualified_name(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> Kind: ...  # noqa: D102
    @property
    def signature(self) -> str: ...  # noqa: D102
    @property
    def doc(self) -> str: ...  # noqa: D102


class Document(NamedTuple):
    """One chunk as the lexical index stores it: terms joined by spaces for each of :data:`TEXT_FIELDS`."""

    texts: tuple[str, ...]
    language: str
    kinds: tuple[Kind, ...]
    file: int


def document_of(*, path: str, language: str, file: int, symbols: Sequence[Named], enclosing: Named | None, body: str) -> Document:
    """The document of one chunk, from values that a build and a finished bundle both have."""
    names: list[str] = []
    for symbol in symbols:
        names += dict.fromkeys((whole_name(symbol.name), whole_name(symbol.qualified_name)))
    scope = enclosing.qualified_name if enclosing else symbols[0].qualified_name.rpartition(".")[0] if symbols else ""
    return Document(
        texts=(
            " ".join(names),
            " ".join(term_text(symbol.name) for symbol in symbols),
            term_text(scope),
            " ".join(term_text(symbol.signature) for symbol in symbols),
            " ".join(term_text(symbol.doc) for symbol in symbols),
            term_text(path),
            term_text(body),
        ),
        language=language,
        kinds=tuple(dict.fromkeys(symbol.kind for symbol in symbols)),
        file=file,
    )
