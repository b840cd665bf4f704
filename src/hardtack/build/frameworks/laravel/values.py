"""PHP expressions in, their literal values out: strings, lists, maps, class names, the arguments of a call.

Nothing is evaluated: an expression whose value is not certain from its text is :class:`Unread`, with its node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from hardtack.build.frameworks.laravel.names import PhpNames

_MAX_DEPTH: Final = 20
"""Maximum depth of nested expressions."""
_MAX_ITEMS: Final = 2_000
"""Maximum items of one literal list."""
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "$": "$", '"': '"', "'": "'"}


class ClassName(NamedTuple):
    """``X::class``, resolved."""

    name: str


class Unread(NamedTuple):
    """An expression whose value is unknown."""

    node: Node


class Items(NamedTuple):
    """An array literal."""

    pairs: tuple[tuple[Value | None, Value], ...]
    """(key, value) in order; the key is None if none is written."""
    is_whole: bool
    """False if an unknown value was spread into it."""

    def values(self) -> Iterator[Value]:
        """The values, with or without keys."""
        return (value for _, value in self.pairs)


Value = str | bool | None | ClassName | Items | Unread


class Scope(NamedTuple):
    """The names and constants that an expression may use."""

    names: PhpNames
    own: str = ""
    """Full name of the enclosing class; empty outside of one, and in a trait, where it is unknown."""
    parent: str = ""
    constants: Mapping[str, Node] = {}
    """The class's constants: name -> its expression."""


def value_of(node: Node | None, scope: Scope, depth: int = 0) -> Value:
    """The value of an expression."""
    if node is None:
        return None
    if depth > _MAX_DEPTH:
        return Unread(node)
    read = _READERS.get(node.type)
    return Unread(node) if read is None else read(node, scope, depth + 1)


def _string(node: Node, scope: Scope, depth: int) -> Value:
    """A quoted string without variables in it."""
    parts: list[str] = []
    for child in node.named_children:
        text = scope.names.words(child)
        if child.type == "escape_sequence":
            escaped = _ESCAPES.get(text[1:])
            # in single quotes only the quote and the backslash are escaped
            parts.append(escaped if escaped is not None and (node.type == "encapsed_string" or text[1:] in "\\'") else text)
        elif child.type == "string_content":
            parts.append(text)
        else:
            return Unread(node)
    return "".join(parts)


def _number(node: Node, scope: Scope, depth: int) -> Value:
    return scope.names.words(node).replace("_", "")


def _boolean(node: Node, scope: Scope, depth: int) -> Value:
    return scope.names.words(node).lower() == "true"


def _null(node: Node, scope: Scope, depth: int) -> Value:
    return None


def _inner(node: Node, scope: Scope, depth: int) -> Value:
    return value_of(node.named_children[0], scope, depth) if node.named_children else Unread(node)


def _constant(node: Node, scope: Scope, depth: int) -> Value:
    """``X::class`` and constants of the class itself; constants of other classes are unknown."""
    if len(node.named_children) < 2:
        return Unread(node)
    owner, name = node.named_children[0], node.named_children[-1]
    word = scope.names.words(owner).lower()
    if scope.names.words(name).lower() == "class":
        if word in ("self", "static", "$this"):
            return ClassName(scope.own) if scope.own else Unread(node)
        if word == "parent":
            return ClassName(scope.parent) if scope.parent else Unread(node)
        if owner.type in ("name", "qualified_name", "relative_name"):
            return ClassName(scope.names.resolve(scope.names.words(owner), node.start_byte))
        return Unread(node)
    if word in ("self", "static") and scope.names.words(name) in scope.constants:
        return value_of(scope.constants[scope.names.words(name)], scope, depth)
    return Unread(node)


def _magic(node: Node, scope: Scope, depth: int) -> Value:
    """``__CLASS__``; other constants are unknown."""
    return ClassName(scope.own) if scope.own and scope.names.words(node).upper() == "__CLASS__" else Unread(node)


def _joined(node: Node, scope: Scope, depth: int) -> Value:
    """Strings joined by ``.``."""
    operator = node.child_by_field_name("operator")
    if operator is None or scope.names.words(operator) != ".":
        return Unread(node)
    sides = [value_of(node.child_by_field_name(side), scope, depth) for side in ("left", "right")]
    texts = [text_of(side) for side in sides if not isinstance(side, Unread | Items)]
    return "".join(texts) if len(texts) == 2 else Unread(node)


def _items(node: Node, scope: Scope, depth: int) -> Value:
    """``[...]`` or ``array(...)``."""
    pairs: list[tuple[Value | None, Value]] = []
    is_whole = True
    for element in node.named_children[:_MAX_ITEMS]:
        if element.type != "array_element_initializer":
            continue
        inner = [child for child in element.named_children if child.type != "comment"]
        if inner and inner[0].type == "variadic_unpacking":
            spread = _inner(inner[0], scope, depth)
            if isinstance(spread, Items):
                pairs += spread.pairs
            is_whole = is_whole and isinstance(spread, Items) and spread.is_whole
        elif len(inner) == 2:
            pairs.append((value_of(inner[0], scope, depth), value_of(inner[1], scope, depth)))
        elif inner:
            pairs.append((None, value_of(inner[0], scope, depth)))
    return Items(tuple(pairs), is_whole)


_READERS: Final = {
    "string": _string,
    "encapsed_string": _string,
    "integer": _number,
    "float": _number,
    "boolean": _boolean,
    "null": _null,
    "parenthesized_expression": _inner,
    "class_constant_access_expression": _constant,
    "name": _magic,
    "binary_expression": _joined,
    "array_creation_expression": _items,
}


def text_of(value: Value) -> str:
    """A value as text; empty for a list or an unknown value."""
    if isinstance(value, ClassName):
        return value.name
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ""


def texts_of(value: Value) -> tuple[str, ...]:
    """A list's values as texts, or the one text; unknown values are left out."""
    if isinstance(value, Items):
        return tuple(text for each in value.values() if (text := text_of(each)))
    text = text_of(value)
    return (text,) if text else ()


class Argument(NamedTuple):
    """One argument of a call."""

    name: str
    """Empty for a positional argument."""
    node: Node


def arguments_of(call: Node, names: PhpNames) -> list[Argument]:
    """The arguments of a call, an instantiation or an attribute, up to a spread one."""
    listed = call.child_by_field_name("arguments") or call.child_by_field_name("parameters")
    if listed is None:
        listed = next((child for child in call.named_children if child.type == "arguments"), None)
    found: list[Argument] = []
    for argument in listed.named_children if listed is not None else ():
        if argument.type != "argument":
            continue
        name = argument.child_by_field_name("name")
        values = [child for child in argument.named_children if child.type != "comment" and child != name]
        if not values or values[0].type == "variadic_unpacking":
            break
        found.append(Argument(names.words(name), values[-1]))
    return found


def bound(arguments: Sequence[Argument], parameters: Sequence[str]) -> dict[str, Node]:
    """Parameter -> its argument, by name or by position."""
    by_parameter: dict[str, Node] = {}
    for index, argument in enumerate(arguments):
        if argument.name:
            by_parameter[argument.name] = argument.node
        elif index < len(parameters):
            by_parameter[parameters[index]] = argument.node
    return by_parameter
