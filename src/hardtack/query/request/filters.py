"""A query's filters in, what passes them out: as far as the engines can tell by themselves, and as one flag a chunk.

Filters are of two sorts. Some are about files: languages, paths, packages. The others are about symbols: kinds, tags, names,
parameter and return types; a chunk passes those when one symbol that starts in it passes all of them, and a hit under them reports
such a symbol. Words that a user types (``py,go``, ``const``, ``class``) are turned into what a :class:`Query` holds here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from hardtack.bundle.engines.lexical import Filter
from hardtack.bundle.format.records import KINDS, ChunkRecord, FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.nouns.model import Candidate, Kind, Query, Tag
from hardtack.query.request.analysis import language_names, qualified
from hardtack.text import terms_of, whole_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Columns = tuple[NDArray[np.int64], NDArray[np.float64]]
    """Ordinals of chunks, and a score for each."""

_DEEPER = 8
"""How many times more an engine is asked for, when too little of what it gave passed."""
_MOST_FOLLOWED = 1000
"""Chunks whose files are looked up so that the lexical index is kept to these."""

_WIDER = {
    Kind.CLASS: (Kind.CLASS, Kind.STRUCT, Kind.ENUM, Kind.BLOCK, Kind.RESOURCE),
    Kind.INTERFACE: (Kind.INTERFACE, Kind.TRAIT),
}
_OTHER_NAMES = {"const": "constant", "var": "variable"}


# -- words of a user ----------------------------------------------------------------------------------------------------------


def kinds_named(names: Iterable[str]) -> tuple[Kind, ...]:
    """The kinds that filter words ask for, in any case, several joined by commas: a class is also a struct, a trait an interface.

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


def tags_named(names: Iterable[str]) -> tuple[Tag, ...]:
    """The tags of these names, in any case, several joined by commas.

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


def languages_named(bundle: Bundle, names: Iterable[str]) -> tuple[str, ...]:
    """The ids of the bundle's languages that go by these names, aliases or file extensions, several joined by commas.

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
    """Languages of the files that end so. The build's table of extensions is not in a bundle; its files are."""
    ending = "." + extension.lower().removeprefix(".")
    return tuple(sorted({file.language for file in bundle.files if file.path.lower().endswith(ending)}))


def _unknown(what: str, name: str, known: Iterable[str], code: str = "") -> UsageError:
    """The error for a word that is none of a closed list."""
    available = [str(each) for each in known]
    details = {"available": available}
    return UsageError(f"There is no {what} {name!r}.", code=code, details=details, hint=f"{what.title()}s: {', '.join(available)}.")


