"""Projects with an index of a language's own indexer: what it says is exact, what it denies is gone, the rest is as without it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from checkouts import write
from scip_indexes import document, index, occurrences, symbol

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import open_bundle

_FIXTURES = Path(__file__).parents[4] / "fixtures" / "scip"


def _told(root: Path, place: Path, *indexes: Path) -> dict[str, list[str]]:
    """``path:line`` and word of each reference, import and supertype -> what it means; a call is marked with ``()``."""
    build_bundle(root, place, BuildOptions(jobs=1, profile="keyword", worktree=True, base="none", scip=indexes))
    found: dict[str, list[str]] = {}
    with open_bundle(place) as bundle:
        bundle.check_records()

        def at(ordinal: int) -> str:
            meant = bundle.symbol(ordinal)
            return f"{bundle.files[meant.file].path}:{meant.selection.start_line}"

        for _, references in bundle.related.references_by_name():
            for each in references:
                text, path = bundle.text_of(bundle.files[each.file]), bundle.files[each.file].path
                word = text[each.start :].decode().partition("\n")[0]
                word = word[: next((i for i, letter in enumerate(word) if not (letter.isalnum() or letter in "_$")), len(word))]
                meaning = f"{at(each.target)} {each.certainty}{'()' if each.is_call else ''}" if each.target >= 0 else "several"
                found.setdefault(f"{path}:{each.line} {word}", []).append(meaning)
        for relation in bundle.related.relations():
            place_of = f"{bundle.files[relation.file].path}:{relation.line} {relation.kind} {relation.name}"
            found.setdefault(place_of, []).append(
                f"{at(relation.target)} {relation.certainty}" if relation.target >= 0 else "outside"
            )
    return {key: sorted(values) for key, values in found.items()}


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[str]]:
    return _told(_FIXTURES / "typescript", tmp_path_factory.mktemp("b") / "bundle", _FIXTURES / "typescript" / "index.scip")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[str]]:
    return _told(_FIXTURES / "python", tmp_path_factory.mktemp("b") / "bundle", _FIXTURES / "python" / "index.scip")


@pytest.mark.parametrize(
    ("place", "meant"),
    [
        (
            "src/shelf.ts:10 fill",
            ["src/jar.ts:16 exact()", "src/jar.ts:9 exact()"],
        ),  # on a value of a union, behind wide characters
        ("src/shelf.ts:10 wide", ["src/jar.ts:21 exact"]),
        ("src/shelf.ts:11 label", ["src/jar.ts:15 exact", "src/jar.ts:7 exact"]),  # taken out of an object
        ("src/shelf.ts:12 close", ["src/jar.ts:23 exact()"]),  # imported under the name that it is exported by
        ("src/shelf.ts:12 seal", ["src/jar.ts:23 exact()"]),
        ("src/shelf.ts:16 heat", ["src/jar.ts:28 exact()"]),  # a default export
        ("src/shelf.ts:17 seal", None),  # a parameter
        ("src/shelf.ts:17 map", None),  # of the language's own library
        ("src/shelf.ts:3 Jar", ["src/jar.ts:6 exact()"]),  # a constructor by the name of its type
        ("src/jar.ts:6 implements Vessel", ["src/jar.ts:1 exact"]),
        ("src/shelf.ts:1 imports ./jar close", ["src/jar.ts:23 exact"]),
        ("src/shelf.ts:1 imports ./jar Jar", ["src/jar.ts:6 exact"]),
    ],
)
def test_what_scip_typescript_says_of_a_place_is_what_it_means(
    typescript: Mapping[str, list[str]], place: str, meant: list[str] | None
) -> None:
    assert meant == typescript.get(place)


@pytest.mark.parametrize(
    ("place", "meant"),
    [
        ("jar/shelf.py:11 fill", ["jar/vessel.py:12 exact()"]),  # of what a subscript gives, behind wide characters
        ("jar/shelf.py:14 empty", ["jar/vessel.py:18 exact()", "jar/vessel.py:5 exact()"]),  # two on the line
        ("jar/shelf.py:18 close", ["jar/vessel.py:22 exact()"]),
        ("jar/shelf.py:18 seal", None),
        ("jar/shelf.py:19 seal", ["jar/vessel.py:22 exact()"]),
        ("jar/vessel.py:9 inherits Vessel", ["jar/vessel.py:1 exact"]),
        ("jar/__init__.py:1 imports jar.shelf Shelf", ["jar/shelf.py:5 exact"]),
        ("jar/shelf.py:2 imports jar.vessel seal", ["jar/vessel.py:22 exact"]),
    ],
)
def test_what_scip_python_says_of_a_place_is_what_it_means(
    python: Mapping[str, list[str]], place: str, meant: list[str] | None
) -> None:
    assert meant == python.get(place)


_CLASSES = "export class Jar {\n  open() {}\n}\nexport class Lid {\n  open() {}\n}\n"
_JAR = "export function fill() {}\n" + _CLASSES + "export const tools = { fill };\n"
_MAIN = "import { fill, Jar } from './jar';\nfill();\nthing.open();\nclass Box extends Jar {}\n"
_OF_JAR = {
    "fill": symbol("`jar.ts`/fill()."),
    "Jar": symbol("`jar.ts`/Jar#"),
    "open": symbol("`jar.ts`/Jar#open()."),
    "Lid": symbol("`jar.ts`/Lid#"),
    "elsewhere": symbol("`gone.ts`/fill()."),
    "outside": symbol("`lib.d.ts`/fill().", "typescript"),
}


def _main(*marked: tuple[str, str], text: str = _MAIN) -> Any:
    return document("main.ts", occurrences(text, *((word, _OF_JAR.get(named, named), 0) for word, named in marked)))


def _jar(*more: tuple[str, str, int]) -> Any:
    return document("jar.ts", occurrences(_JAR, *((word, _OF_JAR[word], 1) for word in ("fill", "Jar", "open", "Lid")), *more))


def _of(tmp_path: Path, documents: Iterable[Any], main: str = _MAIN, jar: str = _JAR) -> dict[str, list[str]]:
    root = write(tmp_path / "tree", {"jar.ts": jar, "main.ts": main})
    (tmp_path / "index.scip").write_bytes(index(*documents))
    return _told(root, tmp_path / "bundle", tmp_path / "index.scip")


def test_where_an_index_is_silent_everything_is_as_without_it(tmp_path: Path) -> None:
    without = _told(write(tmp_path / "tree", {"jar.ts": _JAR, "main.ts": _MAIN}), tmp_path / "plain")
    assert without == _of(tmp_path, [_jar()])
    assert ["several"] == without["main.ts:3 open"]


def test_a_word_of_the_compiler_goes_before_the_rules(tmp_path: Path) -> None:
    told = _of(tmp_path, [_jar(), _main(("fill", "fill"), ("fill", "fill"), ("open", "open"))])
    assert (["jar.ts:1 exact()"], ["jar.ts:3 exact()"]) == (told["main.ts:2 fill"], told["main.ts:3 open"])


@pytest.mark.parametrize(
    ("named", "meant"),
    [("outside", None), ("local 7", ["jar.ts:1 exact()"]), ("elsewhere", ["jar.ts:1 exact()"])],
)
def test_what_lies_outside_is_no_reference_and_what_is_unknown_is_left_to_the_source(
    tmp_path: Path, named: str, meant: list[str] | None
) -> None:
    told = _of(tmp_path, [_jar(), _at_call(named)])
    assert meant == told.get("main.ts:2 fill")


def _at_call(named: str) -> Any:
    return document("main.ts", [([1, 0, 4], _OF_JAR.get(named, named), 0)])


def test_one_known_symbol_of_a_place_is_enough(tmp_path: Path) -> None:
    both = document("main.ts", [([2, 6, 10], _OF_JAR["open"], 0), ([2, 6, 10], symbol("`gone.ts`/open()."), 0)])
    assert ["jar.ts:3 exact()"] == _of(tmp_path, [_jar(), both])["main.ts:3 open"]


def test_a_local_variable_is_no_reference(tmp_path: Path) -> None:
    main = _MAIN.replace("fill();", "{ let fill = 1; fill; }")
    at = main.split("\n")[1].index("fill")
    made = document("main.ts", [([1, at, at + 4], "local 1", 1), ([1, at + 10, at + 14], "local 1", 0)])
    assert "jar.ts:1" not in str(_of(tmp_path, [_jar(), made], main).get("main.ts:2 fill"))


def test_what_a_file_that_changed_since_defines_is_left_to_the_source(tmp_path: Path) -> None:
    told = _of(tmp_path, [_jar(), _at_call("fill")], jar="// new\n" + _JAR)
    assert ["jar.ts:2 exact()"] == told["main.ts:2 fill"]


def test_imports_and_supertypes_get_their_targets_too(tmp_path: Path) -> None:
    wrong = _main(("fill", "fill"), ("Jar", "Lid"), ("Jar", "Lid"))  # a compiler that knows better: the word is an alias
    told = _of(tmp_path, [_jar(), wrong])
    assert ["jar.ts:1 exact"] == told["main.ts:1 imports ./jar fill"]
    assert ["jar.ts:2 exact"] == told["main.ts:1 imports ./jar Jar"]  # Lid is no name of that word
    right = _main(("fill", "outside"), ("Jar", "Jar"), ("Jar", "Jar"))
    told = _of(tmp_path, [_jar(), right])
    assert (["outside"], ["jar.ts:2 exact"]) == (told["main.ts:1 imports ./jar fill"], told["main.ts:4 inherits Jar"])


def test_a_member_that_is_a_function_by_its_name_alone_is_the_function(tmp_path: Path) -> None:
    member = symbol("`jar.ts`/fill0:")
    line, at = 7, _JAR.split("\n")[7].index("fill")
    jar = _jar()
    for named, roles in ((member, 1), (_OF_JAR["fill"], 0)):
        jar.occurrences.add(range=[line, at, at + 4], symbol=named, symbol_roles=roles)
    main = "import { tools } from './jar';\ntools.fill();\n"
    told = _of(tmp_path, [jar, document("main.ts", [([1, 6, 10], member, 0)])], main)
    assert ["jar.ts:1 exact()"] == told["main.ts:2 fill"]


def test_a_place_without_a_use_in_the_outline_is_a_reference_all_the_same(tmp_path: Path) -> None:
    main = "// see fill()\nconst text = `fill()`;\n"
    made = document("main.ts", [([0, 7, 11], _OF_JAR["fill"], 0)])
    assert ["jar.ts:1 exact()"] == _of(tmp_path, [_jar(), made], main)["main.ts:1 fill"]


@pytest.mark.parametrize("language", ["typescript", "python"])
def test_the_same_index_gives_the_same_bytes_and_the_manifest_names_it(tmp_path: Path, language: str) -> None:
    path = _FIXTURES / language / "index.scip"
    reports = [
        build_bundle(
            _FIXTURES / language, tmp_path / str(jobs), BuildOptions(jobs=jobs, profile="keyword", worktree=True, scip=(path,))
        )
        for jobs in (1, 2)
    ]
    assert reports[0].digest == reports[1].digest
    assert reports[0].manifest is not None
    (indexer,) = reports[0].manifest.indexers
    assert (f"scip-{language}", True) == (indexer.name, indexer.digest.startswith("sha256:"))
    assert not [note for note in reports[0].notes if "SCIP" in note]
