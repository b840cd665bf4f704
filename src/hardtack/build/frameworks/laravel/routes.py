"""A PHP file in, the routes that it registers out: ``Route::get('/users/{id}', [UserController::class, 'show'])``.

Calls are read in order, each within the groups around it, and give what Laravel's router would make of them: the whole uri, name
and middleware. Of a uri that is put together while running, each part that the text does not tell is ``*``; one that tells nothing
is no route here.
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

    from hardtack.build.frameworks.laravel.names import Names
    from hardtack.build.frameworks.laravel.page import Page
    from hardtack.build.frameworks.laravel.values import Value

_MENTIONED: Final = (b"Route", b"router")
_FRAMEWORK: Final = re.compile(rb"\b(?:Illuminate|Laravel)\\")
_FACADES: Final = frozenset({"Route", "Illuminate\\Support\\Facades\\Route"})
_ROUTER: Final = re.compile(r"(?:\$|->)router|(?:\$app|->app)\[['\"]router['\"]\]|app\(['\"]router['\"]\)")
_VERBS: Final = {verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "options", "any")}
_ANSWERED: Final = {
    "redirect": ("ANY", "Illuminate\\Routing\\RedirectController"),
    "permanentRedirect": ("ANY", "Illuminate\\Routing\\RedirectController"),
    "view": ("GET", "Illuminate\\Routing\\ViewController"),
    "inertia": ("GET", "Inertia\\Controller"),
}
"""Calls that Laravel, or Inertia, answers with a controller of its own."""
_PARAMETERS: Final = {
    "match": ("methods", "uri", "action"),
    "fallback": ("action",),
    "redirect": ("uri", "destination"),
    "permanentRedirect": ("uri", "destination"),
    "view": ("uri", "view"),
    "inertia": ("uri", "component"),
}
"""Of the calls that do not take a uri and an action."""
_FALLBACK_URI: Final = "{fallbackPlaceholder}"
_CLOSURES: Final = frozenset({"anonymous_function", "arrow_function"})
_CALLS: Final = frozenset({"member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression"})
_FARTHEST: Final = 200
"""Bytes of blanks between a comment and what it is about."""
_MOST_ROUTES: Final = 10_000
"""Of one file."""


class Route(NamedTuple):
    """One route as Laravel's router would list it."""

    method: str
    """``GET``, ``GET|POST``, ``ANY``."""
    uri: str
    """Without the slash that it begins with."""
    action: Action
    name: str
    middleware: tuple[str, ...]
    domain: str
    place: Node
    """The literal that tells its uri."""
    statement: Node

    def values(self) -> tuple[str, ...]:
        """As a fact has them: method, uri, controller, action, name, middleware, then ``domain=`` where there is one."""
        action, middleware = self.action, "\n".join(self.middleware)
        domain = (f"domain={self.domain}",) if self.domain else ()
        return (self.method, f"/{self.uri}", action.controller, action.name, self.name, middleware, *domain)


class Group(NamedTuple):
    """What holds for every route inside a group, or what the calls before a route say of it."""

    prefix: str = ""
    name: str = ""
    middleware: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """Middleware that is taken off again."""
    controller: str = ""
    namespace: str = ""
    domain: str = ""

    def within(self, outer: Group) -> Group:
        """As it holds inside another."""
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

    def first(self, wanted: frozenset[str], names: Names) -> int:
        """Index of the first call of one of the wanted names, or -1."""
        return next((index for index, call in enumerate(self.calls) if _name(call, names) in wanted), -1)


_REGISTERING: Final = frozenset({*_VERBS, *_ANSWERED, *RESOURCES, "match", "fallback"})
_GROUPING: Final = frozenset({"group"})


def routes_of(page: Page) -> list[tuple[Route, list[Node]]]:
    """The file's routes in order, each with the comments right above its statement, nearest first."""
    if not any(words in page.text for words in _MENTIONED):
        return []
    scope = Scope(page.names)
    has_framework = _FRAMEWORK.search(page.text) is not None
    opened: list[tuple[int, Group]] = []
    found: list[Route] = []
    for chain in _chains(page.calls, page, has_framework):
        while opened and opened[-1][0] <= chain.calls[0].start_byte:
            opened.pop()
        around = opened[-1][1] if opened else Group()
        registering, grouping = chain.first(_REGISTERING, page.names), chain.first(_GROUPING, page.names)
        if grouping >= 0 and (registering < 0 or grouping < registering):
            opened += _groups(chain, grouping, around, scope)
        elif registering >= 0 and len(found) < _MOST_ROUTES:
            found += _registered(chain, registering, around, scope)
    ends = {comment.end_byte: comment for comment in page.comments()} if found else {}
    return [(route, list(_above(route.statement, ends, page.text))) for route in found]


