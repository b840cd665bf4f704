"""A query that begins with a separator asks for the end of a longer name."""

from pathlib import Path

import hardtack


def test_a_selector_is_found_by_its_last_part_before_what_only_has_the_word(tmp_path: Path) -> None:
    (tmp_path / "note.css").write_text("[data-note='x']::after {\n  content: '*';\n}\n")
    (tmp_path / "after.js").write_text("export const after = 1;\nexport function after2() { return after; }\n")
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as searcher:
        assert "note.css" == searcher.search("::after").hits[0].path
        assert "after.js" == searcher.search("after").hits[0].path
