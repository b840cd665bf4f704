"""A bundle in, what its manifests say of where packages begin out: entry files of npm packages, modules of Java that are closed.

A ``package.json`` names files as they are published. The source of ``dist/esm/index.js`` is looked for at ``esm/index``, ``index``,
``src/esm/index`` and ``src/index``, with each extension of a source file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.notations import MANIFEST_LIMIT, parse_json

_EXTENSIONS: Final = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx", ".vue", ".svelte")
_PUBLISHED_AS: Final = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_SOURCES: Final = ("", "src/", "source/", "lib/")
_MAINS: Final = ("types", "typings", "module", "main")
_ENTRIES: Final = (*_MAINS, "exports", "bin", "browser")
_EXPORTED: Final = re.compile(r"^\s*exports\s+([\w.]+)\s*(to\b)?", re.MULTILINE)
_TEST_SETS: Final = re.compile(r"(?:^|/)src/(?:\w*[tT]est\w*|jmh|it|perf|benchmarks?|examples?|samples?|demo)/")


class NpmPackage(NamedTuple):
    """What a ``package.json`` says of the files that others import."""

    is_program: bool
    """It is not published and has no entry, so that nobody imports it."""
    is_closed: bool
    """It lists all entries, so that nothing else can be imported."""
    entries: frozenset[int]
    """Ordinals of the files in the bundle that entries are made of; empty if they were not found."""


def npm_packages(bundle: Bundle) -> dict[str, NpmPackage]:
    """Folder of each ``package.json`` of a bundle with text -> what it says."""
    numbers = {file.path: number for number, file in enumerate(bundle.files)}
    manifests = [file for file in bundle.files if file.path.rpartition("/")[2] == "package.json"]
    return {file.path.rpartition("/")[0]: _npm_package(bundle, file, numbers) for file in manifests}


def _npm_package(bundle: Bundle, manifest: FileRecord, numbers: dict[str, int]) -> NpmPackage:
    settings = _settings(bundle, manifest)
    folder = manifest.path.rpartition("/")[0]
    is_program = settings.get("private") is True and not any(settings.get(each) for each in _ENTRIES)
    exports = settings.get("exports")
    subpaths = list(_subpaths(exports)) if exports else [[str(settings[each]) for each in _MAINS if settings.get(each)]]
    found = [
        {numbers[path] for name in names for path in _sources_of(name, f"{folder}/" if folder else "", numbers)}
        for names in subpaths
    ]
    is_whole = bool(found) and all(found)
    is_open = any("*" in name for names in subpaths for name in names)
    entries = frozenset(set().union(*found)) if is_whole and not is_open else frozenset()
    return NpmPackage(is_program, bool(exports) and bool(entries), entries)


def _settings(bundle: Bundle, manifest: FileRecord) -> dict[str, Any]:
    if manifest.text_length > MANIFEST_LIMIT:
        return {}
    try:
        found = parse_json(bundle.text_of(manifest).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _subpaths(exports: object) -> Iterator[list[str]]:
    """The files of each path that can be imported, under any condition."""
    if isinstance(exports, dict) and any(str(each).startswith(".") for each in exports):
        for subpath, target in exports.items():
            if subpath != "./package.json" and (
                names := [each for each in _leaves(target) if not each.endswith((".css", ".json"))]
            ):
                yield [f"{each}*" if "*" in str(subpath) else each for each in names]
    else:
        yield list(_leaves(exports))


def _leaves(target: object) -> Iterator[str]:
    if isinstance(target, str):
        yield target
    elif isinstance(target, dict):
        for each in target.values():
            yield from _leaves(each)
    elif isinstance(target, list):
        for each in target:
            yield from _leaves(each)


def _sources_of(published: str, folder: str, numbers: dict[str, int]) -> Iterator[str]:
    """Paths of the source files that a published file may be made of: the first place that has any."""
    stem = _PUBLISHED_AS.sub("", published.removeprefix("./"))
    parts = stem.split("/")
    for source in _SOURCES:
        for skipped in range(min(3, len(parts))):
            inside = f"{folder}{source}{'/'.join(parts[skipped:])}"
            names = [inside + each for each in _EXTENSIONS] + [f"{inside}/index{each}" for each in _EXTENSIONS]
            if found := [each for each in names if each in numbers]:
                yield from found
                return


def closed_modules(bundle: Bundle) -> dict[str, frozenset[str]]:
    """Folder with a ``module-info.java``, of a bundle with text -> the packages that it exports to everybody."""
    found = {}
    for file in bundle.files:
        folder, _, name = file.path.rpartition("/")
        if name == "module-info.java" and not file.is_test:
            text = bundle.text_of(file).decode("utf-8", "replace")
            found[f"{folder}/" if folder else ""] = frozenset(each[1] for each in _EXPORTED.finditer(text) if not each[2])
    return found


def is_test_set(path: str) -> bool:
    """Whether a path is in a source folder of Maven's or Gradle's layout that is not for what is published."""
    return _TEST_SETS.search(path) is not None
