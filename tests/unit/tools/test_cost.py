"""What reading the files that an answer names would cost."""

from __future__ import annotations

from pathlib import Path

from hardtack.bundle.reader import open_bundle
from hardtack.tools.cost import bytes_of_files_named


def test_each_file_that_a_text_names_counts_once_and_whole(pantry_bundle: Path) -> None:
    with open_bundle(pantry_bundle) as bundle:
        sizes = {file.path: file.size for file in bundle.files}
        text = "## `src/pantry/shelf.py:12-20` and src/pantry/shelf.py, (README.md), ./README.md: no/such.py README shelf.py"
        assert sizes["src/pantry/shelf.py"] + sizes["README.md"] == bytes_of_files_named(text, bundle)
        assert 0 == bytes_of_files_named("nothing.", bundle)
        assert 0 == bytes_of_files_named("a" * 100_000, bundle)
