"""A list of repositories: what its lines mean, and which lists are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.errors import SourceError, UsageError
from hardtack.fleet import listing
from hardtack.fleet.listing import Entry, parse_list, read_list

LIST = Path("/lists/all.txt")


def only(line: str) -> Entry:
    (entry,) = parse_list(line, LIST)
    return entry


@pytest.mark.parametrize(
    ("line", "address", "ref", "name", "protocol"),
    [
        ("https://git.example.org/o/n.git", "https://git.example.org/o/n.git", "", "git.example.org/o/n", "https"),
        ("HTTPS://Git.Example.org/o/n", "HTTPS://Git.Example.org/o/n", "", "git.example.org/o/n", "https"),
        ("http://localhost:8080/n.git main", "http://localhost:8080/n.git", "main", "localhost/n", "http"),
        ("ssh://git@example.org/o/n.git v1.2", "ssh://git@example.org/o/n.git", "v1.2", "example.org/o/n", "ssh"),
        ("git@example.org:o/n.git release/2", "git@example.org:o/n.git", "release/2", "example.org/o/n", "ssh"),
        ("/srv/git/n.git - example.org/o/n", "/srv/git/n.git", "", "example.org/o/n", "file"),
        ("mirrors/n.git", "/lists/mirrors/n.git", "", "", "file"),
        ("file:///srv/a%20b.git", "/srv/a b.git", "", "", "file"),
        ("\tgit@example.org:o/n\tmain\texample.org/a/b   # why", "git@example.org:o/n", "main", "example.org/a/b", "ssh"),
        (f"https://example.org/o/n {'a' * 40}", "https://example.org/o/n", "a" * 40, "example.org/o/n", "https"),
        ("https://example.org/o/n#odd", "https://example.org/o/n#odd", "", "example.org/o/n", "https"),
    ],
)
def test_a_line_is_an_address_what_to_build_of_it_and_its_name(line: str, address: str, ref: str, name: str, protocol: str) -> None:
    entry = only(line)
    assert (address, ref, name, protocol) == (entry.address, entry.ref, entry.name, entry.protocol)


def test_comments_and_empty_lines_name_nothing_and_the_order_is_kept() -> None:
    entries = parse_list("# one\n\n   \nhttps://e.org/o/b\r\n  # two\nhttps://e.org/o/a dev # three\nhttps://e.org/o/a\n", LIST)
    assert [("e.org/o/b", ""), ("e.org/o/a", "dev"), ("e.org/o/a", "")] == [(entry.name, entry.ref) for entry in entries]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ext::sh main", "no address of a repository"),
        ("ext::id", "no address of a repository"),
        ("--upload-pack=id", "no address of a repository"),
        ("https://-oProxyCommand=id/x", "no URL of a repository"),
        ("ssh://-oProxyCommand=id/x", "no URL of a repository"),
        ("-oProxyCommand=id:x", "no address of a repository"),
        ("git://example.org/o/n", "no transport"),
        ("ftp://example.org/o/n", "no transport"),
        ("file://other/srv/n", "no place on this machine"),
        ("https://me:secret@example.org/o/n", "has a credential"),
        ("https://token@example.org/o/n", "has a credential"),
        ("https:///o/n", "no URL of a repository"),
        ("https://example.org/o/n --upload-pack=id", "no name of a branch or tag"),
        ("https://example.org/o/n refs/heads/main", "no name of a branch or tag"),
        ("https://example.org/o/n a..b", "no name of a branch or tag"),
        ("https://example.org/o/n HEAD@{1}", "no name of a branch or tag"),
        ("https://example.org/o/n main:other", "no name of a branch or tag"),
        ("https://example.org/o/n main Example.org/o/n", "no name of a repository"),
        ("https://example.org/o/n main just-a-word", "no name of a repository"),
        ("https://example.org/o/n main example.org/../n", "no name of a repository"),
        ("a b c d", "4 columns"),
        ("https://example.org/o/n\x1b[2J", "cannot be printed"),
        ("https://example.org/" + "n" * 5000, "more than 4096 characters"),
    ],
)
def test_a_line_that_could_run_or_hide_something_refuses_the_list_and_is_named(line: str, said: str) -> None:
    with pytest.raises(UsageError, match="line 2") as refused:
        parse_list(f"https://example.org/first/one\n{line}", LIST)
    assert said in str(refused.value)
    assert "secret" not in str(refused.value)


def test_what_stands_there_twice_is_refused_with_both_lines() -> None:
    with pytest.raises(UsageError, match=r"line 3 has what line 1 has"):
        parse_list("https://e.org/o/a main\nhttps://e.org/o/a\nhttps://e.org/o/a main\n", LIST)


def test_a_list_has_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "list.txt"
    with pytest.raises(SourceError, match="cannot be read"):
        read_list(place)
    place.write_bytes(b"# nothing\n")
    with pytest.raises(UsageError, match="names no repository"):
        read_list(place)
    place.write_bytes(b"https://e.org/o/caf\xe9\n")
    with pytest.raises(UsageError, match="no text in UTF-8: byte 19"):
        read_list(place)
    place.write_bytes(b"\xef\xbb\xbfhttps://e.org/o/a\nhttps://e.org/o/b\n")
    assert 2 == len(read_list(place))
    monkeypatch.setattr(listing, "MOST_REPOSITORIES", 1)
    with pytest.raises(UsageError, match="more than 1 repositories"):
        read_list(place)
    monkeypatch.setattr(listing, "LIST_LIMIT", 10)
    with pytest.raises(UsageError, match="larger than the 10 bytes"):
        read_list(place)


@given(st.text(max_size=200))
def test_whatever_stands_in_a_list_it_gives_entries_that_git_can_be_given_or_one_sentence(text: str) -> None:
    try:
        entries = parse_list(text, LIST)
    except UsageError as error:
        assert str(error).endswith((".", "."))
        return
    for entry in entries:
        assert entry.protocol in ("file", "http", "https", "ssh")
        assert not entry.address.startswith("-")
        assert not entry.ref.startswith("-")
        assert "\n" not in entry.address + entry.ref
