from urllib.parse import unquote

import pytest

from hardtack.nouns.model import Provenance
from hardtack.render.links import permalink_of, uri_of

COMMIT = "1" * 40
GITHUB = Provenance(repository="github.com/owner/name", commit=COMMIT)


@pytest.mark.parametrize(("lines", "fragment"), [((10, 20), "#L10-L20"), ((10, 10), "#L10-L10"), ((), "")])
def test_a_uri_names_the_bundle_the_path_and_the_lines_if_any(lines: tuple[int, ...], fragment: str) -> None:
    assert f"hardtack://pantry/src/shelf.py{fragment}" == uri_of("pantry", "src/shelf.py", *lines)


def test_what_would_end_a_path_or_close_a_link_is_encoded() -> None:
    path = "app/[id] (old)/a#b?c%d é.ts"
    uri = uri_of("pantry", path)
    assert "hardtack://pantry/app/%5Bid%5D%20%28old%29/a%23b%3Fc%25d%20%C3%A9.ts" == uri
    assert path == unquote(uri.removeprefix("hardtack://pantry/"))


@pytest.mark.parametrize(
    ("repository", "expected"),
    [
        ("github.com/o/n", f"https://github.com/o/n/blob/{COMMIT}/a.py#L3-L7"),
        ("github.example.org/o/n", f"https://github.example.org/o/n/blob/{COMMIT}/a.py#L3-L7"),
        ("gitlab.com/group/sub/n", f"https://gitlab.com/group/sub/n/-/blob/{COMMIT}/a.py#L3-7"),
        ("gitlab.example.org/o/n", f"https://gitlab.example.org/o/n/-/blob/{COMMIT}/a.py#L3-7"),
        ("bitbucket.org/o/n", f"https://bitbucket.org/o/n/src/{COMMIT}/a.py#lines-3:7"),
    ],
)
def test_a_permalink_is_the_page_of_the_site(repository: str, expected: str) -> None:
    assert expected == permalink_of(GITHUB._replace(repository=repository), "a.py", 3, 7)


@pytest.mark.parametrize(
    ("repository", "expected"),
    [("github.com/o/n", "#L3"), ("gitlab.com/o/n", "#L3"), ("bitbucket.org/o/n", "#lines-3")],
)
def test_a_permalink_of_one_line_names_one(repository: str, expected: str) -> None:
    assert permalink_of(GITHUB._replace(repository=repository), "a.py", 3, 3).endswith(f"/a.py{expected}")


def test_a_permalink_of_a_whole_file_names_no_lines() -> None:
    assert f"https://github.com/owner/name/blob/{COMMIT}/a.py" == permalink_of(GITHUB, "a.py")


def test_a_permalink_leads_into_the_directory_that_was_indexed() -> None:
    inside = GITHUB._replace(subdirectory="packages/the core")
    assert f"https://github.com/owner/name/blob/{COMMIT}/packages/the%20core/a.py#L1" == permalink_of(inside, "a.py", 1, 1)


@pytest.mark.parametrize(
    "unknown",
    [
        GITHUB._replace(repository=""),
        GITHUB._replace(commit=""),
        GITHUB._replace(repository="git.example.org/o/n"),
        GITHUB._replace(repository="bitbucket.example.org/o/n"),
        GITHUB._replace(repository="github/o/n"),
        GITHUB._replace(is_dirty=True),
        GITHUB._replace(roots=("web", "api")),
    ],
    ids=["no repository", "no commit", "another site", "own bitbucket", "no host", "changed files", "several roots"],
)
def test_there_is_no_permalink_where_none_is_known_to_hold(unknown: Provenance) -> None:
    assert "" == permalink_of(unknown, "a.py", 3, 7)
