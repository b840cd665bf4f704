((command command_name: (command_name) @_command command_elements: (command_elements (generic_token) @_kind . (command_argument_sep) . (generic_token) @module)) @import @all
  (#set! match._command "(?i:using)")
  (#set! match._kind "(?i:module)"))
((command command_name: (command_name) @_command command_elements: (command_elements . (command_argument_sep) . [(generic_token) (array_literal_expression)] @module)) @import @all
  (#set! match._command "(?i:Import-Module|ipmo)"))
((command (command_invokation_operator) @_operator command_name: (command_name_expr) @module) @import @all
  (#set! match._operator "[.]")
  (#set! match.module ".*[/\\\\.].*"))
