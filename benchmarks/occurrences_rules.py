"""Shared by occurrences.py: says of an occurrence of a name, from the syntax around it alone, why it is no reference.

Not run by itself. The rules are those of docs/references.md ("What is not listed"); nothing here asks the build what it found. The
grammars name alike nodes alike, so one table of node types serves all languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from tree_sitter import Node

from hardtack.build.languages.registry import Language
from hardtack.nouns.model import PARTS, VARIABLES, Kind

LOCAL = "a local variable, parameter or type parameter of that name, declared in that function or block"
KEY = "the key of an object literal, or the label of an argument or of a statement"
IMPORT_OUTSIDE = "in an import of another package"
IMPORTED = "what the file imports from another package, or a member of that"
TYPE_OUTSIDE = "a member of a value whose declared type is of another package"
MEMBER = "a bare name, which means no member in this language"
VALUE_PLACE = "a member of a variable, where only something outside of types has the name"
CALLED = "what is called, where only a field has the name that cannot be called"
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
    PACKAGE,
    HEAD,
    UNREAD,
    MARKUP,
)

FUNCTION_WIDE = frozenset({"python", "ruby", "php", "lua", "perl", "r", "bash"})
"""Languages whose variables belong to the whole function, and are declared by assigning to them."""
CODE_IN_TEXT = re.compile(r"interpolat|substitution|embedded_expression|^token_tree$|jsx_expression")
TEXT = re.compile(
    r"comment|(?<!inter)string(?!_type)|char_literal|character|heredoc|regex|jsx_text|^text$|raw_text|symbol_array|pod|"
    r"unquoted_argument|number|float_|integer|system_lib"
)
PARAMETER = re.compile(r"parameters?$|parameter_(?:list|declaration|with_optional_type)$|parameter_pack|^bindings?$|_params$")
DECLARES: dict[str, tuple[str | None, ...]] = {
    **dict.fromkeys(("variable_declarator", "var_spec", "const_spec", "function_expression", "named_expression"), ("name",)),
    **dict.fromkeys(("enhanced_for_statement", "resource", "instanceof_expression", "declaration_pattern"), ("name",)),
    **dict.fromkeys(("catch_declaration", "declaration_expression", "recursive_pattern", "from_clause"), ("name",)),
    **dict.fromkeys(("initialized_variable_definition", "for_loop_parts", "capture_pattern", "var_pattern"), ("name",)),
    **dict.fromkeys(("short_var_declaration", "range_clause", "for_in_statement", "for_in_clause", "receive_statement"), ("left",)),
    **dict.fromkeys(("foreach_statement", "lambda_capture_initializer"), ("left", None)),
    **dict.fromkeys(
        ("let_declaration", "let_condition", "for_expression", "val_definition", "var_definition", "for"), ("pattern",)
    ),
    **dict.fromkeys(("init_declarator", "declaration", "for_range_loop"), ("declarator",)),
    **dict.fromkeys(("if_statement", "guard_statement", "while_statement", "pattern"), ("bound_identifier",)),
    **dict.fromkeys(("match_pattern", "captured_pattern", "ref_pattern", "mut_pattern", "as_pattern_target"), (None,)),
    **dict.fromkeys(
        ("variable_declaration", "catch_block", "enumerator", "initialized_identifier", "catch_parameters"), (None, "name")
    ),
    **dict.fromkeys(("exception_variable", "structured_binding_declarator", "variable_pattern", "implicit_parameter"), (None,)),
    **dict.fromkeys(("let_clause", "join_clause", "static_variable_declaration", "type_pattern"), (None, "name")),
    **dict.fromkeys(("record_pattern_component", "computed_setter", "tuple_pattern", "typed_pattern"), (None, "name", "pattern")),
    **dict.fromkeys(("mapped_type_clause", "index_signature", "local_function_statement"), ("name",)),
    **dict.fromkeys(("function_declaration", "generator_function_declaration", "class_declaration", "class"), ("name",)),
    "for_statement": ("left", None),
    "catch_clause": ("parameter", "name"),
    "catch_formal_parameter": ("name",),
    "type_switch_statement": ("alias",),
    "lambda_expression": ("parameters",),
    "arrow_function": ("parameter",),
    "capture_list_item": ("name",),
    "case_clause": ("pattern",),
    "infer_type": (None,),
}
ASSIGNS = frozenset({"assignment", "operator_assignment", "assignment_expression", "left_assignment_list", "augmented_assignment"})
THROUGH = re.compile(
    r"_pattern$|^pattern$|_declarator$|expression_list|variable_name|variable_declaration$|_list$|tuple|_target$|splat|rest|"
    r"destructur|list_literal|^pair$|pattern_list|parenthesized_variable|identifier_list"
)
NOT_BOUND = frozenset({"type", "value", "default", "default_value", "right", "body", "return_type", "bounds", "key", "condition"})
CALLABLE = re.compile(
    r"function|method|lambda|closure|arrow|constructor|comprehension|generator_expression|^do_block$|^block$|template_declaration|"
    r"accessor|getter|setter|initializer$|init_declaration|deinit|func_literal|anonymous|delegate|query_expression|mapped_type|"
    r"index_signature|conditional_type|type_alias|type_definition|type_item|type_declaration|operator_declaration|extension"
)
TYPE = re.compile(
    r"class|struct|interface|trait|impl_item|enum|record|object_(?:declaration|definition)|protocol|^module$|mixin|namespace"
)
NO_SCOPE = re.compile(
    r"parameters?$|_list$|_declarator$|_call|_body$|_expression_list|_type$|_pattern|_identifier|_specifier|invocation|clause$"
)
BLOCK = re.compile(
    r"block|compound_statement|_body$|statements|^for|foreach|catch|^case|_arm$|switch|loop|match_|^if_|while|rescue"
)
KEYS: dict[str, tuple[str | None, ...]] = {
    **dict.fromkeys(("pair", "pair_pattern"), ("key",)),
    **dict.fromkeys(("keyword_argument", "argument", "attribute_argument", "tuple_element", "tuple_type_item"), ("name",)),
    **dict.fromkeys(("label", "value_argument_label", "labeled_statement", "goto_statement", "hash_key_symbol"), (None, "name")),
    **dict.fromkeys(("method_definition", "jsx_attribute", "typed_identifier", "name_colon", "tuple_expression"), (None, "name")),
    "parameter": ("external_name",),
}
HEAD_OF = re.compile(r"constructor_signature$|^setter$|^destructor_name$")
WRAPPERS = frozenset({b"mut", b"dyn", b"impl", b"const", b"Arc", b"Rc", b"Box", b"Option", b"Optional", b"readonly", b"final"})
IMPORT = re.compile(
    r"^import|_import|^use_(?:decl|list|as)|namespace_use|using_directive|scoped_use_list|extern_crate|^export_statement"
)
PACKAGE_NAME = re.compile(r"^namespace_(?:name|definition)$|^package_|^file_scoped_namespace")
TYPED_BY = ("type", "return_type")
WORD = re.compile(rb"[^\W\d][\w$]*")
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

    def explained(self, start: int, end: int, kind: Kind, *, is_outside_types: bool) -> str:
        """Which of ``CLASSES`` explains the name at a place, which only a symbol of that kind has; empty if none does."""
        node = self.node(start, end)
        parents = list(around(node))
        before = self._text[max(0, start - 200) : start]
        is_bare = self._is_bare(start)
        if any(parent.type == "ERROR" for _, parent in parents[:STEPS]):
            return UNREAD
        if any(HEAD_OF.search(parent.type) for _, parent in parents[:2]):
            return HEAD
        types = [parent.type for _, parent in parents[:2]]
        if types == ["assignment_expression", "arguments"] and field_of(*parents[0]) == "left":
            return KEY
        if types[:1] == ["value_argument"] and re.match(rb"\s*=[^=]", self._text[end : end + 20]):
            return KEY
        if any((fields := KEYS.get(parent.type)) and field_of(child, parent) in fields for child, parent in parents[:2]):
            return KEY
        if is_bare and any(low <= start < high for low, high in self._scopes_of(self._text[start:end])):
            return LOCAL
        if any(PACKAGE_NAME.search(parent.type) for _, parent in parents[:2]) and parents[0][1].type != "qualified_name":
            return PACKAGE
        if (inside := next((parent for _, parent in parents if IMPORT.search(parent.type)), None)) is not None:
            return IMPORT_OUTSIDE if self._is_outside(inside) else ""
        if self._language.content == "markup" or re.search(
            r"tag|attribute_name|^attribute$|directive_", node.parent.type if node.parent else ""
        ):
            return MARKUP
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
        if is_bare and kind in PARTS and not is_key and "members" not in self._language.scoping:
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
            return (
                not quoted[1].startswith(".") and parts[-1 if self._language.id == "go" else 0].lower() not in self._known.folders
            )
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
