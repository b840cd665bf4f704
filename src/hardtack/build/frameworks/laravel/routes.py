"""A PHP file in, the routes that it registers out: ``Route::get('/users/{id}', [UserController::class, 'show'])``.

Calls are read in order, each inside its enclosing groups, and give the routes that Laravel's router would list, with the whole uri,
name and middleware. Unknown parts of a uri, which are computed at run time, are ``*``; a route whose whole uri is unknown is left
out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.frameworks.laravel.resources import RESOURCES, resource_routes
from hardtack.build.frameworks.laravel.route_actions import INVOKE, UNKNOWN, Action, action_of, part_of, uri_of
from hardtack.build.frameworks.laravel.values import Items, Scope, Unread, arguments_of, bound, text_of, texts_of, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from hardtack.build.frameworks.laravel.names import PhpNames
    from hardtack.build.frameworks.laravel.page import PhpFile
    from hardtack.build.frameworks.laravel.values import Value

_HINT: Final = (b"Route", b"router")
_FRAMEWORK: Final = re.compile(rb"\b(?:Illuminate|Laravel)\\")
_FACADES: Final = frozenset({"Route", "Illuminate\\Support\\Facades\\Route"})
_ROUTER: Final = re.compile(r"(?:\$|->)router|(?:\$app|->app)\[['\"]router['\"]\]|app\(['\"]router['\"]\)")
_VERBS: Final = {verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "options", "any")}
_BUILT_IN: Final = {
    "redirect": ("ANY", "Illuminate\\Routing\\RedirectController"),
    "permanentRedirect": ("ANY", "Illuminate\\Routing\\RedirectController"),
    "view": ("GET", "Illuminate\\Routing\\ViewController"),
    "inertia": ("GET", "Inertia\\Controller"),
}
"""Calls with a controller of Laravel or Inertia: (method, controller)."""
_PARAMETERS: Final = {
    "match": ("methods", "uri", "action"),
    "fallback": ("action",),
    "redirect": ("uri", "destination"),
    "permanentRedirect": ("uri", "destination"),
    "view": ("uri", "view"),
    "inertia": ("uri", "component"),
}
"""Parameters of the calls that do not take a uri and an action."""
_FALLBACK_URI: Final = "{fallbackPlaceholder}"
_CLOSURES: Final = frozenset({"anonymous_function", "arrow_function"})
_CALLS: Final = frozenset({"member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression"})
_FARTHEST: Final = 200
"""Maximum bytes of blanks between a comment and its statement."""
_MAX_ROUTES: Final = 10_000
"""Maximum routes of one file."""


class Route(NamedTuple):
    """One route as Laravel's router would list it."""

    method: str
    """``GET``, ``GET|POST``, ``ANY``."""
    uri: str
    """Without the leading slash."""
    action: Action
    name: str
    middleware: tuple[str, ...]
    domain: str
    place: Node
    """The literal with its uri."""
    statement: Node

    def values(self) -> tuple[str, ...]:
        """The values of its fact: method, uri, controller, action, name, middleware, then ``domain=`` if there is one."""
        action, middleware = self.action, "\n".join(self.middleware)
        domain = (f"domain={self.domain}",) if self.domain else ()
        return (self.method, f"/{self.uri}", action.controller, action.name, self.name, middleware, *domain)


class Group(NamedTuple):
    """The attributes of every route inside a group, or those that the calls before a route set."""

    prefix: str = ""
    name: str = ""
    middleware: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """Middleware that is removed again."""
    controller: str = ""
    namespace: str = ""
    domain: str = ""

    def within(self, outer: Group) -> Group:
        """The group's attributes inside another group."""
        namespace = self.namespace
        if namespace and outer.namespace and not namespace.startswith("\\"):
            namespace = f"{outer.namespace}\\{namespace}"
        return Group(
            prefix=joined(outer.prefix, self.prefix),
            name=outer.name + self.name,
            middleware=outer.middleware + self.middleware,
            without=outer.without + self.without,
            controller=self.controller or outer.controller,
            namespace=(namespace or outer.namespace).strip("\\"),
            domain=self.domain or outer.domain,
        )


class _Chain(NamedTuple):
    """``Route::a(...)->b(...)->c(...)``: the calls, first to last."""

    calls: tuple[Node, ...]
    is_facade: bool

    def first(self, wanted: frozenset[str], names: PhpNames) -> int:
        """Index of the first call of one of the wanted names, or -1."""
        return next((index for index, call in enumerate(self.calls) if _name(call, names) in wanted), -1)


_REGISTERING: Final = frozenset({*_VERBS, *_BUILT_IN, *RESOURCES, "match", "fallback"})
_GROUPING: Final = frozenset({"group"})


