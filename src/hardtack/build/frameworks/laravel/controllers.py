"""The classes and routes of a bundle in, which classes are controllers and what their actions answer out."""

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
"""Actions of :data:`RESOURCE_ACTIONS` that make a resource controller."""
_HTTP_CONTROLLERS: Final = "\\http\\controllers\\"
INVOKE: Final = "__invoke"
"""The action of a controller that has but one."""
_OLD_NAMESPACE: Final = "App\\Http\\Controllers\\"
"""Where Laravel looked up to version 7 for a controller that a route named in a string."""


def controller_facts(classes: Classes, routes: Sequence[Fact]) -> Iterator[Fact]:
    """One ``controller`` fact for each controller, and ``routes`` for each of its methods that a route leads to.

    A class is a controller when a route leads to it, when it descends from Laravel's ``Controller``, or when it, or what it
    descends from, is called ``...Controller`` and stands in a namespace that ends in ``Http`` and ``Controllers``.
    """
    routed: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for fact in routes:
        method, uri, controller, name = fact.values[:4]
        if controller and (ordinal := _find(classes, controller, classes.declared[fact.symbol].file)) >= 0:
            routed[ordinal].append((name.lower(), f"{method} {uri}"))
    for ordinal in classes:
        if ordinal in routed or _looks_like(ordinal, classes):
            yield Fact(ordinal, "controller", _described(ordinal, classes))
    for action, led_by in sorted(_leads(routed, classes).items()):
        yield Fact(action, "routes", tuple(led_by))


def _find(classes: Classes, name: str, file: int) -> int:
    found = classes.find(name, file)
    return found if found >= 0 else classes.find(_OLD_NAMESPACE + name, file)


def _looks_like(ordinal: int, classes: Classes) -> bool:
    names = (classes.name(ordinal), *classes.lines(ordinal).names)
    return any(name.lower() == CONTROLLER.lower() for name in names[1:]) or any(
        _HTTP_CONTROLLERS in f"\\{name.lower()}" and name.endswith("Controller") for name in names
    )


def _described(ordinal: int, classes: Classes) -> tuple[str, ...]:
    """``is_api=``, ``is_resource=``, ``is_invokable=``, then its actions: what it declares that a route can lead to."""
    actions = [classes.declared[method].name for method in classes.methods(ordinal) if _is_action(method, classes)]
    names = (classes.name(ordinal), *classes.lines(ordinal).names)
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


def _leads(routed: Mapping[int, Sequence[tuple[str, str]]], classes: Classes) -> Mapping[int, list[str]]:
    """The methods that routes lead to, inherited ones too, each with the routes."""
    led: dict[int, list[str]] = defaultdict(list)
    for ordinal, asked in sorted(routed.items()):
        methods: dict[str, int] = {}
        for member in classes.lines(ordinal).members:
            for method in classes.methods(member):
                methods.setdefault(classes.declared[method].name.lower(), method)
        for action, route in asked:
            if action in methods:
                led[methods[action]].append(route)
    return led
