; include c/shared/uses.scm

[(identifier) (field_identifier) (namespace_identifier)] @name
(type_identifier) @type
(field_initializer (field_identifier) @own)
(translation_unit (function_definition !type declarator: (function_declarator declarator: (identifier) @expands)))
(declaration_list (function_definition !type declarator: (function_declarator declarator: (identifier) @expands)))
(call_expression function: [
  (identifier) @applied
  (template_function name: (_) @call)
  (field_expression field: [
    (field_identifier) @call
    (template_method name: (_) @call)
    (dependent_name (template_method name: (_) @call))
  ])
  (qualified_identifier name: [
    (identifier) @call
    (template_function name: (_) @call)
    (qualified_identifier name: [
      (identifier) @call
      (template_function name: (_) @call)
      (qualified_identifier name: [
        (identifier) @call
        (template_function name: (_) @call)
        (qualified_identifier name: [(identifier) @call (template_function name: (_) @call)])
      ])
    ])
  ])
  (parenthesized_expression (pointer_expression argument: [(identifier) @call (field_expression field: (field_identifier) @call)]))
])
; A type is called where it is constructed: new T(), T{}, T name(...), T name{...}, and by a constructor of what inherits it.
(new_expression type: [
  (type_identifier) @call
  (template_type name: (_) @call)
  (qualified_identifier name: [
    (type_identifier) @call
    (template_type name: (_) @call)
    (qualified_identifier name: [(type_identifier) @call (template_type name: (_) @call)])
  ])
])
(compound_literal_expression type: [
  (type_identifier) @call
  (template_type name: (_) @call)
  (qualified_identifier name: [
    (type_identifier) @call
    (template_type name: (_) @call)
    (qualified_identifier name: [(type_identifier) @call (template_type name: (_) @call)])
  ])
])
(declaration
  type: [
    (type_identifier) @call
    (template_type name: (_) @call)
    (qualified_identifier name: [
      (type_identifier) @call
      (template_type name: (_) @call)
      (qualified_identifier name: [(type_identifier) @call (template_type name: (_) @call)])
    ])
  ]
  declarator: (init_declarator value: [(argument_list) (initializer_list)]))
(field_initializer (template_method name: (_) @call))

(attribute (identifier) @skip)
(destructor_name (identifier) @skip)
(namespace_definition name: (nested_namespace_specifier [
  (namespace_identifier) @skip
  (nested_namespace_specifier [(namespace_identifier) @skip (nested_namespace_specifier (namespace_identifier) @skip)])
]))
(namespace_alias_definition name: (_) @skip)
(module_name (identifier) @skip)

(optional_parameter_declaration declarator: (identifier) @local @skip)
(variadic_parameter_declaration (variadic_declarator (identifier) @local @skip))
; T name(value) looks like a function until one knows what value is.
(declaration declarator: (function_declarator declarator: (identifier) @local @skip))
(reference_declarator (identifier) @local @skip)
(attributed_declarator (identifier) @local @skip)
(structured_binding_declarator (identifier) @local @skip)
(for_range_loop declarator: (identifier) @local @skip)
(lambda_capture_initializer left: (identifier) @local @skip)
(type_parameter_declaration (type_identifier) @local @skip)
(optional_type_parameter_declaration name: (type_identifier) @local @skip)
(variadic_type_parameter_declaration (type_identifier) @local @skip)
(template_declaration) @scope
(lambda_expression) @scope
; The arrow before a type is none of a chain.
(trailing_return_type (type_descriptor type: (_) @bare))

[
  (compound_statement)
  (for_statement)
  (for_range_loop)
  (if_statement)
  (while_statement)
  (switch_statement)
  (catch_clause)
] @block
(for_range_loop body: (_) @body) @declaration