def well_formed(text: str) -> str:
    """``text`` with question marks for what is no character: halves of one, and bytes of a command line that are no UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _listed(names: Iterable[str]) -> list[str]:
    return [name for entry in names for part in well_formed(entry).split(",") if (name := part.strip())]


# -- what passes --------------------------------------------------------------------------------------------------------------


_NO_FILTERS = Query(text="")


def filters_of(query: Query) -> Query:
    """The filters of a query without what is asked: equal for all queries that have the same."""
    of_files, of_symbols = query.languages or query.paths or query.packages, query.kinds or query.tags or query.symbol_name
    if not (of_files or of_symbols or query.parameter_type or query.returns):
        return _NO_FILTERS
    return Query(
        text="",
        languages=query.languages,
        kinds=query.kinds,
        paths=query.paths,
        tags=query.tags,
        symbol_name=query.symbol_name,
        packages=query.packages,
        parameter_type=query.parameter_type,
        returns=query.returns,
    )


def select(bundle: Bundle, query: Query) -> Selection:
    """What of a bundle may answer a query; its text does not matter, so one selection serves all queries of the same filters."""
    return Selection(bundle, query)


class Selection:
    """The chunks that pass a query's filters, and which of their symbols do."""

    def __init__(self, bundle: Bundle, query: Query) -> None:
        self._bundle = bundle
        self._query = query
        self._tests = tuple(_symbol_tests(bundle, query))
        self._kinds = sum(1 << KINDS.index(kind) for kind in query.kinds)
        self._tags = sum(tag.bit for tag in set(query.tags))
        self._passing: dict[int, tuple[int, ...]] = {}

    @property
    def is_everything(self) -> bool:
        """Every chunk passes."""
        return self.files is None and not self.is_about_symbols

    @property
    def is_about_symbols(self) -> bool:
        """Only chunks pass in which a certain symbol starts."""
        return bool(self._kinds or self._tags or self._tests)

    @cached_property
    def files(self) -> list[int] | None:
        """Ordinals of the files that pass, ascending; None when all do."""
        query = self._query
        if not (query.languages or query.paths or query.packages):
            return None
        tests: list[Callable[[FileRecord], bool]] = []
        if query.languages:
            tests.append(lambda file: file.language in query.languages)
        if query.packages:
            tests.append(_is_of(query.packages))
        if query.paths:
            from hardtack.query.request.globs import path_predicate  # here as below: most searches have no such filter

            matches = path_predicate(query.paths)
            tests.append(lambda file: matches(file.path))
        return [ordinal for ordinal, file in enumerate(self._bundle.files) if all(test(file) for test in tests)]

    @cached_property
    def _narrowed(self) -> frozenset[int] | None:
        """The chunks that the index finds by the names that a filter asks for; None when it asks for none that can be looked up."""
        found = [set(_chunks_with(self._bundle, fields, term)) for fields, term in _terms_of_filters(self._query)]
        return frozenset(set.intersection(*found)) if found else None

    @cached_property
    def lexical(self) -> Filter:
        """What the lexical index can keep to by itself."""
        query = self._query
        files = self.files if query.paths or query.packages else None
        if self._narrowed is not None and len(self._narrowed) <= _MOST_FOLLOWED:
            holding = {self._bundle.chunk(chunk).file for chunk in self._narrowed}
            files = sorted(holding.intersection(self.files) if self.files is not None else holding)
        return Filter(languages=query.languages, kinds=query.kinds, files=files)

    @cached_property
    def flags(self) -> NDArray[np.bool_] | None:
        """(chunks,), which may pass as far as the bundle's columns tell, for the dense retriever; None when all do."""
        if self.is_everything:
            return None
        import numpy as np

        bundle = self._bundle
        flags = np.ones(bundle.manifest.counts.chunks, dtype=np.bool_)
        if self._kinds:
            flags &= (np.asarray(bundle.kinds_of_chunks) & self._kinds) != 0
        if self._tags:
            flags &= (np.asarray(bundle.tags_of_chunks) & self._tags) != 0
        if self.files is not None:
            chosen = np.zeros_like(flags)
            for file in map(bundle.file, self.files):
                chosen[file.first_chunk : file.first_chunk + file.chunk_count] = True
            flags &= chosen
        if self._narrowed is not None:
            chosen = np.zeros_like(flags)
            chosen[sorted(self._narrowed)] = True
            flags &= chosen
        return flags

    def first(self, depth: int, search: Callable[[int], Columns]) -> Columns:
        """The first ``depth`` of what an engine finds that pass; it is asked for more until there are so many, or no more.

        Args:
            depth: at least 1.
            search: gives so many chunks, best first, and the score of each, kept to :attr:`lexical` or :attr:`flags`.
        """
        if not self.is_about_symbols:
            return search(depth)
        most = max(self._bundle.manifest.counts.chunks, 1)
        asked = min(depth, most)
        while True:
            found, scores = search(asked)
            passing = list(islice((place for place, chunk in enumerate(found.tolist()) if self.allows(chunk)), depth))
            if len(passing) == depth or len(found) < asked or asked == most:
                return found[passing], scores[passing]
            asked = min(asked * _DEEPER, most)

    def allows(self, chunk: int) -> bool:
        """Whether a symbol that starts in a chunk passes; files are left to :attr:`lexical` and :attr:`flags`."""
        if self._narrowed is not None and chunk not in self._narrowed:
            return False
        if self._kinds and not self._bundle.kinds_of_chunks[chunk] & self._kinds:
            return False
        if self._tags and not self._bundle.tags_of_chunks[chunk] & self._tags:
            return False
        # The columns say which kinds and tags a chunk has, not whether one symbol has both.
        return bool(self.symbols(chunk)) if self._tests or (self._kinds and self._tags) else True

    def passes(self, chunk: int) -> bool:
        """Whether a chunk passes every filter."""
        return self.is_everything or (self.flags is not None and bool(self.flags[chunk]) and self.allows(chunk))

    def symbols(self, chunk: int) -> Sequence[int]:
        """Ordinals of the symbols that start in a chunk and pass, outer before inner; all of them under no filter on symbols."""
        if not self.is_about_symbols:
            return _starting_in(self._bundle.chunk(chunk))
        if chunk not in self._passing:
            self._passing[chunk] = tuple(filter(self._passes, _starting_in(self._bundle.chunk(chunk))))
        return self._passing[chunk]

    def about(self, candidate: Candidate) -> Candidate:
        """A candidate that passes, about a symbol that does."""
        if not self.is_about_symbols:
            return candidate
        symbols = self.symbols(candidate.ordinal)
        return candidate if candidate.symbol in symbols or not symbols else candidate._replace(symbol=symbols[0])

    def _passes(self, symbol: int) -> bool:
        query, bundle = self._query, self._bundle
        if query.kinds and bundle.symbol_name(symbol).kind not in query.kinds:
            return False
        if query.tags and not set(query.tags).intersection(bundle.tags_of(symbol)):
            return False
        return all(test(symbol) for test in self._tests)


