; One pattern for each thing that can be defined. When two patterns name the same thing, the first decides.
;
; @definition.<kind>  the whole definition; kind is one of model.Kind, one kind to a pattern
; @name               its name; several nodes stand for the text from the first to the last
; @body               where the signature ends
; @scope              a qualifier that is not around the definition but written at it: a receiver, A::b
; @doc                documentation that is no comment, such as a docstring
; @package            the package or namespace that what follows belongs to
;
; Patterns without a definition:
; @import             an import statement             @comment    a comment
; @attribute          an attribute or decorator       @outer      a statement that may wrap one definition, such as an export
;
; @embedded           a region in another language, which is read as that; @embedded.language is where the file names it
;
; Settings take the place of predicates; they are read by hardtack.build.outline.syntax:
; (#set! outside "function")        the match counts only where no function encloses it
; (#set! named "type")             inside a type the match counts only when its name is the type's own
; (#set! until "next")             the definition reaches to the next one of such a pattern, or to the end of the file; for what
;                                  the grammar has as siblings, since a repeat over siblings takes quadratic time
; (#set! language "javascript")     what an @embedded region is written in where the file does not say
; (#set! match.<capture> "regex")   it counts only when the capture's whole text fits

; In every query, a line "; include python/tags.scm" stands for that file, from the folder of the languages, and after a line
; "; $NAME = text" each $NAME stands for that text, in what is included too: what languages share is written once.

(class_declaration name: (identifier) @name body: (_) @body) @definition.class

((assignment left: (identifier) @name) @definition.constant
  (#set! match.name "[A-Z][A-Z0-9_]+")
  (#set! outside "function"))

(comment) @comment
