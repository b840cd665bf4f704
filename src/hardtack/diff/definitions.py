"""Two states of a symbol in, what of its definition breaks callers out: kind, modifiers, supertypes, types of values, members."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hardtack.diff import parameters
from hardtack.diff.entries import Entry
from hardtack.diff.rules import Family, breaks, family_of, may_break
from hardtack.diff.types import Fit, fit, spelt, with_names
from hardtack.nouns.changes import Breakage
from hardtack.nouns.details import Detail
from hardtack.nouns.model import TYPES, Kind

_UNSAID: Final = frozenset({"object", "Object", "Generic", "ABC"})
"""Supertypes whose loss nobody notices."""
_LAST: Final = re.compile(r"[\w$]+(?=\s*(?:[<\[({]|$))")
_DATACLASS: Final = re.compile(r"@?(?:[\w.]+\.)?(?:dataclass|define|frozen|attrs|attr\.s|s)\b")
_ABSTRACT: Final = re.compile(r"@?(?:[\w.]+\.)?abstract\w*")
_FINAL: Final = re.compile(r"@?(?:[\w.]+\.)?final")
_EXHAUSTIVE: Final = "non_exhaustive"


def breakages(old: Entry, new: Entry) -> Iterator[Breakage]:
    """What breaks users of a symbol that is in both bundles, members aside, which are symbols of their own."""
    family = family_of(old.file.language)
    if old.sort != new.sort:
        yield _other_kind(old, new, family)
        return
    yield from _modifiers(old, new, family)
    if old.sort == "function":
        yield from parameters.breakages(old, new)
    elif old.sort == "value":
        yield from _value(old, new, family)
    elif old.record.kind in TYPES:
        yield from _supertypes(old, new, family)
        yield from _attributes(old, new)
        if old.record.kind is Kind.TYPE:
            yield from _definition(old, new, family)
    if family != "python":
        yield from _type_parameters(old, new, family)


def _other_kind(old: Entry, new: Entry, family: Family) -> Breakage:
    said = f"it is a {new.record.kind.value} now, and was a {old.record.kind.value}"
    is_callable = {old.sort, new.sort} <= {"function", "class", "value"} and old.owner is None
    if (family in ("python", "scripts") and is_callable) or {old.sort, new.sort} <= {"interface", "type", "class", "trait"}:
        return may_break("kind-changed", said)
    return breaks("kind-changed", said)


def _modifiers(old: Entry, new: Entry, family: Family) -> Iterator[Breakage]:
    before, after = set(old.detail.modifiers), set(new.detail.modifiers)
    if family in ("classes", "scripts", "python"):
        if not _is_abstract(old) and _is_abstract(new) and not (new.owner and new.owner.record.kind is Kind.INTERFACE):
            yield breaks("made-abstract", "it is abstract now")
        is_always_static = old.record.kind in (Kind.INTERFACE, Kind.ENUM)  # whether or not it says so
        if old.owner and not is_always_static and ("static" in before) != ("static" in after):
            yield breaks("static-changed", f"it is {'' if 'static' in after else 'not '}static now")
    if family in ("classes", "python") and old.sort != "value" and not _is_final(old) and _is_final(new):
        yield breaks("made-final", "it is final now")
    if family == "go" and not old.detail.receiver.startswith("*") and new.detail.receiver.startswith("*"):
        yield breaks("receiver-changed", "its receiver is a pointer now, so values do not have the method")


def _is_abstract(entry: Entry) -> bool:
    return "abstract" in entry.detail.modifiers or any(_ABSTRACT.fullmatch(each) for each in entry.detail.decorators)


def _is_final(entry: Entry) -> bool:
    is_marked = bool({"final", "sealed"} & set(entry.detail.modifiers))
    return is_marked or any(_FINAL.fullmatch(each) for each in entry.detail.decorators)


# -- values --


def _value(old: Entry, new: Entry, family: Family) -> Iterator[Breakage]:
    language = old.file.language
    before = with_names(_type_of(old), new.surface.go.aliases_of(new.file))
    after = with_names(_type_of(new), parameters.renamed_type_parameters(old, new))
    if before and after and (found := fit(before, after, language)) is not Fit.SAME:
        said = f"its type is `{after}`, and was `{before}`"
        if family in ("go", "rust", "classes"):
            yield breaks("field-type-changed", said)
        elif not (family == "python" and found is Fit.NARROWER):
            yield may_break("field-type-changed", said)
    elif family == "go" and before != after and {old.record.kind, new.record.kind} == {Kind.CONSTANT} and new.detail.value:
        verdict = breaks if after else may_break  # one without a type is a value of every type that can have it
        yield verdict("field-type-changed", f"its type is `{after or 'not stated'}`, and was `{before or 'not stated'}`")
    yield from _optional(old, new, family)
    if _is_readonly(new) and not _is_readonly(old) and family in ("classes", "scripts"):
        is_certain = family == "classes"
        yield (breaks if is_certain else may_break)("field-made-readonly", "it cannot be set any more")
    if family in ("go", "classes") and _is_constant(old) and _is_constant(new):
        given = (old.detail.value, new.detail.value)
        if all(given) and given[0] != given[1] and "iota" not in given:
            yield may_break("value-changed", f"its value is `{given[1]}`, and was `{given[0]}`")


def _type_of(entry: Entry) -> str:
    if entry.detail.type:
        return "" if entry.detail.type_source else parameters.written_out(entry.detail.type, entry)
    results = entry.detail.returns
    return results[0].type if len(results) == 1 and results[0].source_hint == "type_hint" else ""


def _optional(old: Entry, new: Entry, family: Family) -> Iterator[Breakage]:
    if family != "scripts" or old.owner is None:
        return
    was, is_ = "optional" in old.detail.modifiers, "optional" in new.detail.modifiers
    if is_ and not was:
        yield breaks("field-made-optional", "it may be missing now")
    elif was and not is_:
        yield may_break("field-made-required", "whoever makes such an object must give it now")


def _is_readonly(entry: Entry) -> bool:
    return bool({"readonly", "final"} & set(entry.detail.modifiers))


def _is_constant(entry: Entry) -> bool:
    return (
        entry.record.kind is Kind.CONSTANT
        or {"static", "final"} <= set(entry.detail.modifiers)
        or "const" in entry.detail.modifiers
    )


# -- types --


def last_name(written: str) -> str:
    """The name of a type without its module and its arguments."""
    found = _LAST.search(written.partition("<")[0].partition("[")[0].strip())
    return found[0] if found else written


def _supertypes(old: Entry, new: Entry, family: Family) -> Iterator[Breakage]:
    before = {last_name(each.name): each for each in old.detail.supertypes}
    after = {last_name(each.name) for each in new.detail.supertypes}
    if old.record.kind is Kind.INTERFACE and family in ("classes", "go"):
        for each in new.detail.supertypes:
            if last_name(each.name) not in before:
                yield may_break("required-member-added", f"whoever implements it has to implement `{each.name}`, too")
    gone = [name for name in before if name not in after | _UNSAID]
    inherited = ancestors(new) if gone else {}
    for name in gone:
        if name in inherited or not name:
            continue
        is_replaced = len(after) >= len(before) or family == "scripts" or any(each not in before for each in after)
        said = f"it does not have the supertype `{before[name].name}` any more"
        yield (may_break if is_replaced else breaks)("supertype-removed", said)


def ancestors(entry: Entry) -> dict[str, list[int]]:
    """Names of all supertypes of a type as far as the bundle has them, and the ordinals of those."""
    bundle = entry.surface.bundle
    found: dict[str, list[int]] = {}
    waiting, seen = [entry.ordinal], {entry.ordinal}
    while waiting:
        for relation in bundle.related.relations_from(waiting.pop()):
            if relation.kind.value not in ("inherits", "implements", "embeds", "uses"):
                continue
            targets = found.setdefault(last_name(relation.name), [])
            if relation.target >= 0 and relation.target not in seen:
                seen.add(relation.target)
                targets.append(relation.target)
                waiting.append(relation.target)
    return found


def is_inherited(entry: Entry, name: str) -> bool:
    """Whether a type has a member of that name from a supertype."""
    bundle = entry.surface.bundle
    above = [ordinal for ordinals in ancestors(entry).values() for ordinal in ordinals]
    has_attribute = any(each.name == name for ordinal in above for each in bundle.detail(ordinal).attributes)
    return has_attribute or any(True for _ in _inherited(entry, name))


def inherits_overload(entry: Entry, method: Entry) -> bool:
    """Whether a type has a method from a supertype that takes what another one took."""
    wanted, language = _types_taken(method.detail, method.file.language), method.file.language
    found = _inherited(entry, method.record.name)
    return any(_types_taken(entry.surface.bundle.detail(each), language) == wanted for each in found)


def _types_taken(detail: Detail, language: str) -> list[str]:
    return [spelt(each.type, language) for each in detail.parameters]


def _inherited(entry: Entry, name: str) -> Iterator[int]:
    """Ordinals of the members of that name in the supertypes of a type."""
    bundle = entry.surface.bundle
    for ordinals in ancestors(entry).values():
        for ordinal in ordinals:
            file = bundle.file(bundle.symbol(ordinal).file)
            wanted = f"{bundle.symbol_name(ordinal).qualified_name}.{name}"
            for each in range(file.first_symbol, file.first_symbol + file.symbol_count):
                if bundle.symbol_name(each).qualified_name == wanted:
                    yield each


def has_member(entry: Entry, name: str) -> bool:
    """Whether a type has a member or an attribute of that name, its own or inherited."""
    is_own = any(each.record.name == name for each in entry.members) or any(each.name == name for each in entry.detail.attributes)
    return is_own or is_inherited(entry, name)


def _attributes(old: Entry, new: Entry) -> Iterator[Breakage]:
    """Attributes that only the code of methods sets."""
    for each in old.detail.attributes:
        is_public = each.visibility not in ("private", "protected") and not each.name.startswith("_")
        if is_public and not has_member(new, each.name):
            yield breaks("removed", f"attribute `{each.name}` is gone")


def _definition(old: Entry, new: Entry, family: Family) -> Iterator[Breakage]:
    before, after = old.detail.value, with_names(new.detail.value, parameters.renamed_type_parameters(old, new))
    if not before or not after:
        return
    found = fit(before, after, old.file.language)
    if found is not Fit.SAME:
        said = f"it stands for `{after}`, and stood for `{before}`"
        yield (breaks if family in ("go", "rust") else may_break)("type-definition-changed", said)


def _type_parameters(old: Entry, new: Entry, family: Family) -> Iterator[Breakage]:
    before, after = old.detail.type_parameters, new.detail.type_parameters
    if family == "rust" and old.sort == "function":  # callers of a function do not write its lifetimes
        before, after = (tuple(each for each in some if not each.startswith("'")) for some in (before, after))
    if len(before) == len(after):
        return
    added = after[len(before) :]
    if family == "scripts" and len(after) > len(before) and all("=" in each for each in added):
        return
    is_certain = family in ("go", "classes", "scripts", "rust") and old.record.kind in TYPES
    said = f"it has {len(after)} type parameters, and had {len(before)}"
    yield (breaks if is_certain else may_break)("type-parameters-changed", said)


# -- members that were added --


def of_added_member(owner: Entry, old_owner: Entry, added: Entry) -> Breakage | None:
    """What a new member of a type breaks.

    Args:
        owner: the type as it is now.
        old_owner: as it was.
        added: the member.
    """
    family, name = family_of(owner.file.language), f"`{added.record.name}`"
    kind = old_owner.record.kind
    if family == "rust":
        return _added_in_rust(old_owner, added)
    if family == "python":
        return _added_in_python(owner, added)
    if family == "go" and kind is Kind.INTERFACE:
        is_sealed = any(each.record.name[:1].islower() for each in old_owner.members)
        return None if is_sealed else breaks("required-member-added", f"whoever implements it has to add {name}")
    if family == "go" and kind is Kind.STRUCT and added.record.kind is Kind.FIELD and _is_incomparable(added):
        fields = [each for each in old_owner.members if each.record.kind is Kind.FIELD]
        said = f"it cannot be compared with `==` any more, since it has {name}"
        return None if any(map(_is_incomparable, fields)) else may_break("made-incomparable", said)
    if family == "scripts" and kind is Kind.INTERFACE and "optional" not in added.detail.modifiers:
        return may_break("required-member-added", f"whoever implements it has to add {name}")
    if family == "classes" and added.sort == "function" and _is_abstract(added):
        return breaks("required-member-added", f"whoever implements it has to add {name}")
    if family == "general" and kind in (Kind.INTERFACE, Kind.TRAIT) and _is_abstract(added):
        return may_break("required-member-added", f"whoever implements it has to add {name}")
    return None


def _is_incomparable(field: Entry) -> bool:
    return field.detail.type.startswith(("[]", "map[", "func("))


def _added_in_rust(old_owner: Entry, added: Entry) -> Breakage | None:
    if any(_EXHAUSTIVE in each for each in old_owner.detail.decorators):
        return None
    name, kind = f"`{added.record.name}`", old_owner.record.kind
    if kind is Kind.TRAIT and _is_abstract(added):
        return breaks("required-member-added", f"whoever implements it has to add {name}")
    if kind is Kind.ENUM and added.record.kind is Kind.ENUM_MEMBER:
        return breaks("enum-member-added", f"a match over all variants misses {name}")
    fields = [each for each in old_owner.members if each.record.kind is Kind.FIELD]
    if kind is Kind.STRUCT and added.record.kind is Kind.FIELD and fields and all(each.is_exported for each in fields):
        return breaks("struct-field-added", f"whoever writes out all fields misses {name}")
    return None


def _added_in_python(owner: Entry, added: Entry) -> Breakage | None:
    name = f"`{added.record.name}`"
    if _is_abstract(added):
        return breaks("required-member-added", f"whoever extends it has to add {name}")
    is_dataclass = any(_DATACLASS.match(each) for each in owner.detail.decorators)
    is_field = added.record.kind is Kind.FIELD and added.detail.type and not added.detail.value
    if is_dataclass and is_field and "ClassVar" not in added.detail.type and not added.detail.type_source:
        return breaks("parameter-required-added", f"parameter {name} of its constructor was added and has no default")
    return None
