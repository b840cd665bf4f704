"""An import of a package or of one of its members in, its target out: in languages whose imports name packages and not files."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from hardtack.build.relations.declarations import dotted
from hardtack.build.relations.targets import EXTERNAL, Target

if TYPE_CHECKING:
    from hardtack.build.relations.names import SymbolNames
    from hardtack.nouns.relations import Import


class Packages:
    """The packages that the files declare, by language family."""

    def __init__(self, names: SymbolNames) -> None:
        self._names = names
        self._declared: dict[str, set[str]] = defaultdict(set)
        self._above: dict[str, set[str]] = defaultdict(set)
        """The packages and all that enclose them, with or without files."""
        for symbol in names.symbols:
            if symbol.package:
                self._declared[names.family(symbol.file)].add(dotted(symbol.package))
        for ordinal, file in enumerate(names.files):
            if file.package:
                self._declared[names.family(ordinal)].add(dotted(file.package))
        for family, packages in self._declared.items():
            for package in packages:
                ends = (at for at, sign in enumerate(package) if sign == ".")
                self._above[family].update((package, *(package[:end] for end in ends)))

    def imported(self, file: int, entry: Import) -> Target:
        """The target of one import of a file: a member of a package, a package, or both a type and a package of its name."""
        family, package = self._names.family(file), dotted(entry.module)
        if entry.name in ("", "*"):
            owner = tuple(self._names.full(file, package))  # a type, all of whose members are imported
            return Target(symbols=owner, package=package if package in self._declared[family] else "", module=entry.module)
        full_name = f"{package}.{entry.name}".strip(".")
        if symbols := tuple(self._names.full(file, full_name)):
            return Target(symbols=symbols, files=tuple(dict.fromkeys(self._names.symbols[ordinal].file for ordinal in symbols)))
        return Target(package=full_name) if full_name in self._above[family] else EXTERNAL
