((module) (#set! docs "docstring"))

; Parameters, in every form they have. The bare * and / that divide them count as parameters.
(function_definition
  name: (identifier) @of
  parameters: (parameters [
    (identifier) @name
    (typed_parameter . [(identifier) (list_splat_pattern) (dictionary_splat_pattern)] @name type: (type) @type)
    (default_parameter name: (_) @name value: (_) @default)
    (typed_default_parameter name: (identifier) @name type: (type) @type value: (_) @default)
    (list_splat_pattern)
    (dictionary_splat_pattern)
    (tuple_pattern)
    (positional_separator)
    (keyword_separator)
  ] @parameter))
(assignment
  left: (identifier) @of
  right: (lambda parameters: (lambda_parameters [
    (identifier) @name
    (default_parameter name: (_) @name value: (_) @default)
    (list_splat_pattern)
    (dictionary_splat_pattern)
    (positional_separator)
    (keyword_separator)
  ] @parameter)))
(function_definition name: (identifier) @of return_type: (type) @return)
(function_definition "async" @modifier name: (identifier) @of)
(function_definition name: (identifier) @of type_parameters: (type_parameter (type) @type_parameter))
(decorated_definition
  (decorator [(identifier) (attribute)] @_decorator)
  definition: (function_definition name: (identifier) @of)
  (#set! match._decorator "([A-Za-z_]+[.])?abstract[a-z_]*")
  (#set! modifier "abstract"))

(class_definition name: (identifier) @of superclasses: (argument_list [(expression) (list_splat)] @base.inherits))
(class_definition name: (identifier) @of type_parameters: (type_parameter (type) @type_parameter))
(decorated_definition (decorator) @decorator definition: (_ name: (identifier) @of))

(assignment left: (identifier) @of type: (type) @type)
(assignment left: (identifier) @of right: (_) @value)
(assignment
  left: [(pattern_list (identifier) @of) (tuple_pattern (identifier) @of)]
  right: [(expression_list) (tuple) (list)] @values)
(named_expression name: (identifier) @of value: (_) @value)
(type_alias_statement left: (type [(identifier) @of (generic_type (identifier) @of)]) right: (type) @value)
(type_alias_statement left: (type (generic_type (identifier) @of (type_parameter (type) @type_parameter))))
