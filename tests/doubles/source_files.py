"""Files as the source stage gives them."""

from __future__ import annotations

import hashlib

from hardtack.build.languages.registry import detect
from hardtack.nouns.model import Content
from hardtack.nouns.outline import SourceFile


def source_file(path: str, text: str | bytes, language: str = "") -> SourceFile:
    """A file of code; its language is the one that its name and text show, unless one is given."""
    data = text if isinstance(text, bytes) else text.encode()
    return SourceFile(
        path=path,
        text=data,
        size=len(data),
        encoding="utf-8",
        language=language or detect(path.rpartition("/")[2], data).id,
        sha256=hashlib.sha256(data).hexdigest(),
        blob_id=hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest(),
        content=Content.CODE,
    )
