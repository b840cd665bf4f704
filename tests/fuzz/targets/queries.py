"""What a caller asks: texts of queries, issues of tens of thousands of characters, filters, globs, patterns of ``grep``, paths.

A case is the kind of question, a line feed, and what is asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from driver import Generator, Target
from forge import FROZEN
from mutations import another_json, in_text

from hardtack.mcp.resources import address_of
from hardtack.query.files.grep import grep
from hardtack.query.files.path_spelling import find_file, place_of
from hardtack.query.files.patterns import compiled, required_text
from hardtack.query.files.stored_files import StoredFiles
from hardtack.query.opening import open_bundle
from hardtack.query.request.analysis import language_names
from hardtack.query.request.aspects import read_text
from hardtack.query.request.filter_words import name_predicate, type_predicate
from hardtack.query.request.filters import FILTERS
from hardtack.query.request.globs import matching, path_predicate
from hardtack.query.request.issue import MOST_FILES, MOST_FRAMES, MOST_NAMES, names_in, read_issue
from hardtack.query.request.parse import MAX_QUERY_CHARACTERS, parse_request
from hardtack.query.request.selection import Selection
from hardtack.query.request.top import spelt_glob
from hardtack.query.searcher import Searcher
from hardtack.tools.cursor import cursor_of, position_of

_ISSUE = """Crash when opening a shelf twice

### What happened
`open_shelf` raises when the *shelf* is already open, see https://github.com/o/n/blob/main/src/pantry/shelf.py#L3

```python
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/pantry/shelf.py", line 30, in open_shelf
    return Shelf(path)
ValueError: shelf is open
```
    at com.example.Foo.bar(Foo.java:42)
    at Object.<anonymous> (/app/src/index.ts:10:5)
