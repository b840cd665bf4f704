"""Every hostile bundle on the shelf is refused by its named error, in bounded time and memory, and none brings the process down."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import attacks_on_postings
import attacks_on_records
import pytest
from shelf import ATTACKS, Attack

SECONDS = 5.0
MEGABYTES = 200


@pytest.fixture(scope="module")
def endings() -> dict[str, dict[str, Any]]:
    """How each attack ended, by name; all of them are run at once, outside this process."""
    shelf = Path(__file__).parent / "shelf.py"
    done = subprocess.run([sys.executable, str(shelf)], capture_output=True, text=True, check=True, timeout=600)
    return {ending["name"]: ending for ending in map(json.loads, done.stdout.splitlines())}


SEARCH_WITH_LISTS = """
import sys, traceback
from hardtack import arrays
arrays.use_lists(chunks=1)
from hardtack.errors import HardtackError
from hardtack.query.opening import open_bundle
for place in sys.stdin.read().split("\\n"):
    try:
        with open_bundle(place) as searcher:
            for words in ("portions", "HandleStock", "stock must_ration"):
                searcher.search(words, mode="keyword")
        print("accepted")
    except HardtackError as error:
        print(type(error).__name__)
    except Exception:
        print(repr(traceback.format_exc()))
assert "numpy" not in sys.modules
"""


def test_a_search_with_lists_meets_no_more_than_a_named_error(tmp_path: Path) -> None:
    attacks = [attack for attack in (*attacks_on_postings.ATTACKS, *attacks_on_records.ATTACKS) if attack.profile == "keyword"]
    places = [str(attack.forged().save(tmp_path / str(number))) for number, attack in enumerate(attacks)]
    command = [sys.executable, "-c", SEARCH_WITH_LISTS]
    done = subprocess.run(command, input="\n".join(places), capture_output=True, text=True, check=True, timeout=300)
    endings = dict(zip((attack.name for attack in attacks), done.stdout.splitlines(), strict=True))
    assert {} == {name: ending for name, ending in endings.items() if not ending.isidentifier()}
    assert {"accepted", "FormatError"} <= set(endings.values())


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
