"""The members that Tantivy and FAISS read, behind the checks that stand before them; native code, so the child may die of one.

A case is the member's name, a line feed, and its bytes. Terms and vectors are then looked for as a search does.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
from attacks_on_engines import COUNT, DIMENSION
from driver import Generator, Target, scratch
from forge import FROZEN
from mutations import NUMBERS, another_json, blind

from hardtack.bundle.engines.lexical import Filter, open_index
from hardtack.bundle.engines.vector_frames import rendered
from hardtack.bundle.engines.vector_lists import InvertedLists
from hardtack.bundle.engines.vectors import VectorIndex
from hardtack.bundle.format import layout
from hardtack.bundle.format.members import MemberFile

_TERMS = {"body": [("stock", 1.0), ("portion", 0.5)], "name": [("stock", 2.0)], "path": [("src", 1.0)]}
_LISTED = "lists"
"""A member of vectors in lists, which FAISS reads; the frozen one is scanned."""


@cache
def _lexical() -> dict[str, bytes]:
    return {f"lexical/{path.name}": path.read_bytes() for path in sorted((FROZEN / "hybrid" / layout.LEXICAL).iterdir())}


@cache
def _shape() -> tuple[int, int]:
    """Chunks of the frozen bundle, and the dimension of its vectors."""
    document = json.loads((FROZEN / "hybrid" / layout.MANIFEST).read_bytes())
    return document["counts"]["chunks"], document["encoder"]["dimension"]


@cache
def _directory() -> Path:
    directory = scratch()
    (directory / layout.LEXICAL).mkdir()
    return directory


def _vectors_in_lists() -> bytes:
    generator = np.random.default_rng(7)
    codes = generator.integers(0, 256, (COUNT, DIMENSION), dtype=np.uint8)
    centroids = generator.integers(-9, 9, (2, DIMENSION)).astype(np.float32)
    lists = InvertedLists(centroids=centroids, ordinals=np.arange(COUNT), sizes=np.array([2, COUNT - 2]), probes=1, recall=0.9)
    minima = np.full(DIMENSION, -1, np.float32)
    return b"".join(rendered(codes, minima, np.full(DIMENSION, 2, np.float32), lists))


def _put(name: str, data: bytes) -> None:
    """Write a member as a new file: one that an engine may still have mapped is not cut."""
    path = _directory() / name
    path.unlink(missing_ok=True)
    path.write_bytes(data)


def _seeds_of_lexical() -> list[bytes]:
    for name, data in _lexical().items():
        _put(name, data)
    return [name.encode() + b"\n" + data for name, data in _lexical().items()]


def _seeds_of_vectors() -> list[bytes]:
    whole = (FROZEN / "hybrid" / layout.VECTORS).read_bytes()
    return [layout.VECTORS.encode() + b"\n" + whole, _LISTED.encode() + b"\n" + _vectors_in_lists()]


def _another(generator: Generator, seed: bytes) -> bytes:
    start = seed.index(b"\n") + 1
    data = seed[start:]
    if seed.startswith(layout.LEXICAL_META.encode()):
        return seed[:start] + another_json(generator, data)
    action = generator.randrange(4)
    if action == 0:
        return seed[:start] + blind(generator, data)
    changed = bytearray(data)
    footer = 130 if seed.startswith(b"lexical/") else 0  # JSON that is compared with what it must be
    for _ in range(generator.choice((1, 1, 2, 4, 16))):
        near = generator.randrange(max(len(data) - footer, 1))
        at = near if action == 1 else min(near, 200) if action == 2 else max(len(data) - footer - generator.randrange(60), 0)
        width = generator.choice((1, 1, 2, 4, 8))
        changed[at : at + width] = (generator.choice(NUMBERS) % (1 << 8 * width)).to_bytes(width, "little")
    return seed[:start] + bytes(changed)


def _search(case: bytes) -> str:
    name, _, data = case.partition(b"\n")
    mutated = name.decode("ascii", "replace")
    if mutated not in _lexical():
        return "no case"
    directory = _directory()
    _put(mutated, data)
    members = [MemberFile(directory, each) for each in _lexical()]
    try:
        index = open_index(members, count=_shape()[0])
        if index is None:
            return "no directory"
        try:
            for limit in (1, 20):
                ordinals, scores = index.search(_TERMS, limit, Filter(), [("stock", "portion")])
                assert len(ordinals) == len(scores) <= limit
                index.search(_TERMS, limit, Filter(languages=("python",), files=(0, 1)))
            index.chunks_with(["stock", "nothing"])
            index.chunks_with_all(["stock", "portion"], [0, 1, 2])
            index.search_near("stok", 5)
            index.chunks_within("Crate")
        finally:
            index.close()
    finally:
        for member in members:
            member.close()
        _put(mutated, _lexical()[mutated])
    return "accepted"


def _nearest(case: bytes) -> str:
    name, _, data = case.partition(b"\n")
    count, dimension = (COUNT, DIMENSION) if name == _LISTED.encode() else _shape()
    _put(layout.VECTORS, data)
    with MemberFile(_directory(), layout.VECTORS) as member:
        index = VectorIndex(member, count=count, dimension=dimension)
        vector = np.full(dimension, dimension**-0.5, dtype=np.float32)
        for allowed in (None, np.arange(count) % 2 == 0, np.zeros(count, dtype=bool)):
            for limit in (1, 3, count + 5):
                ordinals, scores = index.search(vector, limit, allowed)
                assert len(ordinals) == len(scores) <= limit
                assert ((0 <= ordinals) & (ordinals < count)).all()
                assert np.isfinite(scores).all()
        index.scores(vector, range(count))
        index.coded()
    return "accepted"


TARGETS = (
    Target(name="tantivy", seeds=_seeds_of_lexical, mutate=_another, execute=_search, share=2),
    Target(name="faiss", seeds=_seeds_of_vectors, mutate=_another, execute=_nearest),
)
