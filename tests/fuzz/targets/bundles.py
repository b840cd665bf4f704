"""Manifests, whole bundles and whole packs. A case of the last two is a seed of ``fuzz_bundle.py`` and of ``fuzz_pack.py``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import fuzz_bundle
import fuzz_pack
from driver import Generator, Target, scratch
from forge import FROZEN, Forge
from mutations import blind, in_json

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import canonical_json, digest_of
from hardtack.bundle.format.manifest import parse_manifest, render_manifest

_HISTORY = {
    "asked": 5,
    "commits": 3,
    "newest": "ab" * 20,
    "oldest": "cd" * 20,
    "newest_time": 1_700_000_200,
    "oldest_time": 1_700_000_000,
    "end": "root",
}
_INDEXER = {"name": "scip-python", "version": "0.6", "digest": "sha256:" + "0" * 64}


def _manifests() -> list[bytes]:
    """Those of the frozen bundles, and one with every field there is."""
    found = [(FROZEN / profile / layout.MANIFEST).read_bytes() for profile in ("keyword", "hybrid")]
    document = json.loads(found[1])
    document |= {"history": _HISTORY, "indexers": [_INDEXER], "secrets": {"mode": "redact", "found": {"aws": 2}}}
    document |= {"encodings": [{"name": "utf-8", "files": 3, "declared": 1, "guessed": 0}]}
    document["provenance"] |= {"commit": _HISTORY["newest"]}
    whole = _signed(document)
    small = {**document, "members": document["members"][:2], "languages": document["languages"][:1]}
    return [found[0], whole, *[_signed(small)] * 6]


def _signed(document: dict[str, object]) -> bytes:
    document["self"] = ""
    return canonical_json({**document, "self": digest_of(canonical_json(document))})


def _another_manifest(generator: Generator, seed: bytes) -> bytes:
    if generator.random() < 0.15:
        return blind(generator, seed)
    document = json.loads(seed)
    in_json(generator, document)
    try:
        return _signed(document)
    except (ValueError, RecursionError):
        return json.dumps(document).encode() if generator.random() < 0.5 else seed


def _manifest(case: bytes) -> str:
    manifest = parse_manifest(case)
    again = render_manifest(manifest)
    assert parse_manifest(again) == manifest, "what was read cannot be written and read again"
    assert all(layout.is_member_name(member.name) for member in manifest.members)
    assert all(0 <= member.size <= layout.MEMBER_LIMIT for member in manifest.members)
    return "accepted"


@cache
def _scratch() -> Path:
    """A directory of this process in memory, with a bundle's files."""
    directory = scratch()
    (directory / layout.LEXICAL).mkdir()
    for name, data in fuzz_bundle.frozen()[0].items():
        (directory / name).write_bytes(data)
    return directory


def _seeds_for(prepared: Callable[[], object]) -> Callable[[], Sequence[bytes]]:
    def seeds() -> Sequence[bytes]:
        _scratch()  # before the fork, so that all children have one
        prepared()
        return [b""]

    return seeds


def _number(generator: Generator, _: bytes) -> bytes:
    return b"%d" % generator.getrandbits(48)


TARGETS = (
    Target(name="manifest", seeds=_manifests, mutate=_another_manifest, execute=_manifest),
    Target(
        name="bundle",
        seeds=_seeds_for(lambda: Forge.of("keyword")),
        mutate=_number,
        execute=lambda case: fuzz_bundle.try_one(case.decode("ascii", "replace"), _scratch()),
        is_reducible=False,
    ),
    Target(
        name="pack",
        seeds=_seeds_for(lambda: (fuzz_pack.sound(), fuzz_pack.contents())),
        mutate=_number,
        execute=lambda case: fuzz_pack.try_one(case.decode("ascii", "replace"), _scratch().with_name(_scratch().name + ".pack")),
        is_reducible=False,
    ),
)
