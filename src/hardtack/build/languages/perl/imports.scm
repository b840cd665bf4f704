((use_statement module: (package) @module) @import @all
  (#set! match.module "(?!(?:strict|warnings|utf8|feature|experimental|vars|lib|constant|parent|base)$).*"))
; What a class inherits from is loaded too.
((use_statement module: (package) @_pragma [
  (string_literal content: (_) @module)
  (list_expression (string_literal content: (_) @module))
]) @import
  (#set! match._pragma "parent|base|Mojo::Base")
  (#set! match.module "\\w.*"))
((require_expression [(bareword) @module (string_literal content: (_) @module) (interpolated_string_literal content: (_) @module)]) @import)
