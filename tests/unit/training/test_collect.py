"""Which packages are held out, and what merging packages keeps."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import numpy as np

from collect import HELD_OUT_PACKAGE_CAP, MAX_SAME_LEFT, capped, is_held_out, jobs_of, merge, rows_of, screen
from collect_licences import Terms
from collect_sources import Package, read_lock, write_lock
from exclusions import index_of

TRAINED = next(f"package-{number}" for number in range(100) if not is_held_out(f"package-{number}"))
HELD_OUT = next(f"package-{number}" for number in range(100) if is_held_out(f"package-{number}"))


def row(left: str, right: str, *, package: str = TRAINED, kind: str = "doc", language: str = "python") -> dict[str, str]:
    return {
        "kind": kind,
        "language": language,
        "package": f"pypi:{package}",
        "symbol": "function",
        "name": "f",
        "path": "f.py",
        "left": left,
        "right": right,
    }


def test_a_package_in_ten_is_held_out_by_the_whole_digest_of_its_name() -> None:
    names = [f"name-{number}" for number in range(1000)]
    assert [int(hashlib.sha256(name.encode()).hexdigest(), 16) % 10 == 0 for name in names] == [is_held_out(name) for name in names]
    assert 70 <= sum(map(is_held_out, names)) <= 130


def test_what_stands_in_both_halves_is_taken_from_the_training_half() -> None:
    copies = [
        row("Opens the file.", "def f(): return open(1)"),
        row("Opens a file.", "def f():\n  return open(1)", package=HELD_OUT),
    ]
    training, held_out, dropped = merge([(copies, Counter())])
    assert ([], [copies[1]]) == (training, held_out)
    assert dropped["same code as another pair"] == 1


def test_a_question_of_the_held_out_half_is_not_trained_on() -> None:
    rows = [row("Opens the file.", "def f(): return open(1)"), row("opens the file", "def g(): return read(2)", package=HELD_OUT)]
    training, held_out, _ = merge([(rows, Counter())])
    assert ([], [rows[1]]) == (training, held_out)


def test_the_held_out_half_is_documentation_only() -> None:
    rows = [row("open file", "def _(): return open(1)", package=HELD_OUT, kind="name")]
    assert merge([(rows, Counter())])[:2] == ([], [])


def test_one_held_out_package_gives_only_its_share() -> None:
    rows = [
        row(f"Opens the file {number}.", f"def f(): return {number}", package=HELD_OUT)
        for number in range(HELD_OUT_PACKAGE_CAP + 5)
    ]
    assert len(merge([(rows, Counter())])[1]) == HELD_OUT_PACKAGE_CAP


def test_a_question_asked_of_many_things_is_kept_a_few_times() -> None:
    rows = [row("Returns the value.", f"def f(): return {number}") for number in range(9)]
    training, _, dropped = merge([(rows, Counter())])
    assert len(training) == MAX_SAME_LEFT
    assert dropped["same question as other pairs"] == 9 - MAX_SAME_LEFT


def test_merging_does_not_depend_on_the_order_of_packages() -> None:
    shards = [([row(f"Opens the file {number}.", f"def f(): return {number % 3}")], Counter[str]()) for number in range(9)]
    assert merge(shards) == merge(shards[::-1])


def test_what_is_over_a_share_is_chosen_by_digest_and_not_by_place() -> None:
    rows = [row(f"Opens the file {number}.", f"def f(): return {number}") for number in range(20)]
    assert capped(rows, 5) == capped(rows[::-1], 5)
    assert len(capped(rows, 5)) == 5


def test_screening_drops_and_counts_what_stands_in_a_benchmark_tree(tmp_path: Path) -> None:
    code = "def total(jars, price):\n    return sum(jar.weight * price for jar in jars if jar.is_full)"
    np.save(tmp_path / "known.npy", index_of([code.encode()]))
    rows = [
        row("Adds it all up.", code),
        row("Opens the file.", "def f(path, mode):\n    return open(path, mode, encoding='utf-8')"),
    ]
    lines = [*map(json.dumps, rows), json.dumps({"dropped": {"licence": 2}})]
    (tmp_path / "shard.jsonl").write_text("\n".join(lines) + "\n")
    screen(tmp_path / "shard.jsonl", tmp_path / "known.npy", tmp_path / "out.jsonl")
    assert rows_of(tmp_path / "out.jsonl") == ([rows[1]], Counter({"licence": 2, "code occurs in a benchmark repository": 1}))


def test_screening_knows_code_whose_name_is_blanked_out(tmp_path: Path) -> None:
    np.save(tmp_path / "known.npy", index_of([b"struct header8 { uint8_t length; uint8_t header8_flags; char text[]; };"]))
    blanked = {
        **row("header 8", "struct _ { uint8_t length; uint8_t header8_flags; char text[]; };", kind="name"),
        "name": "header8",
    }
    (tmp_path / "shard.jsonl").write_text(f'{json.dumps(blanked)}\n{{"dropped": {{}}}}\n')
    screen(tmp_path / "shard.jsonl", tmp_path / "known.npy", tmp_path / "out.jsonl")
    assert rows_of(tmp_path / "out.jsonl") == ([], Counter({"code occurs in a benchmark repository": 1}))


def test_a_lock_reads_back_as_it_was_written(tmp_path: Path) -> None:
    packages = [
        Package(
            registry="debian",
            name="a",
            version="1-2",
            licence="MIT",
            files=(("a.orig.tar.gz", "0" * 64), ("a.debian.tar.xz", "1" * 64)),
        ),
        Package(registry="git", name="o/n", version="f" * 40, licence="ISC", files=()),
    ]
    write_lock(tmp_path / "lock", packages[::-1])
    assert read_lock(tmp_path / "lock") == packages
    assert read_lock(tmp_path / "none") == []


def test_a_repository_gives_two_jobs_where_its_history_is_read_and_their_pairs_are_kept_apart() -> None:
    packages = [
        (Package(registry="git", name=name, version="f", licence="ISC", files=()), Terms(licence="ISC")) for name in ("a/b", "c/d")
    ]
    places = [job.place(Path("x")).name for job in jobs_of(packages, {"a/b"})]
    assert places == ["git--a+b--f.jsonl", "git--c+d--f.jsonl", "git--a+b--f--history.jsonl"]
