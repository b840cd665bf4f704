"""The proofs of ``benchmarks/proofs`` in their short forms, over a small repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from proving import prove


def test_one_commit_gives_one_bundle_whatever_changes_around_it(repository: Path) -> None:
    prove("reproducible", repository, "--together")


def test_no_damage_to_a_bundle_is_accepted(pantry: Path) -> None:
    prove("bitflips", pantry, "--small", "1024", "--flips", "20", "--bits", "1", "--every", "16")


def test_a_bundle_answers_the_same_where_nothing_can_be_written(pantry: Path) -> None:
    if os.environ.get("HARDTACK_TEST_NO_MOUNT") == "1":
        pytest.skip("HARDTACK_TEST_NO_MOUNT says that mounting is not permitted here")
    prove("read_only", pantry, "--queries", "20")


def test_a_killed_build_leaves_the_old_bundle_or_the_new_one_or_nothing(pantry: Path) -> None:
    prove("kills", pantry, "--builds", "12")


def test_a_build_that_takes_over_what_it_can_gives_what_one_gives_that_takes_over_nothing(pantry: Path) -> None:
    prove("incremental", pantry, "--scripts", "5")


def test_shards_merged_are_the_bundle_of_the_whole_tree(repository: Path) -> None:
    prove("shards", repository, "--quick", "--of", "3")


def test_what_answers_for_an_edited_tree_is_the_bundle_of_that_tree(pantry: Path) -> None:
    prove("overlays", pantry, "--scripts", "4")


def test_ten_questions_in_sql_are_answered_as_the_look_ups_answer_them(repository: Path) -> None:
    prove("export", repository, "--names", "40")


def test_a_bundle_is_searched_and_its_symbols_described_with_no_extra_and_no_source(repository: Path) -> None:
    prove("no_extras", repository, "--blocked")


def test_an_install_that_is_killed_or_one_of_many_leaves_the_old_bundle_or_the_new_one(pantry: Path) -> None:
    prove("installs", pantry, "--kills", "12", "--installs", "6", "--rounds", "1", "--grace", "4")


def test_a_server_answers_on_while_its_bundle_is_replaced(repository: Path) -> None:
    prove("soak", repository, "--transport", "stdio", "--minutes", "11", "--minute", "2")


def test_connections_without_the_token_do_not_slow_its_owner(pantry: Path) -> None:
    prove("flood", pantry, "--connections", "600", "--calls", "60")


def test_a_fleet_that_is_killed_and_run_again_builds_every_repository_once(pantry: Path) -> None:
    prove("fleet", pantry, "--repositories", "8")
