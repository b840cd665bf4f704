(package_header (identifier) @name @package) @definition.package

(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration (type_identifier) @name (class_body)? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
; Behind two annotations, the grammar may take the keyword for an operator or its operand: "public class Crate { }".
((infix_expression
  (simple_identifier) @_word . [(simple_identifier) @name (call_expression . (simple_identifier) @name (call_suffix) @body)] .) @definition.class
  (#set! match._word "class"))
((infix_expression
  [(simple_identifier) @_word (infix_expression (simple_identifier) @_word .)] . (simple_identifier) @name . (lambda_literal) @body) @definition.class
  (#set! match._word "class"))
((infix_expression
  (simple_identifier) @_word . [(simple_identifier) @name (call_expression . (simple_identifier) @name (call_suffix) @body)] .) @definition.interface
  (#set! match._word "interface"))
((infix_expression
  [(simple_identifier) @_word (infix_expression (simple_identifier) @_word .)] . (simple_identifier) @name . (lambda_literal) @body) @definition.interface
  (#set! match._word "interface"))
((infix_expression
  (simple_identifier) @_word .
  (call_expression (call_suffix (annotated_lambda (lambda_literal
    (statements (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property))))))
  (#set! match._word "class|interface"))
((infix_expression
  [(simple_identifier) @_word (infix_expression (simple_identifier) @_word .)] . (simple_identifier) .
  (lambda_literal (statements (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)))
  (#set! match._word "class|interface"))
; Only a companion with a name of its own: the members of one without are members of the class.
(companion_object (type_identifier) @name (class_body)? @body) @definition.class
(enum_entry (simple_identifier) @name (class_body)? @body) @definition.enum_member
(type_alias (type_identifier) @name) @definition.type
; What is left of one whose body does not parse.
(ERROR ["class" "object"] . [(simple_identifier) (type_identifier)] @name @definition.class)
(ERROR "interface" . [(simple_identifier) (type_identifier)] @name @definition.interface)

; An extension is qualified by the type it extends.
(function_declaration
  receiver: (receiver_type [
    (user_type (type_identifier) @scope . (type_arguments)? .)
    (nullable_type (user_type (type_identifier) @scope . (type_arguments)? .))
  ])
  (simple_identifier) @name
  (function_body)? @body) @definition.function
(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (statements)? @body) @definition.constructor

(property_declaration
  receiver: (receiver_type [
    (user_type (type_identifier) @scope . (type_arguments)? .)
    (nullable_type (user_type (type_identifier) @scope . (type_arguments)? .))
  ])
  (variable_declaration (simple_identifier) @name)) @definition.property
((property_declaration (modifiers (property_modifier) @_modifier) (variable_declaration (simple_identifier) @name)) @definition.constant
  (#set! match._modifier "const"))
(source_file (property_declaration [
  (variable_declaration (simple_identifier) @name)
  (multi_variable_declaration (variable_declaration (simple_identifier) @name))
]) @definition.variable)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)
; A parameter of the primary constructor that is val or var declares a property.
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.property

(import_header (identifier) @import)
[(line_comment) (multiline_comment)] @comment
(annotation) @attribute
