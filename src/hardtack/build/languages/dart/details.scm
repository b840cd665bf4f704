; Annotations stand beside what they belong to.
((annotation) @decorator . [(annotation) (comment) (documentation_comment)]* . [
  (class_definition name: (_) @of)
  (enum_declaration name: (_) @of)
  (extension_declaration name: (_) @of)
  (mixin_declaration (mixin) . (identifier) @of)
  (function_signature name: (_) @of)
  (getter_signature name: (_) @of)
  (method_signature [
    (function_signature name: (_) @of)
    (getter_signature name: (_) @of)
    (setter_signature name: (_) @of)
    (operator_signature "operator" . (_) @of)
    (constructor_signature (identifier) @of . (formal_parameter_list))
    (factory_constructor_signature (identifier) @of . (formal_parameter_list))
  ])
  (declaration [
    (function_signature name: (_) @of)
    (getter_signature name: (_) @of)
    (setter_signature name: (_) @of)
    (constructor_signature (identifier) @of . (formal_parameter_list))
    (constant_constructor_signature [(identifier) (qualified)] @of . (formal_parameter_list))
    (static_final_declaration_list (static_final_declaration . (identifier) @of))
    (initialized_identifier_list (initialized_identifier . (identifier) @of))
  ])
])
(class_definition (annotation) @decorator name: (_) @of)

(class_definition [(abstract) (sealed) (base) (mixin) (interface) "final"] @modifier name: (_) @of)
(mixin_declaration (base) @modifier (mixin) . (identifier) @of)
(_ ["static" "external"] @modifier . [
  (function_signature name: (_) @of)
  (getter_signature name: (_) @of)
  (setter_signature name: (_) @of)
])
(declaration [(const_builtin) (final_builtin) "static" "late" "external" "abstract" "covariant"] @modifier [
  (static_final_declaration_list (static_final_declaration . (identifier) @of))
  (initialized_identifier_list (initialized_identifier . (identifier) @of))
])
(getter_signature "get" @modifier name: (_) @of)
(setter_signature "set" @modifier name: (_) @of)
(factory_constructor_signature "factory" @modifier (identifier) @of . (formal_parameter_list))
(constant_constructor_signature (const_builtin) @modifier [(identifier) (qualified)] @of . (formal_parameter_list))
((method_signature (function_signature name: (_) @of)) . (function_body ["async" "async*" "sync*"] @modifier))
((function_signature name: (_) @of) . (function_body ["async" "async*" "sync*"] @modifier))

