"""The text of a type in, the names in it that may be the type out; and words with a special meaning in some language."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from hardtack.nouns.relations import NOT_CALLED, OWN_MODULE, UNCOUNTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PARENT = frozenset({"super", "parent", "base"})
"""Words for the supertype of the type around, of the languages that have them."""
ROOTS = ("\\", "::")
"""What begins a name that is looked up from the root."""
OUTER_MODULE = "super"
"""The module around, where a path begins with it (Rust)."""
PATH = "::"
"""Joins a module and one inside it where modules may be written inside a file and passed on by other names (Rust)."""
OWN_PACKAGE = "namespace"
"""PHP's word for the namespace of the file."""
OWN_MODULES = (".", "crate", OWN_MODULE, "super::")
"""What begins the name of a module of the same project."""
WRAPPERS = frozenset(
    {
        *("Iterator", "Generator", "AsyncIterator", "AsyncGenerator", "Awaitable", "Coroutine"),  # Python, what they give
        *("Optional", "Final", "ClassVar", "Annotated", "Required", "NotRequired", "ReadOnly", "type", "Type"),  # Python
        *("Result", "Arc", "Rc", "Box", "RefCell", "Cell", "Mutex", "RwLock", "Option", "Pin", "Cow", "dyn", "impl", "mut"),  # Rust
        *("MutexGuard", "RwLockReadGuard", "RwLockWriteGuard", "Ref", "RefMut", "LockResult", "Weak", "NonNull", "ManuallyDrop"),
        *("UnsafeCell", "OnceCell", "OnceLock", "LazyLock", "Poll"),
        *("Promise", "Future", "FutureOr", "Readonly", "Partial", "NonNullable", "Awaited", "readonly"),  # TypeScript, Dart
        *("Omit", "Pick", "NoInfer"),
        *("unique_ptr", "shared_ptr", "weak_ptr", "optional", "std", "Lazy", "Nullable", "Task"),  # C++, C#
        *("const", "volatile", "struct", "union", "enum"),  # C
        *("ref", "out", "in", "scoped"),  # C#, before the type of a parameter
        "id",  # Objective-C, of what follows a protocol
    }
)
"""Types around another type whose members are then reached directly."""
DYNAMIC = frozenset({"Any", "any", "dynamic", "id", "mixed", "Object", "unknown"})
"""Types whose values may have any member."""
_TYPE_WORD = re.compile(r"[A-Za-z_$\\][\w$]*(?:(?:::|\.|\\)[A-Za-z_$][\w$]*)*")
_LIFETIME = re.compile(r"(?<=[&<, +])'[a-z_]\w*(?![\w'])")
_BRACKET_OR_JOINT = re.compile(r"[()\[\]{}<&|]|(?<!=)>")
_LAST_JOINT = re.compile(r"(?:::|\.|\\)(?=[\w$]+$)")
CALLED = ("__call__", "__invoke", "invoke", "operator()", "call", "apply")
"""Members that are called when a value is called."""
POINTED = ("Target", "operator->")
"""Members that say what a pointer points to."""
ITEMS = (("__getitem__", ""), ("operator[]", ""), ("subscript", ""))
THINGS = (("__iter__", "__next__"), ("__aiter__", "__anext__"), ("iterator", "next"), ("getIterator", "current"))
"""The members that give an item, and each thing, of a value; and that of what they give if this is no thing yet."""
UNWRITTEN = frozenset({*CALLED, *POINTED, *(name for names in (*ITEMS, *THINGS) for name in names if name)})
"""Members that are looked up without being written in the source."""
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
INLINE_TYPE = re.compile(r"(?:(?:const|volatile|struct|union|class)\s*)*\{")
"""The beginning of a type that is written where it is used, without a name."""
PART = re.compile(r"[\w$@]+(?:\(\d?\))?|\[:?\]")
"""A part of a chain: a name, a call (``a(1)`` where arguments are counted), an index, or each thing in what is before it."""


@lru_cache(maxsize=1 << 14)
def words_of(written: str) -> Sequence[str]:
    """The names in the text of a type that may be the type itself: the first, and those inside wrappers.

    What stands in braces are the members of a type that has no name.
    """
    found: list[str] = []
    written = written.partition("{")[0]
    for match in _TYPE_WORD.finditer(_LIFETIME.sub("", written) if "'" in written else written):
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


@lru_cache(maxsize=1 << 14)
def called(part: str) -> tuple[str, int]:
    """(name, number of arguments as :class:`relations.Use` has it) of a part of a chain."""
    name, bracket, rest = part.partition("(")
    return name, int(rest[0]) if rest[:1].isdigit() else UNCOUNTED if bracket else NOT_CALLED


def is_type_name(word: str) -> bool:
    """Whether a name is written as types are: ``Vec``, but not ``MAX``, ``vec`` or ``Vec()``."""
    return word[:1].isupper() and not word.isupper() and not word.endswith(")")
