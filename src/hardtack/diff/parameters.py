"""Two states of a function in, what of its parameters and results breaks those who call it out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from hardtack.diff.bodies import tokens_of
from hardtack.diff.entries import Entry, type_of_parameter
from hardtack.diff.rules import Family, breaks, family_of, may_break
from hardtack.diff.types import Fit, fit, is_same, with_names
from hardtack.nouns.changes import Breakage
from hardtack.nouns.details import Parameter

_OWN: Final = re.compile(r"(?:&\s*)?(?:'\w+\s+)?(?:mut\s+)?self\b.*|this")
_TYPE_PARAMETER: Final = re.compile(r"\s*(?:(?:const|in|out|reified)\s+|[+-])?('?\w+)")
_THROWS: Final = re.compile(r"\bthrows\s+(.+)$")


class Slot(NamedTuple):
    """A parameter as callers see it."""

    name: str
    type: str
    default: str
    how: str
    """``place``: by place alone; ``name``: by name alone; ``either``; ``rest``: any number by place; ``names``: by name."""
    is_required: bool
    is_generic: bool = False
    """Its type has a type parameter of the function, which stands for many types."""


def breakages(old: Entry, new: Entry) -> Iterator[Breakage]:
    """What breaks callers of a function."""
    family = family_of(old.file.language)
    names = renamed_type_parameters(old, new)
    known = new.surface.go.aliases_of(new.file)  # a name of the old state may stand for another one now
    before = [slot._replace(type=with_names(slot.type, known)) for slot in slots_of(old)]
    after = [slot._replace(type=with_names(slot.type, names)) for slot in slots_of(new)]
    if family == "python":
        yield from _python(before, after)
    elif family in ("go", "classes", "rust"):
        yield from _exact(before, after, family, old.file.language)
    else:
        yield from _by_place(before, after, old.file.language)
    yield from _results(old, new, family)
    was, is_ = ("async" in each.detail.modifiers for each in (old, new))
    says_result = family == "scripts" and old.detail.returns and new.detail.returns
    if was != is_ and family in ("python", "scripts", "rust") and not says_result:
        yield breaks("async-changed", f"it is {'not ' if was else ''}asynchronous now")
    if family == "classes" and (thrown := sorted(_thrown(new) - _thrown(old))):
        yield may_break("exception-added", f"it throws {_names(thrown)}, which callers have to catch if it is checked")


def renamed_type_parameters(old: Entry, new: Entry) -> dict[str, str]:
    """Name of each type parameter of the new state, its type's among them -> the name that the old state has at its place."""
    found: dict[str, str] = {}
    for before, after in ((old.owner, new.owner), (old, new)):
        if before and after and len(before.detail.type_parameters) == len(after.detail.type_parameters):
            for one, other in zip(before.detail.type_parameters, after.detail.type_parameters, strict=True):
                was, is_ = _TYPE_PARAMETER.match(one), _TYPE_PARAMETER.match(other)
                if was and is_ and was[1] != is_[1]:
                    found[is_[1]] = was[1]
    return found


def slots_of(entry: Entry) -> list[Slot]:
    """The parameters of a function, without the one for the instance."""
    family = family_of(entry.file.language)
    given = list(entry.detail.parameters)
    if given and _is_own(given[0], entry, family):
        del given[0]
    if family == "python":
        return _python_slots(given)
    slots = []
    for each in given:
        is_rest = each.name.startswith(("...", "*")) or each.type.startswith("...") or each.type.endswith("...")
        is_optional = bool(each.default) or each.name.endswith("?") or is_rest
        name = each.name.lstrip(".*&$").rstrip("?")
        declared = written_out(type_of_parameter(entry, each), entry) if not each.source_hint else ""
        how = "rest" if is_rest else "either"
        slots.append(Slot(name, declared, each.default, how, not is_optional, is_generic_in(declared, entry)))
    return slots


def _is_own(parameter: Parameter, entry: Entry, family: Family) -> bool:
    if family == "python":
        is_member = entry.owner is not None and "static" not in entry.detail.modifiers
        return is_member and not parameter.name.startswith("*")
    return family in ("rust", "scripts") and _OWN.fullmatch(parameter.name) is not None


def _python_slots(given: list[Parameter]) -> list[Slot]:
    slots: list[Slot] = []
    how = "either"
    for each in given:
        if each.name == "/":
            slots = [slot._replace(how="place") for slot in slots]
        elif each.name == "*":
            how = "name"
        elif each.name.startswith("**"):
            slots.append(Slot(each.name, "", "", "names", is_required=False))
        elif each.name.startswith("*"):
            slots.append(Slot(each.name, "", "", "rest", is_required=False))
            how = "name"
        else:
            declared = each.type if not each.source_hint else ""
            slots.append(Slot(each.name, declared, each.default, how, is_required=not each.default))
    return slots


# -- Python: by place and by name --


