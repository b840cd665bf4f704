"""``manifest.json`` <-> :class:`Manifest`: strict both ways, and every fault names its field.

The manifest lists every other member with its size and SHA-256, names the source, the tool and its options, and has ``self``, the
digest of its own canonical bytes with ``self`` empty. A reader parses it, writes it canonically again and compares, so that a
manifest with a repeated key, with JSON in another form or with one changed bit is refused. The digest of the manifest's bytes
therefore names the whole bundle. The digests cover fields and members that this program does not know; otherwise they are ignored,
since a newer builder of the same format version may add some.
"""

# No ``from __future__ import annotations``: ``_readers`` looks up a field's parser by the type in ``__annotations__``.

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar, cast

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import canonical_json, check_spellable, digest_of, is_digest, spelt
from hardtack.bundle.format.words import check_words
from hardtack.errors import FormatError, UnsupportedFormat
from hardtack.git import is_commit
from hardtack.nouns.model import Provenance

_T = TypeVar("_T")


class Member(NamedTuple):
    """One file of a bundle."""

    name: str
    size: int
    sha256: str
    """``sha256:<64 hex>``."""


class EncoderIdentity(NamedTuple):
    """The encoder that made the vectors; queries must be encoded by the same."""

    name: str
    fingerprint: str
    dimension: int


class LanguageCount(NamedTuple):
    """A language of the bundle's files, the names a filter accepts for it, and its counts."""

    id: str
    name: str
    aliases: tuple[str, ...]
    files: int
    chunks: int
    lines: int
    code_bytes: int
    """Bytes of the originals of its files of code, without tests and what a word of the path calls secondary."""


class Counts(NamedTuple):
    """How much is in the bundle."""

    files: int
    symbols: int
    chunks: int
    text_bytes: int


class NamedProject(NamedTuple):
    """A module or package that the source tree declares; what is not declared is empty."""

    path: str
    """Of the file that declares it: ``go.mod``, ``packages/server/package.json``."""
    ecosystem: str
    """``go``, ``composer``, ``npm``, ``pypi``, ``cargo``, ``maven``, ``nuget``."""
    name: str
    version: str
    language_version: str


class EncodingCount(NamedTuple):
    """An encoding of the original files, and how it is known of how many; of the others their bytes show it."""

    name: str
    """As in ``files.msgpack``."""
    files: int
    declared: int
    """Files that say it themselves or whose tree does."""
    guessed: int


class Indexer(NamedTuple):
    """An index of a language's own indexer that the build was given, in its order; the tool's name and version are as it says."""

    name: str
    version: str
    digest: str
    """``sha256:<64 hex>`` of the index."""


class HistoryExtent(NamedTuple):
    """Which commits the bundle's history has: the last ones on the line of first parents."""

    asked: int
    """How many were asked for."""
    commits: int
    newest: str
    """Full id."""
    oldest: str
    newest_time: int
    """Committer time, seconds since 1970 UTC."""
    oldest_time: int
    end: str
    """Why it has no more: ``asked``, ``root`` (the repository's first commit is among them), ``shallow`` (the clone had no more),
    ``missing`` (the clone lacked objects), ``limit``."""


FROM_CLONE: Final = ("shallow", "missing")
"""Ends of a history that another clone of the repository may not have."""


class Secrets(NamedTuple):
    """What was done with secrets, and how many there were."""

    mode: str
    """``redact``: a marker stands in the place of each; ``warn``: they are still there; ``fail``: there were none."""
    found: Mapping[str, int]
    """Rule to number of secrets, files that are secrets as a whole among them."""


class Manifest(NamedTuple):
    """What a bundle holds and where it came from."""

    format_version: int
    tool: str
    """``hardtack <version>``."""
    engines: Mapping[str, str]
    """Name to version of everything that decides bytes of a member."""
    terms_fingerprint: str
    encoder: EncoderIdentity | None
    """None in a keyword-only bundle."""
    provenance: Provenance
    options: Mapping[str, Any]
    """The options of the build that decide content; not the number of processes."""
    counts: Counts
    languages: tuple[LanguageCount, ...]
    skipped: Mapping[str, int]
    """Skip reason to number of paths."""
    parse_status: Mapping[str, int]
    """Parse status to number of files."""
    projects: tuple[NamedProject, ...]
    """Sorted by path."""
    members: tuple[Member, ...]
    """Sorted by name; the manifest itself is not listed."""
    secrets: Secrets | None = None
    """None in a bundle whose builder did not look for any."""
    encodings: tuple[EncodingCount, ...] = ()
    """By name; empty in a bundle whose builder did not count them."""
    indexers: tuple[Indexer, ...] = ()
    history: HistoryExtent | None = None

    def member(self, name: str) -> Member | None:
        """The member of that name, or None when this bundle has none."""
        return next((member for member in self.members if member.name == name), None)


def render_manifest(manifest: Manifest) -> bytes:
    """The manifest's canonical bytes, ``self`` filled in."""
    document = {"format": layout.FORMAT_NAME, "self": "", **manifest_to_json(manifest)}
    document["self"] = digest_of(canonical_json(document))
    return canonical_json(document)


