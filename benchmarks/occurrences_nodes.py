"""Shared by occurrences_rules.py: the types that nodes have in the grammars of tree-sitter, by what they do.

Not run by itself. The grammars name alike nodes alike, so one table serves all languages.
"""

from __future__ import annotations

import re

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
    r"class|(?<!con)struct|interface|trait|impl_item|enum|record|object_(?:declaration|definition)|protocol|^module$|mixin|namespace"
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
HOSTS = frozenset({"vue", "svelte", "html"})
MARKED = re.compile(r"tag|attribute|directive_")
OF_SELF = re.compile(rb"\b(?:self|this)\s*\.\s*\Z")
PACKAGE_NAME = re.compile(r"^namespace_(?:name|definition|declaration)$|^package_|^file_scoped_namespace")
TYPED_BY = ("type", "return_type")
WORD = re.compile(rb"[^\W\d][\w$]*")
