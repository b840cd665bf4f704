"""An answer on a file that did not parse whole says so, and a symbol that a line gave says that."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from bundles import opened
from click.testing import CliRunner

from hardtack.bundle.reader import Bundle
from hardtack.cli import main
from hardtack.nouns.model import Tag
from hardtack.query.lookup.lookups import LookUps

FILES = {
    "broken.sql": "CREATE PROCEDURE dbo.stack @n INT AS\nSELECT TOP (@n) * FROM [jars] OPTION (RECOMPILE)\nGO\n",
    "broken.py": "from whole import whole\n\nclass Jar(\n    def fill(self):\n        pass\n\ndef stack(n):\n    return whole(n)\n",
    "whole.py": "def whole(n):\n    return n\n\ndef alone():\n    return 1\n",
}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    with opened(tmp_path_factory.mktemp("parsed"), FILES) as bundle:
        yield bundle


def test_a_definition_in_a_file_that_parsed_in_part_has_a_note(bundle: Bundle) -> None:
    found = LookUps(bundle).one_function("stack", file="broken.sql")
    assert "parsed only in part: broken.sql" in found.metadata["note"]
    assert found.tags == (Tag.READ_FROM_LINES.value,)


def test_usages_in_a_file_that_parsed_in_part_have_a_note(bundle: Bundle) -> None:
    assert "parsed only in part: broken.py" in LookUps(bundle).callers("whole").note
    assert "parsed only in part: broken.py" in LookUps(bundle).references("whole").note


def test_an_answer_on_files_that_parsed_whole_has_no_note(bundle: Bundle) -> None:
    found = LookUps(bundle).function("alone")
    assert (found.note, found.results[0].metadata.get("note"), found.results[0].tags) == ("", None, ())


def test_the_verbs_print_the_mark_and_the_note(tmp_path_factory: pytest.TempPathFactory, bundle: Bundle) -> None:
    where = ["--bundle", str(bundle.path)]
    text = CliRunner().invoke(main.commands, ["function", "stack", "--file", "broken.sql", *where]).output
    assert "(read from lines: its file parses only in part)" in text
    assert "**Note:** Definitions and uses may be missing" in text
    document = json.loads(CliRunner().invoke(main.commands, ["references", "whole", "--json", *where]).output)
    assert document["note"].endswith("parsed only in part: broken.py.")
    assert document["note"] in CliRunner().invoke(main.commands, ["references", "whole", *where]).output
