"""Callers, tests and types around a symbol."""

from __future__ import annotations

from typing import Any

import pytest

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import Around, Exploration
from hardtack.nouns.model import FUNCTIONS, TYPES
from hardtack.query.explore.around import around
from hardtack.query.explore.explore import explore
from hardtack.query.lookup.symbols import look_up
from hardtack.query.searcher import Searcher
from hardtack.render.exploration import render_exploration


def _around(bundle: Bundle, name: str) -> Around:
    return around(bundle, look_up(bundle, name, FUNCTIONS | TYPES).ordinals[0])


def _within(callers: Any) -> list[str]:
    return [caller.within for caller in callers.symbols]


def test_tests_are_no_callers_and_are_told_by_their_outermost_function(kiosk: Bundle) -> None:
    found = _around(kiosk, "brew")
    assert ["Coffee.handle"] == _within(found.callers)
    assert (["test_inside"], ["test_open"]) == ([each.name for each in found.tests], [each.name for each in found.tests_through])


def test_a_place_of_a_test_file_in_no_function_is_told_by_its_line(kiosk: Bundle) -> None:
    (test,) = _around(kiosk, "add").tests
    assert ("", "web/add.test.ts", 5) == (test.name, test.path, test.line)


def test_a_method_is_called_through_the_one_that_it_overrides(kiosk: Bundle) -> None:
    found = _around(kiosk, "Coffee.handle")
    assert not found.callers
    ((method, callers),) = found.through
    assert ("Handler.handle", ["Counter.serve"]) == (method, _within(callers))
    assert ("overrides Handler.handle shop/base.py:9",) == found.supertypes
    assert {"Tea.handle"} == {each.name for each in found.siblings}


def test_a_class_that_is_passed_on_is_told_by_who_names_it(kiosk: Bundle) -> None:
    found = _around(kiosk, "Coffee")
    assert ["REGISTRY"] == _within(found.named)
    assert () == found.elsewhere
    assert ("inherits Handler shop/base.py:5",) == found.supertypes


def test_a_constructor_is_named_with_its_class(bundle_of: Any) -> None:
    files = {
        "a.py": "class Lid:\n    def __init__(self):\n        pass\n\n\ndef wrap(x):\n    return x\n\n\ndef go():\n    wrap(Lid)\n"
    }
    with bundle_of(files) as bundle:
        assert ["go"] == _within(_around(bundle, "Lid.__init__").named)
        assert ["go"] == _within(_around(bundle, "Lid").named)


def test_a_call_of_a_class_with_a_constructor_is_counted_once(bundle_of: Any) -> None:
    files = {"a.py": "class Lid:\n    def __init__(self):\n        pass\n\n\ndef go():\n    Lid()\n    Lid()\n"}
    with bundle_of(files) as bundle:
        (caller,) = _around(bundle, "Lid").callers.symbols
        assert [7, 8] == [call.line for call in caller.calls]


def test_a_local_variable_is_no_caller_and_neither_is_the_symbol_itself(kiosk: Bundle) -> None:
    assert ["Counter.open"] == _within(_around(kiosk, "Counter.serve").callers)
    assert ["Counter.serve"] == _within(_around(kiosk, "Handler.handle").callers)
    assert not _around(kiosk, "lonely").callers


def test_where_nothing_is_known_to_call_it_code_that_has_its_name_is_given(kiosk: Bundle) -> None:
    assert ("shop/counter.py:51",) == _around(kiosk, "lonely").elsewhere
    assert () == _around(kiosk, "finish").elsewhere


def test_what_stands_on_a_type_is_told_with_its_relation(kiosk: Bundle) -> None:
    assert [("inherits", "Coffee"), ("inherits", "Tea")] == [
        (relation, each.name) for relation, each in _around(kiosk, "Handler").subtypes
    ]


def test_overloads_of_a_caller_are_one_caller(bundle_of: Any) -> None:
    files = {"A.java": "class A {\n  void a(int x) { c(); }\n  void a(String x) { c(); }\n  void c() {}\n}\n"}
    with bundle_of(files) as bundle:
        (caller,) = _around(bundle, "A.c").callers.symbols
        assert [2, 3] == [call.line for call in caller.calls]


