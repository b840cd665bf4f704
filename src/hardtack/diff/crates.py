"""A bundle in, for its crates of Rust: which symbols code outside can name, and at which paths.

A crate is what a ``Cargo.toml`` names. Its surface begins at the root of its library and follows ``pub mod`` and ``pub use``; a
program has none, nor has a package that says ``publish = false``. Files whose modules only a macro declares count as public, at the
path where they lie.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.diff.statements import Statements
from hardtack.notations import MANIFEST_LIMIT, parse_toml
from hardtack.nouns.model import CALLABLES, TYPES, VALUES, Content, Kind
from hardtack.nouns.relations import Relation, RelationKind
from hardtack.nouns.roles import Role

_ITEMS: Final = (TYPES | CALLABLES | VALUES) - {Kind.METHOD, Kind.FIELD, Kind.PROPERTY, Kind.MACRO}
_LINKED: Final = frozenset({"lib", "rlib", "dylib", "proc-macro"})
"""Types of a library that code of Rust can use."""
_MOST_PATHS: Final = 4
"""Paths of one module that are followed, the shortest first: ``pub use super::*`` makes any number of them."""
_DEEPEST: Final = 24
"""Parts of a path."""
_OTHER_TARGETS: Final = frozenset({"bin", "tests", "examples", "benches"})


class Module(NamedTuple):
    """A module: a file, or a part of one."""

    file: int
    symbol: int
    """Ordinal of the module that is written inside the file; -1 for the file itself."""


class Package(NamedTuple):
    """What a ``Cargo.toml`` names."""

    directory: str
    home: str
    """How the root of its library is written here: ``crate shop``."""
    root: int
    """Ordinal of the file that its library begins with; -1 without a library."""
    programs: tuple[int, ...]
    """Those that its programs begin with."""


class Crates:
    """The public paths of all crates of one bundle."""

    def __init__(self, bundle: Bundle, *, reads_text: bool) -> None:
        self.bundle = bundle
        self.reads_text = reads_text
        self._homes: dict[Module, str] = {}
        self._declared: set[int] = set()
        self._imports = cache(self._imports_of)
        self._inner = cache(lambda module: list(self._modules_in(module)))
        self._statements = cache(self._statements_of)

    @cached_property
    def packages(self) -> dict[str, Package]:
        """Folder of each package -> it."""
        found = {}
        numbers = {file.path: number for number, file in enumerate(self.bundle.files) if file.language == "rust"}
        for project in self.bundle.manifest.projects:
            if project.ecosystem == "cargo" and project.name:
                directory = project.path.rpartition("/")[0]
                found[directory] = self._package(project.path, directory, project.name, numbers)
        return found

    def _package(self, path: str, directory: str, name: str, numbers: dict[str, int]) -> Package:
        settings = self._settings(path)
        lib = _table(settings, "lib")
        above = f"{directory}/" if directory else ""
        types = lib.get("crate-type")
        is_published = _table(settings, "package").get("publish") is not False
        is_linked = is_published and (
            not isinstance(types, list) or bool(_LINKED & {each for each in types if isinstance(each, str)})
        )
        root = numbers.get(above + str(lib.get("path") or "src/lib.rs"), -1) if is_linked else -1
        targets = settings.get("bin")
        stated = [each.get("path") for each in targets if isinstance(each, dict)] if isinstance(targets, list) else []
        paths = {f"{above}src/main.rs", *(above + str(each) for each in stated if each)}
        paths |= {each for each in numbers if each.startswith(f"{above}src/bin/")}
        home = str(lib.get("name") or name).replace("-", "_")
        programs = tuple(sorted(numbers[each] for each in paths if each in numbers and numbers[each] != root))
        return Package(directory, f"crate {home}", root, programs)

    def _settings(self, path: str) -> dict[str, Any]:
        file = self.bundle.file_at(path)
        if file is None or not self.reads_text or file.text_length > MANIFEST_LIMIT:
            return {}
        try:
            return parse_toml(self.bundle.text_of(file).decode("utf-8", "replace"))
        except ValueError:
            return {}

    def package_of(self, file: FileRecord) -> Package | None:
        """The package that a file of Rust belongs to; None in other languages, and where no ``Cargo.toml`` is above it."""
        if file.language != "rust":
            return None
        folder = file.path
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in self.packages:
                return self.packages[folder]
        return None

    @cached_property
    def places(self) -> dict[tuple[str, str], int]:
        """(path of a module, name) -> ordinal of the symbol that code outside can name so; -1 if the bundle does not have it."""
        found: dict[tuple[str, str], int] = {}
        for package in self.packages.values():
            self._follow(package)
        for package in self.packages.values():
            if package.root >= 0:
                self._walk(package, found)
        return found

    @cached_property
    def addresses(self) -> dict[int, list[tuple[str, str]]]:
        """Ordinal of a symbol -> all of its public places."""
        found: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for place, ordinal in self.places.items():
            if ordinal >= 0:
                found[ordinal].append(place)
        return found

    @cached_property
    def names(self) -> dict[str, frozenset[str]]:
        """Folder of a package -> the names of its symbols that can be reached."""
        found: dict[str, set[str]] = defaultdict(set)
        for ordinal in self.addresses:
            package = self.package_of(self.bundle.file(self.bundle.symbol(ordinal).file))
            if package:
                found[package.directory].add(self.bundle.symbol_name(ordinal).name)
        return {folder: frozenset(names) for folder, names in found.items()}

    @cached_property
    def types(self) -> dict[str, frozenset[str]]:
        """Folder of a package -> the names of all types that it defines."""
        found: dict[str, set[str]] = defaultdict(set)
        for file in self.bundle.files:
            if package := self.package_of(file):
                own = range(file.first_symbol, file.first_symbol + file.symbol_count)
                named = map(self.bundle.symbol_name, own)
                found[package.directory] |= {each.name for each in named if each.kind in TYPES and each.kind is not Kind.TYPE}
        return {folder: frozenset(names) for folder, names in found.items()}

    def home_of(self, ordinal: int) -> str:
        """The path of the module that a symbol is defined in, public or not; empty outside of crates."""
        assert self.places is not None
        symbol = self.bundle.symbol(ordinal)
        module = Module(symbol.file, self._module_around(ordinal))
        file = self.bundle.file(symbol.file)
        return self._homes.get(module) or self._homes.get(Module(symbol.file, -1)) or _by_place(file, self.package_of(file))

    # -- what declares what --

    def _follow(self, package: Package) -> None:
        """Give each module of a package its path, whether or not it is public."""
        roots = [(package.root, package.home)] if package.root >= 0 else []
        roots += [(each, f"{package.home} (program)") for each in package.programs]
        for root, home in roots:
            waiting = [(Module(root, -1), home)]
            while waiting:
                module, path = waiting.pop()
                if module in self._homes or path.count("::") > _DEEPEST:
                    continue
                self._homes[module] = path
                self._declared.add(module.file)
                waiting += [(inner, f"{path}::{name}") for name, inner, _ in self._inner(module)]

    def _modules_in(self, module: Module) -> Iterator[tuple[str, Module, bool]]:
        """Name of each module inside a module, itself, and whether it is public."""
        for ordinal in self._own(module):
            name = self.bundle.symbol_name(ordinal)
            if name.kind is Kind.MODULE:
                detail = self.bundle.detail(ordinal)
                is_public = detail.visibility == "pub" and not _is_kept_out(detail.decorators)
                yield name.name, self._declared_by(ordinal), is_public

    def _declared_by(self, ordinal: int) -> Module:
        """The module that a symbol declares: another file, or its own body."""
        symbol = self.bundle.symbol(ordinal)
        for each in self._imports(symbol.file):
            if each.line == symbol.selection_line and " " not in each.name and each.target_file >= 0:
                return Module(each.target_file, -1)
        return Module(symbol.file, ordinal)

    def _own(self, module: Module) -> Iterator[int]:
        """The symbols that stand right in a module."""
        file = self.bundle.file(module.file)
        for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
            if self.bundle.symbol(ordinal).parent == module.symbol:
                yield ordinal

    def _module_around(self, ordinal: int) -> int:
        parent = self.bundle.symbol(ordinal).parent
        while parent >= 0 and self.bundle.symbol(parent).kind is not Kind.MODULE:
            parent = self.bundle.symbol(parent).parent
        return parent

    def _imports_of(self, number: int) -> list[Relation]:
        return [each for each in self.bundle.related.relations_of_file(number) if each.kind is RelationKind.IMPORTS]

    # -- what is public --

    def _walk(self, package: Package, found: dict[tuple[str, str], int]) -> None:
        waiting = deque([(Module(package.root, -1), package.home)])
        for number, file in enumerate(self.bundle.files):
            if self.package_of(file) == package:
                if self._is_undeclared(number, file, package):
                    self._homes[Module(number, -1)] = _by_place(file, package)
                    waiting.append((Module(number, -1), self._homes[Module(number, -1)]))
                found |= {(package.home, self.bundle.symbol_name(each).name): each for each in self._macros(file)}
        seen, paths = set(waiting), Counter(module for module, _ in waiting)
        while waiting:
            module, home = waiting.popleft()
            for ordinal in self._own(module):
                if self._is_public_item(ordinal):
                    found.setdefault((home, self.bundle.symbol_name(ordinal).name), ordinal)
            further = [(inner, f"{home}::{name}") for name, inner, is_public in self._inner(module) if is_public]
            further += self._passed_on(module, home, found)
            for each in further:
                if each not in seen and paths[each[0]] < _MOST_PATHS and each[1].count("::") <= _DEEPEST:
                    seen.add(each)
                    paths[each[0]] += 1
                    waiting.append(each)

    def _is_public_item(self, ordinal: int) -> bool:
        if self.bundle.symbol(ordinal).kind not in _ITEMS:
            return False
        detail = self.bundle.detail(ordinal)
        return detail.visibility == "pub" and not _is_kept_out(detail.decorators)

    def _is_undeclared(self, number: int, file: FileRecord, package: Package) -> bool:
        if number in self._declared or file.content != Content.CODE or file.is_test:
            return False
        folder = self.bundle.file(package.root).path.rpartition("/")[0]
        inside = file.path.removeprefix(f"{folder}/") if folder else file.path
        is_below = not folder or file.path.startswith(f"{folder}/")
        is_source = file.role in ("", Role.SOURCE, Role.GENERATED) and file.path.rpartition("/")[2] not in ("main.rs", "build.rs")
        return is_below and is_source and not _OTHER_TARGETS & set(inside.split("/")[:-1])

    def _macros(self, file: FileRecord) -> Iterator[int]:
        for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
            if self.bundle.symbol_name(ordinal).kind is Kind.MACRO:
                decorators = self.bundle.detail(ordinal).decorators
                if any("macro_export" in each for each in decorators) and not _is_kept_out(decorators):
                    yield ordinal

    def _passed_on(self, module: Module, home: str, found: dict[tuple[str, str], int]) -> Iterator[tuple[Module, str]]:
        """Modules that ``pub use`` gives another path, which the caller has to walk; symbols go into ``found``."""
        file = self.bundle.file(module.file)
        text = self._statements(module.file)
        for each in self._imports(module.file):
            is_declaration = " " not in each.name and each.name.startswith("self::") and each.target_file >= 0
            if is_declaration or self._module_at(file, each.line) != module.symbol or not text.passes_on(each.line):
                continue
            path, _, name = each.name.rpartition(" ")
            shown = text.name_of(each.line, name if path else name.rpartition("::")[2])
            kind = self.bundle.symbol_name(each.target).kind if each.target >= 0 else None
            if kind is Kind.MODULE or (kind is None and each.target_file >= 0 and (not path or name == "*")):
                inner = self._meant(each, module, path)
                yield inner, home if name == "*" else f"{home}::{shown}"
            elif name != "*":
                found.setdefault((home, shown), self._type_of(each.target) if kind is Kind.BLOCK else each.target)

    def _type_of(self, block: int) -> int:
        """The type of an ``impl`` if it stands in the same file, else the block itself."""
        file, name = self.bundle.file(self.bundle.symbol(block).file), self.bundle.symbol_name(block).name
        own = range(file.first_symbol, file.first_symbol + file.symbol_count)
        found = (each for each in own if self.bundle.symbol(each).kind in TYPES and self.bundle.symbol_name(each).name == name)
        return next(found, block)

    def _meant(self, relation: Relation, module: Module, path: str) -> Module:
        """The module that an import means or takes all of."""
        if relation.target >= 0:
            return self._declared_by(relation.target)
        if relation.target_file == module.file:
            last = path.rpartition("::")[2]
            return next((inner for name, inner, _ in self._inner(module) if name == last), Module(module.file, -1))
        return Module(relation.target_file, -1)

    def _statements_of(self, number: int) -> Statements:
        return Statements(self.bundle, self.bundle.file(number), reads_text=self.reads_text)

    def _module_at(self, file: FileRecord, line: int) -> int:
        """Ordinal of the innermost module around a line; -1 for the file's own."""
        found = -1
        for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
            symbol = self.bundle.symbol(ordinal)
            if symbol.kind is Kind.MODULE and symbol.span.start_line <= line <= symbol.span.end_line:
                found = ordinal
        return found


def _table(settings: dict[str, Any], key: str) -> dict[str, Any]:
    found = settings.get(key)
    return found if isinstance(found, dict) else {}


def _is_kept_out(decorators: tuple[str, ...]) -> bool:
    """Whether attributes say that something is no part of the documented surface, or is there for tests alone."""
    plain = ["".join(each.split()) for each in decorators]
    return any("doc(hidden)" in each or "cfg(test)" in each for each in plain)


def _by_place(file: FileRecord, package: Package | None) -> str:
    """The path of the module that a file would be by where it lies."""
    if package is None:
        return ""
    inside = file.path.removeprefix(f"{package.directory}/").removeprefix("src/").removesuffix(".rs").removesuffix("/mod")
    return "::".join([package.home, *inside.split("/")])
