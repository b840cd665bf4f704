"""Which classes are Eloquent models, and what their properties, attributes and methods say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardtack.nouns.model import Tag

Say = Callable[..., Any]

BASE = "namespace App\\Models;\nuse Illuminate\\Database\\Eloquent\\Model;\n"


def test_a_class_is_a_model_when_it_descends_from_eloquents_model_through_any_number_of_classes(say: Say) -> None:
    said = say(
        a="namespace App; use Illuminate\\Database\\Eloquent\\Model as Eloquent; abstract class Base extends Eloquent {}",
        b="namespace App\\Shop; use App\\{Base as Root, Other}; class Item extends Root {} class Thing extends Other {}",
        c="namespace App\\Shop\\Old; class Item extends \\App\\Shop\\Item {} class Base {} class Unlike extends Base {}",
        d="namespace App\\Shop; class Last extends namespace\\Item {}",
    )
    assert said.models() == ["Base", "Item", "Item", "Last"]
    assert said.tags()["Base"] == {Tag.FRAMEWORK_LARAVEL, Tag.LARAVEL_MODEL}


@pytest.mark.parametrize(
    ("base", "is_model"),
    [
        ("\\Illuminate\\Database\\Eloquent\\Relations\\Pivot", True),
        ("\\Illuminate\\Foundation\\Auth\\User", True),
        ("\\MongoDB\\Laravel\\Eloquent\\Model", True),
        ("\\Eloquent", True),
        ("Eloquent", False),
        ("\\Symfony\\Model", False),
        ("\\Phalcon\\Mvc\\Model", False),
    ],
)
def test_a_base_class_outside_of_the_bundle_is_known_by_its_full_name(say: Say, base: str, *, is_model: bool) -> None:
    assert bool(say(f"namespace App; class User extends {base} {{}}").models()) is is_model


def test_a_class_that_is_no_model_has_no_facts_though_it_looks_like_one(say: Say) -> None:
    said = say(
        "namespace App; class Form extends Widget { protected $fillable = ['a']; protected $table = 'forms';"
        " public function posts() { return $this->hasMany(Post::class); } public function scopeActive($q) {} }"
    )
    assert said.facts == ()


def test_two_classes_of_one_name_are_told_apart_by_the_file_they_are_used_in(say: Say) -> None:
    plain = "namespace Tests; class Base {} class Plain extends Base {}"
    model = "namespace Tests; class Base extends \\Illuminate\\Database\\Eloquent\\Model {} class Stored extends Base {}"
    assert say(a=plain, b=model).models() == ["Base", "Stored"]


def test_the_table_is_declared_or_made_from_the_name_by_laravels_rule(say: Say) -> None:
    said = say(BASE + "class UserProfile extends Model {} class Old extends Model { protected $table = 'legacy'; }")
    assert said.of("UserProfile", "table") == [("user_profiles", "inferred")]
    assert said.of("Old", "table") == [("legacy", "declared")]


def test_a_pivot_is_stored_in_the_singular_and_an_abstract_class_nowhere(say: Say) -> None:
    relations = "use Illuminate\\Database\\Eloquent\\Relations\\{Pivot, MorphPivot};"
    said = say(
        BASE
        + relations
        + "class RoleUser extends Pivot {} class Taggable extends MorphPivot {} abstract class Base extends Model {}"
    )
    assert said.of("RoleUser", "table") == [("role_user", "inferred")]
    assert said.of("Taggable", "table") == [("taggables", "inferred")]
    assert said.of("Base", "table") == []


def test_a_table_that_a_method_decides_is_what_the_method_returns_or_unknown(say: Say) -> None:
    said = say(
        BASE + "class A extends Model { public function getTable() { return 'as'; } }"
        " class B extends Model { public function getTable() { return config('b'); } }"
    )
    assert (said.of("A", "table"), said.of("B", "table")) == ([("as", "declared")], [])


def test_properties_are_read_with_their_constants_and_class_names_resolved(say: Say) -> None:
    said = say(
        BASE + "use App\\Casts\\Json as J; class Post extends Model { const TITLE = 'title';"
        " protected $fillable = [self::TITLE, 'body']; protected $hidden = array('secret'); protected $guarded = [];"
        " protected $visible = ['id']; protected $appends = ['url']; protected $dates = ['seen_at']; public $timestamps = false;"
        " protected $primaryKey = 'uid'; protected $connection = 'other';"
        " protected $casts = ['meta' => J::class, 'n' => 'decimal:2', 'e' => J::class.':'.Status::class]; }"
    )
    assert said.of("Post", "fillable") == [("title", "body")]
    assert said.of("Post", "hidden") == [("secret",)]
    assert said.of("Post", "guarded") == [()]
    assert [said.of("Post", key) for key in ("visible", "appends", "dates")] == [[("id",)], [("url",)], [("seen_at",)]]
    assert [said.of("Post", key) for key in ("timestamps", "primary_key", "connection")] == [[("false",)], [("uid",)], [("other",)]]
    assert said.of("Post", "cast") == [
        ("meta", "App\\Casts\\Json"),
        ("n", "decimal:2"),
        ("e", "App\\Casts\\Json:App\\Models\\Status"),
    ]


def test_what_a_parent_and_traits_declare_counts_and_the_nearest_declaration_wins(say: Say) -> None:
    said = say(
        BASE + "trait Owned { protected $hidden = ['owner']; public function scopeOwned($q) {}"
        " public function owner() { return $this->belongsTo(User::class); } }"
        " abstract class Base extends Model { use Owned; protected $fillable = ['a', 'b']; protected $table = 'base'; }"
        " class Post extends Base { protected $table = 'posts'; }"
    )
    assert said.of("Post", "fillable") == [("a", "b")]
    assert said.of("Post", "hidden") == [("owner",)]
    assert said.of("Post", "table") == [("posts", "declared")]
    assert said.of("Post", "scope") == [("owned", "scopeOwned")]
    assert [values[:4] for values in said.of("Post", "relation")] == [("owner", "belongsTo", "App\\Models\\User", "owner_id")]
    assert "declared_in=App\\Models\\Owned" in said.of("Post", "relation")[0]


def test_casts_of_the_method_are_added_to_those_of_the_property_and_of_the_parent_where_it_asks(say: Say) -> None:
    said = say(
        BASE + "class A extends Model { protected $casts = ['p' => 'int'];"
        " protected function casts(): array { return ['a' => 'date', 'p' => 'bool']; } }"
        " class B extends A { protected function casts(): array { return array_merge(parent::casts(), ['b' => 'array']); } }"
        " class C extends A { protected function casts(): array { return [...parent::casts(), 'c' => 'hashed']; } }"
        " class D extends A { protected function casts(): array { return ['d' => 'string']; } }"
    )
    assert said.of("A", "cast") == [("p", "bool"), ("a", "date")]
    assert said.of("B", "cast") == [("p", "bool"), ("a", "date"), ("b", "array")]
    assert said.of("C", "cast") == [("p", "bool"), ("a", "date"), ("c", "hashed")]
    assert said.of("D", "cast") == [("p", "int"), ("d", "string")]


def test_a_cast_that_a_call_makes_is_what_laravel_makes_of_it_and_any_other_its_source(say: Say) -> None:
    said = say(
        BASE + "use Illuminate\\Database\\Eloquent\\Casts\\{AsCollection, AsEnumCollection}; class A extends Model {"
        " protected function casts() { return ['a' => AsEnumCollection::of(S::class), 'b' => AsCollection::using(S::class),"
        " 'c' => new Maker(1), 'd' => Mine::of(S::class)]; } }"
    )
    assert said.of("A", "cast") == [
        ("a", "Illuminate\\Database\\Eloquent\\Casts\\AsEnumCollection:App\\Models\\S"),
        ("b", "Illuminate\\Database\\Eloquent\\Casts\\AsCollection:App\\Models\\S,"),
        ("c", "new Maker(1)"),
        ("d", "Mine::of(S::class)"),
    ]


def test_soft_deletes_are_found_through_traits_and_parents_and_cast_their_column(say: Say) -> None:
    said = say(
        BASE + "use Illuminate\\Database\\Eloquent\\SoftDeletes as Bin; trait Kept { use Bin; }"
        " class A extends Model { use Kept; } class B extends A { const DELETED_AT = 'gone_at'; } class C extends Model {}"
    )
    assert [said.of(name, "soft_deletes") for name in "ABC"] == [[("true",)], [("true",)], []]
    assert (said.of("A", "cast"), said.of("B", "cast")) == ([("deleted_at", "datetime")], [("gone_at", "datetime")])


def test_attributes_of_todays_laravel_say_what_properties_say(say: Say) -> None:
    said = say(
        BASE + "use Illuminate\\Database\\Eloquent\\Attributes\\{Table, Fillable, Hidden, Unguarded, Connection, Guarded};\n"
        "#[Table('people', key: 'uid', timestamps: false), Fillable(['name'])]\n#[Hidden('a', 'b')] #[Connection('other')]\n"
        "class Person extends Model { protected $fillable = ['born']; }\n"
        "#[Unguarded] class Open extends Person {} #[Guarded('id')] class Shut extends Model {}"
        " #[\\Other\\Table('x')] class Odd extends Model {}"
    )
    assert said.of("Person", "table") == [("people", "declared")]
    assert said.of("Person", "fillable") == [("born", "name")]
    assert [said.of("Person", key) for key in ("primary_key", "timestamps", "hidden", "connection")] == [
        [("uid",)],
        [("false",)],
        [("a", "b")],
        [("other",)],
    ]
    assert (said.of("Open", "guarded"), said.of("Open", "table")) == ([()], [("people", "declared")])
    assert said.of("Shut", "guarded") == [("id",)]
    assert said.of("Odd", "table") == [("odds", "inferred")]


def test_scopes_are_told_by_their_name_or_their_attribute(say: Say) -> None:
    said = say(
        BASE
        + "use Illuminate\\Database\\Eloquent\\Attributes\\Scope; class Post extends Model { public function scopeOfType($q, $t) {}"
        " #[Scope] protected function popular($q) {} #[Scope] private function hidden($q) {} public function scopes() {} }"
    )
    assert said.of("Post", "scope") == [("ofType", "scopeOfType"), ("popular", "popular")]
    assert said.of("Post.popular", "kind") == said.of("Post.scopeOfType", "kind") == [("scope",)]


def test_accessors_and_mutators_are_told_in_their_old_and_their_new_form(say: Say) -> None:
    said = say(
        BASE + "use Illuminate\\Database\\Eloquent\\Casts\\Attribute as A; class Post extends Model {"
        " public function getFullNameAttribute($v) {} public function setTagsAttribute($v) {} public function getAttribute($k) {}"
        " protected function firstName(): A { return A::make(get: fn ($v) => $v, set: fn ($v) => $v)->shouldCache(); }"
        " protected function age(): ?A { return A::get(fn ($v) => $v); }"
        " protected function pin(): A { return new A(set: fn ($v) => $v); }"
        " protected function zip(): A { return A::make(null, fn ($v) => $v); }"
        " protected function other(): Attribute { return A::get(fn ($v) => $v); } }"
    )
    assert said.of("Post", "attribute") == [
        ("full_name", "getFullNameAttribute", "accessor"),
        ("tags", "setTagsAttribute", "mutator"),
        ("first_name", "firstName", "both"),
        ("age", "age", "accessor"),
        ("pin", "pin", "mutator"),
        ("zip", "zip", "mutator"),
    ]
    assert said.of("Post.pin", "kind") == [("mutator",)]
    assert said.of("Post.firstName", "kind") == [("accessor",)]


def test_methods_of_a_model_without_a_name_are_told_and_the_method_around_is_none(say: Say) -> None:
    said = say(
        BASE + "class Factory { public function make() { return new class extends Model {"
        " public function posts() { return $this->hasMany(Post::class); } public function scopeNew($q) {} }; } }"
    )
    assert said.of("Factory.make.posts", "returns") == [
        ("HasMany<App\\Models\\Post>", "Laravel Eloquent relation", "inferred_relation")
    ]
    assert said.of("Factory.make.scopeNew", "kind") == [("scope",)]
    assert said.of("Factory.make", "kind") == []


def test_what_is_not_literal_is_left_out_and_the_rest_is_kept(say: Say) -> None:
    said = say(BASE + "class A extends Model { protected $fillable = ['a', X::NAME, 'b' . $c, 'd']; protected $hidden = FIELDS; }")
    assert (said.of("A", "fillable"), said.of("A", "hidden")) == ([("a", "d")], [])


def test_broken_source_still_tells_the_models_around_the_break(say: Say) -> None:
    said = say(BASE + "class A extends Model { protected $fillable = ['a']; public function x( { }\nclass B extends Model { }")
    assert "A" in said.models()
    assert said.of("A", "fillable") == [("a",)]
