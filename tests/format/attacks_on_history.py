"""Hostile histories: commits, lists and words that lie, beside the frozen bundle's own files and symbols."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import msgpack
from attacks_on_postings import Words
from attacks_on_records import NESTED
from forge import Attack, Forge

from hardtack.bundle.format.layout import HISTORY, HISTORY_POSTINGS
from hardtack.bundle.format.tables import render_table
from hardtack.bundle.indexes.history import CommitRecord, CommitToWrite, render_history

BIG = (1 << 64) - 1
HEAD = 32
"""Bytes before the lists."""
NEWEST, OLDER, OLDEST = (bytes([number]) * 20 for number in (7, 8, 9))
COMMITS = [
    CommitToWrite(CommitRecord(NEWEST, 1_700_000_200, "Ration the stock", "Portions\nfor all.", 3, 0), (0, 2), (0, 1)),
    CommitToWrite(CommitRecord(OLDER, 1_700_000_100, "A sweep", "", 5000, 2), (), ()),
    CommitToWrite(CommitRecord(OLDEST, 1_700_000_000, "Begin", "", 2, 0), (0, 1), (0,)),
]


def with_history(forge: Forge, commits: list[CommitToWrite] = COMMITS) -> None:
    """Give the bundle a history that is sound if the commits are."""
    forge.members |= {name: b"".join(pieces) for name, pieces in render_history(commits)}
    forge.document["provenance"] |= {"commit": NEWEST.hex(), "source": "commit"}
    forge.document["history"] = {
        "asked": 5,
        "commits": len(commits),
        "newest": commits[0].record.id.hex(),
        "oldest": commits[-1].record.id.hex(),
        "newest_time": commits[0].record.time,
        "oldest_time": commits[-1].record.time,
        "end": "root",
    }


def commit(place: int, **changed: Any) -> Callable[[Forge], None]:
    """A field of a commit, or its files or symbols."""

    def apply(forge: Forge) -> None:
        commits = list(COMMITS)
        lists = {name: changed[name] for name in ("files", "symbols") if name in changed}
        fields = {name: value for name, value in changed.items() if name not in lists}
        commits[place] = commits[place]._replace(record=commits[place].record._replace(**fields), **lists)
        with_history(forge, commits)

    return apply


def row(place: int, data: bytes) -> Callable[[Forge], None]:
    """A row's bytes."""

    def apply(forge: Forge) -> None:
        with_history(forge)
        rows = [msgpack.packb(each.record) for each in COMMITS]
        rows[place] = data
        times = {"time": [each.record.time for each in COMMITS]}
        forge.members[HISTORY] = b"".join(render_table(CommitRecord._fields, rows, times))

    return apply


def postings(change: Callable[[bytes], bytes]) -> Callable[[Forge], None]:
    """The bytes of the postings."""

    def apply(forge: Forge) -> None:
        with_history(forge)
        forge.members[HISTORY_POSTINGS] = change(forge.members[HISTORY_POSTINGS])

    return apply


def patched(at: int, code: str, value: int) -> Callable[[Forge], None]:
    def change(data: bytes) -> bytes:
        return data[:at] + struct.pack(f"<{code}", value) + data[at + struct.calcsize(code) :]

    return postings(change)


def words(change: Callable[[Words], None]) -> Callable[[Forge], None]:
    """The index of words at the end of the postings."""

    def apply(data: bytes) -> bytes:
        at = data.index(b"HTKWRD\0\1")
        parsed = Words.parsed(data[at:])
        change(parsed)
        return data[:at] + parsed.rendered()

    return postings(apply)


def one_stem_more(parsed: Words) -> None:
    parsed.stems.append(0xFFFFFFFF)
    parsed.lists.append([(0, 1)])


def told(**changed: Any) -> Callable[[Forge], None]:
    """What the manifest says of the history."""

    def apply(forge: Forge) -> None:
        with_history(forge)
        forge.document["history"] |= changed

    return apply


def without(member: str) -> Callable[[Forge], None]:
    def apply(forge: Forge) -> None:
        with_history(forge)
        del forge.members[member]

    return apply


def unsaid(forge: Forge) -> None:
    with_history(forge)
    del forge.document["history"]


def only_said(forge: Forge) -> None:
    with_history(forge)
    for member in (HISTORY, HISTORY_POSTINGS):
        del forge.members[member]


def late_column(forge: Forge) -> None:
    with_history(forge)
    rows = [msgpack.packb(each.record) for each in COMMITS]
    forge.members[HISTORY] = b"".join(render_table(CommitRecord._fields, rows, {"time": [1, 2, 3]}))


