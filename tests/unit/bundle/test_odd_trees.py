"""Trees that leave tables, columns or posting lists empty or fill them oddly: their bundles verify, and answer."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from checkouts import write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import canonical_json, digest_of
from hardtack.bundle.format.manifest import parse_manifest, render_manifest, with_members
from hardtack.bundle.indexes.names import Family
from hardtack.bundle.reader import open_bundle
from hardtack.errors import FormatError
from hardtack.query.searcher import Searcher
from hardtack.query.state.readiness import check_everything

KEYWORD = BuildOptions(jobs=1, profile="keyword")

TREES: Mapping[str, Mapping[str, str]] = {
    "text without a symbol": {"notes.txt": "jars and lids\n"},
    "nothing but separators": {"__/--.txt": "+ - * /\n", "a.py": "_ = 1\n__ = 2\n"},
    "an empty file before, between and after": {"a.py": "", "b.py": "def jar(): pass\n", "c.py": "", "d.py": "\n \n"},
    "a file without symbols at the end": {"a.py": "class Jar:\n    def open_lid(self): pass\n", "z.txt": "jar\n"},
    "names that are no ASCII": {
        "größe/änderung_Jar.py": "def größe_ändern(): pass\nclass Café: pass\n",
        "日本.md": "# 日本 語\n\njar\n",
    },
    "headings of many words": {"README.md": "# Jar: how *to*\topen it, and `close()`\n\n## \n\n##  -- \n\njar\n"},
    "a word three hundred times": {"a.txt": "jar " * 300, "b.txt": "jar\n"},
    "a word longer than a term": {"a.py": f"def {'jar' * 80}(): pass\n"},
}


def built(tree: Mapping[str, str], directory: Path, options: BuildOptions = KEYWORD) -> Path:
    write(directory / "tree", tree)
    build_bundle(directory / "tree", directory / "bundle", options)
    return directory / "bundle"


@pytest.mark.parametrize(
    ("name", "text"),
    [*((name, "full") for name in TREES), ("text without a symbol", "none"), ("a word three hundred times", "none")],
)
def test_the_bundle_of_an_odd_tree_verifies_and_answers(name: str, text: str, tmp_path: Path) -> None:
    with open_bundle(built(TREES[name], tmp_path, replace(KEYWORD, text=text))) as bundle:
        check_everything(bundle)
        searcher = Searcher(bundle)
        for query in ("jar", "where is a jar opened", "日本", "__", "größe_ändern"):
            searcher.search(query, mode="keyword")


def test_every_file_of_several_roots_has_the_name_of_its_root_as_a_folder(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "jar.py").write_text(f"def {name}_lid(): pass\n", encoding="utf-8")
    options = replace(KEYWORD, roots=(("one", tmp_path / "one"), ("two", tmp_path / "two")))
    build_bundle(tmp_path / "unused", tmp_path / "bundle", options)
    with open_bundle(tmp_path / "bundle") as bundle:
        bundle.check_records()
        names = bundle.names
        assert [1] == names.postings(Family.FOLDER, names.row("two")).tolist()
        assert [0, 1] == names.postings(Family.STEM, names.row("jar")).tolist()


def test_references_and_imports_from_elsewhere_are_counted(tmp_path: Path) -> None:
    tree = {
        "jar.py": "class Jar:\n    pass\n\n\ndef lid():\n    return Jar()\n",
        "shelf.py": "from jar import Jar\n\n\ndef shelf():\n    return [Jar(), Jar()]\n",
    }
    with open_bundle(built(tree, tmp_path)) as bundle:
        bundle.check_records()
        elsewhere = [each for each in bundle.related.references_of("Jar") if each.target == 0 and each.file == 1]
        assert 2 <= len(elsewhere) == bundle.columns.of_symbols("references")[0] == bundle.columns.of_files("references")[0]
        assert [1, 0] == list(bundle.columns.of_files("importers"))
        assert (1, 1) == (bundle.columns.of_files("types")[0], bundle.columns.of_files("functions")[0])


@pytest.mark.parametrize(("member", "what"), [(layout.NAMES, "lists"), (layout.WORDS, "lists"), (layout.PAIRS, "bits")])
def test_lists_and_pairs_of_another_tree_do_not_verify(member: str, what: str, tmp_path: Path) -> None:
    mine = built({"jar.py": "def jar(): pass\n"}, tmp_path / "mine")
    other = built({"lid.py": "def lid(): pass\n"}, tmp_path / "other")
    shutil.copy(other / member, mine / member)
    _sign(mine)
    with open_bundle(mine) as bundle, pytest.raises(FormatError, match=rf"{member} is damaged: it has other {what}"):
        bundle.check_records()


def test_terms_of_other_rules_are_neither_searched_nor_looked_up(tmp_path: Path) -> None:
    place = built({"jar.py": "def jar(): pass\n"}, tmp_path)
    manifest = parse_manifest((place / layout.MANIFEST).read_bytes())
    (place / layout.MANIFEST).write_bytes(render_manifest(manifest._replace(terms_fingerprint=digest_of(canonical_json({})))))
    with open_bundle(place) as bundle:
        for wanted in ("names", "words", "pairs", "lexical"):
            with pytest.raises(FormatError, match="other rules"):
                getattr(bundle, wanted)


def _sign(place: Path) -> None:
    manifest = parse_manifest((place / layout.MANIFEST).read_bytes())
    members = [
        each._replace(size=(place / each.name).stat().st_size, sha256=digest_of((place / each.name).read_bytes()))
        for each in manifest.members
    ]
    (place / layout.MANIFEST).write_bytes(render_manifest(with_members(manifest, tuple(members))))
