"""A second bundle, for what several bundles answer and for what is alike within one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from checkouts import write

from hardtack.build.pipeline import BuildOptions
from hardtack.bundle.reader import Bundle
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher

READER = '''"""Recipes from a file of {what}."""


def read_{name}(path, encoding):
    """Read the recipes of a {what} file, one dictionary a recipe."""
    with open(path, encoding=encoding) as opened:
        rows = parse_{name}(opened.read())
    return [dict(recipe=row[0], minutes=int(row[1])) for row in rows]
'''
OVEN = '''"""Heat."""


class Oven:
    """Keeps a temperature."""

    def preheat(self, degrees):
        """Heat up until the wanted temperature is reached."""
        while self.thermometer() < degrees:
            self.burner.on()
        self.burner.off()
'''
LONG = 'def bake_everything(oven, shelf):\n    """Bake one thing after the other."""\n' + "".join(
    f"    dough_{number} = shelf.take('flour_{number}', grams={number})\n    oven.bake(dough_{number}, minutes={number % 60})\n"
    for number in range(200)
)


@pytest.fixture(scope="session")
def kitchen_source(pantry: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two readers that are alike, a copy of one, an oven, a function of many chunks, and a file that the pantry has as well."""
    root = tmp_path_factory.mktemp("source") / "kitchen"
    files = {
        "readers/csv.py": READER.format(name="csv", what="comma separated values"),
        "readers/json.py": READER.format(name="json", what="JSON"),
        "old/csv.py": READER.format(name="csv", what="comma separated values"),
        "oven.py": OVEN,
        "baking.py": LONG,
        "heat/burner.rs": "/// Lights the burner.\npub fn light_burner(gas: u8) -> bool {\n    gas > 0\n}\n",
    }
    write(root, files)
    (root / "docs").mkdir()
    shutil.copy(pantry / "docs" / "guide.md", root / "docs" / "guide.md")
    return root


@pytest.fixture(scope="session")
def kitchen_bundle(kitchen_source: Path, shared_bundle: Callable[[str, Path, BuildOptions], Path]) -> Path:
    """The bundle of the kitchen; nothing may write into it."""
    return shared_bundle("kitchen", kitchen_source, BuildOptions(jobs=1))


@pytest.fixture(scope="session")
def kitchen(kitchen_bundle: Path) -> Iterator[Searcher]:
    with open_bundle(kitchen_bundle) as opened:
        yield opened


@pytest.fixture
def bundle(searcher: Searcher) -> Bundle:
    return searcher.bundle
