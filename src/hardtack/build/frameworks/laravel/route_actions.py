"""The arguments of a route in, its controller, action and uri out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.frameworks.laravel.values import ClassName, Items, Unread, text_of, value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from hardtack.build.frameworks.laravel.values import Scope, Value

INVOKE: Final = "__invoke"
CLOSURE: Final = "Closure"
UNKNOWN: Final = "*"
"""Replaces an unknown part of a uri."""
_CLOSURES: Final = frozenset({"anonymous_function", "arrow_function"})
_MAX_DEPTH: Final = 20


class Action(NamedTuple):
    """The handler of a route."""

    controller: str = ""
    """Full name; empty for a function, or if it is unknown."""
    name: str = ""
    """The controller's method, ``__invoke`` if it has only one, ``Closure`` for a function; empty if it is unknown."""


def action_of(handler: Node | None, controller: str, namespace: str, scope: Scope) -> Action:
    """The action of a route.

    Args:
        handler: the argument with the action; None if there is none.
        controller: the controller of the enclosing groups.
        namespace: the namespace of the enclosing groups for controllers named by a string.
        scope: resolves the names in it.
    """
    if handler is None:
        return Action(controller, INVOKE if controller else "")
    if handler.type in _CLOSURES:
        return Action(name=CLOSURE)
    value = value_of(handler, scope)
    if isinstance(value, Items):
        keyed = {text_of(key): each for key, each in value.pairs if key is not None}
        listed = [each for key, each in value.pairs if key is None]
        if "uses" in keyed:
            return _of_value(keyed["uses"], controller, namespace)
        if any(isinstance(each, Unread) and each.node.type in _CLOSURES for each in listed):
            return Action(name=CLOSURE)
        return _of_value(value if listed else None, controller, namespace)
    return _of_value(value, controller, namespace)


def _of_value(value: Value, controller: str, namespace: str) -> Action:
    if isinstance(value, Items):
        pair = list(value.values())
        if len(pair) == 2 and isinstance(pair[0], ClassName | str):
            return Action(text_of(pair[0]).lstrip("\\"), text_of(pair[1]))
        return Action(text_of(pair[0]).lstrip("\\"), INVOKE) if len(pair) == 1 else Action()
    if isinstance(value, ClassName):
        return Action(value.name, INVOKE)
    if isinstance(value, Unread) and value.node.type in _CLOSURES:
        return Action(name=CLOSURE)
    text = text_of(value)
    if not text:
        return Action(controller, INVOKE if controller and value is None else "")
    named, at, method = text.partition("@")
    if at:
        return Action(_full(named, namespace), method)
    return Action(controller, named) if controller else Action(_full(named, namespace), INVOKE)


def _full(controller: str, namespace: str) -> str:
    if not namespace or controller.startswith(("\\", namespace)):
        return controller.lstrip("\\")
    return f"{namespace}\\{controller}"


def uri_of(node: Node | None, scope: Scope, depth: int = 0) -> str | None:
    """A uri or a name, with ``*`` for each unknown part; None if all of it is unknown."""
    if node is None:
        return None
    value = value_of(node, scope)
    if isinstance(value, str | ClassName):
        return text_of(value)
    if depth > _MAX_DEPTH:
        return None
    operator = node.child_by_field_name("operator")
    if node.type == "binary_expression" and operator is not None and scope.names.words(operator) == ".":
        parts = [uri_of(node.child_by_field_name(side), scope, depth + 1) for side in ("left", "right")]
    elif node.type == "encapsed_string":
        parts = [
            scope.names.words(child) if child.type in ("string_content", "escape_sequence") else None
            for child in node.named_children
        ]
    else:
        return None
    return None if all(part is None for part in parts) else "".join(UNKNOWN if part is None else part for part in parts)


def part_of(node: Node, scope: Scope) -> str:
    """A prefix, a domain or a name, with ``*`` for each unknown part; empty for null."""
    part = uri_of(node, scope)
    if part is None:
        return UNKNOWN if isinstance(value_of(node, scope), Unread | Items) else ""
    return part
