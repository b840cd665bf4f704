"""A comparison of two bundles and what was built in, a note out: what is worth a comment, the most important first, and bounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.packing import PackInfo
from hardtack.comment import note as bounds
from hardtack.comment.note import Broken, Built, Counted, FileOfTests, Note, Reach, Reached, Surfaced
from hardtack.comment.words import shortened
from hardtack.nouns.changes import ChangeKind, Comparison, SymbolChange, Verdict
from hardtack.nouns.impact import AffectedTest, Impact, ReachedSymbol, Reason
from hardtack.render.style import inert_line

_SURFACE: Final = (
    ChangeKind.REMOVED,
    ChangeKind.ADDED,
    ChangeKind.RENAMED,
    ChangeKind.MOVED,
    ChangeKind.SIGNATURE,
    ChangeKind.VISIBILITY,
)
"""Changes of what others can name or how they use it; a symbol counts by the first that it has."""
_SORTS: Final = {ChangeKind.SIGNATURE: "with another signature", ChangeKind.VISIBILITY: "with another visibility"}


def note_of(comparison: Comparison, impact: Impact, before: Manifest, pack: PackInfo) -> Note:
    """What a comment says.

    Args:
        comparison: of the bundle of the base with that of the pull request.
        impact: what the changes from the one to the other reach.
        before: the manifest of the base's bundle.
        pack: that of the pull request's bundle.
    """
    manifest = pack.manifest
    verdicts = Counter(each.verdict for each in comparison.symbols)
    breaking = sorted((each for each in comparison.symbols if each.breakages), key=_by_verdict)
    surface = [(kind, each) for each in comparison.symbols if (kind := _surface_kind(each))]
    others = [(kind, each) for kind, each in surface if not each.breakages]
    others.sort(key=lambda pair: _SURFACE.index(pair[0]))
    counts = Counter(kind for kind, _ in surface)
    notes = list(dict.fromkeys((*comparison.notes, *impact.notes)))
    return Note(
        base=before.provenance.commit,
        head=manifest.provenance.commit,
        files_changed=comparison.files_changed,
        breaks=verdicts[Verdict.BREAKS],
        may_break=verdicts[Verdict.MAY_BREAK],
        broken=tuple(_broken(each) for each in breaking[: bounds.BREAKAGES]),
        surface=tuple(
            Counted(sort=_SORTS.get(kind, kind.value), count=counts[kind], before=0) for kind in _SURFACE if counts[kind]
        ),
        surfaced=tuple(_surfaced(kind, each) for kind, each in others[: bounds.CHANGES]),
        surfaced_in_all=len(others),
        reach=_reach(impact),
        skipped=tuple(_counted(manifest.skipped, before.skipped)),
        secrets=tuple(_counted(_secrets(manifest), _secrets(before))),
        built=Built(
            bundle_digest=pack.bundle_digest,
            pack_digest=pack.digest,
            pack_bytes=pack.size,
            files=manifest.counts.files,
            symbols=manifest.counts.symbols,
        ),
        notes=tuple(_cut(each, bounds.SENTENCE_LENGTH) for each in notes[: bounds.NOTES]),
    )


def _by_verdict(change: SymbolChange) -> int:
    return list(Verdict).index(change.verdict) if change.verdict else len(Verdict)


def _surface_kind(change: SymbolChange) -> ChangeKind | None:
    return next((kind for kind in _SURFACE if kind in change.kinds), None) if change.is_exported else None


def _broken(change: SymbolChange) -> Broken:
    state = change.old or change.new
    place = change.new or change.old
    assert state is not None and place is not None
    worst = next(each for each in change.breakages if each.verdict is change.verdict)
    return Broken(
        is_sure=worst.verdict is Verdict.BREAKS,
        kind=_cut(state.kind),
        name=_cut(state.name),
        path=_cut(place.path),
        line=place.line,
        rule=worst.rule,
        says=_cut(worst.sentence, bounds.SENTENCE_LENGTH),
    )


def _surfaced(kind: ChangeKind, change: SymbolChange) -> Surfaced:
    state = change.new or change.old
    assert state is not None
    was = change.old.name if change.old and change.old.name != state.name else ""
    return Surfaced(
        change=kind.value,  # type: ignore[arg-type]  # one of _SURFACE
        kind=_cut(state.kind),
        name=_cut(state.name),
        was=_cut(was),
        path=_cut(state.path),
        line=state.line,
    )


def _reach(impact: Impact) -> Reach | None:
    """What the change reaches; None if that is nothing but tests that it changes itself."""
    files: dict[str, list[AffectedTest]] = {}
    for test in sorted(impact.tests, key=_by_reason):
        files.setdefault(test.path, []).append(test)
    if not impact.reached and all(test.reason is Reason.CHANGED for test in impact.tests):
        return None
    steps = sorted(impact.reached, key=lambda each: (not each.entry, each.distance))  # entry points tell most
    return Reach(
        reached=len(steps),
        entries=sum(bool(each.entry) for each in steps),
        shown=tuple(map(_reached, steps[: bounds.REACHED])),
        test_files=len(files),
        all_test_files=max(impact.test_files, len(files)),
        tests=tuple(_test_file(path, tests) for path, tests in islice(files.items(), bounds.TESTS)),
        unresolved=impact.unresolved,
        is_whole=impact.is_whole,
    )


def _by_reason(test: AffectedTest) -> tuple[int, int]:
    order = (Reason.REFERENCES, Reason.CHANGED, Reason.NAMING, Reason.IMPORTS, Reason.LOCATION)
    return order.index(test.reason), test.distance


def _reached(step: ReachedSymbol) -> Reached:
    return Reached(
        kind=_cut(step.symbol.kind),
        name=_cut(step.symbol.name),
        path=_cut(step.symbol.path),
        line=step.symbol.line,
        distance=step.distance,
        certainty=step.certainty.value,
        entry=_cut(step.entry),
    )


def _test_file(path: str, tests: Sequence[AffectedTest]) -> FileOfTests:
    """A file of tests, its strongest first."""
    count = len(tests) if all(test.name for test in tests) else 0
    return FileOfTests(path=_cut(path), tests=count, reason=tests[0].reason.value)


def _secrets(manifest: Manifest) -> Mapping[str, int]:
    """Rule -> how many secrets were taken out; none of a bundle that keeps them."""
    return manifest.secrets.found if manifest.secrets and manifest.secrets.mode != "warn" else {}


def _counted(now: Mapping[str, int], before: Mapping[str, int]) -> Iterator[Counted]:
    """The sorts of the most, those that were less before first."""
    ordered = sorted(now, key=lambda sort: (now[sort] <= before.get(sort, 0), -now[sort], sort))
    for sort in ordered[: bounds.REASONS]:
        yield Counted(sort=_cut(sort), count=now[sort], before=before.get(sort, 0))


def _cut(text: str, most: int = bounds.NAME_LENGTH) -> str:
    return shortened(inert_line(text), most)
