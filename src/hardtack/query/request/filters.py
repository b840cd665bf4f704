"""The filters of a search, one row each.

A row defines the flag of the command line, the option of the library, the parameter of the tools, the section of ``explain`` and
the test that files or symbols have to pass. A new filter is a row of :data:`FILTERS` and a line of :class:`FilterOptions`.

Filters on files (languages, paths, packages) test a file. Filters on symbols (kinds, tags, names, types) test a symbol: a chunk
passes if one symbol that starts in it passes all of them, and the hit is then about that symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from hardtack.errors import UsageError
from hardtack.nouns.model import FilterValue, Kind, Tag
from hardtack.query.request.analysis import qualified
from hardtack.query.request.filter_words import (
    is_glob,
    name_predicate,
    names_in_type,
    parse_kinds,
    parse_languages,
    parse_roles,
    parse_tags,
    plain_name,
    type_predicate,
    well_formed,
)
from hardtack.query.request.globs import path_predicate
from hardtack.query.request.top import spelt_glob
from hardtack.text import terms_of, whole_name

if TYPE_CHECKING:
    from hardtack.bundle.format.records import FileRecord
    from hardtack.bundle.reader import Bundle

    FileTest = Callable[[FileRecord], bool]

SymbolTest = Callable[[int], bool]
"""Takes the ordinal of a symbol."""
FieldTerm = tuple[Sequence[str], str]
"""Fields of the lexical index, and a term that every passing chunk has in one of them."""


_MOST_VALUES: Final = 1000
_LONGEST: Final = 1000
"""Characters of a value: to compile and match it, for each file or symbol, takes time that grows with it."""


class FilterOptions(TypedDict, total=False):
    """The filters as options of the library, for type checkers: one line for each row of :data:`FILTERS`."""

    languages: Sequence[str]
    kinds: Sequence[str]
    symbol_name: str
    paths: Sequence[str]
    excluded: Sequence[str]
    roles: Sequence[str]
    tags: Sequence[str]
    packages: Sequence[str]
    parameter_type: str
    returns: str


class Parameter(NamedTuple):
    """The parameter of the tools for a filter."""

    name: str
    description: str
    is_many: bool = True
    """Whether it takes a list of texts, or one text."""


class Filter(NamedTuple):
    """One way to narrow a search."""

    name: str
    """The option of the library, and the parameter of a click command."""
    flag: str
    metavar: str
    help: str
    """Help text of the flag."""
    parameter: Parameter | None
    """A field of the tools' ``filters``; None if the tools have only the :attr:`shorthand`."""
    kept_out_by: str
    """The noun in ``explain``'s sentence "It was kept out by the filter on ..."."""
    section: str
    """Key of the filter's values in the results of ``explain`` and ``analyze_query``."""
    parse: Callable[[Bundle, Sequence[str]], tuple[str, ...]]
    """Turns a user's words into the values that the tests compare with. Raises UsageError for a word without a meaning."""
    shorthand: str = ""
    """A top-level parameter of the tools, beside ``filters``; empty for none."""
    is_many: bool = True
    """Whether it takes several values, any of which may match, or one text."""
    completes: str = ""
    """The method of :class:`hardtack.cli.completion.Completions` that completes values in a shell; empty for none."""
    in_index: bool = False
    """Whether the lexical engine applies it by itself, by its filter field of the same name (``languages``, ``kinds``)."""
    file_test: Callable[[Sequence[str]], FileTest] | None = None
    """Takes the values, makes the test of a filter on files."""
    symbol_test: Callable[[Bundle, Sequence[str]], SymbolTest] | None = None
    """Takes the values, makes the test of a filter on symbols."""
    bits: Callable[[Sequence[str]], int] | None = None
    """Takes the values of a filter on symbols, gives the bits of which a passing chunk has at least one in :attr:`column`."""
    column: str = ""
    """An attribute of :class:`Bundle` with one number for each chunk."""
    terms: Callable[[Sequence[str]], Iterable[FieldTerm]] = lambda _: ()
    """Takes the values, gives terms that the lexical index has for every passing chunk; none if there are none for certain."""

    @property
    def is_about_symbols(self) -> bool:
        """Whether it is a filter on symbols, and not on files."""
        return self.symbol_test is not None


