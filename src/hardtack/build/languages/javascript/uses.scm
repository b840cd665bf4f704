; $TYPE = (identifier)
; $FIELD = field_definition property:
; include javascript/shared/uses.scm

(jsx_attribute (property_identifier) @skip)
(formal_parameters [(identifier) @local (assignment_pattern left: (identifier) @local)])
