"""Shared by occurrences.py: says of an occurrence of a name, from the syntax around it alone, why it is no reference.

Not run by itself. The rules are those of docs/references.md ("What is not listed"); nothing here asks the build what it found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from tree_sitter import Node

from hardtack.build.languages.registry import Language
from hardtack.nouns.model import VARIABLES, Kind
from occurrences_nodes import (
    ASSIGNS,
    BLOCK,
    CALLABLE,
    CODE_IN_TEXT,
    DECLARES,
    FUNCTION_WIDE,
    HEAD_OF,
    HOSTS,
    IMPORT,
    KEYS,
    MARKED,
    NO_SCOPE,
    NOT_BOUND,
    OF_SELF,
    PACKAGE_NAME,
    PARAMETER,
    TEXT,
    THROUGH,
    TYPE,
    TYPED_BY,
    WORD,
    WRAPPERS,
)

LOCAL = "a local variable, parameter or type parameter of that name, declared in that function or block"
KEY = "the key of an object literal, or the label of an argument or of a statement"
IMPORT_OUTSIDE = "in an import of another package"
IMPORTED = "what the file imports from another package, or a member of that"
TYPE_OUTSIDE = "a member of a value whose declared type is of another package"
MEMBER = "a bare name where only a member has it, and where no member can stand bare that is not inherited here"
VALUE_PLACE = "a member of a variable, where only something outside of types has the name"
CALLED = "what is called, where only a module has the name, or a field that cannot be called"
ATTRIBUTE = "an attribute that the type around sets, which is no symbol"
PACKAGE = "part of the name of a package"
HEAD = "in the head of a definition: a constructor, a setter"
UNREAD = "in a part of the file that the parser could not read"
MARKUP = "a tag, an attribute or a property of markup"
CLASSES = (
    LOCAL,
    KEY,
    IMPORT_OUTSIDE,
    IMPORTED,
    TYPE_OUTSIDE,
    MEMBER,
    VALUE_PLACE,
    CALLED,
    ATTRIBUTE,
    PACKAGE,
    HEAD,
    UNREAD,
    MARKUP,
)

CHAIN = re.compile(
    rb"(?:(?:this|self)\s*\??(?:\.|->))?([\w$@]+)(?:<[^<>;()]*>)?(?:\(\))?[!?]*(?:\s*(?:\.|->|::|\\)\s*\w+(?:\(\))?[!?]*)*\s*(?:\.|->|::|\\)\s*\Z"
)
MADE = re.compile(rb"(?:const\s+|new\s+|&|\s)*([A-Z]\w*(?=(?:<[^<>;]*>)?[({])|[A-Z]\w*(?=::new\()|[\[{\"'\d])")
SELF = frozenset({b"self", b"this", b"cls", b"Self", b"static", b"$this", b"super", b"parent", b"base"})
STEPS = 8


def is_text(node: Node | None) -> bool:
    """Whether a node is part of a comment, a string or another text, and not of code inside it."""
    if node is not None and "preproc_call" in (node.type, node.parent.type if node.parent else ""):
        return True  # #undef, #pragma
    while node is not None:
        if CODE_IN_TEXT.search(node.type) or node.type == "variable_name":
            return False
        if node.is_named and TEXT.search(node.type):
            return True
        node = node.parent
    return False


def around(node: Node) -> Iterator[tuple[Node, Node]]:
    """(child, parent) from a node outwards."""
    while node.parent is not None:
        yield node, node.parent
        node = node.parent


def field_of(child: Node, parent: Node) -> str | None:
    """The name of the field in which a node stands."""
    return next((parent.field_name_for_child(index) for index, each in enumerate(parent.children) if each == child), None)


def head_of(written: bytes) -> bytes:
    """The type whose members the value of a written type has."""
    return next((word for word in WORD.findall(written.replace(b"[]", b"")) if word not in WRAPPERS), b"")


class Known(NamedTuple):
    """What a bundle declares, by which another package is told."""

    names: frozenset[bytes]
    """Of all symbols."""
    folders: frozenset[str]
    """The names of all folders and files, without endings, in lower case and with underscores."""
    packages: frozenset[str]
    """The packages that files declare, dotted."""


class Reading:
    """One parsed file."""

    def __init__(self, root: Node, text: bytes, language: Language, known: Known) -> None:
        self._root = root
        self._text = text
        self._language = language
        self._known = known
        joints = "|".join(
            re.escape(each)
            for each in sorted(
                {*language.joints, *(("->",) if "::" in language.joints and language.id != "rust" else ())}, key=len, reverse=True
            )
        )
        self._joint = re.compile(rf"(?:{joints})(?:\s*template\b)?\Z".encode())
        self._scopes: dict[bytes, list[tuple[int, int]]] = {}

    def node(self, start: int, end: int) -> Node:
        """The leaf at a place."""
        return self._root.descendant_for_byte_range(start, end) or self._root

    def explained(self, start: int, end: int, kind: Kind, *, is_outside_types: bool, is_member: bool) -> str:
        """Which of ``CLASSES`` explains the name at a place, which only a symbol of that kind has; empty if none does."""
        node = self.node(start, end)
        parents = list(around(node))
        before = self._text[max(0, start - 200) : start]
        is_bare = self._is_bare(start)
        if any(parent.type == "ERROR" for _, parent in parents[:STEPS]):
            return UNREAD
        if any(HEAD_OF.search(parent.type) for _, parent in parents[:2]):
            return HEAD
        types = [parent.type for _, parent in parents[:4]]
        if types[:2] == ["assignment_expression", "arguments"] and field_of(*parents[0]) == "left":
            return KEY
        if types[:1] == ["value_argument"] and re.match(rb"\s*=[^=]", self._text[end : end + 20]):
            return KEY
        if any((fields := KEYS.get(parent.type)) and field_of(child, parent) in fields for child, parent in parents[:2]):
            return KEY
        if is_bare and any(low <= start < high for low, high in self._scopes_of(self._text[start:end])):
            return LOCAL
        outer = next((each for each in types if each not in ("qualified_name", "scoped_identifier", "package_identifier")), "")
        if PACKAGE_NAME.search(outer):
            return PACKAGE
        if (inside := next((parent for _, parent in parents if IMPORT.search(parent.type)), None)) is not None:
            return IMPORT_OUTSIDE if self._is_outside(inside) else ""
        if self._language.id in HOSTS and MARKED.search(types[0] if types else ""):
            return MARKUP
        if not is_bare and self._is_attribute(node, before, self._text[start:end]):
            return ATTRIBUTE
        chain = CHAIN.search(before)
        first = self._text[start:end] if is_bare else chain[1] if chain else self._leftmost(node)
        if first in self._imported and not any(low <= start < high for low, high in self._scopes_of(first)):
            return IMPORTED
        if not is_bare and self._is_package(first, before):
            return IMPORTED
        if not is_bare and first and first not in SELF and self._is_typed_outside(first, start):
            return TYPE_OUTSIDE
        is_key = self._text[end : end + 40].lstrip()[:1] == b":" and self._text[end : end + 2] != b"::"
        if not is_bare and chain and first in (b"super", b"base") and self._is_super_outside(node):
            return TYPE_OUTSIDE
        is_of_local = any(low <= start < high for low, high in self._scopes_of(first))
        is_variable = is_outside_types and kind in VARIABLES
        if not is_bare and (is_variable or (is_outside_types and is_of_local and first not in SELF)):
            return VALUE_PLACE
        if (
            kind in (Kind.FIELD, Kind.PROPERTY)
            and self._text[end : end + 1] == b"("
            and "uncalled_fields" in self._language.scoping
        ):
            return CALLED
        if is_bare and is_member and not is_key and not self._may_reach_members(node):
            return MEMBER
        return ""

    def _is_bare(self, start: int) -> bool:
        """Whether nothing before a name qualifies it."""
        end = len(self._text[:start].rstrip())
        if self._text.endswith(b"...", 0, end):
            return True  # a spread
        return self._joint.search(self._text, max(0, end - 20), end) is None or is_text(self.node(end - 1, end))

    # -- local variables -------------------------------------------------------------------------------------------------------

    def _scopes_of(self, name: bytes) -> list[tuple[int, int]]:
        """The functions and blocks that declare a variable or parameter of that name, as (start, end)."""
        if name not in self._scopes:
            found = self._scopes[name] = []
            for match in re.finditer(rb"(?<![\w$\x80-\xff])" + re.escape(name) + rb"(?![\w$\x80-\xff])", self._text):
                node = self.node(*match.span())
                if not is_text(node) and self._is_bare(match.start()):
                    found += self._bound_in(node)
        return self._scopes[name]

    def _bound_in(self, node: Node) -> Iterator[tuple[int, int]]:
        """Where the variable counts that a node declares; nothing if it declares none."""
        declares = self._declaration(node)
        if declares is None:
            return
        is_parameter = PARAMETER.search(declares.type) is not None
        for _, parent in around(declares):
            if NO_SCOPE.search(parent.type):
                continue
            if TYPE.search(parent.type) and not CALLABLE.search(parent.type):
                if is_parameter:
                    yield parent.byte_range
                return
            if CALLABLE.search(parent.type):
                yield self._with_body(parent)
                return
            is_block = not is_parameter and self._language.id not in FUNCTION_WIDE and BLOCK.search(parent.type)
            if is_block and any(CALLABLE.search(outer.type) and not NO_SCOPE.search(outer.type) for _, outer in around(parent)):
                yield parent.byte_range
                return

    def _with_body(self, function: Node) -> tuple[int, int]:
        """A function from its start to the end of its body, which may stand beside its head."""
        if function.type.endswith("signature") and function.parent is not None and function.parent.type == "declaration":
            return function.parent.byte_range
        beside = function
        while beside.type.endswith("signature") and beside.parent is not None and beside.parent.type.endswith("signature"):
            beside = beside.parent
        following = beside.next_named_sibling
        has_body = beside.type.endswith("signature") and following is not None and following.type.endswith("body")
        return function.start_byte, following.end_byte if has_body and following is not None else function.end_byte

    def _declaration(self, node: Node) -> Node | None:
        """The node that declares the variable or parameter whose name a node is."""
        if node.type == "shorthand_property_identifier":
            return None
        for child, parent in list(around(node))[:STEPS]:
            field = field_of(child, parent)
            if parent.type == "pair_pattern" and field == "value":
                continue
            if parent.type in DECLARES and field in DECLARES[parent.type]:
                return parent
            if field in NOT_BOUND or (parent.type == "tuple_struct_pattern" and field == "type"):
                return None
            if PARAMETER.search(parent.type):
                return parent
            if parent.type in ASSIGNS and field in ("left", None) and self._language.id in FUNCTION_WIDE:
                return parent
            if not THROUGH.search(parent.type) or parent.type == "argument_list":
                return None
        return None

    # -- other packages --------------------------------------------------------------------------------------------------------

    @cached_property
    def _imported(self) -> frozenset[bytes]:
        """The names that the file's imports of other packages give."""
        found: set[bytes] = set()
        stack = [self._root]
        while stack:
            node = stack.pop()
            if IMPORT.search(node.type) and not any(each.type.startswith("import_spec") for each in node.named_children):
                found.update(WORD.findall(node.text or b"") if self._is_outside(node) else ())
            else:
                stack.extend(node.named_children)
        for match in re.finditer(
            rb"([\w$]+|\{[^{}]*\})\s*=\s*(?:await\s+)?(?:require|import)\(\s*['\"]([^.'\"][^'\"]*)['\"]", self._text
        ):
            found.update(WORD.findall(match[1]))
        return frozenset(found)

    def _is_outside(self, node: Node) -> bool:
        """Whether an import is of another package: no file, folder or package here has its path."""
        text = (node.text or b"").decode("utf-8", "replace")
        if quoted := re.search(r"""['"]([^'"]+)['"]""", text):
            parts = [each for each in re.split(r"[/:]", quoted[1].removeprefix("package:")) if not re.fullmatch(r"v\d+", each)]
            is_go = self._language.id == "go"  # whose standard library alone has no host in its paths
            last = parts[-1 if is_go else 0].lower()
            return not quoted[1].startswith(".") and (last not in self._known.folders or (is_go and "." not in parts[0]))
        if node.type == "namespace_selectors" or node.type.endswith("_list"):
            return node.parent is not None and self._is_outside(node.parent)
        text = re.sub(
            r"\b(?:import|from|use|pub|using|static|global|as\s+\w+|extern|crate(?=\s)|function|const)\b(?!\s*::)", " ", text
        )
        path = re.match(r"[\s(]*((?:\w+|\.)(?:\s*(?:\.|::|\\)\s*\w+)*)", text)
        words = re.findall(r"\w+", path[1]) if path else []
        if path is None or not words or path[1].startswith(".") or words[0] in ("crate", "self", "super"):
            return False
        if self._language.bare_names == "package":
            joined = ".".join(words)
            return not any(
                joined == each or joined.startswith(f"{each}.") or each.startswith(f"{joined}.") for each in self._known.packages
            )
        return words[0].lower() not in self._known.folders

    def _is_attribute(self, node: Node, before: bytes, name: bytes) -> bool:
        """Whether a name is what the code of the type around sets as ``self.name = ...``."""
        holder = next((parent for _, parent in around(node) if TYPE.search(parent.type) and "body" not in parent.type), None)
        sets = rb"\b(?:self|this)\s*\.\s*" + re.escape(name) + rb"(?:\s*:[^=\n]*)?\s*=(?!=)"
        return holder is not None and OF_SELF.search(before) is not None and re.search(sets, holder.text or b"") is not None

    def _may_reach_members(self, node: Node) -> bool:
        """Whether a bare name may be a member: of a receiver, of a type that the file opens, or of a supertype elsewhere."""
        opened = re.findall(rb"(\w+)(?:\.|::)(?:_|\*)(?!\w)", self._text)
        if "receiver_lambdas" in self._language.scoping or any(each in self._known.names for each in opened):
            return True
        holder = next((parent for _, parent in around(node) if TYPE.search(parent.type) and "body" not in parent.type), None)
        head = (holder.text or b"").split(b"{", 1)[0] if holder is not None and "members" in self._language.scoping else b""
        head = re.sub(rb"<[^<>]*>", b"", re.sub(rb"<[^<>]*>", b"", head)).split(b" where ", 1)[0]
        return any(word[:1].isupper() and word not in self._known.names for word in WORD.findall(head))

    def _leftmost(self, node: Node) -> bytes:
        """The first word of the expression before a name."""
        whole = next((parent for _, parent in around(node) if parent.start_byte < node.start_byte), node)
        while whole.named_children and whole.named_children[0].start_byte == whole.start_byte:
            whole = whole.named_children[0]
        return (whole.text or b"") if WORD.fullmatch(whole.text or b"") else b""

    def _is_package(self, first: bytes, before: bytes) -> bool:
        """Whether a chain begins with the name of another package: a::b of what has no such name."""
        is_path = bool(first) and before.rstrip().endswith(b"::") and "::" in self._language.joints
        return is_path and first not in self._known.names and first.decode().lower() not in self._known.folders

    def _is_super_outside(self, node: Node) -> bool:
        """Whether the type around inherits nothing of the bundle."""
        for _, parent in around(node):
            if TYPE.search(parent.type) and "body" not in parent.type:
                head = (parent.text or b"").split(b"{", 1)[0].split(b"\n\n", 1)[0]
                return sum(word in self._known.names for word in WORD.findall(head)) <= 1
        return False

    def _is_typed_outside(self, name: bytes, at: int) -> bool:
        """Whether the variable, parameter or field of that name is declared with a type or value of another package."""
        found = [written for start, written in self._types_of(name) if start is None or start[0] <= at < start[1]]
        return bool(found) and not any(head_of(written) in self._known.names for written in found)

    def _types_of(self, name: bytes) -> Iterator[tuple[tuple[int, int] | None, bytes]]:
        for match in re.finditer(rb"(?<![\w$\x80-\xff])" + re.escape(name) + rb"(?![\w$\x80-\xff])", self._text):
            node = self.node(*match.span())
            if is_text(node):
                continue
            for child, parent in list(around(node))[:4]:
                field = field_of(child, parent)
                if field in NOT_BOUND:
                    break
                written = next((found for each in TYPED_BY if (found := parent.child_by_field_name(each)) is not None), None)
                if written is None and parent.type in ("variable_declaration", "parameter", "class_parameter"):
                    written = next((each for each in parent.named_children if each.type.endswith("_type")), None)
                if written is not None and written != child:
                    yield next(iter(self._bound_in(node)), None), written.text or b""
                    break
                value = parent.child_by_field_name("value") or parent.child_by_field_name("right")
                if value is not None and value != child and (made := MADE.match(value.text or b"")) is not None:
                    yield next(iter(self._bound_in(node)), None), made[1]
                    break
