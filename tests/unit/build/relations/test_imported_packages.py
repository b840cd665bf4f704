"""An import that means a package itself ends in the file that stands for the package, and the bundle verifies."""

from pathlib import Path

import hardtack
from hardtack.nouns.relations import RelationKind
from hardtack.query.state.readiness import check_everything


def test_an_import_of_all_of_a_package_leads_to_a_file_that_holds_what_it_means(tmp_path: Path) -> None:
    (tmp_path / "Json.scala").write_text("package io.tree\n\nfinal case class Json(value: String)\n")
    (tmp_path / "package.scala").write_text("package io\n\npackage object tree {\n  type Keys = List[String]\n}\n")
    (tmp_path / "Cursor.scala").write_text("package io.tree.cursor\n\nimport io.tree._\n\nfinal class Cursor(json: Json)\n")
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as searcher:
        bundle = searcher.bundle
        check_everything(bundle)
        imports = [each for each in bundle.related.relations() if each.kind is RelationKind.IMPORTS]
        assert ["io.tree *"] == [each.name for each in imports]
        for each in imports:
            if each.target >= 0:
                assert each.target_file == bundle.symbol(each.target).file
