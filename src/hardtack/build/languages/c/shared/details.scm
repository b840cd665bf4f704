; The typedef of a type that it defines itself: typedef struct jar { ... } Jar;
(type_definition
  type: [
    (struct_specifier name: (type_identifier) @type body: (_))
    (union_specifier name: (type_identifier) @type body: (_))
    (enum_specifier name: (type_identifier) @type body: (_))
  ]
  declarator: [(type_identifier) @of (pointer_declarator declarator: (type_identifier) @of)])
