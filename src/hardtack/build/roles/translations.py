"""The paths of all files in, those of translations out: messages and documents in another language than English.

A code of a language is two letters, and so is much else (``cs`` is C#, ``ml`` a language of another sort). So it tells only in a
folder of translations (``locale/fr.po``), where several languages that people translate to first stand side by side (``docs/ja/``,
``docs/fr/``), or beside what is translated (``README.md`` and ``README.zh-CN.md``). What lies beside them is the program that
translates, no translation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

_TWO_LETTERS: Final = {
    "a": "abfkmnrsvyz",
    "b": "aeghimnors",
    "c": "aehorsuvy",
    "d": "aevz",
    "e": "elostu",
    "f": "afijory",
    "g": "adlnuv",
    "h": "aeiortuyz",
    "i": "adegikostu",
    "j": "av",
    "k": "agijklmnorsuvwy",
    "l": "abginotuv",
    "m": "ghiklnrsty",
    "n": "abdeglnorvy",
    "o": "cjmrs",
    "p": "ailst",
    "q": "u",
    "r": "mnouw",
    "s": "acdegiklmnoqrstuvw",
    "t": "aeghiklnorstwy",
    "u": "gkrz",
    "v": "eio",
    "w": "ao",
    "x": "h",
    "y": "io",
    "z": "ahu",
}
"""First letter -> second letters of the codes of ISO 639-1."""
_LANGUAGES: Final = frozenset(first + second for first, seconds in _TWO_LETTERS.items() for second in seconds) | {
    "ast",
    "ceb",
    "ckb",
    "fil",
    "kab",
    "nds",
}
_FOLDERS: Final = frozenset({"locale", "locales", "_locales", "i18n", "l10n", "translation", "translations", "lc_messages", "nls"})
"""Folders of translations."""
_LIKELY_FOLDERS: Final = _FOLDERS | {"lang", "langs", "language", "languages", "messages", "po"}
"""Those, and others that hold translations if one of the first languages is in them."""
_DATA: Final = (
    ".json",
    ".json5",
    ".yml",
    ".yaml",
    ".properties",
    ".po",
    ".toml",
    ".xml",
    ".strings",
    ".arb",
    ".ftl",
    ".resx",
    ".md",
)
_CODE: Final = re.compile(r"(?P<language>[a-z]{2,3})(?:[-_](?:r?[a-z]{2}|hans|hant|latn|cyrl|arab|\d{3})){0,2}(?:@[a-z]+)?")
"""``pt``, ``pt-br``, ``zh_hans``, ``zh-rcn``, ``es-419``, ``sr@latin``."""
_FIRST: Final = frozenset({"zh", "ja", "ko", "fr", "de", "es", "pt", "ru", "it"})
"""Languages that projects are translated to first."""
_ENOUGH: Final = 2
"""Of those, side by side."""
_MESSAGES: Final = (".po", ".xlf", ".xliff")
_BY_NAME: Final = re.compile(
    r"(?P<stem>.+?)[._-](?P<code>[a-z]{2,3}(?:[-_](?:[a-z]{2}|hans|hant))?)"
    r"\.(?P<extension>md|rst|adoc|txt|html|properties|json|ya?ml|resx|arb|php)"
)
"""``README.zh-CN.md``, ``messages_fr.properties``."""


def translations(paths: Sequence[str]) -> Iterator[int]:
    """The places in ``paths`` of translations."""
    lowered = [path.lower() for path in paths]
    beside, known = _languages_beside(lowered), frozenset(lowered)
    for place, path in enumerate(lowered):
        if path.endswith(_MESSAGES) or _is_in_folder(path, beside) or _is_by_name(path, beside, known):
            yield place


def _languages_beside(paths: Iterable[str]) -> dict[str, set[str]]:
    """Folder, or beginning of a file's name -> the languages that its entries are named after."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        for above, name in _parts(path):
            if language := _language(name):
                found[above].add(language)
        if (match := _BY_NAME.fullmatch(path)) and (language := _language(match["code"])):
            found[match["stem"]].add(language)
    return found


def _parts(path: str) -> Iterator[tuple[str, str]]:
    """(what stands before it, name) of each folder of a path, and of its file without extensions."""
    *folders, name = path.split("/")
    at = ""
    for folder in folders:
        yield at, folder
        at += f"{folder}/"
    yield at, name.partition(".")[0]


def _language(name: str) -> str:
    """The language of which ``name`` is the code; empty if it is none, or English, from which the others are translated."""
    match = _CODE.fullmatch(name)
    return match["language"] if match and match["language"] in _LANGUAGES else ""


def _is_in_folder(path: str, beside: dict[str, set[str]]) -> bool:
    """Whether a folder of the path, or its file, is named after a language among translations."""
    for above, name in _parts(path):
        if _language(name):
            holder = above.rstrip("/").rpartition("/")[2]
            first = len(beside.get(above, set()) & _FIRST)
            is_first = first >= (1 if holder in _LIKELY_FOLDERS else _ENOUGH)
            if is_first or (holder in _FOLDERS and path.endswith(_DATA)):
                return True
    return False


def _is_by_name(path: str, beside: dict[str, set[str]], known: frozenset[str]) -> bool:
    """Whether the file is named after a language, and stands beside the same without one, or in several first languages."""
    match = _BY_NAME.fullmatch(path)
    if match is None or not _language(match["code"]):
        return False
    first = len(beside[match["stem"]] & _FIRST)
    return first >= _ENOUGH or (first > 0 and f"{match['stem']}.{match['extension']}" in known)
