"""A bundle in, for its packages of Go: the names that each has in whichever file, and what its aliases stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Kind

_ALIAS: Final = re.compile(r"(?:type\s+)?\w+\s*=\s*(.+)")


class GoPackages:
    """The packages of one bundle, each named by its folder."""

    def __init__(self, bundle: Bundle) -> None:
        """Read nothing yet."""
        self.bundle = bundle

    @cached_property
    def _aliases(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for file in self.bundle.files:
            for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count) if file.language == "go" else ():
                name = self.bundle.symbol_name(ordinal)
                if name.kind is Kind.TYPE and (alias := _ALIAS.match(self.bundle.symbol(ordinal).signature)):
                    found.setdefault(file.path.rpartition("/")[0], {})[name.name] = alias[1].strip()
        return found

    def aliases_of(self, file: FileRecord) -> Mapping[str, str]:
        """Name of each alias of the package of a file of Go -> the type that it stands for, as written."""
        return self._aliases.get(file.path.rpartition("/")[0], {}) if file.language == "go" else {}

    def has_by_alias(self, folder: str, type_: str, member: str) -> bool:
        """Whether a type of a package of Go is an alias of one that has a member, as far as the bundle has that type's package."""
        alias = self._aliases.get(folder, {}).get(type_, "").lstrip("*").partition("[")[0]
        package, _, name = alias.rpartition(".")
        if not alias or not package:
            return bool(alias) and (folder, f"{name}.{member}") in self.names
        folders = {each for each, _ in self.names if each.rpartition("/")[2] == package}
        return not folders or any((each, f"{name}.{member}") in self.names for each in folders)

    @cached_property
    def names(self) -> frozenset[tuple[str, str]]:
        """(folder, qualified name) of what packages of Go have, in any file: one name may have a file for each platform."""
        return frozenset(
            (file.path.rpartition("/")[0], self.bundle.symbol_name(ordinal).qualified_name)
            for file in self.bundle.files
            if file.language == "go" and not file.is_test
            for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count)
        )
