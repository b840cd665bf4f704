"""A map of a repository: its parts, what each is for, what others use of it, within a budget, the same each time."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import command_line
import pytest
from bundles import opened
from checkouts import write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.errors import NotFound
from hardtack.nouns.repository_map import Part, RepositoryMap
from hardtack.query.explore.repository_map import repository_map
from hardtack.render.repository_map import parts_in, render_map

LICENCE = "# Copyright 2020 Somebody. Use of this source is governed by a licence.\n# It comes without any warranty at all.\n"
FILES = {
    "README.md": "# Shop\n\n[![b](https://x.example/b.svg)](https://x.example)\n\nShop sells jars of jam by post. It is small.\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.2"\n',
    "shop/__init__.py": '"""Everything that is sold over the counter."""\n',
    "shop/cart.py": f"{LICENCE}\nimport os\n\n# How many jars a cart holds.\nLIMIT = 10\n\n\n"
    "class Cart:\n    def add(self, jar):\n        return jar\n",
    "shop/till.py": "from shop.cart import Cart\n\n\ndef pay(cart):\n    return Cart().add(cart)\n\n\n"
    "def again(cart):\n    return Cart().add(cart)\n",
    "post/mail.c": "/* Copyright me. */\n#ifndef MAIL_H\n#include <stdio.h>\n\n"
    "int send(void) { return 0; }\nint main(void) { return send(); }\n#endif\n",
    "post/stamp.rs": "//! Stamps are licked here.\n\npub fn lick() -> i32 { 1 }\n",
    "post/Van.java": "package post;\n\n/** A van that brings parcels home. It is red. */\npublic class Van {\n  void go() {}\n}\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_add():\n    assert Cart().add(1)\n",
    "LICENSE": "Permission is granted.\n",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("source") / "shop", FILES)
    build_bundle(root, root.parent / "bundle", BuildOptions(profile="keyword", jobs=1))
    return root.parent / "bundle"


@pytest.fixture(scope="module")
def bundle(place: Path) -> Iterator[Bundle]:
    with open_bundle(place) as found:
        yield found


def part(found: RepositoryMap, path: str) -> Part:
    return next(each for each in found.parts if each.path == path)


def test_source_is_cut_into_parts_and_what_is_no_source_stands_aside(bundle: Bundle) -> None:
    few = repository_map(bundle, parts=2)
    assert [each.path for each in few.parts] == ["post/", "shop/"]
    many = repository_map(bundle, parts=10)
    assert [each.path for each in many.parts] == sorted(path for path in FILES if path.startswith(("shop/", "post/")))
    assert {role for role, _, _ in many.aside} >= {"test", "documentation", "configuration"}
    assert sum(each.files for each in many.parts) + sum(count for _, count, _ in many.aside) == many.files == len(FILES)


def test_a_part_is_for_what_its_readme_or_the_comment_of_its_main_file_says(bundle: Bundle) -> None:
    found = repository_map(bundle, parts=10)
    assert found.purpose == "Shop sells jars of jam by post."
    assert part(repository_map(bundle, parts=2), "shop/").purpose == "Everything that is sold over the counter."
    assert part(found, "post/stamp.rs").purpose == "Stamps are licked here."
    assert part(found, "post/Van.java").purpose == "A van that brings parcels home."


@pytest.mark.parametrize("path", ["shop/cart.py", "post/mail.c"])
def test_a_licence_a_directive_and_the_comment_of_a_constant_say_nothing_of_a_file(bundle: Bundle, path: str) -> None:
    assert part(repository_map(bundle, parts=10), path).purpose == ""


def test_what_other_files_refer_to_most_comes_first_and_ties_are_counted(bundle: Bundle) -> None:
    found = repository_map(bundle, parts=10)
    symbols = part(found, "shop/cart.py").symbols
    assert {symbol.name for symbol, _ in symbols[:2]} == {"Cart", "Cart.add"}
    assert all(count >= 3 for _, count in symbols[:2])
    assert [path for path, _ in part(found, "shop/till.py").uses] == ["shop/cart.py"]


def test_entry_points_and_projects_are_named(bundle: Bundle) -> None:
    found = repository_map(bundle)
    assert [(each.name, each.path) for each in found.entries] == [("main", "post/mail.c")]
    assert found.projects == ("pypi shop 1.2",)


def test_a_directory_has_a_map_of_its_own_and_what_is_none_is_refused(bundle: Bundle) -> None:
    found = repository_map(bundle, "./shop/")
    assert found.path == "shop"
    assert all(each.path.startswith("shop/") for each in found.parts)
    with pytest.raises(NotFound, match="no directory"):
        repository_map(bundle, "shops")


@pytest.mark.parametrize("tokens", [100, 150, 300, 1000, 8000])
def test_a_map_keeps_its_budget_and_is_the_same_each_time(bundle: Bundle, tokens: int) -> None:
    text = render_map(repository_map(bundle, parts=parts_in(tokens)), tokens)
    assert len(text) <= 4 * tokens
    assert text == render_map(repository_map(bundle, parts=parts_in(tokens)), tokens)


def test_what_a_budget_leaves_out_is_counted(bundle: Bundle) -> None:
    whole = render_map(repository_map(bundle, parts=10), 1000)
    short = render_map(repository_map(bundle, parts=10), 100)
    assert "more lines; ask for a directory" in short
    assert "more lines" not in whole


def test_the_command_line_shows_it(place: Path) -> None:
    told = command_line.run_or_raise("map", "-b", place, "post", "--max-tokens", "500")
    assert "`post/stamp.rs` 3 lines: Stamps are licked here." in told.stdout
    assert json.loads(command_line.run_or_raise("map", "-b", place, "--json").stdout)["schema"] == "hardtack.map/1"
    assert isinstance(command_line.run("map", "-b", place, "nowhere").exception, NotFound)


def test_what_stands_aside_in_a_directory_is_told_by_what_is_in_it(bundle: Bundle) -> None:
    assert {place for _, _, place in repository_map(bundle, "tests").aside} == {"tests/test_cart.py"}


def test_what_is_left_out_of_lists_is_counted(bundle_of: Any) -> None:
    routes = "".join(f"def main_{n}():\n    return used_{n}()\n\n\n" for n in range(12))
    files = {f"run/main_{n}.py": "def main():\n    pass\n" for n in range(30)}
    files |= {f"part_{n}/a.py": f"def used_{n}():\n    pass\n" for n in range(12)}
    files["use/a.py"] = "".join(f"from part_{n}.a import used_{n}\n" for n in range(12)) + "\n\n" + routes
    files["used/a.py"] = "".join(f"def lid_{n}():\n    pass\n\n\n" for n in range(12))
    files["use/b.py"] = "from used.a import *\n\n\ndef all():\n" + "".join(f"    lid_{n}()\n" for n in range(12))
    with bundle_of(files) as bundle:
        found = repository_map(bundle, parts=20)
        text = render_map(found, 8000)
    assert (30, 20) == (found.entry_count, len(found.entries))
    assert "; 10 more\n" in next(line for line in text.splitlines(keepends=True) if line.startswith("Entry points: "))
    uses = next(line for line in text.splitlines() if line.startswith("  uses part_"))
    assert uses.endswith("; 6 more")
    assert next(line for line in text.splitlines() if "`lid_0`" in line).endswith("; 4 more")


def test_a_heading_that_is_underlined_is_no_part_of_a_sentence(bundle_of: Any) -> None:
    code = "def a():\n    pass\n"
    files = {
        "a/README.rst": "A folder of jars\n================\n\nIt holds the jars of the shop.\n",
        "a/a.py": code,
        "a/b.py": code,
    }
    files |= {"b/README.adoc": "= A folder\n\nIt holds the lids of the shop.\n", "b/a.py": code, "b/b.py": code}
    with bundle_of(files) as bundle:
        purposes = {part.path: part.purpose for part in repository_map(bundle, parts=2).parts}
    assert {"a/": "It holds the jars of the shop.", "b/": "It holds the lids of the shop."} == {
        each: purposes[each] for each in ("a/", "b/")
    }


def _steps(work: Callable[[], object]) -> int:
    """Calls that some work makes."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("layout", ["{n}.py", "d{n}/a.py", "a/d{n}/b/a.py"])
def test_a_map_takes_steps_as_there_are_files(tmp_path: Path, layout: str) -> None:
    steps = []
    for size in (150, 600):
        files = {layout.format(n=n): f"def f{n}():\n    pass\n" for n in range(size)}
        with opened(tmp_path / str(size), files) as found:
            repository_map(found, parts=300)
            steps.append(_steps(partial(repository_map, found, parts=300)))
    assert steps[1] < 5.5 * steps[0]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/a.rst", "Jars\n====\n\nOf jam.\n\nLids\n----\n\nOf tin.\n"),
        ("docs/a.adoc", "= Jars\n\nOf jam.\n\n== Lids\n\nOf tin.\n"),
        ("docs/a.md", "# Jars\n\nOf jam.\n\n## Lids\n\nOf tin.\n"),
    ],
)
def test_a_directory_of_documents_has_their_sections(bundle_of: Any, path: str, text: str) -> None:
    with bundle_of({path: text, "a.py": "def a():\n    pass\n"}) as bundle:
        (part,) = repository_map(bundle, "docs").parts
    assert (path, ["Jars", "Jars.Lids"]) == (part.path, [symbol.name for symbol, _ in part.symbols])
