; import a.b.C; import static a.b.C.m: what is taken is the last part.
((import_declaration (scoped_identifier scope: (_) @module name: (identifier) @name) .) @import)
((import_declaration [(scoped_identifier) (identifier)] @module (asterisk) @all) @import)
