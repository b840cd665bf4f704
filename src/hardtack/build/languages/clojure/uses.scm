(sym_name) @name
(list_lit . (sym_lit name: (sym_name) @call))
(anon_fn_lit . (sym_lit name: (sym_name) @call))

; What a vector binds that stands where let, fn, defn and their kin have theirs; what else it holds there is called or a literal.
(list_lit . (sym_lit) . (vec_lit (sym_lit name: (sym_name) @local)))
(list_lit . (sym_lit) . (vec_lit [(map_lit (vec_lit (sym_lit name: (sym_name) @local))) (map_lit (sym_lit name: (sym_name) @local)) (vec_lit (sym_lit name: (sym_name) @local))]))
(list_lit . (sym_lit) . (sym_lit) . (kwd_lit)? . (str_lit)? . (map_lit)? . (vec_lit (sym_lit name: (sym_name) @local)))
(list_lit . (sym_lit) . (sym_lit) . (kwd_lit)? . (str_lit)? . (map_lit)? . (vec_lit [(map_lit (vec_lit (sym_lit name: (sym_name) @local))) (map_lit (sym_lit name: (sym_name) @local)) (vec_lit (sym_lit name: (sym_name) @local))]))
(list_lit . (vec_lit (sym_lit name: (sym_name) @local)))
(list_lit . (vec_lit (map_lit (vec_lit (sym_lit name: (sym_name) @local)))))
