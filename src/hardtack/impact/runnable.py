"""A place in a test in, the test that a runner can run out: a function where tests have names, else the whole file.

The rules are those by which the runners find tests: pytest's ``python_files``, ``python_classes`` and ``python_functions``, ``go
help testfunc``, the attributes of Rust and the annotations of JUnit, NUnit, xUnit and PHPUnit. A function of a test file that no
runner starts, as a helper, is no test; one that runs before or after others stands for all of its type or file.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES
from hardtack.query.lookup.tests_inside import is_in_test, is_marked

_GO: Final = re.compile(r"(?:Test|Benchmark|Fuzz|Example)(?![a-z])\w*")
_PYTHON_FILE: Final = re.compile(r"test_.*|.*_tests?|tests?")
_AROUND_OTHERS: Final = re.compile(
    r"[@\[]*(?:[\w.]+\.)?(?:Before|After|BeforeEach|AfterEach|BeforeAll|AfterAll|SetUp|TearDown|OneTimeSetUp|OneTimeTearDown|"
    r"BeforeClass|AfterClass|TestInitialize|TestCleanup)\b"
)
_SET_UP: Final = re.compile(r"(?i:set_?up|tear_?down)(?:_?(?:class|method|module|function))?|asyncSetUp|asyncTearDown")
_ANNOTATED: Final = frozenset({"java", "kotlin", "csharp", "scala", "groovy", "rust"})
_SUPPORT: Final = frozenset({"conftest", "__init__"})


class Runnable(NamedTuple):
    """What a runner can be told to run."""

    file: int
    symbol: int
    """Ordinal of a function or type; -1 for the whole file."""


def runnable(bundle: Bundle, file: int, symbol: int) -> Runnable | None:
    """The test that a place is in; None where the place is in no test, as in a helper.

    Args:
        bundle: where it is.
        file: ordinal of its file.
        symbol: ordinal of the innermost symbol around it; -1 for none.
    """
    if not is_in_test(bundle, file, symbol) or not holds_tests(bundle, file):
        return None
    function = _outermost(bundle, symbol)
    language = bundle.file(file).language
    if function < 0:
        # The body of a class of tests, or what a file does when it is loaded: ``it("adds", () => ...)``.
        return Runnable(file, -1) if language != "rust" or bundle.file(file).is_test else None
    name = bundle.symbol_name(function).name
    if _is_around_others(bundle, function, name):
        parent = bundle.symbol(function).parent
        is_of_type = parent >= 0 and bundle.symbol_name(parent).kind in TYPES
        return Runnable(file, parent if is_of_type else -1)
    return Runnable(file, function) if _is_test(bundle, function, name, language) else _whole_file(bundle, file, language)


def holds_tests(bundle: Bundle, file: int) -> bool:
    """Whether a runner looks for tests in a file: not in a helper of tests, nor in what they read."""
    record = bundle.file(file)
    stem = PurePosixPath(record.path).stem
    if record.language == "python":
        return bool(_PYTHON_FILE.fullmatch(stem)) and stem not in _SUPPORT
    if record.language == "go":
        return stem.endswith("_test")
    if record.language in _NAMED_FILES:
        return bool(_NAMED_FILES[record.language].search(record.path))
    if record.language not in _ANNOTATED or record.language == "rust" or _NAMED_TYPE.search(stem):
        return True
    return any(is_marked(bundle, each) for each in range(record.first_symbol, record.first_symbol + record.symbol_count))


_NAMED_TYPE: Final = re.compile(r"(?:Tests?|TestCase|IT|ITCase|Specs?|Suite)$|^Test(?![a-z])")
_SCRIPT: Final = re.compile(
    r"(?:^|/)__tests__/|[.\-_](?:test|spec|e2e|cy)(?:-d)?\.[cm]?[jt]sx?$|(?:^|/)tests?/(?:.*/)?[^/]+\.[cm]?[jt]sx?$"
)
_NAMED_FILES: Final = {
    **dict.fromkeys(("javascript", "typescript", "tsx"), _SCRIPT),
    "ruby": re.compile(r"(?:_spec|_test)\.rb$|(?:^|/)test_[^/]*\.rb$"),
    "php": re.compile(r"(?:Test|Cest)\.php$|\.phpt$"),
}


def _outermost(bundle: Bundle, symbol: int) -> int:
    """The outermost function around a place; -1 where there is none."""
    function = -1
    while symbol >= 0:
        function = symbol if bundle.symbol_name(symbol).kind in FUNCTIONS else function
        symbol = bundle.symbol(symbol).parent
    return function


def _is_around_others(bundle: Bundle, function: int, name: str) -> bool:
    return bool(_SET_UP.fullmatch(name)) or any(map(_AROUND_OTHERS.match, bundle.detail(function).decorators))


def _is_test(bundle: Bundle, function: int, name: str, language: str) -> bool:
    if language == "go":
        return bool(_GO.fullmatch(name))
    if language == "python":
        return name.startswith("test")
    if language in _ANNOTATED:
        return is_marked(bundle, function) or (language in ("java", "groovy") and name.startswith("test"))
    if language == "php":
        return name.startswith("test") or is_marked(bundle, function)
    return False


def _whole_file(bundle: Bundle, file: int, language: str) -> Runnable | None:
    """Where tests have no names that a look at their functions tells, the file; else nothing: the function is a helper."""
    return None if language in ("python", "go", "php") or language in _ANNOTATED else Runnable(file, -1)


def tests_of_file(bundle: Bundle, file: int) -> list[Runnable]:
    """All tests of a file, by name where a runner takes no path of a file; else the file."""
    record = bundle.file(file)
    if record.language not in _BY_NAME:
        return [Runnable(file, -1)]
    symbols = range(record.first_symbol, record.first_symbol + record.symbol_count)
    functions = [each for each in symbols if bundle.symbol_name(each).kind in FUNCTIONS]
    return [test for each in functions if (test := runnable(bundle, file, each)) and test.symbol == each]


_BY_NAME: Final = frozenset({"go", "rust"})
