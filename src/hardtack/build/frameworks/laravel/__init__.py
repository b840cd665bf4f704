"""Laravel: Eloquent models, controllers and routes in PHP's classes and calls.

There are two steps, since a class is known to be a model only when all files are read:

    facts_of   one file's tree       -> its routes, as symbols, and raw facts          in a worker
    confirm    every file's facts    -> the confirmed facts, and tags                  once, in the building process

The facts in a bundle, by their symbol:

    class     table (name, declared|inferred); primary_key, key_type, connection (text); incrementing, timestamps (false);
              soft_deletes (true); fillable, guarded, hidden, visible, appends, dates, touches, with (columns; guarded without
              any: everything may be filled); cast (column, type); relation (method, kind, full name of the related model, foreign
              key, local key, pivot table, key=value ...); scope (name, method); attribute (column, method,
              accessor|mutator|both); controller (is_api=, is_resource=, is_invokable=, actions ...)
    method    kind (scope|accessor|mutator|relation); returns (type, description, source hint); routes (GET /users ...)
    route     route (method, uri, controller, action, name, middleware, domain=)

Members of traits and parents count as a model's own. Values that are computed at run time are left out, never guessed.
"""

from __future__ import annotations

from hardtack.build.frameworks.laravel.confirm import confirm
from hardtack.build.frameworks.laravel.reading import facts_of

__all__ = ["confirm", "facts_of"]