MANIFEST = [
    Attack(f"history, manifest: {name}", apply, words=said)
    for name, apply, said in (
        ("another newest commit", told(newest=OLDER.hex()), "history.newest"),
        ("another oldest commit", told(oldest=OLDER.hex()), "newest or oldest"),
        ("another time", told(oldest_time=5), "newest or oldest"),
        ("no commit", told(oldest="HEAD"), "no commit"),
        ("no commits", told(commits=0), "history.commits"),
        ("a commit more", told(commits=4), "other commits"),
        ("more commits than were asked for", told(asked=2), "history.commits"),
        ("2^62 commits", told(commits=1 << 62, asked=1 << 62), "history.commits"),
        ("a text for a number", told(commits="3"), "history.commits"),
        ("a list", told(end=[]), "history.end"),
        ("not said", unsaid, "a history exactly when"),
        ("only said", only_said, "a history exactly when"),
        ("without postings", without(HISTORY_POSTINGS), "a history exactly when"),
        ("without rows", without(HISTORY), "a history exactly when"),
    )
]
ROWS = [
    Attack(f"history, row: {name}", apply, words=said)
    for name, apply, said in (
        ("an id of 19 bytes", commit(1, id=bytes(19)), "row 1 has an impossible id"),
        ("an id as text", commit(1, id="a" * 40), "row 1 has an impossible id"),
        ("two lines of subject", commit(1, subject="one\ntwo"), "row 1 has an impossible id, text"),
        ("a subject of a megabyte", commit(1, subject="x" * (1 << 20)), "row 1 has more than"),
        ("a body of a megabyte", commit(1, body="x" * (1 << 20)), "row 1 has more than"),
        ("a time before 1970", row(1, msgpack.packb([OLDER, -5, "s", "b", 1, 0])), "row 1 has an impossible time"),
        ("paths below zero", row(1, msgpack.packb([OLDER, 5, "s", "b", -1, 0])), "row 1 has an impossible paths"),
        ("left out of another kind", commit(1, left_out=3), "row 1 has an impossible id, text or number"),
        ("nested arrays", row(1, NESTED), "row 1"),
        ("a map", row(1, msgpack.packb({})), "row 1"),
        ("a field less", row(1, msgpack.packb([OLDER, 5, "s", "b", 1])), "row 1 has the wrong number of fields"),
        ("a column that says otherwise", late_column, "another time than its column"),
        ("fewer paths than files", commit(0, paths=1), "row 0 says that other files"),
        ("files that are left out and listed", commit(0, left_out=2), "row 0 says that other files"),
        ("a symbol of a file that it left alone", commit(0, files=(2,)), "a symbol of a file that it did not change"),
    )
]
LISTS = [
    Attack(f"history, lists: {name}", apply, words=said)
    for name, apply, said in (
        ("no magic", patched(0, "B", 0), "no history"),
        ("empty", postings(lambda _: b""), "too short"),
        ("cut in its lists", postings(lambda data: data[: HEAD + 10]), "history.postings is damaged"),
        ("2^64-1 commits", patched(8, "Q", BIG), "no history"),
        ("2^64-1 files", patched(16, "Q", BIG), "no history"),
        ("a symbol more", patched(24, "Q", 4), "history.postings is damaged"),
        ("a start past the end", patched(HEAD + 4, "I", 1 << 31), "history.postings is damaged"),
        ("lists that go back", patched(HEAD + 8, "I", 1), "history.postings is damaged"),
        ("a first start that is not 0", patched(HEAD, "I", 1), "out of order"),
        ("a file past the last", commit(0, files=(0, 99)), "points outside"),
        ("a symbol past the last", commit(0, symbols=(0, 1 << 30)), "points outside"),
        ("a file twice", commit(0, files=(0, 0)), "a list is out of order"),
        ("files that descend", commit(0, files=(2, 0)), "a list is out of order"),
        ("bytes left over", postings(lambda data: data + b"\0"), "another length"),
        ("no words", postings(lambda data: data[: data.index(b"HTKWRD")]), "too short"),
        ("a word of a commit past the last", words(lambda each: each.lists[0].append((9, 1))), "points outside"),
        ("a word that is counted none", words(lambda each: each.lists.__setitem__(0, [(0, 0)])), "counts what is not there"),
        ("a word more", words(one_stem_more), "other words"),
        ("a word counted twice", words(lambda each: each.lists.__setitem__(0, [(c, 2) for c, _ in each.lists[0]])), "other words"),
    )
]
SOUND = [Attack("history: sound", with_history, "")]

ATTACKS = [*MANIFEST, *ROWS, *LISTS, *SOUND]
