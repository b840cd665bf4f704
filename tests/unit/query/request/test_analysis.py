"""Analysis of a query's text: names, words, parts and hints."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.nouns.model import Kind
from hardtack.query.request.analysis import MAX_TERMS, analyse, language_names, qualified, split
from hardtack.query.request.vocabulary import Subject
from hardtack.text import terms_of


@dataclass(frozen=True)
class Language:
    id: str
    name: str
    aliases: tuple[str, ...] = ()


LANGUAGES = language_names(
    [
        Language("c", "C"),
        Language("cpp", "C++", ("c++", "cxx")),
        Language("go", "Go", ("golang",)),
        Language("json", "JSON"),
        Language("make", "Make", ("makefile",)),
        Language("python", "Python", ("py",)),
        Language("rust", "Rust", ("rs",)),
    ]
)


@pytest.mark.parametrize("word", ["getUserById", "useState", "XMLHttpRequest", "PostgreSQL", "MAX_SIZE", "v2_api"])
def test_words_spelt_like_identifiers_are_found(word: str) -> None:
    assert ((word,), True) == (analyse(f"where is {word} used").identifiers, analyse(word).has_identifier)


@pytest.mark.parametrize(
    "word", ["JWT", "HTTPServer", "UserID", "FastAPI", "iOS", "eBPF", "_private", "__init__", "std::vector", "kebab-case", "plain"]
)
def test_words_that_the_identifier_pattern_leaves_out_are_left_out(word: str) -> None:
    assert ((), False) == (analyse(word).identifiers, analyse(word).has_identifier)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserById", "getUserById get User By Id"),
        ("find get_user_by_id function", "find get_user_by_id get user by id function"),
        ("parseHTTPRequest", "parseHTTPRequest parse HTTP Request"),
        ("MAX_SIZE of a kebab-case word", "MAX_SIZE MAX SIZE of a kebab-case kebab case word"),
        ("JWT and plain words!", "JWT and plain words"),
        ("", ""),
    ],
)
def test_the_keyword_query_keeps_the_words_in_order_and_puts_parts_after_each(text: str, expected: str) -> None:
    assert expected == analyse(text).normalized_keyword_query


def test_splits_name_compound_words_alone() -> None:
    assert {"parseHTTPRequest": ("parse", "HTTP", "Request")} == analyse("parseHTTPRequest of JSON text").splits
    assert ("v2", "api", "v", "2") == tuple(sorted(split("v2_api"), key=["v2", "api", "v", "2"].index))


@pytest.mark.parametrize(
    "text",
    ["Shelf", "_private", "std::vector", "Shelf.put", "open()", "MAX_SIZE", "useState", "App\\Post", "v2", "$post", "empty?"],
)
def test_a_query_that_is_one_name_is_symbol_like(text: str) -> None:
    assert analyse(f" {text} ").is_symbol_like


@pytest.mark.parametrize("text", ["shelf", "a Shelf", "kebab-case", "what?!", "", "Shelf.put now", "3.11"])
def test_a_word_of_prose_or_several_words_are_not_symbol_like(text: str) -> None:
    assert not analyse(text).is_symbol_like


def test_the_symbol_asked_for_is_joined_by_dots_and_has_no_call() -> None:
    expected = ["Shelf.put", "Shelf.put", "shelf", ""]
    assert expected == [analyse(text).symbol for text in ("Shelf::put()", "`Shelf->put`", "shelf", "two words")]


@pytest.mark.parametrize("text", ["open_shelf()", " `open_shelf` ", '"open_shelf()"', "open_shelf"])
def test_a_name_is_the_same_however_it_is_quoted_or_called(text: str) -> None:
    assert ("open_shelf", ["open_shelf"], "open_shelf") == (analyse(text).whole, analyse(text).names, analyse(text).symbol)


@pytest.mark.parametrize("text", ["()", '""', "'a", "call of open()", "`open shelf()`", "?"])
def test_what_is_no_such_name_is_left_as_it_is(text: str) -> None:
    assert text == analyse(f" {text}\n").whole


def test_names_are_the_whole_text_and_the_words_spelt_like_names() -> None:
    assert ["Shelf::put", "Shelf.put"] == analyse(" Shelf::put ").names
    assert ["does Shelf::put use maxJars", "Shelf.put", "maxJars"] == analyse("does Shelf::put use maxJars").names


def test_terms_are_the_bundles_own_each_once_and_not_too_many() -> None:
    text = "parseLabel parses a label label"
    assert list(dict.fromkeys(terms_of(text))) == analyse(text).terms
    assert MAX_TERMS == len(analyse(" ".join(f"word{number}" for number in range(100))).terms)


def test_what_a_query_is_about_is_left_when_its_small_words_go() -> None:
    asked = analyse("find how the oldest jars are taken from a shelf")
    assert ("oldest", "jars", "taken", "shelf") == asked.content_words == asked.content_terms
    assert {"oldest": "oldest", "jars": "jar", "taken": "taken", "shelf": "shelf"} == asked.stems


def test_a_query_of_small_words_alone_keeps_them() -> None:
    assert ("where", "is", "this") == analyse("where is this").content_words
    assert ("find", "for") == (*analyse("find").content_words, *analyse("for").content_terms)


def test_what_is_quoted_is_kept_as_written() -> None:
    text = "\"exact phrase\" and `a.code()` but not don't or can't, nor 'Jar one' twice \"exact phrase\""
    assert ("exact phrase", "a.code()", "Jar one") == analyse(text).literals


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the interface of a store", (Kind.INTERFACE,)),
        ("methods and classes for tests", (Kind.METHOD, Kind.CLASS)),
        ("Type", ()),
        ("oldest jar", ()),
    ],
)
def test_kinds_asked_for_by_a_word_are_told(text: str, expected: tuple[Kind, ...]) -> None:
    assert expected == analyse(text).kinds


def test_sorts_of_files_asked_for_by_a_word_are_told() -> None:
    assert (Subject.TEST, Subject.EXAMPLE) == analyse("tests of the examples, tested").subjects
    assert () == analyse("the oldest jar").subjects


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("retry with backoff in rust", ("rust",)),
        ("python function that retries, in C++ too", ("python", "cpp")),
        ("Golang code", ("go",)),
        ("where to go next", ()),
        ("how to make a class immutable", ()),
        ("dates in json", ()),
        ("json files of settings", ("json",)),
        ("in haskell", ()),
    ],
)
def test_a_language_is_recognised_where_it_is_meant_as_one(text: str, expected: tuple[str, ...]) -> None:
    assert expected == analyse(text, LANGUAGES).language_hints


def test_without_the_languages_of_a_bundle_none_is_recognised() -> None:
    assert () == analyse("retry in rust").language_hints


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("where does src/foo.py open it", ("src/foo.py",)),
        ("the tests in tests/, and `./lib/util.rs`.", ("tests/", "lib/util.rs")),
        ("Cargo.toml versions", ("Cargo.toml",)),
        ("retries under web/client", ("web/client",)),
        ("the client/server split and/or TCP/IP", ()),
        ("see https://example.org/a/b.html", ()),
        ("version 3.11 of it. Then more", ()),
        ("a .gitignore of /etc/passwd ...", (".gitignore", "etc/passwd")),
        ("a / b", ()),
    ],
)
def test_what_is_spelt_like_a_path_is_a_hint(text: str, expected: tuple[str, ...]) -> None:
    assert expected == analyse(text).path_hints


@given(text=st.text("abz09 ä_.A:#", max_size=20))
def test_words_that_are_spelt_like_names_are_names_wherever_they_stand(text: str) -> None:
    words = re.findall(r"[^\W\d]\w*(?:(?:::|->|[.#\\])[^\W\d]\w*)*", analyse(text).whole)
    spelt = [word for word in words if re.search(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]|[^_]_[^_]|::|->|[.#\\]", word)]
    assert {qualified(word) for word in spelt} <= set(analyse(text).names)
