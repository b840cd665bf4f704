"""The paths of all files in, those of templates out: what is filled in or copied to begin another file or project.

A folder ``templates`` has pages of a site as often, and the templates that a program shows its users are a part of it. So a
template is told by its name (``deployment.yaml.tmpl``, ``{{cookiecutter.name}}/setup.py``), or by a project that begins inside such
a folder (``templates/react/package.json``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_FOLDERS: Final = frozenset(
    {"template", "templates", "skeleton", "skeletons", "scaffold", "scaffolds", "boilerplate", "boilerplates", "starters"}
)
_MANIFESTS: Final = frozenset(
    {
        *("package.json", "composer.json", "go.mod", "gemfile", "cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "mix.exs"),
        *("build.gradle", "build.gradle.kts", "package.swift", "pubspec.yaml", "cmakelists.txt"),
    }
)
_BLANK_IN_PATH: Final = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|(?:^|/)(?:__[a-z]+name__|\[\[.*?\]\])")
"""What cookiecutter, copier and others replace in the path itself."""
_ENGINES: Final = r"tmpl|tpl|template|gotmpl|erb|ejs|hbs|handlebars|mustache|j2|jinja2?|mako|liquid|twig|ftl|vm|stub|in"
_SHOWN: Final = r"html?|xhtml|txt|text|md|eml|mjml|svg|css|xml"
"""What a program shows its users, so that its templates are a part of the program."""
_FILLED: Final = re.compile(rf".+\.(?!(?:{_SHOWN})\.)[a-z0-9_+]+\.(?:{_ENGINES})")
"""A file of code or configuration with an engine's extension behind its own."""


def templates(paths: Sequence[str]) -> Iterator[int]:
    """The places in ``paths`` of templates."""
    lowered = [path.lower() for path in paths]
    projects = frozenset(_projects(lowered))
    for place, path in enumerate(lowered):
        name = path.rpartition("/")[2]
        if _FILLED.fullmatch(name) or _BLANK_IN_PATH.search(path) or any(folder in projects for folder in _inside(path)):
            yield place


def _inside(path: str) -> Iterator[str]:
    """The folders of a path that lie directly in a folder of templates, and those folders themselves, each with a slash."""
    at, is_below = "", False
    for folder in path.split("/")[:-1]:
        at += f"{folder}/"
        if is_below or folder in _FOLDERS:
            yield at
        is_below = folder in _FOLDERS


def _projects(paths: Sequence[str]) -> Iterator[str]:
    """The folders of templates, or folders directly in one, in which a project begins."""
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name in _MANIFESTS:
            inside = set(_inside(path))
            if f"{folder}/" in inside:
                yield f"{folder}/"
