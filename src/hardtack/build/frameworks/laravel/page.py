"""One PHP file for the readers of this package: its tree, its symbols by position, its names and its classes."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from tree_sitter import Query, QueryCursor
from tree_sitter_language_pack import get_language

from hardtack.build.frameworks.laravel.names import PhpNames
from hardtack.build.frameworks.laravel.values import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node, Tree

    from hardtack.nouns.outline import Symbol

MAX_DEPTH: Final = 500
"""Maximum depth in the tree of classes and calls; finding a node's parent takes time proportional to its depth."""
_OUTERMOST: Final = 8
"""Maximum depth of named classes: in a namespace block, possibly inside conditions."""
_UNNAMED: Final = (b"new class", b"new readonly class", b"new #[")
"""Beginnings of anonymous classes, which may be at any depth."""
_LONGEST: Final = 200

_DECLARATIONS: Final = """
(namespace_definition) @namespace
(namespace_use_declaration) @import
[(class_declaration) (trait_declaration) (anonymous_class)] @class
"""
_CALLS: Final = """
[(scoped_call_expression) (member_call_expression) (nullsafe_member_call_expression)] @call
"""
_COMMENTS: Final = "(comment) @comment"


class PhpFile:
    """The tree, names and classes of a file."""

    def __init__(self, tree: Tree, text: bytes, symbols: Sequence[Symbol]) -> None:
        self.text = text
        self.symbols = symbols
        self._tree = tree
        self._index_of_name = {symbol.selection.start: index for index, symbol in enumerate(symbols)}
        is_flat = not any(words in text for words in _UNNAMED)
        found = self._captures(_DECLARATIONS, _OUTERMOST if is_flat else MAX_DEPTH)
        self.names = PhpNames(text, found.get("namespace", ()), found.get("import", ()))
        self.classes = tuple(ClassNode(node, self) for node in found.get("class", ()))
        """The classes and traits of the file, also nested ones, in order."""
        self._methods = sorted(((method.node.start_byte, method) for each in self.classes for method in each.methods), key=_start)

    @cached_property
    def calls(self) -> list[Node]:
        """The method calls, also static ones, in order, outer ones first."""
        return self._captures(_CALLS).get("call", [])

    def comments(self) -> list[Node]:
        """The comments, in order."""
        return self._captures(_COMMENTS).get("comment", [])

    def symbol_of(self, name: Node | None) -> int:
        """Index of the symbol with this name node, or -1."""
        return -1 if name is None else self._index_of_name.get(name.start_byte, -1)

    def method_around(self, node: Node) -> MethodNode | None:
        """The innermost method of a class that holds the node."""
        index = bisect_right(self._methods, node.start_byte, key=_start) - 1
        while index >= 0 and self._methods[index][1].node.end_byte < node.end_byte:
            index -= 1
        return self._methods[index][1] if index >= 0 else None

    def line_text(self, node: Node) -> str:
        """The node's source on one line, cut to size."""
        return " ".join(self.names.words(node).split())[:_LONGEST]

    def _captures(self, source: str, deepest: int = MAX_DEPTH) -> dict[str, list[Node]]:
        cursor = QueryCursor(_query(source))
        cursor.set_max_start_depth(deepest)
        captures = cursor.captures(self._tree.root_node)
        return {name: sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte)) for name, nodes in captures.items()}


class ClassNode:
    """A class, named or anonymous, or a trait."""

    def __init__(self, node: Node, php: PhpFile) -> None:
        self.node = node
        self.symbol = php.symbol_of(node.child_by_field_name("name"))
        """Index of its symbol; -1 for an anonymous class."""
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        self.members = body.named_children if body is not None else []
        self.parent = next((_base(child, php) for child in node.named_children if child.type == "base_clause"), "")
        """Full name of its parent; empty for none."""
        is_trait = node.type == "trait_declaration"
        own = "" if name is None or is_trait else php.names.own(php.names.words(name), node.start_byte)
        self.can_be_model = is_trait or bool(self.parent)
        self.scope = Scope(php.names, own, self.parent, dict(_constants(self.members, php)))
        self.methods = [MethodNode(member, self, php) for member in self.members if member.type == "method_declaration"]


class MethodNode:
    """A method of a class or trait."""

    def __init__(self, node: Node, owner: ClassNode, php: PhpFile) -> None:
        self.node = node
        self.owner = owner
        name = node.child_by_field_name("name")
        self.name = php.names.words(name)
        self.symbol = php.symbol_of(name)

    @property
    def modifiers(self) -> frozenset[str]:
        """``static``, ``private``, ..."""
        words = self.owner.scope.names.words
        return frozenset(words(child).lower() for child in self.node.named_children if child.type.endswith("_modifier"))

    @property
    def needs_arguments(self) -> bool:
        """Whether it has a parameter without a default."""
        listed = self.node.child_by_field_name("parameters")
        parameters = listed.named_children if listed is not None else []
        return any(each.type == "simple_parameter" and each.child_by_field_name("default_value") is None for each in parameters)

    def return_type(self) -> str:
        """Full name of the class that it declares to return, nullable or not; empty for anything else."""
        declared = self.node.child_by_field_name("return_type")
        if declared is not None and declared.type == "optional_type":
            declared = declared.named_children[0] if declared.named_children else None
        if declared is None or declared.type != "named_type" or not declared.named_children:
            return ""
        names = self.owner.scope.names
        return names.resolve(names.words(declared.named_children[0]), declared.start_byte)

    def returned(self) -> Iterator[Node]:
        """The values of its own ``return`` statements, without those of closures and classes inside it."""
        body = self.node.child_by_field_name("body")
        waiting = [body] if body is not None else []
        while waiting:
            node = waiting.pop()
            if node.type == "return_statement":
                yield from node.named_children[:1]
            elif node.type.endswith(("_statement", "_clause", "_block")):
                waiting += reversed(node.named_children)


def attributes_of(declaration: Node, names: PhpNames) -> Iterator[tuple[str, Node]]:
    """(full name, node) of each ``#[...]`` on a declaration."""
    listed = declaration.child_by_field_name("attributes")
    for group in listed.named_children if listed is not None else ():
        for attribute in group.named_children:
            if attribute.type == "attribute" and attribute.named_children:
                yield names.resolve(names.words(attribute.named_children[0]), attribute.start_byte), attribute


def _constants(members: Sequence[Node], php: PhpFile) -> Iterator[tuple[str, Node]]:
    for member in members:
        if member.type == "const_declaration":
            for element in member.named_children:
                if element.type == "const_element" and len(element.named_children) > 1:
                    yield php.names.words(element.named_children[0]), element.named_children[-1]


def _base(clause: Node, php: PhpFile) -> str:
    return php.names.resolve(php.names.words(clause.named_children[0]), clause.start_byte) if clause.named_children else ""


def _start(entry: tuple[int, MethodNode]) -> int:
    return entry[0]


@cache
def _query(source: str) -> Query:
    return Query(get_language("php"), source)
