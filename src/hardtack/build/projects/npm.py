"""``package.json``, and the import paths in the settings of TypeScript and of editors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardtack.build.projects.declared import DeclaredProject, table_at, text_at, texts_at
from hardtack.notations import parse_json, parse_json_with_comments

_INDEX = re.compile(r"(?:^|/)index(?:\.d)?\.[cm]?[jt]sx?$")
_SOURCE = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")


def declared_in_package(_: str, text: str) -> DeclaredProject:
    """The project of a ``package.json``; its prefix is the package's own name."""
    document = parse_json(text)
    name = text_at(document, "name")
    return DeclaredProject(
        ecosystem="npm",
        name=name,
        version=text_at(document, "version"),
        language_version=text_at(document, "engines", "node"),
        prefixes=[(name, "")] if name else [],
    )


def declared_in_settings(_: str, text: str) -> DeclaredProject:
    """The import paths of a ``tsconfig.json`` or ``jsconfig.json``, without a name. The file that it ``extends`` is not read."""
    settings = table_at(parse_json_with_comments(text), "compilerOptions")
    return DeclaredProject(ecosystem="npm", prefixes=_aliases(settings))


def _aliases(settings: object) -> Iterator[tuple[str, str]]:
    """``paths`` with one star at the end or none, then ``baseUrl``; other patterns are no prefixes."""
    base = text_at(settings, "baseUrl")
    patterns = table_at(settings, "paths")
    for pattern in patterns:
        for target in texts_at(patterns, pattern):
            joined = f"{base}/{target}" if base and not target.startswith("/") else target
            if pattern.endswith("*") and joined.endswith("/*"):
                prefix, folder = pattern[:-1], joined[:-1]
            elif pattern == "*" == target:
                prefix, folder = "", base
            else:
                prefix, folder = pattern, _without_file(joined)
            if "*" not in prefix + folder:
                yield prefix, folder
    if base:
        yield "", base


def _without_file(target: str) -> str:
    """The path of a module without its file: ``src/index.ts`` -> ``src``, ``src/vue.ts`` -> ``src/vue``."""
    return _SOURCE.sub("", _INDEX.sub("", target))
