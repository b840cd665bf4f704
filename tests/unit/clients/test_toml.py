"""A table is added to TOML text and removed from it; nothing else may change."""

from __future__ import annotations

import tomllib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.clients import toml

PATH = ("mcp_servers", "hardtack")
ENTRY = {"command": "hardtack", "args": ["serve"]}
TABLE = '[mcp_servers.hardtack]\ncommand = "hardtack"\nargs = ["serve"]\n'

PIECES = [
    "# a comment\n",
    "\n",
    "[mcp_servers.x]\ncommand = 'x' # note\n",
    '[mcp_servers."y.z"]\ncommand = """\n[mcp_servers.hardtack]\n"""\n',
    "[profiles.p]\nlist = [\n  1, # one\n  2,\n]\n\n",
    "[[rules]]\nname = 'r'\n# behind\n",
    "  [features]\n  web = true\n",
    "[mcp_servers.hardtack-2]\nurl = 'https://example.org/#a'\n",
]


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Text of tables in any order, after a few keys."""
    head = draw(st.sampled_from(["", "model = 'm'\n", "# top\n\nmodel = 'm' # m\nlong = '''\n#'''\n"]))
    text = head + "".join(draw(st.lists(st.sampled_from(PIECES), unique=True)))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(documents())
def test_a_table_that_is_put_in_is_all_that_changes_and_taking_it_out_gives_the_same_bytes_back(text: str) -> None:
    longer = toml.put(text, PATH, ENTRY)
    assert longer.startswith(text)
    data = tomllib.loads(text)
    assert {**data, "mcp_servers": {**data.get("mcp_servers", {}), "hardtack": ENTRY}} == tomllib.loads(longer)
    assert longer == toml.put(longer, PATH, ENTRY)
    assert text == toml.remove(longer, PATH)


@given(documents(), documents())
def test_a_table_is_taken_out_of_the_middle(before: str, after: str) -> None:
    after = after[after.find("[") :] if "[" in after else ""
    text = before + "\n" + TABLE + "\n# about the next\n" + after
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # the two halves hold the same table
    assert before + "\n# about the next\n" + after == toml.remove(text, PATH)


@pytest.mark.parametrize("text", ["", "\n", "\n\n", "# only a comment\n", "a = 1\n\n\n"])
def test_next_to_nothing_comes_back_too(text: str) -> None:
    assert text == toml.remove(toml.put(text, PATH, ENTRY), PATH)


def test_tables_below_it_go_too_and_comments_behind_it_stay() -> None:
    text = "a = 1\n\n" + TABLE + "# x\n[mcp_servers.hardtack.env]\nA = 'b'\n\n# about p\n[p]\n"
    assert "a = 1\n\n# x\n\n# about p\n[p]\n" == toml.remove(text, PATH)


def test_an_entry_that_says_something_else_is_replaced_and_a_merge_keeps_the_rest() -> None:
    rest = "startup_timeout_sec = 20 # slow\n\n[p]\n"
    text = '[mcp_servers.hardtack]\n  command = "old#1" # ours\nargs = [ # several\n  "x",\n]\n' + rest
    merged = '[mcp_servers.hardtack]\n  command = "hardtack" # ours\nargs = ["serve"]\n' + rest
    assert merged == toml.put(text, PATH, ENTRY, merge=True)
    assert "\n[p]\n\n" + TABLE == toml.put(text, PATH, ENTRY)


def test_a_key_that_is_missing_is_added_below_the_header() -> None:
    text = '[mcp_servers.hardtack]\nurl = "u"\n'
    expected = '[mcp_servers.hardtack]\ncommand = "hardtack"\nargs = ["serve"]\nurl = "u"\n'
    assert expected == toml.put(text, PATH, ENTRY, merge=True)


def test_names_that_are_no_bare_keys_are_quoted() -> None:
    path = ("mcp_servers", 'a "b".c')
    longer = toml.put("", path, ENTRY)
    assert {"mcp_servers": {'a "b".c': ENTRY}} == tomllib.loads(longer)
    assert "" == toml.remove(longer, path)


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = {hardtack = {command = "x"}}\n',
        'mcp_servers.hardtack.command = "x"\n',
        '[mcp_servers]\nhardtack = {command = "x"}\n',
        'mcp_servers = "x"\n',
        "[[mcp_servers.hardtack]]\n",
        "a = \n",
    ],
)
def test_what_is_written_in_another_way_is_refused(text: str) -> None:
    edits: tuple[Callable[[], str], ...] = (
        lambda: toml.put(text, PATH, ENTRY),
        lambda: toml.put(text, PATH, ENTRY, merge=True),
        lambda: toml.remove(text, PATH),
    )
    for edit in edits:
        with pytest.raises(ValueError, match=r"mcp_servers|Invalid value"):
            edit()


def test_an_inline_table_of_servers_takes_no_other() -> None:
    with pytest.raises(ValueError, match="Cannot declare"):
        toml.put("mcp_servers = {}\n", PATH, ENTRY)
