"""What was related before, as a build finds it in its base: for tests that relate files in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, zip_longest

from source_files import source_file

from hardtack.build.relations.invalidation import EarlierFile
from hardtack.build.relations.relate import Related, Relater
from hardtack.build.workers.analyse import analyse
from hardtack.bundle.writer import IndexedFile
from hardtack.nouns.outline import SourceFile
from hardtack.nouns.projects import project_of_row
from hardtack.nouns.relations import Reference

Found = Mapping[str, Sequence[Reference]]


def source_files(texts: Mapping[str, str]) -> list[SourceFile]:
    """Files as the source stage gives them, in order of path."""
    return [source_file(path, text) for path, text in sorted(texts.items())]


class EarlierBuild:
    """Files that were related, and what came of it."""

    def __init__(self, files: Sequence[SourceFile], indexed: Sequence[IndexedFile], references: Found) -> None:
        self.files = {file.path: file for file in files}
        self.rows = list(zip(files, indexed, strict=True))
        self._references = references

    def is_of_files(self, files: Iterable[tuple[str, str, str]]) -> bool:
        own = ((file.path, file.language, indexed.package) for file, indexed in self.rows)
        return all(one == other for one, other in zip_longest(own, files))

    def earlier(self, file: int) -> EarlierFile:
        indexed = self.rows[file][1]
        return EarlierFile(file, indexed.symbols, indexed.details, indexed.imported, indexed.project)

    def first_symbols(self) -> Sequence[int]:
        return list(accumulate((len(indexed.symbols) for _, indexed in self.rows), initial=0))

    def references(self) -> Iterable[tuple[str, Sequence[Reference]]]:
        return self._references.items()

    def without_references(self, path: str = "") -> EarlierBuild:
        """The same with no references, or with none of one file."""
        gone = [file.path for file, _ in self.rows].index(path) if path else -1
        left = {name: [each for each in some if each.file != gone and path] for name, some in self._references.items()}
        return EarlierBuild([file for file, _ in self.rows], [indexed for _, indexed in self.rows], left)


def related(
    files: Sequence[SourceFile], base: EarlierBuild | None = None, *, read_again: Sequence[str] = ()
) -> tuple[Related, EarlierBuild]:
    """What relating files gives, and the same as a base of the next build.

    Args:
        files: in order of path.
        base: of an earlier build.
        read_again: paths of files that are read again though they are the same.
    """
    relater, made = Relater([]), [analyse(file, None) for file in files]
    for file, indexed in zip(files, made, strict=True):
        held = base.files.get(file.path) if base is not None else None
        is_same = held is not None and held.text == file.text
        relater.add(file, indexed, is_same=is_same, is_reused=is_same and file.path not in read_again)
    projects = [project_of_row(indexed.project) for indexed in made if indexed.project is not None]
    found = relater.relate(projects, base)
    return found, EarlierBuild(files, made, found.references)


def by_name(found: Related) -> Mapping[str, Sequence[Reference]]:
    """The references of every name that has any, in order."""
    return {name: sorted(some) for name, some in found.references.items() if some}
