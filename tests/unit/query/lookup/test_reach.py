"""What leads to a symbol by calls: by distance, through supertypes, values, local variables and nested functions."""

from __future__ import annotations

from typing import Any

import pytest

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Kind
from hardtack.nouns.relations import Certainty
from hardtack.query.lookup import reach
from hardtack.query.lookup.reach import Reached, reached
from hardtack.query.lookup.symbols import look_up


def _ordinals(bundle: Bundle, name: str) -> tuple[int, ...]:
    return look_up(bundle, name, frozenset(Kind)).ordinals


def _name(bundle: Bundle, ordinal: int) -> str:
    return bundle.symbol_name(ordinal).qualified_name if ordinal >= 0 else ""


def _found(bundle: Bundle, name: str, **arguments: Any) -> Reached:
    return reached(bundle, _ordinals(bundle, name), **arguments)


def _depths(bundle: Bundle, name: str, **arguments: Any) -> dict[str, int]:
    return {_name(bundle, step.symbol): step.depth for step in _found(bundle, name, **arguments).steps.values()}


def test_each_symbol_is_reached_by_its_shortest_way_the_nearest_first(kiosk: Bundle) -> None:
    depths = _depths(kiosk, "finish")
    assert {
        "brew": 1,
        "steep": 1,
        "Coffee.handle": 2,
        "Counter.serve": 3,
        "Counter.open": 4,
        "test_open": 5,
    }.items() <= depths.items()
    assert list(depths.values()) == sorted(depths.values())


def test_a_call_of_a_supertypes_method_leads_to_what_overrides_it_and_is_no_surer_than_likely(kiosk: Bundle) -> None:
    step = next(iter(_found(kiosk, "Coffee.handle").steps.values()))
    assert ("Counter.serve", "Coffee.handle", "Handler.handle") == tuple(
        _name(kiosk, each) for each in (step.symbol, step.next, step.through)
    )
    assert Certainty.LIKELY is step.own is step.certainty
    assert {} == _found(kiosk, "Coffee.handle", certainty=Certainty.EXACT).steps


def test_a_way_is_as_sure_as_its_least_sure_step(kiosk: Bundle) -> None:
    steps = {_name(kiosk, step.symbol): step for step in _found(kiosk, "finish").steps.values()}
    assert (Certainty.EXACT, Certainty.LIKELY) == (steps["Counter.open"].own, steps["Counter.open"].certainty)
    assert Certainty.EXACT is steps["brew"].certainty


def test_a_function_that_is_passed_as_a_value_is_stepped_to(kiosk: Bundle) -> None:
    assert {"passing", "STEPS"} <= set(_depths(kiosk, "finish"))


def test_a_local_variable_stands_for_the_function_that_it_is_in(kiosk: Bundle) -> None:
    names = set(_depths(kiosk, "finish"))
    assert "Counter.open" in names
    assert not {"Counter.open.first", "Counter.serve.served"} & names


def test_a_nested_function_leads_back_to_the_function_around_it(kiosk: Bundle) -> None:
    assert {"wrapped.inner": 1, "wrapped": 2}.items() <= _depths(kiosk, "finish").items()


def test_a_nested_function_that_nothing_names_is_taken_for_one_that_is_passed_on(bundle_of: Any) -> None:
    files = {
        "app.py": "def make(app):\n    @app.route('/')\n    def index():\n        return show()\n\n\ndef show():\n    return 1\n"
    }
    with bundle_of(files) as bundle:
        steps = {_name(bundle, step.symbol): step for step in _found(bundle, "show").steps.values()}
    assert {"make.index": 1, "make": 2} == {name: step.depth for name, step in steps.items()}
    assert (Certainty.LIKELY, 3) == (steps["make"].own, steps["make"].site.line)


def test_tests_are_not_lost_in_functions_nor_at_the_top_of_a_file(kiosk: Bundle) -> None:
    assert {"test_inside", "test_open"} <= set(_depths(kiosk, "finish"))
    found = _found(kiosk, "add")
    files = {kiosk.file(step.site.file).path for step in (*found.steps.values(), *found.tops)}
    assert {"web/add.test.ts"} == files


def test_a_search_ends_at_the_first_of_those_that_are_wanted(kiosk: Bundle) -> None:
    found = _found(kiosk, "finish", until=_ordinals(kiosk, "Counter.serve"))
    (wanted,) = _ordinals(kiosk, "Counter.serve")
    way = [_name(kiosk, step.symbol) for step in found.way_from(wanted)]
    assert ["Counter.serve", "Coffee.handle", "brew"] == way
    assert "test_open" not in {_name(kiosk, each) for each in found.steps}


def test_a_way_from_what_leads_nowhere_is_empty(kiosk: Bundle) -> None:
    assert [] == _found(kiosk, "finish").way_from(_ordinals(kiosk, "lonely")[0])


def test_a_depth_bounds_the_search_which_says_so(kiosk: Bundle) -> None:
    assert {1} == set(_depths(kiosk, "finish", depth=1).values())
    assert (False, True) == (_found(kiosk, "finish", depth=1).is_whole, _found(kiosk, "finish").is_whole)


def test_a_number_of_symbols_bounds_the_search_which_says_so(kiosk: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "MAX_REACHED", 2)
    found = _found(kiosk, "finish")
    assert not found.is_whole
    assert len(found.steps) < 6


def test_what_calls_itself_alone_is_reached_by_nothing(kiosk: Bundle) -> None:
    assert {} == _found(kiosk, "lonely").steps


def test_two_that_call_each_other_end_the_search(bundle_of: Any) -> None:
    with bundle_of({"a.py": "def ping():\n    pong()\n\n\ndef pong():\n    ping()\n"}) as bundle:
        assert {"pong": 1} == _depths(bundle, "ping")
        assert _found(bundle, "ping").is_whole


def test_all_that_is_one_step_away_is_found_however_few_are_wanted(bundle_of: Any) -> None:
    near = "".join(f"def near_{n}():\n    lid()\n\n\n" for n in range(9))
    far = "".join(f"def far_{n}():\n    near_{n}()\n\n\n" for n in range(9))
    with bundle_of({"a.py": f"def lid():\n    pass\n\n\n{near}{far}"}) as bundle:
        found = _found(bundle, "lid", most=3)
        whole = _found(bundle, "lid")
    assert {f"near_{n}" for n in range(9)} <= {_name(bundle, each) for each in found.steps}
    assert (1, False) == (found.levels, found.is_whole)
    assert (18, True) == (len(whole.steps), whole.is_whole)
