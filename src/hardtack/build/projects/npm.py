"""``package.json``, and the settings of TypeScript and of editors that say what import paths mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardtack.build.projects.declared import Declared, table_at, text_at, texts_at
from hardtack.build.projects.notations import parse_json, parse_json_with_comments

_INDEX = re.compile(r"(?:^|/)index(?:\.d)?\.[cm]?[jt]sx?$")
_SOURCE = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")


def declared_in_package(_: str, text: str) -> Declared:
    """What a ``package.json`` says; its prefix is the package's own name."""
    document = parse_json(text)
    name = text_at(document, "name")
    return Declared(
        ecosystem="npm",
        name=name,
        version=text_at(document, "version"),
        language_version=text_at(document, "engines", "node"),
        prefixes=[(name, "")] if name else [],
    )


def declared_in_settings(_: str, text: str) -> Declared:
    """What ``tsconfig.json`` or ``jsconfig.json`` says of import paths; it names nothing. What it ``extends`` is not looked at."""
    settings = table_at(parse_json_with_comments(text), "compilerOptions")
    return Declared(ecosystem="npm", prefixes=_aliases(settings))


def _aliases(settings: object) -> Iterator[tuple[str, str]]:
    """``paths`` with one star at the end or none, then ``baseUrl``; other patterns cannot be said as a prefix."""
    base = text_at(settings, "baseUrl")
    patterns = table_at(settings, "paths")
    for pattern in patterns:
        for target in texts_at(patterns, pattern):
            joined = f"{base}/{target}" if base and not target.startswith("/") else target
            if pattern.endswith("*") and joined.endswith("/*"):
                pair = pattern[:-1], joined[:-1]
            elif pattern == "*" == target:
                pair = "", base
            else:
                pair = pattern, _without_file(joined)
            if "*" not in pair[0] + pair[1]:
                yield pair
    if base:
        yield "", base


def _without_file(target: str) -> str:
    """The folder a module's file stands for: ``src/index.ts`` -> ``src``, ``src/vue.ts`` -> ``src/vue``."""
    return _SOURCE.sub("", _INDEX.sub("", target))
