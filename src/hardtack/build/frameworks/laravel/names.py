"""A PHP file's namespaces and ``use`` declarations in, the full names of the classes written in it out, as PHP resolves them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node


class PhpNames:
    """Resolves names as PHP does: by the imports of their namespace block, else in that namespace.

    Full names have no leading backslash and keep their case.
    """

    def __init__(self, text: bytes, namespaces: Iterable[Node], imports: Iterable[Node]) -> None:
        """Read a file's ``namespace_definition`` and ``namespace_use_declaration`` nodes."""
        self._text = text
        self._starts = [0]
        self._blocks: list[tuple[str, dict[str, str]]] = [("", {})]
        for node in sorted(namespaces, key=lambda node: node.start_byte):
            name = node.child_by_field_name("name")
            self._starts.append(node.start_byte)
            self._blocks.append((self.words(name), {}))
        for node in imports:
            self._add_imports(self._block(node.start_byte)[1], node)

    def words(self, node: Node | None) -> str:
        """The node's text, empty for no node. ``Node.text`` is slower: it calls the read function of the parse."""
        return "" if node is None else self._text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def resolve(self, written: str, at: int) -> str:
        """The full name of a class written at byte ``at``."""
        if written.startswith("\\"):
            return written[1:]
        namespace, imports = self._block(at)
        first, backslash, rest = written.partition("\\")
        if first.lower() == "namespace" and backslash:
            return f"{namespace}\\{rest}".lstrip("\\")
        if (imported := imports.get(first.lower())) is not None:
            return imported + backslash + rest
        return f"{namespace}\\{written}" if namespace else written

    def own(self, name: str, at: int) -> str:
        """The full name of a class declared at byte ``at``."""
        namespace, _ = self._block(at)
        return f"{namespace}\\{name}" if namespace else name

    def _block(self, at: int) -> tuple[str, dict[str, str]]:
        return self._blocks[bisect_right(self._starts, at) - 1]

    def _add_imports(self, imports: dict[str, str], declaration: Node) -> None:
        """Add the classes that one ``use`` declaration imports, by alias in lower case; not functions and constants."""
        if declaration.child_by_field_name("type") is not None:
            return
        prefix = ""
        clauses = [child for child in declaration.named_children if child.type == "namespace_use_clause"]
        if (group := declaration.child_by_field_name("body")) is not None:
            prefix = "".join(self.words(child) + "\\" for child in declaration.named_children if child.type == "namespace_name")
            clauses = [child for child in group.named_children if child.type == "namespace_use_clause"]
        for clause in clauses:
            if clause.child_by_field_name("type") is not None:
                continue
            names = [child for child in clause.named_children if child.type in ("name", "qualified_name", "namespace_name")]
            if not names:
                continue
            alias = clause.child_by_field_name("alias")
            imported = (prefix + self.words(names[0])).lstrip("\\")
            called = self.words(alias) or imported.rpartition("\\")[2]
            imports.setdefault(called.lower(), imported)


def basename(name: str) -> str:
    """The last part of a full name."""
    return name.rpartition("\\")[2]
