"""A PHP file in, the raw facts of classes and traits that may be Eloquent models out.

A class is known to be a model only when all files are read; :mod:`hardtack.build.frameworks.laravel.confirm` keeps the facts of
models. The keys are those of :class:`RawKey`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks.laravel.inflection import snake
from hardtack.build.frameworks.laravel.names import basename
from hardtack.build.frameworks.laravel.page import attributes_of
from hardtack.build.frameworks.laravel.raw import ELOQUENT, RawKey
from hardtack.build.frameworks.laravel.values import Items, Unread, arguments_of, bound, text_of, texts_of, value_of
from hardtack.nouns.relations import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from hardtack.build.frameworks.laravel.page import ClassNode, MethodNode, PhpFile
    from hardtack.build.frameworks.laravel.values import Scope, Value

_PROPERTIES: Final = frozenset(
    {
        *("table", "connection", "primaryKey", "keyType", "incrementing", "timestamps", "snakeAttributes"),
        *("fillable", "guarded", "hidden", "visible", "appends", "dates", "touches", "with", "casts"),
    }
)
_OVERRIDABLE: Final = frozenset({"getTable", "getKeyName", "getForeignKey", "getConnectionName"})
"""Methods that, if overridden, replace a property or Laravel's convention."""
_TABLE: Final = ("name", "key", "keyType", "incrementing", "timestamps", "dateFormat")
"""Parameters of ``#[Table]``."""
_SCALAR: Final = frozenset({"Connection", "DateFormat", "RouteKey"})
"""Attributes of models that have one text; the others have columns, or nothing."""
_SCOPE: Final = re.compile(r"scope([A-Z_0-9].*)")
_CLASSIC: Final = re.compile(r"(get|set)(.+)Attribute")
_ATTRIBUTE_CLASS: Final = "Illuminate\\Database\\Eloquent\\Casts\\Attribute"


def class_facts(php: PhpFile) -> Iterator[Fact]:
    """The raw facts of every class and trait of the file, and of their methods, in order."""
    for each in php.classes:
        if each.symbol >= 0:
            yield from _of_class(each, php)
        if each.can_be_model:
            for method in each.methods:
                if method.symbol >= 0:
                    yield from _of_method(method)


def _of_class(each: ClassNode, php: PhpFile) -> Iterator[Fact]:
    if each.parent:
        yield Fact(each.symbol, RawKey.EXTENDS, (each.parent,))
    traits = [
        php.names.resolve(php.names.words(name), name.start_byte)
        for member in each.members
        if member.type == "use_declaration"
        for name in member.named_children
        if name.type in ("name", "qualified_name", "relative_name")
    ]
    if traits:
        yield Fact(each.symbol, RawKey.TRAITS, tuple(traits))
    if not each.can_be_model:
        return
    for name, node in attributes_of(each.node, php.names):
        if name.startswith(f"{ELOQUENT}\\Attributes\\"):
            yield Fact(each.symbol, RawKey.ATTRIBUTE, (basename(name), *_attribute_values(basename(name), node, each.scope)))
    if "DELETED_AT" in each.scope.constants and (column := text_of(value_of(each.scope.constants["DELETED_AT"], each.scope))):
        yield Fact(each.symbol, RawKey.PROPERTY, ("deletedAt", column))
    for member in each.members:
        if member.type == "property_declaration":
            yield from _of_property(member, each, php)
    for method in each.methods:
        if method.name == "casts":
            yield from _of_casts(method, php)
        elif method.name in _OVERRIDABLE:
            results = [text_of(value_of(node, each.scope)) for node in method.returned()]
            yield Fact(each.symbol, RawKey.OVERRIDE, (method.name, results[0] if len(results) == 1 else ""))


def _attribute_values(name: str, node: Node, scope: Scope) -> tuple[str, ...]:
    """``key=value`` for ``#[Table]``, the one text of a scalar attribute, the columns of any other."""
    arguments = arguments_of(node, scope.names)
    if name == "Table":
        given = bound(arguments, _TABLE)
        values = ((key, text_of(value_of(given[key], scope))) for key in _TABLE if key in given)
        return tuple(f"{key}={value}" for key, value in values if value)
    values_given = [value_of(argument.node, scope) for argument in arguments]
    if name in _SCALAR:
        return texts_of(values_given[0]) if values_given else ()
    if values_given and isinstance(values_given[0], Items):
        return texts_of(values_given[0])
    return tuple(text for value in values_given if (text := text_of(value)))


def _of_property(declaration: Node, each: ClassNode, php: PhpFile) -> Iterator[Fact]:
    for element in declaration.named_children:
        name = element.child_by_field_name("name") if element.type == "property_element" else None
        called = php.names.words(name).lstrip("$")
        if called not in _PROPERTIES:
            continue
        value = value_of(element.child_by_field_name("default_value"), each.scope)
        values = _pairs(value, php, each.scope) if called == "casts" else texts_of(value)
        if not isinstance(value, Unread):
            yield Fact(each.symbol, RawKey.PROPERTY, (called, *values))


def _pairs(value: Value, php: PhpFile, scope: Scope) -> tuple[str, ...]:
    """A map's keys and values, alternating; an unknown value is given as its source text."""
    flat: list[str] = []
    for key, each in value.pairs if isinstance(value, Items) else ():
        if column := text_of(key):
            flat += (column, _cast(each, php, scope))
    return tuple(flat)


