"""A note in, a comment of fewer than 60 lines of Markdown out; every name in it is inert."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hardtack.comment.note import Broken, Counted, Note, Reach, Surfaced
from hardtack.comment.words import code, sentence
from hardtack.render.stats import readable_size

MARKER: Final = "<!-- hardtack: what this pull request changes -->"
"""The first line of every comment, by which it is found again; nobody sees it."""
MOST_LINES: Final = 59
MOST_CHARACTERS: Final = 65_000
"""GitHub takes 65,536."""
_SHORT: Final = 12
_REASONS: Final = {
    "changed": "changed",
    "references": "by references",
    "naming": "by name",
    "imports": "by import",
    "location": "by place",
}
_COUNTS: Final = 8
"""Reasons that are shown of what was left out."""


def comment_of(note: Note, *, commit: str = "", run: str = "") -> str:
    """The comment, its marker first.

    Args:
        note: what to say; not one that is silent.
        commit: the newest commit of the pull request, as GitHub tells it.
        run: address of the run that made the note.
    """
    for most in (100, 3, 1):  # a note of nothing but long hostile names is shown in part
        body = "\n".join([MARKER, "### What this pull request changes", "", *lines_of(note, most=most), "", _footer(commit, run)])
        if len(body) <= MOST_CHARACTERS:
            break
    assert body.count("\n") < MOST_LINES and len(body) <= MOST_CHARACTERS
    return body + "\n"


def lines_of(note: Note, *, most: int = 100) -> Iterator[str]:
    """What a note says, without heading and footer; ``most`` entries of each list."""
    yield _headline(note)
    in_all = note.breaks + note.may_break
    yield from _folded(
        f"What breaks callers ({in_all})", map(_broken, note.broken[:most]), in_all - len(note.broken[:most]), is_open=True
    )
    shown = note.surfaced[:most]
    yield from _folded(
        f"Other changes of the public surface ({note.surfaced_in_all})", map(_surfaced, shown), note.surfaced_in_all - len(shown)
    )
    if note.reach:
        yield from _reach(note.reach, most)
    left_out = [*_left_out("files", note.skipped), *_left_out("secrets taken out", note.secrets)]
    left_out += [f"not known: {sentence(each)}" for each in note.notes[:most]]
    files, secrets = (sum(each.count for each in counted) for counted in (note.skipped, note.secrets))
    title = f"Left out: {_number(files, 'file', 'files')}" + (f", {_number(secrets, 'secret', 'secrets')}" if secrets else "")
    yield from _folded(title, left_out, 0)
    built = note.built
    yield ""
    yield (
        f"Index: {built.files} files, {built.symbols} symbols, {readable_size(built.pack_bytes)}, {code(built.bundle_digest)};"
        f" compared with that of {code(note.base[:_SHORT])}."
    )


def _headline(note: Note) -> str:
    """The outcome in one line."""
    said = []
    if note.breaks:
        said.append(f"**{_number(note.breaks, 'change breaks', 'changes break')} callers**")
    if note.may_break:
        said.append(f"{_number(note.may_break, 'change may', 'changes may')} break callers")
    if note.surface:
        said.append("public surface: " + ", ".join(f"{each.count} {sentence(each.sort)}" for each in note.surface))
    if note.reach and (note.reach.reached or note.reach.test_files):
        said.append(f"reaches {_reached_in_all(note.reach)} and {_number(note.reach.test_files, 'file', 'files')} of tests")
    line = "; ".join(said) or "No public symbol changed"
    return f"{line[0].upper()}{line[1:]}. {_number(note.files_changed, 'file', 'files')} of code changed."


def _reached_in_all(reach: Reach) -> str:
    more = "" if reach.is_whole else " at least"
    entries = f", {_number(reach.entries, 'entry point', 'entry points')} among them," if reach.entries else ""
    return f"{_number(reach.reached, 'place', 'places')}{more}{entries}"


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _folded(title: str, lines: Iterable[str], left_out: int, *, is_open: bool = False) -> Iterator[str]:
    shown = list(lines)
    if not shown:
        return
    yield ""
    yield f"<details{' open' if is_open else ''}><summary>{title}</summary>"
    yield ""
    yield from (f"- {line}" for line in shown)
    if left_out > 0:
        yield f"- and {left_out} more"
    yield "</details>"


def _broken(broken: Broken) -> str:
    verdict = "" if broken.is_sure else "may break: "
    return f"{verdict}{_place(broken.kind, broken.name, broken.path, broken.line)}: {sentence(broken.says)} ({code(broken.rule)})"


def _surfaced(surfaced: Surfaced) -> str:
    was = f", was {code(surfaced.was)}" if surfaced.was else ""
    return f"{surfaced.change} {_place(surfaced.kind, surfaced.name, surfaced.path, surfaced.line)}{was}"


def _place(kind: str, name: str, path: str, line: int) -> str:
    where = code(f"{path}:{line}" if line else path)
    return f"{sentence(kind)} {code(name)} in {where}" if name else where


def _reach(reach: Reach, most: int) -> Iterator[str]:
    shown, tests = reach.shown[:most], reach.tests[:most]
    steps = [
        f"{_place(each.kind, each.name, each.path, each.line)}: {_number(each.distance, 'step', 'steps')}"
        + f", {sentence(each.certainty)}"
        + (f", entry point ({sentence(each.entry)})" if each.entry else "")
        for each in shown
    ]
    unresolved = f"; {_number(reach.unresolved, 'further use', 'further uses')} could not be resolved" if reach.unresolved else ""
    yield from _folded(f"Impact: {_reached_in_all(reach).rstrip(',')}{unresolved}", steps, reach.reached - len(shown))
    files = [
        f"{code(each.path)}: {_number(each.tests, 'test', 'tests') if each.tests else 'all of it'} ({_REASONS[each.reason]})"
        for each in tests
    ]
    title = f"Tests to run: {reach.test_files} of {_number(reach.all_test_files, 'file', 'files')} of tests"
    yield from _folded(title, files, reach.test_files - len(tests))


def _left_out(what: str, counted: Sequence[Counted]) -> list[str]:
    """One line: how many by reason, and how many more than before."""
    if not counted:
        return []
    shown = [
        f"{sentence(each.sort)} {each.count}"
        + (f" ({each.count - each.before} more than before)" if each.count > each.before else "")
        for each in counted[:_COUNTS]
    ]
    rest = sum(each.count for each in counted[_COUNTS:])
    return [f"{what}: " + ", ".join(shown) + (f", and {rest} for other reasons" if rest else "")]


def _footer(commit: str, run: str) -> str:
    of = f" of {code(commit[:_SHORT])}" if commit else ""
    made = f"[This run]({run}){of}" if run else f"A run{of}"
    return f"<sub>{made} made this, without a right to write; who changes its workflow can change what it says.</sub>"
