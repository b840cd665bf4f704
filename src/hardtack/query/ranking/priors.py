"""A bundle in, the features of its files that do not depend on the query out: one row of numbers a file, made when first needed.

Tests repeat the words of the code they test, headers those of their sources, an ``index`` those of all it re-exports; so a file's
path and definitions say how much its words are worth. The weight of each feature is learned (:mod:`hardtack.query.ranking.model`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.bundle.format.manifest import LanguageCount
from hardtack.bundle.indexes.names import Family
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Content
from hardtack.nouns.path_words import has_secondary_word
from hardtack.nouns.roles import Role
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.request.vocabulary import SUBJECT_WORDS, Subject

if TYPE_CHECKING:
    from numpy.typing import NDArray

PRIORS: Final = (
    *("is_test", "is_aside", "is_documentation", "is_configuration", "is_index", "is_header", "has_header", "platform"),
    *("depth", "log_length", "log_functions", "log_types", "function_share", "log_references", "log_importers", "other_language"),
    *("is_copy", "is_document_code", "is_template", "is_tool"),
)
"""Names of the columns of a row, in order."""

_INDEX_STEMS: Final = frozenset(
    {
        *("index", "mod", "lib", "init", "__init__", "main", "package", "all", "prelude"),
        *("types", "utils", "util", "common", "core", "base", "helpers", "shared"),
    }
)
"""Names of files that re-export or collect the contents of others."""

_HEADERS: Final = (".h", ".hh", ".hpp", ".hxx", ".d.ts", ".pyi", ".mli", ".hs-boot")
_SOURCES: Final = {
    ".h": (".c", ".cc", ".cpp", ".cxx", ".m", ".mm"),
    ".hh": (".cc", ".cpp"),
    ".hpp": (".cpp", ".cc", ".cxx"),
    ".hxx": (".cxx",),
    ".d.ts": (".js", ".mjs", ".cjs", ".ts"),
    ".pyi": (".py", ".pyx"),
    ".mli": (".ml",),
    ".hs-boot": (".hs",),
}
_HEADER_OF: Final = {source: header for header, sources in _SOURCES.items() for source in sources}

_PLATFORMS: Final = {
    **dict.fromkeys(("win", "win32", "windows", "wasi", "wasm", "os390", "vms", "amiga", "aix", "sunos", "haiku", "ibmi"), 1.0),
    **dict.fromkeys(("os400", "android", "freebsd", "openbsd", "netbsd", "cygwin", "hurd", "qnx", "dos", "uefi"), 1.0),
    **dict.fromkeys(("plan9", "emscripten", "uwp", "xbox"), 1.0),
    **dict.fromkeys(("darwin", "macos", "apple", "ios", "linux", "bsd", "nodejs", "browser"), 0.5),
    **dict.fromkeys(("unix", "posix", "jvm", "native"), 0.25),
}
"""Words of paths that bind a file to a platform, to how rarely a question means that platform (0 to 1)."""

_MAIN_SHARE: Final = 0.5
"""Of the code of the largest language: another with as much carries the project, too."""

_COPIES: Final = frozenset({Role.AMALGAMATION, Role.SUPERSEDED, Role.GENERATED, Role.LISTING, Role.VENDORED})
_ASIDE: Final = frozenset({Role.EXAMPLE, Role.BENCHMARK, Role.FIXTURE})
_TEMPLATES: Final = frozenset({Role.TEMPLATE, Role.TRANSLATION})

_OWN_SUBJECT: Final = 0.5
"""What is left of a role that the query may ask for, where the word may mean what the project is about."""
_MOST_NAMED: Final = 500
"""Files named by a word whose roles are looked at."""

_PATH_WORD = re.compile(r"[a-z0-9]+")


class Priors:
    """The rows of a bundle's files. Thread-safe: two threads that make one row at once write the same values."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        files = bundle.manifest.counts.files
        self._rows = np.zeros((files, len(PRIORS)))
        self._is_made = np.zeros(files, dtype=np.bool_)
        self._columns = {
            name: np.asarray(bundle.columns.of_files(name)) for name in ("length", "functions", "types", "references", "importers")
        }
        self._platforms: dict[int, frozenset[str]] = {}
        self._own_subjects: dict[str, bool] = {}
        self._languages = _main_languages(bundle.manifest.languages)

    def rows(self, files: NDArray[np.int64], analysis: TextAnalysis) -> NDArray[np.float64]:
        """The rows of ``files``, shape (files, priors).

        A role or platform that the query names (``test``, ``windows``) is set to 0, so that it does not count against a file. A
        role is set to one half if source files are named so, as those of a test framework are: it may be what they are about.
        """
        for file in files[~self._is_made[files]].tolist():
            self._rows[file] = self._row(file)
            self._is_made[file] = True
        table = self._rows[files]
        terms = frozenset(analysis.terms)
        for place in table[:, _PLATFORM].nonzero()[0].tolist():
            if not terms.isdisjoint(self._platforms[files.item(place)]):
                table[place, _PLATFORM] = 0.0
        for word in terms & SUBJECT_WORDS.keys():
            kept = _OWN_SUBJECT if self._is_own_subject(word) else 0.0
            for column in _ROLES[SUBJECT_WORDS[word]]:
                table[:, column] = np.minimum(table[:, column], kept)
        return table

    def _is_own_subject(self, word: str) -> bool:
        """Whether source files are named by a word that names a role, too."""
        if word not in self._own_subjects:
            row = self._bundle.names.row(word)
            named = self._bundle.names.postings(Family.STEM, row)[:_MOST_NAMED].tolist() if row >= 0 else []
            self._own_subjects[word] = any(self._bundle.file(file).role == Role.SOURCE for file in named)
        return self._own_subjects[word]

    def _row(self, ordinal: int) -> list[float]:
        file = self._bundle.file(ordinal)
        path = file.path.lower()
        base = path.rpartition("/")[2]
        platforms = frozenset(_PATH_WORD.findall(path)) & _PLATFORMS.keys()
        self._platforms[ordinal] = platforms
        length, functions, types, references, importers = (column.item(ordinal) for column in self._columns.values())
        values = {
            "is_test": file.is_test,
            "is_aside": file.role in _ASIDE or has_secondary_word(path),
            "is_documentation": file.content == Content.DOCUMENTATION.value,
            "is_configuration": file.content == Content.CONFIGURATION.value,
            "is_index": base.partition(".")[0] in _INDEX_STEMS,
            "is_header": self._is_header(file.path),
            "has_header": self._has_header(file.path),
            "platform": max((_PLATFORMS[word] for word in sorted(platforms)), default=0.0),
            "depth": path.count("/"),
            "log_length": math.log1p(length),
            "log_functions": math.log1p(functions),
            "log_types": math.log1p(types),
            "function_share": functions / (1 + file.symbol_count),
            "log_references": math.log1p(references),
            "log_importers": math.log1p(importers),
            "other_language": file.language not in self._languages,
            "is_copy": file.role in _COPIES,
            "is_document_code": file.role == Role.DOCUMENTATION and file.content == Content.CODE.value,
            "is_template": file.role in _TEMPLATES,
            "is_tool": file.role == Role.TOOL,
        }
        return [float(values[name]) for name in PRIORS]

    def _is_header(self, path: str) -> float:
        """1 for a header whose source file is in the same folder, 0.25 for any other header, 0 for other files."""
        if not path.endswith(_HEADERS):
            return 0.0
        header = next(header for header in _HEADERS if path.endswith(header))
        stem = path.removesuffix(header)
        return 1.0 if any(self._bundle.file_at(stem + source) for source in _SOURCES[header]) else 0.25

    def _has_header(self, path: str) -> bool:
        stem, dot, extension = path.rpartition(".")
        header = _HEADER_OF.get(dot + extension)
        return header is not None and self._bundle.file_at(stem + header) is not None


def _main_languages(languages: Sequence[LanguageCount]) -> frozenset[str]:
    """The languages with the most code, or with the most files where no file is code."""
    sizes = {each.id: each.code_bytes for each in languages}
    if not any(sizes.values()):
        sizes = {each.id: each.files for each in languages}
    enough = _MAIN_SHARE * max(sizes.values(), default=0)
    return frozenset(language for language, size in sizes.items() if size >= enough)


_PLATFORM: Final = PRIORS.index("platform")
_ROLES: Final = {
    Subject.TEST: tuple(map(PRIORS.index, ("is_test", "is_aside"))),
    Subject.EXAMPLE: (PRIORS.index("is_aside"),),
    Subject.BENCHMARK: (PRIORS.index("is_aside"),),
    Subject.DOCUMENTATION: tuple(map(PRIORS.index, ("is_documentation", "is_document_code"))),
    Subject.CONFIGURATION: (PRIORS.index("is_configuration"),),
}
"""The columns of the roles that a query asks for by a word."""
