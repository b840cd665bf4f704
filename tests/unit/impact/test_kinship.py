"""Which files of tests are kin to a file: by names in the styles of several languages, the nearest, and by place."""

from __future__ import annotations

from pathlib import Path

import pytest
from bundles import built

from hardtack.bundle.reader import open_bundle
from hardtack.impact.kinship import Kin

CODE = {"py": "def f(): ...\n", "go": "package p\n\nfunc F() {}\n", "ts": "export function f() {}\n", "java": "class A {}\n"}


def _kin(tmp_path: Path, source: str, *others: str) -> tuple[set[str], set[str]]:
    """(those that are named after the first, those that lie beside it)."""
    files = {path: CODE.get(path.rpartition(".")[2], "# a\n") for path in (source, *others)}
    with open_bundle(built(tmp_path, files)) as bundle:
        kin = Kin(bundle)
        number = next(n for n, file in enumerate(bundle.files) if file.path == source)
        return tuple({bundle.file(each).path for each in found} for found in (kin.named(number), kin.beside(number)))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("source", "named", "other"),
    [
        ("pkg/cache.py", "tests/test_cache.py", "tests/test_jar.py"),
        ("pkg/cache.py", "tests/cache_test.py", "tests/test_cached.py"),
        ("pkg/cache.py", "tests/test_cache_sizes.py", "tests/test_caches.py"),
        ("src/pkg/fields/core.py", "tests/test_fields_core.py", "tests/test_core_values.py"),
        ("pkg/cache/__init__.py", "tests/test_cache.py", "tests/test_init.py"),
        ("server/oauth.go", "server/oauth_test.go", "server/login_test.go"),
        ("src/unwrap.ts", "tests/unwrap.test.ts", "tests/wrap.test.ts"),
        ("src/list/index.ts", "src/list/__tests__/list.spec.ts", "src/list/__tests__/map.spec.ts"),
        ("src/main/java/org/Jar.java", "src/test/java/org/JarTest.java", "src/test/java/org/JarsTest.java"),
        ("src/main/java/org/Jar.java", "src/test/java/org/JarIT.java", "src/test/java/org/TinTest.java"),
    ],
)
def test_a_file_of_tests_is_told_by_its_name(tmp_path: Path, source: str, named: str, other: str) -> None:
    assert {named} == _kin(tmp_path, source, named, other)[0]


def test_of_several_files_of_one_name_the_nearest_count(tmp_path: Path) -> None:
    near, far = "tests/store/test_base.py", "tests/shelf/test_base.py"
    assert {near} == _kin(tmp_path, "pkg/store/base.py", near, far)[0]


def test_a_file_of_that_name_in_another_part_of_the_tree_is_no_kin(tmp_path: Path) -> None:
    assert set() == _kin(tmp_path, "shop/store/base.py", "cellar/tests/test_base.py")[0]


def test_the_name_of_a_type_in_the_file_counts(tmp_path: Path) -> None:
    files = {"src/main/java/org/All.java": "class Jar {}\n", "src/test/java/org/JarTest.java": "class JarTest {}\n"}
    with open_bundle(built(tmp_path, files)) as bundle:
        assert ["src/test/java/org/JarTest.java"] == [bundle.file(each).path for each in Kin(bundle).named(0)]


def test_a_tree_of_tests_that_mirrors_the_source_is_beside_it(tmp_path: Path) -> None:
    beside, other = "src/test/java/org/shop/StallTest.java", "src/test/java/org/JarTest.java"
    assert {beside} == _kin(tmp_path, "src/main/java/org/shop/Jar.java", beside, other)[1]


def test_a_file_of_another_language_is_no_kin(tmp_path: Path) -> None:
    assert (set(), set()) == _kin(tmp_path, "pkg/cache.py", "pkg/cache_test.go")


def test_helpers_of_tests_are_no_files_of_tests(tmp_path: Path) -> None:
    assert set() == _kin(tmp_path, "pkg/cache.py", "tests/cache.py", "tests/conftest.py")[0]
