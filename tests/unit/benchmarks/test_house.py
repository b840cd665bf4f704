"""What ``house.py`` counts in a checkout, which it only reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkouts import git, init, write

from house import ABSENT, Checkout, arrows_of, citations, counted, shared_class_names, upward

ABSENT_NAME, PRESENT_NAME = ABSENT[:2]
FILES = {
    "src/hardtack/__init__.py": "",
    "src/hardtack/loose.py": "class Shown: ...\nclass Own: ...\n",
    "src/hardtack/query/__init__.py": "",
    "src/hardtack/query/low.py": "class Shown: ...\n",
    "src/hardtack/query/high.py": "from hardtack.query import low\nimport hardtack.loose\n",
    "src/hardtack/query/wing/__init__.py": "from hardtack.query.wing.one import x\n",
    "src/hardtack/query/wing/one.py": "def x():\n    from hardtack.query.low import Shown\n",
    "src/hardtack/query/typed.py": "\n".join(
        (
            "from typing import TYPE_CHECKING",
            "if TYPE_CHECKING:",
            "    from hardtack.query.high import y",
            "else:",
            "    from .low import z",
        )
    ),
    "docs/page.md": f"As {ABSENT_NAME} 6 has it, and {PRESENT_NAME}.md 2; not {ABSENT_NAME} by itself.\n",
    f"{PRESENT_NAME}.md": "It is there.\n",
}
CONTRACT = '[[tool.importlinter.contracts]]\nname = "q"\ntype = "layers"\ncontainers = ["hardtack.query"]\nlayers = ["{}"]\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def read(root: Path) -> Checkout:
    git(init(root), "add", "-A")
    return Checkout(root)


def test_a_package_is_one_room_and_what_is_imported_for_types_alone_is_no_arrow(checkout: Path) -> None:
    rooms, arrows = arrows_of(read(checkout), "query")
    assert rooms == {"low", "high", "wing", "typed"}
    assert arrows == {("high", "low"), ("wing", "low"), ("typed", "low")}


@pytest.mark.parametrize(
    ("layers", "wrong"),
    [
        ("high\nwing | typed\nlow", set()),
        ("low\nhigh | wing | typed", {("high", "low"), ("wing", "low"), ("typed", "low")}),
        ("wing | typed\nhigh | low", {("high", "low")}),
    ],
)
def test_an_arrow_is_held_against_the_floors_of_the_contract(checkout: Path, layers: str, wrong: set[tuple[str, str]]) -> None:
    (checkout / "pyproject.toml").write_text(CONTRACT.format(layers.replace("\n", '", "')), encoding="utf-8")
    found = read(checkout)
    rooms, arrows = arrows_of(found, "query")
    assert upward(arrows, rooms, found.contracts()["hardtack.query"]) == wrong


def test_without_a_contract_the_arrows_of_a_circle_lead_upward(checkout: Path) -> None:
    (checkout / "src/hardtack/query/low.py").write_text("import hardtack.query.high\n", encoding="utf-8")
    rooms, arrows = arrows_of(read(checkout), "query")
    assert upward(arrows, rooms, []) == {("low", "high"), ("high", "low")}


def test_a_class_name_of_two_modules_and_a_citation_of_what_is_not_there_are_listed(checkout: Path) -> None:
    found = read(checkout)
    assert shared_class_names(found) == {"Shown": ["hardtack.loose", "hardtack.query.low"]}
    assert citations(found) == [f"docs/page.md:1: {ABSENT_NAME} 6"]
    assert counted(found)["loose modules at the top"] == 1
