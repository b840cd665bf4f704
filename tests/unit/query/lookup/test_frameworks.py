"""Framework facts of symbols, in the fields of their descriptors."""

from __future__ import annotations

from hardtack.nouns.descriptors import (
    ClassDescriptor,
    FunctionDescriptor,
    RelationDescriptor,
    ReturnDescriptor,
    SymbolDescriptor,
)
from hardtack.nouns.relations import Fact
from hardtack.query.lookup.frameworks import with_class_facts, with_function_facts, with_symbol_facts

MODEL = ClassDescriptor(
    language="php",
    kind="class",
    name="User",
    relations=(RelationDescriptor(name="Model", relation_kind="inherits"),),
    methods=(FunctionDescriptor(language="php", kind="method", name="scopeActive", signature="function scopeActive($query)"),),
    tags=("framework:laravel", "laravel:model"),
    metadata={"modifiers": ["final"]},
)


def facts(*keys_and_values: tuple[str, tuple[str, ...]]) -> list[Fact]:
    return [Fact(7, key, values) for key, values in keys_and_values]


def test_an_account_of_which_no_framework_says_anything_stays_as_it_is() -> None:
    plain = ClassDescriptor(language="go", kind="struct", name="Context")
    assert plain is with_class_facts(plain, ())


def test_a_model_has_its_table_columns_and_casts() -> None:
    stated = facts(
        ("table", ("users", "inferred")),
        ("fillable", ("name", "email")),
        ("hidden", ("password",)),
        ("cast", ("born_at", "date")),
        ("cast", ("is_admin", "bool")),
        ("guarded", ()),
        ("primary_key", ("uuid",)),
        ("timestamps", ("false",)),
        ("soft_deletes", ("true",)),
    )
    model = with_class_facts(MODEL, stated)
    assert ("model", "users", ("name", "email"), ("password",), ()) == (
        model.kind,
        model.table,
        model.fillable,
        model.hidden,
        model.visible,
    )
    assert {"born_at": "date", "is_admin": "bool"} == model.casts
    assert {
        "modifiers": ["final"],
        "table_is_inferred": True,
        "guarded": [],
        "primary_key": "uuid",
        "timestamps": False,
        "soft_deletes": True,
        "laravel_type": "model",
    } == model.metadata


def test_a_declared_table_is_not_called_inferred() -> None:
    assert "table_is_inferred" not in with_class_facts(MODEL, facts(("table", ("people", "declared")))).metadata


def test_the_relations_of_a_model_follow_those_of_its_class() -> None:
    roles = ("roles", "belongsToMany", "App\\Role", "user_id", "id", "role_user", "related_pivot_key=role_id")
    assert (
        RelationDescriptor(name="Model", relation_kind="inherits"),
        RelationDescriptor(
            name="roles",
            relation_kind="belongsToMany",
            related_symbol="App\\Role",
            foreign_key="user_id",
            local_key="id",
            description="pivot_table=role_user; related_pivot_key=role_id",
        ),
    ) == with_class_facts(MODEL, facts(("relation", roles))).relations


def test_scopes_and_attributes_go_by_the_name_they_are_used_by() -> None:
    stated = facts(
        ("scope", ("active", "scopeActive")),
        ("attribute", ("full_name", "fullName", "both")),
        ("attribute", ("email", "getEmailAttribute", "accessor")),
    )
    model = with_class_facts(MODEL, stated)
    assert (("active",), ("full_name", "email")) == (model.scopes, model.attributes)
    assert {"active": "scopeActive"} == model.metadata["scope_methods"]
    assert {
        "full_name": {"accessor": "fullName", "mutator": "fullName"},
        "email": {"accessor": "getEmailAttribute"},
    } == model.metadata["attribute_methods"]


def test_a_controller_says_what_it_offers() -> None:
    plain = ClassDescriptor(language="php", kind="class", name="UserController")
    stated = facts(("controller", ("is_api=true", "is_resource=false", "index", "store")))
    assert {"laravel_type": "controller", "is_api": True, "is_resource": False, "actions": ["index", "store"]} == with_class_facts(
        plain, stated
    ).metadata


def test_a_method_is_what_a_framework_makes_of_it() -> None:
    method = FunctionDescriptor(language="php", kind="method", name="posts", returns=(ReturnDescriptor(type="HasMany"),))
    relation = with_function_facts(
        method,
        facts(
            ("kind", ("relation",)),
            ("returns", ("HasMany<App\\Post>", "Laravel Eloquent relation", "inferred_relation")),
            ("routes", ("GET /posts", "GET /all")),
        ),
    )
    inferred = ReturnDescriptor(type="HasMany<App\\Post>", description="Laravel Eloquent relation", source_hint="inferred_relation")
    assert ("method", (*method.returns, inferred)) == (relation.kind, relation.returns)
    assert {"role": "relation", "routes": ["GET /posts", "GET /all"]} == relation.metadata
    assert "scope" == with_function_facts(method, facts(("kind", ("scope",)))).kind


def test_a_route_says_where_it_leads() -> None:
    plain = SymbolDescriptor(language="php", kind="route", name="GET /users")
    stated = facts(("route", ("GET", "/users", "App\\UserController", "index", "", "web\nauth", "domain=x.org")))
    assert {
        "method": "GET",
        "uri": "/users",
        "controller": "App\\UserController",
        "action": "index",
        "middleware": ["web", "auth"],
        "domain": "x.org",
    } == with_symbol_facts(plain, stated).metadata


def test_what_nobody_here_knows_is_passed_on() -> None:
    plain = SymbolDescriptor(language="go", kind="route", name="x")
    assert {"queue": ["fast", "slow"], "port": ["80", "81"], "host": "h"} == with_symbol_facts(
        plain, facts(("queue", ("fast", "slow")), ("port", ("80",)), ("port", ("81",)), ("host", ("h",)))
    ).metadata
