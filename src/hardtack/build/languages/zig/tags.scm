; A declaration's node begins after its "pub": the two are one definition.
; Types are values: const Crate = struct { ... }.
("pub"? @definition.struct
  . (Decl (VarDecl variable_type_function: (IDENTIFIER) @name
    (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType ["struct" "union" "opaque"])) @body)))) @definition.struct)
("pub"? @definition.enum
  . (Decl (VarDecl variable_type_function: (IDENTIFIER) @name
    (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType "enum")) @body)))) @definition.enum)
("pub"? @definition.enum
  . (Decl (VarDecl variable_type_function: (IDENTIFIER) @name
    (ErrorUnionExpr (SuffixExpr . (ErrorSetDecl) @body)))) @definition.enum)
(ErrorSetDecl field_constant: (IDENTIFIER) @name @definition.enum_member)

(ContainerDecl (ContainerDeclType "enum") (ContainerField field_member: (IDENTIFIER) @name) @definition.enum_member)
(ContainerDecl (ContainerDeclType "enum") (ContainerField !field_member
  . (doc_comment)* . (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @definition.enum_member)
(ContainerField field_member: (IDENTIFIER) @name) @definition.field
(ContainerField !field_member . (doc_comment)* . (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @definition.field

("pub"? @definition.function . (Decl (FnProto function: (IDENTIFIER) @name) (Block)? @body) @definition.function)
(TestDecl [(STRINGLITERALSINGLE) (IDENTIFIER)] @name (Block) @body) @definition.function

("pub"? @definition.constant . (Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name)) @definition.constant)
("pub"? @definition.variable . (Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name)) @definition.variable)

[(line_comment) (doc_comment) (container_doc_comment)] @comment