def _chains(calls: Sequence[Node], page: Page, has_framework: bool) -> Iterator[_Chain]:
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
            if facade is not None and page.names.resolve(page.names.words(facade), first.start_byte) in _FACADES:
                yield _Chain(tuple(reversed(chain)), is_facade=True)
        elif has_framework and (receiver := first.child_by_field_name("object")) is not None and _is_router(receiver, page.names):
            yield _Chain(tuple(reversed(chain)), is_facade=False)


def _is_router(receiver: Node, names: Names) -> bool:
    """Whether it is ``$router``, ``$this->router``, ``$app['router']`` or the like."""
    if receiver.end_byte - receiver.start_byte > 60:
        return False
    text = names.words(receiver)
    match = _ROUTER.search(text)
    return match is not None and match.end() == len(text)


def _groups(chain: _Chain, index: int, around: Group, scope: Scope) -> Iterator[tuple[int, Group]]:
    """Where a group's function ends, and what holds inside it."""
    arguments = arguments_of(chain.calls[index], scope.names)
    own = _attributes(chain.calls[:index], scope)
    if len(arguments) > 1:
        own = _from_array(value_of(arguments[0].node, scope)).within(own)
    for argument in arguments:
        if argument.node.type in _CLOSURES:
            yield argument.node.end_byte, own.within(around)


def _attributes(calls: Sequence[Node], scope: Scope) -> Group:
    """What the calls before a route or a group say: ``prefix('admin')->middleware('auth')``."""
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
    """The group with the middleware that a call puts on or takes off, if it does."""
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
    """``Route::group(['prefix' => 'admin', 'middleware' => ['auth']], ...)`` and the arrays that routes of old are given."""
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
        # a router by the name of its variable alone must look like one
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
    chain: _Chain, call: Node, given: Mapping[str, Node], said: tuple[Group, Sequence[Node], Group], scope: Scope
) -> Iterator[Route]:
    """The route of one verb, unless nothing tells its uri.

    Args:
        chain: it stands in.
        call: of the verb.
        given: its arguments, by parameter.
        said: what the calls before say, the calls behind, and what the groups around say.
        scope: for the names in all of them.
    """
    (before, after, around), verb = said, _name(call, scope.names)
    if verb == "match":
        method = "|".join(texts_of(value_of(given.get("methods"), scope))).upper()
    else:
        method = _ANSWERED[verb][0] if verb in _ANSWERED else _VERBS.get(verb, "GET")
    uri = _FALLBACK_URI if verb == "fallback" else uri_of(given.get("uri"), scope)
    place = given.get("uri") or call.child_by_field_name("name")
    if uri is None or place is None or not method:
        return
    handler = given.get("action")
    own = _after(_from_array(value_of(handler, scope)).within(before), after, scope)
    group = own.within(around)
    if verb in _ANSWERED:
        action = Action(_ANSWERED[verb][1], INVOKE)
    else:
        action = action_of(handler, group.controller, group.namespace, scope)
    uri = joined(own.prefix, joined(around.prefix, uri))  # what a route says of itself goes before its group's prefix
    statement = _statement(chain.calls[-1])
    yield Route(method, uri, action, group.name, _middleware(group), group.domain, place, statement)


def _after(group: Group, calls: Sequence[Node], scope: Scope) -> Group:
    """What the calls behind a route add: ``->name('users.show')->middleware('auth')``."""
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
    """What the calls behind a resource add: its names are another matter, and it takes no prefix."""
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
    """A uri below a prefix, without slashes at its ends."""
    return f"{prefix.strip('/')}/{uri.strip('/')}".strip("/")


def _name(call: Node, names: Names) -> str:
    return names.words(call.child_by_field_name("name"))


def _statement(top: Node) -> Node:
    """The statement that is nothing but this call, its result returned or kept; else the call."""
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
