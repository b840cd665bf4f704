"""The words of a filter in, what they are compared with out: kinds, tags, languages, predicates for names and types.

A glob of names: ``*`` matches any run of characters, ``?`` one; all others match themselves, in any case. The glob must match the
whole name or the whole qualified name, and may use the separators of any language: ``Shelf.*``, ``Shelf::*``.

A type: ``Response`` matches ``*http.Response``, ``Optional[Response]``, ``&'a Response<T>`` and ``Response | None``: a name matches
every qualified name that ends in it, anywhere in a type, in any case. With brackets, as in ``Vec<u8>`` or ``list[str]``, their
content must follow; all sorts of brackets are equal. Qualifiers (``const``, ``mut``) and lifetimes are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hardtack.errors import UsageError
from hardtack.nouns.model import Kind, Tag
from hardtack.nouns.roles import Role
from hardtack.query.request.analysis import language_names

if TYPE_CHECKING:
    from hardtack.bundle.format.records import SymbolName
    from hardtack.bundle.reader import Bundle

_WIDER: Final = {
    Kind.CLASS: (Kind.CLASS, Kind.STRUCT, Kind.ENUM, Kind.BLOCK, Kind.RESOURCE),
    Kind.INTERFACE: (Kind.INTERFACE, Kind.TRAIT),
}
_OTHER_NAMES: Final = {"const": "constant", "var": "variable"}
_NAME_JOINT: Final = re.compile(r"::|->|[#\\/]")
_TYPE_TOKEN: Final = re.compile(r"'\w+|[^\W\d]\w*(?:(?:\.|::|\\|->)[^\W\d]\w*)*|\d+|[<>\[\](){}]")
_TYPE_JOINT: Final = re.compile(r"::|->|\\")
_QUALIFIERS: Final = frozenset(
    {"mut", "const", "dyn", "impl", "struct", "enum", "class", "volatile", "final", "readonly", "out", "ref"}
)
_BRACKETS: Final = {"[": "<", "{": "<", "(": "<", "]": ">", "}": ">", ")": ">"}


def parse_kinds(names: Iterable[str]) -> tuple[Kind, ...]:
    """Parse names of kinds, in any case, also joined by commas; ``class`` and ``interface`` include the kinds of :data:`_WIDER`.

    Raises:
        UsageError: SYMBOL_TYPE_INVALID; one of them is no kind.
    """
    kinds: dict[Kind, None] = {}
    for name in _listed(names):
        try:
            kind = Kind(_OTHER_NAMES.get(name.lower(), name.lower()))
        except ValueError:
            raise _unknown("kind", name, Kind, "SYMBOL_TYPE_INVALID") from None
        kinds |= dict.fromkeys(_WIDER.get(kind, (kind,)))
    return tuple(kinds)


def parse_tags(names: Iterable[str]) -> tuple[Tag, ...]:
    """Parse names of tags, in any case, also joined by commas.

    Raises:
        UsageError: one of them is no tag.
    """
    listed = _listed(names)
    if not listed:
        return ()
    known = {tag.value: tag for tag in Tag}
    for name in listed:
        if name.lower() not in known:
            raise _unknown("tag", name, Tag)
    return tuple(dict.fromkeys(known[name.lower()] for name in listed))


def parse_roles(names: Iterable[str]) -> tuple[Role, ...]:
    """Parse names of roles of files, in any case, also joined by commas.

    Raises:
        UsageError: one of them is no role.
    """
    known = {role.value: role for role in Role}
    listed = _listed(names)
    for name in listed:
        if name.lower() not in known:
            raise _unknown("role", name, Role)
    return tuple(dict.fromkeys(known[name.lower()] for name in listed))


def parse_languages(bundle: Bundle, names: Iterable[str]) -> tuple[str, ...]:
    """Parse names, aliases or file extensions of the bundle's languages, also joined by commas, to language ids.

    Raises:
        UsageError: LANGUAGE_UNKNOWN; the bundle has no such language.
    """
    listed = _listed(names)
    if not listed:
        return ()
    present = bundle.manifest.languages
    known = language_names(present)
    ids: dict[str, None] = {}
    for name in listed:
        found = (known[name.lower()],) if name.lower() in known else _languages_of_extension(bundle, name)
        if not found:
            available = [language.id for language in present]
            raise UsageError(
                f"The bundle has no language {name!r}.",
                code="LANGUAGE_UNKNOWN",
                details={"language": name, "available": available},
                hint=f"It has: {', '.join(available)}.",
            )
        ids |= dict.fromkeys(found)
    return tuple(ids)


def _languages_of_extension(bundle: Bundle, extension: str) -> tuple[str, ...]:
    """Languages of the files with an extension: the bundle has no table of extensions, but the paths of its files."""
    ending = "." + extension.lower().removeprefix(".")
    return tuple(sorted({file.language for file in bundle.files if file.path.lower().endswith(ending)}))


def _unknown(what: str, name: str, known: Iterable[str], code: str = "") -> UsageError:
    """The error for a word that is not in a closed list."""
    available = [str(each) for each in known]
    details = {"available": available}
    return UsageError(f"There is no {what} {name!r}.", code=code, details=details, hint=f"{what.title()}s: {', '.join(available)}.")


def well_formed(text: str) -> str:
    """``text`` with ``?`` for each lone surrogate: half of a pair, or a byte of a command line that is not UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _listed(names: Iterable[str]) -> list[str]:
    return [name for entry in names for part in well_formed(entry).split(",") if (name := part.strip())]


