"""Nodes of Objective-C's messages in, what each sends and to whom out: ``[[Jar shared] put:lid at:2]`` sends ``put:at:``.

The receiver is told as other languages write a chain: ``Jar.shared()``. One that is no chain of names is unknown, as is that of
``@selector(put:at:)``, which only names what may be sent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.outline.qualifiers import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

_MAX_DEPTH: Final = 20
"""Messages inside each other whose results receive the next."""
_MAX_CHARACTERS: Final = 200
_NAMED: Final = re.compile(rb"@selector\(\s*([A-Za-z_$][\w$:]*)\s*\)")


class Message(NamedTuple):
    """One message."""

    selector: str
    receiver: str
    """A chain of names, as :attr:`relations.Use.qualifier` has it."""
    is_sent: bool = True


def messages_of(nodes: Iterable[Node]) -> dict[int, Message]:
    """First byte of the first word of each message's selector -> the message."""
    found: dict[int, Message] = {}
    for node in nodes:
        if node.type == "selector_expression":
            if (match := _NAMED.match(node.text or b"")) is not None:
                found[node.start_byte + match.start(1)] = Message(match[1].decode(), UNKNOWN, is_sent=False)
            continue
        words = node.children_by_field_name("method")
        if words:
            found[words[0].start_byte] = Message(_selector(node), _chain(node.child_by_field_name("receiver")))
    return found


def _selector(message: Node) -> str:
    """The words and colons between the receiver and the end."""
    return "".join(
        _text(child) if message.field_name_for_child(number) == "method" else ":"
        for number, child in enumerate(message.children)
        if child.type == ":" or message.field_name_for_child(number) == "method"
    )


def _chain(receiver: Node | None, depth: int = _MAX_DEPTH) -> str:
    """The receiver as a chain of names."""
    if receiver is None or not depth:
        return UNKNOWN
    if receiver.type == "identifier":
        return _text(receiver)[:_MAX_CHARACTERS]
    if receiver.type == "field_expression":
        before = _chain(receiver.child_by_field_name("argument"), depth - 1)
        field = receiver.child_by_field_name("field")
        return f"{before}.{_text(field)}" if before != UNKNOWN and field is not None else UNKNOWN
    if receiver.type == "message_expression":
        before, selector = _chain(receiver.child_by_field_name("receiver"), depth - 1), _selector(receiver)
        return f"{before}.{selector}()" if before != UNKNOWN and ":" not in selector else UNKNOWN
    return UNKNOWN


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
