"""The files that an issue mentions by frames, paths, modules and names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bundles import opened

from hardtack.bundle.reader import Bundle
from hardtack.query.ranking.mentions import Mentions
from hardtack.query.ranking.name_match import NameMatcher
from hardtack.query.request.aspects import read_text

FILES = {
    "src/pantry/shelf.py": "class Shelf:\n    def put(self, jar):\n        return jar\n",
    "src/pantry/jar.py": "class Jar:\n    def open(self):\n        return 1\n",
    "src/pantry/lids/__init__.py": "def screw():\n    return 1\n",
    "src/cellar/jar.py": "class Barrel:\n    pass\n",
    "main.py": "print(1)\n",
}
PROSE = (
    "\nIt fails when the shelf is full, and it should say in plain words what is wrong and what to do about it instead, please. "
    * 2
)


@pytest.fixture(scope="module")
def pantry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    with opened(tmp_path_factory.mktemp("pantry"), FILES) as bundle:
        yield bundle


def _found(bundle: Bundle, text: str) -> dict[str, dict[str, float]]:
    found = Mentions(bundle, NameMatcher(bundle)).of(read_text(bundle, f"title\n{text}\n{PROSE}", {}))
    return {name: {bundle.file(file).path: round(weight, 3) for file, weight in of.items()} for name, of in found.items()}


def test_a_path_of_another_machine_is_matched_from_the_right(pantry: Bundle) -> None:
    text = '  File "/opt/lib/site-packages/pantry/jar.py", line 2, in open\n    return 1\n'
    assert {"src/pantry/jar.py": 1.0} == _found(pantry, text)["traced"]


def test_a_base_name_that_several_files_have_is_shared_among_them(pantry: Bundle) -> None:
    assert {"src/pantry/jar.py": 0.25, "src/cellar/jar.py": 0.25} == _found(pantry, "see jar.py there")["named_file"]


def test_the_nearer_a_frame_is_to_the_error_the_more_it_counts(pantry: Bundle) -> None:
    text = '  File "/a/pantry/shelf.py", line 2, in put\n    x\n  File "/usr/lib/json.py", line 9, in load\n    y\n'
    text += '  File "/a/pantry/jar.py", line 2, in open\n    z\n'
    found = _found(pantry, text)
    assert {"src/pantry/jar.py": 1.0} == found["traced_nearest"]
    assert {"src/pantry/jar.py": 1.0, "src/pantry/shelf.py": 0.707} == found["traced"]
    assert {"src/pantry/jar.py": 1.0, "src/pantry/shelf.py": 1.0} == found["traced_anywhere"]


def test_a_module_is_the_end_of_a_path_and_a_folder_stands_for_its_init(pantry: Bundle) -> None:
    assert {"src/pantry/shelf.py": 0.667} == _found(pantry, "from pantry.shelf import Shelf")["named_module"]
    assert {"src/pantry/lids/__init__.py": 0.667} == _found(pantry, "call pantry.lids.screw() twice")["named_module"]


def test_what_the_repository_does_not_have_is_mentioned_by_nothing(pantry: Bundle) -> None:
    text = '  File "/usr/lib/numpy/core.py", line 2, in open\n    x\nsee numpy.core.numeric and other/lid.py\n'
    assert not any(_found(pantry, text).values())
