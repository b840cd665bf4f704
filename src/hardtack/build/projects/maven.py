"""``pom.xml``: the artifact, its version, the Java release, and the source folders of Maven's layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from hardtack.build.projects.declared import LONGEST_TEXT, DeclaredProject
from hardtack.notations import parse_xml

_RELEASE_PROPERTIES = ("maven.compiler.release", "java.version", "maven.compiler.source")
_PROPERTY = re.compile(r"\$\{([\w.-]+)\}")
_LAYOUT = tuple(f"src/{part}/{language}/" for part in ("main", "test") for language in ("java", "kotlin", "scala", "groovy"))


def declared_in(_: str, text: str) -> DeclaredProject:
    """The project of a ``pom.xml``.

    Group and version come from ``<parent>`` if the file leaves them out, as in Maven. A text with a property that the file itself
    does not define stays empty.
    """
    found = parse_xml(text)
    first = dict(reversed(found))
    properties = {path.rpartition("/")[2]: value for path, value in first.items() if _is_property(path, value)}

    def own_or_parent(key: str) -> str:
        own = first.get(f"project/{key}") or first.get(f"project/parent/{key}", "")
        return _resolved(own, properties)

    artifact, group = _resolved(first.get("project/artifactId", ""), properties), own_or_parent("groupId")
    return DeclaredProject(
        ecosystem="maven",
        name=f"{group}:{artifact}" if group and artifact else artifact,
        version=own_or_parent("version"),
        language_version=_release(found, properties),
        prefixes=_places(first) if artifact and first.get("project/packaging") != "pom" else (),
    )


def _is_property(path: str, value: str) -> bool:
    """Whether an element is a property that may be inserted: a long one would make a short text that names it often huge."""
    return path.startswith("project/properties/") and len(value) <= LONGEST_TEXT


def _resolved(text: str, properties: Mapping[str, str]) -> str:
    """``text`` with the file's own properties inserted, once; empty if one is missing or refers to another."""
    if len(text) > LONGEST_TEXT:
        return ""
    resolved = _PROPERTY.sub(lambda match: properties.get(match[1]) or match[0], text)
    return "" if "${" in resolved else resolved


def _release(found: Sequence[tuple[str, str]], properties: Mapping[str, str]) -> str:
    """The Java release: from a property with a usual name, else from the compiler plugin's configuration."""
    for name in _RELEASE_PROPERTIES:
        if name in properties and (release := _resolved(properties[name], properties)):
            return release
    is_compiler = False
    for path, value in found:
        if path.endswith("/plugin/artifactId"):
            is_compiler = value == "maven-compiler-plugin"
        elif is_compiler and path.endswith(("/plugin/configuration/release", "/plugin/configuration/source")):
            return _resolved(value, properties)
    return ""


def _places(first: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for key in ("sourceDirectory", "testSourceDirectory"):
        if folder := first.get(f"project/build/{key}"):
            yield "", folder.removeprefix("${project.basedir}/").removeprefix("${basedir}/")
    yield from (("", folder) for folder in _LAYOUT)
