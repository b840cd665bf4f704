"""A fixture of pytest in, the functions that take its value by a parameter of its name out.

Pytest passes what the function ``jar`` gives to each test and fixture with a parameter ``jar``: of the fixture's file, of all
files below its directory if that is ``conftest.py``, of all tests if it is in no test (a plugin's). A fixture with ``autouse``
serves every test there. ``usefixtures`` is not followed. https://docs.pytest.org/en/stable/how-to/fixtures.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.query.lookup.references import Site

_FIXTURE: Final = re.compile(r"@?(?:pytest\.|pytest_asyncio\.)?fixture\b(.*)", re.DOTALL)
_NAME: Final = re.compile(r"\bname\s*=\s*[\"'](\w+)[\"']")
_AUTOUSE: Final = re.compile(r"\bautouse\s*=\s*True\b")


def fixture_sites(bundle: Bundle, function: int) -> Iterator[Site]:
    """The functions that get the value of a fixture, each at the line of its name; none for what is no fixture."""
    symbol = bundle.symbol(function)
    file = bundle.file(symbol.file)
    if file.language != "python":
        return
    arguments = next((match[1] for each in bundle.detail(function).decorators if (match := _FIXTURE.match(each))), None)
    if arguments is None:
        return
    named = _NAME.search(arguments)
    name, serves_all = named[1] if named else symbol.name, bool(_AUTOUSE.search(arguments))
    for number in _files(bundle, symbol.file, file):
        record = bundle.file(number)
        if not serves_all and bundle.has_text and name.encode() not in bundle.text_of(record):
            continue
        for ordinal in range(record.first_symbol, record.first_symbol + record.symbol_count):
            if ordinal != function and bundle.symbol_name(ordinal).kind in FUNCTIONS and _takes(bundle, ordinal, name, serves_all):
                line = bundle.symbol(ordinal).selection_line
                yield Site(number, line, -1, RelationKind.REFERENCES, Certainty.LIKELY, ordinal, function)


def _files(bundle: Bundle, number: int, file: FileRecord) -> Iterator[int]:
    """Ordinals of the files whose functions can take the fixture."""
    path = PurePosixPath(file.path)
    if path.name != "conftest.py" and file.is_test:
        yield number
        return
    folder = path.parent if path.name == "conftest.py" else PurePosixPath()
    for each, record in enumerate(bundle.files):
        if record.language == "python" and record.is_test and PurePosixPath(record.path).is_relative_to(folder):
            yield each


def _takes(bundle: Bundle, function: int, name: str, serves_all: bool) -> bool:
    if serves_all and bundle.symbol_name(function).name.startswith("test"):
        return True
    return any(each.name == name for each in bundle.detail(function).parameters)
