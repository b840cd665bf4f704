"""A label such as ``x-sjis`` in, the codecs that may read a text so labelled out, the most likely first.

Labels are those of Python, the web, iconv, Emacs, Vim, LaTeX and MySQL. On the web and in editors a label means the superset that
Windows made of the standard (``gb2312`` is GBK, ``latin1`` is windows-1252), and so it does here; git's attributes mean what iconv
means. Codecs that are no character encoding (``zlib``, ``rot13``) and those that hide text in ASCII (``utf-7``) are refused.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

_LINE_ENDINGS: Final = ("-unix", "-dos", "-mac")
"""Suffixes with which Emacs adds the kind of line endings to a label."""
_NO_LETTERS: Final = re.compile(r"[^a-z0-9]+")
_LABEL_CHARACTERS: Final = 40

# Codecs by the label without punctuation. Later ones read what the first does not.
_SHIFT_JIS: Final = ("cp932", "shift_jis_2004")
_EUC_JP: Final = ("euc_jp", "euc_jis_2004")
_GB18030: Final = ("gb18030",)
_BIG5: Final = ("big5hkscs", "cp950")
_CP949: Final = ("cp949",)
_CP1252: Final = ("cp1252", "iso8859-1")
_CODECS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            "shiftjis",
            "sjis",
            "xsjis",
            "csshiftjis",
            "mskanji",
            "ms932",
            "windows31j",
            "cswindows31j",
            "cp932",
            "cp943",
            "932",
            "sjiswin",
        ),
        _SHIFT_JIS,
    ),
    **dict.fromkeys(
        ("eucjp", "xeucjp", "ujis", "eucjapan", "japaneseiso8bit", "eucjpms", "eucjpwin", "cp51932", "cseucpkdfmtjapanese", "jis"),
        _EUC_JP,
    ),
    **dict.fromkeys(
        (
            "gb",
            "gb2312",
            "gb231280",
            "gbk",
            "xgbk",
            "gb18030",
            "euccn",
            "chineseiso8bit",
            "cngb",
            "cp936",
            "ms936",
            "windows936",
            "936",
        ),
        _GB18030,
    ),
    **dict.fromkeys(("big5", "xxbig5", "cnbig5", "big5hkscs", "big5eten", "cp950", "ms950", "950", "chinesebig5"), _BIG5),
    **dict.fromkeys(
        (
            "euckr",
            "cseuckr",
            "koreaniso8bit",
            "ks",
            "ksc5601",
            "ksc56011987",
            "ksc56011989",
            "korean",
            "uhc",
            "cp949",
            "ms949",
            "windows949",
            "949",
        ),
        _CP949,
    ),
    **dict.fromkeys(
        ("latin1", "l1", "iso88591", "iso885911987", "windows1252", "cp1252", "ansinew", "isolatin1", "westernlatin1"), _CP1252
    ),
    **dict.fromkeys(("tis620", "windows874", "cp874", "iso885911"), ("cp874",)),
    **dict.fromkeys(("macintosh", "macroman", "xmacroman", "applemac", "mac"), ("mac-roman",)),
    **dict.fromkeys(("maccyrillic", "xmaccyrillic"), ("mac-cyrillic",)),
    **dict.fromkeys(("koi8r", "cskoi8r", "koi8", "cyrillickoi8"), ("koi8-r",)),
    **dict.fromkeys(("koi8u", "koi8ru"), ("koi8-u",)),
    **dict.fromkeys(("latin9", "l9", "iso885915"), ("iso8859-15",)),
    **dict.fromkeys(("utf16", "unicode", "ucs2"), ("utf-16",)),
    **dict.fromkeys(("utf16le", "utf16lebom", "ucs2le"), ("utf-16-le",)),
    **dict.fromkeys(("utf16be", "utf16bebom", "ucs2be"), ("utf-16-be",)),
}
_FAMILY: Final = re.compile(
    r"(?:x?(?:cp|windows|win|ibm|dos|microsoftcp)?(125[0-8]|437|737|775|85[0258]|857|86[0-6]|869|1125)|iso8859(\d{1,2})|latin(\d))"
)
_LATIN: Final = {"2": 2, "3": 3, "4": 4, "5": 9, "6": 10, "7": 13, "8": 14}
"""The part of ISO 8859 of each other Latin alphabet."""


@lru_cache(maxsize=1024)
def codecs_of(label: str) -> tuple[str, ...]:
    """Python's names of the codecs to try, in order; none for UTF-8, which is tried before any label, and for an unknown label."""
    label = label.lower()[:_LABEL_CHARACTERS]
    for ending in _LINE_ENDINGS:
        label = label.removesuffix(ending)
    plain = _NO_LETTERS.sub("", label)
    if (known := _CODECS.get(plain) or _CODECS.get(plain.removeprefix("x"))) is not None:
        return known
    if (family := _FAMILY.fullmatch(plain)) is None:
        return ()
    page, part, alphabet = family.groups()
    return _existing(f"cp{page}" if page else f"iso8859-{part or _LATIN.get(alphabet, 0)}")


def exact_codecs_of(label: str) -> tuple[str, ...]:
    """The same for a label that means what iconv means by it, as in git's attributes."""
    wide = codecs_of(label)
    if not wide or wide[0].startswith("utf-"):
        return wide
    try:
        exact = codecs.lookup(label).name
    except LookupError:
        return wide
    return (exact, *(name for name in wide if name != exact))


def _existing(codec: str) -> tuple[str, ...]:
    try:
        return (codecs.lookup(codec).name,)
    except LookupError:
        return ()
