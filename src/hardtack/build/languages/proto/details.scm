; A field's label is a modifier; a map's type is all of map<K, V>.
(field ["optional" "required" "repeated"] @modifier (identifier) @of)
(field (type) @type (identifier) @of)
(map_field "map" @type ">" @type (identifier) @of)
(oneof_field (type) @type . (identifier) @of)
(field (identifier) @of (field_number) @value)
(map_field (identifier) @of (field_number) @value)
(oneof_field (identifier) @of (field_number) @value)
(_ (identifier) @of (field_options (field_option) @decorator))
(enum_field . (identifier) @of . "=" . "-"? @value . (int_lit) @value)
(enum_field . (identifier) @of (enum_value_option) @decorator)

; What a call takes and gives; a stream of it where it says so.
(rpc (rpc_name) @of . "(" . "stream"? @parameter @type . (message_or_enum_type) @parameter @type)
(rpc (rpc_name) @of "returns" . "(" . "stream"? @return . (message_or_enum_type) @return)
