"""A comparison with an older bundle in, what the page of changes shows of it out: what breaks first, then by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from hardtack.nouns.changes import ComparedBundle, Comparison, ProjectChange, RelationChange, SymbolChange, SymbolState
from hardtack.render.changes import TITLES, VERDICTS, first_kind
from hardtack.render.style import inert_line

_MOST: Final = 500
"""Entries of a section."""
_LONGEST: Final = 400
"""Characters of a signature or sentence."""

LinkTo = Callable[[str, int], str]
"""The address of a line of a file in this page; empty where the page has no such file."""


class ChangedSymbol(NamedTuple):
    """A symbol that differs."""

    kind: str
    name: str
    was: str
    """Its name before, where that is another."""
    place: str
    href: str
    """Empty where it is gone."""
    is_exported: bool
    how: tuple[str, ...]
    """The kinds of its changes."""
    why: tuple[str, ...]
    """What breaks."""
    old_signature: str
    """Empty where it is the same as the new one."""
    new_signature: str


class ChangedLine(NamedTuple):
    """Something else that differs."""

    sign: str
    text: str
    place: str
    href: str


class Section(NamedTuple):
    """Changes under one heading."""

    title: str
    total: int
    symbols: tuple[ChangedSymbol, ...] = ()
    lines: tuple[ChangedLine, ...] = ()

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.total - len(self.symbols) - len(self.lines)


class ChangesView(NamedTuple):
    """What the page of changes shows."""

    title: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...]


def changes_view(comparison: Comparison, link: LinkTo) -> ChangesView:
    """The view of a comparison whose newer bundle is the one of the page."""
    files = f"{comparison.files_changed:,} file{'' if comparison.files_changed == 1 else 's'} of code changed"
    facts = (_bundle("from", comparison.old), _bundle("to", comparison.new), files)
    sections = [*_symbol_sections(comparison.symbols, link), *_other_sections(comparison, link)]
    notes = tuple(f"{note[:1].upper()}{note[1:_LONGEST]}." for note in map(inert_line, comparison.notes))
    return ChangesView(f"Changes since {inert_line(comparison.old.name)}", facts, tuple(sections), notes)


def _symbol_sections(symbols: Sequence[SymbolChange], link: LinkTo) -> Iterator[Section]:
    found: Mapping[str, list[SymbolChange]] = {title: [] for title in (*VERDICTS.values(), *TITLES.values())}
    for each in symbols:
        found[VERDICTS[each.verdict] if each.verdict else TITLES[first_kind(each)]].append(each)
    for title, changes in found.items():
        changes.sort(key=lambda each: not each.is_exported)
        if changes:
            yield Section(title, len(changes), symbols=tuple(_symbol(each, link) for each in changes[:_MOST]))


def _other_sections(comparison: Comparison, link: LinkTo) -> Iterator[Section]:
    if relations := comparison.relations:
        lines = tuple(_relation(each, link) for each in relations[:_MOST])
        yield Section("Imports, supertypes and calls", len(relations), lines=lines)
    if projects := comparison.projects:
        yield Section("Projects", len(projects), lines=tuple(_project(each) for each in projects[:_MOST]))


def _symbol(change: SymbolChange, link: LinkTo) -> ChangedSymbol:
    state = change.new or change.old
    assert state
    old, new = _signature(change.old), _signature(change.new)
    return ChangedSymbol(
        kind=state.kind,
        name=inert_line(state.name),
        was=inert_line(change.old.name) if change.old and change.old.name != state.name else "",
        place=inert_line(f"{state.path}:{state.line}"),
        href=link(state.path, state.line) if change.new else "",
        is_exported=change.is_exported,
        how=tuple(kind.value for kind in change.kinds),
        why=tuple(inert_line(each.sentence)[:_LONGEST] for each in change.breakages),
        old_signature=old if old != new else "",
        new_signature=new,
    )


def _signature(state: SymbolState | None) -> str:
    return inert_line(state.signature)[:_LONGEST] if state else ""


def _relation(change: RelationChange, link: LinkTo) -> ChangedLine:
    source = f"{inert_line(change.source)} " if change.source else ""
    text = f"{source}{change.relation} {inert_line(change.target)[:_LONGEST]}"
    place = inert_line(f"{change.path}:{change.line}")
    return ChangedLine("+" if change.is_gained else "−", text, place, link(change.path, change.line) if change.is_gained else "")


def _project(change: ProjectChange) -> ChangedLine:
    text = f"{change.field}: {inert_line(change.old) or 'none'} → {inert_line(change.new) or 'none'}"
    return ChangedLine("", text[:_LONGEST], inert_line(change.path), "")


def _bundle(word: str, bundle: ComparedBundle) -> str:
    of = bundle.commit[:12] or bundle.digest[:19]
    return f"{word} {inert_line(bundle.name)} ({inert_line(of)}{', with what is not committed' if bundle.is_working_tree else ''})"
