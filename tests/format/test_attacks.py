"""Every hostile bundle on the shelf is refused by its named error, in bounded time and memory, and none brings the process down."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from forge import Attack
from shelf import ATTACKS

SECONDS = 5.0
MEGABYTES = 200


@pytest.fixture(scope="module")
def endings() -> dict[str, dict[str, Any]]:
    """How each attack ended, by name; all of them are run at once, outside this process."""
    shelf = Path(__file__).parent / "shelf.py"
    done = subprocess.run([sys.executable, str(shelf)], capture_output=True, text=True, check=True, timeout=600)
    return {ending["name"]: ending for ending in map(json.loads, done.stdout.splitlines())}


def test_no_two_attacks_share_a_name() -> None:
    assert [] == [name for name, count in Counter(attack.name for attack in ATTACKS).items() if count > 1]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.encode("unicode_escape").decode())
def test_an_attack_ends_in_its_named_error(attack: Attack, endings: dict[str, dict[str, Any]]) -> None:
    ending = endings[attack.name]
    if attack.error:
        assert attack.error == ending["error"], ending["sentence"]
        assert attack.words in ending["sentence"]
    else:
        assert ending["error"] in {"", "FormatError"}, ending["sentence"]
    assert ending["seconds"] < SECONDS
    assert ending["megabytes"] < MEGABYTES


def test_a_sentence_about_damage_names_its_member_and_its_row(endings: dict[str, dict[str, Any]]) -> None:
    told = 0
    for name, ending in endings.items():
        if ending["error"] != "FormatError":
            continue
        sentence = ending["sentence"]
        if member := re.match(r"(\S+) is damaged: ", sentence):
            told += 1
            assert ending["field"] == member[1], name
            assert not re.search(r"\brow (?!\d|count)", sentence), (name, sentence)
    assert told > 50
