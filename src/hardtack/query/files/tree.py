"""A path or globs as a caller gives them in, the file, directory or files of the bundle that they mean out.

Every file of a bundle is in one of two parts, ``docs`` and ``code``. If the bundle was built with a root named ``docs`` (or
``code``), that part is the files of that root, and the other part all others; else ``docs`` is the files classed as documentation.
Paths in results are the stored ones. A caller may leave out the name of a root if only one root has the path. If a bundle of one
root has no directory ``docs`` (or ``code``), that name before a path means the part.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from hardtack.bundle.format.records import FileRecord, SkipRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound, UsageError
from hardtack.nouns.model import Content
from hardtack.query.files.did_you_mean import nearest_paths
from hardtack.query.files.left_out import left_out_at, left_out_below, left_out_to_json, sentence_of
from hardtack.query.files.path_spelling import checked_glob, details_of, shown, spellings
from hardtack.query.request.globs import matching

DOCS: Final = "docs"
CODE: Final = "code"
BOTH: Final = "both"

_CACHED_SELECTIONS: Final = 64
_NAMED_SKIPS: Final = 20
"""Paths left out that an error lists."""
_AFTER_SLASH: Final = "0"
"""The character after ``/``. In sorted paths, those below a directory end before the directory's name followed by it."""


