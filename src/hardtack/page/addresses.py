"""A bundle's files and folders in, the addresses of their pages out, in both forms of a page.

As a directory, each file and folder has a page of its own, whose name is made of its path's own last part, as far as it is plain,
and a digest of the path: so it stays the same from commit to commit, and no path can choose a file's name. As one file, each has a
section. Symbols are numbered inside their file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

HOME: Final = "index.html"
FILES: Final = "source"
FOLDERS: Final = "folder"
SHARDS: Final = "search"
_DIGITS: Final = 16
_PLAIN: Final = re.compile(r"[^a-z0-9._-]+")
_LONGEST: Final = 40


class Here(NamedTuple):
    """The page or section that is written, from which addresses lead."""

    name: str
    """Of the page below the directory, or of the section."""
    up: str
    """What leads from the page to the directory."""
    prefix: str
    """What the names of its anchors begin with."""


class Addresses:
    """Where each file, folder, symbol and line is shown."""

    def __init__(self, paths: Sequence[str], folders: Iterable[str], *, is_single: bool) -> None:
        """The addresses of files by ordinal, and of folders by path.

        Args:
            paths: of all files, in order.
            folders: paths; that of the top is empty.
            is_single: all is in one file.
        """
        self.is_single = is_single
        if is_single:
            self._files = [f"f{number}" for number in range(len(paths))]
            self._folders = {folder: f"t{number}" for number, folder in enumerate(folders)}
            self.home = "home"
        else:
            self._files = [file_page(path) for path in paths]
            self._folders = {folder: f"{FOLDERS}/{_plain_name(folder)}" for folder in folders}
            self.home = HOME

    def here(self, name: str) -> Here:
        """The page of that name, as the place that addresses lead from."""
        if self.is_single:
            return Here(name, "", "" if name == self.home else f"{name}-")
        return Here(name, "../" * name.count("/"), "")

    def file(self, ordinal: int) -> str:
        """The name of a file's page."""
        return self._files[ordinal]

    def folder(self, path: str) -> str:
        """The name of a folder's page."""
        return self._folders[path]

    def to(self, name: str, here: Here, anchor: str = "") -> str:
        """The address of a page, or of an anchor in it."""
        if self.is_single:
            return f"#{name}-{anchor}" if anchor else f"#{name}"
        if name == here.name:
            return f"#{anchor or 'top'}"
        return f"{here.up}{name}#{anchor}" if anchor else f"{here.up}{name}"


def file_page(path: str) -> str:
    """The name of the page of a file, in a page that is a directory."""
    return f"{FILES}/{_plain_name(path)}"


def _plain_name(path: str) -> str:
    """``sessions.py-0123456789abcdef.html`` of ``httpie/sessions.py``."""
    digest = hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    plain = _PLAIN.sub("-", path.rpartition("/")[2].lower())[:_LONGEST].strip("-.")
    return f"{plain or 'file'}-{digest}.html"


def line_anchor(line: int) -> str:
    """The anchor of a line."""
    return f"L{line}"


def definition_anchor(number: int) -> str:
    """The anchor of a symbol's name, by the symbol's number in its file."""
    return f"d{number}"


def card_anchor(number: int) -> str:
    """The anchor of what is said of a symbol, its references above all."""
    return f"r{number}"
