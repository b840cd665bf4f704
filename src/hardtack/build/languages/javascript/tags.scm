; $TYPE = (identifier)
; $FIELD = field_definition property:
; include javascript/shared/tags.scm

(pair key: $KEY) @definition.property
