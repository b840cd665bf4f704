"""Names, versions and limits of the bundle format, as FORMAT.md states them."""

from __future__ import annotations

import re
from typing import Final

# 1: first version.
FORMAT_VERSION: Final = 1
"""What this program writes."""

READABLE_VERSIONS: Final = (1, 1)
"""Oldest and newest format version this program reads, inclusive."""

FORMAT_NAME: Final = "hardtack-bundle"

MANIFEST: Final = "manifest.json"
FILES: Final = "files.msgpack"
SYMBOLS: Final = "symbols.msgpack"
CHUNKS: Final = "chunks.msgpack"
DETAILS: Final = "descriptors.msgpack"
RELATIONS: Final = "relations.msgpack"
REFERENCES: Final = "references.msgpack"
FACTS: Final = "facts.msgpack"
SKIPS: Final = "skips.msgpack"
NAMES: Final = "names.postings"
WORDS: Final = "words.postings"
PAIRS: Final = "pairs.filter"
RUNS: Final = "runs.postings"
TEXT: Final = "text.blocks"
VECTORS: Final = "vectors.faiss"
READINGS: Final = "readings.blocks"
ENCODER: Final = "encoder.msgpack"
ENCODER_TABLE: Final = "encoder.int8"
ENCODER_PROBE: Final = "encoder.probe"
NOTICE: Final = "NOTICE"
HISTORY: Final = "history.msgpack"
HISTORY_POSTINGS: Final = "history.postings"
LEXICAL: Final = "lexical"
"""Directory of the Tantivy index; its members are ``lexical/meta.json`` and one file for each component of its segment."""

TANTIVY_INDEX_FORMAT: Final = 7
"""``index_format_version`` in the footer of every Tantivy file we write and read."""

REQUIRED: Final = frozenset({FILES, SYMBOLS, CHUNKS, DETAILS, RELATIONS, REFERENCES, FACTS, SKIPS, NAMES, WORDS, PAIRS})
"""Members without which nothing can be answered."""

DISPENSABLE: Final = frozenset({READINGS})
"""Members that only the next build reads. A bundle may lack them although its manifest lists them."""

MEMBER_NAME: Final = re.compile(r"(?:lexical/)?[A-Za-z0-9][A-Za-z0-9_-]{0,63}(?:\.[a-z0-9]{1,16}){0,2}")
"""What a member may be called: one plain file name, at most below ``lexical/`` (FORMAT.md)."""
_SEGMENT_NAME: Final = re.compile(r"lexical/[0-9a-f]{32}\.(?P<component>[a-z]+)")
LEXICAL_COMPONENTS: Final = ("fast", "fieldnorm", "idx", "pos", "store", "term")
"""Suffixes of the segment's files."""

LEXICAL_META: Final = "lexical/meta.json"

OWN_PREFIX: Final = ".hardtack-"
"""Prefix of the directories that a build makes beside its destination; they are never part of a source tree."""

MANIFEST_LIMIT: Final = 1 << 20
"""Bytes of the largest manifest that is read; a usual one has a few thousand."""

ENCODER_LIMIT: Final = 32 << 20
"""Bytes of the largest ``encoder.msgpack`` that is read; it is unpacked whole."""

LEXICAL_META_LIMIT: Final = 1 << 20
"""Bytes of the largest ``lexical/meta.json`` that is read."""

DIMENSION_LIMIT: Final = 4096
"""Numbers in the longest vector."""

PATH_LIMIT: Final = 4096
"""Bytes of the longest path of a source file."""

MEMBER_LIMIT: Final = 1 << 40
"""Bytes of the largest member a manifest may claim."""

MEMBER_COUNT_LIMIT: Final = 64

TEXT_LIMIT: Final = 16 << 20
"""Bytes of the longest text of one file. A reader may hold one such text, but nothing for each of its lines or characters."""

CHUNK_LIMIT: Final = 32 << 10
"""Bytes of the longest chunk: builders cut at 8,000 characters, which have four bytes at most."""

NAME_LIMIT: Final = 4 << 10
"""Bytes of the longest name of a symbol, in UTF-8; builders cut at :data:`NAME_CHARACTERS`."""
NAME_CHARACTERS: Final = 1000

QUALIFIED_NAME_LIMIT: Final = 16 << 10
"""Bytes of the longest qualified name or package, in UTF-8; builders cut at :data:`QUALIFIED_NAME_CHARACTERS`."""
QUALIFIED_NAME_CHARACTERS: Final = 4000

ROW_TEXT_LIMIT: Final = 256 << 10
"""Bytes of the longest other text in a row, in UTF-8: documentation, as a rule; builders cut at a quarter as many characters."""

COMMIT_COUNT_LIMIT: Final = 10_000
"""Commits of a history at most."""

PROJECT_COUNT_LIMIT: Final = 1000
"""Projects that a manifest lists at most."""


def is_member_name(name: str) -> bool:
    """Whether ``name`` may name a member: a plain file name, at most below ``lexical/``, so that no bundle can make up a path."""
    return MEMBER_NAME.fullmatch(name) is not None and name != MANIFEST


def is_lexical_name(name: str) -> bool:
    """Whether it is a member of the Tantivy index."""
    return name == LEXICAL_META or is_segment_name(name)


def is_segment_name(name: str) -> bool:
    """Whether it is a file of a Tantivy segment."""
    segment = _SEGMENT_NAME.fullmatch(name)
    return segment is not None and segment["component"] in LEXICAL_COMPONENTS


_IDENTIFIER: Final = re.compile(r"[a-z][a-z0-9_+#.-]{0,31}")
_REASON: Final = re.compile(r"[a-z][a-z0-9 ._-]{0,39}")
_LABEL_CHARACTERS: Final = 200


def is_identifier(text: str) -> bool:
    """Whether ``text`` may be a word of a closed or open list: a language, a status, an encoding, the key of a fact.

    Such words are shown as they are, so nothing that could end a line, a fence or a tag is one. Readers refuse any other.
    """
    return _IDENTIFIER.fullmatch(text) is not None


def is_reason(text: str) -> bool:
    """Whether ``text`` may be the reason why a path was left out: as an identifier, with spaces."""
    return _REASON.fullmatch(text) is not None


def is_label(text: str) -> bool:
    """Whether ``text`` may name a program, a version, an encoder or a language for people: short, on one line, printable."""
    return len(text) <= _LABEL_CHARACTERS and text.isprintable()


_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)
"""Controls, lone surrogates, and characters that reorder, break or hide the line they are printed in (CVE-2021-42574)."""


def is_skipped_path(path: str) -> bool:
    """Whether ``path`` may name what a build left out: safe to print, and no longer than a path; what is no label is escaped."""
    return len(path) > 0 and len(path.encode()) <= PATH_LIMIT and (path.isprintable() or not _UNSAFE.search(path))


def is_source_path(path: str) -> bool:
    """Whether ``path`` may be the path of a source file: relative, canonical, ``/`` between names, safe to print."""
    if "\\" in path or (not path.isprintable() and _UNSAFE.search(path)) or len(path.encode()) > PATH_LIMIT:
        return False
    return not any(name in {"", ".", ".."} for name in path.split("/"))
