"""The bytes of one file in, a ``SourceFile`` or the reason why it is skipped out.

The cheapest checks come first: names (nothing is opened), size (nothing is read), then content. The stored text is UTF-8 without a
byte order mark, with line endings as found and with markers in place of secrets; digests are of the original bytes. Nothing here
knows where the bytes come from.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from hardtack.build.languages.registry import Language, detect, is_test
from hardtack.build.source import notebook
from hardtack.build.source.generated import generator_evidence, is_minified
from hardtack.build.source.secrets import PRIVATE_KEY, is_key_file, redacted, secret_file, secrets_in
from hardtack.build.source.unwanted import has_binary_name, has_minified_name, skip_by_name
from hardtack.nouns.model import Content
from hardtack.nouns.outline import Skip, SkipReason, SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """Which files a build indexes."""

    tests: bool = True
    """Index tests too."""
    vendor: bool = False
    """Index vendored trees (``node_modules``, ``vendor``, ...) too."""
    keep: tuple[str, ...] = ()
    """Lines as of a ``.hardtackkeep`` at the root: what rules about generated, minified, vendored, binary and large files leave
    out is indexed all the same if it matches."""
    max_file_size: int = 1 << 20
    """Bytes; larger files are skipped. Hardly any is written by hand, and C's grammar takes 20 s for 1 MB of noise."""
    secrets: Literal["redact", "fail", "warn"] = "redact"
    """Redact secrets, refuse the build, or keep them; all are reported."""


_BINARY_PROBE_BYTES = 8192
"""Bytes that are searched for a NUL before the rest; git searches 8,000."""
_LFS_POINTER_PREFIX = b"version https://git-lfs.github.com/spec/"
_LFS_POINTER_MAX_BYTES = 1024
_MAX_CONTROL_SHARE = 0.01
"""Maximum share of control characters in a cp1252 text: that code page decodes nearly any bytes, also binary data."""

# Byte order marks, longest first: UTF-32's little-endian mark starts with UTF-16's.
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)

_MAX_KEPT_BYTES = 16 << 20
"""Bytes of the largest file that a ``.hardtackkeep`` brings in."""


def skip_before_reading(
    path: str, size: int | None, options: SourceOptions, *, vendored: frozenset[str] = frozenset(), is_kept: bool = False
) -> Skip | None:
    """Why a regular file is skipped without being read, or None.

    Args:
        path: its label, relative to its root.
        size: in bytes; None if it is not known yet.
        options: which files are indexed.
        vendored: :func:`unwanted.vendor_directories` of the tree.
        is_kept: a ``.hardtackkeep`` names it.
    """
    limit = options.max_file_size
    is_large = size is not None and size > limit
    by_name = skip_by_name(path, vendored=None if options.vendor else vendored, is_large=is_large)
    if by_name is not None and not is_kept:
        return by_name
    if options.secrets != "warn" and (rule := secret_file(path)):
        return Skip(path=path, reason=SkipReason.SECRET, detail=rule)
    limit = max(limit, notebook.MAX_BYTES if notebook.is_notebook(path) else 0, _MAX_KEPT_BYTES if is_kept else 0)
    return _skip_large(path, size, limit) if size is not None and size > limit else None


def _skip_large(path: str, size: int, limit: int) -> Skip:
    return Skip(path=path, reason=SkipReason.TOO_LARGE, detail=f"{size} bytes, over the limit of {limit}")


