"""All indexed files in, the role of each out: the first of all roles that fit it (:data:`hardtack.nouns.roles.PRECEDENCE`).

    Places          path             -> what words of folders and names say     places.py
    Amalgamations   outlines, words  -> files that hold others                  amalgamations.py

The result depends on the files and their order alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.roles.amalgamations import Amalgamations
from hardtack.build.roles.places import Places
from hardtack.nouns.model import Content
from hardtack.nouns.roles import PRECEDENCE, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.bundle.writer import IndexedFile
    from hardtack.nouns.outline import SourceFile


class RolesOfFiles:
    """Takes indexed files in path order, then tells their roles."""

    def __init__(self, *, has_roots: bool = False) -> None:
        """Start without files; ``has_roots``: the first component of each path is the name of a root of its own."""
        self._has_roots = has_roots
        self._paths: list[str] = []
        self._fitting: list[set[Role]] = []
        self._code: list[str] = []
        self._amalgamations = Amalgamations()

    def add(self, file: SourceFile, indexed: IndexedFile) -> None:
        """Take the next file."""
        fitting = {Role.SOURCE}
        if file.is_test:
            fitting.add(Role.TEST)
        if file.content is Content.DOCUMENTATION:
            fitting.add(Role.DOCUMENTATION)
        elif file.content is Content.CONFIGURATION:
            fitting.add(Role.CONFIGURATION)
        else:
            self._code.append(file.path)
            self._amalgamations.add(len(self._paths), indexed.symbols, indexed.words[0])
        self._paths.append(file.path)
        self._fitting.append(fitting)

    def decided(self) -> Sequence[Role]:
        """The role of each file, in order; once, after the last file."""
        for file in self._amalgamations.found():
            self._fitting[file].add(Role.AMALGAMATION)
        places = Places(self._code, has_roots=self._has_roots)
        for path, fitting in zip(self._paths, self._fitting, strict=True):
            fitting.update(places.roles(path))
        return [next(role for role in PRECEDENCE if role in fitting) for fitting in self._fitting]
