"""``go.mod`` and ``go.work``: the module's path, the version of Go, and the modules that are replaced by folders."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardtack.build.projects.declared import DeclaredProject

_MODULE = re.compile(r"^[ \t]*module[ \t]+(?:\([ \t]*\n\s*)?([^\s()]+)", re.MULTILINE)
_GO = re.compile(r"^[ \t]*go[ \t]+(\d\S*)", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*")


def declared_in(filename: str, text: str) -> DeclaredProject:
    """The project of a ``go.mod``; a ``go.work`` has no name, only a version and replacements."""
    text = _COMMENT.sub("", text)
    module = _MODULE.search(text) if filename == "go.mod" else None
    name = _unquoted(module[1]) if module else ""
    version = _GO.search(text)
    return DeclaredProject(
        ecosystem="go",
        name=name,
        language_version=version[1] if version else "",
        prefixes=[*([(name, "")] if name else []), *_replacements(text)],
    )


def _replacements(text: str) -> Iterator[tuple[str, str]]:
    """``replace old v1.2.3 => ../folder``, in a line of its own or in a block."""
    for line in text.split("\n"):
        old, arrow, new = line.partition("=>")
        words = old.removeprefix("replace ").split()
        folder = _unquoted(new.strip())
        if arrow and words and folder.startswith(("./", "../")):
            yield _unquoted(words[0]), folder


def _unquoted(word: str) -> str:
    return word.strip('"`')