class PathEntry(NamedTuple):
    """A file or directory directly in a directory."""

    path: str
    """Its whole path in the bundle."""
    type: str
    """``file`` or ``directory``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSelection:
    """Files to search."""

    repo: str
    """The part they are in: ``docs``, ``code`` or ``both``."""
    files: Sequence[int]
    """Ordinals of the files of ``docs``, then of ``code``, each in order of paths."""


class Tree:
    """The files of a bundle as a tree. Safe to share between threads."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._roots = bundle.manifest.provenance.roots
        self._cached_selection = lru_cache(maxsize=_CACHED_SELECTIONS)(self._selected)

    def part_of(self, file: FileRecord) -> str:
        """``docs`` or ``code``."""
        for root, other in ((DOCS, CODE), (CODE, DOCS)):
            if root in self._roots:
                return root if file.path.startswith(f"{root}/") else other
        return DOCS if file.content == Content.DOCUMENTATION else CODE

    # -- one file, one directory --------------------------------------------------------------------------------------------

    def file(self, path: str, repo: str | None = None) -> FileRecord:
        """The file that ``path`` means.

        Raises:
            UsageError: PATH_EMPTY, PATH_OUT_OF_ROOT, PATH_AMBIGUOUS, REPO_INVALID.
            NotFound: FILE_NOT_FOUND; ``details.suggestions`` lists the nearest.
        """
        part = _part(repo)

        def is_there(candidate: str, part: str) -> bool:
            found = self._bundle.file_at(candidate)
            return found is not None and part in (BOTH, self.part_of(found))

        stored, part = self._resolved(path, part, is_there)
        found = self._bundle.file_at(stored) if stored is not None else None
        if found is None:
            raise self._no_file(path, part)
        return found

    def directory(self, path: str, repo: str | None = None) -> tuple[str, str]:
        """The stored path of the directory that ``path`` means, ``""`` for the top, and the part that the path names.

        Raises:
            UsageError: as of :meth:`file`.
            NotFound: DIR_NOT_FOUND; ``details.suggestions`` lists the nearest.
        """
        part = _part(repo)
        stored, part = self._resolved(path, part, self._has_directory)
        if stored is None:
            raise self._no_directory(path, part)
        return stored, part

    def _resolved(self, path: str, part: str, is_there: Callable[[str, str], bool]) -> tuple[str | None, str]:
        """The stored path that ``path`` means, or None; and the part that the path names, else ``part``."""
        if path and is_there(path, part):  # a stored path means itself, even if it looks like another spelling
            return path, part
        for name in spellings(self._bundle, path):
            if not name and self._is_one_root(part):
                return part, part
            if is_there(name, part):
                return name, part
            roots = [root for root in self._roots if is_there(f"{root}/{name}", part)]
            if len(roots) > 1:
                raise UsageError(
                    f"The path {shown(path)} is in several roots.",
                    code="PATH_AMBIGUOUS",
                    details=details_of(path, repos=roots),
                    hint=f"Name the root, as in {roots[0]}/{name}.",
                )
            if roots:
                return f"{roots[0]}/{name}", part
            first, _, rest = name.partition("/")
            if self._is_part(first) and part in (BOTH, first) and is_there(rest, first):
                return rest, first
        return None, part

    def _is_part(self, name: str) -> bool:
        """Whether a path's first component is the name of a part: in a bundle of one root without such a directory."""
        return name in (DOCS, CODE) and not self._roots and not self._has_directory(name, BOTH)

    def _is_one_root(self, part: str) -> bool:
        """Whether all files of a part are in the root of that name."""
        paths = self._paths(part)  # sorted, so the first and the last tell
        return part in self._roots and all(path.startswith(f"{part}/") for path in (*paths[:1], *paths[-1:]))

    def _has_directory(self, path: str, part: str) -> bool:
        if not path:
            return True
        paths = self._paths(part)
        at = bisect_left(paths, f"{path}/")
        return at < len(paths) and paths[at].startswith(f"{path}/")

    def entries(self, directory: str, part: str = BOTH) -> list[PathEntry]:
        """The files of a part in a directory, and the directories in it that contain some; by name, in order of code points."""
        paths, prefix = self._paths(part), f"{directory}/" if directory else ""
        at = bisect_left(paths, prefix)
        end = bisect_left(paths, f"{directory}{_AFTER_SLASH}") if directory else len(paths)
        entries = []
        while at < end:
            name, slash, _ = paths[at][len(prefix) :].partition("/")
            entries.append(PathEntry(prefix + name, "directory" if slash else "file"))
            at = bisect_left(paths, f"{prefix}{name}{_AFTER_SLASH}", at) if slash else at + 1
        return sorted(entries)

    def top(self) -> list[PathEntry]:
        """The parts of a bundle of one root, or the roots of a bundle of several."""
        return [PathEntry(name, "directory") for name in self._roots or (DOCS, CODE)]

    # -- many files ---------------------------------------------------------------------------------------------------------

    def select(self, repo: str | None = None, globs: Sequence[str] = ()) -> FileSelection:
        """The files of a part that match any of ``globs``; all of the part without any.

        Raises:
            UsageError: REPO_INVALID, FILE_GLOB_INVALID.
        """
        return self._cached_selection(_part(repo), tuple(globs))

    def _selected(self, part: str, globs: tuple[str, ...]) -> FileSelection:
        parts = (DOCS, CODE) if part == BOTH else (part,)
        everything = [ordinal for each in parts for ordinal in self._ordinals[each]]
        if not globs:
            return FileSelection(repo=part, files=everything)
        parts_and_globs = [self._part_of_glob(checked_glob(self._bundle, glob)) for glob in globs]
        chosen: set[int] = set()
        for within, glob in parts_and_globs:
            chosen.update(self._matching(glob, self.select(part if within == BOTH else within).files))
        searched = {within if part == BOTH else part for within, _ in parts_and_globs}
        files = [ordinal for ordinal in everything if ordinal in chosen]
        return FileSelection(repo=searched.pop() if len(searched) == 1 else part, files=files)

    def _part_of_glob(self, glob: str) -> tuple[str, str]:
        """The part that a glob names, or ``both``; and the glob to match with paths."""
        first, slash, rest = glob.partition("/")
        if slash and self._is_part(first):
            return first, rest or "**"
        return (first if first in (DOCS, CODE) and first in self._roots else BOTH), glob

    def _matching(self, glob: str, files: Sequence[int]) -> list[int]:
        """Those of ``files`` that match; in a bundle of several roots also without the name of the root."""
        paths = [self._bundle.files[ordinal].path for ordinal in files]
        flags = matching(glob, paths)
        if self._roots and glob.partition("/")[0] not in self._roots:
            in_roots = matching(glob, [path.partition("/")[2] for path in paths])
            flags = [with_root or without for with_root, without in zip(flags, in_roots, strict=True)]
        return [ordinal for ordinal, matches in zip(files, flags, strict=True) if matches]

    @cached_property
    def _ordinals(self) -> dict[str, list[int]]:
        """The ordinals of the files of each part."""
        ordinals: dict[str, list[int]] = {DOCS: [], CODE: []}
        for ordinal, file in enumerate(self._bundle.files):
            ordinals[self.part_of(file)].append(ordinal)
        return ordinals

    @cached_property
    def documentation(self) -> frozenset[str]:
        """The paths of the files in ``docs``."""
        return frozenset(self._paths(DOCS))

    def _paths(self, part: str) -> list[str]:
        return self._paths_of_parts[part]

    @cached_property
    def _paths_of_parts(self) -> dict[str, list[str]]:
        files = self._bundle.files
        paths = {part: [files[ordinal].path for ordinal in ordinals] for part, ordinals in self._ordinals.items()}
        return {**paths, BOTH: [file.path for file in files]}

    # -- errors ------------------------------------------------------------------------------------------------------------

    def _no_file(self, path: str, part: str) -> NotFound:
        name = next(spellings(self._bundle, path))
        hint = ""
        if self._has_directory(name, BOTH):
            hint = "It is a directory."
        elif (elsewhere := self._bundle.file_at(name)) is not None:
            hint = f"It is in {self.part_of(elsewhere)}."
        if not hint and (skip := left_out_at(self._bundle, name)) is not None:
            return self._left_out("FILE_NOT_FOUND", "file", path, [skip])
        near = nearest_paths(name, self._paths(BOTH)) if not hint else []
        return _not_found("FILE_NOT_FOUND", "file", path, part, hint, near)

    def _no_directory(self, path: str, part: str) -> NotFound:
        name = next(spellings(self._bundle, path))
        hint = ""
        if self._bundle.file_at(name) is not None:
            hint = "It is a file."
        elif self._has_directory(name, BOTH):
            hint = f"It has nothing of {part}."
        if not hint and (skips := left_out_below(self._bundle, name) or self._submodule_at(name)):
            return self._left_out("DIR_NOT_FOUND", "directory", path, skips)
        near = nearest_paths(name, self._directories) if not hint else []
        return _not_found("DIR_NOT_FOUND", "directory", path, part, hint, near)

    def _submodule_at(self, name: str) -> list[SkipRecord]:
        skip = left_out_at(self._bundle, name)
        return [skip] if skip is not None else []

    def _left_out(self, code: str, what: str, path: str, skips: Sequence[SkipRecord]) -> NotFound:
        details = details_of(path, left_out=left_out_to_json(skips[:_NAMED_SKIPS]))
        return NotFound(f"The bundle has no {what} {shown(path)}.", code=code, details=details, hint=sentence_of(skips))

    @cached_property
    def _directories(self) -> list[str]:
        found: set[str] = set()
        for path in self._paths(BOTH):
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return sorted(found)


def _part(repo: str | None) -> str:
    if repo in (None, DOCS, CODE, BOTH):
        return repo or BOTH
    raise UsageError(
        f"The repo must be docs, code or both, not {shown(str(repo))}.",
        code="REPO_INVALID",
        details={"repo": details_of(str(repo))["path"]},
    )


def _not_found(code: str, what: str, path: str, part: str, hint: str, near: Sequence[str]) -> NotFound:
    details = details_of(path)
    if part != BOTH:
        details["repo"] = part
    if near:
        details["suggestions"] = list(near)
        hint = f"Nearest: {', '.join(near)}."
    where = "" if part == BOTH else f" in {part}"
    return NotFound(f"The bundle has no {what} {shown(path)}{where}.", code=code, details=details, hint=hint)