def _cast(value: Value, php: PhpFile, scope: Scope) -> str:
    """A cast's type: ``datetime``, the full name of a class, ``decimal:2``."""
    if isinstance(value, Unread):
        return _made_cast(value.node, scope) or php.line_text(value.node)
    if isinstance(value, Items):
        first, *rest = texts_of(value) or ("array",)
        return f"{first}:{','.join(rest)}" if rest else first
    return text_of(value)


def _made_cast(call: Node, scope: Scope) -> str:
    """``AsEnumCollection::of(Status::class)`` as the text that Laravel makes of it; empty for anything else."""
    owner, name = call.child_by_field_name("scope"), call.child_by_field_name("name")
    if call.type != "scoped_call_expression" or owner is None or name is None:
        return ""
    cast = scope.names.resolve(scope.names.words(owner), call.start_byte)
    given = [text_of(value_of(argument.node, scope)) for argument in arguments_of(call, scope.names)]
    if not cast.startswith(f"{ELOQUENT}\\Casts\\") or scope.names.words(name) not in ("of", "using") or not all(given):
        return ""
    if basename(cast).startswith("AsEnum"):
        return f"{cast}:{given[0]}"
    return f"{cast}:{','.join(['', *given] if scope.names.words(name) == 'of' else [*given, ''][:2])}"


def _of_casts(method: MethodNode, php: PhpFile) -> Iterator[Fact]:
    """The casts that ``casts()`` returns, from one array or several merged; ``parent`` first if they include the parent's."""
    flat: list[str] = []
    inherits = ""
    for returned in method.returned():
        waiting = [returned]
        while waiting:
            node = waiting.pop()
            if node.type == "array_creation_expression":
                flat += _pairs(value_of(node, method.owner.scope), php, method.owner.scope)
                inner = [each for element in node.named_children for each in element.named_children]
                waiting += reversed([each for each in inner if each.type == "variadic_unpacking"])
            elif node.type == "scoped_call_expression" and php.names.words(node).startswith("parent::"):
                inherits = "parent"
            elif node.type in _WRAPPERS:
                waiting += reversed(node.named_children)
    yield Fact(method.owner.symbol, RawKey.CASTS, (inherits, *flat))


_WRAPPERS: Final = frozenset(
    {"function_call_expression", "arguments", "argument", "binary_expression", "parenthesized_expression", "variadic_unpacking"}
)
"""Nodes around the arrays of ``casts()``: ``array_merge(parent::casts(), [...])``, ``parent::casts() + [...]``."""


def _of_method(method: MethodNode) -> Iterator[Fact]:
    """The raw facts of one method, by its name, its attributes and its result: a scope, an accessor, a mutator."""
    if method.owner.symbol < 0 and method.owner.parent:
        yield Fact(method.symbol, RawKey.ANONYMOUS, (method.owner.parent,))
    is_private = "private" in method.modifiers
    marked = any(name == f"{ELOQUENT}\\Attributes\\Scope" for name, _ in attributes_of(method.node, method.owner.scope.names))
    if marked and not is_private:
        yield Fact(method.symbol, RawKey.SCOPE, (method.name,))
    elif (scope := _SCOPE.fullmatch(method.name)) and not is_private:
        yield Fact(method.symbol, RawKey.SCOPE, (scope[1][0].lower() + scope[1][1:],))
    elif classic := _CLASSIC.fullmatch(method.name):
        yield Fact(method.symbol, RawKey.ACCESS, (snake(classic[2]), "accessor" if classic[1] == "get" else "mutator"))
    elif method.return_type() == _ATTRIBUTE_CLASS:
        yield Fact(method.symbol, RawKey.ACCESS, (snake(method.name), _role(method)))


def _role(method: MethodNode) -> str:
    """``accessor``, ``mutator`` or ``both``, by the functions that the returned attribute has.

    If they cannot be seen, it counts as an accessor.
    """
    names = method.owner.scope.names
    for node in method.returned():
        call: Node | None = node
        while call is not None and call.type in ("member_call_expression", "nullsafe_member_call_expression"):
            call = call.child_by_field_name("object")  # ->shouldCache()
        if call is None or not _makes_attribute(call, method.owner.scope):
            continue
        name = call.child_by_field_name("name")
        made_by = "make" if name is None else names.words(name).lower()
        parameters = {"get": ("get",), "set": ("set",)}.get(made_by, ("get", "set"))
        given = bound(arguments_of(call, names), parameters)
        functions = {key for key, each in given.items() if value_of(each, method.owner.scope) is not None}
        if {"get", "set"} <= functions:
            return "both"
        if "set" in functions:
            return "mutator"
    return "accessor"


def _makes_attribute(call: Node, scope: Scope) -> bool:
    """Whether it is ``Attribute::make(...)``, ``Attribute::get(...)``, ``new Attribute(...)`` or the like."""
    if call.type == "scoped_call_expression":
        made = call.child_by_field_name("scope")
    elif call.type == "object_creation_expression":
        made = call.named_children[0] if call.named_children else None
    else:
        return False
    return made is not None and scope.names.resolve(scope.names.words(made), call.start_byte) == _ATTRIBUTE_CLASS
