"""A bundle in, its public surface out: the symbols that code outside of the repository can name, and the names modules pass on.

Which symbols of a file a package exports is said by :mod:`hardtack.query.lookup.exports`. What is added here is what a comparison
needs beyond a list: members, ``__all__`` and private modules of Python, ``internal`` and ``main`` packages of Go, and the addresses
at which modules of Python and JavaScript offer what they import. Crates of Rust have a module of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Final, NamedTuple

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.diff.crates import Crates
from hardtack.diff.entrances import NpmPackage, closed_modules, is_test_set, npm_packages
from hardtack.diff.go_packages import GoPackages
from hardtack.diff.statements import SCRIPTS, Statements
from hardtack.nouns.model import FUNCTIONS, TYPES, VARIABLES, Content, Kind, Tag
from hardtack.nouns.relations import RelationKind
from hardtack.nouns.roles import Role
from hardtack.query.lookup.exports import exports_of_file
from hardtack.query.lookup.symbols import module_of

_PUBLISHED: Final = frozenset({"", Role.SOURCE, Role.GENERATED, Role.AMALGAMATION})
_HIDDEN: Final = frozenset({"private", "internal", "fileprivate", "package", "private protected", "unexported"})
_ON_JVM: Final = frozenset({"java", "kotlin", "scala", "groovy"})
_MARKED_IN_DOC: Final = frozenset({*SCRIPTS, "php"})
"""Languages whose documentation says ``@internal`` of what is public for the project's own files alone."""
_MEMBERS: Final = frozenset(
    {*TYPES, *FUNCTIONS, *VARIABLES, Kind.FIELD, Kind.PROPERTY, Kind.ENUM_MEMBER, Kind.BLOCK},
)
_NAME: Final = re.compile(r"""["'](\w+)["']""")
_LISTING: Final = re.compile(r"""(?:__all__|["']\w+["']|[\[\]()=,+:\s]|#[^\n]*|\b(?:list|tuple|str)\b)*""")
_ALL: Final = "__all__"
_MOST_LISTED: Final = 1 << 20
_MOST_STEPS: Final = 8  # modules that a name is passed on through at most


class Offered(NamedTuple):
    """A name that a module has by importing it."""

    symbol: int
    """Ordinal of what it is; -1 if it is a file or not in the bundle."""
    line: int


class Listing(NamedTuple):
    """What ``__all__`` of a Python module says."""

    names: frozenset[str]
    is_whole: bool
    """It has these names and no other; else it is computed."""


