"""Type filters: a type's name matches every way in which a source writes that type."""

from __future__ import annotations

import pytest

from hardtack.query.request.filter_words import type_predicate


@pytest.mark.parametrize(
    "written",
    [
        "Response",
        "*http.Response",
        "Optional[Response]",
        "&'a mut Response<T>",
        "Response | None",
        "?Response",
        "std::vector<net::Response>",
        "Promise<Response>",
        '"Response[Literal[False]]"',
        "const struct response *",
        "func(http.Response) error",
        "App\\Http\\Response[]",
    ],
)
def test_a_name_is_found_in_any_type_that_mentions_it(written: str) -> None:
    assert type_predicate("Response")(written)


@pytest.mark.parametrize("written", ["ResponseWriter", "HttpResponse", "response.Writer", "'response", "", "str"])
def test_a_name_is_not_found_in_a_longer_one(written: str) -> None:
    assert not type_predicate("Response")(written)


@pytest.mark.parametrize(
    ("wanted", "written", "expected"),
    [
        ("http.Response", "*http.Response", True),
        ("http::Response", "net.http.Response", True),
        ("http.Response", "Response", False),
        ("Vec<u8>", "&mut std::vec::Vec<u8>", True),
        ("Vec<u8>", "Vec<u16>", False),
        ("list[str]", "List<String>", False),
        ("list[str]", "dict[int, list[str]]", True),
        ("Dict[str,int]", "dict[str, int]", True),
        ("[]byte", "[]byte", True),
        ("[]byte", "byte", False),
        ("map[string]int", "map[string]int", True),
        ("Option<&str>", "Option<&'static str>", True),
        ("Option<str>", "Option<&'a mut str>", True),
        ("const struct response", "net.Response", True),
        ("STRING", "string", True),
        ("", "string", False),
        ("*", "string", False),
    ],
)
def test_a_qualified_name_and_what_stands_in_brackets_have_to_follow(wanted: str, written: str, expected: bool) -> None:
    assert expected == type_predicate(wanted)(written)
