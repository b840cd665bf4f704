"""A name in, what the bundle knows of its symbols out: the look-ups of library, command line and tools.

    define, function                        name    -> descriptors              symbols.py, disambiguate.py, describe.py
    exports                                 package -> short descriptors        exports.py
    references, callers, implementations    name    -> usages with certainty    references.py, implementations.py, usages.py
    history                                 name    -> commits                  history.py

:func:`symbols.look_up` finds the symbols of a name: of the name itself, then of the end of a qualified name, then in any case.
:func:`disambiguate.disambiguate` chooses among them; all are listed if the name is ambiguous, and similar names if there are none.
Every answer is complete, unless a page of it is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, TypeVar

from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound, UsageError
from hardtack.nouns.descriptors import ClassDescriptor, Descriptor, FunctionDescriptor, SymbolDescriptor
from hardtack.nouns.history import CommitEntry
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Certainty, CertaintyName, RelationKind
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.files.left_out import left_out_at, left_out_named, sentence_of
from hardtack.query.lookup import implementations
from hardtack.query.lookup import references as relations
from hardtack.query.lookup.describe import describe_group, describe_symbol, descriptor_kind
from hardtack.query.lookup.disambiguate import (
    Disambiguation,
    SymbolGroup,
    candidate_of,
    differences,
    disambiguate,
    group_symbols,
)
from hardtack.query.lookup.elsewhere import Asked, nothing_known
from hardtack.query.lookup.exports import exports, similar_packages
from hardtack.query.lookup.history import commits_of, entries_of, nothing_changed, scope_of
from hardtack.query.lookup.members import MemberFinder
from hardtack.query.lookup.parsed import parse_note
from hardtack.query.lookup.results import LookUpResult, Result, ResultPage
from hardtack.query.lookup.symbols import FoundSymbols, look_up
from hardtack.query.lookup.usages import Room, calling_symbols, usages_of, usages_of_implementations
from hardtack.query.request.filter_words import parse_kinds, parse_tags
from hardtack.query.request.parse import check_limit

MAX_NAME_CHARACTERS: Final = 1000
MAX_CANDIDATES: Final = 20
"""Symbols of an ambiguous name that an error or a page lists."""

_Result = TypeVar("_Result", bound=Result)
_Entry = TypeVar("_Entry")
_Word = TypeVar("_Word", bound=StrEnum)


class LookUps:
    """Looks names up in one open bundle. Has no state of its own; safe to share between threads.

    Every look-up raises :class:`UsageError` for a name that is empty (QUERY_EMPTY) or has over 1,000 characters (QUERY_TOO_LONG).
    """

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle

    def define(self, name: str, *, package: str = "", file: str = "") -> LookUpResult[ClassDescriptor]:
        """The type of that name, with its fields, methods and relations; if the name is ambiguous, all types that it can mean.

        Args:
            name: a name, or a qualified name with the separators of any language.
            package: only types of this package or namespace, or of one that has it as a part.
            file: path of a file that uses the name; types declared in it, else those of its language, are preferred.
        """
        return self._described(*self._find(TYPES, name, package, file))

    def one_type(self, name: str, *, package: str = "", file: str = "") -> ClassDescriptor:
        """The one type of that name; arguments as for :meth:`define`.

        Raises:
            NotFound: SYMBOL_NOT_FOUND, with ``suggestions``.
            UsageError: SYMBOL_AMBIGUOUS, with ``candidates``.
        """
        return self._the_one("type", TYPES, name, *self._find(TYPES, name, package, file))  # type: ignore[return-value]

    def function(self, name: str, *, package: str = "", owner: str = "", file: str = "") -> LookUpResult[FunctionDescriptor]:
        """The function, method or constructor of that name, with its code; ambiguous names and arguments as for :meth:`define`.

        ``owner`` names a type: only its members.
        """
        return self._described(*self._find(FUNCTIONS, name, package, file, owner))

    def one_function(self, name: str, *, package: str = "", owner: str = "", file: str = "") -> FunctionDescriptor:
        """The one function of that name; arguments as for :meth:`function`, errors as for :meth:`one_type`."""
        found = self._find(FUNCTIONS, name, package, file, owner)
        return self._the_one("function", FUNCTIONS, name, *found)  # type: ignore[return-value]

    def exports(
        self, package: str, *, kinds: Sequence[str] = (), tags: Sequence[str] = (), page: ResultPage | None = None
    ) -> LookUpResult[SymbolDescriptor]:
        """All symbols that a package, namespace or module exports, each once, by kind and then by name.

        Raises:
            UsageError: there is no such kind or tag, or the page's limit is less than one.
        """
        check_name(package, page)
        wanted_kinds, wanted_tags = parse_kinds(kinds), set(parse_tags(tags))
        bundle = self._bundle
        found = exports(bundle, package, frozenset(wanted_kinds) if wanted_kinds else None)
        tagged = (each for each in found if not wanted_tags or wanted_tags.intersection(bundle.tags_of(each)))
        listed = sorted((group.symbol for group in group_symbols(bundle, tagged)), key=self._by_kind)
        shown = page.of(listed) if page else listed
        results = tuple(describe_symbol(bundle, each) for each in shown)
        return LookUpResult(
            results=results,
            total=len(listed),
            suggestions=() if found else similar_packages(bundle, package),
            note=parse_note(bundle, _paths_of(results)),
        )

    # -- usages ----------------------------------------------------------------------------------------------------------------

    def references(
        self,
        name: str,
        *,
        package: str = "",
        owner: str = "",
        certainty: Certainty | CertaintyName = Certainty.POSSIBLE,
        paths: Sequence[str] = (),
        kinds: Sequence[RelationKind | str] = (),
        page: ResultPage | None = None,
    ) -> LookUpResult[Usage]:
        """Every place that refers to the symbols of that name: uses, calls, imports, and what inherits from them.

        Args:
            name: as for :meth:`define`, of any symbol.
            package: as for :meth:`define`.
            owner: only members of a type of this name.
            certainty: the least certainty of a place.
            paths: globs; only places in files that match any of them. None: all files.
            kinds: only places with these relations to the symbol. None: all relations.
            page: give only this page of the places.
        """
        check_name(name, page)
        wanted = {_member(kind, RelationKind, "relation") for kind in kinds}
        found = relations.references(self._bundle, name, package=package, owner=owner)
        sites = [site for site in self._wanted(found.sites, certainty, paths) if not wanted or site.relation in wanted]
        return self._result(
            found.symbols,
            sites,
            usages_of,
            page,
            Asked(name, "refers to", "reference to", bool(wanted) or self._is_part(certainty, paths)),
        )

    def callers(
        self,
        name: str,
        *,
        package: str = "",
        owner: str = "",
        certainty: Certainty | CertaintyName = Certainty.POSSIBLE,
        paths: Sequence[str] = (),
        page: ResultPage | None = None,
    ) -> LookUpResult[CallingSymbol]:
        """The symbols that call the functions of that name, name them as values or instantiate the types, with each place.

        Arguments as for :meth:`references`.
        """
        check_name(name, page)
        found = relations.callers(self._bundle, name, package=package, owner=owner)
        grouped = relations.by_caller(self._wanted(found.sites, certainty, paths))
        return self._result(
            found.symbols, grouped, calling_symbols, page, Asked(name, "calls", "call of", self._is_part(certainty, paths))
        )

    def implementations(
        self,
        name: str,
        *,
        package: str = "",
        owner: str = "",
        certainty: Certainty | CertaintyName = Certainty.POSSIBLE,
        paths: Sequence[str] = (),
        page: ResultPage | None = None,
    ) -> LookUpResult[Usage]:
        """What inherits, implements, embeds or uses the types of that name, directly or not; for methods, what overrides them.

        The name may be that of a supertype outside the bundle. Arguments as for :meth:`references`.
        """
        check_name(name, page)
        is_wanted = self._filter(certainty, paths)
        found = implementations.implementations(self._bundle, name, package=package, owner=owner)
        wanted = [each for each in found.found if is_wanted(each.certainty, self._bundle.symbol(each.symbol).file)]
        return self._result(
            found.symbols,
            wanted,
            usages_of_implementations,
            page,
            Asked(name, "implements", "", self._is_part(certainty, paths)),
            note=found.note,
        )

    def history(
        self, name: str, *, package: str = "", owner: str = "", file: str = "", page: ResultPage | None = None
    ) -> LookUpResult[CommitEntry]:
        """The commits that changed the file at that path, or else the symbols of that name and what is inside them, newest first.

        ``note`` says which commits were looked at. Arguments as for :meth:`function`.

        Raises:
            UsageError: HISTORY_UNAVAILABLE: the bundle has none.
        """
        check_name(name, page)
        bundle, found = self._bundle, commits_of(self._bundle, name, package=package, owner=owner, file=file)
        symbols = found.symbols.ordinals
        is_found = bool(found.path or symbols)
        return LookUpResult(
            results=tuple(entries_of(bundle, found, page.of(found.commits) if page else found.commits)),
            total=len(found.commits),
            path=found.path,
            symbols=tuple(describe_symbol(bundle, each) for each in (symbols[:MAX_CANDIDATES] if page else symbols)),
            symbol_count=len(symbols),
            suggestions=() if is_found else found.symbols.suggestions,
            note=scope_of(bundle) if is_found else self._note_on_nothing(found.symbols),
            nothing=nothing_changed(bundle, found, name) if is_found and not found.commits else "",
        )

    # -- shared parts -----------------------------------------------------------------------------------------------------------

    def _find(
        self, kinds: frozenset[Kind], name: str, package: str, file: str, owner: str = ""
    ) -> tuple[FoundSymbols, Disambiguation]:
        check_name(name)
        symbols = look_up(self._bundle, name, kinds, package=package, owner=owner)
        return symbols, disambiguate(self._bundle, symbols.ordinals, name, file=file)

    def _described(self, symbols: FoundSymbols, meaning: Disambiguation) -> LookUpResult[_Result]:
        is_clear = len(meaning.groups) == 1
        listed = meaning.groups if is_clear else (*meaning.groups, *meaning.passed_over)
        namesakes = meaning.passed_over if is_clear else ()
        finder, has_code = MemberFinder(self._bundle), len(listed) <= MAX_CANDIDATES
        results = tuple(describe_group(self._bundle, each, namesakes, finder, with_code=has_code) for each in listed)
        without = "" if has_code else f"They are more than {MAX_CANDIDATES}, so none has its code here."
        note = parse_note(self._bundle, _paths_of(results)) if results else self._note_on_nothing(symbols)
        return LookUpResult(
            results=results,  # type: ignore[arg-type]
            total=len(results),
            suggestions=symbols.suggestions,
            note=f"{without} {note}".strip(),
        )

    def _note_on_nothing(self, symbols: FoundSymbols) -> str:
        """The note of an answer without any symbol: a file that was left out may have it."""
        skip = left_out_at(self._bundle, symbols.name)
        return sentence_of([skip] if skip else left_out_named(self._bundle, symbols.name))

    def _the_one(self, what: str, kinds: frozenset[Kind], name: str, symbols: FoundSymbols, meaning: Disambiguation) -> Descriptor:
        if len(meaning.groups) == 1:
            return describe_group(self._bundle, meaning.groups[0], meaning.passed_over)
        if meaning.groups:
            raise self._ambiguous(what, name, meaning.groups)
        hint = "Take one of the suggestions, or search for it." if symbols.suggestions else "Search for it in words."
        if other := look_up(self._bundle, name, frozenset(Kind)).ordinals:
            symbol = min((self._bundle.symbol_name(each) for each in other), key=lambda each: each.kind not in kinds)
            why = "but not where you asked for it" if symbol.kind in kinds else f"which is no {what}"
            hint = f"There is a {symbol.kind.value} {symbol.qualified_name}, {why}. {hint}"
        if skips := left_out_named(self._bundle, name):
            hint = f"{sentence_of(skips)} {hint}"
        raise NotFound(
            f"No {what} is called {name!r} here.",
            code="SYMBOL_NOT_FOUND",
            details={"suggestions": list(symbols.suggestions)} if symbols.suggestions else {},
            hint=hint,
        )

    def _ambiguous(self, what: str, name: str, groups: Sequence[SymbolGroup]) -> UsageError:
        ordinals = [each.symbol for each in groups]
        return UsageError(
            f"{len(groups)} {what}s are called {name!r}.",
            code="SYMBOL_AMBIGUOUS",
            details={"count": len(groups), "candidates": [candidate_of(self._bundle, each) for each in ordinals[:MAX_CANDIDATES]]},
            hint=f"Say which one by its {differences(self._bundle, ordinals)}.",
        )

    def _by_kind(self, ordinal: int) -> tuple[str, str, int]:
        symbol = self._bundle.symbol_name(ordinal)
        return descriptor_kind(symbol.kind), symbol.name, ordinal

    def _result(
        self,
        symbols: FoundSymbols,
        found: Sequence[_Entry],
        convert: Callable[[Bundle, Iterable[_Entry], Room], Iterable[_Result]],
        page: ResultPage | None,
        asked: Asked,
        *,
        note: str = "",
    ) -> LookUpResult[_Result]:
        """The converted entries, or a page of them, with the symbols of the name; ``note`` comes before other notes."""
        listed, room = symbols.ordinals[: MAX_CANDIDATES if page else None], Room()
        results = tuple(convert(self._bundle, page.of(found) if page else found, room))
        left_out = f"They are too many for one answer: these are the first {len(results)}." if room.is_spent else ""
        described = tuple(describe_symbol(self._bundle, each) for each in listed)
        return LookUpResult(
            results=results,
            total=len(found),
            symbols=described,
            symbol_count=len(symbols.ordinals),
            suggestions=() if symbols.ordinals or found else symbols.suggestions,
            note=" ".join(filter(None, (note, left_out, parse_note(self._bundle, _paths_of((*described, *results))))))
            or ("" if described else self._note_on_nothing(symbols)),
            nothing=nothing_known(self._bundle, symbols.ordinals, asked) if symbols.ordinals and not found else "",
        )

    @staticmethod
    def _is_part(certainty: Certainty | CertaintyName, paths: Sequence[str]) -> bool:
        """Whether not all places are wanted."""
        return certainty != Certainty.POSSIBLE or bool(paths)

    def _wanted(
        self, sites: Sequence[relations.Site], certainty: Certainty | CertaintyName, paths: Sequence[str]
    ) -> list[relations.Site]:
        is_wanted = self._filter(certainty, paths)
        return [site for site in sites if is_wanted(site.certainty, site.file)]

    def _filter(self, certainty: Certainty | CertaintyName, paths: Sequence[str]) -> Callable[[Certainty, int], bool]:
        return relations.site_filter(self._bundle, _member(certainty, Certainty, "certainty"), paths)


def _paths_of(results: Iterable[Result]) -> Iterator[str]:
    """The files that the results are in."""
    for each in results:
        if isinstance(each, Usage | CallingSymbol):
            yield each.path
        elif not isinstance(each, CommitEntry) and each.location is not None:
            yield each.location.file_path


def check_name(name: str, page: ResultPage | None = None) -> None:
    """Raise a :class:`UsageError` for a name or a page that cannot be looked up."""
    if len(name) > MAX_NAME_CHARACTERS:
        raise UsageError(
            f"The name has {len(name)} characters; at most {MAX_NAME_CHARACTERS} are taken.",
            code="QUERY_TOO_LONG",
            details={"characters": len(name), "most": MAX_NAME_CHARACTERS},
        )
    if not name.strip():
        raise UsageError("The name is empty.", code="QUERY_EMPTY", hint="Give a name, or the end of a qualified one.")
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        raise UsageError("The name is no text: it has half of a surrogate pair.", code="INVALID_REQUEST")
    if page:
        check_limit(page.limit)


def _member(word: str, words: type[_Word], what: str) -> _Word:
    """The member of an enumeration that has the value ``word``."""
    available = [str(each) for each in words]
    if word not in available:
        raise UsageError(
            f"There is no {what} {str(word)!r}.",
            code="INVALID_REQUEST",
            details={"param": what, "available": available},
            hint=f"There are: {', '.join(available)}.",
        )
    return words(word)