def _python(before: list[Slot], after: list[Slot]) -> Iterator[Breakage]:
    takes = {slot.how for slot in after}
    places = {slot.name: place for place, slot in enumerate(after)}
    known = {slot.name for slot in before}
    replaced = _renamed(before, after)
    for place, slot in enumerate(before):
        if slot.name not in places:
            if slot.name in replaced:
                if slot.how != "place":
                    said = f"parameter `{slot.name}` is called `{replaced[slot.name]}`, so calls that name it fail"
                    yield breaks("parameter-renamed", said)
            elif not _is_swallowed(slot, takes):
                yield breaks("parameter-removed", f"parameter `{slot.name}` is gone")
            continue
        other = after[places[slot.name]]
        yield from _python_slot(slot, other, place, places[slot.name], takes)
    for slot in after:
        if slot.is_required and slot.name not in known and slot.name not in replaced.values():
            yield breaks("parameter-required-added", f"parameter `{slot.name}` was added and has no default")


def _renamed(before: list[Slot], after: list[Slot]) -> dict[str, str]:
    """Parameters that stand where one with another name stood, and can be left out if that could."""
    names, others = {slot.name for slot in before}, {slot.name for slot in after}
    return {
        old.name: new.name
        for old, new in zip(before, after, strict=False)
        if old.name not in others
        and new.name not in names
        and old.how == new.how in ("either", "place")
        and old.is_required >= new.is_required
    }


def _is_swallowed(slot: Slot, takes: set[str]) -> bool:
    """Whether ``*args`` and ``**kwargs`` take what the parameter took."""
    if slot.how == "either":
        return {"rest", "names"} <= takes
    return slot.how in ("place", "name") and {"place": "rest", "name": "names"}[slot.how] in takes


def _python_slot(old: Slot, new: Slot, old_place: int, new_place: int, takes: set[str]) -> Iterator[Breakage]:
    name = f"parameter `{old.name}`"
    if new.is_required and not old.is_required:
        yield breaks("parameter-made-required", f"{name} has no default any more")
    by_place = ("place", "either")
    if old.how in by_place and new.how in by_place and old_place != new_place:
        yield breaks("parameter-reordered", f"{name} is number {new_place + 1}, and was number {old_place + 1}")
    if old.how != new.how and old.how in (*by_place, "name"):
        if new.how == "name" and old.how != "name":
            yield breaks("parameter-kind-changed", f"{name} can only be given by name")
        elif new.how == "place" and old.how != "place":
            yield breaks("parameter-kind-changed", f"{name} can only be given by place")
    if _is_other_default(old, new):
        yield may_break("parameter-default-changed", f"{name} is `{new.default}` by default, and was `{old.default}`")
    if old.type and new.type and fit(old.type, new.type, "python") in (Fit.NARROWER, Fit.OTHER):
        yield may_break("parameter-type-changed", f"{name} takes `{new.type}`, and took `{old.type}`")


# -- Go, Java and its like, Rust: the parameters are part of the function's type --


def _exact(before: list[Slot], after: list[Slot], family: Family, language: str) -> Iterator[Breakage]:
    if len(before) > len(after):
        gone = _unmatched(before, after)
        yield breaks("parameter-removed", f"{_parameters(gone)} gone")
    elif len(after) > len(before):
        added = _unmatched(after, before)
        if family == "classes" and not any(slot.is_required for slot in added) and after[: len(before)] == before:
            yield may_break("parameter-added", f"{_parameters(added)} new, which callers that are not compiled again do not give")
        else:
            rule = "parameter-added" if not any(slot.is_required for slot in added) else "parameter-required-added"
            yield breaks(rule, f"{_parameters(added)} new")
    else:
        for old, new in zip(before, after, strict=True):
            yield from _exact_slot(old, new, family, language)


def _takes_more(old: Slot, new: Slot, language: str) -> bool:
    """Whether an array became any number of arguments, for which an array can still be given."""
    return old.type.endswith("[]") and is_same(old.type[:-2], new.type.removesuffix("..."), language) and new.type.endswith("...")


def _exact_slot(old: Slot, new: Slot, family: Family, language: str) -> Iterator[Breakage]:
    name = f"parameter `{new.name or '_'}`"
    if not is_same(old.type, new.type, language) and not (family == "classes" and _takes_more(old, new, language)):
        is_general = new.is_generic or (family == "rust" and new.type.lstrip("&").startswith(("impl ", "dyn ")))
        verdict = may_break if is_general or (family == "classes" and fit(old.type, new.type, language) is Fit.WIDER) else breaks
        yield verdict("parameter-type-changed", f"{name} takes `{new.type}`, and took `{old.type}`")
    if new.is_required and not old.is_required:
        yield breaks("parameter-made-required", f"{name} has no default any more")
    elif _is_other_default(old, new):
        yield may_break("parameter-default-changed", f"{name} is `{new.default}` by default, and was `{old.default}`")
    if old.name != new.name and language in ("kotlin", "csharp", "scala"):
        yield may_break("parameter-renamed", f"parameter `{old.name}` is called `{new.name}`, which calls that name it do not know")


