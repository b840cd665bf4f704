"""The journey of a new user. In a file of its own: it takes longest, and files are what the test processes share out."""

from __future__ import annotations

from pathlib import Path

from proving import prove


def test_a_new_user_gets_through_every_verb_with_good_and_bad_input(repository: Path) -> None:
    prove("journey", repository, "--here", "--kinds", "3")
