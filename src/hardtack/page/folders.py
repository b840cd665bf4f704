"""A bundle's files in, its folders out: what each holds, how many lines, and in which language most of them are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from hardtack.bundle.format.records import FileRecord
from hardtack.nouns.model import Content

TOP = ""
"""The path of the top folder."""


@dataclass(slots=True)
class Folder:
    """A folder and all that is below it."""

    path: str
    folders: list[str] = field(default_factory=list)
    """Paths of those directly in it, in order."""
    files: list[int] = field(default_factory=list)
    """Ordinals of those directly in it, in order."""
    file_count: int = 0
    """Files below it, at any depth."""
    lines: Counter[str] = field(default_factory=Counter)
    """Language -> lines of the files below it."""
    code_lines: int = 0
    """Lines of code below it, without tests."""

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]

    @property
    def line_count(self) -> int:
        """Lines of all files below it."""
        return self.lines.total()

    @property
    def language(self) -> str:
        """The language of most lines; empty without lines."""
        return max(self.lines, key=lambda language: (self.lines[language], language)) if self.lines else ""


def is_mapped(file: FileRecord) -> bool:
    """Whether a file counts in the map of folders: code that is no test."""
    return file.content == Content.CODE and not file.is_test


def above(path: str) -> list[str]:
    """The folders that a file or folder lies in, the top first."""
    parts = path.split("/")
    return [TOP, *("/".join(parts[:depth]) for depth in range(1, len(parts)))]


def folders_of(files: Sequence[FileRecord]) -> dict[str, Folder]:
    """Path -> folder, in order of paths, the top first."""
    found = {TOP: Folder(TOP)}
    for ordinal, file in enumerate(files):
        around = above(file.path)
        for outer, inner in pairwise(around):
            if inner not in found:
                found[inner] = Folder(inner)
                found[outer].folders.append(inner)
        found[around[-1]].files.append(ordinal)
        for each in around:
            folder = found[each]
            folder.file_count += 1
            folder.lines[file.language] += file.line_count
            folder.code_lines += file.line_count if is_mapped(file) else 0
    return dict(sorted(found.items()))


def main_folders(folders: Mapping[str, Folder], most: int, size: Callable[[Folder], int]) -> list[str]:
    """The folders that stand for the whole: the largest is cut into its own folders, again and again, while there is room.

    A folder that was cut stays for the files that lie directly in it, as the top does for all that is in none of the others.
    """
    chosen, waiting = {TOP}, [TOP]
    while waiting:
        largest = max(waiting, key=lambda each: (size(folders[each]), each))
        waiting.remove(largest)
        inner = [each for each in folders[largest].folders if size(folders[each])]
        if largest == TOP:
            inner = sorted(inner, key=lambda each: (-size(folders[each]), each))[: most - 1]
        if len(chosen) + len(inner) <= most:
            chosen.update(inner)
            waiting += inner
    return sorted(chosen)


def folder_in(path: str, chosen: Collection[str]) -> str:
    """The innermost of the chosen folders that a file lies in."""
    return next(each for each in reversed(above(path)) if each in chosen)
