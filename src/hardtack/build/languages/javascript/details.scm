; $PARAMETER = (identifier) @name (assignment_pattern left: (_) @name right: (_) @default) (rest_pattern) (object_pattern) (array_pattern)
; $FIELD = field_definition property:
; $UNTYPED =
; include javascript/shared/details.scm

(class_declaration name: (_) @of (class_heritage (_) @base.inherits))
(class name: (_) @of (class_heritage (_) @base.inherits))
(variable_declarator name: (_) @of value: (class (class_heritage (_) @base.inherits)))

[
  (method_definition ["static" "async" "get" "set"] @modifier name: (_) @of)
  (field_definition "static" @modifier property: (_) @of)
]

[
  (class_declaration decorator: (decorator) @decorator name: (_) @of)
  (export_statement decorator: (decorator) @decorator declaration: (_ name: (_) @of))
  (method_definition decorator: (decorator) @decorator name: (_) @of)
  (field_definition decorator: (decorator) @decorator property: (_) @of)
]

; What instances have because a method sets it, and the type that its value shows. A list of alternatives directly in another does
; not work: of the inner one only the first matches.
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @attribute))
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @attribute)
  right: (identifier) @from)
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @attribute)
  right: [
    (string) @inferred.string (template_string) @inferred.string
    (number) @inferred.number
    (true) @inferred.boolean (false) @inferred.boolean
    (array) @inferred.array
    (object) @inferred.object
    (regex) @inferred.RegExp
  ])
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @attribute)
  right: (new_expression constructor: [(identifier) (member_expression)] @inferred) @value)
(field_definition property: (_) @of value: [
  (array) @inferred.array
  (object) @inferred.object
  (new_expression constructor: [(identifier) (member_expression)] @inferred)
])
