"""References, callers and implementations, from bundles of a small repository in four languages; with text and without."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import command_line
import pytest
from checkouts import write

import hardtack
from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.query.lookup.implementations import implementations
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.references import by_caller, callers, calls_of, groups_of, references, site_filter
from hardtack.query.lookup.usages import calling_symbols, usages_of, usages_of_implementations

FILES = {
    "python/base.py": '''"""Jobs."""
from library import Model


class Job(Model):
    """One thing to do."""

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self) -> int:
        return self.prepare()

    def prepare(self) -> int:
        return 1


def make() -> Job:
    return Job("bake")
''',
    "python/child.py": """from base import Job, make


class Bake(Job):
    def run(self) -> int:
        return super().run()


class BakeBread(Bake):
    pass


def work(job: Job) -> None:
    job.run()
    make().run(); job.run()


UNUSED = 1
MENTIONED = 2
""",
    "python/mention.py": "# MENTIONED is not\nUNMENTIONED = locals()['MENTIONED']\n",
    "python/README.md": "MENTIONED UNUSED\n",
    "python/other.py": """class Oven:
    def run(self): ...


def start(machine):
    machine.run()


class Machine(framework.Model):
    pass
""",
    "go/shop.go": """package shop

// Priced has a price.
type Priced interface {
	Price(currency string) (int, error)
}

// Jar is priced.
type Jar struct{}

func (j *Jar) Price(currency string) (int, error) { return 1, nil }
""",
    "go/other/jar.go": """package other

// Jar has a price of another kind.
type Jar struct{}

func (j *Jar) Price() int { return 1 }
""",
    "swift/stall.swift": "class Stall {}\nclass Booth: Stall {}\n",
    "swift/sells.swift": "protocol Sells { func sell() }\nextension Stall: Sells { func sell() {} }\n",
    "ts/over.ts": """import { Component } from "react";

export function parse(text: string): number;
export function parse(text: number): number;
export function parse(text: any): number {
  return Number(text);
}

export class View extends Component {
  show() { return parse("1"); }
}

parse(2);
""",
    "py/sort.py": """def by_size(jar): ...
def sort(jars, other):
    by_size(jars[0]); other.by_size()
    jars.sort(key=by_size)
