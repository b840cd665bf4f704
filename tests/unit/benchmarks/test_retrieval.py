"""What ``retrieval.py`` makes of paths and labels, and that every correction of a label says what it needs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval import Trees
from retrieval_labels import Correction, corrected, read_corrections

LABELS, HITS = ["a.py", "b.py"], ["c.py", "b.py", "d.py", "a.py"]


def correction(**fields: object) -> Correction:
    """A correction of which only ``fields`` matter."""
    return Correction(**{"repository": "r", "query": "q", "fault": "f", "reason": "because", **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "labels", "hits"),
    [
        ({"label": "a.py", "equal": ("c.py", "d.py")}, LABELS, ["a.py", "b.py"]),
        ({"label": "a.py", "instead": ("d.py", "b.py")}, ["d.py", "b.py"], HITS),
        ({"label": "a.py", "instead": ()}, ["b.py"], HITS),
        ({"also": ("d.py",)}, [*LABELS, "d.py"], HITS),
    ],
)
def test_a_correction_changes_labels_or_lets_a_file_count_as_one(
    fields: dict[str, object], labels: list[str], hits: list[str]
) -> None:
    assert corrected(LABELS, HITS, [correction(**fields)]) == (labels, hits)


def test_a_correction_of_a_label_that_is_not_there_stops_everything() -> None:
    with pytest.raises(SystemExit, match="has no label"):
        corrected(LABELS, HITS, [correction(label="x.py", equal=("c.py",))])


@pytest.mark.parametrize(
    "line", ["equal = []\ninstead = []", "also = ['a']\nlabel = 'b'", "equal = ['a']", "label = 'a'\nequal = ['b']\nwhy = ''"]
)
def test_a_malformed_correction_stops_everything(line: str, tmp_path: Path) -> None:
    table = tmp_path / "labels.toml"
    table.write_text(f"[[label]]\nrepository = 'r'\nquery = 'q'\nfault = 'f'\nreason = 'r'\n{line}\n")
    with pytest.raises(SystemExit, match="entry 1"):
        read_corrections(table)


def test_the_corrections_can_be_read_and_each_has_its_reason() -> None:
    entries = [each for some in read_corrections().values() for each in some]
    assert entries
    assert all(each.reason and each.fault and "\n" not in each.reason for each in entries)


def test_paths_and_labels_are_those_of_the_whole_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETRIEVAL_REPOS", str(tmp_path))
    source = tmp_path / "pantry" / "lib"
    source.mkdir(parents=True)
    (source / "jar.py").touch()
    trees = Trees({"name": "pantry", "benchmark_root": "lib"})
    assert trees.root("source") == source
    assert [trees.path("source", each) for each in ("jar.py", str(source / "jar.py"))] == ["lib/jar.py"] * 2
    assert trees.path("whole", "lib/jar.py") == "lib/jar.py"
    assert trees.wanted({"targets": [{"path": "jar.py"}, {"path": "lib/jar.py"}, {"path": "docs/jar.md"}]}) == [
        "lib/jar.py",
        "docs/jar.md",
    ]
