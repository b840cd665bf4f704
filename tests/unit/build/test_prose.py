"""A docstring is the value of its literal."""

from __future__ import annotations

import pytest

from hardtack.build.languages.prose import docstring_words


@pytest.mark.parametrize(
    ("literal", "wanted"),
    [
        (r'"""Runs \bword."""', "Runs \bword."),
        (r'"It\'s \"so\"."', 'It\'s "so".'),
        (r'"""\x41\u00e9\U0001F600\N{BULLET}\101"""', "Aé\U0001f600•A"),
        ('"""One \\\nline."""', "One line."),
        (r'r"""Matches \b."""', r"Matches \b."),
        (r'R"""Matches \x41."""', r"Matches \x41."),
        (r'"""\d \N{NO SUCH THING} \ud800 \U00110000 \xg"""', r"\d \N{NO SUCH THING} \ud800 \U00110000 \xg"),
        ('"""\n    First.\n\n        Then.\n    """', "First.\n\n    Then."),
        ("no literal", "no literal"),
    ],
)
def test_escapes_read_as_what_they_stand_for_unless_the_literal_is_raw(literal: str, wanted: str) -> None:
    assert wanted == docstring_words(literal)
