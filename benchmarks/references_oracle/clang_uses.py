"""A repository's C and C++ sources in, what libclang takes each of their names to mean out."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from ctypes import byref, c_uint
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clang.cindex import Cursor, Index


USES = {
    *("DECL_REF_EXPR", "MEMBER_REF_EXPR", "TYPE_REF", "TEMPLATE_REF", "MEMBER_REF"),
    *("MACRO_INSTANTIATION", "OVERLOADED_DECL_REF", "VARIABLE_REF"),
}
LOCAL = {"PARM_DECL", "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "LABEL_STMT"}
ERROR = 3
"""The severity of an error."""
_WITH_MACROS = 1
"""libclang's option to tell where macros are expanded."""


class Judge:
    """The declarations and uses of a repository."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._places: dict[str, dict[tuple[str, int], str]] = defaultdict(dict)
        """USR -> (path, line) -> name of all that declares it."""
        self._macros: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """Path -> (start, end) of the definitions of macros: what stands in one is of the place that expands it."""
        self._uses: dict[tuple[str, int], tuple[int, str, str]] = {}
        """(path, first byte) -> (line, name, USR)."""
        self._expanded: set[tuple[str, int]] = set()
        """Where the names of macros stand."""
        self._texts: dict[str, bytes] = {}
        self._read: set[str] = set()
        """Headers that some source led to without an error in them."""
        self.unresolved: set[tuple[str, int]] = set()
        self.faulty = 0

    def parse(self, index: Index, source: Path, flags: Sequence[str]) -> None:
        """Note what a source and the headers that it is the first to include say."""
        from clang.cindex import TranslationUnitLoadError

        try:
            unit = index.parse(str(source), args=list(flags), options=_WITH_MACROS)
        except TranslationUnitLoadError:
            self.faulty += 1
            return
        errors = (each.location.file for each in unit.diagnostics if each.severity >= ERROR)
        faulty = {self._relative(str(file)) for file in errors} - {""}  # a library that wants another compiler is no matter
        self.faulty += bool(faulty)
        own, seen = self._relative(str(source)), set[str]()
        for top in unit.cursor.get_children():
            path = self._relative(str(top.location.file)) if top.location.file else ""
            if path and (path not in self._read or path == own):
                seen.add(path)
                self._visit(top)
        self._read |= seen - faulty

    @cache  # noqa: B019
    def _relative(self, file: str) -> str:
        try:
            return Path(file).resolve().relative_to(self._root).as_posix()
        except ValueError:
            return ""

    def _visit(self, top: Cursor) -> None:
        for cursor in top.walk_preorder():
            try:
                kind = cursor.kind
            except ValueError:  # a kind that these bindings do not know
                continue
            if kind.is_declaration() or kind.name == "MACRO_DEFINITION":
                self._declare(cursor)
            elif kind.name in USES:
                self._use(cursor)

    def _place(self, cursor: Cursor) -> tuple[str, int, int] | None:
        """(path, line, first byte) of a name as it is spelt, which may be in the arguments of a macro."""
        from clang.cindex import File, c_object_p, conf

        file, line, offset = c_object_p(), c_uint(), c_uint()
        conf.lib.clang_getSpellingLocation(cursor.location, byref(file), byref(line), byref(c_uint()), byref(offset))
        path = self._relative(str(File(file))) if file else ""
        return (path, line.value, offset.value) if path else None

    def _declare(self, cursor: Cursor) -> None:
        if cursor.spelling and (usr := cursor.get_usr()) and (place := self._place(cursor)) is not None:
            self._places[usr][place[:2]] = _plain(cursor.spelling)
            for other in (_template_of(cursor), cursor.semantic_parent if cursor.kind.name == "CONSTRUCTOR" else None):
                if other is not None:  # a specialisation stands for its template, a constructor for its type
                    self._places[other.get_usr()][place[:2]] = _plain(cursor.spelling)
            if cursor.kind.name == "MACRO_DEFINITION":
                self._macros[place[0]].append((cursor.extent.start.offset, cursor.extent.end.offset))

    def _use(self, cursor: Cursor) -> None:
        place, name = self._place(cursor), _plain(cursor.spelling.rpartition("::")[2].rpartition(" ")[2])
        if place is None or not name.isidentifier() or not self._text(place[0]).startswith(name.encode(), place[2]):
            return  # it stands in a macro, or is no name
        meant = cursor.referenced
        if meant is None or cursor.kind.name == "OVERLOADED_DECL_REF":
            self.unresolved.add((place[0], place[2]))
        elif not _is_local(meant) and (place[0], place[2]) not in self._expanded:
            if cursor.kind.name == "MACRO_INSTANTIATION":
                self._expanded.add((place[0], place[2]))
            while (template := _template_of(meant)) is not None:
                meant = template
            for each in (meant, meant.get_definition()):
                if each is not None:
                    self._declare(each)
            self._uses[place[0], place[2]] = place[1], name, meant.get_usr()

    def _text(self, path: str) -> bytes:
        if path not in self._texts:
            self._texts[path] = (self._root / path).read_bytes()
        return self._texts[path]

    def records(self) -> Iterator[dict[str, Any]]:
        """What is to be printed."""
        macros = {path: sorted(set(spans)) for path, spans in self._macros.items()}
        for (path, start), (line, name, usr) in sorted(self._uses.items()):
            around = bisect_right(macros.get(path, []), (start, 1 << 60)) - 1
            if around >= 0 and macros[path][around][0] <= start < macros[path][around][1]:
                continue
            places = [(to, at, declared) for (to, at), declared in sorted(self._places.get(usr, {}).items())]
            if places and (path, line) not in self._places[usr]:
                record = {"path": path, "at": line, "start": start, "name": name}
                yield record | {"to": places[0][0], "line": places[0][1], "declared": places[0][2], "others": places[1:]}


def _plain(spelling: str) -> str:
    """A name without its template's arguments."""
    return spelling.partition("<")[0]


def _template_of(cursor: Cursor) -> Cursor | None:
    """The template of which a declaration is an instance."""
    found: Cursor | None = cursor.specialized_template if hasattr(cursor, "specialized_template") else None
    if found is None:
        from clang.cindex import conf

        found = conf.lib.clang_getSpecializedCursorTemplate(cursor)
    return found if found is not None and found != cursor else None


def _is_local(meant: Cursor) -> bool:
    if meant.kind.name in LOCAL:
        return True
    if meant.kind.name == "VAR_DECL" and meant.linkage.name == "NO_LINKAGE":
        return True
    parent = meant.semantic_parent
    return meant.kind.name in ("NAMESPACE", "NAMESPACE_ALIAS") or (
        meant.kind.name == "VAR_DECL" and parent is not None and parent.kind.is_declaration() and "FUNCTION" in parent.kind.name
    )
