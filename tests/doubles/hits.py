"""A hit whose every field without a default is filled in."""

from __future__ import annotations

from hardtack.nouns.model import Hit

HIT = Hit(
    path="src/pantry/shelf.py",
    start_line=12,
    end_line=24,
    score=0.9,
    rank=1,
    chunk_id="00112233445566778899aabbccddeeff",
    language="python",
    kind="method",
    name="take_oldest",
    qualified_name="Shelf.take_oldest",
    signature="def take_oldest(self) -> Jar",
    package="pantry",
    snippet="def take_oldest(self) -> Jar:",
    match_type="both",
    vector_score=0.5,
    keyword_score=0.25,
    freshness="unknown",
    reasons=("is named like method Shelf.take_oldest",),
)