def _unmatched(longer: list[Slot], shorter: list[Slot]) -> list[Slot]:
    """The slots of the longer list that the shorter has none of that name for, else those at its end."""
    names = {slot.name for slot in shorter}
    return [slot for slot in longer if slot.name not in names] or longer[len(shorter) :]


def _parameters(slots: list[Slot]) -> str:
    is_one = len(slots) == 1
    return f"parameter{'' if is_one else 's'} {_names([slot.name or slot.type for slot in slots])} {'is' if is_one else 'are'}"


# -- the others: by place, and what has a default may be left out --


def _by_place(before: list[Slot], after: list[Slot], language: str) -> Iterator[Breakage]:
    family = family_of(language)
    names, others = [slot.name for slot in before], [slot.name for slot in after]
    if names != others and sorted(names) == sorted(others):
        yield breaks("parameter-reordered", f"parameters are in another order: {_names(others)}")
        return
    if len(after) < len(before) and not any(slot.how == "rest" for slot in after):
        gone = _unmatched(before, after)
        # JavaScript passes over arguments that nothing takes
        verdict = may_break if language == "javascript" else breaks
        yield verdict("parameter-removed", f"{_parameters(gone)} gone")
        return
    for old, new in zip(before, after, strict=False):
        name = f"parameter `{new.name}`"
        if new.is_required and not old.is_required:
            yield breaks("parameter-made-required", f"{name} cannot be left out any more")
        if old.type and new.type and (found := fit(old.type, new.type, language)) in (Fit.NARROWER, Fit.OTHER):
            is_certain = found is Fit.NARROWER and family == "scripts"
            said = f"{name} takes `{new.type}`, and took `{old.type}`"
            yield (breaks if is_certain else may_break)("parameter-type-changed", said)
        if _is_other_default(old, new):
            yield may_break("parameter-default-changed", f"{name} is `{new.default}` by default, and was `{old.default}`")
        if old.name != new.name and language in ("php", "ruby", "swift"):
            yield may_break("parameter-renamed", f"parameter `{old.name}` is called `{new.name}`")
    for slot in after[len(before) :]:
        if slot.is_required:
            yield breaks("parameter-required-added", f"{name_of(slot)} was added and cannot be left out")


def _is_other_default(old: Slot, new: Slot) -> bool:
    return bool(old.default and new.default) and tokens_of(old.default) != tokens_of(new.default)


def name_of(slot: Slot) -> str:
    """A parameter in a sentence."""
    return f"parameter `{slot.name}`"


# -- results --


def _results(old: Entry, new: Entry, family: Family) -> Iterator[Breakage]:
    language = old.file.language
    before = with_names(_result_of(old), new.surface.go.aliases_of(new.file))
    after = with_names(_result_of(new), renamed_type_parameters(old, new))
    if family in ("go", "rust", "classes", "general"):
        if is_same(before, after, language) or not (before or after) or new.record.kind.value == "constructor":
            return
        is_generic = is_generic_in(after, new) and not is_generic_in(before, old)
        is_opaque = (
            family == "general" or is_generic or "impl " in f"{before}{after}" or (family == "classes" and not (before and after))
        )
        said = f"it returns `{after or 'nothing'}`, and returned `{before or 'nothing'}`"
        yield (may_break if is_opaque else breaks)("return-type-changed", said)
        return
    if not before:
        return
    if not after:
        if family == "python":
            yield may_break("return-type-changed", f"it does not say any more that it returns `{before}`")
        return
    found = fit(before, after, language)
    if found in (Fit.WIDER, Fit.OTHER) and before not in ("None", "void"):
        is_certain = found is Fit.WIDER and family == "scripts"
        yield (breaks if is_certain else may_break)("return-type-changed", f"it returns `{after}`, and returned `{before}`")


def _result_of(entry: Entry) -> str:
    return written_out(", ".join(each.type for each in entry.detail.returns if each.source_hint in ("", "type_hint")), entry)


def is_generic_in(type_: str, entry: Entry) -> bool:
    """Whether a type of a function is made with one of its own type parameters."""
    names = {found[1] for each in entry.detail.type_parameters if (found := _TYPE_PARAMETER.match(each))}
    return bool(names & set(re.findall(r"\w+", type_)))


def written_out(type_: str, entry: Entry) -> str:
    """A type with what the aliases of its package stand for."""
    return with_names(type_, entry.surface.go.aliases_of(entry.file))


def _thrown(entry: Entry) -> set[str]:
    found = _THROWS.search(entry.record.signature)
    return {each.strip() for each in found[1].split(",")} if found else set()


def _names(names: list[str]) -> str:
    return ", ".join(f"`{each}`" for each in names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
