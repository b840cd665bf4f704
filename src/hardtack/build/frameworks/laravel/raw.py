"""What is said of classes, methods and routes before it is known which classes are models: the keys of raw facts."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

ELOQUENT: Final = "Illuminate\\Database\\Eloquent"


class RawKey(StrEnum):
    """Keys that leave a file and never reach a bundle, but for the last."""

    EXTENDS = "laravel.extends"
    """Of a class: full name of its parent."""
    TRAITS = "laravel.traits"
    """Of a class or trait: full names of the traits it uses."""
    PROPERTY = "laravel.property"
    """Of a class or trait: name and values of a property that models know; of ``casts`` columns and types in turn."""
    CASTS = "laravel.casts"
    """Of a class or trait: what its ``casts()`` returns: ``parent`` or nothing, then columns and types in turn."""
    ATTRIBUTE = "laravel.attribute"
    """Of a class or trait: last name of an attribute of Eloquent's, then what it is given."""
    ANSWER = "laravel.answer"
    """Of a class or trait: name of a method that decides instead of a property, and the one text it returns, empty if unknown."""
    ANONYMOUS = "laravel.anonymous"
    """Of a method of an anonymous class: full name of the parent of that class."""
    SCOPE = "laravel.scope"
    """Of a method: what the scope is called in a query."""
    ACCESS = "laravel.access"
    """Of a method: the attribute, and ``accessor``, ``mutator`` or ``both``."""
    RELATION = "laravel.relation"
    """Of a method: the relation that it declares, as one of

    - a kind, ``parameter=value`` for each argument, the value empty when it cannot be told;
    - ``through``, then ``local=`` and ``distant=`` what each of the two is: a name, or a kind and arguments;
    - ``refined``, then ``base=`` the name of another relation of the model;

    and ``->method=value`` for each call after it that matters.
    """
    ROUTE = "route"
    """Of a route: method, uri, full name of the controller, action, name, middleware joined by commas."""
