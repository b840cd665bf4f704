"""A place in, whether it is in a test out: in a test file, or in a symbol that is marked as one (``#[cfg(test)]``)."""

from __future__ import annotations

import re
from typing import Final

from hardtack.bundle.reader import Bundle

_MARK: Final = re.compile(
    r"[@\[(]*(?:[\w:.]+(?:::|\.))?"
    r"(?:cfg\s*\(\s*(?:all\s*\(\s*)?test\b|(?:test|rstest|test_case|quickcheck|Test|ParameterizedTest|Fact|Theory|TestMethod|TestCase)\b)"
)
"""An attribute, annotation or decorator that marks a test or a module of tests: Rust, Java, Kotlin, C#."""


def is_in_test(bundle: Bundle, file: int, symbol: int) -> bool:
    """Whether a place is in a test.

    Args:
        bundle: where it is.
        file: ordinal of its file.
        symbol: ordinal of the innermost symbol around it; -1 for none.
    """
    if bundle.file(file).is_test:
        return True
    while symbol >= 0:
        if is_marked(bundle, symbol):
            return True
        symbol = bundle.symbol(symbol).parent
    return False


def is_marked(bundle: Bundle, symbol: int) -> bool:
    """Whether a symbol itself is marked as a test, or as a module of tests."""
    return any(map(_MARK.match, bundle.detail(symbol).decorators))
