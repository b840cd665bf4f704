((compilation_unit) (#set! docs "jsdoc"))

; Annotations, then keywords, before what they belong to. Of private[this] the word alone is kept.
(_ (annotation) @decorator name: (_) @of)
(_ (annotation) @decorator pattern: (identifier) @of)
(_ (modifiers [
    "abstract" @modifier
    "final" @modifier
    "sealed" @modifier
    "implicit" @modifier
    "lazy" @modifier
    "override" @modifier
    (inline_modifier) @modifier
    (infix_modifier) @modifier
    (into_modifier) @modifier
    (open_modifier) @modifier
    (transparent_modifier) @modifier
    (access_modifier ["private" "protected"] @modifier)
  ])
  name: (_) @of)
(_ (modifiers [
    "final" @modifier
    "implicit" @modifier
    "lazy" @modifier
    "override" @modifier
    (inline_modifier) @modifier
    (transparent_modifier) @modifier
    (access_modifier ["private" "protected"] @modifier)
  ])
  pattern: [(identifier) @of (identifiers (identifier) @of)])
(class_definition "case" @modifier name: (_) @of)
(object_definition "case" @modifier name: (_) @of)
(class_parameter ["val" "var"] @modifier name: (_) @of)
(val_definition "val" @modifier pattern: [(identifier) @of (identifiers (identifier) @of)])
(val_declaration "val" @modifier name: (_) @of)
(var_definition "var" @modifier pattern: [(identifier) @of (identifiers (identifier) @of)])
(var_declaration "var" @modifier name: (_) @of)
(type_definition (opaque_modifier) @modifier name: (_) @of)

; A type parameter without its bounds, which are nodes beside it, but with its variance.
[
  (_ name: (_) @of type_parameters: (type_parameters [
    name: (_) @type_parameter
    (covariant_type_parameter) @type_parameter
    (contravariant_type_parameter) @type_parameter
  ]))
  (function_definition name: (_) @of (type_parameters name: (_) @type_parameter))
  (function_declaration name: (_) @of (type_parameters name: (_) @type_parameter))
]

; What comes first is extended, be it a class or a trait; what is mixed in with it is implemented.
(_ name: (_) @of extend: (extends_clause "extends" . type: (_) @base.inherits))
(_ name: (_) @of extend: (extends_clause "with" . type: (_) @base.implements))
(_ name: (_) @of extend: (extends_clause "," . type: (_) @base.implements))
(class_definition name: (_) @of derive: (derives_clause type: (_) @base.uses))

[
  (function_definition name: (_) @of (parameters
    (parameter name: (_) @name type: (_) @type default_value: (_)? @default) @parameter))
  (function_declaration name: (_) @of (parameters
    (parameter name: (_) @name type: (_) @type default_value: (_)? @default) @parameter))
  (_ name: (_) @of (class_parameters
    (class_parameter name: (_) @name type: (_)? @type default_value: (_)? @default) @parameter))
]
(function_definition name: (_) @of return_type: (_) @return)
(function_declaration name: (_) @of return_type: (_) @return)
(given_definition name: (_) @of return_type: (_) @type)

(class_parameter name: (_) @of type: (_) @type)
(class_parameter name: (_) @of default_value: (_) @value)
(val_definition pattern: [(identifier) @of (identifiers (identifier) @of)] type: (_) @type)
(val_definition pattern: (identifier) @of value: (_) @value)
(val_declaration name: (_) @of type: (_) @type)
(var_definition pattern: [(identifier) @of (identifiers (identifier) @of)] type: (_) @type)
(var_definition pattern: (identifier) @of value: (_) @value)
(var_declaration name: (_) @of type: (_) @type)
(type_definition name: (_) @of type: (_) @type)
(simple_enum_case name: (_) @of extend: (extends_clause) @value)

; What has no body is abstract.
((template_body (function_declaration name: (_) @of)) (#set! modifier "abstract"))
