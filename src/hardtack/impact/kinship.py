"""A file in, the files of tests that are kin to it out: named after it, or lying where its tests lie.

Directories are compared without the words of a layout (``src/main/java``, ``tests/unit``, ``__tests__``), so a tree of tests that
mirrors the source tree is beside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.impact.runnable import holds_tests
from hardtack.nouns.model import TYPES, Content

_LAYOUT: Final = frozenset(
    {"src", "lib", "main", "test", "tests", "testing", "spec", "specs", "__tests__", "unit", "integration", "it", "functional"}
    | {"java", "kotlin", "scala", "groovy", "python", "ruby", "php", "app", "packages", "e2e"}
)
_AFFIX: Final = re.compile(
    r"^(?:tests?[_\-.]+|test(?=[A-Z]))|(?:[_\-.](?:tests?|specs?|it|e2e)|(?<=[a-z0-9])(?:Tests?|TestCase|Specs?|IT|ITCase))$"
)
_FRONT: Final = frozenset({"__init__", "index", "mod", "lib", "main"})
"""Stems of files that stand for their directory."""
_LEAST_STEM: Final = 3
"""Letters of a stem that a longer one may begin with: ``test_cache_sizes`` of ``cache``."""


class Kin:
    """Finds the files of tests that are kin to a file of one bundle."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle

    @cached_property
    def files(self) -> tuple[int, ...]:
        """Ordinals of the files that hold tests."""
        numbered = enumerate(self._bundle.files)
        return tuple(n for n, file in numbered if file.is_test and file.content == Content.CODE and holds_tests(self._bundle, n))

    def named(self, file: int) -> tuple[int, ...]:
        """Those that are named after a file, after its directory and it, or after a type in it; the nearest of each name.

        If none is, those whose names begin with its name and go on with another word.
        """
        names = set(self._names(file))
        exact = [each for each in self.files if self._subject(each) in names and self._is_kin(file, each)]
        if exact:
            return self._nearest(file, exact)
        stem = _words(PurePosixPath(self._bundle.file(file).path).stem)
        if len(stem) < _LEAST_STEM or stem in _FRONT:
            return ()
        longer = [each for each in self.files if self._begins(each, stem) and self._is_kin(file, each)]
        return self._nearest(file, longer)

    def beside(self, file: int) -> tuple[int, ...]:
        """Those that lie where the tests of a file lie; in Rust also the tests in the file itself."""
        own = _directory(self._bundle.file(file).path)
        inside = (file,) if self._bundle.file(file).language == "rust" else ()
        return inside + tuple(
            each for each in self.files if self._is_kin(file, each) and _directory(self._bundle.file(each).path) == own
        )

    def _names(self, file: int) -> Iterator[str]:
        record = self._bundle.file(file)
        path = PurePosixPath(record.path)
        above = path.parent.name
        if path.stem not in _FRONT:
            yield _words(path.stem)
        elif above and above not in _LAYOUT:
            yield _words(above)
        if above and path.stem not in _FRONT:
            yield _words(f"{above}_{path.stem}")
        for ordinal in range(record.first_symbol, record.first_symbol + record.symbol_count):
            if self._bundle.symbol_name(ordinal).kind in TYPES and self._bundle.symbol(ordinal).parent < 0:
                yield _words(self._bundle.symbol_name(ordinal).name)

    @cached_property
    def _subjects(self) -> dict[int, str]:
        return {each: _stem(self._bundle.file(each).path) for each in self.files}

    def _subject(self, file: int) -> str:
        return _words(self._subjects[file])

    def _begins(self, file: int, stem: str) -> bool:
        words = re.split(r"[_\-.]|(?<=[a-z0-9])(?=[A-Z])", self._subjects[file])
        return any(_words("".join(words[:count])) == stem for count in range(1, len(words)))

    def _is_kin(self, file: int, test: int) -> bool:
        one, other = self._bundle.file(file).language, self._bundle.file(test).language
        return file != test and _FAMILIES.get(one, one) == _FAMILIES.get(other, other)

    def _nearest(self, file: int, found: Iterable[int]) -> tuple[int, ...]:
        """Of several files of one name those in the nearest directories; none in a directory that has nothing in common."""
        own = _directory(self._bundle.file(file).path)
        by_name: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for each in found:
            directory = _directory(self._bundle.file(each).path)
            shared = _shared(own, directory)
            if shared or not own or not directory:
                by_name[self._subjects[each]].append((shared, each))
        return tuple(sorted(each for group in by_name.values() for shared, each in group if shared == max(group)[0]))


_FAMILIES: Final = dict.fromkeys(("c", "cpp", "objc", "cuda"), "c") | dict.fromkeys(
    ("javascript", "typescript", "tsx"), "javascript"
)


def _stem(path: str) -> str:
    """The name of a file of tests without what says that it is one: ``cache`` of ``test_cache.py`` and ``cache.test.ts``."""
    name = PurePosixPath(path).name.partition(".")
    parts = [part for part in (name[0], *name[2].split(".")[:-1]) if part]
    stem = ".".join(parts)
    while (shorter := _AFFIX.sub("", stem)) != stem and shorter:
        stem = shorter
    return stem


def _words(stem: str) -> str:
    return re.sub(r"[_\-.]", "", stem).casefold()


def _directory(path: str) -> tuple[str, ...]:
    return tuple(part for part in PurePosixPath(path).parts[:-1] if part not in _LAYOUT)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    return len({*one} & {*other})
