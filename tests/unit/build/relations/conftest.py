"""Small repositories written in a test: what the names marked in them mean, and what their files tie together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from source_files import source_file

from hardtack.build.relations.relate import Related, Relater
from hardtack.build.workers.analyse import analyse
from hardtack.bundle.format.records import SYMBOL_FIELDS
from hardtack.bundle.format.tables import Row
from hardtack.nouns.projects import Project
from hardtack.nouns.relations import Reference, RelationKind

_MARKED = re.compile(rb"<<(.*?)>>")


@dataclass(frozen=True, slots=True)
class Repository:
    """All that relating its files gave, told in names."""

    paths: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]
    """By ordinal: path and qualified name."""
    lines: tuple[int, ...]
    """By ordinal: the line of the symbol's name."""
    marks: tuple[tuple[int, int, str], ...]
    """(file, first byte, name) of what was marked, in order."""
    related: Related

    def meanings(self) -> list[str]:
        """For each marked name ``path qualified.name certainty``, ``several``, or ``nothing``."""
        return list(map(self._told, self._references()))

    def lines_meant(self) -> list[str]:
        """For each marked name ``line certainty`` of what it means, or ``nothing``: for symbols with one name."""
        return [f"{self.lines[each.target]} {each.certainty}" if each else "nothing" for each in self._references()]

    def _references(self) -> list[Reference | None]:
        found = {(each.file, each.start): each for named in self.related.references.values() for each in named}
        return [found.get((file, start)) for file, start, _ in self.marks]

    def _told(self, reference: Reference | None) -> str:
        if reference is None:
            return "nothing"
        return f"{' '.join(self.symbols[reference.target])} {reference.certainty}" if reference.target >= 0 else "several"

    def ties(self, kind: RelationKind) -> list[str]:
        """``source -> target certainty`` of each relation of a kind; a target outside as it is written, in brackets."""
        return list(self._tied(kind))

    def _tied(self, kind: RelationKind) -> Iterator[str]:
        for each in self.related.relations:
            if each.kind is kind:
                source = self.symbols[each.source][1] if each.source >= 0 else self.paths[each.file]
                inside = self.paths[each.target_file] if each.target_file >= 0 else f"[{each.name}]"
                target = self.symbols[each.target][1] if each.target >= 0 else inside
                yield f"{source} -> {target} {each.certainty}"


Write = Callable[..., Repository]


@pytest.fixture
def write() -> Write:
    """``write({path: text}, *projects)``; what stands in ``<< >>`` is asked for."""

    def written(files: Mapping[str, str], *projects: Project) -> Repository:
        relater = Relater([])
        symbols: list[tuple[str, str]] = []
        lines: list[int] = []
        marks: list[tuple[int, int, str]] = []
        for number, (path, marked) in enumerate(sorted(files.items())):
            text = marked.encode()
            for count, match in enumerate(_MARKED.finditer(text)):
                marks.append((number, match.start() - 4 * count, match[1].decode()))
            file = source_file(path, _MARKED.sub(rb"\1", text))
            indexed = analyse(file, None)
            rows: list[Row] = list(indexed.symbols)
            symbols += ((path, row[3]) for row in rows)
            lines += (row[SYMBOL_FIELDS.index("selection_line")] for row in rows)
            relater.add(file, indexed)
        return Repository(tuple(sorted(files)), tuple(symbols), tuple(lines), tuple(marks), relater.relate(projects))

    return written
