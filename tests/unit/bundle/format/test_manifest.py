from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import canonical_json, digest_of
from hardtack.bundle.format.manifest import (
    Counts,
    EncoderIdentity,
    Indexer,
    LanguageCount,
    Manifest,
    Member,
    NamedProject,
    parse_manifest,
    render_manifest,
    with_members,
)
from hardtack.errors import FormatError, UnsupportedFormat
from hardtack.nouns.model import Provenance

ZERO = "sha256:" + "0" * 64
MEMBERS = tuple(Member(name=name, size=1, sha256=ZERO) for name in sorted({*layout.REQUIRED, layout.VECTORS}))
MANIFEST = Manifest(
    format_version=layout.FORMAT_VERSION,
    tool="hardtack 0",
    engines={"zlib": "1"},
    terms_fingerprint=ZERO,
    encoder=EncoderIdentity(name="static", fingerprint=ZERO, dimension=256),
    provenance=Provenance(repository="example.org/a/b", commit_time=0, roots=("a", "b")),
    options={"tests": True},
    counts=Counts(files=1, symbols=2, chunks=3, text_bytes=4),
    languages=(LanguageCount(id="go", name="Go", aliases=("golang",), files=1, chunks=3, lines=9, code_bytes=120),),
    skipped={"binary": 1},
    parse_status={"ok": 1},
    projects=(NamedProject(path="go.mod", ecosystem="go", name="example.org/a", version="", language_version="1.22"),),
    members=MEMBERS,
)


def signed(document: dict[str, Any]) -> bytes:
    document["self"] = ""
    return canonical_json({**document, "self": digest_of(canonical_json(document))})


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """The manifest with a change, signed again."""
    document = json.loads(render_manifest(MANIFEST))
    change(document)
    return signed(document)


def test_a_manifest_is_written_in_one_spelling() -> None:
    data = render_manifest(MANIFEST)
    assert canonical_json(json.loads(data)) == data
    assert data.endswith(b"}\n")


def test_indexers_are_named_only_where_there_were_any() -> None:
    assert "indexers" not in json.loads(render_manifest(MANIFEST))
    named = MANIFEST._replace(
        indexers=(Indexer(name="scip-go", version="1", digest=ZERO), Indexer(name="", version="", digest=ZERO))
    )
    assert named == parse_manifest(render_manifest(named))
    with pytest.raises(FormatError, match=r"indexers\[0\].digest"):
        parse_manifest(changed(lambda document: document.update(indexers=[{"name": "", "version": "", "digest": "none"}])))


def test_unknown_fields_are_ignored_wherever_they_are() -> None:
    def add(document: dict[str, Any]) -> None:
        inner = (document["counts"], document["encoder"], document["provenance"], document["members"][0], document["projects"][0])
        for place in (document, *inner):
            place["of_the_future"] = {"x": [1]}

    assert MANIFEST == parse_manifest(changed(add))


def test_an_unknown_member_is_listed_like_any_other() -> None:
    manifest = with_members(MANIFEST, (*MEMBERS, Member(name="future.bin", size=1, sha256=ZERO)))
    assert manifest == parse_manifest(render_manifest(manifest))
    assert manifest.member("future.bin") is not None
    assert manifest.member("past.bin") is None


def test_every_changed_bit_is_noticed() -> None:
    data = render_manifest(MANIFEST)
    for place in range(len(data)):
        for bit in range(8):
            damaged = bytearray(data)
            damaged[place] ^= 1 << bit
            with pytest.raises((FormatError, UnsupportedFormat)):
                parse_manifest(bytes(damaged))


def paths_in(value: object, where: str = "") -> list[str]:
    """The path of every field in a document, the items of maps without fixed keys left out."""
    if isinstance(value, dict) and where not in ("options", "engines", "skipped", "parse_status"):
        inner = [path for key, item in value.items() for path in paths_in(item, f"{where}.{key}" if where else key)]
        return [where, *inner] if where else inner
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [where, *paths_in(value[0], f"{where}[0]")]
    return [where]


def set_at(document: Any, path: str, value: object) -> None:
    *steps, last = path.replace("[0]", ".0").split(".")
    for step in steps:
        document = document[int(step)] if step == "0" else document[step]
    document[int(last) if last == "0" else last] = value


INNER = ("languages[0]", "members[0]", "projects[0]")
FIELDS = [path for path in paths_in(json.loads(render_manifest(MANIFEST))) if path not in ("self", *INNER)]


@pytest.mark.parametrize("field", FIELDS)
def test_a_fault_names_its_field(field: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_manifest(changed(lambda document: set_at(document, field, [[]])))
    assert field in (caught.value.field, caught.value.field.removesuffix("[0]"))


def test_the_fields_tried_are_all_there_are() -> None:
    assert {
        "format_version",
        "encoder.dimension",
        "languages[0].aliases",
        "members[0].sha256",
        "provenance.roots",
        "projects[0].name",
    } <= set(FIELDS)
    assert len(FIELDS) > 35


@pytest.mark.parametrize("version", [0, 2, 999, (1 << 63) - 1])
def test_another_version_is_told_apart_before_anything_else_is_looked_at(version: int) -> None:
    with pytest.raises(UnsupportedFormat) as caught:
        parse_manifest(json.dumps({"format": "hardtack-bundle", "format_version": version}).encode())
    assert (version, layout.READABLE_VERSIONS) == (caught.value.found, caught.value.readable)
    assert ("newer" in caught.value.hint) == (version > layout.FORMAT_VERSION)