def is_glob(name: str) -> bool:
    """Whether a name has a wildcard."""
    return "*" in name or "?" in name


def plain_name(name: str) -> str:
    """A name in the form that is compared: in lower case, its parts joined by dots."""
    return _NAME_JOINT.sub(".", name.strip().lower())


def name_predicate(glob: str) -> Callable[[SymbolName], bool]:
    """A predicate: whether a glob matches a symbol's name or qualified name.

    The text between two stars is matched at its first occurrence, in an atomic group that never backtracks. A later occurrence
    could not match more, so the time grows with the name's length and not with the ways to divide it among the stars.
    """
    first, *others = (
        "".join("." if letter == "?" else re.escape(letter) for letter in piece)
        for piece in re.sub(r"\*+", "*", plain_name(glob)).split("*")
    )
    between, last = others[:-1], others[-1:]
    pattern = first + "".join(f"(?>.*?{piece})" for piece in between) + "".join(f".*{piece}" for piece in last)
    matches = re.compile(pattern, re.DOTALL).fullmatch

    def matches_name(named: SymbolName) -> bool:
        name, qualified_name = named.folded
        return matches(name) is not None or (name != qualified_name and matches(qualified_name) is not None)

    return matches_name


def type_predicate(wanted: str) -> Callable[[str], bool]:
    """A predicate: whether a written type contains ``wanted``; always false if ``wanted`` has no name."""
    pattern = tuple(_tokens(wanted))

    @lru_cache(maxsize=4096)  # a repository repeats the same types
    def contains(written: str) -> bool:
        tokens = tuple(_tokens(written))
        starts = range(len(tokens) - len(pattern) + 1) if pattern else ()
        return any(all(map(_is_named, tokens[start : start + len(pattern)], pattern)) for start in starts)

    return contains


def names_in_type(wanted: str) -> list[str]:
    """The last part of each name in a type, in lower case: words that occur wherever this type is written."""
    return [word.rpartition(".")[2] for word in _tokens(wanted) if word not in ("<", ">")]


def _tokens(written: str) -> Iterator[str]:
    """The names of a type, their parts joined by dots, and its brackets as ``<`` and ``>``; in lower case."""
    for token in _TYPE_TOKEN.findall(written.lower()):
        if token[0] != "'" and token not in _QUALIFIERS:
            yield _BRACKETS.get(token) or _TYPE_JOINT.sub(".", token)


def _is_named(written: str, wanted: str) -> bool:
    return written == wanted or written.endswith(f".{wanted}")
