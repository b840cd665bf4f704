"""``composer.json``: the package, the version of PHP, and the folders of namespaces by PSR-4 and PSR-0."""

from __future__ import annotations

from collections.abc import Iterator

from hardtack.build.projects.declared import DeclaredProject, table_at, text_at, texts_at
from hardtack.notations import parse_json


def declared_in(_: str, text: str) -> DeclaredProject:
    r"""The project of a ``composer.json``; prefixes are namespaces as PHP writes them, ``App\``."""
    document = parse_json(text)
    return DeclaredProject(
        ecosystem="composer",
        name=text_at(document, "name"),
        version=text_at(document, "version"),
        language_version=text_at(document, "require", "php"),
        prefixes=_autoloads(document),
    )


def _autoloads(document: object) -> Iterator[tuple[str, str]]:
    for section in ("autoload", "autoload-dev"):
        rules = table_at(document, section, "psr-4")
        yield from ((prefix, folder) for prefix in rules for folder in texts_at(rules, prefix))
        rules = table_at(document, section, "psr-0")
        yield from (_as_psr4(prefix, folder) for prefix in rules for folder in texts_at(rules, prefix))


def _as_psr4(prefix: str, folder: str) -> tuple[str, str]:
    r"""A PSR-0 rule as one of PSR-4. PSR-0 keeps the prefix in the path: ``Symfony\Component\`` in ``lib/Symfony/Component/``."""
    if prefix and not prefix.endswith(("\\", "_")):
        prefix += "\\"
    namespace, _, last = prefix.rpartition("\\")
    inner = [*filter(None, namespace.split("\\")), *filter(None, last.split("_"))]
    return prefix, "/".join([folder or ".", *inner])