#0 0x00007f in foo (x=1) at src/foo.c:12
thread 'main' panicked at src/main.rs:4:5:
2024-01-02 10:00:00 INFO started
- [x] I have searched
OS: Windows 10
numpy: 1.17.0
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,4 @@
"""
_SEEDS = (
    *(
        "query\nwhere is stock rationed",
        "query\nHandleStock::portion",
        "query\nsrc/pantry/shelf.py:30",
        "query\n`open_shelf` in python",
    ),
    f"issue\n{_ISSUE}",
    *(
        "glob\nsrc/**/*.py",
        "glob\n*.{ts,tsx}",
        "glob\n[a-c]?/x",
        "name\nget*",
        "type\nlist[dict[str, int]] | None",
        "type\nMap<K, V>::iter",
    ),
    'filters\n{"languages": ["python"], "kinds": ["function"], "paths": ["pantry/**"], "excluded": ["*.md"], "symbol_name": "g*"}',
    'filters\n{"tags": ["entity"], "roles": ["test"], "packages": ["pantry"], "parameter_type": "list[int]", "returns": "str"}',
    *(
        "pattern\n^def (\\w+)\\(.*$",
        "pattern\n[[:alpha:]_]+[0-9]*",
        "pattern\n(?i)a|b{2,3}?",
        "pattern\n\\bfoo\\.bar\\b",
        "grep\nstock",
        "grep\n(",
    ),
    *(
        "path\nsrc/pantry/shelf.py#L10-L20",
        "path\nC:\\src\\a.py:10:5",
        "path\nfile:///srv/x/a.py",
        "path\nhardtack://frozen/src/a.py#L1",
    ),
    f"cursor\n{cursor_of('sha256:0', {'query': 'x'}, (3, 400))}",
)
_WORDS = (
    *(
        b"at a.b.C.d(C.java:1)\n",
        b'  File "a.py", line 9, in f\n',
        b"```\n",
        b"### ",
        b"- [ ] ",
        b"**",
        b"`",
        b"Error: ",
        b"panicked at ",
        b"<!--",
    ),
    *(
        b"https://github.com/o/n/blob/main/a.py#L3 ",
        b"://",
        b"::",
        b"->",
        b"#",
        b".",
        b"/",
        b"\\",
        b"~",
        b"%2e%2e%2f",
        b"%00",
        b"..",
        b"C:",
    ),
    *(
        b"*",
        b"**",
        b"?",
        b"[",
        b"]",
        b"[!",
        b"{",
        b"}",
        b",",
        b"|",
        b"(",
        b")",
        b"(?i)",
        b"(?P<a>",
        b"{1,1000}",
        b"\\d",
        b"\\pL",
        b"\\Q",
        b"$",
        b"^",
    ),
    *(
        b"(((((((((((((((((((",
        b"a*a*a*a*a*",
        b"x" * 300,
        "漢字".encode(),
        "é".encode(),
        b"\xed\xa0\x80",
        b"\x1b[31m",
        b"\n\n",
        b" " * 50,
        b"[ \t]*" * 9,
    ),
)
_LINES = b"def stock(self):\n    return foo.bar[0] + aab(b, 'x')\n\n\xc3\xa9\xff line\n" * 4
_PATHS = ("src/pantry/shelf.py", "README.md", "a/b/c.ts", "x", "src/.hidden/[a].py")


@cache
def _searcher() -> Searcher:
    return open_bundle(FROZEN / "hybrid")


def _seeds() -> list[bytes]:
    searcher = _searcher()
    searcher.search("stock", mode="keyword")
    return [seed.encode() for seed in _SEEDS]


def _another(generator: Generator, seed: bytes) -> bytes:
    kind, _, asked = seed.partition(b"\n")
    if kind == b"filters":
        return kind + b"\n" + another_json(generator, asked)
    asked = in_text(generator, asked, _WORDS)
    if kind == b"issue" and generator.random() < 0.1:
        asked *= generator.choice((2, 10, 65_536 // max(len(asked), 1)))
    return kind + b"\n" + asked


def _ask(case: bytes) -> str:
    kind, _, asked = case.partition(b"\n")
    ask = _KINDS.get(kind.decode("ascii", "replace"))
    if ask is None:
        return "no case"
    ask(asked.decode("utf-8", "surrogatepass" if len(asked) % 2 else "replace") if _decodes(asked) else asked.decode("latin-1"))
    return kind.decode()


def _decodes(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _query(text: str) -> None:
    searcher = _searcher()
    query = parse_request(searcher.bundle, text, mode="keyword")
    reading = read_text(searcher.bundle, query.text, language_names(searcher.bundle.manifest.languages))
    assert reading.aspects
    if len(text) % 8 == 0 and len(text) < 2000:
        answer, _ = searcher.traced(query)
        assert all(0 <= hit.score <= 1 for hit in answer.hits)


def _issue(text: str) -> None:
    issue = read_issue(text[:MAX_QUERY_CHARACTERS])
    names_in(text)
    if issue:
        assert len(issue.frames) <= MOST_FRAMES
        assert len(issue.files) <= MOST_FILES
        assert issue.parts
        assert all(frame.line >= 0 for frame in issue.frames)
    if len(text) % 8 == 0:
        searcher = _searcher()
        reading = read_text(searcher.bundle, text[:MAX_QUERY_CHARACTERS], {})
        assert all(len(aspect.analysis.identifiers) <= MAX_QUERY_CHARACTERS for aspect in reading.aspects)
        assert MOST_NAMES


def _glob(text: str) -> None:
    matches = path_predicate([spelt_glob(_searcher().bundle, text)])
    for path in _PATHS:
        matches(path)
    assert matching(text, _PATHS) == [matching(text, [path])[0] for path in _PATHS], "one by one other paths match"
    parse_request(_searcher().bundle, "x", mode="keyword", paths=[text])


def _name(text: str) -> None:
    matches = name_predicate(text)
    for ordinal in range(5):
        matches(_searcher().bundle.symbol_name(ordinal))


def _type(text: str) -> None:
    matches = type_predicate(text)
    for written in ("int", "list[dict[str, int]]", "Map<K, V>", "*const u8", ""):
        matches(written)


def _filters(text: str) -> None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    known = {row.name for row in FILTERS}
    options: dict[str, Any] = {}
    for name, value in document.items() if isinstance(document, dict) else ():
        words = [each for each in value if isinstance(each, str)] if isinstance(value, list) else value
        if name in known and isinstance(words, str | list):
            options[name] = words
    query = parse_request(_searcher().bundle, "x", mode="keyword", **options)
    selection = Selection(_searcher().bundle, query.filters)
    assert selection is not None


def _pattern(text: str) -> None:
    find = compiled(text)
    needed = required_text(text).encode("utf-8", "surrogatepass")
    at = 0
    for _ in range(50):
        at = find(_LINES, at)
        if at < 0 or at >= len(_LINES):
            return
        begin, end = _LINES.rfind(b"\n", 0, at) + 1, _LINES.find(b"\n", at)
        assert needed in _LINES[begin : end if end >= 0 else len(_LINES)], f"a match without {needed!r}"
        at += 1


def _grep(text: str) -> None:
    for regex in (False, True) if len(text) % 4 == 0 else (False,):
        found = StoredFiles(_searcher().bundle).search(text, limit=20, regex=regex)
        assert len(found.matches) <= 20
        assert regex or all(text in match.text or not match.text.isascii() or "\n" in text for match in found.matches)
    if "\n" not in text and text:
        assert grep(_searcher().bundle, text, limit=1) is not None


def _path(text: str) -> None:
    place_of(text)
    bundle = _searcher().bundle
    for use in (lambda: find_file(bundle, text), lambda: address_of(text), lambda: StoredFiles(bundle).directory(text)):
        _refused_or(use)
    StoredFiles(bundle).read_target(text)


def _refused_or(use: Callable[[], object]) -> None:
    from hardtack.errors import HardtackError

    try:
        use()
    except HardtackError as error:
        assert re.search(r"[.!?]$", str(error))


def _cursor(text: str) -> None:
    assert all(number >= 0 for number in position_of(text, "sha256:0", {"query": "x"}))


_KINDS: dict[str, Callable[[str], None]] = {
    "query": _query,
    "issue": _issue,
    "glob": _glob,
    "name": _name,
    "type": _type,
    "filters": _filters,
    "pattern": _pattern,
    "grep": _grep,
    "path": _path,
    "cursor": _cursor,
}


TARGETS = (Target(name="queries", seeds=_seeds, mutate=_another, execute=_ask, share=3),)
