(namespace_definition name: (namespace_name) @name @package body: (_)? @body) @definition.namespace

(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.enum_member

(function_definition name: (name) @name body: (_) @body) @definition.function
(method_declaration name: (name) @name body: (_)? @body) @definition.method

(property_element name: (variable_name (name) @name)) @definition.property
; A promoted constructor parameter declares a property.
(property_promotion_parameter name: (variable_name (name) @name)) @definition.property

(const_element (name) @name) @definition.constant
(function_call_expression
  function: [(name) @_function (qualified_name (name) @_function)]
  arguments: (arguments . (argument (string (string_content) @name)))
  (#set! match._function "[Dd][Ee][Ff][Ii][Nn][Ee]")) @definition.constant

((assignment_expression left: (variable_name (name) @name)) @definition.variable
  (#set! outside "function"))

[(const_declaration) (property_declaration)] @outer
(namespace_use_declaration) @import
(comment) @comment
(attribute_list) @attribute
