"""The rules by which a language finds what a name means, where they differ: the values of ``scoping`` in its ``language.toml``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

RULES: Final[Mapping[str, str]] = {
    "assigned_variables": "a variable is declared by each assignment to it, so it may hold what another one gave it",
    "bodies": "a bare name in a type's body may be one that was declared there before",
    "called_methods": "a bare name that is called is no field, and one that is not is no method",
    "callable_variables": "with own_functions: a local variable that holds a function hides one that is called",
    "declared_first": "a local variable counts from its declaration on, not in all of its block",
    "default_exports": "a module may be a value itself",
    "extension_methods": "a function whose first parameter is marked with this is a member of that parameter's type",
    "file_modules": "the path of a module depends on the importing file's own name, not only on its folder",
    "file_names": "a file is a module that is reached by its name, without an import",
    "global_functions": "a function or constant that a package lacks may be one of no package",
    "headers": "what an included file declares is what the including one defines",
    "html_elements": "a small name after an angle bracket is an element of HTML, never what is called so: <button>",
    "item_macros": "a macro among definitions may hold some",
    "local_symbols": "local variables are symbols, which no code outside of their blocks can name",
    "members": "a bare name inside a type may be one of its members",
    "own_private": "a type does not inherit private members",
    "module_paths": "a path leads from module to module, each in a file or inside one: crate::a::b, self::c, super::d",
    "named_calls": "a function that is named is called, with or without arguments",
    "outer_packages": "a package sees the declarations of enclosing ones",
    "overloads": "functions of one name are told apart by their arguments",
    "own_functions": "a local variable hides no function that is called",
    "pointer_members": "get, reset and the like may, after a dot, be members of a pointer instead of what it points to",
    "receiver_lambdas": "bare names in a lambda may be members of a receiver: with, apply, run, instance_eval",
    "reopened": "declaring a type again adds to it",
    "self_parameter": "a receiver may be a parameter, of which nothing else is known",
    "shared_imports": "the imports of a file that declares nothing are those of all files of its project",
    "tags": "what stands where no type can is no type, but a function or variable of its name",
    "trailing_lambdas": "a block after a call is one more argument",
    "typed_arguments": "the types of arguments tell overloads apart, as nothing converts them",
    "uncalled_fields": "what is called is never a field, but a method of its name",
    "uncalled_properties": "nor a property",
}
