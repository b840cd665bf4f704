"""The text of a type in, its arguments, the parts of a tuple and the types of a union out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BEFORE: Final = re.compile(r"(?:[&*?\s]|'\w+\s|\b(?:mut|const|dyn|impl|readonly|ref|static|volatile)\b\s*)+")
_LIFETIME: Final = re.compile(r"'\w+\Z")
_OF_GO: Final = re.compile(r"(?:map\[([\w.*]+)\]|\[\w*\]|<?-?chan\b<?-?\s*)(?=[\w*\[])(.+)")
_TUPLE: Final = re.compile(r"(?:[Tt]uple|(?:std::)?(?:pair|tuple)|Pair|Triple|ValueTuple|Tuple)\s*[\[<]")
_PARAMETER: Final = re.compile(
    r"(?:(?:const|out|in|typename|class|reified)\s+)*([A-Za-z_]\w*)\s*(?::|<:|\bextends\b)?\s*(.*)", re.DOTALL
)
_UNION: Final = re.compile(r"(?:typing\.)?Union\[")
_OPENING: Final = "([{<"
_CLOSING: Final = ")]}>"


def _inside(written: str, start: int, joint: str) -> Sequence[str]:
    """What stands between the bracket at ``start`` and the one that closes it, cut at each joint."""
    found, depth, last = list[str](), 0, start + 1
    for at in range(start, len(written)):
        sign = written[at]
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING and written[at - 1] not in "-=":
            depth -= 1
        if (depth == 1 and sign == joint) or depth == 0:
            found.append(written[last:at].strip())
            last = at + 1
        if depth == 0:
            break
    return [each for each in found if each]


@lru_cache(maxsize=1 << 13)
def arguments_of(written: str) -> tuple[str, ...]:
    """The arguments of a type, as written, without lifetimes: T of ``Vec<T>``, ``list[T]``, ``T[]``, ``[T]`` and ``[]T``."""
    before = _BEFORE.match(written)
    written = written[before.end() :] if before else written
    if (match := _OF_GO.fullmatch(written)) is not None:
        return (match[1], match[2]) if match[1] else (match[2],)
    if written.endswith("[]"):
        return (written[:-2],)
    if written.startswith("["):
        inner = _inside(written, 0, ",")
        if len(inner) != 1:
            return ()
        return tuple(each.strip() for each in inner[0].partition(";")[0].split(": "))
    start = next((at for at, sign in enumerate(written) if sign in "<[("), -1)
    if start < 0 or written[start] == "(":
        return ()
    return tuple(each for each in _inside(written, start, ",") if not _LIFETIME.match(each))


@lru_cache(maxsize=1 << 12)
def is_array(written: str) -> bool:
    """Whether a type is written as an array of the type in it: ``[T; 4]``, ``T[]``, ``[]T``."""
    before = _BEFORE.match(written)
    written = written[before.end() :] if before else written
    return written.startswith("[") or written.endswith("[]")


@lru_cache(maxsize=1 << 12)
def element_of(written: str, index: int) -> str:
    """The type at a place in a tuple: ``(A, B)``, ``tuple[A, B]``, ``[A, B]``, ``std::pair<A, B>``; empty if it is no tuple."""
    before = _BEFORE.match(written)
    written = written[before.end() :] if before else written
    match = _TUPLE.match(written)
    start = match.end() - 1 if match else 0 if written[:1] in ("(", "[") else -1
    parts = _inside(written, start, ",") if start >= 0 else ()
    is_tuple = match is not None or len(parts) > 1 or (written[:1] == "(" and index == 0)
    return parts[index] if is_tuple and index < len(parts) and parts[-1] != "..." else ""


@lru_cache(maxsize=1 << 12)
def alternatives_of(written: str) -> tuple[str, ...]:
    """The types of a union, ``A | B`` or ``Union[A, B]``; nothing for a type that is none."""
    if match := _UNION.match(written):
        return tuple(_inside(written, match.end() - 1, ","))
    return tuple(_inside(f"({written})", 0, "|")) if "|" in written else ()


def name_and_bound(parameter: str) -> tuple[str, str]:
    """(name, upper bound) of a type parameter: ``T: Tank``, ``T extends Tank``; either may be empty."""
    match = _PARAMETER.match(parameter)
    return (match[1], match[2].strip()) if match is not None else ("", "")


def with_arguments(written: str, bound: Mapping[str, str]) -> str:
    """A type with arguments in the places of its parameters."""
    return re.sub(r"(?<![\w':.])[A-Za-z_]\w*", lambda match: bound.get(match[0], match[0]), written)
