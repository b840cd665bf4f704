((compilation_unit) (#set! docs "xmldoc"))

; Attributes, one fact each, and keywords, before everything that has a name of its own.
(_ (attribute_list (attribute) @decorator) name: (identifier) @of)
(_ (modifier) @modifier name: (identifier) @of)
(field_declaration (attribute_list (attribute) @decorator) (variable_declaration (variable_declarator name: (_) @of)))
(field_declaration (modifier) @modifier (variable_declaration (variable_declarator name: (_) @of)))
(event_field_declaration (attribute_list (attribute) @decorator) (variable_declaration (variable_declarator name: (_) @of)))
(event_field_declaration (modifier) @modifier (variable_declaration (variable_declarator name: (_) @of)))
; Those whose name is a word of the language.
(operator_declaration (attribute_list (attribute) @decorator) "operator" @of)
(operator_declaration (modifier) @modifier "operator" @of)
(conversion_operator_declaration (attribute_list (attribute) @decorator) "operator" @of)
(conversion_operator_declaration [(modifier) "implicit" "explicit"] @modifier "operator" @of)
(indexer_declaration (attribute_list (attribute) @decorator) "this" @of)
(indexer_declaration (modifier) @modifier "this" @of)

[
  (method_declaration name: (_) @of type_parameters: (type_parameter_list (type_parameter) @type_parameter))
  (local_function_statement name: (_) @of type_parameters: (type_parameter_list (type_parameter) @type_parameter))
  (delegate_declaration name: (_) @of type_parameters: (type_parameter_list (type_parameter) @type_parameter))
  (interface_declaration name: (_) @of type_parameters: (type_parameter_list (type_parameter) @type_parameter))
  (class_declaration name: (_) @of (type_parameter_list (type_parameter) @type_parameter))
  (struct_declaration name: (_) @of (type_parameter_list (type_parameter) @type_parameter))
  (record_declaration name: (_) @of (type_parameter_list (type_parameter) @type_parameter))
]
; The syntax does not tell a base class from an interface, so every base extends.
[
  (class_declaration name: (_) @of (base_list (primary_constructor_base_type type: (_) @base.inherits)))
  (class_declaration name: (_) @of (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (predefined_type)] @base.inherits))
  (struct_declaration name: (_) @of (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (predefined_type)] @base.inherits))
  (record_declaration name: (_) @of (base_list (primary_constructor_base_type type: (_) @base.inherits)))
  (record_declaration name: (_) @of (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (predefined_type)] @base.inherits))
  (interface_declaration name: (_) @of (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (predefined_type)] @base.inherits))
  (enum_declaration name: (_) @of (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (predefined_type)] @base.inherits))
]

; Parameters. Those of a class or record are its primary constructor's. That a parameter is this, ref, out or params is part of
; its type here.
[
  (method_declaration name: (_) @of parameters: (parameter_list [
    (parameter (modifier)* @type type: (_) @type name: (_) @name ("=" . (_) @default)?) @parameter
    ("params" @parameter @type . type: (_) @type . name: (_) @name)
  ]))
  (constructor_declaration name: (_) @of parameters: (parameter_list [
    (parameter (modifier)* @type type: (_) @type name: (_) @name ("=" . (_) @default)?) @parameter
    ("params" @parameter @type . type: (_) @type . name: (_) @name)
  ]))
  (local_function_statement name: (_) @of parameters: (parameter_list [
    (parameter (modifier)* @type type: (_) @type name: (_) @name ("=" . (_) @default)?) @parameter
    ("params" @parameter @type . type: (_) @type . name: (_) @name)
  ]))
  (delegate_declaration name: (_) @of parameters: (parameter_list [
    (parameter (modifier)* @type type: (_) @type name: (_) @name ("=" . (_) @default)?) @parameter
    ("params" @parameter @type . type: (_) @type . name: (_) @name)
  ]))
  (class_declaration name: (_) @of (parameter_list
    (parameter (modifier)* @type type: (_) @type name: (_) @name ("=" . (_) @default)?) @parameter))
  (struct_declaration name: (_) @of (parameter_list
    (parameter (modifier)* @type type: (_) @type name: (_) @name ("=" . (_) @default)?) @parameter))
  (record_declaration name: (_) @of (parameter_list
    (parameter (modifier)* @type type: (_) @type name: (_) @name ("=" . (_) @default)?) @parameter))
  (operator_declaration "operator" @of parameters: (parameter_list
    (parameter (modifier)* @type type: (_) @type name: (_) @name) @parameter))
  (conversion_operator_declaration "operator" @of parameters: (parameter_list
    (parameter (modifier)* @type type: (_) @type name: (_) @name) @parameter))
  (indexer_declaration "this" @of parameters: (bracketed_parameter_list
    (parameter type: (_) @type name: (_) @name ("=" . (_) @default)?) @parameter))
]
; Members of a block "extension(...)" have the type in its brackets as their receiver.
((class_declaration "class" @_keyword
    (parameter_list [(parameter type: (_) @receiver) (ERROR (_) @receiver)])
    body: (declaration_list [
      (method_declaration name: (_) @of)
      (property_declaration name: (_) @of)
      (operator_declaration "operator" @of)
    ]))
  (#set! match._keyword "exten"))
(method_declaration returns: (_) @return name: (_) @of)
(local_function_statement type: (_) @return name: (_) @of)
(delegate_declaration type: (_) @return name: (_) @of)
(operator_declaration type: (_) @return "operator" @of)
(conversion_operator_declaration "operator" @of type: (_) @return)

(indexer_declaration type: (_) @type "this" @of)
(property_declaration type: (_) @type name: (_) @of)
(property_declaration name: (_) @of "=" value: (_) @value)
(event_declaration type: (_) @type name: (_) @of)
(event_field_declaration (variable_declaration type: (_) @type (variable_declarator name: (_) @of)))
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (_) @of)))
(field_declaration (variable_declaration (variable_declarator name: (_) @of "=" . (_) @value)))
(record_declaration (parameter_list (parameter type: (_) @type name: (_) @of)))
(record_declaration (parameter_list (parameter name: (_) @of "=" . (_) @value)))
(enum_member_declaration name: (_) @of value: (_) @value)

; What an interface holds is public, and so are the components of a record.
((interface_declaration body: (declaration_list [
    (method_declaration name: (_) @of)
    (property_declaration name: (_) @of)
    (event_field_declaration (variable_declaration (variable_declarator name: (_) @of)))
    (indexer_declaration "this" @of)
  ]))
  (#set! modifier "public")
  (#set! unless "private|protected|internal"))
((record_declaration (parameter_list (parameter name: (_) @of))) (#set! modifier "public"))

; What is declared without a body is abstract where it does not say so too, and what is sealed is final.
((interface_declaration body: (declaration_list (method_declaration name: (_) @of !body))) (#set! modifier "abstract"))
((_ (modifier) @_word name: (identifier) @of) (#set! match._word "sealed") (#set! modifier "final"))
