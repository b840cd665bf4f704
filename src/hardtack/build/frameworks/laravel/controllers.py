"""The classes and routes of a bundle in, the controllers and the routes of their actions out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks.laravel.lineage import CONTROLLER
from hardtack.nouns.relations import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hardtack.build.frameworks.laravel.lineage import Classes

RESOURCE_ACTIONS: Final = ("index", "create", "store", "show", "edit", "update", "destroy")
_ENOUGH: Final = 4
"""Minimum number of :data:`RESOURCE_ACTIONS` in a resource controller."""
_HTTP_CONTROLLERS: Final = "\\http\\controllers\\"
INVOKE: Final = "__invoke"
"""The action of a controller that has only one."""
_OLD_NAMESPACE: Final = "App\\Http\\Controllers\\"
"""The namespace of controllers that a route names in a string, up to Laravel 7."""


def controller_facts(classes: Classes, routes: Sequence[Fact]) -> Iterator[Fact]:
    r"""One ``controller`` fact for each controller, and one ``routes`` fact for each of its methods that a route calls.

    A class is a controller if a route calls it, if it descends from Laravel's ``Controller``, or if it or an ancestor is called
    ``...Controller`` and is in a namespace that ends in ``Http\Controllers``.
    """
    routed: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for fact in routes:
        method, uri, controller, name = fact.values[:4]
        if controller and (ordinal := _find(classes, controller, classes.declared[fact.symbol].file)) >= 0:
            routed[ordinal].append((name.lower(), f"{method} {uri}"))
    for ordinal in classes:
        if ordinal in routed or _looks_like(ordinal, classes):
            yield Fact(ordinal, "controller", _described(ordinal, classes))
    for action, its_routes in sorted(_routes_by_action(routed, classes).items()):
        yield Fact(action, "routes", tuple(its_routes))


def _find(classes: Classes, name: str, file: int) -> int:
    found = classes.find(name, file)
    return found if found >= 0 else classes.find(_OLD_NAMESPACE + name, file)


def _looks_like(ordinal: int, classes: Classes) -> bool:
    names = (classes.name(ordinal), *classes.lineage(ordinal).names)
    return any(name.lower() == CONTROLLER.lower() for name in names[1:]) or any(
        _HTTP_CONTROLLERS in f"\\{name.lower()}" and name.endswith("Controller") for name in names
    )


def _described(ordinal: int, classes: Classes) -> tuple[str, ...]:
    """``is_api=``, ``is_resource=``, ``is_invokable=``, then its actions: the methods that a route can call."""
    actions = [classes.declared[method].name for method in classes.methods(ordinal) if _is_action(method, classes)]
    names = (classes.name(ordinal), *classes.lineage(ordinal).names)
    claims = {
        "is_api": "api" in names[0].lower().split("\\")[:-1] or any(name.endswith("ApiController") for name in names),
        "is_resource": sum(action in RESOURCE_ACTIONS for action in actions) >= _ENOUGH,
        "is_invokable": INVOKE in actions,
    }
    return (*(f"{claim}={'true' if holds else 'false'}" for claim, holds in claims.items()), *actions)


def _is_action(method: int, classes: Classes) -> bool:
    symbol = classes.declared[method]
    visibility, modifiers = (symbol.detail.visibility, symbol.detail.modifiers) if symbol.detail else ("public", ())
    is_magic = symbol.name.startswith("__") and symbol.name != INVOKE
    return visibility == "public" and not is_magic and "static" not in modifiers and "abstract" not in modifiers


def _routes_by_action(routed: Mapping[int, Sequence[tuple[str, str]]], classes: Classes) -> Mapping[int, list[str]]:
    """Ordinal of a method, own or inherited -> the routes that call it."""
    found: dict[int, list[str]] = defaultdict(list)
    for ordinal, actions in sorted(routed.items()):
        methods: dict[str, int] = {}
        for member in classes.lineage(ordinal).members:
            for method in classes.methods(member):
                methods.setdefault(classes.declared[method].name.lower(), method)
        for action, route in actions:
            if action in methods:
                found[methods[action]].append(route)
    return found
