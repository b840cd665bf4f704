"""A text and its tree in, both without what a macro puts around items out: ``cfg_rt! { pub fn spawn() {} }`` of Rust.

To the grammar the brackets of a macro hold loose tokens. Where a macro stands among items or statements and what it holds parses as
items by itself, the macro's name and its brackets are blanked, and its items stand where they are. Three forms are read besides:

    lazy_static! { static ref PLACES: Places = ...; }    the grammar knows it
    cfg_if! { if #[cfg(unix)] { ... } else { ... } }     the items of every branch
    bitflags! { struct Flags: u32 { const A = 1; } }     an enumeration, as its constants are named like members

The offsets stay.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from hardtack.build.outline.syntax import TO_BLANKS, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node, Tree

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Deadline

_MAX_MACROS: Final = 2_000
"""Macros of one text that are looked at."""
_MAX_NESTED: Final = 5
"""Macros inside each other that are opened."""
_MACRO: Final = "macro_invocation"
_TREE: Final = "token_tree"
_STATEMENT: Final = "expression_statement"
_BESIDE: Final = frozenset({"attribute_item", "inner_attribute_item", "line_comment", "block_comment", "empty_statement", _MACRO})
"""What may stand beside items."""
_ITEMS: Final = frozenset(
    {
        *(
            "const_item",
            "enum_item",
            "function_item",
            "function_signature_item",
            "impl_item",
            "mod_item",
            "static_item",
            "struct_item",
        ),
        *("trait_item", "type_item", "union_item", "foreign_mod_item", "extern_crate_declaration", "use_declaration"),
        *("macro_definition", "associated_type"),
    }
)
_AROUND: Final = frozenset({"source_file", "declaration_list", "block"})
_HEAD: Final = re.compile(
    rb"\b\w++(?=!\s*+[({]\s*+(?:#|/|(?>(?:\w++::)*)\w++!|if\s*+#|(?:pub|fn|static|const|struct|enum|union|mod|use|impl|trait|type|unsafe"
    rb"|extern|async|default)\b))"
)
"""The name of a macro whose brackets begin like an item."""
_MAX_NAME: Final = 5
"""Nodes from the name of a macro to the macro."""
_OPENING: Final = (b"{", b"(")
_ENDINGS: Final = (b"", b";")
"""What the last item may lack: thread_local!(static KEY: Cell<u8> = Cell::new(1))."""


def without_item_macros(text: bytes, tree: Tree, language: Language, deadline: Deadline) -> tuple[bytes, Tree]:
    """The text that is parsed, and its tree, with the items of macros among those of the file."""
    for _ in range(_MAX_NESTED):
        opened = _opened(text, tree.root_node, language, deadline)
        if opened == text:
            break
        reading = parse(opened, language, deadline)
        if reading is None or (reading.root_node.has_error and not tree.root_node.has_error):
            break
        text, tree = opened, reading
    return text, tree


def _opened(text: bytes, root: Node, language: Language, deadline: Deadline) -> bytes:
    """The text with the outermost macros opened that hold items."""
    left = bytearray(text)
    for macro in _macros_among_items(text, root):
        held = macro.children[-1]
        if held.type != _TREE or text[held.start_byte : held.start_byte + 1] not in _OPENING:
            continue
        if deadline.has_passed():
            break
        branches = _branches(held)
        changed = _Piece(text, held)
        if branches:
            inner = [bytes(changed.text[slice(*changed.inside(branch))]) for branch in branches]
        else:
            _write_enumerations(changed, held)
            inner = [bytes(changed.text[1:-1])]
        ending = next((sign for sign in _ENDINGS if all(_are_items(each + sign, language, deadline) for each in inner)), None)
        if ending is None or not any(each.strip() for each in inner):
            continue
        for child in held.children if branches else ():
            if child in branches:
                first, last = changed.inside(child)
                changed.blank(first - 1, first)
                changed.blank(last, last + 1)
            elif child.type in ("if", "identifier"):
                changed.blank(*changed.place(child))
        changed.blank(0, 1)
        changed.blank(len(changed.text) - 1, len(changed.text))
        end = len(changed.text.rstrip())
        changed.text[end : end + len(ending)] = ending  # at the bracket, or where blanks stand before it
        left[macro.start_byte : held.end_byte] = text[macro.start_byte : held.start_byte].translate(TO_BLANKS) + changed.text
        if text[held.end_byte : held.end_byte + 1] == b";":  # of foo! { ... };
            left[held.end_byte : held.end_byte + 1] = b" "
    return bytes(left)


class _Piece:
    """The text of a node, which is changed; offsets count from its start."""

    __slots__ = ("start", "text")

    def __init__(self, text: bytes, node: Node) -> None:
        self.start = node.start_byte
        self.text = bytearray(text[node.start_byte : node.end_byte])

    def place(self, node: Node) -> tuple[int, int]:
        return node.start_byte - self.start, node.end_byte - self.start

    def inside(self, brackets: Node) -> tuple[int, int]:
        return brackets.start_byte + 1 - self.start, brackets.end_byte - 1 - self.start

    def blank(self, start: int, end: int) -> None:
        self.text[start:end] = self.text[start:end].translate(TO_BLANKS)

    def write(self, node: Node, text: bytes) -> None:
        first, last = self.place(node)
        self.text[first:last] = text.ljust(last - first)


def _macros_among_items(text: bytes, root: Node) -> Iterator[Node]:
    """The macros that stand among items or statements and whose brackets begin like an item, outermost alone."""
    for match in islice(_HEAD.finditer(text), _MAX_MACROS):
        macro = root.descendant_for_byte_range(match.start(), match.end())
        for _ in range(_MAX_NAME):
            if macro is None or macro.type == _MACRO:
                break
            macro = macro.parent
        if macro is None or macro.type != _MACRO or macro.parent is None:
            continue
        around = macro.parent.parent if macro.parent.type == _STATEMENT else macro.parent
        is_value = macro.parent.type == "block" and macro.parent.named_children[-1] == macro
        if around is not None and around.type in _AROUND and not is_value:
            yield macro


def _branches(held: Node) -> Sequence[Node]:
    """The bodies of ``if #[cfg(...)] { ... } else { ... }``; empty if that is not all that a macro holds."""
    parts = held.children[1:-1]
    if not parts or parts[0].type != "if":
        return ()
    trees = [part for part in parts if part.type == _TREE]
    others = {part.text for part in parts if part.type != _TREE}
    return [tree for tree in trees if (tree.text or b"")[:1] == b"{"] if others <= {b"if", b"else", b"#"} else ()


