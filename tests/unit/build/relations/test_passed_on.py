"""Names that modules pass on, and functions that have no name but where they are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardtack.nouns.projects import Project

Write = Callable[..., Any]
LANGUAGES = ["js", "ts", "tsx"]


@pytest.mark.parametrize("kind", LANGUAGES)
def test_functions_in_an_object_are_reached_through_its_name(write: Write, kind: str) -> None:
    files = {
        f"api.{kind}": "export const api = {\n"
        "  get: (x) => x, save: function (x) {}, users: { drop() {}, 'add': async x => x } };\n",
        f"use.{kind}": "import { api } from './api';\n"
        "api.<<get>>(1);\napi.<<save>>(2);\napi.users.<<drop>>();\napi.users.<<add>>(3);\n",
    }
    assert write(files).meanings() == [
        f"api.{kind} {name} exact" for name in ("api.get", "api.save", "api.users.drop", "api.users.add")
    ]


@pytest.mark.parametrize("kind", LANGUAGES)
def test_functions_of_a_default_export_are_reached_through_whatever_name_it_is_given(write: Write, kind: str) -> None:
    files = {
        f"api.{kind}": "function del(x) {}\nexport default { get(x) {}, put: (x) => x, del };\n",
        f"use.{kind}": "import api from './api';\napi.<<get>>(1);\napi.<<put>>(2);\napi.<<del>>(3);\n",
    }
    assert write(files).meanings() == [f"api.{kind} {name} exact" for name in ("default.get", "default.put", "del")]


@pytest.mark.parametrize("kind", LANGUAGES)
@pytest.mark.parametrize(
    ("exported", "wanted"),
    [
        ("export default function () {}", "default"),
        ("export default (x) => x", "default"),
        ("export default async function open(x) {}", "open"),
        ("function open() {}\nexport { open as default }", "open"),
        ("const open = () => 1\nexport default open", "open"),
        ("export default memo(() => 1)", "default"),
    ],
)
def test_a_default_export_is_found_with_or_without_a_name(write: Write, kind: str, exported: str, wanted: str) -> None:
    files = {f"a.{kind}": exported + "\n", f"use.{kind}": "import jar from './a'\n<<jar>>(1)\n"}
    assert write(files).meanings() == [f"a.{kind} {wanted} exact"]


@pytest.mark.parametrize("kind", LANGUAGES)
def test_a_function_in_a_field_is_a_method(write: Write, kind: str) -> None:
    text = "class Jar {\n  open = (x) => x;\n  #shut = async () => 1;\n  f() { this.<<open>>(1); this.<<#shut>>(); }\n}\n"
    wanted = [f"a.{kind} {name} exact" for name in ("Jar.open", "Jar.#shut", "Jar.open")]
    assert write({f"a.{kind}": text + "new Jar().<<open>>(2);\n"}).meanings() == wanted


@pytest.mark.parametrize(
    ("exported", "use", "wanted"),
    [
        (
            "module.exports = { get(x) {}, put: (x) => x };",
            "const a = require('./a'); a.<<get>>(1); a.<<put>>(2);",
            ["module.exports.get", "module.exports.put"],
        ),
        ("module.exports = { get(x) {} };", "const { get } = require('./a'); <<get>>(1);", ["module.exports.get"]),
        ("exports.verbs = names.map((x) => x);", "const { verbs } = require('./a'); <<verbs>>[0];", ["exports.verbs"]),
        ("exports.get = function (x) {};", "const a = require('./a'); a.<<get>>(1);", ["exports.get"]),
        ("module.exports.get = (x) => x;", "import { get } from './a'; <<get>>(1);", ["module.exports.get"]),
        ("function get(x) {}\nexports.fetch = get;", "const a = require('./a'); a.<<fetch>>(1);", ["get"]),
        ("function get(x) {}\nmodule.exports = { get };", "const a = require('./a'); a.<<get>>(1);", ["get"]),
        (
            "class Jar { static make() {} }\nmodule.exports = Jar;",
            "const J = require('./a'); new <<J>>(); J.<<make>>();",
            ["Jar", "Jar.make"],
        ),
        ("module.exports = function (x) {};", "const f = require('./a'); <<f>>(1);", ["module.exports"]),
        ("module.exports = class Jar { static make() {} };", "const J = require('./a'); J.<<make>>();", ["Jar.make"]),
        ("function get(x) {}\nmodule.exports = get;", "import f from './a'; <<f>>(1);", ["get"]),
    ],
)
def test_what_commonjs_exports_is_what_require_gives(write: Write, exported: str, use: str, wanted: list[str]) -> None:
    assert write({"a.js": exported + "\n", "use.js": use + "\n"}).meanings() == [f"a.js {name} exact" for name in wanted]


def test_a_module_that_hands_on_another_whole_is_gone_through(write: Write) -> None:
    files = {
        "lib/core.js": "exports.open = function () {};\n",
        "index.js": "module.exports = require('./lib/core');\n",
        "barrel.js": "module.exports = { ...require('./lib/core'), core: require('./lib/core') };\n",
        "use.js": "const a = require('./index');\nconst b = require('./barrel');\n"
        "a.<<open>>();\nb.<<open>>();\nb.core.<<open>>();\n",
    }
    assert write(files).meanings() == ["lib/core.js exports.open exact"] * 3


@pytest.mark.parametrize(
    ("barrel", "use"),
    [
        ("export * as core from './core';", "import { core } from './index'; core.<<open>>();"),
        ("import * as core from './core';\nexport { core };", "import { core } from './index'; core.<<open>>();"),
        ("import * as core from './core';\nexport { core as heart };", "import { heart } from './index'; heart.<<open>>();"),
        ("export * as core from './core';", "import * as all from './index'; all.core.<<open>>();"),
        ("import * as core from './core';\nexport default core;", "import all from './index'; all.<<open>>();"),
        ("export { default as core } from './whole';", "import { core } from './index'; core.<<open>>();"),
        ("export * from './middle';", "import { open } from './index'; <<open>>();"),
        ("export * from './middle';", "import { heart } from './index'; heart.<<open>>();"),
        ("import { open } from './core';\nexport { open };", "import { open as o } from './index'; <<o>>();"),
        ("import { open } from './core';\nexport const kit = { open };", "import { kit } from './index'; kit.<<open>>();"),
    ],
)
def test_a_barrel_is_gone_through(write: Write, barrel: str, use: str) -> None:
    files = {
        "core.ts": "export function open() {}\n",
        "whole.ts": "import * as core from './core';\nexport default core;\n",
        "middle.ts": "export * from './core';\nexport * as heart from './core';\n",
        "index.ts": barrel + "\n",
        "use.ts": use + "\n",
    }
    assert write(files).meanings() == ["core.ts open exact"]


@pytest.mark.parametrize(
    ("barrel", "use"),
    [
        ("from . import core as c2", "from shop import c2\nc2.<<open>>()"),
        ("from . import core as c2", "import shop\nshop.c2.<<open>>()"),
        ("from .core import open as lift", "import shop as s\ns.<<lift>>()"),
        ("from .core import *", "from shop import *\n<<open>>()"),
        ("from .deep import *", "from shop import open\n<<open>>()"),
        ("from . import deep", "from shop.deep import kern\nkern.<<open>>()"),
        ("import shop.core as c3", "from shop import c3\nc3.<<open>>()"),
        ("from shop import core", "from shop import core as c4\nc4.<<open>>()"),
    ],
)
def test_a_package_of_python_hands_on_its_modules(write: Write, barrel: str, use: str) -> None:
    files = {
        "shop/__init__.py": barrel + "\n",
        "shop/core.py": "def open(): pass\n",
        "shop/deep/__init__.py": "from .. import core as kern\nfrom ..core import *\n",
        "use.py": use + "\n",
    }
    assert write(files).meanings() == ["shop/core.py open exact"]


CARGO = (
    Project(path="Cargo.toml", directory="", ecosystem="cargo", name="shop", prefixes=(("shop", "src/"),)),
    Project(path="face/Cargo.toml", directory="face", ecosystem="cargo", name="face", prefixes=(("face", "face/src/"),)),
)


@pytest.mark.parametrize(
    ("root", "use"),
    [
        ("pub mod core; pub use core::open;", "use shop::open; fn f() { <<open>>() }"),
        ("pub mod core; pub use self::core::open as lift;", "use shop::lift; fn f() { <<lift>>() }"),
        ("mod core; pub use crate::core::*;", "use shop::open; fn f() { <<open>>() }"),
        ("mod core; pub use crate::core::*;", "fn f() { shop::<<open>>() }"),
        ("mod core; pub use core as heart;", "use shop::heart; fn f() { heart::<<open>>() }"),
        ("mod core; pub mod api { pub use super::core::*; }", "use shop::api; fn f() { api::<<open>>() }"),
        ("mod core; pub mod api { pub use crate::core::open as lift; }", "use shop::api::lift; fn f() { <<lift>>() }"),
        (
            "mod core; pub mod prelude { pub use crate::core::{open, shut as close}; }",
            "use shop::prelude::*; fn f() { <<open>>() }",
        ),
        ("pub mod core; pub mod deep;", "use shop::deep::er; fn f() { er::<<open>>() }"),
        ("pub mod core; pub mod deep;", "use shop::deep::lift; fn f() { <<lift>>() }"),
        ("pub mod core;", "use face::sh; fn f() { sh::core::<<open>>() }"),
        ("pub mod core; pub use core::open;", "use face::sh::open; fn f() { <<open>>() }"),
        ("pub mod core; pub use core::open;", "use face::*; fn f() { <<open>>() }"),
    ],
)
def test_names_that_a_crate_passes_on_lead_to_their_definition(write: Write, root: str, use: str) -> None:
    files = {
        "src/lib.rs": root + "\n",
        "src/core.rs": "pub fn open() {}\npub fn shut() {}\n",
        "src/deep.rs": "pub use super::core as er;\npub use super::core::open as lift;\n",
        "face/src/lib.rs": "pub extern crate shop as sh;\npub use shop::*;\n",
        "tests/use.rs": use + "\n",
    }
    assert write(files, *CARGO).meanings() == ["src/core.rs open exact"]


def test_what_adds_members_to_a_type_is_not_what_its_name_means(write: Write) -> None:
    files = {
        "src/lib.rs": "mod jar;\nmod lid;\nmod pot;\n",
        "src/jar.rs": "pub struct Jar;\n",
        "src/lid.rs": "use crate::jar::Jar;\nimpl Jar { fn open() {} }\nfn f() -> <<Jar>> { Jar }\n",
        "src/pot.rs": "use super::jar::*;\nimpl Jar { fn shut() {} }\nfn f() -> <<Jar>> { Jar }\n",
    }
    assert write(files).meanings() == ["src/jar.rs Jar exact"] * 2


def test_what_a_type_declares_goes_before_objects_that_have_it_too(write: Write) -> None:
    files = {
        "jar.ts": "export interface Jar { open(): void }\n",
        "objects.ts": "call({ open: () => 1 })\nexport const one = { open() {} }\nexport const two = { open: () => 2 }\n",
        "use.ts": "import { Jar } from './jar'\nexport function f(x) { x.<<open>>() }\n",
    }
    assert write(files).meanings() == ["jar.ts Jar.open likely"]


HELPERS = "<?php\nfunction domain(string $a) {}\nconst LIMIT = 3;\nclass Mail {}\n"


@pytest.mark.parametrize(
    ("use", "wanted"),
    [
        ("namespace App\\Mail;\n<<domain>>('a');", ["helpers.php domain exact"]),
        ("namespace App\\Mail;\n\\<<domain>>('a');", ["helpers.php domain exact"]),
        ("namespace App\\Mail;\nuse function domain;\n<<domain>>('a');", ["helpers.php domain exact"]),
        ("namespace App\\Mail;\nuse function domain as d;\n<<d>>('a');", ["helpers.php domain exact"]),
        ("namespace App\\Mail;\necho <<LIMIT>>;", ["helpers.php LIMIT exact"]),
        ("namespace App\\Mail;\nnew <<Mail>>();", ["helpers.php Mail possible"]),
        ("namespace App;\n<<own>>();", ["own.php own exact"]),
        ("use function App\\own;\n<<own>>();", ["own.php own exact"]),
        ("use function App\\{own, Deep\\far as f};\n<<own>>();\n<<f>>();", ["own.php own exact", "far.php far exact"]),
        ("use App\\{function own, const SIZE};\n<<own>>();\necho <<SIZE>>;", ["own.php own exact", "own.php SIZE exact"]),
        ("use const App\\SIZE;\necho <<SIZE>>;", ["own.php SIZE exact"]),
        ("use App\\Deep;\nDeep\\<<far>>();", ["far.php far exact"]),
        ("use App\\Deep as D;\nD\\<<far>>();", ["far.php far exact"]),
        ("namespace App;\nDeep\\<<far>>();", ["far.php far exact"]),
        ("namespace App\\Deep;\nnamespace\\<<far>>();", ["far.php far exact"]),
        ("namespace App;\ninterface Deep {}\nDeep\\<<far>>();", ["far.php far exact"]),
        ("use App\\Deep as D;\ninterface D2 {}\nD\\<<far>>();", ["far.php far exact"]),
    ],
)
def test_a_function_of_php_is_the_namespace_s_own_or_the_imported_one_or_the_global_one(
    write: Write, use: str, wanted: list[str]
) -> None:
    files = {
        "helpers.php": HELPERS,
        "own.php": "<?php\nnamespace App;\nfunction own() {}\nconst SIZE = 1;\n",
        "far.php": "<?php\nnamespace App\\Deep;\nfunction far() {}\n",
        "use.php": f"<?php\n{use}\n",
    }
    assert write(files).meanings() == wanted


@pytest.mark.parametrize(
    "code",
    [
        "from typing import Optional\ndef f(j: Optional['<<Jar>>']): ...",
        "import typing as t\ndef f(j: t.Optional['<<Jar>>']): ...",
        "import typing\ndef f(j: typing.Union[None, typing.List['<<Jar>>']]): ...",
        "from typing import Optional as Opt\njar: Opt['<<Jar>>'] = None",
        "import typing as t\nJars = t.Dict[str, t.List['<<Jar>>']]",
        "from typing_extensions import cast as c\nc('<<Jar>>', f())",
        "import typing as t\nx = t.cast('t.List[<<Jar>>]', f())",
        "from typing import TypeVar\nT = TypeVar('T', bound='<<Jar>>')",
        "def f(j: '<<Jar>>' | None): ...",
        "import typing as t\nclass Shelf(t.List['<<Jar>>']): ...",
    ],
)
def test_a_quoted_type_is_a_reference_wherever_typing_s_names_come_from(write: Write, code: str) -> None:
    assert write({"a.py": f"class Jar: ...\n{code}\n"}).meanings() == ["a.py Jar exact"]


@pytest.mark.parametrize(
    "code",
    [
        "import typing as t\nx: t.Literal['<<Jar>>'] = 'Jar'",
        "import typing as t\nx: t.Annotated[int, '<<Jar>>'] = 1",
        "import typing as t\nx = table['<<Jar>>']",
        "import typing as t\nprint('<<Jar>>')",
        "import typing as t\nT = t.TypeVar('<<Jar>>')",
        "from kitchen import cast\ncast('<<Jar>>', 1)",
    ],
)
def test_a_quoted_text_that_is_no_type_is_no_reference(write: Write, code: str) -> None:
    assert write({"a.py": f"class Jar: ...\n{code}\n"}).meanings() == ["nothing"]


POLICIES = {
    "app/Models/Post.php": "<?php\nnamespace App\\Models;\nclass Post {}\n",
    "app/Policies/PostPolicy.php": "<?php\nnamespace App\\Policies;\n"
    "class PostPolicy { function update($u) {} function create($u) {} }\n",
    "app/Policies/TagPolicy.php": "<?php\nnamespace App\\Policies;\n"
    "class TagPolicy { function update($u) {} function prune($u) {} }\n",
    "app/Other.php": "<?php\nnamespace App;\nclass Other { function update() {} function create() {} }\n",
}


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("function f(Post $post) { $this->authorize('<<update>>', $post); }", "PostPolicy.update exact"),
        ("function f() { $this->authorize('<<create>>', Post::class); }", "PostPolicy.create exact"),
        ("function f() { $this->authorize('<<create>>', [Post::class, 1]); }", "PostPolicy.create exact"),
        ("function f($user) { $post = new Post(); $user->can('<<update>>', $post); }", "PostPolicy.update exact"),
        ("function f($x) { Gate::authorize('<<prune>>', $x); }", "TagPolicy.prune likely"),
        ("function f($x) { Gate::authorize('<<update>>', $x); }", "several"),
        ("function f(Post $post) { $this->log('<<update>>', $post); }", "nothing"),
        ("function f(Post $post) { $this->authorize('<<prune>>', $post); }", "nothing"),
    ],
)
def test_an_ability_that_laravel_is_asked_for_is_a_method_of_the_model_s_policy(write: Write, code: str, wanted: str) -> None:
    use = f"<?php\nnamespace App;\nuse App\\Models\\Post;\nclass C {{ {code} }}\n"
    (told,) = write({**POLICIES, "app/Use.php": use}).meanings()
    assert told.rpartition("php ")[2] == wanted
