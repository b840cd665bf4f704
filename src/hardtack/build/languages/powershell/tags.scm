(function_statement (function_name) @name "{" @body) @definition.function
(class_statement . (simple_name) @name "{" @body) @definition.class
(class_method_definition (simple_name) @name "{" @body) @definition.method
(class_property_definition (variable) @name) @definition.property
(enum_statement . (simple_name) @name "{" @body) @definition.enum
(enum_member (simple_name) @name) @definition.enum_member

((pipeline (assignment_expression . (left_assignment_expression) @name) @definition.variable)
  (#set! match.name "(?:\\[[^\\]]*(?:\\[\\])?\\]\\s*)*[$](?:\\w+:)?\\w+")
  (#set! outside "function"))
; $first, $second = ...
((pipeline (assignment_expression . (left_assignment_expression (logical_expression (bitwise_expression (comparison_expression
    (additive_expression (multiplicative_expression (format_expression (range_expression (array_literal_expression
    (unary_expression (variable) @name)))))))))))) @definition.variable
  (#set! match.name "[$](?:\\w+:)?(?!null$|_$)\\w+")
  (#set! outside "function"))

((command command_name: (command_name) @_word) @import
  (#set! match._word "(?i:using|import-module)"))
(comment) @comment
(attribute) @attribute