def test_very_many_callers_are_counted_though_not_all_are_looked_at(bundle_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.query.explore.around._MOST", 3)
    users = "".join(f"def user_{n}():\n    lid()\n\n\n" for n in range(5))
    tests = "".join(f"def test_{n}():\n    lid()\n\n\n" for n in range(7))
    with bundle_of({"a.py": f"def lid():\n    pass\n\n\n{users}", "test_a.py": f"from a import lid\n\n\n{tests}"}) as bundle:
        found = _around(bundle, "lid")
        text, _ = render_exploration(Exploration(best=1.0, named=(found.symbol,), around=(found,)), 4_000)
    assert (3, 2, 7) == (len(found.callers.symbols), found.callers.left, len(found.tests))
    assert "called by 5 symbols, of which 3 at 3 places (3 exact), tests aside:\n" in text
    assert "  - 2 more; `usages` lists all\n" in text
    assert "- tests: 7 directly, 0 through others: " in text


@pytest.mark.parametrize("mark", ["#[test]", "#[tokio::test]", "#[rstest]"])
def test_a_test_beside_the_code_is_a_test_and_no_caller(bundle_of: Any, mark: str) -> None:
    source = "pub fn lid() -> u8 { 1 }\n\npub fn put() -> u8 { lid() }\n\n"
    inside = f"    use super::*;\n\n    fn help() -> u8 {{ lid() }}\n\n    {mark}\n    fn fits() {{ lid(); }}\n"
    with bundle_of({"src/lid.rs": f"{source}#[cfg(test)]\nmod tests {{\n{inside}}}\n"}) as bundle:
        found = _around(bundle, "lid")
    assert ["put"] == _within(found.callers)
    assert ["tests.help", "tests.fits"] == [each.name for each in found.tests]


def test_a_function_whose_decorator_only_mentions_tests_is_none(bundle_of: Any) -> None:
    source = "def lid():\n    pass\n\n\n@testing_ground\ndef put():\n    lid()\n\n\n@skip_in(test=True)\ndef take():\n    lid()\n"
    with bundle_of({"a.py": source}) as bundle:
        assert ["put", "take"] == _within(_around(bundle, "lid").callers)


def test_tests_that_only_have_its_name_are_told_as_such(bundle_of: Any) -> None:
    source = "class Lid:\n    def put(self):\n        pass\n"
    test = "def test_put(thing):\n    thing.put()\n\n\ndef test_other():\n    pass\n"
    other = "package a\n\nfunc TestPut(t T) { t.put() }\n"
    with bundle_of({"lid.py": source, "test_lid.py": test, "lid_test.go": other}) as bundle:
        found = _around(bundle, "Lid.put")
        text, _ = render_exploration(Exploration(best=1.0, named=(found.symbol,), around=(found,)), 4_000)
    assert ((), [("test_put", 2)]) == (found.tests, [(each.name, each.line) for each in found.tests_possible])
    assert "by calls that are resolved; by its name alone 1 test may: `test_put` test_lid.py:2" in text


def test_a_file_of_c_that_is_called_test_is_one(bundle_of: Any) -> None:
    files = {"lid.h": "int lid(void);\n", "lid.c": '#include "lid.h"\n\nint lid(void) {\n  return 1;\n}\n'}
    files["test.c"] = '#include "lid.h"\n\nint main(void) {\n  return lid();\n}\n'
    with bundle_of(files) as bundle:
        found = _around(bundle, "lid")
    assert ([], ["main"]) == (_within(found.callers), [each.name for each in found.tests])


def test_what_is_two_calls_away_is_told_with_the_weaker_call(bundle_of: Any) -> None:
    files = {
        "a.py": "def lid():\n    pass\n\n\ndef put():\n    lid()\n\n\ndef go():\n    put()\n\n\ndef use():\n    return run(put)\n"
    }
    with bundle_of(files) as bundle:
        found = _around(bundle, "lid")
    assert [("go", 10, "exact"), ("use", 14, "exact")] == [(each.name, each.line, sure.value) for each, sure in found.second]


def test_a_field_is_told_by_who_reads_and_sets_it(bundle_of: Any) -> None:
    jar = "class Jar:\n    size: int = 0\n\n    def fill(self) -> None:\n        self.size = 1\n\n\n"
    with bundle_of({"a.py": f"{jar}def go(jar: Jar) -> int:\n    return jar.size\n"}) as bundle, Searcher(bundle) as searcher:
        text, _ = render_exploration(explore(searcher, "who uses `Jar.size`"), 4_000)
    assert "- read or set by 2 symbols at 2 places (2 exact), tests aside:\n" in text
    assert "  - `go` a.py:9: `return jar.size`\n" in text


def test_what_builds_on_one_of_two_types_of_a_package_is_told_by_the_name(bundle_of: Any) -> None:
    jar = "package shop;\n\npublic class Jar {\n}\n"
    files = {f"{top}/shop/Jar.java": jar for top in ("new", "old")}
    files["new/shop/Tin.java"] = "package shop;\n\npublic class Tin extends Jar {\n}\n"
    files["new/far/Box.java"] = "package far;\n\nimport other.Jar;\n\npublic class Box extends Jar {\n}\n"
    with bundle_of(files) as bundle:
        found = _around(bundle, "Jar")
    assert [("inherits, by the name alone,", "Tin")] == [(how, each.name) for how, each in found.subtypes]
