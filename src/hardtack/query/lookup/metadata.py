"""A symbol's detail in, what of it the seed's descriptors have no field for out: words of its language, notes, what it is.

``visibility`` says who may use a symbol from outside its package, in the seed's four words: ``public`` and ``exported`` anyone,
``protected`` what inherits from it, ``private`` nobody. Where a language has another word for it, ``metadata.scope`` keeps that:
``internal``, ``pub(crate)``, ``package``, ``fileprivate``, ``protected internal``; Go's is ``unexported``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from hardtack.nouns.details import Detail
from hardtack.nouns.model import Kind

_VISIBILITIES: Final = {
    **{word: word for word in ("public", "exported", "protected", "private")},
    "pub": "public",
    "external": "public",
    "protected internal": "protected",
    "private protected": "protected",
}
"""A language's word, and which of the seed's it comes to; every other word comes to ``private``."""
_SAME_WORDS: Final = frozenset({"public", "exported", "protected", "private", "pub", ""})
_DEPRECATED: Final = re.compile(r"\W*(?:\w+\W+)?(?:deprecated|obsolete)\b\W*(.*?)\W*", re.IGNORECASE | re.DOTALL)
_DATACLASS: Final = re.compile(r"@?(?:[\w.]+\.)?(?:dataclass|define|frozen|attrs|attr\.s)\b.*", re.DOTALL)
_CACHED: Final = re.compile(r"@?(?:[\w.]+\.)?(?:property|cached_property|abstractproperty)")
_ROLE_OF: Final = re.compile(r"@?(?P<name>\w+)\.(?P<role>getter|setter|deleter)")
_SUMMARY: Final = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
_ELEMENT: Final = re.compile(r"<[^<>\"]*(?:\"(?:\w:)?([^\"]*)\")?[^<>]*>")
_KEPT_NOTES: Final = ("throws", "see", "example")


def description_of(doc: str, language: str) -> str:
    """A symbol's documentation as words: of C#'s elements what the summary says."""
    if language != "csharp" or (match := _SUMMARY.search(doc)) is None:
        return doc
    return " ".join(_ELEMENT.sub(lambda element: element[1] or "", match[1]).split())


def visibility_of(detail: Detail, language: str) -> str:
    """Which of the seed's words says who may use it."""
    if language == "solidity" and detail.visibility == "internal":
        return "protected"
    return _VISIBILITIES.get(detail.visibility, "private") if detail.visibility else ""


def role_of(detail: Detail) -> str:
    """``accessor`` for what reads a property, ``mutator`` for what sets one, else nothing.

    That is a getter or setter of TypeScript, JavaScript and Dart, and a Python function under ``@property`` or ``@x.setter``.
    """
    if "get" in detail.modifiers or any(_CACHED.fullmatch(decorator) for decorator in detail.decorators):
        return "accessor"
    if "set" in detail.modifiers or "setter" in _roles(detail):
        return "mutator"
    return ""


def is_settable(detail: Detail, name: str, others: Iterable[tuple[str, Detail]]) -> dict[str, bool]:
    """Whether a property has a getter, a setter and a deleter, by what else its type calls by its name."""
    roles = {role for other, each in others if other == name for role in (*_roles(each), *each.modifiers)}
    keys = {"has_getter": True, "has_setter": bool(roles & {"setter", "set"}), "has_deleter": "deleter" in roles}
    return {key: value for key, value in keys.items() if value}


def _roles(detail: Detail) -> list[str]:
    return [match["role"] for decorator in detail.decorators if (match := _ROLE_OF.fullmatch(decorator)) is not None]


def metadata_of(detail: Detail, language: str) -> dict[str, Any]:
    """What every descriptor tells besides its fields, by key; what says nothing is left out."""
    said: dict[str, Any] = {
        "modifiers": list(detail.modifiers),
        "decorators": list(detail.decorators),
        "type_parameters": list(detail.type_parameters),
        "scope": _scope(detail.visibility, language),
        "is_async": "async" in detail.modifiers or "suspend" in detail.modifiers,
        **{key: [note.text for note in detail.notes if note.tag == key] for key in _KEPT_NOTES},
        "deprecated": _deprecated(detail),
        "since": next((note.text for note in detail.notes if note.tag == "since"), ""),
    }
    return {key: value for key, value in said.items() if value}


def _scope(visibility: str, language: str) -> str:
    """The language's own word, where the seed has none."""
    if language == "go" and visibility == "private":
        return "unexported"
    return "" if visibility in _SAME_WORDS else visibility


def _deprecated(detail: Detail) -> str | bool:
    """What is said of its being deprecated; true when it only is."""
    for note in detail.notes:
        if note.tag == "deprecated":
            return note.text or True
    for decorator in detail.decorators:
        if (match := _DEPRECATED.fullmatch(decorator)) is not None:
            return match[1] or True
    return False


def class_metadata(detail: Detail, kind: Kind, language: str, bases: Sequence[str]) -> dict[str, Any]:
    """What a type that rests on ``bases`` tells besides: seed 1's keys for classes."""
    last_names = {base.partition("[")[0].rpartition(".")[2] for base in bases}
    settings = dict(modifier.split("=", 1) for modifier in detail.modifiers if "=" in modifier)
    said: dict[str, Any] = {
        **metadata_of(detail, language),
        "bases": list(bases),
        "is_abstract": "abstract" in detail.modifiers or (language == "python" and _is_abstract(last_names, settings)),
        "is_static": "static" in detail.modifiers,
        "is_final": "final" in detail.modifiers,
    }
    if language == "python":
        said |= {
            "is_dataclass": any(_DATACLASS.fullmatch(decorator) for decorator in detail.decorators),
            "is_enum": bool(last_names & {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}),
            "is_protocol": "Protocol" in last_names,
            "metaclass": settings.get("metaclass", "").strip(),
        }
    elif kind is Kind.ENUM:
        said["is_enum"] = True
    return {key: value for key, value in said.items() if value}


def _is_abstract(bases: set[str], settings: Mapping[str, str]) -> bool:
    return "ABC" in bases or settings.get("metaclass", "").strip().endswith("ABCMeta")