def filters_from(bundle: Bundle, options: Mapping[str, Any]) -> tuple[FilterValue, ...]:
    """Parse filters from options of the library, in the order of :data:`FILTERS`.

    Args:
        bundle: whose languages may be asked for.
        options: as :class:`FilterOptions`.

    Raises:
        TypeError: an option is not a filter.
        UsageError: a value of a filter has no meaning, is too long, or there are too many.
    """
    if unknown := options.keys() - BY_NAME.keys():
        raise TypeError(f"A search takes no {', '.join(map(repr, sorted(unknown)))}; its filters are: {', '.join(BY_NAME)}.")
    values = []
    for row in FILTERS:
        given = options.get(row.name) or ()
        given = [given] if isinstance(given, str) else given
        most = _MOST_VALUES if row.is_many else 1
        if len(given) > most or any(len(each) > _LONGEST for each in given):
            raise UsageError(
                f"The filter {row.name!r} takes at most {most} {'values' if row.is_many else 'value'} of {_LONGEST} characters.",
                code="INVALID_REQUEST",
                details={"param": row.name},
            )
        if words := row.parse(bundle, given):
            values.append(FilterValue(row.name, words))
    return tuple(values)


def is_about_symbols(filters: Iterable[FilterValue]) -> bool:
    """Whether any of them is a filter on symbols."""
    return any(BY_NAME[each.name].is_about_symbols for each in filters)


