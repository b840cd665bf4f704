"""What the trainer reads is what the encoder sees; and which tokens there are rows for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from bags import Bags, Pair, Tokens, document_frequencies, mean_reciprocal_rank, read_pairs
from hardtack.encoders.static import default_encoder, member_paths
from members import encoder_in, quantise, read_members, write_members
from vocabulary import first_rows, silent_tokens, vocabulary_of

TEXTS = ["def parseHTTP(text): return text.parse(text)", "Łódź, naïve: 3.14", "", "socket socket"]
PAIR = Pair(kind="doc", language="python", name="read_file", left="Like read_file, not read_files", right="def read_file(): read()")


def test_a_bag_s_weighted_rows_add_up_to_the_encoder_s_vector() -> None:
    folder = member_paths()[0].parent
    vocabulary, rows = read_members(folder)
    bags = Bags.of(TEXTS, Tokens(vocabulary, frozenset(np.flatnonzero(~rows.any(axis=1)).tolist())))
    sums = [
        (bags.times[start:end, None] * rows[bags.tokens[start:end]]).sum(axis=0)
        for start, end in zip(bags.starts[:-1], bags.starts[1:], strict=True)
    ]
    wanted = [vector / (np.linalg.norm(vector) or 1.0) for vector in sums]
    np.testing.assert_allclose(default_encoder().encode(TEXTS), wanted, atol=1e-6)


def test_bags_are_taken_in_the_order_asked_for() -> None:
    ids = Tokens(["[UNK]", "a", "b"], frozenset({0}))
    taken = Bags.of(["a", "b a a", "", "b"], ids).take(np.array([3, 2, 1]))
    assert ([2, 2, 1], [0, 1, 1, 3]) == (taken.tokens.tolist(), taken.starts.tolist())
    assert [1.0, 1.0, 22 / 16] == taken.times.tolist()
    assert [1, 0, 2] == taken.sizes().tolist()


def test_a_name_is_blanked_out_only_where_it_stands_as_a_word() -> None:
    blank = PAIR.without_name()
    assert ("Like _, not read_files", "def _(): read()") == (blank.left, blank.right)
    assert blank == blank.without_name()


def test_pairs_are_read_in_their_order(tmp_path: Path) -> None:
    row = {"kind": "doc", "language": "go", "package": "p", "path": "", "symbol": "", "left": "l" * 500, "right": "r\u2028"}
    lines = [json.dumps(row | {"name": name}, ensure_ascii=False) for name in "ab"]
    (tmp_path / "train.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert [("a", 400, "r\u2028"), ("b", 400, "r\u2028")] == [
        (pair.name, len(pair.left), pair.right) for pair in read_pairs(tmp_path / "train.jsonl")
    ]


def test_a_spelling_counts_once_in_each_text() -> None:
    assert {"read": 2, "file": 1, "readfile": 1} == document_frequencies(["readFile read", "READ"])


def test_the_vocabulary_keeps_what_spells_any_word_and_adds_the_commonest() -> None:
    bert = ["[PAD]", "[UNK]", "a", "##b", "paris", "file"]
    vocabulary = vocabulary_of(["fileName file", "filename 12", "[UNK]"], bert)
    assert ["[UNK]", "a", "##b", "filename", "file", "name", "unk"] == vocabulary
    assert frozenset({0}) == silent_tokens(vocabulary)


def test_a_new_word_starts_from_the_rows_of_its_pieces() -> None:
    bert = ["[UNK]", "file", "##name"]
    rows = np.array([[0.0, 0.0], [1.0, 2.0], [4.0, 8.0]])
    assert [[1.0, 2.0], [5.0, 10.0]] == first_rows(["file", "filename"], bert, rows).tolist()


def test_what_is_written_is_read_within_half_a_quantum(tmp_path: Path) -> None:
    rows = np.random.default_rng(1).normal(size=(4, 8)) * [[0.0], [1.0], [0.01], [3.0]]
    write_members(tmp_path, ["[UNK]", "a", "b", "c"], rows, "this test")
    vocabulary, read = read_members(tmp_path)
    unit = np.abs(rows).max() / (65_535 * 127)
    assert ["[UNK]", "a", "b", "c"] == vocabulary
    assert (np.abs(read * unit - rows) <= quantise(rows)[1][:, None] * unit / 2 + 1e-12).all()
    assert 8 == encoder_in(tmp_path).dimension


def test_a_tie_counts_against_the_right_one() -> None:
    lefts = np.eye(2, dtype=np.float32)
    assert 1.0 == mean_reciprocal_rank(lefts, lefts)
    assert 0.5 == mean_reciprocal_rank(lefts, np.ones((2, 2), dtype=np.float32))
