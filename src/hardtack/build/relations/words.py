"""The text of a type in, the names that count in it out; and the words that languages have given a meaning of their own."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SELF = frozenset({"self", "this", "cls", "Self", "static", "$this", "@self", "Me", "me", "__CLASS__"})
PARENT = frozenset({"super", "parent", "base"})
WRAPPERS = frozenset(
    {
        *("Iterator", "Generator", "AsyncIterator", "AsyncGenerator", "Awaitable", "Coroutine"),  # Python, what they give
        *("Optional", "Final", "ClassVar", "Annotated", "Required", "NotRequired", "ReadOnly", "type", "Type"),  # Python
        *("Result", "Arc", "Rc", "Box", "RefCell", "Cell", "Mutex", "RwLock", "Option", "Pin", "Cow", "dyn", "impl", "mut"),  # Rust
        *("Promise", "Readonly", "Partial", "NonNullable", "Awaited", "readonly", "Omit", "Pick", "NoInfer"),  # TypeScript
        *("unique_ptr", "shared_ptr", "weak_ptr", "optional", "std", "const", "struct", "Lazy", "Nullable", "Task"),  # C++, C#
    }
)
"""What is written around a type whose members are then reached through it as if it were not there."""
_TYPE_WORD = re.compile(r"[A-Za-z_$\\][\w$]*(?:(?:::|\.|\\)[A-Za-z_$][\w$]*)*")
_BRACKET_OR_JOINT = re.compile(r"[()\[\]{}<&|]|(?<!=)>")
_LAST_JOINT = re.compile(r"(?:::|\.|\\)(?=[\w$]+$)")
CALLED = ("__call__", "__invoke", "invoke", "operator()", "call", "apply")
"""Members that calling a value calls."""
SAME = frozenset(
    {"__enter__", "__aenter__", "await", "unwrap", "expect", "clone", "as_ref", "as_mut", "to_owned", "borrow", "lock"}
)
"""Members that give what they are asked of, as far as its other members go."""
MAKERS = frozenset({"new", "create", "make", "getInstance", "instance", "__enter__", "__aenter__"})
"""Members that make one of their type where they do not say what they return."""
SELF_TYPE = re.compile(r"&?(?:mut )?(?:Self|self|static|this|\$this)\b")
PART = re.compile(r"[\w$@]+(?:\(\))?")


@lru_cache(maxsize=1 << 14)
def words_of(written: str) -> Sequence[str]:
    """The names in the text of a type that may be the type itself: the first, and those inside what only wraps it."""
    found: list[str] = []
    for match in _TYPE_WORD.finditer(written):
        found.append(match[0])
        if split(match[0])[1] not in WRAPPERS:
            break
    return tuple(found)


def parts_of(alias: str) -> Iterator[str]:
    """The types that the type in an alias joins, each as it is written: ``A & Partial<B>``; one that is no name is empty."""
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
    """A qualified name's qualifier and last part; the root's sign for one that begins at the root."""
    match = _LAST_JOINT.search(word)
    return (word[: match.start()] or "\\", word[match.end() :]) if match else ("", word)
