"""The text of a type in, the names in it that may be the type out; and words with a special meaning in some language."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SELF = frozenset({"self", "this", "cls", "Self", "static", "$this", "@self", "Me", "me", "__CLASS__"})
PARENT = frozenset({"super", "parent", "base"})
ROOTS = ("\\", "::")
"""What begins a name that is looked up from the root."""
OWN_PACKAGE = "namespace"
"""PHP's word for the namespace of the file."""
WRAPPERS = frozenset(
    {
        *("Iterator", "Generator", "AsyncIterator", "AsyncGenerator", "Awaitable", "Coroutine"),  # Python, what they give
        *("Optional", "Final", "ClassVar", "Annotated", "Required", "NotRequired", "ReadOnly", "type", "Type"),  # Python
        *("Result", "Arc", "Rc", "Box", "RefCell", "Cell", "Mutex", "RwLock", "Option", "Pin", "Cow", "dyn", "impl", "mut"),  # Rust
        *("Promise", "Readonly", "Partial", "NonNullable", "Awaited", "readonly", "Omit", "Pick", "NoInfer"),  # TypeScript
        *("unique_ptr", "shared_ptr", "weak_ptr", "optional", "std", "Lazy", "Nullable", "Task"),  # C++, C#
        *("const", "volatile", "struct", "union", "enum"),  # C
        "id",  # Objective-C, of what follows a protocol
    }
)
"""Types around another type whose members are then reached directly."""
DYNAMIC = frozenset({"Any", "any", "dynamic", "id", "mixed"})
"""Types whose values may have any member."""
_TYPE_WORD = re.compile(r"[A-Za-z_$\\][\w$]*(?:(?:::|\.|\\)[A-Za-z_$][\w$]*)*")
_BRACKET_OR_JOINT = re.compile(r"[()\[\]{}<&|]|(?<!=)>")
_LAST_JOINT = re.compile(r"(?:::|\.|\\)(?=[\w$]+$)")
CALLED = ("__call__", "__invoke", "invoke", "operator()", "call", "apply")
"""Members that are called when a value is called."""
SAME = frozenset(
    {
        "__enter__",
        "__aenter__",
        "await",
        "unwrap",
        "expect",
        "clone",
        "as_ref",
        "as_mut",
        "to_owned",
        "borrow",
        "lock",
        "alloc",
        "init",
    }
)
"""Members whose result has the members of the value itself."""
MAKERS = frozenset({"new", "create", "make", "getInstance", "instance", "__enter__", "__aenter__"})
"""Members that return their own type if they declare no result."""
FIXTURE_TEST = re.compile(r"(?:[A-Z]+_)*TEST_[FP]|TYPED_TEST(?:_P)?|(?:[A-Z]+_)*FIXTURE(?:_[A-Z]+)*|BENCHMARK(?:_DEFINE)?_F")
"""Macros of C++ test frameworks whose body is a method of a class that they are given (GoogleTest, Boost.Test)."""
_SHORTHAND = re.compile(r"(?<=[{,])\s*([\w$]+(?=\s*[,}])|\.\.\.)")
SELF_TYPE = re.compile(r"&?(?:mut )?(?:Self|self|static|this|\$this|instancetype)\b")
PART = re.compile(r"[\w$@]+(?:\(\))?")


@lru_cache(maxsize=1 << 14)
def words_of(written: str) -> Sequence[str]:
    """The names in the text of a type that may be the type itself: the first, and those inside wrappers.

    What stands in braces are the members of a type that has no name.
    """
    found: list[str] = []
    for match in _TYPE_WORD.finditer(written.partition("{")[0]):
        found.append(match[0])
        if split(match[0])[1] not in WRAPPERS:
            break
    return tuple(found)


def parts_of(alias: str) -> Iterator[str]:
    """The types that an alias joins, as ``A & Partial<B>``, each as it is written; empty for one that is no name."""
    depth, start = 0, 0
    for match in _BRACKET_OR_JOINT.finditer(f"{alias}|"):
        depth += (match[0] in "([{<") - (match[0] in ")]}>")
        if match[0] in "&|" and depth <= 0:
            word = alias[start : match.start()].strip()
            start = match.end()
            if word:
                yield word if _TYPE_WORD.match(word) else ""


@lru_cache(maxsize=1 << 14)
def split(word: str) -> tuple[str, str]:
    """The qualifier and the last part of a name; the qualifier of a name that begins at the root is a backslash."""
    match = _LAST_JOINT.search(word)
    return (word[: match.start()] or "\\", word[match.end() :]) if match else ("", word)


@lru_cache(maxsize=1 << 10)
def shorthands_of(value: str) -> frozenset[str]:
    """The members of an object literal that are written as their names alone, ``{ open, shut: 1 }``; ``...`` if it has a spread."""
    return frozenset(_SHORTHAND.findall(value)) if value.startswith("{") else frozenset()
