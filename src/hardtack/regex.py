"""Regular expressions that are compiled when they are first used: most of those of a query's reading are not, in one search.

Compiling one takes a tenth of a millisecond or more, and reading queries has twenty: a fiftieth of a cold search.
"""

from __future__ import annotations

import re

from hardtack.hints import TYPE_CHECKING

if TYPE_CHECKING:

    def lazily(pattern: str) -> re.Pattern[str]:
        """The regular expression, whose methods are those of any other; a mistake in it is found at its first use."""

else:

    class lazily:  # noqa: N801 - called as the function that it is to type checkers
        """See above."""

        def __init__(self, pattern):
            self.pattern = pattern

        def __getattr__(self, name):
            found = getattr(re.compile(self.pattern), name)
            setattr(self, name, found)
            return found
