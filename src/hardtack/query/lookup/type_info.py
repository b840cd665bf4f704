"""A Go type in, seed 1's ``type_info`` of it out: what kind of type it is, and the names of what it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardtack.nouns.descriptors import FieldDescriptor, FunctionDescriptor
from hardtack.nouns.details import Detail
from hardtack.nouns.model import Kind

_KINDS = {Kind.STRUCT: "struct", Kind.INTERFACE: "interface"}
_BEGINNINGS = (("map[", "map"), ("chan ", "channel"), ("<-chan ", "channel"), ("func(", "function"), ("[", "array"))


def type_info(
    kind: Kind, detail: Detail, fields: Sequence[FieldDescriptor], methods: Sequence[FunctionDescriptor]
) -> dict[str, Any]:
    """``kind`` is struct, interface, array, map, channel, function or alias; the accounts of what is named are the descriptor's."""
    of_value = next((name for beginning, name in _BEGINNINGS if detail.value.startswith(beginning)), "alias")
    said: dict[str, Any] = {
        "kind": _KINDS.get(kind, of_value),
        "underlying": detail.value,
        "is_exported": detail.visibility == "exported",
        "fields": [field.name for field in fields],
        "methods": [method.name for method in methods],
        "embeds": [base.name for base in detail.supertypes if base.relation == "embeds"],
    }
    return {key: value for key, value in said.items() if value or key == "is_exported"}