def decode(path: str, data: bytes, options: SourceOptions, *, is_kept: bool = False) -> SourceFile | Skip:
    """One file from its bytes; :func:`skip_before_reading` has let it pass. ``path`` is a label (``paths.label_of``)."""
    if len(data) <= _LFS_POINTER_MAX_BYTES and data.startswith(_LFS_POINTER_PREFIX):
        return Skip(path=path, reason=SkipReason.LFS_POINTER)
    read = _read_text(path, data)
    if isinstance(read, Skip):
        return read
    text, encoding, language = read
    unwanted = _unwanted(path, text, language, options)
    if unwanted is not None and not is_kept:
        return unwanted
    in_tests = is_test(path, language)
    if in_tests and not options.tests:
        return Skip(path=path, reason=SkipReason.TEST)
    secrets, stored = secrets_in(text, path), text
    if options.secrets != "warn" and secrets:
        if is_key_file(text):
            return Skip(path=path, reason=SkipReason.SECRET, detail=PRIVATE_KEY)
        stored = redacted(text, secrets)
    found = [(secret.rule, secret.line) for secret in secrets]
    if options.secrets == "warn" and (rule := secret_file(path)):
        found.insert(0, (rule, 1))
    return SourceFile(
        path=path,
        text=stored,
        size=len(data),
        sha256=hashlib.sha256(data if stored is text else stored).hexdigest(),
        blob_id=blob_id_of(data),
        encoding=encoding,
        language=language.id,
        content=language.content,
        is_test=in_tests,
        is_kept=unwanted is not None,
        secrets=tuple(found),
    )


def _read_text(path: str, data: bytes) -> tuple[bytes, str, Language] | Skip:
    """(stored text, what it was decoded from, language)."""
    if notebook.is_notebook(path) and (script := notebook.script_of(data)) is not None:
        text, language = script
        return text, notebook.ENCODING, language
    decoded = _text_of(path, data)
    is_unicode = not isinstance(decoded, Skip) and decoded[1].startswith("utf-") and not data.startswith(b"%PDF-")
    if has_binary_name(path) and not is_unicode:
        # Nearly any bytes can be read as Latin letters, so a file that is binary by its name must not be read that way.
        return Skip(path=path, reason=SkipReason.BINARY, detail=f"*.{path.rpartition('.')[2].lower()}, and no Unicode text")
    if isinstance(decoded, Skip):
        return decoded
    return (*decoded, detect(path, decoded[0]))


def _unwanted(path: str, text: bytes, language: Language, options: SourceOptions) -> Skip | None:
    """Why a text is not indexed though it could be: nobody wrote it, or it is too long."""
    if evidence := generator_evidence(path, text, language):
        return Skip(path=path, reason=SkipReason.GENERATED, detail=evidence)
    is_named = has_minified_name(path)
    if (is_named or language.content is not Content.DOCUMENTATION) and is_minified(text, language, is_named=is_named):
        return Skip(path=path, reason=SkipReason.MINIFIED, detail="nearly all of it is in very long lines")
    return _skip_large(path, len(text), options.max_file_size) if len(text) > options.max_file_size else None


def blob_id_of(data: bytes) -> str:
    """Git's id of ``data`` in a SHA-1 repository, whatever repository it came from."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _text_of(path: str, data: bytes) -> tuple[bytes, str] | Skip:
    """(stored text, original encoding)."""
    marked = [encoding for mark, encoding in _MARKS if data.startswith(mark)]
    for encoding in marked:
        if (text := _transcoded(data, encoding)) is not None:
            return _nul_skip(path, text) or (text, encoding)
    if marked:
        return Skip(path=path, reason=SkipReason.UNDECODABLE, detail=f"marked as {marked[-1]}, which it is not")
    if (skip := _nul_skip(path, data[:_BINARY_PROBE_BYTES]) or _nul_skip(path, data)) is not None:
        return skip
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        text = _transcoded(data, "cp1252")
        if text is None or _control_share(data) > _MAX_CONTROL_SHARE:
            return Skip(path=path, reason=SkipReason.UNDECODABLE, detail="neither UTF-8, UTF-16, UTF-32 nor cp1252")
        return text, "cp1252"
    return data.removeprefix(b"\xef\xbb\xbf"), "utf-8"


def _transcoded(data: bytes, encoding: str) -> bytes | None:
    """``data`` as UTF-8; None if it is not in ``encoding``. Python's UTF-16 and UTF-32 codecs remove the byte order mark."""
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeError:
        return None


def _nul_skip(path: str, data: bytes) -> Skip | None:
    place = data.find(b"\0")
    return None if place == -1 else Skip(path=path, reason=SkipReason.BINARY, detail=f"a NUL byte at {place}")


_PRINTING = bytes(byte for byte in range(256) if byte >= 0x20 or byte in b"\t\n\v\f\r")


def _control_share(data: bytes) -> float:
    return len(data.translate(None, _PRINTING)) / len(data)
