"""The pictures of the job's summary: bounded, of what imports what changed, with arrows that lead there."""

from __future__ import annotations

import re
from pathlib import Path

from bundles import opened

from hardtack.ci.pictures import BOXES, Picture, dependants, languages


def _drawn(place: Path, files: dict[str, str], changed: set[str]) -> Picture:
    with opened(place, files) as bundle:
        return dependants(bundle, [number for number, file in enumerate(bundle.files) if file.path in changed])


def _parts(picture: Picture) -> tuple[dict[str, str], set[str], set[tuple[str, str]]]:
    """Number of a box -> its label; the labels that changed; arrows between labels."""
    text = "\n".join(picture.lines)
    boxes = dict(re.findall(r'^  (n\d+)\["(.*?)"\]', text, re.MULTILINE))
    changed = {boxes[each] for each in re.findall(r"^  (n\d+)\[.*\]:::changed", text, re.MULTILINE)}
    arrows = {(boxes[one], boxes[other]) for one, other in re.findall(r"^  (n\d+) -->\|\d+\| (n\d+)", text, re.MULTILINE)}
    return boxes, changed, arrows


def test_few_files_are_drawn_with_those_that_import_them_and_theirs(tmp_path: Path) -> None:
    files = {
        "a.py": "def a(): ...\n",
        "b.py": "import a\n",
        "c.py": "import b\n",
        "other.py": "import lonely\n",
        "lonely.py": "",
        "tests/test_a.py": "import a\n",
    }
    boxes, changed, arrows = _parts(_drawn(tmp_path, files, {"a.py"}))
    assert {"a.py", "b.py", "c.py"} == set(boxes.values())
    assert {"a.py"} == changed
    assert {("b.py", "a.py"), ("c.py", "b.py")} == arrows


def test_many_files_are_drawn_as_folders_and_what_finds_no_room_is_counted(tmp_path: Path) -> None:
    files = {"base/__init__.py": "", "base/jar.py": "def jar(): ...\n"}
    files |= {f"shop_{number}/{name}.py": "from base import jar\n" for number in range(30) for name in "xy"}
    picture = _drawn(tmp_path, files, {"base/jar.py"})
    boxes, changed, arrows = _parts(picture)
    assert (BOXES, {"base"}) == (len(boxes), changed)
    assert 30 + 1 - BOXES == picture.left_out
    assert {"base"} == {target for _, target in arrows}


def test_what_many_changes_are_tied_to_has_room_beside_them(tmp_path: Path) -> None:
    files = {f"part_{number}/jar.py": "def jar(): ...\n" for number in range(30)}
    files |= {"top/all.py": "".join(f"import part_{number}.jar\n" for number in range(30))}
    boxes, changed, _ = _parts(_drawn(tmp_path, files, {path for path in files if path.startswith("part")}))
    assert "top" in set(boxes.values()) - changed


def test_nothing_is_drawn_where_nothing_imports_what_changed(tmp_path: Path) -> None:
    files = {"a.py": "import b\n", "b.py": "", "README.md": "words\n"}
    assert () == _drawn(tmp_path, files, {"a.py", "README.md"}).lines
    assert () == _drawn(tmp_path / "none", files, set()).lines


def test_languages_are_drawn_by_lines_where_there_are_several(tmp_path: Path) -> None:
    files = {"a.py": "x = 1\n" * 9, "b.cs": "class B {}\n", "c.cpp": "int c;\n\n"}
    with opened(tmp_path / "many", files) as bundle:
        lines = languages(bundle.manifest)
    assert ['  "Python" : 9', '  "C#43;#43;" : 2', '  "C#35;" : 1'] == lines[2:-1]
    with opened(tmp_path / "one", {"a.py": "x = 1\n"}) as bundle:
        assert [] == languages(bundle.manifest)
