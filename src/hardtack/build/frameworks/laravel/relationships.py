"""The calls of a PHP file in, a raw fact for each that declares an Eloquent relation out: ``return $this->hasMany(Post::class)``.

A call counts in a method of a class or trait, if its result is returned or assigned. Arguments are matched by position and name
with the parameters of Laravel's ``HasRelationships``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks.laravel.raw import ELOQUENT, RawKey
from hardtack.build.frameworks.laravel.values import Unread, arguments_of, bound, text_of, texts_of, value_of
from hardtack.nouns.relations import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from hardtack.build.frameworks.laravel.names import PhpNames
    from hardtack.build.frameworks.laravel.page import MethodNode, PhpFile
    from hardtack.build.frameworks.laravel.values import Scope

_ONE: Final = ("related", "foreignKey", "localKey")
_THROUGH: Final = ("related", "through", "firstKey", "secondKey", "localKey", "secondLocalKey")
_MORPH: Final = ("related", "name", "type", "id", "localKey")
_MANY_MORPHED: Final = ("related", "name", "table", "foreignPivotKey", "relatedPivotKey", "parentKey", "relatedKey", "relation")
PARAMETERS: Final = {
    "hasOne": _ONE,
    "hasMany": _ONE,
    "belongsTo": ("related", "foreignKey", "ownerKey", "relation"),
    "belongsToMany": ("related", "table", "foreignPivotKey", "relatedPivotKey", "parentKey", "relatedKey", "relation"),
    "hasOneThrough": _THROUGH,
    "hasManyThrough": _THROUGH,
    "morphTo": ("name", "type", "id", "ownerKey"),
    "morphOne": _MORPH,
    "morphMany": _MORPH,
    "morphToMany": (*_MANY_MORPHED, "inverse"),
    "morphedByMany": _MANY_MORPHED,
}
"""Kind of relation -> the parameters of the method that declares it."""
THROUGH: Final = "through"
"""The kind of ``$this->through('cars')->has('owner')`` until both relations are known."""
REFINED: Final = "refined"
"""The kind of ``$this->posts()->one()`` until the relation ``posts`` is known."""

_HINT: Final = re.compile(
    rb"->\s*(?:" + "|".join(sorted(PARAMETERS)).encode() + rb"|through\w*|one|\w*[oO]fMany)\s*\(|Eloquent\\Relations\\"
)
_THROUGH_CALL: Final = re.compile(r"through([A-Z]\w*)?")
_HAS_CALL: Final = re.compile(r"has([A-Z]\w*)?")
_REFINEMENTS: Final = {
    "latestOfMany": "of_many",
    "oldestOfMany": "of_many",
    "ofMany": "of_many",
    "one": "one",
    "as": "as",
    "using": "using",
    "withPivot": "pivot_columns",
    "withTimestamps": "pivot_timestamps",
}
"""Calls on a relation that change its kind or its pivot table."""
_RELATION_CALLS: Final = frozenset({"one", "ofMany", "latestOfMany", "oldestOfMany"})
"""Methods that only relations have, and that return relations."""
_NARROWING: Final = re.compile(
    r"(?:or)?[wW]here\w*|(?:re)?order(?:By\w*)?|latest|oldest|inRandomOrder|with(?:out)?[A-Z]?\w*|(?:doesnt|or)?[hH]ave?[A-Z]?\w*"
    r"|limit|take|skip|select\w*|addSelect\w*|\w*[jJ]oin|distinct|groupBy\w*|on|as|using|when|unless|chaperone|onlyTrashed"
)
"""Calls that narrow a relation, or any query, and return it."""
_RELATIONS: Final = f"{ELOQUENT}\\Relations\\"
_VALUES: Final = frozenset(
    {
        *(
            "all",
            "avg",
            "count",
            "create",
            "createMany",
            "delete",
            "each",
            "exists",
            "doesntExist",
            "find",
            "findMany",
            "findOrFail",
        ),
        *(
            "first",
            "firstOrCreate",
            "firstOrFail",
            "firstOrNew",
            "forceDelete",
            "get",
            "getResults",
            "getQuery",
            "implode",
            "insert",
        ),
        *("isEmpty", "isNotEmpty", "make", "map", "max", "min", "paginate", "pluck", "save", "saveMany", "simplePaginate", "sole"),
        *("sum", "toArray", "toSql", "update", "updateOrCreate", "value", "values", "attach", "detach", "sync", "toggle"),
    }
)
"""Calls on a relation whose result is no relation: a method that returns it only uses the relation."""
_MEMBER_CALLS: Final = ("member_call_expression", "nullsafe_member_call_expression")
_KEPT: Final = frozenset({"return_statement", "arrow_function", "assignment_expression"})
_FARTHEST: Final = 60
"""Maximum number of nodes between a call and its statement."""


def relation_facts(php: PhpFile) -> Iterator[Fact]:
    """The relations that methods of the file declare, in order."""
    if not any(each.can_be_model for each in php.classes) or not _HINT.search(php.text):
        return
    for call in php.calls:
        receiver = call.child_by_field_name("object")
        if receiver is None or receiver.type != "variable_name" or php.names.words(receiver) != "$this":
            continue
        method = php.method_around(call)
        if method is None or method.symbol < 0 or not method.owner.can_be_model:
            continue
        chain, is_kept = _surroundings(call, php.names)
        if not is_kept or not _VALUES.isdisjoint(_names(chain, php.names)):
            continue
        if values := _values(call, chain, method):
            yield Fact(method.symbol, RawKey.RELATION, (*values, *_refinements(chain, method.owner.scope)))


def _values(call: Node, chain: Sequence[Node], method: MethodNode) -> tuple[str, ...]:
    """The values of a :attr:`RawKey.RELATION` fact; empty if the call declares no relation."""
    scope = method.owner.scope
    kind = _name(call, scope.names)
    if kind in PARAMETERS:
        return _declared(kind, call, method)
    if through := _THROUGH_CALL.fullmatch(kind):
        return _through(call, through[1] or "", chain, scope)
    if method.needs_arguments or arguments_of(call, scope.names) or (chain or [call])[-1].parent not in _returning(method):
        return ()
    calls = _names(chain, scope.names)
    is_certain = method.return_type().startswith(_RELATIONS) or not _RELATION_CALLS.isdisjoint(calls)
    is_relation = is_certain or all(map(_NARROWING.fullmatch, calls))
    return (REFINED, f"base={kind}") if is_relation else ()


def _returning(method: MethodNode) -> list[Node | None]:
    return [node.parent for node in method.returned()]


def _surroundings(call: Node, names: PhpNames) -> tuple[list[Node], bool]:
    """(the calls on the result, first to last; whether the result is returned or assigned)."""
    chain: list[Node] = []
    node = call
    for _ in range(_FARTHEST):
        outer = node.parent
        if outer is None or outer.type == "expression_statement":
            return chain, False
        if outer.type in _KEPT:
            return chain, True
        is_on_result = node == (chain[-1] if chain else call)
        if is_on_result and outer.type in _MEMBER_CALLS and outer.child_by_field_name("object") == node:
            chain.append(outer)
        elif outer.type in _MEMBER_CALLS and _THROUGH_CALL.fullmatch(_name(outer, names)):
            return chain, False  # one of the two relations of a through
        node = outer
    return chain, False


def _declared(kind: str, call: Node, method: MethodNode) -> tuple[str, ...]:
    """Kind and arguments; empty for a helper that makes relations from its own parameters."""
    related = bound(arguments_of(call, method.owner.scope.names), PARAMETERS[kind]).get("related")
    if method.needs_arguments and isinstance(value_of(related, method.owner.scope), Unread):
        return ()
    return _stated(call, method.owner.scope)


def _stated(call: Node, scope: Scope) -> tuple[str, ...]:
    """Kind and arguments of a call that declares a relation."""
    kind = _name(call, scope.names)
    given = bound(arguments_of(call, scope.names), PARAMETERS[kind])
    values = ((parameter, value_of(given[parameter], scope)) for parameter in PARAMETERS[kind] if parameter in given)
    return (kind, *(f"{parameter}={text_of(value)}" for parameter, value in values if value is not None))


def _through(call: Node, named: str, chain: Sequence[Node], scope: Scope) -> tuple[str, ...]:
    """``through`` with the two relations, each given by its name, by a call, or by a function that makes the call."""
    has = chain[0] if chain else None
    match = None if has is None else _HAS_CALL.fullmatch(_name(has, scope.names))
    if has is None or match is None:
        return ()
    local = (_lower_first(named),) if named else _relation_given(call, scope)
    distant = (_lower_first(match[1]),) if match[1] else _relation_given(has, scope)
    return (THROUGH, *(f"local={value}" for value in local), *(f"distant={value}" for value in distant))


def _relation_given(call: Node, scope: Scope) -> tuple[str, ...]:
    """The name of the relation in the first argument, or the kind and arguments of a call there; empty for neither."""
    arguments = arguments_of(call, scope.names)
    node: Node | None = arguments[0].node if arguments else None
    if node is not None and node.type == "arrow_function":
        node = node.child_by_field_name("body")
    if node is None or node.type not in _MEMBER_CALLS:
        name = text_of(value_of(node, scope))
        return (name,) if name else ()
    return _stated(node, scope) if _name(node, scope.names) in PARAMETERS else (_name(node, scope.names),)


def _refinements(chain: Sequence[Node], scope: Scope) -> Iterator[str]:
    for call in chain:
        called = _name(call, scope.names)
        if (key := _REFINEMENTS.get(called)) is None:
            continue
        texts = [text for argument in arguments_of(call, scope.names) for text in texts_of(value_of(argument.node, scope))]
        if key == "of_many":
            yield f"->{key}={called.removesuffix('OfMany') if called != 'ofMany' else 'custom'}"
        else:
            yield f"->{key}={','.join(texts) or 'true'}"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _name(call: Node, names: PhpNames) -> str:
    return names.words(call.child_by_field_name("name"))


def _names(calls: Sequence[Node], names: PhpNames) -> list[str]:
    return [_name(call, names) for call in calls]
