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
(decorated_definition
  (decorator (identifier) @_decorator)
  definition: (function_definition name: (identifier) @of)
  (#set! match._decorator "staticmethod|classmethod")
  (#set! modifier "static"))
(decorated_definition
  (decorator [(identifier) (attribute)] @_decorator)
  definition: (_ name: (identifier) @of)
  (#set! match._decorator "(typing[a-z_]*[.])?final")
  (#set! modifier "final"))

(class_definition name: (identifier) @of superclasses: (argument_list [(expression) (list_splat)] @base.inherits))
(class_definition name: (identifier) @of superclasses: (argument_list (keyword_argument) @modifier))
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

; What instances have because a method sets it, and the type that its value shows. A list of alternatives directly in another does
; not work: of the inner one only the first matches.
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @attribute) type: (type)? @type)
  (#set! match._self "self"))
((assignment left: [
    (pattern_list (attribute object: (identifier) @_self attribute: (identifier) @attribute))
    (tuple_pattern (attribute object: (identifier) @_self attribute: (identifier) @attribute))
  ])
  (#set! match._self "self"))
((assignment
    left: (attribute object: (identifier) @_self attribute: (identifier) @attribute)
    right: (identifier) @from)
  (#set! match._self "self"))
((assignment
    left: (attribute object: (identifier) @_self attribute: (identifier) @attribute)
    right: [
      (string) @inferred.str
      (integer) @inferred.int
      (float) @inferred.float
      (true) @inferred.bool (false) @inferred.bool
      (list) @inferred.list (list_comprehension) @inferred.list
      (dictionary) @inferred.dict (dictionary_comprehension) @inferred.dict
      (set) @inferred.set (set_comprehension) @inferred.set
      (tuple) @inferred.tuple
    ])
  (#set! match._self "self"))
((assignment
    left: (attribute object: (identifier) @_self attribute: (identifier) @attribute)
    right: (call function: [(identifier) (attribute)] @inferred) @value)
  (#set! match._self "self")
  (#set! match.inferred "([a-z_][a-z0-9_]*[.])*_*[A-Z]+[a-z]\\w*|list|dict|set|tuple|frozenset|str|int|float|bool|bytes|bytearray"))
((class_definition body: (block (assignment
    left: (identifier) @_slots
    right: [
      (tuple (string (string_content) @attribute))
      (list (string (string_content) @attribute))
      (expression_list (string (string_content) @attribute))
      (string (string_content) @attribute)
    ])))
  (#set! match._slots "__slots__"))
(class_definition body: (block (assignment
  left: (identifier) @of
  !type
  right: [
    (string) @inferred.str
    (integer) @inferred.int
    (float) @inferred.float
    (true) @inferred.bool (false) @inferred.bool
    (list) @inferred.list (list_comprehension) @inferred.list
    (dictionary) @inferred.dict (dictionary_comprehension) @inferred.dict
    (set) @inferred.set (set_comprehension) @inferred.set
    (tuple) @inferred.tuple
  ])))
