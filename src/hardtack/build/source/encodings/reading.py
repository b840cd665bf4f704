"""The bytes of one file in, its text in UTF-8 and its encoding out, or the reason why it is no text.

What is asked, in this order:

1. A byte order mark decides.
2. Valid UTF-8 is UTF-8, whatever the file or its tree declares: hardly any text in another encoding is valid UTF-8 by chance, and
   files are converted more often than their declarations. Text in ISO 2022, which is ASCII with escape sequences, names its
   alphabets itself.
3. Bytes with NULs are UTF-16 if they read as text in it; else the file is binary, but for a NUL or two far down in a long text.
   Where most lines beyond ASCII are UTF-8, the others are strays, each line in an encoding of its own.
4. Declarations: the file's own, then those of its tree (``tree.py``). One is believed if all bytes can be decoded as it says, and,
   where any bytes could be, if no other encoding reads much better.
5. A guess (``guess.py``), which is marked as one.

The encoding is named by Python's codec, so that anybody can decode the original file again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from hardtack.nouns.model import EncodingBasis

_UTF_8: Final = "utf-8"
_MARK_OF_UTF_8: Final = b"\xef\xbb\xbf"
_PROBE_BYTES: Final = 8192
"""Bytes that are searched for a NUL before the rest; git searches 8,000."""
_MAX_NUL_SHARE: Final = 0.0002
"""Maximum share of NULs in a text that has none in its first bytes."""
_MAX_CONTROL_SHARE: Final = 0.01
"""Maximum share of control characters in a text of another encoding: most of them decode nearly any bytes, also binary data."""
_MAX_SHARE_OF_STRAY_BYTES: Final = 0.1
"""Maximum share of bytes beyond ASCII in a text that is read although no language is seen in it: a lone sign in source code."""
_MAX_SHARE_OF_STRAY_LINES: Final = 0.5
"""Maximum share of lines that are not UTF-8, of those beyond ASCII, in a file in UTF-8: somebody's name in an old patch. In other
encodings at most one line in seven is valid UTF-8 by chance, even if each line is one character."""
_MIN_BYTES_OF_UTF_8: Final = 8
"""Minimum bytes beyond ASCII in the lines that are UTF-8 of such a file."""
_MAX_SHARE_OF_QUOTED_LINES: Final = 0.05
"""Maximum share of lines in UTF-8 in a file that is in another encoding."""
_MIN_SHARE_OF_FREQUENT: Final = 0.7
"""Minimum share of ASCII and of some language's frequent characters in UTF-16 without a mark."""

# Byte order marks, longest first: UTF-32's little-endian mark starts with UTF-16's.
_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_ISO_2022: Final = (
    (re.compile(rb"\x1b\$(?:[@BA]|\([CDOPQ])"), ("iso2022_jp_2", "iso2022_jp_3")),
    (re.compile(rb"\x1b\$\)C"), ("iso2022_kr",)),
)
_PRINTING: Final = bytes(byte for byte in range(256) if byte >= 0x20 or byte in b"\t\n\v\f\r")
_END_OF_DOS_TEXT: Final = b"\x1a"
_C1_CONTROLS: Final = re.compile("[\x80-\x84\x86-\x9f]")
"""Nobody writes these; they show that a text declared as ISO 8859 is in a code page of Windows. (U+0085 is a line ending.)"""
_NO_TEXT: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_ASCII: Final = bytes(range(128))


class Text(NamedTuple):
    """A decoded file."""

    text: bytes
    """UTF-8 without a byte order mark."""
    encoding: str
    basis: EncodingBasis


class NoText(NamedTuple):
    """Bytes that are no text."""

    is_binary: bool
    """They have a NUL; else they are in no known encoding."""
    reason: str


def text_of(path: str, data: bytes, tree_labels: Iterable[tuple[str, ...]] = ()) -> Text | NoText:
    """The text of a file.

    Args:
        path: of the file, whose name may tell its encoding.
        data: all of its bytes.
        tree_labels: the codecs that each declaration of the tree allows, weightiest first; read only if they are needed.
    """
    if marked := [encoding for mark, encoding in _MARKS if data.startswith(mark)]:
        return _marked(data, marked)
    nul = data.find(b"\0", 0, _PROBE_BYTES)
    if nul == -1:
        nul = data.find(b"\0", _PROBE_BYTES)
    if nul != -1:
        if (wide := _wide(data, tree_labels)) is not None:
            return wide
        if nul < _PROBE_BYTES or data.count(b"\0") > _MAX_NUL_SHARE * len(data):
            return NoText(True, f"a NUL byte at {nul}")
        # Git takes it for text: somebody pasted a lone NUL into a long page. No index can hold one.
        return text_of(path, data.replace(b"\0", b" "), tree_labels)
    try:
        data.decode(_UTF_8)
    except UnicodeDecodeError:
        return _in_another_encoding(path, data, tree_labels)
    if b"\x1b" in data and (text := _in_iso_2022(data)) is not None:
        return text
    return Text(data.removeprefix(_MARK_OF_UTF_8), _UTF_8, EncodingBasis.CONTENT)