def routes_of(php: PhpFile) -> list[tuple[Route, list[Node]]]:
    """The file's routes in order, each with the comments directly above its statement, nearest first."""
    if not any(words in php.text for words in _HINT):
        return []
    scope = Scope(php.names)
    has_framework = _FRAMEWORK.search(php.text) is not None
    opened: list[tuple[int, Group]] = []
    found: list[Route] = []
    for chain in _chains(php.calls, php, has_framework):
        while opened and opened[-1][0] <= chain.calls[0].start_byte:
            opened.pop()
        around = opened[-1][1] if opened else Group()
        registering, grouping = chain.first(_REGISTERING, php.names), chain.first(_GROUPING, php.names)
        if grouping >= 0 and (registering < 0 or grouping < registering):
            opened += _groups(chain, grouping, around, scope)
        elif registering >= 0 and len(found) < _MAX_ROUTES:
            found += _registered(chain, registering, around, scope)
    ends = {comment.end_byte: comment for comment in php.comments()} if found else {}
    return [(route, list(_above(route.statement, ends, php.text))) for route in found]


def _chains(calls: Sequence[Node], php: PhpFile, has_framework: bool) -> Iterator[_Chain]:
    """The longest chains of calls on the router, outer ones first."""
    inner = {receiver.id for call in calls if (receiver := call.child_by_field_name("object")) is not None}
    for call in calls:
        if call.id in inner:
            continue
        chain = [call]
        while chain[-1].type != "scoped_call_expression":
            receiver = chain[-1].child_by_field_name("object")
            if receiver is None or receiver.type not in _CALLS or len(chain) > 100:
                break
            chain.append(receiver)
        first = chain[-1]
        if first.type == "scoped_call_expression":
            facade = first.child_by_field_name("scope")
            if facade is not None and php.names.resolve(php.names.words(facade), first.start_byte) in _FACADES:
                yield _Chain(tuple(reversed(chain)), is_facade=True)
        elif has_framework and (receiver := first.child_by_field_name("object")) is not None and _is_router(receiver, php.names):
            yield _Chain(tuple(reversed(chain)), is_facade=False)


def _is_router(receiver: Node, names: PhpNames) -> bool:
    """Whether it is ``$router``, ``$this->router``, ``$app['router']`` or the like."""
    if receiver.end_byte - receiver.start_byte > 60:
        return False
    text = names.words(receiver)
    match = _ROUTER.search(text)
    return match is not None and match.end() == len(text)


def _groups(chain: _Chain, index: int, around: Group, scope: Scope) -> Iterator[tuple[int, Group]]:
    """(end of a group's function, attributes of the routes inside it)."""
    arguments = arguments_of(chain.calls[index], scope.names)
    own = _attributes(chain.calls[:index], scope)
    if len(arguments) > 1:
        own = _from_array(value_of(arguments[0].node, scope)).within(own)
    for argument in arguments:
        if argument.node.type in _CLOSURES:
            yield argument.node.end_byte, own.within(around)


def _attributes(calls: Sequence[Node], scope: Scope) -> Group:
    """The attributes that the calls before a route or a group set: ``prefix('admin')->middleware('auth')``."""
    group = Group()
    for call in calls:
        arguments = arguments_of(call, scope.names)
        value = value_of(arguments[0].node, scope) if arguments else None
        name = _name(call, scope.names)
        if name == "prefix" and arguments:
            group = group._replace(prefix=part_of(arguments[0].node, scope).strip("/"))
        elif name in ("name", "as") and arguments:
            group = group._replace(name=part_of(arguments[0].node, scope))
        elif name == "domain" and arguments:
            group = group._replace(domain=part_of(arguments[0].node, scope))
        elif name == "controller":
            group = group._replace(controller=text_of(value))
        elif name == "namespace":
            group = group._replace(namespace=text_of(value))
        else:
            group = _with_middleware(group, call, scope)
    return group


def _with_middleware(group: Group, call: Node, scope: Scope) -> Group:
    """The group with the middleware that a call adds or removes, if it does."""
    name = _name(call, scope.names)
    texts = [text for argument in arguments_of(call, scope.names) for text in texts_of(value_of(argument.node, scope))]
    if name == "middleware":
        return group._replace(middleware=(*group.middleware, *texts))
    if name == "withoutMiddleware":
        return group._replace(without=(*group.without, *texts))
    if name == "can" and texts:
        return group._replace(middleware=(*group.middleware, f"can:{','.join(texts)}"))
    return group


def _from_array(value: Value) -> Group:
    """The array of ``Route::group(['prefix' => 'admin'], ...)``, or of a route in old Laravel versions."""
    given = {text_of(key): each for key, each in value.pairs if key is not None} if isinstance(value, Items) else {}
    return Group(
        prefix=text_of(given.get("prefix")).strip("/") if not isinstance(given.get("prefix"), Unread) else UNKNOWN,
        name=text_of(given.get("as")),
        middleware=texts_of(given.get("middleware")),
        without=texts_of(given.get("excluded_middleware")),
        controller=text_of(given.get("controller")),
        namespace=text_of(given.get("namespace")),
        domain=text_of(given.get("domain")),
    )