def _globs(bundle: Bundle, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(spelt_glob(bundle, well_formed(name)) for name in names)


def _texts(_: Bundle, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(well_formed, names))


def _one_text(_: Bundle, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for name in names if (text := well_formed(name).strip()))


# -- tests --------------------------------------------------------------------------------------------------------------------


def _has_language(languages: Sequence[str]) -> FileTest:
    return lambda file: file.language in languages


def _has_role(roles: Sequence[str]) -> FileTest:
    return lambda file: file.role in roles


def _matches_path(globs: Sequence[str]) -> FileTest:
    matches = path_predicate(globs)
    return lambda file: matches(file.path)


def _matches_no_path(globs: Sequence[str]) -> FileTest:
    matches = path_predicate(globs)
    return lambda file: not matches(file.path)


def _is_of_package(packages: Sequence[str]) -> Callable[[FileRecord], bool]:
    """A test: whether a file belongs to any of ``packages`` or to a package inside one; the end of a package's name is enough.

    A file belongs to the package that it declares, and to the packages that its path spells.
    """
    wanted = [f".{qualified(package.strip().replace('/', '.'))}." for package in packages]

    def belongs(file: FileRecord) -> bool:
        folder, _, name = file.path.rpartition("/")
        homes = (f".{qualified(file.package)}.", f".{folder.replace('/', '.')}.{name.partition('.')[0]}.")
        return any(want in home for want in wanted for home in homes)

    return belongs


def _has_kind(bundle: Bundle, kinds: Sequence[str]) -> SymbolTest:
    return lambda symbol: bundle.symbol_name(symbol).kind in kinds


def _has_tag(bundle: Bundle, tags: Sequence[str]) -> SymbolTest:
    wanted = frozenset(tags)
    return lambda symbol: not wanted.isdisjoint(bundle.tags_of(symbol))


def _has_name(bundle: Bundle, globs: Sequence[str]) -> SymbolTest:
    (glob,) = globs
    matches = name_predicate(glob)
    return lambda symbol: matches(bundle.symbol_name(symbol))


def _takes_type(bundle: Bundle, types: Sequence[str]) -> SymbolTest:
    matches = type_predicate(types[0])
    return lambda symbol: any(matches(parameter.type) for parameter in bundle.detail(symbol).parameters)


def _returns_type(bundle: Bundle, types: Sequence[str]) -> SymbolTest:
    matches = type_predicate(types[0])
    return lambda symbol: any(matches(each.type) for each in bundle.detail(symbol).returns)


def _terms_of_name(globs: Sequence[str]) -> Iterable[FieldTerm]:
    return () if is_glob(globs[0]) else [(("symbol",), whole_name(plain_name(globs[0])))]


def _terms_of_type(types: Sequence[str]) -> Iterable[FieldTerm]:
    return [(("signature", "doc", "body"), term) for name in names_in_type(types[0]) for term in terms_of(name)[:1]]


# -- the rows -----------------------------------------------------------------------------------------------------------------


FILTERS: Final = (
    Filter(
        name="languages",
        flag="--lang",
        metavar="LANG",
        help="Only this language; may be repeated.",
        parameter=None,
        shorthand="language",
        kept_out_by="languages",
        section="language_filter",
        parse=parse_languages,
        completes="languages",
        in_index=True,
        file_test=_has_language,
    ),
    Filter(
        name="kinds",
        flag="--kind",
        metavar="KIND",
        help="Only chunks that define a symbol of this kind.",
        parameter=Parameter("symbol_types", "As symbol_type."),
        shorthand="symbol_type",
        kept_out_by="kinds",
        section="symbol_type_filter",
        parse=lambda _, names: parse_kinds(names),
        completes="kinds",
        in_index=True,
        symbol_test=_has_kind,
        bits=lambda kinds: sum(Kind(kind).bit for kind in set(kinds)),
        column="kinds_of_chunks",
    ),
    Filter(
        name="symbol_name",
        flag="--name",
        metavar="GLOB",
        help="Only chunks that define a symbol so called.",
        parameter=None,
        shorthand="symbol_name",
        kept_out_by="names",
        section="symbol_name_filter",
        parse=_one_text,
        is_many=False,
        symbol_test=_has_name,
        terms=_terms_of_name,
    ),
    Filter(
        name="paths",
        flag="--path",
        metavar="GLOB",
        help="Only paths that match; may be repeated.",
        parameter=Parameter("file_pattern", "Glob of paths: 'src/**/*.py'.", is_many=False),
        kept_out_by="paths",
        section="path_filter",
        parse=_globs,
        completes="paths",
        file_test=_matches_path,
    ),
    Filter(
        name="excluded",
        flag="--exclude",
        metavar="GLOB",
        help="No paths that match; may be repeated.",
        parameter=Parameter("exclude", "Globs of paths to leave out."),
        kept_out_by="excluded paths",
        section="exclude_filter",
        parse=_globs,
        completes="paths",
        file_test=_matches_no_path,
    ),
    Filter(
        name="roles",
        flag="--role",
        metavar="ROLE",
        help="Only files of this role; may be repeated.",
        parameter=Parameter("roles", "source, test, example, documentation, vendored, ..."),
        kept_out_by="roles",
        section="role_filter",
        parse=lambda _, names: parse_roles(names),
        completes="roles",
        file_test=_has_role,
    ),
    Filter(
        name="tags",
        flag="--tag",
        metavar="TAG",
        help="Only what has this tag; may be repeated.",
        parameter=Parameter(
            "ddd_patterns",
            "aggregate, entity, value_object, repository, service, command, query, handler, laravel:model, ...",
        ),
        kept_out_by="tags",
        section="tag_filter",
        parse=lambda _, names: parse_tags(names),
        symbol_test=_has_tag,
        bits=lambda tags: sum(Tag(tag).bit for tag in set(tags)),
        column="tags_of_chunks",
    ),
    Filter(
        name="packages",
        flag="--package",
        metavar="NAME",
        help="Only this package or namespace; may be repeated.",
        parameter=Parameter("packages", "Packages, namespaces or folders."),
        kept_out_by="packages",
        section="package_filter",
        parse=_texts,
        completes="packages",
        file_test=_is_of_package,
    ),
    Filter(
        name="parameter_type",
        flag="--takes",
        metavar="TYPE",
        help="Only functions that take this type.",
        parameter=Parameter("param_type", "Functions that take this type.", is_many=False),
        kept_out_by="parameter types",
        section="parameter_type_filter",
        parse=_one_text,
        is_many=False,
        symbol_test=_takes_type,
        terms=_terms_of_type,
    ),
    Filter(
        name="returns",
        flag="--returns",
        metavar="TYPE",
        help="Only functions that give back this type.",
        parameter=Parameter("returns", "Functions that return it.", is_many=False),
        kept_out_by="return types",
        section="returns_filter",
        parse=_one_text,
        is_many=False,
        symbol_test=_returns_type,
        terms=_terms_of_type,
    ),
)
"""All filters, in the order of display and of testing: of those on symbols the cheapest first."""

BY_NAME: Final = {row.name: row for row in FILTERS}
