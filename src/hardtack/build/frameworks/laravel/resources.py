"""``Route::resource('photos', PhotoController::class)`` in, the routes of Laravel's ``ResourceRegistrar`` out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.frameworks.laravel.inflection import singular
from hardtack.build.frameworks.laravel.route_actions import uri_of
from hardtack.build.frameworks.laravel.values import Items, arguments_of, text_of, texts_of, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from hardtack.build.frameworks.laravel.values import Argument, Scope, Value

_WHOLE: Final = ("index", "create", "store", "show", "edit", "update", "destroy")
_SINGLETON: Final = ("show", "edit", "update")
_API: Final = frozenset({"index", "store", "show", "update", "destroy"})
RESOURCES: Final = {
    "resource": (_WHOLE, frozenset(_WHOLE)),
    "apiResource": (_WHOLE, _API),
    "singleton": (_SINGLETON, frozenset(_WHOLE)),
    "apiSingleton": (_SINGLETON, _API - {"index"}),
    **dict.fromkeys(("resources", "softDeletableResources"), (_WHOLE, frozenset(_WHOLE))),
    "apiResources": (_WHOLE, _API),
    "singletons": (_SINGLETON, frozenset(_WHOLE)),
    "apiSingletons": (_SINGLETON, _API - {"index"}),
}
"""Call -> (its actions, those of them that are allowed by default)."""
_METHODS: Final = {"store": "POST", "update": "PUT|PATCH", "destroy": "DELETE"}
_ON_ONE: Final = frozenset({"show", "edit", "update", "destroy"})
"""Actions on a single item, whose parameter is in the uri."""
_SUFFIXES: Final = {"create": "/create", "edit": "/edit"}


class ResourceRoute(NamedTuple):
    """One of the routes of a resource, without the attributes of its groups."""

    method: str
    uri: str
    controller: str
    action: str
    name: str
    middleware: tuple[str, ...]
    """From its options; not from later calls."""


class _Options:
    """The options of a resource, from its last argument and from later calls."""

    def __init__(self, given: Value, calls: Sequence[Node], scope: Scope) -> None:
        self.values: dict[str, Value] = {}
        self.names: dict[str, str] = {}
        self.parameters: dict[str, str] = {}
        for key, value in given.pairs if isinstance(given, Items) else ():
            self.values[text_of(key)] = value
        for call in calls:
            name, arguments = call.child_by_field_name("name"), arguments_of(call, scope.names)
            called = scope.names.words(name)
            values = [value_of(argument.node, scope) for argument in arguments]
            if called == "name" and len(values) == 2:
                self.names[text_of(values[0])] = text_of(values[1])
            elif called == "parameter" and len(values) == 2:
                self.parameters[text_of(values[0])] = text_of(values[1])
            elif called in ("only", "except"):
                self.values[called] = values[0] if values and isinstance(values[0], Items) else Items(_unkeyed(values), True)
            elif called in ("names", "parameters"):
                self.values[called] = values[0] if values else None
            elif called in ("shallow", "creatable", "destroyable"):
                self.values[called] = values[0] if values else True
            elif called == "middleware":
                self.values.pop(called, None)  # the call replaces the option
        self.names = {**_texts(self.values.get("names")), **self.names}
        self.parameters = {**_texts(self.values.get("parameters")), **self.parameters}

    def actions(self, beginning: Sequence[str], allowed: frozenset[str]) -> list[str]:
        """The remaining actions, in Laravel's order."""
        wanted = list(beginning)
        if beginning is _SINGLETON:
            if self.values.get("creatable"):
                wanted += ["create", "store", "destroy"]
            elif self.values.get("destroyable"):
                wanted += ["destroy"]
        only = frozenset(texts_of(self.values["only"])) if "only" in self.values else allowed
        removed = texts_of(self.values.get("except"))
        return [action for action in wanted if action in only and action not in removed]

    def name(self, resource: str, action: str) -> str:
        """The route's name."""
        if action in self.names:
            return self.names[action]
        prefix, whole = text_of(self.values.get("as")), self.values.get("names")
        name = whole if isinstance(whole, str) else resource
        return f"{prefix}.{name}.{action}".strip(".")

    def wildcard(self, segment: str) -> str:
        """The parameter for an item of a resource: ``{photo}``."""
        return (self.parameters.get(segment) or singular(segment)).replace("-", "_")


def resource_routes(
    verb: str, arguments: Sequence[Argument], calls: Sequence[Node], scope: Scope
) -> Iterator[tuple[Node, ResourceRoute]]:
    """(literal with the resource's name, route) for the routes of one call.

    Args:
        verb: one of :data:`RESOURCES`.
        arguments: of the call.
        calls: the later calls of its chain.
        scope: resolves the names in them.
    """
    options = _Options(value_of(arguments[-1].node, scope) if len(arguments) > 1 else None, calls, scope)
    if verb.endswith("s"):
        pairs = list(_listed(arguments[0].node, scope)) if arguments else []
    else:
        pairs = [(arguments[0].node, value_of(arguments[1].node, scope))] if len(arguments) > 1 else []
    for place, controller in pairs:
        name = uri_of(place, scope)
        if name:
            for route in _expanded(verb, name, text_of(controller), options):
                yield place, route


def _expanded(verb: str, name: str, controller: str, options: _Options) -> Iterator[ResourceRoute]:
    prefix, _, resource = name.strip("/").rpartition("/")
    is_single = RESOURCES[verb][0] is _SINGLETON
    for action in options.actions(*RESOURCES[verb]):
        is_shallow = bool(options.values.get("shallow")) and action in _ON_ONE and not (is_single and action == "show")
        named = resource.rpartition(".")[2] if is_shallow else resource
        *outer, last = named.split(".")
        uri = "".join(f"{segment}/{{{options.wildcard(segment)}}}/" for segment in outer) + last
        if action in _ON_ONE and not is_single:
            uri += f"/{{{options.wildcard(last)}}}"
        uri += _SUFFIXES.get(action, "")
        method, name = _METHODS.get(action, "GET"), options.name(named, action)
        yield ResourceRoute(
            method, f"{prefix}/{uri}".strip("/"), controller, action, name, texts_of(options.values.get("middleware"))
        )


def _listed(node: Node, scope: Scope) -> Iterator[tuple[Node, Value]]:
    """(literal, controller) of each resource in ``Route::resources(['photos' => PhotoController::class])``."""
    for element in node.named_children:
        inner = [child for child in element.named_children if child.type != "comment"]
        if element.type == "array_element_initializer" and len(inner) == 2:
            yield inner[0], value_of(inner[1], scope)


def _unkeyed(values: Sequence[Value]) -> tuple[tuple[Value | None, Value], ...]:
    return tuple((None, value) for value in values)


def _texts(value: Value) -> Mapping[str, str]:
    """A map's keys and values as texts."""
    return {text_of(key): text_of(each) for key, each in value.pairs} if isinstance(value, Items) else {}