def _registered(chain: _Chain, index: int, around: Group, scope: Scope) -> Iterator[Route]:
    """The routes that one chain registers."""
    call, arguments = chain.calls[index], arguments_of(chain.calls[index], scope.names)
    before, after, verb = _attributes(chain.calls[:index], scope), chain.calls[index + 1 :], _name(call, scope.names)
    if verb not in RESOURCES:
        given = bound(arguments, _PARAMETERS.get(verb, ("uri", "action")))
        # a call on a variable that is only named like a router must look like a route
        if chain.is_facade or "action" in given or before.controller:
            yield from _single(chain, call, given, (before, after, around), scope)
        return
    statement = _statement(chain.calls[-1])
    group = _after_resource(before, after, scope).within(around)
    for place, made in resource_routes(verb, arguments, after, scope):
        name = around.name + (f"{before.name}." if before.name else "") + made.name
        action = Action(_in_namespace(made.controller, group.namespace), made.action)
        uri, middleware = joined(around.prefix, made.uri), _middleware(group, made.middleware)
        yield Route(made.method, uri, action, name, middleware, group.domain, place, statement)


def _single(
    chain: _Chain, call: Node, given: Mapping[str, Node], context: tuple[Group, Sequence[Node], Group], scope: Scope
) -> Iterator[Route]:
    """The route of one verb, unless its uri is unknown.

    Args:
        chain: that holds the call.
        call: of the verb.
        given: its arguments, by parameter.
        context: (attributes of the calls before, the calls after, attributes of the enclosing groups).
        scope: resolves the names in all of them.
    """
    (before, after, around), verb = context, _name(call, scope.names)
    if verb == "match":
        method = "|".join(texts_of(value_of(given.get("methods"), scope))).upper()
    else:
        method = _BUILT_IN[verb][0] if verb in _BUILT_IN else _VERBS.get(verb, "GET")
    uri = _FALLBACK_URI if verb == "fallback" else uri_of(given.get("uri"), scope)
    place = given.get("uri") or call.child_by_field_name("name")
    if uri is None or place is None or not method:
        return
    handler = given.get("action")
    own = _after(_from_array(value_of(handler, scope)).within(before), after, scope)
    group = own.within(around)
    if verb in _BUILT_IN:
        action = Action(_BUILT_IN[verb][1], INVOKE)
    else:
        action = action_of(handler, group.controller, group.namespace, scope)
    uri = joined(own.prefix, joined(around.prefix, uri))  # Laravel puts a route's own prefix before its group's
    statement = _statement(chain.calls[-1])
    yield Route(method, uri, action, group.name, _middleware(group), group.domain, place, statement)


def _after(group: Group, calls: Sequence[Node], scope: Scope) -> Group:
    """The group with the attributes of the calls after a route: ``->name('users.show')->middleware('auth')``."""
    for call in calls:
        arguments = arguments_of(call, scope.names)
        if _name(call, scope.names) == "name" and arguments:
            group = group._replace(name=group.name + part_of(arguments[0].node, scope))
        elif _name(call, scope.names) == "prefix" and arguments:
            group = group._replace(prefix=joined(part_of(arguments[0].node, scope), group.prefix))
        elif _name(call, scope.names) == "domain" and arguments:
            group = group._replace(domain=part_of(arguments[0].node, scope))
        else:
            group = _with_middleware(group, call, scope)
    return group


def _after_resource(group: Group, calls: Sequence[Node], scope: Scope) -> Group:
    """The group with the middleware of the calls after a resource; its names are handled elsewhere, and it has no prefix."""
    for call in calls:
        if _name(call, scope.names) in ("middleware", "withoutMiddleware"):
            group = _with_middleware(group, call, scope)
    return group


def _middleware(group: Group, own: tuple[str, ...] = ()) -> tuple[str, ...]:
    return tuple(each for each in dict.fromkeys(group.middleware + own) if each not in group.without)


def _in_namespace(controller: str, namespace: str) -> str:
    if not namespace or controller.startswith(("\\", namespace)) or "\\" in controller:
        return controller.lstrip("\\")
    return f"{namespace}\\{controller}"


def joined(prefix: str, uri: str) -> str:
    """A uri after a prefix, without slashes at its ends."""
    return f"{prefix.strip('/')}/{uri.strip('/')}".strip("/")


def _name(call: Node, names: PhpNames) -> str:
    return names.words(call.child_by_field_name("name"))


def _statement(top: Node) -> Node:
    """The statement that consists of this call, with its result returned or assigned or not; else the call."""
    node = top
    for _ in range(3):
        outer = node.parent
        if outer is None or outer.type not in ("expression_statement", "return_statement", "assignment_expression"):
            break
        node = outer
    return node


def _above(statement: Node, ends: dict[int, Node], text: bytes) -> Iterator[Node]:
    """The comments directly above a statement, nearest first."""
    start = statement.start_byte
    while True:
        before = text[max(0, start - _FARTHEST) : start]
        gap = len(before) - len(before.rstrip())
        comment = ends.get(start - gap)
        if comment is None or text[start - gap : start].count(b"\n") != 1:
            return
        yield comment
        start = comment.start_byte
