"""Addresses of files are parsed strictly; the text comes from the bundle, or there is an error with a code."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from mcp_servers import text_of

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.errors import BundleNotFound, HardtackError, NotFound, UsageError
from hardtack.mcp.resources import MOST, Address, address_of, page, read
from hardtack.render.links import uri_of
from hardtack.tools.catalog import Catalog


@pytest.mark.parametrize(
    ("uri", "meant"),
    [
        ("hardtack://a/b/c.py", Address("a", "b/c.py")),
        ("hardtack://a/b/c.py#L3", Address("a", "b/c.py", 3, 3)),
        ("hardtack://a/b/c.py#L3-L5", Address("a", "b/c.py", 3, 5)),
        ("hardtack://a/b/c.py#3-5", Address("a", "b/c.py", 3, 5)),
        ("hardtack://a/b/c.py?lines=3-5", Address("a", "b/c.py", 3, 5)),
        ("hardtack://A-1.x/b%20c/%C3%A9.py", Address("A-1.x", "b c/é.py")),
        ("hardtack://a/b/%23%3F.py#L1", Address("a", "b/#?.py", 1, 1)),
    ],
)
def test_an_address_names_an_index_a_file_and_lines(uri: str, meant: Address) -> None:
    assert meant == address_of(uri)


@pytest.mark.parametrize("path", ["src/pantry/shelf.py", "a b/c#d?e%f.py", "é/\u202ex.py", "x:y.py", "[a].py"])
def test_the_address_of_a_file_leads_back_to_it(path: str) -> None:
    assert Address("pantry", path, 2, 9) == address_of(uri_of("pantry", path, 2, 9))


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("", "INVALID_REQUEST"),
        ("file:///etc/passwd", "INVALID_REQUEST"),
        ("/etc/passwd", "INVALID_REQUEST"),
        ("hardtack:///x", "INVALID_REQUEST"),
        ("hardtack://[", "INVALID_REQUEST"),
        ("hardtack://pantry/" + "x" * 20_000, "INVALID_REQUEST"),
        ("hardtack://pantry", "PATH_EMPTY"),
        ("hardtack://pantry/", "PATH_EMPTY"),
        ("hardtack://pantry/../../etc/passwd", "PATH_OUT_OF_ROOT"),
        ("hardtack://pantry/" + quote("../../etc/passwd", safe=""), "PATH_OUT_OF_ROOT"),
        ("hardtack://pantry//etc/passwd", "PATH_OUT_OF_ROOT"),
        ("hardtack://pantry/C:%5Cx", "PATH_OUT_OF_ROOT"),
        ("hardtack://pantry/..%5Cx", "PATH_OUT_OF_ROOT"),
        ("hardtack://pantry/a%00b", "PATH_OUT_OF_ROOT"),
        ("hardtack://pantry/nowhere.py", "FILE_NOT_FOUND"),
        ("hardtack://pantry/README.md#L0", "RANGE_INVALID"),
        ("hardtack://pantry/README.md#L9-L3", "RANGE_INVALID"),
        ("hardtack://pantry/README.md#top", "RANGE_INVALID"),
        ("hardtack://pantry/README.md#L99999", "RANGE_INVALID"),
        ("hardtack://pantry/README.md?lines=" + "9" * 5000, "RANGE_INVALID"),
    ],
)
def test_what_is_no_file_of_an_index_is_refused(catalog: Catalog, uri: str, code: str) -> None:
    with pytest.raises(HardtackError) as refused:
        read(catalog, uri)
    assert isinstance(refused.value, UsageError | NotFound)
    assert code == refused.value.code
    assert len(str(refused.value)) < 500


def test_an_index_that_is_not_served_is_not_found(catalog: Catalog) -> None:
    with pytest.raises(BundleNotFound, match="No index of that name"):
        read(catalog, "hardtack://elsewhere/README.md")


def test_the_stored_text_is_given_byte_for_byte(catalog: Catalog, pantry: Path) -> None:
    for path in ("odd/crlf.py", "odd/no_newline.py", "odd/separators.py", "odd/escapes.py"):
        (contents,) = read(catalog, uri_of("pantry", path)).contents
        assert (pantry / path).read_bytes().decode() == text_of(contents)
        assert contents.mime_type == "text/x-python"
    (lines,) = read(catalog, uri_of("pantry", "odd/crlf.py", 5, 6)).contents
    assert text_of(lines) == "def second():\r\n    return 2\r\n"


def test_of_a_long_text_the_first_lines_are_given_and_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 50_001)))
    build_bundle(tmp_path / "source", tmp_path / "long", BuildOptions(jobs=1, profile="keyword"))
    catalog = Catalog(named=[str(tmp_path / "long")])
    (contents,) = read(catalog, "hardtack://long/long.txt").contents
    assert MOST - 20 < len(text_of(contents)) <= MOST
    assert text_of(contents).endswith("\n")
    assert contents.meta == {"truncated": True, "hint": "These are the first lines; the file has 50000. Ask for some: #L10-L20."}
    (end,) = read(catalog, "hardtack://long/long.txt#L50000").contents
    assert text_of(end) == "line 50000\n"
    assert end.meta is None


def test_without_stored_text_there_is_nothing_to_list(bare_bundle: Path) -> None:
    catalog = Catalog(named=[str(bare_bundle)])
    assert page(catalog, None).resources == []
    with pytest.raises(UsageError) as refused:
        read(catalog, "hardtack://pantry/README.md")
    assert refused.value.code == "FILE_UNREADABLE"


def test_the_list_goes_on_where_a_cursor_says(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    every = [resource.uri for resource in page(catalog, None).resources]
    monkeypatch.setattr("hardtack.mcp.resources.PAGE", 3)
    found, cursor = [], None
    while True:
        some = page(catalog, cursor)
        found += [resource.uri for resource in some.resources]
        assert len(some.resources) <= 3
        if (cursor := some.next_cursor) is None:
            break
    assert every == found == sorted(set(every))
    assert len(every) > 9