def _write_enumerations(changed: _Piece, held: Node) -> None:
    """Write each ``struct Name: type { const A = 1; B; }`` that a macro holds as an enumeration."""
    parts = held.children
    for number, part in enumerate(parts):
        if part.type not in ("struct", "impl"):
            continue
        end = next((at for at in range(number + 1, len(parts)) if parts[at].type in (_TREE, ";")), number)
        if end - number < 4 or parts[number + 2].type != ":" or (parts[end].text or b"")[:1] != b"{":
            continue
        changed.write(part, b"enum")
        changed.blank(changed.place(parts[number + 2])[0], changed.place(parts[end])[0])
        _write_members(changed, parts[end].children)


def _write_members(changed: _Piece, tokens: Sequence[Node]) -> None:
    """Write ``const A = 1;`` as ``A = 1,``, ``A as kind;`` as ``A,``, and ``const _ = !0;`` not at all."""
    start, is_named, cast = -1, True, -1
    for token in tokens:
        if token.type == "const":
            start, is_named = token.start_byte, True
            changed.write(token, b"")
        elif token.text == b"_":
            is_named = False
        elif token.type == "as" and start < 0:
            cast = token.start_byte
        elif token.type == ";":
            if cast >= 0:
                changed.blank(cast - changed.start, token.start_byte - changed.start)
            changed.write(token, b",")
            if start >= 0 and not is_named:
                changed.blank(start - changed.start, token.end_byte - changed.start)
            start, is_named, cast = -1, True, -1


def _are_items(text: bytes, language: Language, deadline: Deadline) -> bool:
    """Whether a text is items and nothing else; blanks are."""
    tree = parse(text, language, deadline)
    if tree is None or tree.root_node.has_error:
        return False
    kinds = {
        _MACRO if child.type == _STATEMENT and child.children[0].type == _MACRO else child.type for child in tree.root_node.children
    }
    if not kinds <= _ITEMS | _BESIDE:
        return False
    return not kinds or bool(kinds & _ITEMS) or any(map(_has_braces, _macros_among_items(text, tree.root_node)))


def _has_braces(macro: Node) -> bool:
    """Whether a macro among items may hold items itself."""
    return (macro.children[-1].text or b"")[:1] == b"{"
