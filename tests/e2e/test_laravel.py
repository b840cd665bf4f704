"""A small Laravel application in, its models, controllers and routes out of the bundle, without source and without a parser."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from checkouts import write

FILES = {
    "app/Models/User.php": r"""<?php
namespace App\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\SoftDeletes;

class User extends Model
{
    use SoftDeletes;

    protected $fillable = ['name', 'email'];
    protected $hidden = ['password'];
    protected $casts = ['born_at' => 'date'];

    public function posts() { return $this->hasMany(Post::class); }

    public function scopeActive($query) { return $query->where('active', 1); }

    public function getFullNameAttribute() { return $this->name; }
}
""",
    "app/Models/Post.php": r"""<?php
namespace App\Models;

class Post extends User
{
    protected $table = 'articles';
}
""",
    "app/Http/Controllers/UserController.php": r"""<?php
namespace App\Http\Controllers;

use App\Models\User;

class UserController extends Controller
{
    public function index() { return User::all(); }
}
""",
    "routes/web.php": r"""<?php
use App\Http\Controllers\UserController;
use Illuminate\Support\Facades\Route;

Route::middleware('auth')->prefix('admin')->group(function () {
    Route::get('/users', [UserController::class, 'index'])->name('users.index');
});
""",
}


def hardtack(*arguments: str) -> str:
    return subprocess.run([sys.executable, "-m", "hardtack", *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> str:
    root: Path = tmp_path_factory.mktemp("laravel")
    write(root / "source", FILES)
    hardtack("build", str(root / "source"), "-o", str(root / "bundle"), "--profile", "keyword", "-q")
    (root / "source").rename(root / "elsewhere")
    return str(root / "bundle")


def described(bundle: str, *arguments: str) -> Any:
    (account,) = json.loads(hardtack(*arguments, "-b", bundle, "--json"))["results"]
    return account


def test_a_model_is_described_in_the_fields_of_the_seed(bundle: str) -> None:
    user = described(bundle, "define", "User")
    assert ("model", "users", ["name", "email"], ["password"]) == (user["kind"], user["table"], user["fillable"], user["hidden"])
    assert "date" == user["casts"]["born_at"]
    assert ["framework:laravel", "laravel:model"] == user["tags"]
    assert (["active"], ["full_name"]) == (user["scopes"], user["attributes"])
    assert {"scope", "accessor"} <= {method["kind"] for method in user["methods"]}
    assert (True, True) == (user["metadata"]["soft_deletes"], user["metadata"]["table_is_inferred"])


def test_the_relations_of_a_model_are_those_of_its_class_and_of_its_methods(bundle: str) -> None:
    kept = ("name", "relation_kind", "related_symbol", "foreign_key", "local_key")
    relations = [tuple(relation.get(key, "") for key in kept) for relation in described(bundle, "define", "User")["relations"]]
    assert [
        ("Model", "inherits", r"Illuminate\Database\Eloquent\Model", "", ""),
        ("SoftDeletes", "uses", r"Illuminate\Database\Eloquent\SoftDeletes", "", ""),
        ("posts", "hasMany", r"App\Models\Post", "user_id", "id"),
    ] == relations


def test_a_model_by_inheritance_is_one_and_its_own_table_is_not_inferred(bundle: str) -> None:
    post = described(bundle, "define", "Post")
    assert ("model", "articles", False) == (post["kind"], post["table"], "table_is_inferred" in post["metadata"])
    assert r"App\Models\User" == post["relations"][0]["related_symbol"]


def test_a_relation_method_returns_what_it_leads_to_and_a_scope_is_one(bundle: str) -> None:
    posts = described(bundle, "function", "posts", "--class", "User")
    assert [
        {"type": r"HasMany<App\Models\Post>", "description": "Laravel Eloquent relation", "source_hint": "inferred_relation"}
    ] == (posts["returns"])
    assert "scope" == described(bundle, "function", "scopeActive", "--class", "User")["kind"]


def test_controllers_and_routes_are_found_by_their_tags(bundle: str) -> None:
    controller = described(bundle, "exports", r"App\Http\Controllers", "--tag", "laravel:controller")
    assert ("UserController", ["index"]) == (controller["name"], controller["metadata"]["actions"])
    (hit,) = json.loads(hardtack("search", "users", "--tag", "laravel:route", "-b", bundle, "--json"))["hits"]
    assert "routes/web.php" == hit["path"]


def test_a_model_in_markdown_shows_what_laravel_makes_of_it(bundle: str) -> None:
    shown = hardtack("define", "User", "-b", bundle)
    for line in (
        "**Kind:** model",
        "**Tags:** framework:laravel, laravel:model",
        r"- inherits `Model`: `Illuminate\Database\Eloquent\Model`",
        "**Laravel Relations:**",
        r"- `posts`: `HasMany<App\Models\Post>` (foreignKey=user_id, localKey=id, inferred=foreign_key,local_key)",
        "**Table:** `users` (inferred from the name)",
        "**Fillable:** `name`, `email`",
        "- `born_at`: `date`",
        "- `active`: `scopeActive`",
        "- `full_name`: accessor `getFullNameAttribute`",
    ):
        assert line in shown.splitlines()


def test_what_rests_on_a_base_class_of_the_framework_is_found_by_its_whole_name(bundle: str) -> None:
    document = json.loads(hardtack("implementations", r"Illuminate\Database\Eloquent\Model", "-b", bundle, "--json"))
    assert [("Post", 2, ["User"]), ("User", 1, [])] == sorted(
        (each["in"], each["depth"], each.get("through", [])) for each in document["results"]
    )