def _marked(data: bytes, encodings: list[str]) -> Text | NoText:
    for encoding in encodings:
        if (text := _transcoded(data, encoding)) is not None:
            place = text.find(b"\0")
            return Text(text, encoding, EncodingBasis.CONTENT) if place == -1 else NoText(True, f"a NUL byte at {place}")
    return NoText(False, f"marked as {encodings[-1]}, which it is not")


def _wide(data: bytes, tree_labels: Iterable[tuple[str, ...]]) -> Text | None:
    """A text in UTF-16 without a byte order mark; None if the bytes are none."""
    if len(data) % 2:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        if _NO_TEXT.search(data[:_PROBE_BYTES].decode(encoding, "ignore")):
            continue  # so is most binary data, of which no more is looked at
        if (text := _transcoded(data, encoding)) is None or _NO_TEXT.search(decoded := text.decode(_UTF_8)):
            continue
        from hardtack.build.source.encodings.guess import share_of_frequent

        if share_of_frequent(decoded) >= _MIN_SHARE_OF_FREQUENT:
            is_declared = any(encoding in codecs or "utf-16" in codecs for codecs in tree_labels)
            return Text(text, encoding, EncodingBasis.DECLARED if is_declared else EncodingBasis.GUESSED)
    return None


def _in_iso_2022(data: bytes) -> Text | None:
    for designation, codecs in _ISO_2022:
        if designation.search(data):
            for codec in codecs:
                text = _transcoded(data, codec)
                if text is not None and b"\x1b" not in text and not text.isascii():
                    return Text(text, codec, EncodingBasis.CONTENT)
    return None


def _in_another_encoding(path: str, data: bytes, tree_labels: Iterable[tuple[str, ...]]) -> Text | NoText:
    """A text that is neither UTF-8 nor UTF-16."""
    if _control_share(data) > _MAX_CONTROL_SHARE:
        return NoText(False, "control characters, as in binary data")
    lines = [line for line in data.split(b"\n") if not line.isascii()]
    strays = [line for line in lines if _transcoded(line, _UTF_8) is None]
    are_few = len(strays) <= _MAX_SHARE_OF_STRAY_LINES * len(lines)
    if (
        are_few
        and len(b"".join(lines).translate(None, _ASCII)) - len(b"".join(strays).translate(None, _ASCII)) >= _MIN_BYTES_OF_UTF_8
    ):
        return Text(_with_strays(data, strays), _UTF_8, EncodingBasis.GUESSED)
    from hardtack.build.source.encodings.declared import declared_labels  # most trees have no such file
    from hardtack.build.source.encodings.guess import contradicts, likeliest
    from hardtack.build.source.encodings.labels import codecs_of

    def declared() -> Iterable[tuple[str, ...]]:
        yield from map(codecs_of, declared_labels(path, data))
        yield from tree_labels

    for codecs in declared():
        text, codec = next(((text, codec) for codec in codecs if (text := _readable(data, codec)) is not None), (None, ""))
        if text is not None and not contradicts(data, codec):
            return Text(text, codec, EncodingBasis.DECLARED)
    likely, is_language = likeliest(data)
    is_nearly_ascii = len(data.translate(None, _ASCII)) <= _MAX_SHARE_OF_STRAY_BYTES * len(data)
    for codec in (likely,) if is_language else ("cp1252", likely) if is_nearly_ascii else ():
        if codec and (text := _transcoded(data, codec)) is not None:
            return Text(text, codec, EncodingBasis.GUESSED)
    if len(lines) - len(strays) <= _MAX_SHARE_OF_QUOTED_LINES * len(lines):
        rest, is_language = likeliest(b"\n".join(strays))
        if is_language:  # a patch, a log: it quotes a few lines in UTF-8
            return Text(_with_strays(data, strays), rest, EncodingBasis.GUESSED)
    return NoText(False, "in no known encoding")


def _with_strays(data: bytes, strays: list[bytes]) -> bytes:
    """``data`` as UTF-8, whose lines are in UTF-8 but for ``strays``, which are in another encoding."""
    from hardtack.build.source.encodings.guess import likeliest

    codec, is_language = likeliest(b"\n".join(strays))
    other = codec if is_language else "cp1252"
    odd = frozenset(strays)
    return b"\n".join(
        [line.decode(other, "replace").encode(_UTF_8) if line in odd else line for line in data.split(b"\n")]
    ).removeprefix(_MARK_OF_UTF_8)


def _readable(data: bytes, codec: str) -> bytes | None:
    """``data`` as UTF-8; None if it is not in that encoding, or has what nobody writes in it."""
    text = _transcoded(data, codec)
    return None if text is None or _C1_CONTROLS.search(text.decode(_UTF_8)) else text


def _transcoded(data: bytes, encoding: str) -> bytes | None:
    """``data`` as UTF-8; None if it is not in ``encoding``. Python's UTF-16 and UTF-32 codecs remove the byte order mark."""
    try:
        return data.decode(encoding).encode(_UTF_8)
    except UnicodeError:
        return None


def _control_share(data: bytes) -> float:
    return len(data.rstrip(_END_OF_DOS_TEXT).translate(None, _PRINTING)) / len(data)
