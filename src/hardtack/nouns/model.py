"""The nouns that cross a stage: what one part of Hardtack hands the next. Those of reading sources are in ``nouns/outline.py``.

Every class is a named tuple of values. Name the fields, by which they can grow. The words are defined in ARCHITECTURE.md.
Two number systems are used everywhere: **bytes** count from 0, spans half-open; **lines** from 1, inclusive.
"""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a symbol is. A closed list that only ever grows at its end: stored bundles name these."""

    FILE = "file"
    MODULE = "module"
    NAMESPACE = "namespace"
    PACKAGE = "package"
    CLASS = "class"
    STRUCT = "struct"
    INTERFACE = "interface"
    TRAIT = "trait"
    ENUM = "enum"
    ENUM_MEMBER = "enum_member"
    TYPE = "type"
    FUNCTION = "function"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    PROPERTY = "property"
    FIELD = "field"
    CONSTANT = "constant"
    VARIABLE = "variable"
    MACRO = "macro"
    SECTION = "section"
    ELEMENT = "element"
    BLOCK = "block"
    RESOURCE = "resource"
    STAGE = "stage"
    ROUTE = "route"
    KEY = "key"
    TARGET = "target"


class Content(StrEnum):
    """What a file is for."""

    CODE = "code"
    DOCUMENTATION = "documentation"
    CONFIGURATION = "configuration"


TYPES = frozenset({Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.TYPE})
"""What has members and can be rested on."""
FUNCTIONS = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR})
CALLABLES = FUNCTIONS | {Kind.MACRO}
NAMESPACES = frozenset({Kind.PACKAGE, Kind.NAMESPACE, Kind.MODULE})
"""What gives the names in it a home and is nothing else."""


class Tag(StrEnum):
    """A role that a symbol plays, beyond its kind. A closed list that only ever grows at its end.

    A bundle stores a symbol's tags as one number in which bit ``i`` stands for the ``i``-th of these, so there is room for 32.
    Frameworks are recognised by what a type rests on, naming patterns by how it is called; both are conventions, not proofs.
    """

    FRAMEWORK_LARAVEL = "framework:laravel"
    LARAVEL_MODEL = "laravel:model"
    LARAVEL_CONTROLLER = "laravel:controller"
    LARAVEL_ROUTE = "laravel:route"
    AGGREGATE = "aggregate"
    ENTITY = "entity"
    VALUE_OBJECT = "value_object"
    REPOSITORY = "repository"
    SERVICE = "service"
    COMMAND = "command"
    QUERY = "query"
    HANDLER = "handler"

    @property
    def bit(self) -> int:
        """What stands for it in a number that holds several."""
        return 1 << tuple(Tag).index(self)


class Mode(StrEnum):
    """Which retrievers answer a query."""

    HYBRID = "hybrid"
    VECTOR = "vector"
    KEYWORD = "keyword"


class Span(NamedTuple):
    """A stretch of one file's stored text."""

    start: int
    """First byte, 0-based, in the stored UTF-8 text."""
    end: int
    """One past the last byte."""
    start_line: int
    """Line of the first byte, 1-based."""
    end_line: int
    """Line of the last byte, 1-based, inclusive."""


class Provenance(NamedTuple):
    """What was built, from what. Holds no clock, user, host or directory name."""

    repository: str = ""
    """``host/owner/name``; empty when unknown."""
    commit: str = ""
    """Full commit id; empty when the source was not a git commit."""
    commit_time: int | None = None
    """Committer time, seconds since 1970 UTC."""
    subdirectory: str = ""
    """Where the indexed root lies inside the repository; empty for its top."""
    source: str = "files"
    """``commit`` when read from git objects, ``files`` when read from the disk."""
    is_dirty: bool = False
    """Read from the disk of a checkout whose tracked files differ from the commit."""
    roots: tuple[str, ...] = ()
    """Names of the roots of a bundle of several; each is the first component of its files' paths."""


class FilterValue(NamedTuple):
    """A filter of a query and what it asks for."""

    name: str
    """Of a row of :data:`hardtack.query.request.filters.FILTERS`."""
    words: tuple[str, ...]
    """Any of which will do, as the filter compares them: language ids, kinds, globs, types."""


