"""The list of repositories, which of their files may be asked for, and what counts as a copy."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from mine_bundles import in_turns
from mine_exclusions import stretches
from mine_queries import write_blanked
from mine_repositories import SUFFIXES, Repository, is_code, is_test, listed_repositories

BENCHMARK = (
    "abseil-cpp aeson aiohttp alamofire axios axum bash-it bats-core cats chi circe click cobra commons-lang "
    "curl dapper ecto exposed express fastapi flask fmt framework gin gson guzzle http4s httpx "
    "jackson-databind json kotlinx.coroutines ktor lazy.nvim libuv messagepack-csharp mini.nvim model2vec "
    "monolog newtonsoft.json nvm pandoc phoenix plug pydantic rack rails redis redux requests serde sinatra "
    "snapkit starlette telescope.nvim tokio trpc vapor vitest xmonad zig zig-clap zls zod"
)


def test_no_repository_of_the_benchmark_is_mined() -> None:
    excluded = BENCHMARK.split(" ")
    assert 63 == len(excluded)
    assert [] == [each.repository for each in listed_repositories() if each.repository.partition("/")[2].lower() in excluded]


def test_every_language_of_the_benchmark_has_at_least_three_repositories() -> None:
    counts = Counter(repository.language for repository in listed_repositories())
    assert set(SUFFIXES) == set(counts)
    assert [] == [language for language, count in counts.items() if count < 3]


@pytest.mark.parametrize(
    ("row", "fault"),
    [('revision = "main"', "no commit"), (f'revision = "{"0" * 40}"\n\n[[repository]]\n', "twice")],
)
def test_a_list_that_is_not_pinned_or_names_two_alike_is_refused(tmp_path: Path, row: str, fault: str) -> None:
    common = 'name = "shop"\nlanguage = "go"\nrepository = "a/shop"\nroot = ""\nlicence = "MIT"\n'
    second = f'{common}revision = "{"1" * 40}"\n' if "twice" in fault else ""
    (tmp_path / "list.toml").write_text(f"[[repository]]\n{common}{row}\n{second}")
    with pytest.raises(ValueError, match=fault):
        listed_repositories(tmp_path / "list.toml")


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "a/__tests__/b.ts",
        "test_a.py",
        "mux_test.go",
        "a.test.ts",
        "FooTests.cs",
        "FooSpec.hs",
        "foo_spec.rb",
        "jvmTest/A.kt",
    ],
)
def test_tests_are_told_by_their_path(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize("path", ["contest.py", "attestation.go", "latest/a.py", "Specification.java", "pytester.py", "inspect.ts"])
def test_names_that_only_sound_like_tests_are_none(path: str) -> None:
    assert not is_test(path)


def test_a_file_answers_when_it_is_code_of_the_language_in_the_root_and_no_test(repository: Repository) -> None:
    paths = ["src/a.py", "src/a.js", "lib/a.py", "src/tests/a.py", "srcs/a.py"]
    assert ["src/a.py"] == [path for path in paths if repository.can_answer(path)]


def test_a_folder_above_the_root_does_not_make_its_files_tests(repository: Repository) -> None:
    assert replace(repository, root="testing/src").can_answer("testing/src/a.py")


def test_commands_without_a_suffix_are_bash() -> None:
    assert is_code("libexec/pyenv-init", "bash")
    assert not is_code("LICENSE", "bash")
    assert not is_code("libexec/pyenv-init", "python")


def test_the_blanked_tree_differs_in_the_blanked_files_alone(tmp_path: Path) -> None:
    checkout, tree = tmp_path / "checkout", tmp_path / "blanked"
    (checkout / "src").mkdir(parents=True)
    (checkout / "src" / "a.py").write_text("# said\n")
    (checkout / "src" / "b.py").write_bytes(b"# kept \xff\n")
    (checkout / "README").write_text("outside the root")
    write_blanked(checkout, tree, "src", {"src/a.py": "#\n"})
    found = {path.relative_to(tree).as_posix(): path.read_bytes() for path in sorted(tree.rglob("*")) if path.is_file()}
    assert {"src/a.py": b"#\n", "src/b.py": b"# kept \xff\n"} == found


def test_a_copy_is_known_by_six_lines_in_a_row_whatever_their_indentation() -> None:
    lines = [f"statement number {number} of many;" for number in range(8)]
    here = "\n".join(lines).encode()
    there = "\n}\n".join(f"\t\t{line}" for line in lines[1:7]).encode()
    assert 3 == len(stretches(here))
    assert stretches(there) <= stretches(here)
    assert set() == stretches("\n".join(lines[:5]).encode())


def test_languages_take_turns_when_bundles_are_built() -> None:
    rows = [{"name": name, "language": language} for name, language in (("a", "c"), ("b", "c"), ("x", "go"), ("y", "go"))]
    assert ["a", "x", "b", "y"] == [row["name"] for row in in_turns(rows)]
