"""Two bundles in, a :class:`Comparison` out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from hardtack.bundle.reader import Bundle
from hardtack.diff import definitions
from hardtack.diff.bodies import tokens_of
from hardtack.diff.comparable import Scope, check, notes, scope_of
from hardtack.diff.entries import Entry, entries_of
from hardtack.diff.modules import gone_modules, module_gone, reexports, without_told
from hardtack.diff.pairing import Pairs, is_renamed, paired
from hardtack.diff.relations import calls, projects, relations
from hardtack.diff.rules import breaks, may_break
from hardtack.diff.statements import SCRIPTS
from hardtack.diff.surface import Surface
from hardtack.nouns.changes import (
    Breakage,
    ChangeKind,
    ComparedBundle,
    Comparison,
    SymbolChange,
)
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind

_VISIBILITIES = frozenset(
    {"public", "private", "protected", "internal", "export", "pub", "crate", "super", "(", ")", "open", "declare", "default"}
)


def compare(
    old: Bundle,
    new: Bundle,
    *,
    takes: Callable[[str], bool] = lambda path: True,
    exported: bool = False,
    breaking: bool = False,
    any_repository: bool = False,
) -> Comparison:
    """What differs between two bundles.

    Args:
        old: the earlier one.
        new: the later one.
        takes: whether a path is to be compared; a symbol that moved counts if either of its paths is.
        exported: give exported symbols alone, and neither relations nor projects.
        breaking: give changes that break callers or may do so alone, and neither relations nor projects.
        any_repository: compare bundles of different repositories, as of a fork, too.

    Raises:
        PolicyError: they are of different repositories.
        UsageError: they are of different directories of one.
    """
    check(old, new, any_repository=any_repository)
    scope = scope_of(old, new)
    reads_text = old.has_text and new.has_text
    before, after = Surface(old, reads_text=reads_text), Surface(new, reads_text=reads_text)
    pairs = paired(entries_of(before, scope.old), entries_of(after, scope.new))
    gone = gone_modules(before, after, scope)
    found = [
        *(without_told(each, gone) for each in _symbols(pairs, scope)),
        *reexports(before, after, pairs, scope, gone),
        *map(module_gone, gone.values()),
    ]
    found = [each for each in found if any(takes(state.path) for state in (each.old, each.new) if state)]
    found = [each for each in found if (each.is_exported or not exported) and (each.breakages or not breaking)]
    found.sort(key=_place)
    beside = not (exported or breaking)
    return Comparison(
        old=_compared(old),
        new=_compared(new),
        files_changed=scope.changed,
        symbols=tuple(found),
        relations=tuple(each for each in (*relations(old, new, scope), *calls(old, new, pairs)) if beside and takes(each.path))
        if beside
        else (),
        projects=tuple(each for each in projects(old, new) if beside and takes(each.path)),
        notes=tuple(notes(old, new, scope)),
    )


def _place(change: SymbolChange) -> tuple[str, int, str]:
    state = change.new or change.old
    return (state.path, state.line, state.name) if state else ("", 0, "")


def _compared(bundle: Bundle) -> ComparedBundle:
    provenance, moved = bundle.manifest.provenance, bundle.moved_on
    return ComparedBundle(
        name=bundle.name,
        digest=bundle.digest,
        repository=provenance.repository,
        commit=provenance.commit,
        is_working_tree=bool(moved and moved.is_laid_over) or provenance.is_dirty,
    )


# -- symbols --


def _symbols(pairs: Pairs, scope: Scope) -> Iterator[SymbolChange]:
    gone, added = pairs.left()
    told: set[tuple[str, str]] = set()
    for entry in gone:
        if _can_stand_in(entry) and (entry.path, entry.name) in told:
            continue  # one of several definitions for several platforms or versions
        told.add((entry.path, entry.name))
        if entry.owner is None or entry.owner in pairs.of_old:  # what goes with its type is not told by itself
            yield _removed(entry, pairs, scope)
    for entry in added:
        if entry.owner is None or entry.owner in pairs.of_new:
            yield _added(entry, pairs)
    for old, new in pairs.of_old.items():
        if change := _differing(old, new, pairs):
            yield change


def _change(old: Entry | None, new: Entry | None, kinds: Iterable[ChangeKind], found: Iterable[Breakage] = ()) -> SymbolChange:
    either = new or old
    assert either is not None
    return SymbolChange(
        language=either.file.language,
        kinds=tuple(kinds),
        old=old.state if old else None,
        new=new.state if new else None,
        is_exported=any(each.is_exported for each in (old, new) if each),
        breakages=tuple(found),
    )


def _removed(entry: Entry, pairs: Pairs, scope: Scope) -> SymbolChange:
    found: list[Breakage] = []
    if entry.is_exported and _is_still_there(entry, pairs):
        found += _of_stand_in(entry, pairs)
    elif entry.is_exported:
        verdict = may_break if entry.path in scope.unread else breaks
        found.append(verdict("removed", "it is gone"))
    return _change(entry, None, [ChangeKind.REMOVED], found)


def _is_still_there(entry: Entry, pairs: Pairs) -> bool:
    """Whether the name of a removed symbol still leads to something at its old address."""
    surface = pairs.new[0].surface if pairs.new else None
    if entry.file.language == "python" and entry.record.kind not in FUNCTIONS | TYPES and _is_assigned(entry, pairs):
        return True
    if surface and entry.file.language == "go" and _is_in_package(entry, surface):
        return True
    if entry.owner:
        owner = pairs.of_old.get(entry.owner)
        if owner is None:
            return False
        if _can_stand_in(entry):
            return definitions.has_member(owner, entry.record.name)
        return definitions.inherits_overload(owner, entry)
    if surface is None:
        return False
    if not entry.surface.is_direct(entry.ordinal):
        places = entry.surface.addresses.get(entry.ordinal, ())
        return bool(places) and all(surface.offers(module, name) for module, name in places)
    if entry.record.kind in FUNCTIONS and _can_stand_in(entry) and _has_namesake(entry, pairs):
        return True
    return surface.offers(entry.home, entry.record.name)


def _is_in_package(entry: Entry, surface: Surface) -> bool:
    """Whether a package of Go still has a name: in another file, or by way of a type that is an alias now."""
    owner, _, member = entry.name.rpartition(".")
    is_there = (entry.home, entry.name) in surface.go.names
    return is_there or (owner != "" and surface.go.has_by_alias(entry.home, owner, member))


def _of_stand_in(entry: Entry, pairs: Pairs) -> Iterator[Breakage]:
    """What breaks callers of a function whose name leads to another definition now, wherever a module takes that from."""
    if entry.sort != "function" or entry.owner:
        return
    after = pairs.new[0].surface
    for module, name in entry.surface.addresses.get(entry.ordinal, [(entry.home, entry.record.name)]):
        offered = after.offered(after.modules[module]).get(name) if module in after.modules else None
        if offered and offered.symbol >= 0:
            record = after.bundle.symbol(offered.symbol)
            other = Entry(after, offered.symbol, after.bundle.file(record.file), record, after.bundle.detail(offered.symbol), None)
            yield from definitions.breakages(entry, other)
            return


def _is_assigned(entry: Entry, pairs: Pairs) -> bool:
    """Whether a name that is no symbol any more is still given a value in the new text, as the second of ``a = b = 1`` is."""
    places = [pairs.of_old[entry.owner]] if entry.owner and entry.owner in pairs.of_old else []
    if not places and not entry.owner:
        places = pairs.new_values.get(entry.path, [])
    target = re.compile(rf"(?<![\w.]){re.escape(entry.record.name)}\s*(?::[^=\n]*)?=(?!=)")
    return any(each.surface.reads_text and target.search(each.text) for each in places)


def _can_stand_in(entry: Entry) -> bool:
    """Whether another definition of its name serves its callers: always but where overloads are told apart by their parameters."""
    return entry.record.kind not in FUNCTIONS or entry.file.language in (*SCRIPTS, "python", "ruby", "php", "go", "rust")


def _has_namesake(entry: Entry, pairs: Pairs) -> bool:
    return (entry.path, entry.name) in pairs.new_names


def _added(entry: Entry, pairs: Pairs) -> SymbolChange:
    found: list[Breakage] = []
    owner = entry.owner
    old_owner = pairs.of_new.get(owner) if owner else None
    if owner and old_owner and old_owner.is_exported and not definitions.is_inherited(old_owner, entry.record.name):
        breakage = definitions.of_added_member(owner, old_owner, entry)
        found += [breakage] if breakage else []
    return _change(None, entry, [ChangeKind.ADDED], found)


def _differing(old: Entry, new: Entry, pairs: Pairs) -> SymbolChange | None:
    kinds = list(_kinds(old, new, pairs))
    old.forget_text()
    new.forget_text()
    found = list(_breakages(old, new, pairs)) if old.is_exported else []
    if not kinds and not found:
        return None
    return _change(old, new, kinds or [ChangeKind.SIGNATURE], found)


def _follows(old: Entry, new: Entry, pairs: Pairs) -> bool:
    """Whether a member is where its type went."""
    if old.owner and new.owner and old.path != new.path and old.owner.path == new.owner.path:
        return False
    return old.owner is not None and pairs.of_old.get(old.owner) is new.owner and new.owner is not None


def _is_moved(old: Entry, new: Entry, pairs: Pairs) -> bool:
    """Whether it is in another file, or a member of another type."""
    if _follows(old, new, pairs):
        return False
    return old.path != new.path or old.name.rpartition(".")[0] != new.name.rpartition(".")[0]


def _kinds(old: Entry, new: Entry, pairs: Pairs) -> Iterator[ChangeKind]:
    if is_renamed(old, new):
        yield ChangeKind.RENAMED
    if _is_moved(old, new, pairs):
        yield ChangeKind.MOVED
    if _heading(old) != _heading(new):
        yield ChangeKind.SIGNATURE
    if old.detail.visibility != new.detail.visibility or (old.is_exported != new.is_exported and not _owner_differs(old, new)):
        yield ChangeKind.VISIBILITY
    if old.record.doc != new.record.doc:
        yield ChangeKind.DOCUMENTATION
    if _text(old) != _text(new):
        yield ChangeKind.BODY


def _owner_differs(old: Entry, new: Entry) -> bool:
    return bool(old.owner and new.owner and old.owner.is_exported != new.owner.is_exported)


def _heading(entry: Entry) -> object:
    """What a symbol says to its callers, without its name and visibility."""
    detail, record = entry.detail, entry.record
    if record.kind in FUNCTIONS or (record.kind in TYPES and record.kind is not Kind.TYPE):
        words = [each for each in tokens_of(record.signature) if each != record.name and each not in _VISIBILITIES]
        return words, detail.decorators, detail.modifiers
    return detail.type if not detail.type_source else "", detail.modifiers, detail.decorators, detail.type_parameters, detail.tag


def _text(entry: Entry) -> object:
    if entry.record.kind in FUNCTIONS or (entry.record.kind in TYPES and entry.record.kind is not Kind.TYPE):
        return entry.body.tokens if entry.body else ()
    return tokens_of(entry.detail.value)


def _breakages(old: Entry, new: Entry, pairs: Pairs) -> Iterator[Breakage]:
    """What breaks users of an exported symbol that is in both bundles."""
    if old.owner and _is_moved(old, new, pairs) and old.owner in pairs.of_old:  # pulled up, or given to another type
        if not _is_still_there(old, pairs):
            yield breaks("moved", f"it is `{new.name}` now, and was `{old.name}`")
            return
    elif not new.is_exported:
        if found := _hidden(old, new):
            yield found
        return
    elif is_renamed(old, new):
        if not _has_namesake(old, pairs) and not _is_still_there(old, pairs):
            yield breaks("renamed", f"it is called `{new.name}` now, and was called `{old.name}`")
    elif old.home != new.home and old.owner is None and old.surface.is_direct(old.ordinal):
        is_passed_on = new.surface.offers(old.home, old.record.name)
        if not is_passed_on:
            yield breaks("moved", f"it is in `{new.home or new.path}` now, and was in `{old.home or old.path}`")
    elif old.owner is None and (lost := _lost_paths(old, new)):
        yield breaks("reexport-removed", f"it is not in {lost} any more")
    yield from definitions.breakages(old, new)


def _lost_paths(old: Entry, new: Entry) -> str:
    """The modules of a crate in which a symbol could be named and cannot any more."""
    if not old.surface.crates.package_of(old.file):
        return ""
    places = old.surface.crates.addresses.get(old.ordinal, ())
    lost = [module for module, name in places if not new.surface.offers(module, name)]
    return ", ".join(f"`{each}`" for each in sorted(lost)[:3]) + (" and others" if len(lost) > 3 else "")


def _hidden(old: Entry, new: Entry) -> Breakage | None:
    """What it breaks that a symbol is not exported any more; None if that goes with its type, or if its old module passes it on."""
    if old.owner and new.owner and old.owner.is_exported and not new.owner.is_exported:
        return None
    if new.surface.offers(old.home, old.record.name):
        return None
    if old.record.name.startswith("__"):
        return None
    if new.surface.crates.package_of(new.file) and old.detail.visibility == new.detail.visibility:
        return (breaks if old.surface.reads_text else may_break)("hidden", "no public path leads to it any more")
    is_unlisted = new.surface.is_public_module(new.file) and old.detail.visibility == new.detail.visibility and old.path == new.path
    if is_unlisted:
        return may_break("hidden", "it is not among the exported names any more")
    if old.detail.visibility != new.detail.visibility:
        return breaks("hidden", f"it is {new.detail.visibility or 'not marked as exported'} now")
    if old.surface.is_direct(old.ordinal):
        return breaks("hidden", f"it is in a private place now: `{new.path}`")
    return may_break("hidden", "no public module passes it on any more")
