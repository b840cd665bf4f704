"""OCaml: operators are named without their brackets."""
