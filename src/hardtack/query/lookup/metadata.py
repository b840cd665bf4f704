"""A symbol's stored detail in, the parts of its descriptor out that depend on the language: visibility, role, ``metadata``.

``visibility`` has four values, by who may use a symbol from outside its package: ``public`` and ``exported`` anyone, ``protected``
subtypes, ``private`` nobody. Where a language has another word, ``metadata.scope`` keeps it: ``internal``, ``pub(crate)``,
``package``, ``fileprivate``, ``protected internal``; for Go ``unexported``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from hardtack.nouns.descriptors import FieldDescriptor, FunctionDescriptor
from hardtack.nouns.details import Detail
from hardtack.nouns.model import Kind

_VISIBILITIES: Final = {
    **{word: word for word in ("public", "exported", "protected", "private")},
    "pub": "public",
    "external": "public",
    "protected internal": "protected",
    "private protected": "protected",
}
"""A language's word -> the ``visibility`` it amounts to; every other word amounts to ``private``."""
_SAME_WORDS: Final = frozenset({"public", "exported", "protected", "private", "pub", ""})
_DEPRECATED: Final = re.compile(r"\W*(?:\w+\W+)?(?:deprecated|obsolete)\b\W*(.*?)\W*", re.IGNORECASE | re.DOTALL)
_DATACLASS: Final = re.compile(r"@?(?:[\w.]+\.)?(?:dataclass|define|frozen|attrs|attr\.s)\b.*", re.DOTALL)
_PROPERTY_DECORATOR: Final = re.compile(r"@?(?:[\w.]+\.)?(?:property|cached_property|abstractproperty)")
_ACCESSOR_DECORATOR: Final = re.compile(r"@?(?P<name>\w+)\.(?P<role>getter|setter|deleter)")
_SUMMARY: Final = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
_ELEMENT: Final = re.compile(r"<[^<>\"]*(?:\"(?:\w:)?([^\"]*)\")?[^<>]*>")
_SHOWN_NOTES: Final = ("throws", "see", "example")
_GO_KINDS: Final = {Kind.STRUCT: "struct", Kind.INTERFACE: "interface"}
_GO_TYPE_PREFIXES: Final = (("map[", "map"), ("chan ", "channel"), ("<-chan ", "channel"), ("func(", "function"), ("[", "array"))


def description_of(doc: str, language: str) -> str:
    """A symbol's documentation as plain text; of C#'s XML the text of the summary."""
    if language != "csharp" or (match := _SUMMARY.search(doc)) is None:
        return doc
    return " ".join(_ELEMENT.sub(lambda element: element[1] or "", match[1]).split())


def visibility_of(detail: Detail, language: str) -> str:
    """``public``, ``exported``, ``protected`` or ``private``; empty if the symbol has no visibility."""
    if language == "solidity" and detail.visibility == "internal":
        return "protected"
    return _VISIBILITIES.get(detail.visibility, "private") if detail.visibility else ""


def role_of(detail: Detail) -> str:
    """``accessor`` for a function that reads a property, ``mutator`` for one that sets it, else empty.

    These are getters and setters of TypeScript, JavaScript and Dart, and Python functions under ``@property`` or ``@x.setter``.
    """
    if "get" in detail.modifiers or any(_PROPERTY_DECORATOR.fullmatch(decorator) for decorator in detail.decorators):
        return "accessor"
    if "set" in detail.modifiers or "setter" in _roles(detail):
        return "mutator"
    return ""


def property_access(name: str, functions: Iterable[tuple[str, Detail]]) -> dict[str, bool]:
    """Which of getter, setter and deleter a property has, given the functions of its type by name."""
    roles = {role for other, detail in functions if other == name for role in (*_roles(detail), *detail.modifiers)}
    keys = {"has_getter": True, "has_setter": bool(roles & {"setter", "set"}), "has_deleter": "deleter" in roles}
    return {key: value for key, value in keys.items() if value}


def _roles(detail: Detail) -> list[str]:
    return [match["role"] for decorator in detail.decorators if (match := _ACCESSOR_DECORATOR.fullmatch(decorator)) is not None]


def metadata_of(detail: Detail, language: str) -> dict[str, Any]:
    """The ``metadata`` that every descriptor has, without keys whose value is empty."""
    metadata: dict[str, Any] = {
        "modifiers": list(detail.modifiers),
        "decorators": list(detail.decorators),
        "type_parameters": list(detail.type_parameters),
        "scope": _scope(detail.visibility, language),
        "is_async": "async" in detail.modifiers or "suspend" in detail.modifiers,
        **{key: [note.text for note in detail.notes if note.tag == key] for key in _SHOWN_NOTES},
        "deprecated": _deprecated(detail),
        "since": next((note.text for note in detail.notes if note.tag == "since"), ""),
    }
    return {key: value for key, value in metadata.items() if value}


def _scope(visibility: str, language: str) -> str:
    """The language's own word for a visibility that ``visibility_of`` has no equal word for."""
    if language == "go" and visibility == "private":
        return "unexported"
    return "" if visibility in _SAME_WORDS else visibility


def _deprecated(detail: Detail) -> str | bool:
    """The text of a deprecation; True if it has no text, False if the symbol is not deprecated."""
    for note in detail.notes:
        if note.tag == "deprecated":
            return note.text or True
    for decorator in detail.decorators:
        if (match := _DEPRECATED.fullmatch(decorator)) is not None:
            return match[1] or True
    return False


def class_metadata(detail: Detail, kind: Kind, language: str, bases: Sequence[str]) -> dict[str, Any]:
    """The ``metadata`` of a type that inherits from ``bases``."""
    last_names = {base.partition("[")[0].rpartition(".")[2] for base in bases}
    settings = dict(modifier.split("=", 1) for modifier in detail.modifiers if "=" in modifier)
    metadata: dict[str, Any] = {
        **metadata_of(detail, language),
        "bases": list(bases),
        "is_abstract": "abstract" in detail.modifiers or (language == "python" and _is_abstract(last_names, settings)),
        "is_static": "static" in detail.modifiers,
        "is_final": "final" in detail.modifiers,
    }
    if language == "python":
        metadata |= {
            "is_dataclass": any(_DATACLASS.fullmatch(decorator) for decorator in detail.decorators),
            "is_enum": bool(last_names & {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}),
            "is_protocol": "Protocol" in last_names,
            "metaclass": settings.get("metaclass", "").strip(),
        }
    elif kind is Kind.ENUM:
        metadata["is_enum"] = True
    return {key: value for key, value in metadata.items() if value}


def _is_abstract(bases: set[str], settings: Mapping[str, str]) -> bool:
    return "ABC" in bases or settings.get("metaclass", "").strip().endswith("ABCMeta")


def type_info(
    kind: Kind, detail: Detail, fields: Sequence[FieldDescriptor], methods: Sequence[FunctionDescriptor]
) -> dict[str, Any]:
    """``metadata.type_info`` of a Go type: its kind, what it is made of, and the names of its fields, methods and embedded types.

    ``kind`` is struct, interface, array, map, channel, function or alias.
    """
    kind_of_value = next((name for prefix, name in _GO_TYPE_PREFIXES if detail.value.startswith(prefix)), "alias")
    info: dict[str, Any] = {
        "kind": _GO_KINDS.get(kind, kind_of_value),
        "underlying": detail.value,
        "is_exported": detail.visibility == "exported",
        "fields": [field.name for field in fields],
        "methods": [method.name for method in methods],
        "embeds": [base.name for base in detail.supertypes if base.relation == "embeds"],
    }
    return {key: value for key, value in info.items() if value or key == "is_exported"}