def manifest_to_json(manifest: Manifest) -> dict[str, Any]:
    """The manifest as a JSON object without the fields ``format`` and ``self``."""
    document: dict[str, Any] = _to_json(manifest)
    if not manifest.indexers:
        del document["indexers"]
    if not manifest.history:
        del document["history"]
    return document


def _to_json(value: Any) -> Any:
    if isinstance(value, tuple):
        if hasattr(value, "_asdict"):
            return {name: _to_json(each) for name, each in value._asdict().items()}
        return [_to_json(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def parse_manifest(data: bytes) -> Manifest:
    """The manifest in ``data``.

    Raises:
        UnsupportedFormat: its version is outside :data:`layout.READABLE_VERSIONS`.
        FormatError: anything else about it is wrong; ``field`` says where.
    """
    document = _decode(data)
    if document.get("format") != layout.FORMAT_NAME:
        raise FormatError("manifest.json does not describe a Hardtack bundle.", field="format")
    _check_version(_get(document, "format_version", int, ""))
    claimed = _get(document, "self", str, "")
    if spelt(document) != data or digest_of(spelt({**document, "self": ""})) != claimed:
        raise FormatError("manifest.json was changed after it was written: its own digest does not match.", field="self")
    manifest = Manifest(
        format_version=document["format_version"],
        tool=_get(document, "tool", str, ""),
        engines=_map_of(document, "engines", str),
        terms_fingerprint=_digest(document, "terms_fingerprint", ""),
        encoder=_encoder(document),
        provenance=_record(Provenance, document.get("provenance"), "provenance"),
        options=_get(document, "options", dict, ""),
        counts=_record(Counts, document.get("counts"), "counts"),
        languages=_records(LanguageCount, document, "languages"),
        skipped=_map_of(document, "skipped", int),
        parse_status=_map_of(document, "parse_status", int),
        projects=_projects(document),
        members=_members(document),
        secrets=_secrets(document),
        encodings=_records(EncodingCount, document, "encodings") if "encodings" in document else (),
        indexers=_indexers(document),
        history=_history(document),
    )
    check_words(manifest)
    return manifest


def _decode(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data.decode("ascii"))
        if isinstance(document, dict):
            check_spellable(document)
            return document
    except (ValueError, RecursionError) as error:
        raise FormatError("manifest.json is not canonical JSON.", field="") from error
    raise FormatError("manifest.json is not a JSON object.", field="")


def _check_version(found: int) -> None:
    oldest, newest = layout.READABLE_VERSIONS
    if oldest <= found <= newest:
        return
    hint = "Install a newer Hardtack." if found > newest else "Build the bundle again with this Hardtack."
    raise UnsupportedFormat(
        f"The bundle's manifest.json has format version {found}; this Hardtack reads {oldest} to {newest}.",
        found=found,
        readable=layout.READABLE_VERSIONS,
        hint=hint,
    )


def _get(source: Mapping[str, Any], key: str, kind: type[_T], where: str) -> _T:
    value = source.get(key)
    path = f"{where}.{key}" if where else key
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise FormatError(f"manifest.json: {path} must be {kind.__name__}, not {type(value).__name__}.", field=path)
    if kind is int and cast(int, value) < 0:
        raise FormatError(f"manifest.json: {path} must not be negative.", field=path)
    return value


def _map_of(document: Mapping[str, Any], key: str, kind: type[_T]) -> dict[str, _T]:
    source = _get(document, key, dict, "")
    return {name: _get(source, name, kind, key) for name in source}


_READ: dict[object, Callable[[Mapping[str, Any], str, str], object]] = {
    str: lambda source, key, where: _get(source, key, str, where),
    int: lambda source, key, where: _get(source, key, int, where),
    bool: lambda source, key, where: _get(source, key, bool, where),
    int | None: lambda source, key, where: None if source.get(key, 0) is None else _get(source, key, int, where),
    tuple[str, ...]: lambda source, key, where: tuple(_strings(source, key, where)),
}


def _strings(source: Mapping[str, Any], key: str, where: str) -> list[str]:
    values = _get(source, key, list, where)
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise FormatError(f"manifest.json: {where}.{key}[{index}] must be str.", field=f"{where}.{key}[{index}]")
    return values


def _record(cls: Callable[..., _T], source: object, where: str) -> _T:
    """A named tuple from a JSON object that has at least its fields."""
    if not isinstance(source, dict):
        raise FormatError(f"manifest.json: {where} must be an object.", field=where)
    return cls(**{name: read(source, name, where) for name, read in _readers(cls)})


@cache
def _readers(cls: Callable[..., object]) -> list[tuple[str, Callable[[Mapping[str, Any], str, str], object]]]:
    """(field, function that reads it) for each field, chosen by the field's type."""
    return [(name, _READ[kind]) for name, kind in cls.__annotations__.items()]


def _records(cls: Callable[..., _T], document: Mapping[str, Any], key: str) -> tuple[_T, ...]:
    return tuple(_record(cls, item, f"{key}[{index}]") for index, item in enumerate(_get(document, key, list, "")))


def _digest(source: Mapping[str, Any], key: str, where: str) -> str:
    digest = _get(source, key, str, where)
    path = f"{where}.{key}" if where else key
    if not is_digest(digest):
        raise FormatError(f"manifest.json: {path} is no digest.", field=path)
    return digest


def _encoder(document: Mapping[str, Any]) -> EncoderIdentity | None:
    """The encoder, which a bundle names exactly when it has vectors."""
    if "encoder" not in document:
        raise FormatError("manifest.json: encoder must be there; it is null in a bundle without vectors.", field="encoder")
    if document["encoder"] is None:
        return None
    encoder = _record(EncoderIdentity, document["encoder"], "encoder")
    _digest(document["encoder"], "fingerprint", "encoder")
    if not 1 <= encoder.dimension <= layout.DIMENSION_LIMIT:
        raise FormatError("manifest.json: encoder.dimension is impossible.", field="encoder.dimension")
    return encoder


def _secrets(document: Mapping[str, Any]) -> Secrets | None:
    """The field ``secrets``, which bundles of the first builders do not have."""
    if document.get("secrets") is None:
        return None
    entry = _get(document, "secrets", dict, "")
    found = _get(entry, "found", dict, "secrets")
    counts = {rule: _get(found, rule, int, "secrets.found") for rule in found}
    return Secrets(mode=_get(entry, "mode", str, "secrets"), found=counts)


def _indexers(document: Mapping[str, Any]) -> tuple[Indexer, ...]:
    """The field ``indexers``, which most bundles do not have."""
    indexers = _records(Indexer, document, "indexers") if "indexers" in document else ()
    for index in range(len(indexers)):
        _digest(document["indexers"][index], "digest", f"indexers[{index}]")
    return indexers


def _history(document: Mapping[str, Any]) -> HistoryExtent | None:
    """The field ``history``, which a bundle has exactly when it has the members."""
    if "history" not in document:
        return None
    extent = _record(HistoryExtent, document["history"], "history")
    if not (is_commit(extent.newest) and is_commit(extent.oldest)):
        raise FormatError("manifest.json: history.newest or history.oldest is no commit.", field="history")
    if extent.newest != document["provenance"]["commit"]:
        raise FormatError("manifest.json: history.newest is not the commit that the bundle was built of.", field="history.newest")
    if not 0 < extent.commits <= min(extent.asked, layout.COMMIT_COUNT_LIMIT):
        raise FormatError("manifest.json: history.commits is impossible.", field="history.commits")
    return extent


def _projects(document: Mapping[str, Any]) -> tuple[NamedProject, ...]:
    projects = _records(NamedProject, document, "projects")
    if len(projects) > layout.PROJECT_COUNT_LIMIT:
        raise FormatError(f"manifest.json lists {len(projects)} projects; a bundle has fewer.", field="projects")
    for index, project in enumerate(projects):
        if not layout.is_source_path(project.path):
            where = f"projects[{index}].path"
            raise FormatError(f"manifest.json: {where} is no path of a source file.", field=where)
    paths = [project.path for project in projects]
    if paths != sorted(set(paths)):
        raise FormatError("manifest.json: projects are not sorted by path, each once.", field="projects")
    return projects


def _members(document: Mapping[str, Any]) -> tuple[Member, ...]:
    members = _records(Member, document, "members")
    if len(members) > layout.MEMBER_COUNT_LIMIT:
        raise FormatError(f"manifest.json lists {len(members)} members; a bundle has fewer.", field="members")
    for index, member in enumerate(members):
        where = f"members[{index}]"
        if not layout.is_member_name(member.name):
            raise FormatError(f"manifest.json: {where}.name {member.name!r} is no member of this format.", field=f"{where}.name")
        _digest(document["members"][index], "sha256", where)
        if member.size > layout.MEMBER_LIMIT:
            raise FormatError(f"manifest.json: {where}.size is over the limit.", field=f"{where}.size")
    names = [member.name for member in members]
    if names != sorted(set(names)):
        raise FormatError("manifest.json: members are not sorted by name, each once.", field="members")
    if missing := sorted(layout.REQUIRED - set(names)):
        raise FormatError(f"manifest.json lists no member {missing[0]!r}.", field="members")
    if layout.TEXT in names and layout.RUNS not in names:
        raise FormatError(f"manifest.json lists {layout.TEXT!r} without {layout.RUNS!r}.", field="members")
    if (layout.VECTORS in names) != (document["encoder"] is not None):
        raise FormatError("manifest.json names an encoder exactly when it lists vectors; here it does not.", field="encoder")
    if {name in names for name in (layout.HISTORY, layout.HISTORY_POSTINGS)} != {"history" in document}:
        raise FormatError("manifest.json has a history exactly when it lists its members; here it does not.", field="history")
    return members


def with_members(manifest: Manifest, members: tuple[Member, ...]) -> Manifest:
    """The same manifest, listing ``members`` in name order."""
    return manifest._replace(members=tuple(sorted(members, key=lambda member: member.name)))
