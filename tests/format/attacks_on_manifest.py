"""Hostile manifests: JSON that two readers would read differently, and fields that promise the impossible."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from forge import Attack, Forge, set_in

from hardtack.bundle.format.digest import canonical_json


def raw(change: Callable[[bytes], bytes]) -> Callable[[Forge], None]:
    """Change the manifest's finished bytes."""

    def apply(forge: Forge) -> None:
        forge.manifest = change(forge.signed())

    return apply


def valued(path: str, value: Any) -> Callable[[Forge], None]:
    """Set one field and sign the result."""

    def apply(forge: Forge) -> None:
        forge.signed()
        forge.keeps_list = True
        set_in(forge.document, path, value)

    return apply


def option(literal: bytes) -> Callable[[Forge], None]:
    """Put a JSON literal that our own writer would refuse into ``options``."""
    return raw(lambda data: data.replace(b'"max_file_size":1048576', b'"max_file_size":' + literal))


def without(key: str) -> Callable[[Forge], None]:
    return lambda forge: forge.document.pop(key)


def extra_members(count: int) -> Callable[[Forge], None]:
    def apply(forge: Forge) -> None:
        forge.members.update({f"extra{number}": b"" for number in range(count)})

    return apply


def project(path: str) -> dict[str, str]:
    return {"path": path, "ecosystem": "go", "name": "n", "version": "", "language_version": ""}


def doubled(forge: Forge) -> None:
    forge.signed()
    forge.keeps_list = True
    forge.document["members"].insert(0, forge.document["members"][0])


def reversed_members(forge: Forge) -> None:
    forge.signed()
    forge.keeps_list = True
    forge.document["members"].reverse()


NOT_CANONICAL = "not canonical JSON"
CHANGED = "its own digest does not match"

SPELLINGS = [
    Attack("manifest: empty", raw(lambda _: b""), words=NOT_CANONICAL),
    Attack("manifest: not an object", raw(lambda _: b"[]\n"), words="not a JSON object"),
    Attack("manifest: a key twice", raw(lambda data: data.replace(b'"tool":', b'"tool":"x","tool":')), words=CHANGED),
    Attack("manifest: half a million arrays deep", raw(lambda _: b'{"a":' + b"[" * 500_000), words=NOT_CANONICAL),
    Attack("manifest: deep and closed", raw(lambda _: b'{"a":' + b"[" * 90_000 + b"]" * 90_000 + b"}\n"), words=NOT_CANONICAL),
    Attack(
        "manifest: half a million empty objects", raw(lambda _: b'{"a":[' + b"{}," * 300_000 + b"{}]}\n"), words="does not describe"
    ),
    Attack("manifest: over the limit", raw(lambda data: data + b" " * (1 << 20)), words="at most"),
    Attack("manifest: 1e999", option(b"1e999"), words=NOT_CANONICAL),
    Attack("manifest: NaN", option(b"NaN"), words=NOT_CANONICAL),
    Attack("manifest: a fraction", option(b"1.0"), words=NOT_CANONICAL),
    Attack("manifest: 5000 digits", option(b"9" * 5000), words=NOT_CANONICAL),
    Attack("manifest: 2^64", option(b"18446744073709551616"), words=NOT_CANONICAL),
    Attack("manifest: a leading zero", option(b"007"), words=NOT_CANONICAL),
    Attack("manifest: a lone surrogate", option(b'"\\ud800"'), words=NOT_CANONICAL),
    Attack("manifest: a lone surrogate for a key", option(b'1,"\\udfff":1'), words=NOT_CANONICAL),
    Attack("manifest: a byte order mark", raw(lambda data: b"\xef\xbb\xbf" + data), words=NOT_CANONICAL),
    Attack("manifest: UTF-16", raw(lambda data: data.decode().encode("utf-16")), words=NOT_CANONICAL),
    Attack("manifest: UTF-8 where an escape belongs", option('"é"'.encode()), words=NOT_CANONICAL),
    Attack("manifest: another spelling of the same", raw(lambda data: data.replace(b'"tool"', b'"to\\u006fl"')), words=CHANGED),
    Attack("manifest: trailing bytes", raw(lambda data: data + b"{}"), words=NOT_CANONICAL),
    Attack("manifest: a trailing space", raw(lambda data: data + b" "), words=CHANGED),
    Attack("manifest: no newline", raw(lambda data: data[:-1]), words=CHANGED),
    Attack("manifest: a NUL inside", raw(lambda data: data.replace(b"hardtack 0", b"hardtack\0 0")), words=NOT_CANONICAL),
    Attack("manifest: self left empty", raw(lambda data: canonical_json({**json.loads(data), "self": ""})), words=CHANGED),
]