class Surface:
    """The public surface of one bundle."""

    def __init__(self, bundle: Bundle, *, reads_text: bool = True) -> None:
        """Read nothing yet.

        Args:
            bundle: where to look.
            reads_text: look into the source text, for ``__all__`` and for what passes on; needs a bundle with text.
        """
        self.bundle = bundle
        self.reads_text = reads_text and bundle.has_text
        self.exported = cache(self._exported)
        self.offered = cache(self._offered)
        self.listed = cache(self._listed)
        self.crates = Crates(bundle, reads_text=self.reads_text)
        self.go = GoPackages(bundle)

    def is_public_module(self, file: FileRecord) -> bool:
        """Whether code outside of the repository can import what a file has, as far as the file's place tells."""
        if file.is_test or file.content != Content.CODE or file.role not in _PUBLISHED:
            return False
        parts = file.path.split("/")
        if file.language == "python":
            return not any(part.startswith("_") and not part.startswith("__init__.") for part in parts)
        if file.language == "go":
            return file.package != "main" and not {"internal", "testdata", "vendor"} & set(parts[:-1])
        if file.language in _ON_JVM:
            closed = [packages for folder, packages in self._closed_modules.items() if file.path.startswith(folder)]
            return not is_test_set(file.path) and all(file.package in packages for packages in closed)
        package = self._npm_package_of(file)
        return package is None or not package.is_program

    @cached_property
    def _closed_modules(self) -> dict[str, frozenset[str]]:
        return closed_modules(self.bundle) if self.reads_text else {}

    @cached_property
    def _npm_packages(self) -> dict[str, NpmPackage]:
        return npm_packages(self.bundle) if self.reads_text else {}

    def _npm_folder_of(self, path: str) -> str | None:
        """The folder of the nearest ``package.json`` above a file; None without one."""
        while path:
            path = path.rpartition("/")[0]
            if path in self._npm_packages:
                return path
        return None

    def _npm_package_of(self, file: FileRecord) -> NpmPackage | None:
        folder = self._npm_folder_of(file.path) if file.language in SCRIPTS else None
        return self._npm_packages.get("\0" if folder is None else folder)

    def is_exported(self, ordinal: int) -> bool:
        """Whether code outside of the repository can name a symbol, at whatever address."""
        return ordinal in self.exported(self.bundle.symbol(ordinal).file) or ordinal in self._passed_on

    def is_direct(self, ordinal: int) -> bool:
        """Whether it can be named at the address at which it is defined, as far as that can be told."""
        file = self.bundle.file(self.bundle.symbol(ordinal).file)
        if self.crates.package_of(file):
            return (self.crates.home_of(ordinal), self.bundle.symbol_name(ordinal).name) in self.crates.places
        if self._reached_in(file) is not None:
            return False
        return ordinal in self.exported(self.bundle.symbol(ordinal).file)

    def _exported(self, number: int) -> frozenset[int]:
        """The exported symbols of a file, members among them."""
        file = self.bundle.file(number)
        if not self.is_public_module(file):
            return frozenset()
        if self.crates.package_of(file):
            own = range(file.first_symbol, file.first_symbol + file.symbol_count)
            tops = {each for each in own if each in self.crates.addresses}
            return frozenset(tops | set(self._members(file, tops)))
        tops = {each for each in exports_of_file(self.bundle, file) if not self._is_kept_back(each, file)}
        if file.language == "python" and (listing := self.listed(number)) and listing.is_whole:
            tops = {each for each in tops if self.bundle.symbol_name(each).name in listing.names}
        if (reached := self._reached_in(file)) is not None:
            tops &= reached
        return frozenset(tops | set(self._members(file, tops)))

    def _reached_in(self, file: FileRecord) -> frozenset[int] | None:
        """What the entry modules of a file's npm package pass on; None in other languages, and in a package without such."""
        if file.language not in SCRIPTS:
            return None
        folder = self._npm_folder_of(file.path)
        if folder is not None and folder in self._given:
            return frozenset(self._given[folder])
        above = [each for each in self._entrances if not each or file.path.startswith(f"{each}/")]
        return self._entrances[max(above, key=len)] if above else None

    @cached_property
    def _given(self) -> dict[str, dict[int, list[tuple[str, str]]]]:
        """Folder of each npm package that says by what files it can be imported -> what those offer, and where.

        A package that does not list all of its entries counts if an entry passes on what other files define.
        """
        found: dict[str, dict[int, list[tuple[str, str]]]] = {}
        for folder, package in self._npm_packages.items():
            places: dict[int, list[tuple[str, str]]] = {}
            passes_on = package.is_closed
            for number in package.entries:
                module = address_of_module(self.bundle.file(number).path)
                for name, offered in self.offered(number).items():
                    for each in self._overloads(offered.symbol):
                        places.setdefault(each, []).append((module, name))
                    if offered.symbol >= 0:
                        passes_on = passes_on or self.bundle.symbol(offered.symbol).file != number
                for ordinal in exports_of_file(self.bundle, self.bundle.file(number)):
                    places.setdefault(ordinal, []).append((module, self.bundle.symbol_name(ordinal).name))
            if places and passes_on:
                found[folder] = places
        return found

    def _overloads(self, ordinal: int) -> list[int]:
        """A symbol and the others of its name at the same place; none for -1."""
        if ordinal < 0:
            return []
        symbol = self.bundle.symbol(ordinal)
        file, name = self.bundle.file(symbol.file), symbol.qualified_name
        own = range(file.first_symbol, file.first_symbol + file.symbol_count)
        return [each for each in own if self.bundle.symbol_name(each).qualified_name == name]

    @cached_property
    def _entrances(self) -> dict[str, frozenset[int]]:
        """Folder of each npm package that has an ``index`` which only passes on -> the symbols that it and its neighbours offer."""
        found: dict[str, frozenset[int]] = {}
        for project in self.bundle.manifest.projects:
            if project.ecosystem == "npm":
                folder = project.path.rpartition("/")[0]
                fronts = [number for number, file in enumerate(self.bundle.files) if self._is_front(number, file, folder)]
                if any(_is_index(self.bundle.file(each).path) for each in fronts):
                    found[folder] = frozenset(
                        symbol
                        for each in fronts
                        for offered in self.offered(each).values()
                        for symbol in self._overloads(offered.symbol)
                    )
        return found

    def _is_front(self, number: int, file: FileRecord, folder: str) -> bool:
        """Whether a file at the top of a package, or in its ``src``, passes on names and defines none."""
        if file.language not in SCRIPTS or not self.is_public_module(file):
            return False
        is_at_top = file.path.rpartition("/")[0] in (folder, f"{folder}/src".lstrip("/"))
        return is_at_top and not self._defines(file) and bool(self.offered(number))

    def _members(self, file: FileRecord, tops: set[int]) -> Iterator[int]:
        """Exported members of exported types, at any depth; and methods that stand outside of their types, as Go's and Rust's."""
        open_ = set(tops)
        names = {self.bundle.symbol_name(each).qualified_name for each in tops}
        for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
            symbol = self.bundle.symbol(ordinal)
            is_kept_back = self._is_kept_back(ordinal, file) and symbol.kind is not Kind.FIELD
            if ordinal in open_ or symbol.kind not in _MEMBERS or self._is_hidden(ordinal) or is_kept_back:
                continue
            if self._is_reached(ordinal, file, open_, names):
                open_.add(ordinal)
                yield ordinal

    def _is_reached(self, ordinal: int, file: FileRecord, open_: set[int], names: set[str]) -> bool:
        symbol = self.bundle.symbol(ordinal)
        owner = symbol.qualified_name.rpartition(".")[0]
        if symbol.kind is Kind.BLOCK and file.language == "rust":
            return self._is_of_reached_type(ordinal, file)
        if symbol.parent >= 0:
            above = self.bundle.symbol(symbol.parent)
            if above.kind in FUNCTIONS:  # a property that a constructor declares among its parameters
                return symbol.kind is Kind.PROPERTY and above.kind is Kind.CONSTRUCTOR and above.qualified_name != owner
            return symbol.parent in open_ and above.kind in TYPES | {Kind.BLOCK}
        if file.language == "go":
            return symbol.kind is Kind.METHOD and owner[:1].isupper()
        return symbol.kind is Kind.METHOD and owner in names

    def _is_of_reached_type(self, ordinal: int, file: FileRecord) -> bool:
        """Whether code outside can name the type of an ``impl`` and its trait; of a type of another crate the trait alone."""
        package = self.crates.package_of(file)
        if package is None:
            return True
        traits = [each.target for each in self.bundle.related.relations_from(ordinal) if each.kind is RelationKind.IMPLEMENTS]
        if any(each >= 0 and each not in self.crates.addresses for each in traits):
            return False  # a trait that nobody outside can name or bring into scope
        reached = self.crates.names.get(package.directory, frozenset())
        name = self.bundle.symbol_name(ordinal).name
        own = range(file.first_symbol, file.first_symbol + file.symbol_count)
        beside = [each for each in own if self.bundle.symbol(each).kind in TYPES and self.bundle.symbol_name(each).name == name]
        if beside:
            return any(each in self.crates.addresses for each in beside)
        if name in reached or name in self.crates.types.get(package.directory, frozenset()):
            return name in reached
        return any(each in self.crates.addresses for each in traits)

    def _is_kept_back(self, ordinal: int, file: FileRecord) -> bool:
        """Whether what no modifier hides is hidden by another mark of its language."""
        record = self.bundle.symbol(ordinal)
        if file.language == "zig":
            return not record.signature.startswith("pub ")
        return file.language in _MARKED_IN_DOC and "@internal" in record.doc

    def _is_hidden(self, ordinal: int) -> bool:
        visibility = self.bundle.detail(ordinal).visibility
        return visibility in _HIDDEN or visibility.startswith("pub(") or Tag.LOCAL in self.bundle.tags_of(ordinal)

    # -- what modules pass on --

    @cached_property
    def _passed_on(self) -> frozenset[int]:
        """Symbols, and their exported members, that a public module of Python passes on, wherever they stand."""
        found: set[int] = set()
        for number, file in enumerate(self.bundle.files):
            if file.language == "python" and self.is_public_module(file):
                found |= {each.symbol for _, each in self.passed_on(number) if each.symbol >= 0}
        for top in sorted(found):
            file = self.bundle.file(self.bundle.symbol(top).file)
            if self.bundle.symbol(top).kind in TYPES:
                found.update(self._members(file, {top}))
        return frozenset(found)

    def passed_on(self, number: int) -> Iterator[tuple[str, Offered]]:
        """The names that a Python module offers to others on purpose, and what each is: those that ``__all__`` lists.

        An ``__init__`` without ``__all__`` that defines nothing passes on what it imports from its own package: one that defines
        something may import it for itself.
        """
        file, listing = self.bundle.file(number), self.listed(number)
        is_front = file.path.endswith("__init__.py") and listing is None and not self._defines(file)
        for name, offered in self.offered(number).items():
            is_listed = name in listing.names if listing else False
            is_own = is_front and offered.symbol >= 0 and not name.startswith("_")
            if is_listed or is_own:
                yield name, offered

    def _defines(self, file: FileRecord) -> bool:
        own = range(file.first_symbol, file.first_symbol + file.symbol_count)
        return any(self.bundle.symbol_name(each).kind in TYPES | FUNCTIONS for each in own)

    def _offered(self, number: int, steps: int = _MOST_STEPS) -> dict[str, Offered]:
        """The names that a module has by importing them, and that others can import from it."""
        file = self.bundle.file(number)
        found: dict[str, Offered] = {}
        if file.language not in SCRIPTS | {"python", "rust"}:
            return found
        text = Statements(self.bundle, file, reads_text=self.reads_text)
        for relation in self.bundle.related.relations_of_file(number):
            if relation.kind is not RelationKind.IMPORTS or not text.passes_on(relation.line):
                continue
            module, _, name = relation.name.rpartition(" ")
            if name == "*" and relation.target_file >= 0 and relation.target_file != number and steps:
                found |= {
                    each: Offered(symbol, relation.line) for each, symbol in self._public_names(relation.target_file, steps - 1)
                }
            elif name != "*":
                shown = name if module else name.rpartition(".")[2]
                found[text.name_of(relation.line, shown)] = Offered(relation.target, relation.line)
        return found

    def _public_names(self, number: int, steps: int) -> Iterator[tuple[str, int]]:
        """What ``import *`` takes of a module: what is public there, or listed."""
        file, listing = self.bundle.file(number), self.listed(number)
        for name, offered in self._offered(number, steps).items():
            if name in listing.names if listing else not name.startswith("_"):
                yield name, offered.symbol
        for ordinal in exports_of_file(self.bundle, file):
            name = self.bundle.symbol_name(ordinal).name
            if not listing or not listing.is_whole or name in listing.names:
                yield name, ordinal

    def _listed(self, number: int) -> Listing | None:
        """What ``__all__`` says; None where a module has none, and in other languages."""
        file = self.bundle.file(number)
        if file.language != "python" or not self.reads_text:
            return None
        own = range(file.first_symbol, file.first_symbol + file.symbol_count)
        texts = [
            self.bundle.text_of(file, symbol.start, min(symbol.end, symbol.start + _MOST_LISTED)).decode("utf-8", "replace")
            for ordinal in own
            if self.bundle.symbol_name(ordinal).name == _ALL
            for symbol in (self.bundle.symbol(ordinal),)
        ]
        if not texts:
            return None
        names = frozenset(name for text in texts for name in _NAME.findall(text))
        return Listing(names, is_whole=all(_LISTING.fullmatch(text) for text in texts))

    @cached_property
    def addresses(self) -> dict[int, list[tuple[str, str]]]:
        """Ordinal of a symbol -> module and name of each place that passes it on to code outside."""
        found: dict[int, list[tuple[str, str]]] = {}
        found |= self.crates.addresses
        for places in self._given.values():
            found |= places
        for number, file in enumerate(self.bundle.files):
            if file.language == "python" and self.is_public_module(file):
                given: Iterable[tuple[str, Offered]] = self.passed_on(number)
            elif (
                file.language in SCRIPTS
                and self._npm_folder_of(file.path) not in self._given
                and any(self._is_front(number, file, folder) for folder in self._entrances)
            ):
                given = self.offered(number).items()
            else:
                continue
            for name, offered in given:
                if offered.symbol >= 0:
                    found.setdefault(offered.symbol, []).append((address_of_module(file.path), name))
        return found

    @cached_property
    def modules(self) -> dict[str, int]:
        """Address of a module -> ordinal of its file, of languages that import by path; without a leading ``src``."""
        return {
            address_of_module(file.path): number
            for number, file in enumerate(self.bundle.files)
            if file.language in SCRIPTS | {"python", "rust"} and file.content == Content.CODE
        }

    def has_module(self, module: str) -> bool:
        """Whether there is a module of that address, or a package of modules."""
        return module in self.modules or any(each.startswith(f"{module}.") for each in self.modules)

    def offers(self, module: str, name: str) -> bool:
        """Whether a module of that address has a name by importing it; a module of a crate also by defining it."""
        if (module, name) in self.crates.places:
            return True
        if module not in self.modules:
            return False
        number = self.modules[module]
        file = self.bundle.file(number)
        if file.language in SCRIPTS and any(
            self.bundle.symbol_name(each).name == name for each in exports_of_file(self.bundle, file)
        ):
            return True
        return name in self.offered(number)


def _is_index(path: str) -> bool:
    return path.rpartition("/")[2].startswith("index.")


def address_of_module(path: str) -> str:
    """The dotted path at which a module is imported, whether or not its package lies in ``src``."""
    return module_of(path).removeprefix("src.")
