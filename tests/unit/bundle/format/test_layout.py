from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.build.source.paths import label_of
from hardtack.bundle.format.layout import MEMBER_NAME, is_lexical_name, is_member_name, is_segment_name, is_source_path

SEGMENT = "0" * 32


@pytest.mark.parametrize(
    "name", ["NOTICE", "files.msgpack", "encoder.int8", "a.tar.gz", "lexical/meta.json", f"lexical/{SEGMENT}.term"]
)
def test_plain_names_may_name_members(name: str) -> None:
    assert is_member_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "/x",
        "a/b",
        "lexical/",
        "lexical/a/b",
        "lexical/../x",
        "manifest.json",
        ".x",
        "a b",
        "a\n",
        "é",
        "a.b.c.d",
    ],
)
def test_nothing_that_could_be_a_path_names_a_member(name: str) -> None:
    assert not is_member_name(name)


def test_tantivy_is_shown_its_own_files_only() -> None:
    assert is_lexical_name("lexical/meta.json")
    assert is_lexical_name(f"lexical/{SEGMENT}.pos")
    assert not is_lexical_name(f"lexical/{SEGMENT}.del")
    assert not is_lexical_name("lexical/.managed.json")
    assert not is_lexical_name("files.msgpack")


PATHS = [
    *("a", "a/b.py", "a b", "a:b", "CON", "-rf", "é/ü", "e\u0301", "\u200d", "x" * 4096, "\U0001f980"),
    *("", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/./b", "a/../b", "a\\b", "a\0", "a\n", "\x7f", "\x85", "\u061c", "\u200e"),
    *("\u200f", "\u2028", "\u2029", "\u202e", "\u2066", "\ufeff", "\U000e0041", "x" * 4097, "é" * 2049),
]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path!a:.20}")
def test_a_bundle_may_hold_exactly_the_paths_that_a_build_stores(path: str) -> None:
    assert (label_of(path.encode()) == path) == is_source_path(path)


def test_a_lone_surrogate_is_in_no_path() -> None:
    assert not is_source_path("a\udcff")


IN_SEGMENT = re.compile(r"lexical/[0-9a-f]{32}\.(?:fast|fieldnorm|idx|pos|store|term)")


@given(
    name=st.lists(
        st.sampled_from(
            ["lexical/", "a", "Z", "9", ".", "_", "-", "/", "é", "²", "\n", "", "abc", ".idx", ".store", "0f" * 16, "x" * 60]
        ),
        max_size=6,
    ).map("".join)
)
def test_members_are_called_as_the_specification_says(name: str) -> None:
    assert is_member_name(name) is (re.fullmatch(MEMBER_NAME, name) is not None)
    assert is_segment_name(name) is (IN_SEGMENT.fullmatch(name) is not None)
