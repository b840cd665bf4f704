"""Callers, tests and types around a symbol."""

from __future__ import annotations

from typing import Any

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import Around
from hardtack.nouns.model import FUNCTIONS, TYPES
from hardtack.query.explore.around import around
from hardtack.query.lookup.symbols import look_up


def _around(bundle: Bundle, name: str) -> Around:
    return around(bundle, look_up(bundle, name, FUNCTIONS | TYPES).ordinals[0])


def _within(callers: Any) -> list[str]:
    return [caller.within for caller in callers]


def test_tests_are_no_callers_and_are_told_by_their_outermost_function(kiosk: Bundle) -> None:
    found = _around(kiosk, "brew")
    assert ["Coffee.handle"] == _within(found.callers)
    assert (["test_inside"], ["test_open"]) == ([each.name for each in found.tests], [each.name for each in found.tests_through])


def test_a_place_of_a_test_file_in_no_function_is_told_by_its_line(kiosk: Bundle) -> None:
    (test,) = _around(kiosk, "add").tests
    assert ("", "web/add.test.ts", 5) == (test.name, test.path, test.line)


def test_a_method_is_called_through_the_one_that_it_overrides(kiosk: Bundle) -> None:
    found = _around(kiosk, "Coffee.handle")
    assert () == found.callers
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
        (caller,) = _around(bundle, "Lid").callers
        assert [7, 8] == [call.line for call in caller.calls]


def test_a_local_variable_is_no_caller_and_neither_is_the_symbol_itself(kiosk: Bundle) -> None:
    assert ["Counter.open"] == _within(_around(kiosk, "Counter.serve").callers)
    assert ["Counter.serve"] == _within(_around(kiosk, "Handler.handle").callers)
    assert () == _around(kiosk, "lonely").callers


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
        (caller,) = _around(bundle, "A.c").callers
        assert [2, 3] == [call.line for call in caller.calls]
