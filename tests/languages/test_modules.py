"""Where the ``modules.py`` of a language says that an imported module may lie."""

from __future__ import annotations

import pytest

from hardtack.build.languages.registry import Language, languages, modules_of
from hardtack.nouns.projects import Project

WITH_MODULES = [language for language in languages().values() if language.has_modules]
PROJECTS = [
    Project(path="go.mod", directory="", ecosystem="go", name="ship.dev/hold", prefixes=(("ship.dev/hold", ""),)),
    Project(path="py/pyproject.toml", directory="py", ecosystem="pypi", name="hold", prefixes=(("", "py/code/"),)),
    Project(path="web/package.json", directory="web", ecosystem="npm", name="web", prefixes=(("web", "web/"),)),
    Project(path="web/tsconfig.json", directory="web", ecosystem="npm", prefixes=(("@/", "web/src/"),)),
    Project(path="kit/package.json", directory="kit", ecosystem="npm", name="@ship/kit", prefixes=(("@ship/kit", "kit/"),)),
    Project(path="core/Cargo.toml", directory="core", ecosystem="cargo", name="core-x", prefixes=(("core_x", "core/src/"),)),
    Project(
        path="rg/Cargo.toml", directory="rg", ecosystem="cargo", name="rg", prefixes=(("rg", "rg/src/"), ("", "rg/crates/core/"))
    ),
    Project(path="odd/Cargo.toml", directory="odd", ecosystem="cargo", name="odd", prefixes=(("odd", "odd/rust/start.rs/"),)),
    Project(path="app/Cargo.toml", directory="app", ecosystem="cargo", name="app", prefixes=(("app", "app/src/"),)),
]

# language, importing file, module, a file or folder that is among the first so many paths
CASES = [
    ("python", "py/code/hold/deck.py", ".crate", "py/code/hold/crate.py", 1),
    ("python", "py/code/hold/deck.py", "..", "py/code/__init__.py", 4),
    ("python", "py/tests/test_deck.py", "hold.crate", "py/code/hold/crate.py", 1),
    ("python", "py/tests/test_deck.py", "hold", "py/code/hold/__init__.py", 2),
    ("go", "cmd/main.go", "ship.dev/hold/crate", "crate/", 1),
    ("go", "cmd/main.go", "ship.dev/hold", "/", 1),
    ("javascript", "web/src/deck.js", "./crate.js", "web/src/crate.js", 1),
    ("typescript", "web/src/deck.ts", "./crate.js", "web/src/crate.ts", 2),
    ("typescript", "web/src/deck.ts", "../crate", "web/crate.ts", 1),
    ("typescript", "web/src/deck.ts", "./crate", "web/src/crate/index.ts", 20),
    ("typescript", "web/src/deck.ts", "@/crate", "web/src/crate.ts", 1),
    ("typescript", "web/src/deck.ts", "@ship/kit", "kit/src/index.ts", 1),
    ("typescript", "web/src/deck.ts", "@ship/kit/crate", "kit/crate.ts", 1),
    ("vue", "web/src/Deck.vue", "./Crate.vue", "web/src/Crate.vue", 1),
    ("svelte", "web/src/Deck.svelte", "@/crate", "web/src/crate.ts", 1),
    ("ruby", "gem/lib/ship/deck.rb", "./crate", "gem/lib/ship/crate.rb", 1),
    ("ruby", "gem/lib/ship/deck.rb", "./../crate", "gem/lib/crate.rb", 1),
    ("ruby", "gem/test/test_deck.rb", "ship/crate", "gem/lib/ship/crate.rb", 10),
    ("rust", "app/src/deck/mod.rs", "crate::crane", "app/src/crane.rs", 1),
    ("rust", "app/src/deck/mod.rs", "crate::crane", "app/src/crane/mod.rs", 2),
    ("rust", "app/src/deck/mod.rs", "super::crane", "app/src/crane.rs", 1),
    ("rust", "app/src/deck/mod.rs", "crate", "app/src/lib.rs", 1),
    ("rust", "app/src/deck/mod.rs", "self::crate_", "app/src/deck/crate_.rs", 1),
    ("rust", "app/src/deck.rs", "self::crate_", "app/src/deck/crate_.rs", 1),
    ("rust", "app/src/deck/crate_.rs", "super::hook", "app/src/deck/hook.rs", 1),
    ("rust", "app/src/deck/crate_.rs", "super::super::hook", "app/src/hook.rs", 1),
    ("rust", "app/src/deck/crate_.rs", "super", "app/src/deck.rs", 4),
    ("rust", "app/src/deck/crate_.rs", "self::super", "app/src/deck/crate_.rs", 1),
    ("rust", "app/src/deck/crate_.rs", "self::super::lid", "app/src/deck/crate_/lid.rs", 1),
    ("rust", "app/src/deck/crate_.rs", "self::self::super::super::lid", "app/src/deck/crate_/lid.rs", 1),
    ("rust", "app/src/deck/crate_.rs", "self::super::super::lid", "app/src/deck/lid.rs", 1),
    ("rust", "app/src/main.rs", "::core_x::hook", "core/src/hook.rs", 1),
    ("rust", "rg/crates/core/flags/mod.rs", "crate::search", "rg/crates/core/search.rs", 1),
    ("rust", "rg/crates/core/main.rs", "crate", "rg/crates/core/main.rs", 2),
    ("rust", "rg/build.rs", "crate::search", "rg/src/search.rs", 1),
    ("rust", "odd/rust/deck.rs", "crate", "odd/rust/start.rs", 1),
    ("rust", "odd/rust/deck.rs", "crate::hook", "odd/rust/hook.rs", 1),
    ("rust", "odd/rust/start.rs", "self::hook", "odd/rust/hook.rs", 1),
    ("rust", "app/src/main.rs", "odd::hook", "odd/rust/hook.rs", 1),
    ("rust", "app/tests/all.rs", "self::common", "app/tests/common/mod.rs", 4),
    ("rust", "app/src/main.rs", "core_x::hook::pin", "core/src/hook/pin.rs", 1),
    ("rust", "app/src/main.rs", "core_x", "core/src/lib.rs", 1),
    ("rust", "app/tests/all.rs", "crate::help", "app/tests/help.rs", 4),
]


@pytest.mark.parametrize(("language", "importer", "module", "place", "tries"), CASES)
def test_a_module_is_looked_for_where_its_language_puts_it(
    language: str, importer: str, module: str, place: str, tries: int
) -> None:
    assert place in list(modules_of(languages()[language])(module, importer, PROJECTS))[:tries]


@pytest.mark.parametrize("language", ["python", "javascript", "ruby"])
def test_a_relative_module_never_leaves_the_root(language: str) -> None:
    module = "....crate" if language == "python" else "../../../crate"
    assert [] == list(modules_of(languages()[language])(module, "hold/deck", PROJECTS))


@pytest.mark.parametrize("language", WITH_MODULES, ids=lambda language: language.id)
@pytest.mark.parametrize("module", ["", ".", "..", "/a", "a/b", "a.b", "a::b", "\\", "a" * 10_000, "../" * 2_000, "a::" * 2_000])
def test_any_text_for_a_module_gives_some_paths_and_not_many(language: Language, module: str) -> None:
    places = [place for importer in ("a", "a/b/c") for place in modules_of(language)(module, importer, PROJECTS)]
    assert len(places) < 400
