"""The routes that a file registers: uris, names and middleware as Laravel's router puts them together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.model import Kind, Tag
from hardtack.nouns.outline import Symbol

Say = Callable[..., Any]

USE = "use Illuminate\\Support\\Facades\\Route;\nuse App\\Http\\Controllers\\{UserController as Users, PhotoController, Home};\n"
USERS, PHOTOS, HOME = (f"App\\Http\\Controllers\\{name}Controller" for name in ("User", "Photo", "Home"))
HOME = "App\\Http\\Controllers\\Home"


def routes(say: Say, source: str) -> list[tuple[str, ...]]:
    """The values of all route facts, in order of the source."""
    return [fact.values for fact in say(USE + source).facts if fact.key == "route"]


def symbols(source: str) -> list[Symbol]:
    return list(outline_of(("<?php\n" + source).encode(), languages()["php"]).symbols)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("get('/users/{id}', [Users::class, 'show'])", ("GET", "/users/{id}", USERS, "show", "", "")),
        ("post('users', 'UserController@store')", ("POST", "/users", "UserController", "store", "", "")),
        ("get('/', Home::class)", ("GET", "/", HOME, "__invoke", "", "")),
        ("put('a', fn () => 1)", ("PUT", "/a", "", "Closure", "", "")),
        ("patch('a', function () { return 1; })->name('a.edit')", ("PATCH", "/a", "", "Closure", "a.edit", "")),
        ("match(['get', 'post'], 'a', [Users::class, 'both'])", ("GET|POST", "/a", USERS, "both", "", "")),
        ("any('a', [Home::class])", ("ANY", "/a", HOME, "__invoke", "", "")),
        ("delete('a', ['uses' => 'C@x', 'as' => 'n', 'middleware' => ['m', 'o']])", ("DELETE", "/a", "C", "x", "n", "m\no")),
        ("options('a', ['as' => 'n', fn () => 1])", ("OPTIONS", "/a", "", "Closure", "n", "")),
        ("redirect('/here', '/there')", ("ANY", "/here", "Illuminate\\Routing\\RedirectController", "__invoke", "", "")),
        ("view('/w', 'welcome')", ("GET", "/w", "Illuminate\\Routing\\ViewController", "__invoke", "", "")),
        ("inertia('/i', 'Home')", ("GET", "/i", "Inertia\\Controller", "__invoke", "", "")),
        ("fallback([Home::class, 'lost'])", ("GET", "/{fallbackPlaceholder}", HOME, "lost", "", "")),
        ("get(action: [Users::class, 'x'], uri: 'a')", ("GET", "/a", USERS, "x", "", "")),
        ("middleware('auth')->get('a', Home::class)->middleware(['b', 'c'])", ("GET", "/a", HOME, "__invoke", "", "auth\nb\nc")),
        ("get('a', Home::class)->can('update', 'post')", ("GET", "/a", HOME, "__invoke", "", "can:update,post")),
        ("domain('{a}.test')->get('a', Home::class)", ("GET", "/a", HOME, "__invoke", "", "", "domain={a}.test")),
        ("get('a/' . $b . '/c', Home::class)", ("GET", "/a/*/c", HOME, "__invoke", "", "")),
        ('get("a/{$b}", Home::class)', ("GET", "/a/*", HOME, "__invoke", "", "")),
    ],
)
def test_a_call_registers_the_route_that_laravel_would(say: Say, call: str, wanted: tuple[str, ...]) -> None:
    assert routes(say, f"Route::{call};") == [wanted]


@pytest.mark.parametrize(
    "call", ["Route::get($uri, Home::class)", "Route::has('name')", "Other::get('a', Home::class)", "$this->get('a', Home::class)"]
)
def test_what_is_no_route_or_tells_nothing_of_its_uri_is_none(say: Say, call: str) -> None:
    assert routes(say, f"{call};") == []


def test_groups_add_prefixes_names_middleware_and_controllers_in_the_order_of_their_nesting(say: Say) -> None:
    source = """
    Route::prefix('/admin/')->name('admin.')->middleware(['web', 'auth'])->group(function () {
        Route::get('/', Home::class)->name('home');
        Route::controller(Users::class)->prefix('users')->group(function () {
            Route::get('/{id}', 'show')->name('users.show')->withoutMiddleware('web');
            Route::post('/', 'store')->middleware('auth');
        });
        Route::group(['prefix' => 'old', 'as' => 'old.', 'namespace' => 'Old', 'middleware' => 'm'], fn () => [
            Route::get('x', 'UserController@x')->name('x'),
        ]);
    });
    Route::get('after', Home::class);
    """
    assert routes(say, source) == [
        ("GET", "/admin", HOME, "__invoke", "admin.home", "web\nauth"),
        ("GET", "/admin/users/{id}", USERS, "show", "admin.users.show", "auth"),
        ("POST", "/admin/users", USERS, "store", "admin.", "web\nauth"),
        ("GET", "/admin/old/x", "Old\\UserController", "x", "admin.old.x", "web\nauth\nm"),
        ("GET", "/after", HOME, "__invoke", "", ""),
    ]


def test_a_routes_own_prefix_comes_before_its_groups_as_laravel_has_it(say: Say) -> None:
    source = "Route::prefix('a')->group(function () { Route::prefix('b')->get('c', Home::class); });"
    assert routes(say, source)[0][1] == "/b/a/c"


def test_what_is_said_of_classes_stays_with_them_where_routes_come_before(say: Say) -> None:
    said = say(
        USE
        + "Route::get('a', Home::class); class Post extends \\Illuminate\\Database\\Eloquent\\Model { function scopeNew($q) {} }"
    )
    assert said.of("Post", "table") == [("posts", "inferred")]
    assert said.of("Post.scopeNew", "kind") == [("scope",)]


def test_a_prefix_that_is_told_while_running_is_a_star(say: Say) -> None:
    source = "Route::prefix(config('x'))->group(function () { Route::get('a', Home::class); });"
    assert routes(say, source)[0][1] == "/*/a"


def test_a_resource_is_its_seven_routes_and_an_api_resource_its_five(say: Say) -> None:
    made = [values[:5] for values in routes(say, "Route::resource('photos', PhotoController::class);")]
    assert made == [
        ("GET", "/photos", PHOTOS, "index", "photos.index"),
        ("GET", "/photos/create", PHOTOS, "create", "photos.create"),
        ("POST", "/photos", PHOTOS, "store", "photos.store"),
        ("GET", "/photos/{photo}", PHOTOS, "show", "photos.show"),
        ("GET", "/photos/{photo}/edit", PHOTOS, "edit", "photos.edit"),
        ("PUT|PATCH", "/photos/{photo}", PHOTOS, "update", "photos.update"),
        ("DELETE", "/photos/{photo}", PHOTOS, "destroy", "photos.destroy"),
    ]
    api = routes(say, "Route::apiResource('photos', PhotoController::class);")
    assert [values[3] for values in api] == ["index", "store", "show", "update", "destroy"]


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("resource('a', C::class)->only(['index', 'show'])", "index:/a:a.index show:/a/{a}:a.show"),
        ("resource('a', C::class)->only('show')", "show:/a/{a}:a.show"),
        ("apiResource('a', C::class)->except('index', 'store', 'update')", "show:/a/{a}:a.show destroy:/a/{a}:a.destroy"),
        ("resource('a', C::class, ['only' => ['index'], 'as' => 'x'])", "index:/a:x.a.index"),
        ("resource('a', C::class)->only('show')->names(['show' => 'a.one'])", "show:/a/{a}:a.one"),
        ("resource('a', C::class)->only('show')->names('bs')", "show:/a/{a}:bs.show"),
        ("resource('a', C::class)->only('show')->name('show', 'x')", "show:/a/{a}:x"),
        ("resource('a', C::class)->only('show')->parameters(['a' => 'it'])", "show:/a/{it}:a.show"),
        ("resource('news-items', C::class)->only('show')", "show:/news-items/{news_item}:news-items.show"),
        ("resource('photos.comments', C::class)->only('show')", "show:/photos/{photo}/comments/{comment}:photos.comments.show"),
        ("resource('photos.comments', C::class)->only('show')->shallow()", "show:/comments/{comment}:comments.show"),
        ("resource('admin/photos', C::class)->only('show')", "show:/admin/photos/{photo}:photos.show"),
        ("resources(['as' => A::class, 'bs' => B::class], ['only' => 'index'])", "index:/as:as.index index:/bs:bs.index"),
        ("apiResources(['as' => A::class], ['only' => 'show'])", "show:/as/{a}:as.show"),
        (
            "singleton('profile', C::class)",
            "show:/profile:profile.show edit:/profile/edit:profile.edit update:/profile:profile.update",
        ),
        ("apiSingleton('p', C::class)->destroyable()", "show:/p:p.show update:/p:p.update destroy:/p:p.destroy"),
        ("singleton('photos.cover', C::class)->only('show')", "show:/photos/{photo}/cover:photos.cover.show"),
    ],
)
def test_what_is_asked_of_a_resource_decides_its_routes(say: Say, call: str, wanted: str) -> None:
    made = [f"{action}:{uri}:{name}" for _, uri, _, action, name, *_ in routes(say, f"Route::{call};")]
    assert " ".join(made) == wanted


def test_a_resource_in_a_group_is_within_its_prefix_name_and_middleware(say: Say) -> None:
    source = "Route::prefix('v1')->name('v1.')->group(fn () => Route::resource('a', Home::class)->only('index')->middleware('m'));"
    assert routes(say, source) == [("GET", "/v1/a", HOME, "index", "v1.a.index", "m")]
    options = "Route::resource('a', Home::class, ['only' => 'index', 'middleware' => ['auth']])"
    assert [routes(say, f"{options}{more};")[0][5] for more in ("", "->middleware('m')")] == ["auth", "m"]


@pytest.mark.parametrize("router", ["$router", "$this->router", "$app['router']", "$this->app->router"])
def test_a_router_in_a_variable_registers_routes_where_laravel_is_near(say: Say, router: str) -> None:
    source = f"{router}->get('a', [Home::class, 'x']); {router}->get('name');"
    assert routes(say, source) == [("GET", "/a", HOME, "x", "", "")]
    assert [fact for fact in say(source).facts if fact.key == "route"] == []


def test_a_route_is_a_symbol_with_its_statement_as_span_and_its_uri_as_name(say: Say) -> None:
    source = "use X;\n/** Shows one. */\n// by id\nRoute::get(\n    '/users/{id}',\n    fn () => 1\n)->name('users');\n"
    (route,) = [symbol for symbol in symbols(source) if symbol.kind is Kind.ROUTE]
    assert (route.name, route.qualified_name, route.parent) == ("GET /users/{id}", "GET /users/{id}", -1)
    assert (route.span.start_line, route.span.end_line, route.selection.start_line, route.extent.start_line) == (5, 8, 6, 3)
    assert route.signature == "Route::get( '/users/{id}', fn () => 1 )->name('users')"
    assert route.doc == "Shows one."


def test_routes_stand_at_their_places_with_what_holds_them_and_what_they_hold(say: Say) -> None:
    source = (
        "namespace App; class P { public function boot() { \\Route::get('a', function () { function inner() {} });"
        " \\Route::apiResource('b', C::class)->only('index', 'show'); } public function last() {} }"
    )
    found = symbols(source)
    assert [symbol.name for symbol in found] == ["App", "P", "boot", "GET /a", "inner", "GET /b", "GET /b/{b}", "last"]
    assert [symbol.parent for symbol in found] == [-1, -1, 1, 2, 3, 2, 2, 1]
    assert (found[3].qualified_name, found[3].package) == ("P.boot.GET /a", "App")


def test_routes_and_the_controllers_they_lead_to_are_tagged_and_tell_each_other(say: Say) -> None:
    said = say(
        routes="use Elsewhere\\Page;\nRoute::get('p', Page::class); Route::get('old', 'OldController@show');",
        page="namespace Elsewhere; class Page { public function __invoke() {} private function no() {} static function s() {} }",
        old="namespace App\\Http\\Controllers; class Base { function show() {} } class OldController extends Base {}",
    )
    assert said.tags()["GET /p"] == {Tag.FRAMEWORK_LARAVEL, Tag.LARAVEL_ROUTE}
    assert said.tags()["Page"] == {Tag.FRAMEWORK_LARAVEL, Tag.LARAVEL_CONTROLLER}
    assert said.of("Page", "controller") == [("is_api=false", "is_resource=false", "is_invokable=true", "__invoke")]
    assert said.of("Page.__invoke", "routes") == [("GET /p",)]
    assert said.of("Base.show", "routes") == [("GET /old",)]


def test_a_controller_is_told_where_nothing_else_is_said(say: Say) -> None:
    said = say("namespace App\\Http\\Controllers; class HomeController { public function index() {} }")
    assert said.of("HomeController", "controller") == [("is_api=false", "is_resource=false", "is_invokable=false", "index")]


def test_a_controller_is_told_by_laravels_base_class_or_its_namespace(say: Say) -> None:
    actions = " ".join(f"public function {name}() {{}}" for name in ("index", "store", "show", "destroy", "__construct"))
    said = say(
        a=f"namespace App\\Http\\Controllers\\Api; class UserController {{ {actions} protected function help() {{}} }}",
        h="namespace App\\Http\\Controllers; class Help { public function index() {} }",
        b="namespace Any; class Thing extends \\Illuminate\\Routing\\Controller {} class Sub extends Thing {}",
        c="namespace App\\Controller; class UserController extends \\Symfony\\AbstractController { public function index() {} }",
    )
    assert [name for name, tags in said.tags().items() if Tag.LARAVEL_CONTROLLER in tags] == ["UserController", "Thing", "Sub"]
    assert said.of("UserController", "controller") == [
        ("is_api=true", "is_resource=true", "is_invokable=false", "index", "store", "show", "destroy")
    ]