""",
    "py/table.py": "from sort import by_size\nTABLE = {1: by_size}\n",
    "cpp/tank.h": "class Tank {\npublic:\n    int level();\n};\n",
    "cpp/tank.cpp": '#include "tank.h"\nint Tank::level() { return 1; }\n',
    "cpp/main.cpp": '#include "tank.h"\nint drive(Tank& t) { return t.level(); }\n',
    "wide.py": f"def widest(): ...\n\n\nVALUES = [{'0, ' * 100}widest(), {'0, ' * 100}]\n",
}


def built(root: Path, text: str) -> Path:
    write(root, FILES)
    place = root / "bundle"
    hardtack.build_bundle(root, place, hardtack.BuildOptions(profile="keyword", jobs=1, text=text))
    return place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("relations"), "full")


@pytest.fixture(scope="module")
def bundle(place: Path) -> Iterator[Bundle]:
    with hardtack.open_bundle(place) as searcher:
        yield searcher.bundle


@pytest.fixture(scope="module")
def textless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    with hardtack.open_bundle(built(tmp_path_factory.mktemp("textless"), "none")) as searcher:
        yield searcher.bundle


def usage_lines(bundle: Bundle, name: str, **narrower: str) -> list[str]:
    """Each reference as ``path:line:column relation certainty in -> target``."""
    sites = references(bundle, name, **narrower).sites
    return [
        f"{each.path}:{each.line}:{each.column} {each.relation} {each.certainty} {each.within} -> {each.target}"
        for each in usages_of(bundle, sites)
    ]


def test_every_use_of_a_class_is_listed_and_says_what_it_is(bundle: Bundle) -> None:
    job = "python/base.py:5-15"
    assert [
        f"python/base.py:18:15 references exact make -> {job}",
        f"python/base.py:19:12 calls exact make -> {job}",
        f"python/child.py:4:12 inherits exact Bake -> {job}",
        f"python/child.py:13:15 references exact work -> {job}",
    ] == [line for line in usage_lines(bundle, "Job") if " imports " not in line]


def test_what_imports_a_symbol_refers_to_it(bundle: Bundle) -> None:
    assert [("python/child.py", 1)] == [
        (mention.path, mention.line)
        for mention in usages_of(bundle, references(bundle, "Job").sites)
        if mention.relation is RelationKind.IMPORTS
    ]


def test_the_references_of_namesakes_are_kept_apart_and_what_cannot_be_told_comes_last(bundle: Bundle) -> None:
    base = "python/base.py:11-12"
    assert [
        f"python/child.py:6:24 calls exact Bake.run -> {base}",
        f"python/child.py:14:9 calls exact work -> {base}",
        f"python/child.py:15:12 calls exact work -> {base}",
        f"python/child.py:15:23 calls exact work -> {base}",
        "python/other.py:6:13 calls possible start -> ",
    ] == usage_lines(bundle, "run")
    assert 3 == len(references(bundle, "run").symbols.ordinals)


def test_a_class_narrows_the_symbols_that_are_meant(bundle: Bundle) -> None:
    assert ["python/other.py:6:13 calls possible start -> "] == usage_lines(bundle, "run", owner="Oven")
    assert usage_lines(bundle, "Job.run") == usage_lines(bundle, "run", owner="Job")
    assert [] == usage_lines(bundle, "run", owner="Crate")


def test_overloads_are_one_group_whichever_is_asked_for(bundle: Bundle) -> None:
    first = "ts/over.ts:3-3"
    overloads = references(bundle, "parse").symbols.ordinals
    assert (3, overloads[:1]) == (len(overloads), groups_of(bundle, overloads[1:]))
    expected = [f"ts/over.ts:10:19 calls exact View.show -> {first}", f"ts/over.ts:13:1 calls exact  -> {first}"]
    assert expected == usage_lines(bundle, "parse")


def test_a_name_from_outside_is_found_as_it_is_written_or_imported(bundle: Bundle) -> None:
    inherits = "python/base.py:5:0 inherits possible Job -> "
    imports = "python/base.py:2:0 imports exact  -> "
    framework = "python/other.py:9:0 inherits possible Machine -> "
    assert [imports, inherits, framework] == usage_lines(bundle, "Model")
    assert [imports, inherits] == usage_lines(bundle, "library.Model")
    assert [framework] == usage_lines(bundle, "framework.Model")
    assert [imports, inherits] == usage_lines(bundle, "LIBRARY::MODEL")


def test_what_is_there_and_unused_has_no_references_and_what_is_not_there_has_suggestions(bundle: Bundle) -> None:
    unused, absent = references(bundle, "UNUSED"), references(bundle, "Jobb")
    assert ((), 1) == (unused.sites, len(unused.symbols.ordinals))
    assert ((), (), "Job") == (absent.sites, absent.symbols.ordinals, absent.symbols.suggestions[0])


def test_certainty_and_paths_narrow_what_is_found(bundle: Bundle) -> None:
    sites = references(bundle, "run").sites

    def count(least: Certainty, *paths: str) -> int:
        is_wanted = site_filter(bundle, least, paths)
        return sum(is_wanted(site.certainty, site.file) for site in sites)

    assert (4, 5, 1, 0) == (
        count(Certainty.EXACT),
        count(Certainty.POSSIBLE),
        count(Certainty.POSSIBLE, "other.py"),
        count(Certainty.LIKELY, "other.py", "go/"),
    )


def test_callers_are_put_together_with_all_their_calls(bundle: Bundle) -> None:
    found = calling_symbols(bundle, by_caller(callers(bundle, "run").sites))
    assert [
        ("python/child.py", "Bake.run", "method", "exact", [6]),
        ("python/child.py", "work", "function", "exact", [14, 15, 15]),
        ("python/other.py", "start", "function", "possible", [6]),
    ] == [(each.path, each.within, each.kind, each.certainty, [call.line for call in each.calls]) for each in found]


def test_the_top_of_a_file_calls_too(bundle: Bundle) -> None:
    found = list(calling_symbols(bundle, by_caller(callers(bundle, "parse").sites)))
    assert [("ts/over.ts", "View.show", [10]), ("ts/over.ts", "", [13])] == [
        (each.path, each.within, [call.line for call in each.calls]) for each in found
    ]


def test_who_instantiates_a_type_calls_its_constructor(bundle: Bundle) -> None:
    for name in ("Job", "Job.__init__"):
        found = list(calling_symbols(bundle, by_caller(callers(bundle, name).sites)))
        called = [(each.within, call.line) for each in found for call in each.calls if call.relation is RelationKind.CALLS]
        assert [("make", 19)] == called


def implemented(bundle: Bundle, name: str, **narrower: str) -> list[tuple[str, str, int, tuple[str, ...]]]:
    """Relation, qualified name, depth and way of each implementation."""
    found = usages_of_implementations(bundle, implementations(bundle, name, **narrower).found)
    return [(each.relation.value, each.within, each.depth, each.through) for each in found]


def test_what_inherits_from_a_class_is_found_through_others(bundle: Bundle) -> None:
    assert [("inherits", "Bake", 1, ()), ("inherits", "BakeBread", 2, ("Bake",))] == implemented(bundle, "Job")


def test_a_go_type_implements_without_saying_so(bundle: Bundle) -> None:
    assert [("implements", "Jar", 1, ())] == implemented(bundle, "shop.Priced")


def test_what_inherits_from_a_type_that_is_extended_elsewhere_implements_too(bundle: Bundle) -> None:
    assert [("implements", "Stall", 1, ()), ("inherits", "Booth", 2, ("Stall",))] == implemented(bundle, "Sells")
    assert [("implements", "Stall.sell", 1, ())] == implemented(bundle, "Sells.sell")


def test_a_method_is_implemented_by_its_namesake_on_an_implementing_type(bundle: Bundle) -> None:
    assert [("implements", "Jar.Price", 1, ())] == implemented(bundle, "Price", owner="Priced")
    assert [("inherits", "Bake.run", 1, ())] == implemented(bundle, "Job.run")
    assert [] == implemented(bundle, "run", owner="Oven")


def test_what_rests_on_a_name_from_outside_is_found_as_it_is_written(bundle: Bundle) -> None:
    job = [("inherits", "Job", 1, ()), ("inherits", "Bake", 2, ("Job",)), ("inherits", "BakeBread", 3, ("Job", "Bake"))]
    assert [*job, ("inherits", "Machine", 1, ())] == implemented(bundle, "Model")
    assert job == implemented(bundle, "library.Model")
    assert [("inherits", "View", 1, ())] == implemented(bundle, "React.Component")
    assert [] == implemented(bundle, "del")


def test_a_way_is_no_surer_than_its_least_certain_step(bundle: Bundle) -> None:
    assert {Certainty.EXACT} == {each.certainty for each in implementations(bundle, "Job").found}
    assert {Certainty.POSSIBLE} == {each.certainty for each in implementations(bundle, "library.Model").found}


def test_a_long_line_is_shown_around_the_name(bundle: Bundle) -> None:
    (mention,) = usages_of(bundle, references(bundle, "widest").sites)
    assert (4, 311) == (mention.line, mention.column)
    assert mention.code.startswith("...")
    assert mention.code.endswith("...")
    assert "widest()" in mention.code
    assert 206 == len(mention.code)


def test_without_text_everything_is_there_but_the_code_and_the_column(bundle: Bundle, textless: Bundle) -> None:
    for name in ("Job", "run", "parse", "Model"):
        with_text = [line.split(":")[0:2] + line.split(" ")[1:] for line in usage_lines(bundle, name)]
        assert with_text == [line.split(":")[0:2] + line.split(" ")[1:] for line in usage_lines(textless, name)]
        assert {("", 0)} == {(each.code, each.column) for each in usages_of(textless, references(textless, name).sites)}
    assert implemented(bundle, "Job") == implemented(textless, "Job")


@pytest.fixture
def run(place: Path, monkeypatch: pytest.MonkeyPatch) -> command_line.Run:
    monkeypatch.setenv("HARDTACK_BUNDLE", str(place))
    return command_line.run


def test_references_are_printed_by_target_file_and_line(run: command_line.Run) -> None:
    result = run("references", "run", "--class", "Job", "--certainty", "exact", "--format", "markdown")
    assert (0, "") == (result.return_value, result.stderr)
    assert (
        "# References: `run`\n\n## method `def run(self) -> int` `python/base.py:11-12` (4)\n\n### `python/child.py`\n\n"
        "- 6: calls, exact, in `Bake.run`: `return super().run()`\n"
        "- 14: calls, exact, in `work`: `job.run()`\n"
    ) == result.stdout[: result.stdout.index("- 15: ")]


def test_each_place_is_one_line_that_an_editor_takes_to_the_name(run: command_line.Run, bundle: Bundle) -> None:
    for verb, name in (("references", "run"), ("references", "Job"), ("callers", "make")):
        lines = run(verb, name).stdout.splitlines()
        assert lines
        for line in lines:
            place = re.fullmatch(r"(\S+?):(\d+):(\d+): (.+)  \[(\w+), (exact|likely|possible)(, in [\w.]+)?(, of \S+)?\]", line)
            assert place, line
            (file,) = (each for each in bundle.files if each.path == place[1])
            source = bundle.text_of(file).decode().splitlines()[int(place[2]) - 1]
            assert source[int(place[3]) - 1 :].startswith(name), line
            assert place[4] in source
    assert "python/child.py:15:5: make().run(); job.run()  [calls, exact, in work]\n" == run("callers", "make").stdout
    assert "[inherits, exact, class BakeBread, through Bake]\n" in run("implementations", "Job").stdout


def test_a_list_is_bounded_counted_and_given_in_every_format_and_says_what_it_leaves_out(run: command_line.Run) -> None:
    whole = run("references", "Job")
    lines = whole.stdout.splitlines(keepends=True)
    first = run("references", "Job", "-n", "2")
    assert ("".join(lines[:2]), f"hardtack: {len(lines) - 2} more are left out; ask for more with -n.") == (
        first.stdout,
        first.stderr.splitlines()[0],
    )
    counted = dict(line.rsplit(":", 1) for line in run("references", "Job", "-c").stdout.splitlines())
    assert Counter(line.split(":")[0] for line in lines) == {path: int(count) for path, count in counted.items()}
    document = json.loads(run("references", "Job", "--json", "-n", "2").stdout)
    assert (2, len(lines) - 2) == (len(document["results"]), document["left_out"])
    objects = [json.loads(line) for line in run("references", "Job", "--format", "jsonl").stdout.splitlines()]
    assert json.loads(run("references", "Job", "--json").stdout)["results"] == objects
    with pytest.raises(UsageError, match=r"^Counts are given as text\.$"):
        command_line.run_or_raise("references", "Job", "-c", "--json")


def test_a_name_that_several_symbols_have_says_of_which_each_place_is(run: command_line.Run) -> None:
    result = run("references", "run")
    assert "3 symbols are called run. For one of them, type:\n  hardtack references Job.run\n" in result.stderr
    assert {"python/base.py:11-12", ""} == {line.rstrip("]").partition(", of ")[2] for line in result.stdout.splitlines()}


def test_references_can_be_kept_to_some_ways_to_refer(run: command_line.Run) -> None:
    def relations(*flags: str) -> set[str]:
        return {each["relation"] for each in json.loads(run("references", "Job", "--json", *flags).stdout)["results"]}

    assert {"calls", "imports", "inherits", "references"} == relations()
    assert {"inherits", "calls"} == relations("--relation", "inherits", "--relation", "calls")


def test_references_as_json_name_their_targets_and_leave_out_what_is_not_known(run: command_line.Run) -> None:
    document: dict[str, Any] = json.loads(run("references", "run", "--path", "other.py", "--json").stdout)
    assert ["schema", "name", "symbols", "results"] == list(document)
    assert ("hardtack.references/1", "run", 3) == (document["schema"], document["name"], len(document["symbols"]))
    assert [
        {
            "path": "python/other.py",
            "line": 6,
            "column": 13,
            "relation": "calls",
            "certainty": "possible",
            "in": "start",
            "kind": "function",
            "code": "    machine.run()",
        }
    ] == document["results"]


def test_a_function_named_as_a_value_is_no_call_and_its_import_is_nothing(run: command_line.Run) -> None:
    text = run("callers", "by_size", "--format", "markdown").stdout
    assert "- function `sort`, exact, at 3; not called but named, exact, at 4\n" in text
    assert "- constant `TABLE`, not called but named, exact, at 2\n" in text
    assert [
        ("sort", [(3, "calls"), (4, "references")]),
        ("TABLE", [(2, "references")]),
    ] == [
        (each["in"], [(call["line"], call["relation"]) for call in each["calls"]])
        for each in json.loads(run("callers", "by_size", "--json").stdout)["results"]
    ]


def test_what_builds_on_a_type_is_listed_with_what_creates_it(run: command_line.Run) -> None:
    text = run("callers", "Job", "--format", "markdown").stdout
    assert "- class `Bake`, inherits, exact, at 4\n" in text
    assert "- function `make`, exact, at 19\n" in text


def test_a_declaration_and_its_definition_have_the_same_callers(run: command_line.Run) -> None:
    found = json.loads(run("callers", "Tank::level", "--json").stdout)
    assert {each["location"]["file_path"] for each in found["symbols"]} == {"cpp/tank.h", "cpp/tank.cpp"}
    assert [("drive", "exact")] == [(each["in"], each["certainty"]) for each in found["results"]]


def test_callers_and_implementations_have_both_shapes(run: command_line.Run) -> None:
    (caller,) = json.loads(run("callers", "make", "--json").stdout)["results"]
    assert {
        "path": "python/child.py",
        "in": "work",
        "kind": "function",
        "certainty": "exact",
        "target": "python/base.py:18-19",
    } == {key: value for key, value in caller.items() if key != "calls"}
    call = {"line": 15, "column": 5, "relation": "calls", "certainty": "exact", "code": "    make().run(); job.run()"}
    assert [call] == caller["calls"]
    markdown = ("--format", "markdown")
    assert "- function `work`, exact, at 15\n    - 15: `make().run(); job.run()`\n" in run("callers", "make", *markdown).stdout
    assert (
        "inherits, exact, class `BakeBread`, through `Bake`: `class BakeBread(Bake)`\n"
        in run("implementations", "Job", *markdown).stdout
    )
    (_, bread) = json.loads(run("implementations", "Job", "--json").stdout)["results"]
    assert (2, ["Bake"], "python/base.py:5-15") == (bread["depth"], bread["through"], bread["target"])


def test_nothing_found_leaves_with_one_and_says_which_nothing(run: command_line.Run) -> None:
    absent, unused = run("references", "Jobb"), run("references", "UNUSED")
    assert (1, 1) == (absent.return_value, unused.return_value)
    assert "hardtack: nothing is called Jobb. Nearest: Job.\n" == absent.stderr
    assert "hardtack: UNUSED is in the bundle, and nothing there refers to it.\n" == unused.stderr
    assert "Job" == json.loads(run("callers", "Jobb", "--json").stdout)["suggestions"][0]


def test_that_nothing_refers_to_a_symbol_is_said_only_where_its_name_stands_nowhere_else_in_code(
    run: command_line.Run, textless: Bundle
) -> None:
    grep = "stands on 2 more lines of 1 file of code, comments included: a search for the text MENTIONED lists them (grep)."
    told = f"MENTIONED is in the bundle, and no reference to it is known there; but its name {grep}"
    assert f"hardtack: {told}\n" == run("references", "MENTIONED").stderr
    assert told == json.loads(run("references", "MENTIONED", "--json").stdout)["note"]
    assert "no call of it is known there, as far as was asked; but" in run("callers", "MENTIONED", "--certainty", "exact").stderr
    assert LookUps(textless).references("UNUSED").nothing.endswith("known there; the bundle has no text to look further.")


def test_every_interface_of_many_with_the_same_methods_has_all_the_types_that_implement_them(tmp_path: Path) -> None:
    count = 40
    write(
        tmp_path,
        {
            f"s{number}/a.go": f"package s{number}\ntype Opener{number} interface {{ Open() }}\ntype Jar{number} struct{{}}\n"
            f"func (j Jar{number}) Open() {{}}\n"
            for number in range(count)
        },
    )
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as searcher:
        for name in ("Opener0", "Opener1", "Opener39"):
            found = implementations(searcher.bundle, name).found
            assert {searcher.bundle.symbol_name(each.symbol).name for each in found} == {f"Jar{each}" for each in range(count)}
            assert {(each.relation, each.depth) for each in found} == {(RelationKind.IMPLEMENTS, 1)}
            sites = references(searcher.bundle, name).sites
            assert len([each for each in sites if each.relation is RelationKind.IMPLEMENTS]) == count


def test_an_answer_says_that_more_types_may_implement_it_where_the_build_has_left_some_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [(number, other) for number in range(12) for other in range(12)]
    interfaces = "".join(f"type Box{one:02}{two:02} interface {{ Open{one}(); Seal{two}() }}\n" for one, two in pairs)
    methods = "".join(f"func (p Pot) Open{number}() {{}}\nfunc (l Lid) Seal{number}() {{}}\n" for number in range(12))
    types = "type Pot struct{}\ntype Lid struct{}\ntype Jar struct {\n\tPot\n\tLid\n}\ntype Sealer interface { Seal0() }\n"
    write(tmp_path, {"jar.go": f"package jar\n{types}{interfaces}{methods}"})
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as searcher:
        look_ups = LookUps(searcher.bundle)
        first, last, method = map(look_ups.implementations, ("Box0000", "Box1111", "Box1111.Open11"))
        assert look_ups.define("Jar").results[0].metadata["left_out"] == "interfaces that it implements"
    assert [each.within for each in first.results] == ["Jar"]
    assert last.results == ()
    assert last.note.startswith("More types may implement it")
    assert (first.note, method.note) == ("", last.note)
    monkeypatch.setenv("HARDTACK_BUNDLE", str(tmp_path / "bundle"))
    assert last.note in command_line.run("implementations", "Box1111").stderr
    assert json.loads(command_line.run("implementations", "Box1111", "--json").stdout)["note"].endswith(last.note)


HEADER = "class Jar {\n public:\n  void fill(int n);\n  void lid();\n};\nvoid shut(Jar& jar);\n"
JAR = '#include "jar.h"\n\nvoid Jar::fill(int n) {\n  lid();\n}\n\nvoid Jar::lid() {\n}\n'


def _called_by(bundle: Bundle, name: str) -> list[tuple[str, int, str]]:
    """(path of the target, line of the call, certainty) of each call."""
    found = callers(bundle, name).sites
    return [(bundle.file(bundle.symbol(each.target).file).path, each.line, each.certainty.value) for each in found]


def test_calls_of_what_a_header_declares_are_those_of_its_definition(bundle_of: Any) -> None:
    use = '#include "jar.h"\n\nvoid run(Jar& jar) {\n  jar.fill(1);\n}\n'
    with bundle_of({"jar.h": HEADER, "jar.cpp": JAR, "use.cpp": use}) as bundle:
        assert [("jar.cpp", 4, "exact")] == _called_by(bundle, "Jar.lid")
        assert [("jar.cpp", 4, "exact")] == _called_by(bundle, "Jar.fill")
        (definition,) = [each for each in references(bundle, "Jar.fill").symbols.ordinals if _path(bundle, each) == "jar.cpp"]
        assert [4] == [each.line for each in calls_of(bundle, groups_of(bundle, [definition]))]


def test_calls_of_what_a_header_declares_for_two_systems_are_likely_of_either(bundle_of: Any) -> None:
    files = {
        "jar.h": "void shut(int n);\n",
        "jar_posix.c": '#include "jar.h"\n\nvoid shut(int n) {\n}\n',
        "jar_win.c": '#include "jar.h"\n\nvoid shut(int n) {\n  n++;\n}\n',
        "use.c": '#include "jar.h"\n\nvoid run(void) {\n  shut(1);\n}\n',
    }
    with bundle_of(files) as bundle:
        for path in ("jar_posix.c", "jar_win.c"):
            (one,) = [each for each in references(bundle, "shut").symbols.ordinals if _path(bundle, each) == path]
            assert [(4, "likely")] == [(each.line, each.certainty.value) for each in calls_of(bundle, groups_of(bundle, [one]))]


def _path(bundle: Bundle, ordinal: int) -> str:
    return bundle.file(bundle.symbol(ordinal).file).path
