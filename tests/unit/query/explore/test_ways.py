"""The calls that lead from one name to another, and what is said where none are known."""

from __future__ import annotations

from typing import Any

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import Way
from hardtack.nouns.model import Kind
from hardtack.nouns.relations import Certainty
from hardtack.query.explore.ways import way_between
from hardtack.query.lookup.symbols import look_up


def _way(bundle: Bundle, start: str, end: str) -> Way | None:
    return way_between(bundle, *(look_up(bundle, name, frozenset(Kind)).ordinals for name in (start, end)))


def _steps(way: Way | None) -> list[str]:
    assert way is not None
    return [step.symbol.name for step in way.steps]


def test_each_step_has_its_line_its_code_its_certainty_and_its_condition(kiosk: Bundle) -> None:
    way = _way(kiosk, "Counter.open", "finish")
    assert ["Counter.open", "Counter.serve", "Coffee.handle", "brew"] == _steps(way)
    assert way is not None
    assert "finish" == way.end.name
    opening, serving, _, brewing = way.steps
    assert (15, 'first = self.serve("flat white")', Certainty.EXACT, "") == (
        opening.line,
        opening.code,
        opening.certainty,
        opening.condition,
    )
    assert ("Handler.handle", Certainty.LIKELY) == (serving.through, serving.certainty)
    assert 'if part != "decaf"' == brewing.condition


def test_a_way_back_is_found_where_there_is_none_forth(kiosk: Bundle) -> None:
    assert ["Counter.open", "Counter.serve", "Coffee.handle", "brew"] == _steps(_way(kiosk, "finish", "Counter.open"))


def test_a_type_begins_a_way_with_any_method_and_ends_it_with_any(kiosk: Bundle) -> None:
    assert ["Counter.serve", "Coffee.handle", "brew"] == _steps(_way(kiosk, "Counter", "finish"))
    assert ["test_open", "helper"] == _steps(_way(kiosk, "test_open", "Coffee")) or ["helper"] == _steps(
        _way(kiosk, "helper", "Coffee")
    )


def test_where_no_way_is_known_it_says_where_those_begin_that_are(kiosk: Bundle) -> None:
    way = _way(kiosk, "get", "steep")
    assert way is not None
    assert () == way.steps
    assert way.is_whole
    assert {"Counter.open", "STEPS"} == {each.name for each in way.begins}


def test_a_way_ends_where_a_field_or_a_variable_is_read_or_set(bundle_of: Any) -> None:
    files = {
        "a.py": "LIMIT = 3\n\n\nclass Jar:\n    size: int = 0\n\n    def fill(self) -> None:\n        self.size = 1\n\n\n"
        "def go(jar: Jar) -> int:\n    jar.fill()\n    return count()\n\n\ndef count() -> int:\n    return LIMIT\n",
    }
    with bundle_of(files) as bundle:
        assert ["go", "Jar.fill"] == _steps(_way(bundle, "go", "Jar.size"))
        way = _way(bundle, "go", "LIMIT")
        assert ["go", "count"] == _steps(way)
        assert way is not None
        assert ("return LIMIT", "LIMIT") == (way.steps[-1].code, way.end.name)


def test_what_has_no_calls_has_no_way(kiosk: Bundle) -> None:
    assert _way(kiosk, "Guide", "finish") is None
    assert _way(kiosk, "finish", "finish") is None


def test_a_call_in_a_local_variable_is_a_step_of_the_function_around_it(bundle_of: Any) -> None:
    files = {"a.ts": "export function one() {\n  const two = three()\n  return two\n}\nexport function three() {\n  return 3\n}\n"}
    with bundle_of(files) as bundle:
        assert ["one"] == _steps(_way(bundle, "one", "three"))
