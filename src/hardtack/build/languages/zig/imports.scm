((VarDecl variable_type_function: (IDENTIFIER) @alias (ErrorUnionExpr (SuffixExpr
  . (BUILTINIDENTIFIER) @_builtin
  . (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @module))) .))) @import
  (#set! match._builtin "@import"))
((VarDecl variable_type_function: (IDENTIFIER) @alias (ErrorUnionExpr (SuffixExpr
  . (BUILTINIDENTIFIER) @_builtin
  . (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @module)))
  . (FieldOrFnCall field_access: (IDENTIFIER) @name) .))) @import
  (#set! match._builtin "@import"))
((SuffixExpr
  . (BUILTINIDENTIFIER) @_builtin
  . (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @module)))) @import
  (#set! match._builtin "@import"))
