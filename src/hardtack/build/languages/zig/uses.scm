(IDENTIFIER) @name
(SuffixExpr . (IDENTIFIER) @call . (FnCallArguments))
(FieldOrFnCall function_call: (IDENTIFIER) @call)
((ErrorUnionExpr (SuffixExpr (IDENTIFIER) @call .)) . (InitList))
(BlockLabel (IDENTIFIER) @skip)
(BreakLabel (IDENTIFIER) @skip)

(ParamDecl parameter: (IDENTIFIER) @local @skip)
(VarDecl variable_type_function: (IDENTIFIER) @local @skip)
(Payload variable: (IDENTIFIER) @local @skip)
(PtrPayload variable: (IDENTIFIER) @local @skip)
(PtrListPayload variable: (IDENTIFIER) @local @skip)
(PtrIndexPayload variable: (IDENTIFIER) @local @skip)

[(Block) (IfStatement) (LoopStatement) (SwitchProng) (IfExpr)] @block