[
  (class_definition name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
  (extension_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
  (mixin_declaration (mixin) . (identifier) @of (type_parameters (type_parameter) @type_parameter))
  (function_signature name: (_) @of (type_parameters (type_parameter) @type_parameter))
  (type_alias "typedef" . (type_identifier) @of (type_parameters (type_parameter) @type_parameter))
]

(class_definition name: (_) @of superclass: (superclass "extends" . (type_identifier) @base.inherits . (type_arguments)? @base.inherits))
(class_definition name: (_) @of superclass: (superclass (mixins (type_identifier) @base.uses . (type_arguments)? @base.uses)))
(class_definition name: (_) @of interfaces: (interfaces (type_identifier) @base.implements . (type_arguments)? @base.implements))
(class_definition (mixin_application_class . (identifier) @of (mixin_application [
  (type_identifier) @base.inherits
  (mixins (type_identifier) @base.uses . (type_arguments)? @base.uses)
])))
(enum_declaration name: (_) @of (mixins (type_identifier) @base.uses . (type_arguments)? @base.uses))
(enum_declaration name: (_) @of (interfaces (type_identifier) @base.implements . (type_arguments)? @base.implements))
(mixin_declaration (mixin) . (identifier) @of (interfaces (type_identifier) @base.implements))
(mixin_declaration (mixin) . (identifier) @of (type_identifier) @base.inherits)

; A type is its name, its arguments and its ?, side by side. A parameter that sets a field is named as it is written: this.label;
; required stands before one that a call may not leave out.
[
  (function_signature name: (_) @of (formal_parameter_list [
    (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter
    (formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter
    (formal_parameter . (identifier) @name .) @parameter
    (formal_parameter (constructor_param) @name) @parameter
    (formal_parameter (super_formal_parameter) @name) @parameter
    (optional_formal_parameters [
      ((formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (constructor_param) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (super_formal_parameter) @name) @parameter . ("=" . (_) @default)?)
      ("required" @parameter @type . (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name))
      ("required" @name . (formal_parameter (constructor_param) @name) @parameter)
      ("required" @name . (formal_parameter (super_formal_parameter) @name) @parameter)
    ])
  ]))
  (setter_signature name: (_) @of (formal_parameter_list [
    (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter
    (formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter
    (formal_parameter . (identifier) @name .) @parameter
    (formal_parameter (constructor_param) @name) @parameter
    (formal_parameter (super_formal_parameter) @name) @parameter
    (optional_formal_parameters [
      ((formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (constructor_param) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (super_formal_parameter) @name) @parameter . ("=" . (_) @default)?)
      ("required" @parameter @type . (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name))
      ("required" @name . (formal_parameter (constructor_param) @name) @parameter)
      ("required" @name . (formal_parameter (super_formal_parameter) @name) @parameter)
    ])
  ]))
  (operator_signature "operator" . (_) @of (formal_parameter_list [
    (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter
    (formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter
    (formal_parameter . (identifier) @name .) @parameter
    (formal_parameter (constructor_param) @name) @parameter
    (formal_parameter (super_formal_parameter) @name) @parameter
    (optional_formal_parameters [
      ((formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (constructor_param) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (super_formal_parameter) @name) @parameter . ("=" . (_) @default)?)
      ("required" @parameter @type . (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name))
      ("required" @name . (formal_parameter (constructor_param) @name) @parameter)
      ("required" @name . (formal_parameter (super_formal_parameter) @name) @parameter)
    ])
  ]))
  (constructor_signature (identifier) @of . (formal_parameter_list [
    (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter
    (formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter
    (formal_parameter . (identifier) @name .) @parameter
    (formal_parameter (constructor_param) @name) @parameter
    (formal_parameter (super_formal_parameter) @name) @parameter
    (optional_formal_parameters [
      ((formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (constructor_param) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (super_formal_parameter) @name) @parameter . ("=" . (_) @default)?)
      ("required" @parameter @type . (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name))
      ("required" @name . (formal_parameter (constructor_param) @name) @parameter)
      ("required" @name . (formal_parameter (super_formal_parameter) @name) @parameter)
    ])
  ]))
  (factory_constructor_signature (identifier) @of . (formal_parameter_list [
    (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter
    (formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter
    (formal_parameter . (identifier) @name .) @parameter
    (formal_parameter (constructor_param) @name) @parameter
    (formal_parameter (super_formal_parameter) @name) @parameter
    (optional_formal_parameters [
      ((formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (constructor_param) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (super_formal_parameter) @name) @parameter . ("=" . (_) @default)?)
      ("required" @parameter @type . (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name))
      ("required" @name . (formal_parameter (constructor_param) @name) @parameter)
      ("required" @name . (formal_parameter (super_formal_parameter) @name) @parameter)
    ])
  ]))
  (constant_constructor_signature [(identifier) (qualified)] @of . (formal_parameter_list [
    (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter
    (formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter
    (formal_parameter . (identifier) @name .) @parameter
    (formal_parameter (constructor_param) @name) @parameter
    (formal_parameter (super_formal_parameter) @name) @parameter
    (optional_formal_parameters [
      ((formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter [(final_builtin) "covariant" (inferred_type)] . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter . (identifier) @name .) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (constructor_param) @name) @parameter . ("=" . (_) @default)?)
      ((formal_parameter (super_formal_parameter) @name) @parameter . ("=" . (_) @default)?)
      ("required" @parameter @type . (formal_parameter [(type_identifier) (function_type) (record_type)] @type . (type_arguments)? @type . (nullable_type)? @type . name: (_) @name))
      ("required" @name . (formal_parameter (constructor_param) @name) @parameter)
      ("required" @name . (formal_parameter (super_formal_parameter) @name) @parameter)
    ])
  ]))
]
(function_signature . [(type_identifier) (type_arguments) (nullable_type) (function_type) (record_type) (void_type) "."]+ @return . name: (_) @of)
(getter_signature . [(type_identifier) (type_arguments) (nullable_type) (function_type) (record_type) (void_type) "."]+ @return . "get" name: (_) @of)
(operator_signature . [(type_identifier) (type_arguments) (nullable_type) (function_type) (record_type) (void_type) "."]+ @return . "operator" . (_) @of)

(declaration [(type_identifier) (type_arguments) (nullable_type) (function_type) (record_type) (void_type) "."]+ @type . [
  (static_final_declaration_list (static_final_declaration . (identifier) @of))
  (initialized_identifier_list (initialized_identifier . (identifier) @of))
])
(static_final_declaration . (identifier) @of . "=" . (_) @value)
(initialized_identifier . (identifier) @of . "=" . (_) @value)
(program [(type_identifier) (type_arguments) (nullable_type) (function_type) (record_type) (void_type) "."]+ @type . [
  (static_final_declaration_list (static_final_declaration . (identifier) @of))
  (initialized_identifier_list (initialized_identifier . (identifier) @of))
])
(enum_constant name: (_) @of (argument_part) @value)
(representation_declaration [(type_identifier) (type_arguments) (nullable_type) (function_type) (record_type) (void_type) "."]+ @type . name: (_) @of)
(type_alias "typedef" . (type_identifier) @of "=" . [(type_identifier) (type_arguments) (nullable_type) (function_type) (record_type) (void_type) "."]+ @type)
; What an extension extends.
(extension_declaration name: (_) @of class: (_)+ @type)

; What has no body is abstract, but for what is written in another language.
((class_body (declaration (function_signature name: (_) @of))) (#set! modifier "abstract") (#set! unless "external"))
((class_body (declaration (getter_signature name: (_) @of))) (#set! modifier "abstract") (#set! unless "external"))