class Query(NamedTuple):
    """What a user asks."""

    text: str
    mode: Mode = Mode.HYBRID
    limit: int = 10
    filters: tuple[FilterValue, ...] = ()
    """What narrows the search; all of them must be passed."""
    min_score: float = 0.0
    """The least score, as it is reported, of a hit."""
    smart_context: bool = True
    """Show the function or type around the match, else the chunk; off when lines are asked for."""
    surroundings: bool = False
    """Give the imports and the neighbours of each hit, where there is smart context."""
    before: int | None = None
    """Lines wanted before what is shown; None when nobody asked."""
    after: int | None = None
    further: int = 0
    """Files beyond those of the hits to be named."""


class NameMatch(NamedTuple):
    """A symbol whose name answers a query."""

    how: str
    """In words: ``defines``, ``declares``, ``is named like``."""
    symbol: int
    """Its ordinal."""


class Candidate(NamedTuple):
    """A chunk on its way through retrieval, fusion and ranking."""

    ordinal: int
    """The chunk's number inside its bundle."""
    score: float
    """The score of the last stage that touched it."""
    symbol: int = -1
    """Ordinal of the symbol that best answers the query, or -1."""
    lexical: float | None = None
    """The lexical retriever's score, made comparable (0..1); None where it did not find the chunk."""
    dense: float | None = None
    """The dense retriever's."""
    name_match: NameMatch | None = None
    """Why its name speaks for it."""
    reasons: tuple[str, ...] = ()
    """Why else it ranks where it does, for a person."""


class Place(NamedTuple):
    """Where something lies that an answer names and does not show."""

    path: str
    line: int
    """Where its symbol's name stands, or where it begins."""
    kind: str = ""
    name: str = ""
    qualified_name: str = ""
    index_name: str = ""
    """Which of several bundles it is in; empty where one was asked."""


class Hit(NamedTuple):
    """One entry of an answer; its fields are the JSON fields of ``hardtack.search/1``."""

    path: str
    start_line: int
    end_line: int
    score: float
    rank: int
    chunk_id: str
    language: str
    kind: str
    name: str
    qualified_name: str
    signature: str
    package: str
    snippet: str
    match_type: str
    """``semantic``, ``keyword`` or ``both``: which retrievers found it."""
    vector_score: float | None
    keyword_score: float | None
    freshness: str
    reasons: tuple[str, ...]
    file_rank: int = 1
    """Number of its file among the files of the answer, in order of their best hits."""
    snippet_start_line: int | None = None
    """The lines that ``snippet`` holds; None without one. Those of the chunk are ``start_line`` and ``end_line``."""
    snippet_end_line: int | None = None
    match_line: int | None = None
    """Where the query's words stand closest; None when the bundle has no text."""
    selection_line: int | None = None
    """Where the symbol's name stands; None without a symbol."""
    context_before: str = ""
    """Lines before the snippet, as many as were asked for."""
    context_after: str = ""
    imports: str = ""
    """The file's package and its import statements, as they are written."""
    related: tuple[str, ...] = ()
    """Signatures of the next symbols that have the same parent."""
    also: tuple[Place, ...] = ()
    """Hits that say the same and are not shown: copies, overloads, other parts of the same function."""
    current_start_line: int | None = None
    """Where the lines that are shown stand in the checkout, when its file has changed and they have not; None else."""
    current_end_line: int | None = None
    index_name: str = ""
    """Which of several bundles it is of; empty where one was asked."""


class Answering(NamedTuple):
    """One of several bundles that were asked."""

    index_name: str
    digest: str
    commit: str
    """Empty when it was built without one."""


class Answer(NamedTuple):
    """The hits of one query, best first, and the bundle they came from, if it was one."""

    query: str
    mode: Mode
    hits: tuple[Hit, ...]
    truncated: bool
    """More candidates matched than the limit let through."""
    hint: str
    """What to try next; empty when there is nothing to say."""
    bundle_digest: str
    bundle_commit: str
    bundle_name: str
    further: tuple[Place, ...] = ()
    """The best place of each file that comes after those of the hits, best first; as many as were asked for."""
    bundles: tuple[Answering, ...] = ()
    """All that were asked, in the order in which they were named; empty where it was one."""
