"""What a change reaches: by names and by two bundles, over calls, types, constructors and fixtures; entry points; notes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from bundles import built

from hardtack.bundle.reader import open_bundle
from hardtack.errors import NotFound
from hardtack.impact.impact import impact_of_changes, impact_of_names
from hardtack.nouns.impact import Impact, Reason
from hardtack.nouns.relations import Certainty

SHOP = {
    "shop/jar.py": (
        "class Jar:\n    def __init__(self, size):\n        self.size = size\n\n"
        "    def fill(self, what):\n        return measure(what)\n\n\n"
        "class Tin(Jar):\n    pass\n\n\ndef measure(what):\n    return len(what)\n\n\ndef label(text):\n    return text.upper()\n"
    ),
    "shop/stall.py": (
        "from shop.jar import Jar, Tin\nimport click\n\n\n@click.command()\ndef sell(what):\n    jar = Jar(1)\n"
        "    return jar.fill(what)\n\n\n"
        "def stock():\n    return [Tin(2)]\n\n\nHOOKS = [stock]\n"
    ),
    "tests/conftest.py": "import pytest\nfrom shop.stall import stock\n\n\n@pytest.fixture\ndef shelf():\n    return stock()\n",
    "tests/test_jar.py": "from shop.jar import label\n\n\ndef test_label():\n    assert label('a') == 'A'\n",
    "tests/test_market.py": "def test_shelf(shelf):\n    assert shelf\n\n\ndef test_nothing():\n    pass\n",
    "tests/helpers.py": "from shop.jar import measure\n\n\ndef weigh(what):\n    return measure(what)\n",
    "tests/test_weights.py": (
        "from tests.helpers import weigh\n\n\nclass TestWeights:\n    def test_weighs(self):\n        assert weigh('a') == 1\n"
    ),
    "notes.txt": "eggs\n",
}


def _of_names(tmp_path: Path, *names: str, files: Mapping[str, str] = SHOP) -> Impact:
    with open_bundle(built(tmp_path / "one", files)) as bundle:
        return impact_of_names(bundle, names)


def _of_changes(tmp_path: Path, changed: Mapping[str, str | None], files: Mapping[str, str] = SHOP) -> Impact:
    later = {path: text for path, text in {**files, **changed}.items() if text is not None}
    with open_bundle(built(tmp_path / "old", files)) as old, open_bundle(built(tmp_path / "new", later)) as new:
        return impact_of_changes(old, new)


def _reached(impact: Impact) -> dict[str, int]:
    return {each.symbol.name or each.symbol.path: each.distance for each in impact.reached}


def _tests(impact: Impact) -> dict[str, Reason]:
    return {f"{each.path}:{each.name}": each.reason for each in impact.tests}


def test_each_symbol_is_reached_at_its_distance_and_an_entry_point_says_what_it_is(tmp_path: Path) -> None:
    impact = _of_names(tmp_path, "measure")
    assert {"Jar.fill": 1, "sell": 2} == _reached(impact)
    assert {"sell": "command"} == {each.symbol.name: each.entry for each in impact.reached if each.entry}


def test_a_way_is_as_certain_as_its_least_certain_step(tmp_path: Path) -> None:
    files = {
        "a.py": "class Base:\n    def run(self): ...\n\n\nclass Own(Base):\n    def run(self):\n        return 1\n",
        "b.py": "from a import Base\n\n\ndef go(base: Base):\n    base.run()\n\n\ndef main():\n    go(None)\n",
    }
    certain = {each.symbol.name: each.certainty for each in _of_names(tmp_path, "Own.run", files=files).reached}
    assert {"go": Certainty.LIKELY, "main": Certainty.LIKELY} == certain


def test_the_tests_that_lead_to_a_symbol_are_told_through_helpers_and_helpers_are_no_tests(tmp_path: Path) -> None:
    assert Reason.REFERENCES is _tests(_of_names(tmp_path, "measure"))["tests/test_weights.py:TestWeights.test_weighs"]
    assert not any("helpers" in test for test in _tests(_of_names(tmp_path, "measure")))


def test_a_function_that_is_passed_as_a_value_and_a_fixture_lead_on(tmp_path: Path) -> None:
    impact = _of_names(tmp_path, "stock")
    assert "HOOKS" in _reached(impact) or "shop/stall.py" in _reached(impact)
    assert Reason.REFERENCES is _tests(impact)["tests/test_market.py:test_shelf"]
    assert "tests/test_market.py:test_nothing" not in _tests(impact)


def test_a_constructor_is_reached_where_a_subtype_without_its_own_is_made(tmp_path: Path) -> None:
    assert {"sell", "stock"} <= _reached(_of_names(tmp_path, "Jar.__init__")).keys()


def test_a_type_is_reached_from_what_builds_on_it_and_from_what_names_it(tmp_path: Path) -> None:
    files = {
        "a.py": "class Jar:\n    pass\n",
        "b.py": "from a import Jar\n\n\nclass Tin(Jar):\n    pass\n\n\ndef take(jar: Jar):\n    return jar\n",
    }
    assert {"Tin": 1, "take": 1} == _reached(_of_names(tmp_path, "Jar", files=files))


def test_changes_are_those_of_bodies_and_signatures_not_of_documentation_or_comments(tmp_path: Path) -> None:
    text = (
        SHOP["shop/jar.py"]
        .replace("text.upper()", "text.lower()")
        .replace("def measure(what):", 'def measure(what):\n    """Doc."""')
    )
    impact = _of_changes(tmp_path, {"shop/jar.py": "# a remark\n" + text})
    assert [("label", ("body",))] == [(each.name, each.changes) for each in impact.targets]
    assert {"tests/test_jar.py:test_label": Reason.REFERENCES} == {
        test: reason for test, reason in _tests(impact).items() if reason is not Reason.NAMING
    }


@pytest.mark.parametrize(
    ("path", "text", "edit", "is_changed"),
    [
        ("a.py", "def f(x):\n    # one\n    return x\n", ("# one", "# two"), False),
        ("a.c", "void f(int *x) {\n  // one\n  *x = 1;\n}\n", ("// one", "// two"), False),
        ("a.c", "void f(int *x) {\n  // one\n  *x = 1;\n}\n", ("*x = 1", "*x = 2"), True),
        ("a.js", "class A {\n  #n = 1\n  f() { return 1 }\n}\n", ("#n = 1", "#n = 2"), True),
    ],
)
def test_a_line_of_comment_in_a_body_changes_nothing(
    tmp_path: Path, path: str, text: str, edit: tuple[str, str], is_changed: bool
) -> None:
    assert is_changed == bool(_of_changes(tmp_path, {path: text.replace(*edit)}, {path: text}).targets)


def test_who_called_what_is_gone_is_reached(tmp_path: Path) -> None:
    impact = _of_changes(tmp_path, {"shop/jar.py": SHOP["shop/jar.py"].partition("def measure")[0]})
    assert {"Jar.fill": 1, "sell": 2} == {
        name: distance for name, distance in _reached(impact).items() if name in ("Jar.fill", "sell")
    }
    assert ("measure", ("removed",)) in [(each.name, each.changes) for each in impact.targets]


def test_a_top_of_a_file_that_changed_reaches_the_files_that_import_it(tmp_path: Path) -> None:
    impact = _of_changes(tmp_path, {"shop/jar.py": SHOP["shop/jar.py"] + "\n\nprint(measure('a'))\n"})
    assert [("file", "shop/jar.py")] == [(each.kind, each.path) for each in impact.targets]
    assert {"shop/stall.py": 1} == _reached(impact)
    assert {"tests/test_jar.py:"} == _tests(impact).keys()


def test_a_test_that_changed_is_affected_and_what_is_no_code_is_said(tmp_path: Path) -> None:
    changed = {"tests/test_market.py": SHOP["tests/test_market.py"].replace("pass", "assert True"), "notes.txt": "milk\n"}
    impact = _of_changes(tmp_path, changed)
    assert {"tests/test_market.py:test_nothing": Reason.CHANGED} == _tests(impact)
    assert "1 changed file is no code, and who reads such files is not known: notes.txt" in impact.notes
    assert () == impact.targets


def test_two_equal_bundles_reach_nothing(tmp_path: Path) -> None:
    impact = _of_changes(tmp_path, {})
    assert ((), (), ()) == (impact.targets, impact.reached, impact.tests)


def test_uses_of_a_name_that_nothing_resolves_are_counted(tmp_path: Path) -> None:
    files = {
        "a.py": "class Jar:\n    def fill(self): ...\n\n\nclass Tin:\n    def fill(self): ...\n",
        "b.py": "def f(x):\n    x.fill()\n    x.fill()\n",
    }
    assert 2 == _of_names(tmp_path, "Jar.fill", files=files).unresolved


def test_a_member_that_no_test_names_takes_the_tests_of_its_type(tmp_path: Path) -> None:
    files = {
        "a.py": "class Wait:\n    def __call__(self, state):\n        return 1\n",
        "tests/test_waiting.py": (
            "import a\n\n\ndef test_waits():\n    wait = a.Wait()\n    assert use(wait)\n\n\ndef test_other():\n    pass\n"
        ),
    }
    assert {"tests/test_waiting.py:test_waits": Reason.REFERENCES} == _tests(_of_names(tmp_path, "Wait.__call__", files=files))


def test_tests_two_steps_beyond_the_nearest_are_of_something_else(tmp_path: Path) -> None:
    steps = "".join(f"def step{n}():\n    return step{n - 1}()\n\n\n" for n in range(1, 6))
    tests = "".join(f"def test_{n}():\n    assert step{n}()\n\n\n" for n in range(1, 6))
    files = {"a.py": f"def step0():\n    return 1\n\n\n{steps}", "tests/test_walk.py": f"from a import *\n\n\n{tests}"}
    assert {f"tests/test_walk.py:test_{n}" for n in (1, 2)} == _tests(_of_names(tmp_path, "step0", files=files)).keys()


def test_a_name_that_nothing_has_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"Nothing is called mesure\.") as refused:
        _of_names(tmp_path, "mesure")
    assert "measure" in refused.value.hint
