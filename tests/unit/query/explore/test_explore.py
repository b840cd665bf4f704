"""One answer to a question: what is named, what is found, and what is said of either; within its budget whatever is asked."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hardtack.errors import UsageError
from hardtack.nouns.exploration import WEAK, Exploration
from hardtack.query.explore.explore import explore
from hardtack.query.searcher import Searcher
from hardtack.render.exploration import render_exploration
from hardtack.render.markdown import open_fence

WORDS = [
    *("order", "coffee", "tea", "lid", "counter", "how", "is", "the", "a", "answer", "test", "from", "to", "who", "calls"),
    *("Handler", "Coffee.handle", "brew()", "`finish`"),
]


def _text(found: Exploration, room: int = 10_000) -> str:
    return render_exploration(found, room)[0]


def test_two_names_give_the_way_between_their_code_and_who_calls_them(kiosk_searcher: Searcher) -> None:
    text = _text(explore(kiosk_searcher, "from Counter.open to finish"))
    assert text.startswith("About method `Counter.open`, function `finish`.\n")
    assert "**Way** from `Counter.open` to `finish`, 4 calls:" in text
    assert "   ↓ 11, likely, through `Handler.handle`, decided at run time among 2: `served = handler.handle(order)`" in text
    assert '   ↓ 31, exact, under `if part != "decaf"`: `return finish(part)`' in text
    assert "39 def finish(order: str) -> str:" in text
    assert "- called by 4 symbols at 4 places (4 exact), tests aside: `brew` shop/base.py:31;" in text


def test_where_there_is_no_way_it_is_said_and_no_more_than_is_known(kiosk_searcher: Searcher) -> None:
    text = _text(explore(kiosk_searcher, "from get to steep"))
    assert "**No way** from `get` to `steep` or back in the calls that are resolved" in text
    assert "begins at `STEPS`" in text or "begins at `Counter.open`" in text
    unknown = _text(explore(kiosk_searcher, "lonely"))
    assert "- no caller is resolved, tests aside; code that has its name: shop/counter.py:51" in unknown
    assert "- no test is known to reach it by calls that are resolved" in unknown


def test_who_uses_it_is_told_line_by_line_where_that_is_asked(kiosk_searcher: Searcher) -> None:
    assert "  - `brew` shop/base.py:31: `return finish(part)`" in _text(explore(kiosk_searcher, "who calls finish"))
    assert "  - `brew`" not in _text(explore(kiosk_searcher, "finish"))


def test_an_ambiguous_name_is_told_with_all_that_it_can_mean(kiosk_searcher: Searcher) -> None:
    text = _text(explore(kiosk_searcher, "`handle`"))
    assert text.startswith("`handle` is 3 symbols: method `Handler.handle` shop/base.py:9;")


def test_a_type_outside_the_bundle_is_told_by_what_stands_on_it(bundle_of: Any) -> None:
    files = {"a.py": "from lib import BaseJob\n\n\nclass Bake(BaseJob):\n    pass\n\n\nclass Fry(BaseJob):\n    pass\n"}
    with bundle_of(files) as bundle, Searcher(bundle) as searcher:
        text = _text(explore(searcher, "what implements BaseJob"))
    assert text.startswith("`BaseJob` is outside; on it 2 symbols here: inherits `Bake` a.py:4; inherits `Fry` a.py:8\n")


def test_words_that_name_nothing_are_searched_for(kiosk_searcher: Searcher) -> None:
    found = explore(kiosk_searcher, "how is coffee made for an order")
    assert () == found.named
    assert _text(found).startswith("Nothing is named; what a search finds, best 0.")


def test_no_line_of_code_is_shown_twice_and_what_is_shown_is_not_said_to_be_left_out(kiosk_searcher: Searcher) -> None:
    for question in ("Counter.serve", "Coffee and Coffee.handle", "how is coffee made", "from Counter.open to finish"):
        found = explore(kiosk_searcher, question)
        shown = [(place.symbol.path, place.first + n) for place in found.places for n in range(place.code.count("\n") + 1)]
        assert len(shown) == len(set(shown)), question
        assert not {(each.path, each.line) for each in found.further} & set(shown), question


def test_a_weak_answer_says_so_first_and_is_short(kiosk_searcher: Searcher) -> None:
    found = explore(kiosk_searcher, "how is coffee made")
    weak = Exploration(**{name: getattr(found, name) for name in found.__dataclass_fields__} | {"best": WEAK / 2, "around": ()})
    text = _text(weak)
    assert text.startswith("Nothing likely; best 0.05.")
    assert len(text) <= 0.3 * 10_000


def test_nothing_found_is_a_sentence(kiosk_searcher: Searcher) -> None:
    assert "Nothing found.\n" == _text(Exploration(best=0.0))
    text = _text(explore(kiosk_searcher, "kubernetes ingress rotation xyzzy"))
    assert text.startswith("Nothing found; try other words.")
    assert 1 == text.count("Nothing found")


@pytest.mark.parametrize("text", ["", " \n\t", "x" * 1_000_000])
def test_what_cannot_be_asked_is_refused_in_a_sentence(kiosk_searcher: Searcher, text: str) -> None:
    with pytest.raises(UsageError) as refused:
        explore(kiosk_searcher, text)
    assert "\n" not in str(refused.value)


def _questions() -> list[str]:
    drawn = random.Random(33)
    found = [" ".join(drawn.choices(WORDS, k=drawn.randint(1, 12))) for _ in range(200)]
    found += ["".join(drawn.choices("aZ_.:`#*()[]{}\n \\\"'é漢🙂\u202e", k=drawn.randint(1, 80))) + "x" for _ in range(70)]
    for size in (500, 5_000, 30_000, 64_000):
        body = " ".join(drawn.choices(WORDS, k=size // 6))
        found += [f'# Coffee is cold\n\n{body}\n\nFile "shop/base.py", line 31, in brew\n\n```\n{body[:500]}\n```\n'[:size]]
    found += [f"from {one} to {other}" for one in ("brew", "Tea", "lonely", "no_such") for other in ("finish", "Counter", "get")]
    return (
        found
        + ["handle", "Handler", "`handle` and `Tea`", "shop/base.py", "shop/base.py:31", "docs/guide.md", "who calls brew?"] * 2
    )


QUESTIONS = _questions()


def test_three_hundred_questions_are_answered_within_any_budget(kiosk_searcher: Searcher) -> None:
    assert len(QUESTIONS) >= 300
    for question in QUESTIONS:
        found = explore(kiosk_searcher, question)
        for room in (400, 2_000, 10_000):
            text = _text(found, room)
            assert 0 < len(text) <= room, (question[:80], room)
            assert text.strip(), question[:80]
        assert "" == open_fence(_text(found)), question[:80]


def test_what_does_not_fit_is_named(kiosk_searcher: Searcher) -> None:
    found = explore(kiosk_searcher, "from Counter.open to finish")
    text, is_cut = render_exploration(found, 1_500)
    assert is_cut
    rest = text.partition("Not shown: ")[2]
    shown = text.partition("Not shown: ")[0]
    assert rest
    for place in found.places:
        assert f"`{place.symbol.path}:{place.first}" in shown or f"`{place.symbol.name}`" in rest or "more" in rest
