"""All indexed files in, the role of each out: the first of all roles that fit it (:data:`hardtack.nouns.roles.PRECEDENCE`).

    is_listing      text             -> lists of public names, by their form     listings.py
    _is_generated   text             -> what a project keeps of a program's      ../source/generated.py
    Amalgamations   outlines, words  -> files that hold others                   amalgamations.py
    superseded      paths            -> older versions beside newer ones         versions.py
    translations    paths            -> what is in another language              translations.py
    templates       paths            -> what is filled in or copied              templates.py
    Places          path             -> what words of folders and names say      places.py

The result depends on the files and their order alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardtack.build.languages.registry import languages
from hardtack.build.roles.amalgamations import Amalgamations
from hardtack.build.roles.listings import is_listing
from hardtack.build.roles.places import Places
from hardtack.build.roles.templates import templates
from hardtack.build.roles.translations import translations
from hardtack.build.roles.versions import superseded
from hardtack.build.source.generated import generator_evidence, is_minified
from hardtack.build.source.unwanted import has_minified_name, licensed_dependencies, skip_by_name, vendor_directories
from hardtack.nouns.model import Content
from hardtack.nouns.outline import SkipReason
from hardtack.nouns.roles import PRECEDENCE, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.bundle.writer import IndexedFile
    from hardtack.nouns.outline import SourceFile

_OF_CODE: Final = frozenset({Role.BENCHMARK, Role.EXAMPLE, Role.TOOL})
"""Roles that only code has: prose about examples is documentation, and what a tool is set up with is configuration."""


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
        fitting = set[Role]()
        if file.is_test:
            fitting.add(Role.TEST)
        if is_listing(file.path, file.text):
            fitting.add(Role.LISTING)
        if file.is_kept and _is_generated(file):
            fitting.add(Role.GENERATED)
        if file.content is Content.DOCUMENTATION:
            fitting.add(Role.DOCUMENTATION)
        elif file.content is Content.CONFIGURATION:
            fitting.add(Role.CONFIGURATION)
        else:
            fitting.add(Role.SOURCE)
            self._code.append(file.path)
            self._amalgamations.add(len(self._paths), indexed.symbols, indexed.words[0])
        self._paths.append(file.path)
        self._fitting.append(fitting)

    def decided(self) -> Sequence[Role]:
        """The role of each file, in order; once, after the last file."""
        paths = self._paths
        for role, files in (
            (Role.AMALGAMATION, self._amalgamations.found()),
            (Role.SUPERSEDED, superseded(paths)),
            (Role.TRANSLATION, translations(paths)),
            (Role.TEMPLATE, templates(paths)),
            (Role.VENDORED, _vendored(paths)),
        ):
            for file in files:
                self._fitting[file].add(role)
        places = Places(paths, self._code, has_roots=self._has_roots)
        for path, fitting in zip(paths, self._fitting, strict=True):
            said = set(places.roles(path))
            fitting |= said if Role.SOURCE in fitting else said - _OF_CODE
        return [next(role for role in PRECEDENCE if role in fitting) for fitting in self._fitting]


def _is_generated(file: SourceFile) -> bool:
    """Whether a file that was kept against a rule is one that a program wrote."""
    language = languages()[file.language]
    is_written = has_minified_name(file.path) or is_minified(file.text, language)
    return is_written or bool(generator_evidence(file.path, file.text, language))


def _vendored(paths: Sequence[str]) -> Iterator[int]:
    """The places in ``paths`` of other people's code: what brings a licence of its own, and what was kept against a rule."""
    directories = vendor_directories(paths)
    copies = licensed_dependencies(paths)
    for place, path in enumerate(paths):
        if copies and not copies.isdisjoint(_folders_of(path)):
            yield place
            continue
        skip = skip_by_name(path, vendored=directories, is_large=False)
        if skip is not None and skip.reason is SkipReason.VENDORED:
            yield place


def _folders_of(path: str) -> Iterator[str]:
    """Each folder that the path lies in."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
