"""The bytes of one file in, a ``SourceFile`` or the reason why it is skipped out.

The cheapest checks come first: names (nothing is opened), size (nothing is read), then content. The stored text is UTF-8 without a
byte order mark, with line endings as found and with markers in place of secrets; digests are of the original bytes. Nothing here
knows where the bytes come from.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hardtack.build.source.secrets import PRIVATE_KEY, is_key_file, redacted, secret_file, secrets_in
from hardtack.build.source.unwanted import skip_by_name
from hardtack.nouns.model import Content
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

if TYPE_CHECKING:
    from hardtack.build.languages.registry import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """Which files a build indexes."""

    tests: bool = True
    """Index tests too."""
    vendor: bool = False
    """Index vendored trees (``node_modules``, ``vendor``, ...) too."""
    max_file_size: int = 1 << 20
    """Bytes; larger files are skipped. Hardly any is written by hand, and C's grammar takes 20 s for 1 MB of noise."""
    secrets: Literal["redact", "fail", "warn"] = "redact"
    """Redact secrets, refuse the build, or keep them; all are reported."""


_BINARY_PROBE_BYTES = 8192
"""Bytes that are searched for a NUL before the rest; git searches 8,000."""
_LFS_POINTER_PREFIX = b"version https://git-lfs.github.com/spec/"
_LFS_POINTER_MAX_BYTES = 1024
_GENERATED_HEAD_BYTES = 2048
_MAX_CONTROL_SHARE = 0.01
"""Maximum share of control characters in a cp1252 text: that code page decodes nearly any bytes, also binary data."""

# Byte order marks, longest first: UTF-32's little-endian mark starts with UTF-16's.
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)

# A file counts as minified if it has at least 4 KiB, its lines have at least 200 bytes on average, and four fifths of it are in
# lines of more than 400 bytes. On 10,782 files of 4 KiB to 1 MiB (CPython's library and packages, npm, five checkouts) this
# excluded minified scripts, packed data and tables, and no hand-written source: code with one huge line (an inlined drawing) has a
# low mean, and prose on long lines is documentation, to which the rule does not apply.
_MINIFIED_MIN_BYTES = 4096
_MINIFIED_MEAN_LINE = 200
_MINIFIED_LONG_LINE = 400
_MINIFIED_LONG_SHARE = 0.8

# The possible beginnings of a comment line. A marker elsewhere is code that writes generated files.
_COMMENT_STARTS = (
    *(b"//", b"/*", b"*", b"#", b"--", b";", b"%", b"..", b"(*", b"<!--", b"::", b"rem ", b"REM ", b"dnl "),
    *(b'"""', b"'''", b"{-", b"{#", b"{/*", b"{{/*"),
)


def skip_before_reading(path: str, size: int | None, options: SourceOptions) -> Skip | None:
    """Why a regular file is skipped without being read, or None. ``size`` is None if it is not known yet."""
    if (skip := skip_by_name(path, vendor=options.vendor)) is not None:
        return skip
    if options.secrets != "warn" and (rule := secret_file(path)):
        return Skip(path=path, reason=SkipReason.SECRET, detail=rule)
    if size is not None and size > options.max_file_size:
        return Skip(path=path, reason=SkipReason.TOO_LARGE, detail=f"{size} bytes, over the limit of {options.max_file_size}")
    return None


def decode(path: str, data: bytes, options: SourceOptions) -> SourceFile | Skip:
    """One file from its bytes. ``path`` is a label (see ``paths.label_of``), relative to its root."""
    if (skip := skip_before_reading(path, len(data), options)) is not None:
        return skip
    if len(data) <= _LFS_POINTER_MAX_BYTES and data.startswith(_LFS_POINTER_PREFIX):
        return Skip(path=path, reason=SkipReason.LFS_POINTER)
    decoded = _text_of(path, data)
    if isinstance(decoded, Skip):
        return decoded
    from hardtack.build.languages.registry import detect, is_test  # a build that finds nothing changed does not load it

    text, encoding = decoded
    language = detect(path, text)
    if (marker := _generated_marker(text, language)) is not None:
        return Skip(path=path, reason=SkipReason.GENERATED, detail=f"marked {marker!r}")
    if language.content is not Content.DOCUMENTATION and _is_minified(text):
        return Skip(path=path, reason=SkipReason.MINIFIED, detail="nearly all of it is in very long lines")
    in_tests = is_test(path, language)
    if in_tests and not options.tests:
        return Skip(path=path, reason=SkipReason.TEST)
    secrets, stored = secrets_in(text), text
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
        secrets=tuple(found),
    )


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


def _generated_marker(text: bytes, language: Language) -> str | None:
    """The marker of a generated file, if it is near the start and in a comment or at the start of a line."""
    head = text[:_GENERATED_HEAD_BYTES]
    for marker in language.generated_markers:
        wanted = marker.encode()
        place = head.find(wanted)
        while place != -1:
            before = head[head.rfind(b"\n", 0, place) + 1 : place].strip()
            if not before or before.startswith(_COMMENT_STARTS):
                return marker
            place = head.find(wanted, place + 1)
    return None


def _is_minified(text: bytes) -> bool:
    if len(text) < _MINIFIED_MIN_BYTES or len(text) < _MINIFIED_MEAN_LINE * (text.count(b"\n") + 1):
        return False
    in_long_lines = sum(length for line in text.split(b"\n") if (length := len(line)) > _MINIFIED_LONG_LINE)
    return in_long_lines >= _MINIFIED_LONG_SHARE * len(text)