FIELDS = [
    Attack("format: another", valued("format", "tar"), words="does not describe"),
    Attack("format_version: 0", valued("format_version", 0), "UnsupportedFormat", words="format version 0"),
    Attack("format_version: 999", valued("format_version", 999), "UnsupportedFormat", words="format version 999"),
    Attack("format_version: true", valued("format_version", True), words="format_version must be int"),
    Attack("format_version: text", valued("format_version", "1"), words="format_version must be int"),
    Attack("terms_fingerprint: no digest", valued("terms_fingerprint", "sha256:0"), words="terms_fingerprint is no digest"),
    Attack("terms_fingerprint: other terms", valued("terms_fingerprint", "sha256:" + "0" * 64), words="other rules"),
    Attack("encoder: left out", without("encoder"), words="encoder must"),
    Attack("encoder: a list", valued("encoder", []), words="encoder must be an object", profile="hybrid"),
    Attack("encoder: none, with vectors", valued("encoder", None), words="exactly when", profile="hybrid"),
    Attack(
        "encoder: one, without vectors", lambda forge: forge.members.pop("vectors.faiss"), words="exactly when", profile="hybrid"
    ),
    Attack("encoder.dimension: 0", valued("encoder.dimension", 0), words="encoder.dimension", profile="hybrid"),
    Attack("encoder.dimension: a billion", valued("encoder.dimension", 10**9), words="encoder.dimension", profile="hybrid"),
    Attack("encoder.dimension: 63", valued("encoder.dimension", 63), "EncoderMismatch", "hybrid", "not the one"),
    Attack("encoder.fingerprint: no digest", valued("encoder.fingerprint", "md5:1"), words="encoder.fingerprint", profile="hybrid"),
    Attack("encoder.fingerprint: another", valued("encoder.fingerprint", "sha256:" + "0" * 64), "EncoderMismatch", "hybrid"),
    *(
        Attack(f"encoder.name: {kind}", valued("encoder.name", name), "EncoderMismatch", "hybrid", words="is set up here")
        for kind, name in (
            ("not carried", "../../evil"),
            ("a model to load", "st:../../evil"),
            ("an address to call", "openai:http://127.0.0.1:1"),
        )
    ),
    Attack("provenance: null", valued("provenance", None), words="provenance must be an object"),
    Attack("provenance.is_dirty: 1", valued("provenance.is_dirty", 1), words="provenance.is_dirty must be bool"),
    Attack("provenance.roots: numbers", valued("provenance.roots", [1]), words="provenance.roots[0] must be str"),
    Attack("counts.files: -1", valued("counts.files", -1), words="counts.files must not be negative"),
    Attack("counts.chunks: 2^62", valued("counts.chunks", 1 << 62), words="another number of rows"),
    Attack("counts.symbols: one fewer", valued("counts.symbols", 32), words="another number of rows"),
    Attack("counts.text_bytes: 2^62", valued("counts.text_bytes", 1 << 62), words="another length"),
    Attack("languages: counted wrong", valued("languages.0.files", 3), words="counts other languages"),
    Attack("parse_status: counted wrong", valued("parse_status", {"ok": 1}), words="counts other languages"),
    Attack("skipped: text", valued("skipped", {"binary": "many"}), words="skipped.binary must be int"),
    Attack("projects: left out", without("projects"), words="projects must be list"),
    Attack("projects: no name", valued("projects", [{"path": "go.mod", "ecosystem": "go"}]), words="projects[0].name must be str"),
    Attack("projects: a path outside", valued("projects", [project("../go.mod")]), words="projects[0].path is no path"),
    Attack("projects: backwards", valued("projects", [project("b"), project("a")]), words="not sorted by path"),
    Attack("projects: one twice", valued("projects", [project("a"), project("a")]), words="not sorted by path"),
    Attack("projects: of no file", valued("projects", [project("gone/go.mod")]), words="'gone/go.mod', which is no file"),
    Attack("projects: 1,001", valued("projects", [project(f"{n:04}") for n in range(1001)]), words="a bundle has fewer"),
    Attack("members: 65", extra_members(65), words="a bundle has fewer"),
    Attack("members: one twice", doubled, words="not sorted by name"),
    Attack("members: backwards", reversed_members, words="not sorted by name"),
    Attack("members: no chunks", lambda forge: forge.members.pop("chunks.msgpack"), words="lists no member 'chunks.msgpack'"),
    Attack("members.size: -1", valued("members.0.size", -1), words="members[0].size must not be negative"),
    Attack("members.size: 2^60", valued("members.0.size", 1 << 60), words="members[0].size is over the limit"),
    Attack("members.size: one more", valued("members.0.size", 519), "IntegrityError", words="bytes, not"),
    Attack("members.sha256: upper case", valued("members.0.sha256", "sha256:" + "A" * 64), words="members[0].sha256 is no digest"),
    Attack("members.sha256: a path", valued("members.0.sha256", "sha256:../../x"), words="members[0].sha256 is no digest"),
    Attack("members.sha256: sha512", valued("members.0.sha256", "sha512:" + "0" * 128), words="members[0].sha256 is no digest"),
    Attack(
        "members.sha256: of something else", valued("members.0.sha256", "sha256:" + "0" * 64), "IntegrityError", words="changed"
    ),
]

NAMES = [
    Attack(f"members.name: {name!a:.40}", valued("members.0.name", name), words="members[0].name")
    for name in (
        *("", ".", "..", "../x", "/etc/passwd", "a/b", "lexical/../x", "lexical/a/b", "lexical/", "./a"),
        *("a\0b", "a\nb", "C:\\x", "x:ads", "manifest.json", ".hidden", "-rf", "a" * 300, "\u202etxt.exe", "é"),
    )
]

ATTACKS = [*SPELLINGS, *FIELDS, *NAMES]
