"""Two bundles in, whether and where they can be compared out: which files differ, and what an answer has to say beside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import PolicyError, UsageError
from hardtack.nouns.model import Content

_OPTIONS: Final = {
    "vendor": "whether files of others are in",
    "keep": "which directories are in",
    "max_file_size": "how large a file may be",
}
"""Options of a build that decide which files are in a bundle -> what they decide."""

_NAMED: Final = 3
"""Paths that a note names at most."""


class Scope(NamedTuple):
    """The files that are compared."""

    old: tuple[int, ...]
    """Ordinals of files of code that are not in the new bundle, or with other content."""
    new: tuple[int, ...]
    changed: int
    """Files of both, each path counted once."""
    unread: frozenset[str]
    """Paths of the old bundle that the new build saw and could not read whole, so that what is missing there may be there."""
    tests: bool
    """Whether tests are compared: both bundles have them."""


def check(old: Bundle, new: Bundle, *, any_repository: bool) -> None:
    """Refuse bundles that have nothing to do with each other.

    Raises:
        PolicyError: they are of different repositories.
        UsageError: they are of different directories or roots of one.
    """
    before, after = old.manifest.provenance, new.manifest.provenance
    if before.repository and after.repository and before.repository != after.repository and not any_repository:
        raise PolicyError(
            f"The bundles are of different repositories: {before.repository} and {after.repository}.",
            hint="Where one is a fork of the other, add --any-repository.",
        )
    if (before.subdirectory, before.roots) != (after.subdirectory, after.roots):
        places = [each.subdirectory or ", ".join(each.roots) or "its top" for each in (before, after)]
        raise UsageError(
            f"The bundles are of different directories of their repository: {places[0]} and {places[1]}.",
            hint="Build both of the same directory.",
        )


def scope_of(old: Bundle, new: Bundle) -> Scope:
    """The files of code that differ."""
    tests = bool(old.manifest.options.get("tests", True)) and bool(new.manifest.options.get("tests", True))
    before, after = ({file.path: (n, file) for n, file in enumerate(each.files) if _counts(file, tests)} for each in (old, new))
    changed = [path for path in sorted({*before, *after}) if _digest(before.get(path)) != _digest(after.get(path))]
    skipped = {new.skips.skip(row).path for row in range(len(new.skips))}
    unread = {path for path in changed if path in before and (path in skipped or _is_partly_read(after.get(path)))}
    return Scope(
        old=tuple(before[path][0] for path in changed if path in before),
        new=tuple(after[path][0] for path in changed if path in after),
        changed=len(changed),
        unread=frozenset(unread),
        tests=tests,
    )


def _counts(file: FileRecord, tests: bool) -> bool:
    return file.content == Content.CODE and (tests or not file.is_test)


def _digest(numbered: tuple[int, FileRecord] | None) -> bytes:
    return numbered[1].sha256 if numbered else b""


def _is_partly_read(numbered: tuple[int, FileRecord] | None) -> bool:
    return numbered is not None and numbered[1].parse_status in ("partial", "error")


def notes(old: Bundle, new: Bundle, scope: Scope) -> Iterator[str]:
    """What could not be compared."""
    without = [which for which, bundle in (("old", old), ("new", new)) if not bundle.has_text]
    if without:
        which = f"the {' and '.join(without)} bundle{'s have' if len(without) > 1 else ' has'}"
        yield f"{which} no source text: bodies and __all__ are not compared, and nothing is recognised as renamed"
    if not scope.tests and old.manifest.options.get("tests") != new.manifest.options.get("tests"):
        yield "one of the bundles was built without tests: tests are not compared"
    for option, decides in _OPTIONS.items():
        if old.manifest.options.get(option) != new.manifest.options.get(option):
            yield f"the bundles were built with different options ({option}: {decides}), so a file may be in only one"
    if old.manifest.tool != new.manifest.tool:
        tools = f"{old.manifest.tool} and {new.manifest.tool}"
        yield f"the bundles were built by different versions ({tools}), which may read a file differently"
    if not old.manifest.provenance.repository or not new.manifest.provenance.repository:
        yield "one of the bundles does not say which repository it is of"
    if scope.unread:
        some = ", ".join(sorted(scope.unread)[:_NAMED]) + (" and others" if len(scope.unread) > _NAMED else "")
        yield f"the new bundle left out files, or could not parse them whole; what is missing may be there: {some}"
