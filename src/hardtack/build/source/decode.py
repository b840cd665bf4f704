"""The bytes of one file in, a ``SourceFile`` or the reason why it is skipped out.

The cheapest checks come first: names (nothing is opened), size (nothing is read), then content. The stored text is UTF-8 without a
byte order mark, with line endings as found and with markers in place of secrets; digests are of the original bytes. Nothing here
knows where the bytes come from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hardtack.build.source import notebook
from hardtack.build.source.encodings.reading import NoText, Text, text_of
from hardtack.build.source.generated import generator_evidence, is_minified
from hardtack.build.source.limits import USUAL_LIMITS, TreeLimits
from hardtack.build.source.secrets import PRIVATE_KEY, is_key_file, is_secret_by_content, secret_file, secrets_in, without_secrets
from hardtack.build.source.unwanted import has_binary_name, has_minified_name, skip_by_name
from hardtack.bundle.format.layout import TEXT_LIMIT
from hardtack.nouns.model import Content, EncodingBasis
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
    keep: tuple[str, ...] = ()
    """Lines as of a ``.hardtackkeep`` at the root: what rules about generated, minified, vendored, binary and large files leave
    out is indexed all the same if it matches."""
    max_file_size: int = 1 << 20
    """Bytes; larger files are skipped. Hardly any is written by hand, and C's grammar takes 20 s for 1 MB of noise."""
    secrets: Literal["redact", "fail", "warn"] = "redact"
    """Redact secrets, refuse the build, or keep them; all are reported."""
    limits: TreeLimits = USUAL_LIMITS
    """How large a tree may be; no part of what decides a bundle's content."""


_LFS_POINTER_PREFIX = b"version https://git-lfs.github.com/spec/"
_LFS_POINTER_MAX_BYTES = 1024
_MAX_KEPT_BYTES = TEXT_LIMIT
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


def decode(
    path: str, data: bytes, options: SourceOptions, tree_encodings: Iterable[tuple[str, ...]] = (), *, is_kept: bool = False
) -> SourceFile | Skip:
    """One file from its bytes; :func:`skip_before_reading` has let it pass.

    Args:
        path: a label (``paths.label_of``), relative to its root.
        data: all of the file.
        options: which files are indexed.
        tree_encodings: the codecs that the tree declares for the file (``encodings/tree.py``).
        is_kept: a ``.hardtackkeep`` names it.
    """
    if len(data) <= _LFS_POINTER_MAX_BYTES and data.startswith(_LFS_POINTER_PREFIX):
        return Skip(path=path, reason=SkipReason.LFS_POINTER)
    read = _read_text(path, data, tree_encodings)
    if isinstance(read, Skip):
        return read
    (text, encoding, basis), language = read
    unwanted = _unwanted(path, text, language, options)
    if unwanted is not None and not is_kept:
        return unwanted
    from hardtack.build.languages.registry import is_test  # a build that finds nothing changed does not load it

    in_tests = is_test(path, language)
    if in_tests and not options.tests:
        return Skip(path=path, reason=SkipReason.TEST)
    stored, secrets = (text, list(secrets_in(text, path))) if options.secrets == "warn" else without_secrets(text, path)
    rule = PRIVATE_KEY if secrets and is_key_file(text) else is_secret_by_content(path, text, has_secrets=bool(secrets))
    if rule and options.secrets != "warn":
        return Skip(path=path, reason=SkipReason.SECRET, detail=rule)
    if len(stored) > TEXT_LIMIT:
        return _skip_large(path, len(stored), TEXT_LIMIT)
    found = [(secret.rule, secret.line) for secret in secrets]
    if options.secrets == "warn" and (rule := secret_file(path) or (rule if rule != PRIVATE_KEY else "")):
        found.insert(0, (rule, 1))
    return SourceFile(
        path=path,
        text=stored,
        size=len(data),
        sha256=hashlib.sha256(data if stored is text else stored).hexdigest(),
        blob_id=blob_id_of(data),
        encoding=encoding,
        encoding_basis=basis,
        language=language.id,
        content=language.content,
        is_test=in_tests,
        is_kept=unwanted is not None,
        secrets=tuple(found),
    )


def _read_text(path: str, data: bytes, tree_encodings: Iterable[tuple[str, ...]]) -> tuple[Text, Language] | Skip:
    """The text to store, with what it was decoded from, and its language."""
    if notebook.is_notebook(path) and (script := notebook.script_of(data)) is not None:
        text, language = script
        return Text(text, notebook.ENCODING, EncodingBasis.CONTENT), language
    decoded = text_of(path, data, tree_encodings)
    is_unicode = isinstance(decoded, Text) and decoded.encoding.startswith("utf-") and not data.startswith(b"%PDF-")
    if has_binary_name(path) and not is_unicode:
        # Nearly any bytes can be read as Latin letters, so a file that is binary by its name must not be read that way.
        return Skip(path=path, reason=SkipReason.BINARY, detail=f"*.{path.rpartition('.')[2].lower()}, and no Unicode text")
    if isinstance(decoded, NoText):
        return Skip(path=path, reason=SkipReason.BINARY if decoded.is_binary else SkipReason.UNDECODABLE, detail=decoded.reason)
    from hardtack.build.languages.registry import detect

    return decoded, detect(path, decoded.text)


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
