; Attributes are items of their own, stacked above the one they belong to with comments between.
((attribute_item (attribute) @decorator)
  . [(attribute_item) (line_comment) (block_comment)]*
  . (_ name: (_) @of))

(_ (visibility_modifier) @modifier name: (_) @of)
(function_item (function_modifiers) @modifier name: (_) @of)
(function_signature_item (function_modifiers) @modifier name: (_) @of)
(static_item (mutable_specifier) @modifier name: (_) @of)
(trait_item "unsafe" @modifier name: (_) @of)

[
  (function_item name: (_) @of type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter))
  (function_signature_item name: (_) @of type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter))
  (struct_item name: (_) @of type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter))
  (union_item name: (_) @of type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter))
  (enum_item name: (_) @of type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter))
  (trait_item name: (_) @of type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter))
  (type_item name: (_) @of type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter))
  (associated_type name: (_) @of type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter))
]

; A self parameter is named as it is written: &mut self.
[
  (function_item name: (_) @of parameters: (parameters [
    (self_parameter)
    (variadic_parameter)
    (parameter pattern: _ @name type: (_) @type)
  ] @parameter))
  (function_signature_item name: (_) @of parameters: (parameters [
    (self_parameter)
    (variadic_parameter)
    (parameter pattern: _ @name type: (_) @type)
  ] @parameter))
]
(function_item name: (_) @of return_type: (_) @return)
(function_signature_item name: (_) @of return_type: (_) @return)

(trait_item name: (_) @of bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @base.inherits))
(associated_type name: (_) @of bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @base.inherits))
; The trait of an impl block, under the names tags.scm gives the block. The ! of impl !Send, which says the opposite, is a modifier.
(impl_item trait: (_) @base.implements type: [
  (type_identifier) @of
  (primitive_type) @of
  (scoped_type_identifier name: (_) @of)
  (generic_type type: [(type_identifier) @of (scoped_type_identifier name: (_) @of)])
  (reference_type type: [(type_identifier) @of (primitive_type) @of (generic_type type: (type_identifier) @of)])
  (dynamic_type trait: [(type_identifier) @of (generic_type type: (type_identifier) @of)])
  (tuple_type) @of
  (array_type) @of
  (macro_invocation) @of
  (unit_type) @of
  (function_type) @of
  (pointer_type) @of
  (never_type) @of
])
(impl_item ["unsafe" "!"] @modifier type: [
  (type_identifier) @of
  (scoped_type_identifier name: (_) @of)
  (generic_type type: [(type_identifier) @of (scoped_type_identifier name: (_) @of)])
  (reference_type type: [(type_identifier) @of (primitive_type) @of (generic_type type: (type_identifier) @of)])
])
(impl_item type_parameters: (type_parameters [(lifetime_parameter) (type_parameter) (const_parameter)] @type_parameter) type: [
  (type_identifier) @of
  (scoped_type_identifier name: (_) @of)
  (generic_type type: [(type_identifier) @of (scoped_type_identifier name: (_) @of)])
  (reference_type type: [(type_identifier) @of (primitive_type) @of (generic_type type: (type_identifier) @of)])
  (dynamic_type trait: [(type_identifier) @of (generic_type type: (type_identifier) @of)])
  (tuple_type) @of
  (array_type) @of
  (function_type) @of
  (pointer_type) @of
])

(field_declaration name: (_) @of type: (_) @type)
(const_item name: (_) @of type: (_) @type)
(const_item name: (_) @of value: (_) @value)
(static_item name: (_) @of type: (_) @type)
(static_item name: (_) @of value: (_) @value)
(type_item name: (_) @of type: (_) @type)
; What a variant holds, or the number it stands for.
(enum_variant name: (_) @of body: (ordered_field_declaration_list) @type)
(enum_variant name: (_) @of value: (_) @value)
; So for a struct whose fields have no names.
(struct_item name: (_) @of body: (ordered_field_declaration_list) @type)

; What a trait holds is as public as the trait, and so are its members where it is implemented.
((trait_item body: (declaration_list (_ name: (_) @of))) (#set! modifier "pub"))
((impl_item trait: (_) body: (declaration_list (_ name: (_) @of))) (#set! modifier "pub"))
((enum_variant body: (field_declaration_list (field_declaration name: (_) @of))) (#set! modifier "pub"))

; What takes no self is called on the type, and what a trait leaves open is abstract.
((impl_item body: (declaration_list (function_item name: (_) @of parameters: (parameters "(" . ")")))) (#set! modifier "static"))
((trait_item body: (declaration_list (_ name: (_) @of parameters: (parameters "(" . ")")))) (#set! modifier "static"))
((impl_item body: (declaration_list (function_item name: (_) @of parameters: (parameters . (parameter pattern: _ @_first)))))
  (#set! match._first "(?!self$)(?s:.*)")
  (#set! modifier "static"))
((trait_item body: (declaration_list (_ name: (_) @of parameters: (parameters . (parameter pattern: _ @_first)))))
  (#set! match._first "(?!self$)(?s:.*)")
  (#set! modifier "static"))
((trait_item body: (declaration_list (function_signature_item name: (_) @of))) (#set! modifier "abstract"))
