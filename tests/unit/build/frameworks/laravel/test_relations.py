"""What Eloquent's relations lead to, and by which keys: each kind by the signature of the method that declares it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[..., Any]


def model(body: str, name: str = "User", more: str = "") -> str:
    return (
        "namespace App\\Models;\nuse Illuminate\\Database\\Eloquent\\Model;\nuse App\\Blog\\Post as Entry;\n"
        f"class {name} extends Model {{\n{body}\n}}\n{more}"
    )


def relation(say: Say, expression: str, more: str = "") -> tuple[str, ...]:
    """The one relation of a method ``items`` that returns the expression."""
    (values,) = say(model(f"public function items() {{ return {expression}; }}", more=more)).of("User", "relation")
    assert values[0] == "items"
    return tuple(values[1:])


POST = "App\\Blog\\Post"


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("$this->hasOne(Entry::class)", "hasOne|POST|user_id|id||inferred=foreign_key,local_key"),
        ("$this->hasMany(Entry::class, 'author', 'uid')", "hasMany|POST|author|uid|"),
        ("$this->belongsTo(Entry::class)", "belongsTo|POST|items_id|||owner_key=id|inferred=foreign_key,owner_key"),
        ("$this->belongsTo(Entry::class, 'p', 'k')", "belongsTo|POST|p|||owner_key=k"),
        (
            "$this->belongsTo(Entry::class, relation: 'writer')",
            "belongsTo|POST|writer_id|||owner_key=id|inferred=foreign_key,owner_key",
        ),
        (
            "$this->morphTo()",
            "morphTo||items_id|||morph_name=items|morph_type=items_type|inferred=foreign_key,morph_name,morph_type",
        ),
        ("$this->morphTo('subject', id: 'sid')", "morphTo||sid|||morph_name=subject|morph_type=subject_type|inferred=morph_type"),
        (
            "$this->morphOne(Entry::class, 'image')",
            "morphOne|POST|image_id|id||morph_name=image|morph_type=image_type|inferred=foreign_key,local_key,morph_type",
        ),
        ("$this->morphMany(Entry::class, 'x', 'kind', 'key', 'uid')", "morphMany|POST|key|uid||morph_name=x|morph_type=kind"),
    ],
)
def test_keys_of_relations_between_two_tables(say: Say, expression: str, wanted: str) -> None:
    assert "|".join(relation(say, expression)) == wanted.replace("POST", POST)


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        (
            "$this->belongsToMany(Entry::class)",
            "belongsToMany|POST|user_id|id|post_user|related_pivot_key=post_id|related_key=id"
            "|inferred=foreign_key,local_key,pivot_table,related_key,related_pivot_key",
        ),
        (
            "$this->belongsToMany(Entry::class, 'likes', 'who', 'what', 'a', 'b')",
            "belongsToMany|POST|who|a|likes|related_pivot_key=what|related_key=b",
        ),
        (
            "$this->belongsToMany(related: Entry::class, relatedPivotKey: 'what', table: 'likes')",
            "belongsToMany|POST|user_id|id|likes|related_pivot_key=what|related_key=id|inferred=foreign_key,local_key,related_key",
        ),
        (
            "$this->morphToMany(Entry::class, 'tag_able')",
            "morphToMany|POST|tag_able_id|id|tag_ables|morph_name=tag_able|morph_type=tag_able_type|related_pivot_key=post_id"
            "|related_key=id|inferred=foreign_key,local_key,morph_type,pivot_table,related_key,related_pivot_key",
        ),
        (
            "$this->morphedByMany(Entry::class, 'taggable', 'tagged')",
            "morphedByMany|POST|user_id|id|tagged|morph_name=taggable|morph_type=taggable_type|related_pivot_key=taggable_id"
            "|related_key=id|inferred=foreign_key,local_key,morph_type,related_key,related_pivot_key",
        ),
        (
            "$this->hasOneThrough(Entry::class, Phone::class)",
            "hasOneThrough|POST|user_id|id||through=App\\Models\\Phone|second_key=phone_id|second_local_key=id"
            "|inferred=foreign_key,local_key,second_key,second_local_key",
        ),
        (
            "$this->hasManyThrough(Entry::class, Phone::class, 'a', 'b', 'c', 'd')",
            "hasManyThrough|POST|a|c||through=App\\Models\\Phone|second_key=b|second_local_key=d",
        ),
    ],
)
def test_keys_and_tables_of_relations_by_way_of_a_third_table(say: Say, expression: str, wanted: str) -> None:
    assert "|".join(relation(say, expression)) == wanted.replace("POST", POST)


def test_inferred_keys_follow_the_primary_keys_and_tables_of_the_models_in_the_bundle(say: Say) -> None:
    keys = "class Team extends Model { protected $primaryKey = 'code'; } class Seat extends Model { protected $table = 'chairs'; }"
    assert relation(say, "$this->belongsTo(Team::class)", keys)[2:6] == ("items_code", "", "", "owner_key=code")
    assert relation(say, "$this->belongsToMany(Team::class)", keys)[5] == "related_pivot_key=team_code"
    values = relation(say, "$this->belongsToMany(Team::class, Seat::class)", keys)
    assert (values[4], "using=App\\Models\\Seat" in values) == ("chairs", True)


def test_the_table_between_two_models_has_their_names_in_alphabetical_order(say: Say) -> None:
    assert relation(say, "$this->belongsToMany(Zebra::class)")[4] == "user_zebra"
    assert relation(say, "$this->belongsToMany(Answer::class)")[4] == "answer_user"


def test_a_relation_that_a_child_declares_anew_hides_its_parents(say: Say) -> None:
    child = "class Admin extends User { public function posts() { return $this->hasOne(Entry::class); } }"
    said = say(model("public function posts() { return $this->hasMany(Entry::class); }", more=child))
    assert [values[:2] for values in said.of("Admin", "relation")] == [("posts", "hasOne")]


def test_an_argument_that_is_not_literal_leaves_its_key_unknown_instead_of_inferred(say: Say) -> None:
    assert relation(say, "$this->hasMany(Entry::class, $key)") == ("hasMany", POST, "", "id", "", "inferred=local_key")
    assert relation(say, "$this->hasMany($this->model())")[:2] == ("hasMany", "")
    assert relation(say, "$this->hasMany('App\\Blog\\Post')")[1] == POST
    for own in ("self::class", "static::class", "__CLASS__"):
        assert relation(say, f"$this->hasMany({own})")[1] == "App\\Models\\User"


@pytest.mark.parametrize(
    ("expression", "kind", "extra"),
    [
        ("$this->hasMany(Entry::class)->latest()->where('a', 1)", "hasMany", None),
        ("$this->hasOne(Entry::class)->latestOfMany()", "hasOne", "of_many=latest"),
        ("$this->hasOne(Entry::class)->ofMany('price', 'max')", "hasOne", "of_many=custom"),
        ("$this->hasMany(Entry::class)->one()->oldestOfMany()", "hasOne", "of_many=oldest"),
        ("$this->belongsToMany(Entry::class)->withPivot('a', 'b')", "belongsToMany", "pivot_columns=a,b"),
        ("$this->belongsToMany(Entry::class)->as('role')->withTimestamps()", "belongsToMany", "as=role"),
        ("$this->belongsToMany(Entry::class)->using(Phone::class)", "belongsToMany", "using=App\\Models\\Phone"),
    ],
)
def test_calls_on_the_relation_refine_it(say: Say, expression: str, kind: str, extra: str | None) -> None:
    values = relation(say, expression)
    assert values[0] == kind
    assert extra is None or extra in values


def test_a_relation_may_be_made_of_another_of_the_same_model(say: Say) -> None:
    said = say(
        model(
            "public function posts() { return $this->hasMany(Entry::class, 'writer'); }"
            " public function latest() { return $this->posts()->one()->latestOfMany(); }"
            " public function drafts(): \\Illuminate\\Database\\Eloquent\\Relations\\HasMany { return $this->posts()->where(1); }"
            " public function recent() { return $this->posts()->where('a', 1)->orderBy('b'); }"
            " public function same() { return $this->posts(); } public function odd() { return $this->posts()->odd(); }"
            " public function unknown() { return $this->nothing()->one(); }"
            " public function total() { return $this->posts()->sum(); }"
        )
    )
    assert [values[:4] for values in said.of("User", "relation")] == [
        ("posts", "hasMany", POST, "writer"),
        ("latest", "hasOne", POST, "writer"),
        ("drafts", "hasMany", POST, "writer"),
        ("recent", "hasMany", POST, "writer"),
        ("same", "hasMany", POST, "writer"),
    ]
    assert said.of("User", "relation")[1][6:] == ("of_many=latest", "inferred=local_key")
    assert said.of("User.latest", "returns")[0][0] == f"HasOne<{POST}>"
    assert said.of("User.unknown", "kind") == said.of("User.total", "kind") == []


@pytest.mark.parametrize(
    "expression",
    [
        "$this->through('cars')->has('owner')",
        "$this->throughCars()->hasOwner()",
        "$this->through($this->cars())->has(fn ($car) => $car->owner())",
        "$this->through($this->hasMany(Car::class, 'driver'))->has(fn ($car) => $car->hasOne(Owner::class, 'vehicle'))",
    ],
)
def test_through_and_has_make_the_relation_that_laravel_makes_of_the_two(say: Say, expression: str) -> None:
    cars = "class Car extends Model { public function owner() { return $this->hasOne(Owner::class, 'vehicle'); } }"
    local = "public function cars() { return $this->hasMany(Car::class, 'driver'); }"
    said = say(model(f"{local} public function owners() {{ return {expression}; }}", more=cars))
    _, owners = said.of("User", "relation")
    assert owners[:4] == ("owners", "hasManyThrough", "App\\Models\\Owner", "driver")
    assert owners[6:9] == ("through=App\\Models\\Car", "second_key=vehicle", "second_local_key=id")


def test_through_a_relation_that_is_not_known_leads_to_nobody_and_is_no_type(say: Say) -> None:
    said = say(model("public function owners() { return $this->through('cars')->has('owner'); }"))
    assert said.of("User", "relation") == [("owners", "through", "", "", "", "")]
    assert said.of("User.owners", "returns") == []


def test_relations_that_rest_on_each_other_in_a_circle_come_to_an_end(say: Say) -> None:
    said = say(model("public function a() { return $this->b()->one(); } public function b() { return $this->a()->one(); }"))
    assert said.of("User", "relation") == []


@pytest.mark.parametrize(
    "body",
    [
        "public function add() { $this->hasMany(Entry::class); }",
        "public function total() { return $this->hasMany(Entry::class)->count(); }",
        "public function make($related) { return $this->hasMany($related); }",
        "public function other() { return $user->hasMany(Entry::class); }",
        "public function text() { return '$this->hasMany(Entry::class)'; }",
    ],
)
def test_a_call_that_only_uses_a_relation_or_passes_one_on_declares_none(say: Say, body: str) -> None:
    assert say(model(body)).of("User", "relation") == []


def test_each_of_several_relations_of_one_method_is_told(say: Say) -> None:
    body = "public function a() { if (x()) { return $this->hasOne(Entry::class); } $b = $this->hasMany(Entry::class); return $b; }"
    assert [values[:2] for values in say(model(body)).of("User", "relation")] == [("a", "hasOne"), ("a", "hasMany")]


def test_a_method_that_declares_a_relation_says_so_and_what_it_returns(say: Say) -> None:
    body = "public function tags() { return $this->morphedByMany(Entry::class, 't'); }"
    said = say(model(f"{body} public function on() {{ return $this->morphTo(); }}"))
    assert said.of("User.tags", "kind") == [("relation",)]
    assert said.of("User.tags", "returns") == [(f"MorphToMany<{POST}>", "Laravel Eloquent relation", "inferred_relation")]
    assert said.of("User.on", "returns")[0][0] == "MorphTo"


def test_keys_of_a_relation_in_a_trait_are_those_of_each_model_that_uses_it(say: Say) -> None:
    trait = (
        "trait Liked { public function likes() { return $this->hasMany(Like::class); } } class Photo extends Model { use Liked; }"
    )
    said = say(model("use Liked;", more=trait))
    assert [said.of(name, "relation")[0][3] for name in ("User", "Photo")] == ["user_id", "photo_id"]
