"""``hybrid_search``: descriptors of symbols with their scores, from the index that has the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tool_calls import outcome_of

from hardtack.nouns.descriptors import descriptor_to_json
from hardtack.query.files.path_spelling import find_file
from hardtack.query.lookup.hit_descriptors import describe_hits
from hardtack.query.searcher import Searcher
from hardtack.tools.catalog import Catalog
from hardtack.tools.tool import Call


@pytest.fixture(scope="module")
def call(pantry_bundle: Path, kitchen_bundle: Path) -> Call:
    return Call(catalog=Catalog(named=[str(pantry_bundle), str(kitchen_bundle)], clock=lambda: 0))


def _accounts(call: Call, **arguments: Any) -> list[dict[str, Any]]:
    accounts: list[dict[str, Any]] = outcome_of(call, "hybrid_search", **arguments).structured["result"]
    return accounts


def test_an_account_says_what_the_symbol_is_and_how_well_it_answers(call: Call, searcher: Searcher) -> None:
    (account,) = _accounts(call, query="take_oldest", limit=1)
    (hit,) = searcher.search("take_oldest", limit=1).hits
    metadata = account.pop("metadata")
    assert {
        "language": "python",
        "kind": "method",
        "name": "take_oldest",
        "signature": "def take_oldest(self) -> Jar",
        "description": "Take the jar that should be eaten first.",
        "location": {
            "file_path": "src/pantry/shelf.py",
            "uri": "hardtack://pantry/src/pantry/shelf.py#L46-L50",
            "start_line": 46,
            "end_line": 50,
        },
    } == account
    assert (hit.snippet, hit.score, hit.vector_score, hit.keyword_score) == tuple(
        metadata[key] for key in ("snippet", "hybrid_score", "semantic_score", "lexical_score")
    )


def test_all_accounts_are_of_the_hits_of_the_library_in_their_order(call: Call, searcher: Searcher) -> None:
    for query in ("jar", "shelf", "retry"):
        hits = searcher.search(query, limit=50).hits
        accounts = descriptor_to_json(describe_hits(searcher.bundle, hits))
        assert [hit.name or hit.path.rpartition("/")[2] for hit in hits] == [account["name"] for account in accounts]
        assert [hit.path for hit in hits] == [account["location"]["file_path"] for account in accounts]
        assert [hit.score for hit in hits] == [account["metadata"]["hybrid_score"] for account in accounts]


def test_what_has_no_symbol_is_told_of_as_its_file(searcher: Searcher) -> None:
    (hit,) = searcher.search("take_oldest", limit=1).hits
    (account,) = describe_hits(searcher.bundle, [hit._replace(kind="", name="", qualified_name="", selection_line=None)])
    assert ("file", "shelf.py", hit.snippet) == (account.kind, account.name, account.metadata["snippet"])
    assert account.location and (hit.start_line, hit.end_line) == (account.location.start_line, account.location.end_line)


def test_a_kind_that_the_seed_has_no_word_for_is_kept_in_the_metadata(call: Call) -> None:
    kinds = {(account["kind"], account["metadata"].get("kind")) for account in _accounts(call, query="label", limit=50)}
    assert ("constant", "variable") in kinds
    assert "variable" not in {kind for kind, _ in kinds}


def test_a_file_chooses_the_index_that_has_it_and_its_language(call: Call) -> None:
    for path in ("heat/burner.rs", "/home/me/kitchen/heat/burner.rs", "heat\\burner.rs"):
        accounts = _accounts(call, query="light the burner", file_path=path)
        assert {("rust", "hardtack://kitchen/heat/burner.rs")} == {
            (account["language"], account["location"]["uri"].partition("#")[0]) for account in accounts
        }
    assert _accounts(call, query="jar", file_path="gone.py") == _accounts(call, query="jar")
    assert _accounts(call, query="jar", filePath="web/shelf.ts") == _accounts(call, query="jar", file_path="web/shelf.ts")


def test_a_file_of_another_index_than_the_one_named_chooses_nothing(call: Call) -> None:
    given = _accounts(call, query="jar", index_name="pantry", file_path="heat/burner.rs")
    assert given == _accounts(call, query="jar", index_name="pantry")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/pantry/shelf.py", "src/pantry/shelf.py"),
        ("./src//pantry/shelf.py", None),
        ("/a/b/src/pantry/shelf.py", "src/pantry/shelf.py"),
        ("C:\\work\\src\\pantry\\shelf.py", "src/pantry/shelf.py"),
        ("shelf.py", None),
        ("", None),
        ("/", None),
    ],
)
def test_the_longest_end_of_a_path_that_is_one_of_the_bundles_is_meant(searcher: Searcher, path: str, expected: str | None) -> None:
    found = find_file(searcher.bundle, path)
    assert expected == (found.path if found else None)


def test_markdown_shows_the_same_hits_in_fences(call: Call) -> None:
    outcome = outcome_of(call, "hybrid_search", query="take_oldest", limit=2, output_format="markdown")
    assert outcome.text.startswith("**1.** `src/pantry/shelf.py:")
    assert _accounts(call, query="take_oldest", limit=2) == outcome.structured["result"]


def test_five_are_given_unless_more_are_asked_for(call: Call) -> None:
    assert (5, 7) == tuple(len(_accounts(call, query="jar", **more)) for more in ({}, {"limit": 7}))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": " "}, "QUERY_EMPTY"),
        ({"query": "x" * 70_000}, "QUERY_TOO_LONG"),
        ({"query": "jar", "limit": 0}, "LIMIT_INVALID"),
        ({"query": "jar", "index_name": "gone"}, "INDEX_NOT_FOUND"),
        ({"query": "jar", "output_format": "xml"}, "INVALID_REQUEST"),
        ({}, "INVALID_REQUEST"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_code(call: Call, arguments: dict[str, Any], code: str) -> None:
    assert code == outcome_of(call, "hybrid_search", **arguments).structured["error"]["code"]
