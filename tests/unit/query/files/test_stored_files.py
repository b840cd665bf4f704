"""Lines of stored files, against the simplest way to cut the original ones; directories; lines that have a text."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from checkouts import write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound, UsageError
from hardtack.query.files.grep import LineMatch
from hardtack.query.files.stored_files import MAX_LINES, StoredFiles
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher


@pytest.fixture(scope="module")
def files(searcher: Searcher) -> StoredFiles:
    return StoredFiles(searcher.bundle)


# -- lines of a file ----------------------------------------------------------------------------------------------------------


def test_every_range_of_every_file_is_what_lies_between_its_newlines(files: StoredFiles, bundle: Bundle, pantry: Path) -> None:
    for file in bundle.files:
        lines = BytesIO((pantry / file.path).read_bytes()).readlines()
        assert len(lines) == file.line_count == files.read(file.path).line_count
        for first in range(1, len(lines) + 1, max(1, len(lines) // 7)):
            assert b"".join(lines[first - 1 :]) == files.read(file.path, first).text
            for last in range(first, len(lines) + 3, max(1, len(lines) // 5)):
                assert b"".join(lines[first - 1 : last]) == files.read(file.path, first, last).text


def test_only_newlines_end_lines(files: StoredFiles) -> None:
    assert b"after = 1\n" == files.read("odd/separators.py", 3, 3).text
    assert "    return 'a\x0cb\u2028c\x85d'\r# same line\n".encode() == files.read("odd/separators.py", 2, 2).text


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        (0, None, "odd/crlf.py has no line 0."),
        (7, None, "odd/crlf.py has no line 7."),
        (7, 7, "odd/crlf.py has no line 7."),
        (8, 20, "odd/crlf.py has no lines 8 to 20."),
        (3, 2, "odd/crlf.py has no lines 3 to 2."),
        (-1, 2, "odd/crlf.py has no lines -1 to 2."),
    ],
)
def test_a_range_that_is_not_there_is_refused_as_it_was_asked_for(
    files: StoredFiles, first: int, last: int | None, message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        files.read("odd/crlf.py", first, last)
    assert (message, "Its last line is 6.") == (str(refused.value), refused.value.hint)
    assert ("RANGE_INVALID", 6) == (refused.value.code, refused.value.details["line_count"])


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("odd/crlf.py", ["def first():", "    return 1", "", "", "def second():", "    return 2"]),
        ("odd/no_newline.py", ["def last_line_without_an_end():", "    return 'tail'"]),
        ("odd/separators.py", ["def pages():", "    return 'a\x0cb\u2028c\x85d'\r# same line", "after = 1"]),
        ("odd/blank.py", ["", "  ", ""]),
    ],
)
def test_lines_come_without_their_endings_and_none_comes_after_the_last_newline(
    files: StoredFiles, path: str, lines: list[str]
) -> None:
    whole = files.read(path)
    assert (lines, 1, len(lines), len(lines)) == (whole.lines, whole.start_line, whole.end_line, whole.line_count)
    for first in range(1, len(lines) + 1):
        for last in range(first, len(lines) + 1):
            excerpt = files.read(path, first, last)
            assert (lines[first - 1 : last], first, last) == (excerpt.lines, excerpt.start_line, excerpt.end_line)
        assert (lines[first - 1 :], len(lines)) == ((beyond := files.read(path, first, 10**9)).lines, beyond.end_line)


def test_an_empty_file_has_no_line(tmp_path: Path) -> None:
    write(tmp_path / "source", {"empty.py": "", "other.py": "one = 1\n"})
    build_bundle(tmp_path / "source", tmp_path / "bundle", BuildOptions(jobs=1, profile="keyword"))
    with open_bundle(tmp_path / "bundle") as searcher:
        files = StoredFiles(searcher.bundle)
        whole = files.read("empty.py")
        assert ([], 1, 0, 0, b"") == (whole.lines, whole.start_line, whole.end_line, whole.line_count, whole.text)
        for first, last in ((1, 1), (1, 20), (2, None)):
            with pytest.raises(UsageError, match=r"empty.py has no line") as refused:
                files.read("empty.py", first, last)
            assert "It is empty." == refused.value.hint


def test_a_bundle_without_text_says_so_and_lists_its_directories_all_the_same(bare_bundle: Path) -> None:
    with open_bundle(bare_bundle) as searcher:
        files = StoredFiles(searcher.bundle)
        for ask in (lambda: files.read("README.md"), lambda: files.search("jar"), lambda: files.search("jar", regex=True)):
            with pytest.raises(UsageError, match="was built without source text") as refused:
                ask()
            assert "FILE_UNREADABLE" == refused.value.code
        assert ("README.md", "file") in files.directory(".").entries
        with pytest.raises(NotFound):
            files.read("nowhere.md")


# -- directories --------------------------------------------------------------------------------------------------------------


def test_a_directory_lists_what_lies_directly_in_it_by_name(files: StoredFiles) -> None:
    directory = files.directory("src/pantry")
    assert ("src/pantry", "both") == (directory.path, directory.repo)
    assert [("src/pantry/__init__.py", "file"), ("src/pantry/advice.py", "file"), ("src/pantry/shelf.py", "file")] == [
        *directory.entries
    ]
    assert [("docs", "directory"), ("label", "directory"), ("odd", "directory"), ("pyproject.toml", "file")] == [
        *files.directory(".").entries
    ][1:5]


def test_a_part_has_the_directories_that_hold_its_files(files: StoredFiles) -> None:
    assert [("README.md", "file"), ("docs", "directory")] == [*files.directory(".", repo="docs").entries]
    assert ("README.md", "file") not in files.directory(repo="code").entries
    with pytest.raises(NotFound) as missing:
        files.directory("docs", repo="code")
    assert ("DIR_NOT_FOUND", "It has nothing of code.") == (missing.value.code, missing.value.hint)


def test_without_path_and_part_the_parts_themselves_are_listed(files: StoredFiles) -> None:
    directory = files.directory()
    assert (".", "both", (("docs", "directory"), ("code", "directory"))) == (directory.path, directory.repo, directory.entries)


# -- lines that have a text ---------------------------------------------------------------------------------------------------


def test_documentation_comes_first_and_then_code_each_by_path_and_line(files: StoredFiles, bundle: Bundle, pantry: Path) -> None:
    found = files.search("shelf")
    documentation = [file.path for file in bundle.files if file.content == "documentation"]
    paths = [*documentation, *(file.path for file in bundle.files if file.path not in documentation)]
    lines = ((path, number, line) for path in paths for number, line in enumerate((pantry / path).read_text().split("\n"), start=1))
    expected = [(path, number, line.removesuffix("\r")) for path, number, line in lines if "shelf" in line]
    assert expected == [*found.matches]
    assert {"README.md", "docs/guide.md"} == set(files.documentation)
    assert (False, None, "") == (found.truncated, found.reached, found.hint)


def test_a_search_goes_on_where_it_stopped(files: StoredFiles) -> None:
    whole, after = files.search("a").matches, None
    pages: list[tuple[LineMatch, ...]] = []
    while not pages or after:
        found = files.search("a", limit=7, after=after)
        assert found.truncated == (found.reached is not None)
        pages.append(found.matches)
        after = found.reached
        assert len(pages) < 1000, "it does not end"
    assert whole == sum(pages, ())
    assert len(pages) > 5


@pytest.mark.parametrize(
    ("repo", "globs", "expected", "where"),
    [
        (None, ["src/**/*.py"], {"src/pantry/__init__.py", "src/pantry/advice.py", "src/pantry/shelf.py"}, "both"),
        (None, ["src"], {"src/pantry/__init__.py", "src/pantry/advice.py", "src/pantry/shelf.py"}, "both"),
        (None, ["*.md"], {"README.md"}, "both"),
        (None, ["**/*.md"], {"README.md", "docs/guide.md"}, "both"),
        (None, ["web/", "*.md"], {"README.md", "web/shelf.ts"}, "both"),
        (None, ["docs/*"], {"docs/guide.md"}, "both"),
        ("docs", ["**"], {"README.md", "docs/guide.md"}, "docs"),
        ("code", ["**/*.md"], set(), "code"),
        (None, ["code/**/*.ts"], {"web/shelf.ts"}, "code"),
        ("docs", ["code/**"], set(), "docs"),
        (None, ["./web/*"], {"web/shelf.ts"}, "both"),
        (None, ["s?c/pantry/shel?.py"], {"src/pantry/shelf.py"}, "both"),
        (None, ["s?c?pantry/*"], set(), "both"),
    ],
)
def test_a_glob_says_where_to_look(files: StoredFiles, repo: str | None, globs: list[str], expected: set[str], where: str) -> None:
    found = files.search("helf", repo=repo, globs=globs)
    assert where == found.repo
    assert expected == {match.path for match in found.matches}


def test_the_name_of_a_part_with_a_slash_is_all_of_it_where_no_directory_is_called_so(files: StoredFiles) -> None:
    assert files.search("a", repo="code") == files.search("a", globs=["code/"]) == files.search("a", globs=["code/**"])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": ""}, "QUERY_EMPTY"),
        ({"query": "x" * 10_001}, "QUERY_TOO_LONG"),
        ({"query": "x", "limit": 0}, "LIMIT_INVALID"),
        ({"query": "x", "limit": -5}, "LIMIT_INVALID"),
        ({"query": "x", "repo": "Docs"}, "REPO_INVALID"),
        ({"query": "x", "repo": ""}, "REPO_INVALID"),
        ({"query": "x", "globs": [""]}, "FILE_GLOB_INVALID"),
        ({"query": "x", "globs": ["*.py", "../*"]}, "FILE_GLOB_INVALID"),
        ({"query": "x", "globs": ["a\0b"]}, "FILE_GLOB_INVALID"),
        ({"query": "x", "globs": ["*" * 1001]}, "FILE_GLOB_INVALID"),
        ({"query": "(", "regex": True}, "REGEX_INVALID"),
    ],
)
def test_what_cannot_be_asked_has_its_code(files: StoredFiles, arguments: dict[str, object], code: str) -> None:
    with pytest.raises(UsageError) as refused:
        files.search(**arguments)  # type: ignore[arg-type]
    assert code == refused.value.code


@pytest.mark.parametrize(
    ("query", "options", "hint"),
    [
        ("zzyzx", {}, "Case counts"),
        ("zzy.*zx", {}, "taken literally"),
        ("zzy.*zx", {"regex": True}, "No line matches"),
        ("return 1\nreturn 2", {}, "one line of the text"),
        ("shelf", {"globs": ["shelf.py"]}, "try **/shelf.py."),
        ("shelf", {"globs": ["lib/**/*.py"]}, "whole paths, as in src/**/*.py."),
        ("shelf", {"globs": ["src/**/*.{py,go}"]}, "braces and brackets stand for themselves"),
        ("SHELF\udcff", {}, "No line has this text"),
    ],
)
def test_nothing_found_is_an_answer_with_advice(files: StoredFiles, query: str, options: dict[str, object], hint: str) -> None:
    found = files.search(query, **options)  # type: ignore[arg-type]
    assert ((), False, None) == (found.matches, found.truncated, found.reached)
    assert hint in found.hint


def test_no_more_lines_are_given_than_the_most_and_that_is_said(files: StoredFiles) -> None:
    assert files.search("zzyzx", limit=MAX_LINES + 1).truncated
    assert files.search("shelf", limit=10**30).matches == files.search("shelf", limit=MAX_LINES).matches
    assert not files.search("shelf", limit=MAX_LINES).truncated
