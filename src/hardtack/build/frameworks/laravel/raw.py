"""The keys of raw facts: facts of classes, methods and routes before it is known which classes are models."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

ELOQUENT: Final = "Illuminate\\Database\\Eloquent"


class RawKey(StrEnum):
    """Keys of a file's raw facts; only the last one is also a key in bundles."""

    EXTENDS = "laravel.extends"
    """Of a class: full name of its parent."""
    TRAITS = "laravel.traits"
    """Of a class or trait: full names of the traits it uses."""
    PROPERTY = "laravel.property"
    """Of a class or trait: name and values of a property of models; for ``casts`` columns and types, alternating."""
    CASTS = "laravel.casts"
    """Of a class or trait: the result of its ``casts()``: ``parent`` or nothing, then columns and types, alternating."""
    ATTRIBUTE = "laravel.attribute"
    """Of a class or trait: last name of an Eloquent attribute, then its arguments."""
    OVERRIDE = "laravel.answer"
    """Of a class or trait: name of a method that replaces a property, and the text that it returns, empty if unknown."""
    ANONYMOUS = "laravel.anonymous"
    """Of a method of an anonymous class: full name of the parent of that class."""
    SCOPE = "laravel.scope"
    """Of a method: the name of the scope in a query."""
    ACCESS = "laravel.access"
    """Of a method: the attribute, and ``accessor``, ``mutator`` or ``both``."""
    RELATION = "laravel.relation"
    """Of a method: the relation that it declares, as one of

    - a kind, then ``parameter=value`` for each argument, the value empty if it is unknown;
    - ``through``, then ``local=`` and ``distant=`` for each of the two relations: a name, or a kind and arguments;
    - ``refined``, then ``base=`` and the name of another relation of the model;

    then ``->method=value`` for each later call that changes the relation.
    """
    ROUTE = "route"
    """Of a route: method, uri, full name of the controller, action, name, middleware joined by commas."""