def _starting_in(chunk: ChunkRecord) -> range:
    return range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)


def _symbol_tests(bundle: Bundle, query: Query) -> Iterable[Callable[[int], bool]]:
    """What a symbol has to pass besides its kind and its tags, cheapest first."""
    if query.symbol_name:
        from hardtack.query.request.name_globs import name_predicate

        is_so_called = name_predicate(query.symbol_name)
        yield lambda symbol: is_so_called(bundle.symbol_name(symbol))
    if query.parameter_type or query.returns:
        from hardtack.query.request.type_names import type_predicate

        is_taken, is_given = type_predicate(query.parameter_type), type_predicate(query.returns)
        if query.parameter_type:
            yield lambda symbol: any(is_taken(parameter.type) for parameter in bundle.detail(symbol).parameters)
        if query.returns:
            yield lambda symbol: any(is_given(each.type) for each in bundle.detail(symbol).returns)


def _terms_of_filters(query: Query) -> Iterable[tuple[Sequence[str], str]]:
    """Fields of the lexical index and a term that one of them has in every chunk that passes."""
    if query.symbol_name:
        from hardtack.query.request.name_globs import is_glob, plain_name

        if not is_glob(query.symbol_name):
            yield ("symbol",), whole_name(plain_name(query.symbol_name))
    if query.parameter_type or query.returns:
        from hardtack.query.request.type_names import names_in_type

        for written in (query.parameter_type, query.returns):
            for name in names_in_type(written):
                yield ("signature", "doc", "body"), terms_of(name)[0]


def _chunks_with(bundle: Bundle, fields: Sequence[str], term: str) -> Iterable[int]:
    terms = {field: [(term, 1.0)] for field in fields}
    found, _ = bundle.lexical.search(terms, max(bundle.manifest.counts.chunks, 1), Filter())
    return found


def _is_of(packages: Sequence[str]) -> Callable[[FileRecord], bool]:
    """Whether a file belongs to any of ``packages``, which may be named by their ends and hold what is inside them.

    A file's package is the one it declares; where it declares none, and for those that go by it, its folders count.
    """
    wanted = [f".{qualified(package.strip().replace('/', '.'))}." for package in packages]

    def is_of(file: FileRecord) -> bool:
        folder, _, name = file.path.rpartition("/")
        homes = (f".{qualified(file.package)}.", f".{folder.replace('/', '.')}.{name.partition('.')[0]}.")
        return any(want in home for want in wanted for home in homes)

    return is_of
