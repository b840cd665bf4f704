"""Both surfaces in, what modules have lost out: modules of Python that are gone, and names that modules passed on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.diff.comparable import Scope
from hardtack.diff.pairing import Pairs, is_renamed
from hardtack.diff.rules import breaks, may_break
from hardtack.diff.statements import SCRIPTS
from hardtack.diff.surface import Surface, address_of_module
from hardtack.nouns.changes import Breakage, ChangeKind, SymbolChange, SymbolState
from hardtack.nouns.model import Kind


def gone_modules(before: Surface, after: Surface, scope: Scope) -> dict[str, FileRecord]:
    """Path -> file of each public module of Python that nobody can import any more."""
    files = (before.bundle.file(number) for number in scope.old)
    return {
        file.path: file
        for file in files
        if file.language == "python"
        and before.is_public_module(file)
        and not file.path.endswith("__main__.py")
        and not after.has_module(address_of_module(file.path))
        and file.path not in scope.unread
    }


def module_gone(file: FileRecord) -> SymbolChange:
    """The change that tells of one of :func:`gone_modules`."""
    address = address_of_module(file.path)
    return SymbolChange(
        language=file.language,
        kinds=(ChangeKind.REMOVED,),
        old=SymbolState(kind=Kind.MODULE.value, name=address, path=file.path, line=1, signature=""),
        new=None,
        is_exported=True,
        breakages=(breaks("module-removed", f"module `{address}` is gone, with all that is in it"),),
    )


def without_told(change: SymbolChange, gone: Mapping[str, FileRecord]) -> SymbolChange:
    """A change without the breakages that its module's own already tell."""
    if change.old is None or change.old.path not in gone:
        return change
    return replace(change, breakages=tuple(each for each in change.breakages if each.rule not in _WITH_MODULE))


_WITH_MODULE = frozenset({"removed", "moved", "renamed", "hidden", "reexport-removed"})


# -- names that modules pass on --


def reexports(
    before: Surface, after: Surface, pairs: Pairs, scope: Scope, gone: Mapping[str, FileRecord]
) -> Iterator[SymbolChange]:
    """Names that a module of Python or JavaScript passed on and does not have any more, unless their symbols tell it themselves."""
    told = {each.ordinal for each in pairs.old if each not in pairs.of_old or is_renamed(each, pairs.of_old[each])}
    names = {(entry.home, entry.record.name) for entry in pairs.new if entry.owner is None}
    for number in scope.old:
        file = before.bundle.file(number)
        home = address_of_module(file.path)
        if file.path in gone or not before.is_public_module(file) or (file.language not in SCRIPTS and file.language != "python"):
            continue
        is_listed = before.listed(number) is not None or file.language in SCRIPTS
        given = before.passed_on(number) if file.language == "python" else before.offered(number).items()
        for name, offered in given:
            if offered.symbol in told or (home, name) in names or after.offers(home, name):
                continue
            if f"{home}.{name}" in after.modules:
                continue
            verdict = breaks if is_listed else may_break
            yield _lost(before.bundle, file, name, offered.symbol, offered.line, verdict)


def _lost(
    bundle: Bundle, file: FileRecord, name: str, symbol: int, line: int, verdict: Callable[[str, str], Breakage]
) -> SymbolChange:
    kind = bundle.symbol_name(symbol).kind.value if symbol >= 0 else Kind.MODULE.value
    signature = bundle.symbol(symbol).signature if symbol >= 0 else ""
    return SymbolChange(
        language=file.language,
        kinds=(ChangeKind.REMOVED,),
        old=SymbolState(kind=kind, name=name, path=file.path, line=line, signature=signature),
        new=None,
        is_exported=True,
        breakages=(verdict("reexport-removed", f"`{address_of_module(file.path)}` does not pass on `{name}` any more"),),
    )
