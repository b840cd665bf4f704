"""PHP sources in, what Laravel's two steps say of them out: as a build does it, without a bundle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from hardtack.build.frameworks import laravel
from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of
from hardtack.build.relations.declarations import Declaration, File
from hardtack.nouns.model import Tag
from hardtack.nouns.relations import Fact


class Said:
    """What was confirmed, by qualified name."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.declared: list[Declaration] = []
        files: list[File] = []
        raw: list[Fact] = []
        for number, (path, source) in enumerate(sources.items()):
            outline, first = outline_of(b"<?php\n" + source.encode(), languages()["php"]), len(self.declared)
            files.append(File(path, "php", outline.package, first, len(outline.symbols)))
            raw += [fact._replace(symbol=fact.symbol + first) for fact in outline.facts]
            for index, each in enumerate(outline.symbols):
                parent = each.parent + first if each.parent >= 0 else -1
                self.declared.append(
                    Declaration(
                        file=number,
                        kind=each.kind,
                        name=each.name,
                        qualified_name=each.qualified_name,
                        package=each.package,
                        parent=parent,
                        line=each.selection.start_line,
                        end_line=each.span.end_line,
                        detail=outline.details.get(index),
                    )
                )
        self.facts, self._tags = laravel.confirm(self.declared, files, raw)

    def of(self, qualified_name: str, key: str) -> list[tuple[str, ...]]:
        """The values of each fact with this key about symbols of this name."""
        return [
            each.values for each in self.facts if each.key == key and self.declared[each.symbol].qualified_name == qualified_name
        ]

    def tags(self) -> dict[str, set[Tag]]:
        return {self.declared[symbol].qualified_name: set(tags) for symbol, tags in self._tags.items()}

    def models(self) -> list[str]:
        return [self.declared[symbol].qualified_name for symbol, tags in self._tags.items() if Tag.LARAVEL_MODEL in tags]


@pytest.fixture
def say() -> Callable[..., Said]:
    """``say(source)``, or ``say(path=source, ...)`` for several files."""

    def said(source: str = "", **sources: str) -> Said:
        return Said({"app/file.php": source} if source else {f"app/{name}.php": text for name, text in sources.items()})

    return said
