"""What encoders see of a chunk: one text for those that read, parts in fixed shares for those that add up words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hardtack.build.outline.synopsis import SHARES, parts_of, synopsis_of, vectors_of
from hardtack.encoders.hashing import HashingEncoder
from hardtack.encoders.static import default_encoder
from hardtack.nouns.model import Kind, Span
from hardtack.nouns.outline import Symbol

SPAN = Span(start=0, end=1, start_line=1, end_line=1)
JAR = Symbol(
    name="Jar",
    qualified_name="store.Jar",
    kind=Kind.CLASS,
    span=SPAN,
    extent=SPAN,
    selection=SPAN,
    signature="class Jar",
    doc="Made of glass.",
    package="",
)
OPEN = replace(JAR, name="open", qualified_name="store.Jar.open", kind=Kind.METHOD)
CLOSE = replace(OPEN, name="close", qualified_name="store.Jar.close")


def test_a_synopsis_names_the_path_then_what_encloses_then_what_is_defined_each_once() -> None:
    synopsis = synopsis_of(path="a.py", symbols=(JAR, OPEN), enclosing=JAR, code="code")
    assert "a.py\nstore.Jar store.Jar.open\ncode" == synopsis


def test_parts_are_folders_stem_names_scope_and_code_in_the_order_of_their_shares() -> None:
    parts = parts_of(path="src/kitchen/jar.py", symbols=(OPEN, CLOSE, OPEN), enclosing=JAR, code="code")
    assert {
        "folders": "src/kitchen",
        "stem": "jar",
        "names": "open close",
        "scope": "store.Jar",
        "code": "code",
    } == dict(zip(SHARES, parts, strict=True))


@pytest.mark.parametrize(
    ("path", "folders", "stem"),
    [("jar.py", "", "jar"), ("a/Makefile", "a", "Makefile"), ("a/.env", "a", ".env"), ("a/jar.test.ts", "a", "jar.test")],
)
def test_a_stem_is_the_base_name_without_its_last_suffix(path: str, folders: str, stem: str) -> None:
    assert (folders, stem) == parts_of(path=path, symbols=(), enclosing=None, code="")[:2]


def test_a_part_counts_for_its_share_whatever_its_length() -> None:
    encoder = HashingEncoder(256)
    parts = ("folder", "stem", "name", "scope", "code " * 500)
    (vector,) = vectors_of([parts], encoder)
    exact = sum(share * encoder.encode([part])[0].astype(np.float64) for part, share in zip(parts, SHARES.values(), strict=True))
    np.testing.assert_allclose(vector, exact / np.linalg.norm(exact), atol=1e-6)


def test_chunks_that_share_parts_get_the_same_bits_together_and_alone() -> None:
    encoder = default_encoder()
    chunks = [
        parts_of(path="src/jar.py", symbols=symbols, enclosing=JAR, code=f"def {name}(self): return self.lid.{name}()")
        for symbols, name in (((OPEN,), "open"), ((CLOSE,), "close"), ((), "open"))
    ]
    alone = b"".join(vectors_of([chunk], encoder).tobytes() for chunk in chunks)
    assert alone == vectors_of(chunks, encoder).tobytes()


def test_a_chunk_of_which_nothing_is_known_has_a_vector_of_zeros() -> None:
    assert not vectors_of([("", "", "", "", "()")], HashingEncoder()).any()
