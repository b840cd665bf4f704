"""A type as a user names it in, a predicate over types as sources write them out.

``Response`` is found in ``*http.Response``, ``Optional[Response]``, ``&'a Response<T>`` and ``Response | None``: a name stands for
any qualified name that ends in it, wherever it occurs in a type, in any case. With brackets, as in ``Vec<u8>`` or ``list[str]``,
what is in them has to follow, whichever brackets the source writes. Words that qualify a type (``const``, ``mut``) and lifetimes do
not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

_TOKEN = re.compile(r"'\w+|[^\W\d]\w*(?:(?:\.|::|\\|->)[^\W\d]\w*)*|\d+|[<>\[\](){}]")
_JOINT = re.compile(r"::|->|\\")
_QUALIFIERS = frozenset({"mut", "const", "dyn", "impl", "struct", "enum", "class", "volatile", "final", "readonly", "out", "ref"})
_BRACKETS = {"[": "<", "{": "<", "(": "<", "]": ">", "}": ">", ")": ">"}


def type_predicate(wanted: str) -> Callable[[str], bool]:
    """Whether a type mentions ``wanted``; nothing mentions a text that names no type."""
    pattern = tuple(_tokens(wanted))

    @lru_cache(maxsize=4096)  # a repository writes the same types over and over
    def mentions(written: str) -> bool:
        tokens = tuple(_tokens(written))
        starts = range(len(tokens) - len(pattern) + 1) if pattern else ()
        return any(all(map(_is_named, tokens[start : start + len(pattern)], pattern)) for start in starts)

    return mentions


def names_in_type(wanted: str) -> list[str]:
    """The last parts of the names in a type, in lower case: words that stand wherever such a type is written."""
    return [word.rpartition(".")[2] for word in _tokens(wanted) if word not in ("<", ">")]


def _tokens(written: str) -> Iterator[str]:
    """Names joined by dots, and brackets, all of one sort, in lower case."""
    for token in _TOKEN.findall(written.lower()):
        if token[0] != "'" and token not in _QUALIFIERS:
            yield _BRACKETS.get(token) or _JOINT.sub(".", token)


def _is_named(written: str, wanted: str) -> bool:
    return written == wanted or written.endswith(f".{wanted}")
