"""Where languages that import files look for them: paths from the importing file's folder, and from the ones above it."""

from __future__ import annotations

import pytest

from hardtack.build.languages.places import folders_above, joined, without_computed
from hardtack.build.languages.registry import languages, modules_of

# language, importing file, module, a file or folder that is among the first so many paths
CASES = [
    ("c", "src/unix/core.c", "internal.h", "src/unix/internal.h", 1),
    ("c", "src/unix/core.c", "../hold.h", "src/hold.h", 1),
    ("c", "src/unix/core.c", "hold/crate.h", "include/hold/crate.h", 12),
    ("cpp", "test/crate.cc", "hold/crate.hpp", "include/hold/crate.hpp", 7),
    ("objc", "Hold/Crate.m", "Hold/Deck.h", "Hold/Deck.h", 6),
    ("objc", "Tests/Crate.m", "Hold/Deck.h", "Hold/Deck.h", 6),
    ("swift", "Tests/HoldTests/Crate.swift", "Hold", "Sources/Hold/", 11),
    ("dart", "hold/lib/src/deck.dart", "../crate.dart", "hold/lib/crate.dart", 1),
    ("dart", "pkgs/deck/lib/deck.dart", "package:hold/src/crate.dart", "pkgs/hold/lib/src/crate.dart", 11),
    ("dart", "hold/test/crate_test.dart", "package:hold/crate.dart", "hold/lib/crate.dart", 4),
    ("dart", "test/crate_test.dart", "package:hold/crate.dart", "lib/crate.dart", 7),
    ("lua", "src/hold/deck.lua", "hold.crate", "src/hold/crate.lua", 3),
    ("lua", "spec/deck_spec.lua", "hold", "src/hold/init.lua", 4),
    ("bash", "bin/stow", "$HERE/../lib/crate.sh", "lib/crate.sh", 1),
    ("bash", "test/deck.bats", "helpers", "test/helpers.bash", 2),
    ("erlang", "src/hold.erl", "hold.hrl", "include/hold.hrl", 8),
    ("erlang", "src/hold.erl", "hold/include/crate.hrl", "include/crate.hrl", 12),
    ("erlang", "src/hold.erl", "crate", "src/crate.erl", 1),
    ("haskell", "src/Yard/Hold.hs", "Yard.Crate", "src/Yard/Crate.hs", 8),
    ("haskell", "test/Main.hs", "Yard.Crate", "src/Yard/Crate.hs", 9),
    ("ocaml", "src/hold.ml", "Crate", "src/crate.ml", 1),
    ("ocaml", "bin/main.ml", "Hold.Crate", "src/hold/crate.ml", 50),
    ("ocaml_interface", "src/hold.mli", "Crate", "src/crate.mli", 2),
    ("perl", "lib/Yard/Hold.pm", "Yard::Crate", "lib/Yard/Crate.pm", 7),
    ("perl", "t/hold.t", "Yard::Crate", "lib/Yard/Crate.pm", 4),
    ("r", "R/hold.R", "R/crate.R", "R/crate.R", 1),
    ("r", "scripts/hold.R", "crate.R", "scripts/crate.R", 2),
    ("julia", "src/Yard.jl", "crate.jl", "src/crate.jl", 1),
    ("julia", "test/runtests.jl", "Yard", "src/Yard.jl", 7),
    ("solidity", "contracts/deck/Deck.sol", "../Crate.sol", "contracts/Crate.sol", 1),
    ("solidity", "contracts/Deck.sol", "@yard/contracts/hold/Crate.sol", "contracts/hold/Crate.sol", 9),
    ("proto", "api/v1/deck.proto", "v1/crate.proto", "api/v1/crate.proto", 12),
    ("zig", "src/deck.zig", "hold/crate.zig", "src/hold/crate.zig", 1),
    ("zig", "src/deck.zig", "hold", "src/hold.zig", 3),
    ("clojure", "test/yard/deck_test.clj", "yard.deep-hold", "src/yard/deep_hold.clj", 46),
    ("hcl", "live/main.tf", "../modules/hold", "modules/hold/", 1),
    ("cmake", "CMakeLists.txt", "src", "src/CMakeLists.txt", 3),
    ("cmake", "src/CMakeLists.txt", "${CMAKE_CURRENT_SOURCE_DIR}/../cmake/Hold.cmake", "cmake/Hold.cmake", 1),
    ("cmake", "CMakeLists.txt", "Hold", "cmake/Hold.cmake", 5),
    ("powershell", "src/Deck.ps1", "$PSScriptRoot\\..\\Hold.psm1", "Hold.psm1", 1),
    ("powershell", "Deck.ps1", "./Hold", "Hold/Hold.psm1", 5),
    ("nix", "hosts/deck.nix", "../modules", "modules/default.nix", 2),
    ("css", "web/deck.css", "hold/crate.css", "web/hold/crate.css", 1),
    ("scss", "web/deck.scss", "hold/crate", "web/hold/_crate.scss", 1),
    ("scss", "web/deck.scss", "hold", "web/hold/_index.scss", 4),
]
NOWHERE = [
    ("c", "src/deck.c", "../../../hold.h"),
    ("cpp", "src/deck.cc", "vector"),
    ("dart", "lib/deck.dart", "dart:async"),
    ("r", "R/deck.R", "methods"),
    ("hcl", "main.tf", "terraform-aws-modules/vpc/aws"),
    ("scss", "deck.scss", "sass:math"),
    ("bash", "stow", "$1"),
]


@pytest.mark.parametrize(("language", "importer", "module", "place", "tries"), CASES)
def test_a_file_is_looked_for_where_its_language_looks(language: str, importer: str, module: str, place: str, tries: int) -> None:
    assert place in list(modules_of(languages()[language])(module, importer, ()))[:tries]


@pytest.mark.parametrize(("language", "importer", "module"), NOWHERE)
def test_what_can_be_no_file_of_the_tree_is_looked_for_nowhere(language: str, importer: str, module: str) -> None:
    assert list(modules_of(languages()[language])(module, importer, ())) == []


@pytest.mark.parametrize(
    ("folder", "relative", "path"),
    [
        ("a/b", "../c.h", "a/c.h"),
        ("", "./c.h", "c.h"),
        ("a/", "b//c", "a/b/c"),
        ("a", "..", ""),
        ("a", "../../c", None),
        ("", "..", None),
    ],
)
def test_a_relative_path_is_joined_or_leaves_the_root(folder: str, relative: str, path: str | None) -> None:
    assert joined(folder, relative) == path


def test_the_folders_above_a_file_begin_with_its_own() -> None:
    assert folders_above("a/b/c.sh") == ["a/b/", "a/", ""]
    assert folders_above("c.sh") == [""]


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ("$DIR/lib/a.sh", "lib/a.sh"),
        ("${BASH_SOURCE%/*}/a.sh", "a.sh"),
        ('$(cd"$(dirname"$0")"&&pwd)/a.sh', "a.sh"),
        ('"$ROOT/$LIB"/a.sh', "a.sh"),
        ("./a.sh", "./a.sh"),
        ("$1", ""),
    ],
)
def test_a_folder_that_is_computed_is_taken_for_the_files_own(path: str, rest: str) -> None:
    assert without_computed(path) == rest
