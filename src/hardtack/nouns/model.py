"""Values that one stage of a search hands to the next. Those of reading source files are in ``nouns/outline.py``.

Every class is a named tuple; construct it with field names, so that it can get more fields. ARCHITECTURE.md defines the terms.
Everywhere, **bytes** count from 0 and spans are half-open; **lines** count from 1 and ranges of them are inclusive.
"""

from enum import StrEnum
from typing import Literal, NamedTuple


class Kind(StrEnum):
    """What a symbol is. New kinds go to the end of the list, since bundles store a kind's place in it."""

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

    @property
    def bit(self) -> int:
        """What stands for it in a number that holds several."""
        return 1 << tuple(Kind).index(self)


class EncodingBasis(StrEnum):
    """How the encoding of a file is known. Stored by its place in this list."""

    CONTENT = "content"
    """The bytes show it: a byte order mark, valid UTF-8, escape sequences."""
    DECLARED = "declared"
    """The file or its tree says it, and the bytes can be decoded so."""
    GUESSED = "guessed"
    """Of all encodings that can decode the bytes it gives the likeliest text."""


class Content(StrEnum):
    """The purpose of a file."""

    CODE = "code"
    DOCUMENTATION = "documentation"
    CONFIGURATION = "configuration"


TYPES = frozenset({Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.TYPE})
"""Kinds that have members and can be supertypes."""
FUNCTIONS = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR})
CALLABLES = FUNCTIONS | {Kind.MACRO}
VARIABLES = frozenset({Kind.VARIABLE, Kind.CONSTANT})
VALUES = VARIABLES | {Kind.FIELD, Kind.PROPERTY}
PARTS = frozenset({Kind.FIELD, Kind.PROPERTY, Kind.METHOD, Kind.ENUM_MEMBER})
"""Kinds that are reached through their owner, which may be an anonymous type or an object inside a function."""
NAMESPACES = frozenset({Kind.PACKAGE, Kind.NAMESPACE, Kind.MODULE})
"""Kinds that only qualify the names inside them."""


class Tag(StrEnum):
    """A role of a symbol beyond its kind, or how it was read. New tags go to the end of the list.

    A bundle stores a symbol's tags as one 32-bit number in which bit ``i`` is the ``i``-th tag, so there can be 32. Framework tags
    follow from supertypes, roles from names; both are conventions, so a tag can be wrong.
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
    READ_FROM_LINES = "read_from_lines"
    """One line says that it is there; the grammar could not read that part of its file. Where it ends is a guess."""
    LOCAL = "local"
    """A variable of a function that has no name: no code outside of that can name it."""

    @property
    def bit(self) -> int:
        """The number with only this tag's bit set."""
        return _TAG_BITS[self]


_TAG_BITS = {tag: 1 << number for number, tag in enumerate(Tag)}


class Mode(StrEnum):
    """Which retrievers a search uses."""

    HYBRID = "hybrid"
    VECTOR = "vector"
    KEYWORD = "keyword"


ModeName = Literal["hybrid", "vector", "keyword"]
"""A :class:`Mode` by its value, for type checkers."""


class Span(NamedTuple):
    """A range of one file's stored text."""

    start: int
    """First byte, 0-based, in the stored UTF-8 text."""
    end: int
    """One past the last byte."""
    start_line: int
    """Line of the first byte, 1-based."""
    end_line: int
    """Line of the last byte, 1-based, inclusive."""


class Provenance(NamedTuple):
    """The source that a bundle was built from. Has no build time, user, host or directory name."""

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
    """Names of the roots of a bundle with several; each is the first component of its files' paths."""


class FilterValue(NamedTuple):
    """A filter of a query and what it asks for."""

    name: str
    """Of a row of :data:`hardtack.query.request.filters.FILTERS`."""
    words: tuple[str, ...]
    """Any of which will do, as the filter compares them: language ids, kinds, globs, types."""


class Query(NamedTuple):
    """A search request."""

    text: str
    mode: Mode = Mode.HYBRID
    limit: int = 10
    filters: tuple[FilterValue, ...] = ()
    """What narrows the search; all of them must be passed."""
    min_score: float = 0.0
    """The least reported score of a hit."""
    smart_context: bool = True
    """Show the function or type around the match instead of the chunk; ignored if ``before`` or ``after`` is given."""
    surroundings: bool = False
    """With smart context, add the imports of each hit's file and its sibling symbols."""
    before: int | None = None
    """Lines to add before the snippet; None if not requested."""
    after: int | None = None
    """Lines to add after the snippet; None if not requested."""
    further: int = 0
    """How many files after those of the hits to list."""


class NameMatch(NamedTuple):
    """A symbol whose name matches a query."""

    how: str
    """``defines``, ``declares`` or ``is named like``."""
    symbol: int
    """The symbol's ordinal."""


class Candidate(NamedTuple):
    """A chunk during retrieval, fusion and ranking."""

    ordinal: int
    """The chunk's number in its bundle."""
    score: float
    """The score that the last stage gave it."""
    symbol: int = -1
    """Ordinal of the symbol that best matches the query, or -1."""
    lexical: float | None = None
    """The lexical retriever's score, scaled to 0..1; None if it did not find the chunk."""
    dense: float | None = None
    """The dense retriever's score, likewise."""
    name_match: NameMatch | None = None
    """The symbol whose name matches the query, if any."""
    reasons: tuple[str, ...] = ()
    """Other reasons for its rank, as sentences for users."""


class Place(NamedTuple):
    """A place that an answer names without showing its text."""

    path: str
    line: int
    """Line of its symbol's name, or its first line."""
    kind: str = ""
    name: str = ""
    qualified_name: str = ""
    index_name: str = ""
    """Name of its bundle in a search of several; else empty."""


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
    """``edited`` in a file of the working tree that differs from the bundle; ``fresh``, ``changed`` or ``deleted`` in a checkout
    that it was compared with; else ``unknown``."""
    reasons: tuple[str, ...]
    file_rank: int = 1
    """Rank of its file among the files of the answer, by their best hits."""
    snippet_start_line: int | None = None
    """First line of ``snippet``; None without one. The chunk's lines are ``start_line`` and ``end_line``."""
    snippet_end_line: int | None = None
    match_line: int | None = None
    """The line with the densest match of the query's words; None if the bundle has no text."""
    selection_line: int | None = None
    """Line of the symbol's name; None without a symbol."""
    context_before: str = ""
    """The requested lines before the snippet."""
    context_after: str = ""
    imports: str = ""
    """The file's package and import statements, as written."""
    related: tuple[str, ...] = ()
    """Signatures of the nearest symbols with the same parent."""
    also: tuple[Place, ...] = ()
    """Near-duplicates of this hit that are not shown: copies, overloads, other parts of the same function."""
    current_start_line: int | None = None
    """First shown line in the checkout, if its file has changed but these lines have not; else None."""
    current_end_line: int | None = None
    index_name: str = ""
    """Name of its bundle in a search of several; else empty."""

    def __repr__(self) -> str:
        from hardtack.nouns.notebook import brief  # here and below: a search on the command line shows no value so

        return brief("Hit", self.place, self.kind, self.qualified_name, f"{self.score:.3f}")

    def _repr_html_(self) -> str:
        return self.html(is_open=True)

    @property
    def place(self) -> str:
        """``path:first-last`` of what is shown, after the name of its bundle where several were searched."""
        first, last = self.snippet_start_line or self.start_line, self.snippet_end_line or self.end_line
        return f"{f'{self.index_name}:' if self.index_name else ''}{self.path}:{first}-{last}"

    def html(self, *, is_open: bool) -> str:
        """What a notebook shows: place, symbol and score, and the snippet below, unfolded if ``is_open``."""
        from hardtack.nouns.notebook import element, folded

        what = f"{element('code', self.place)} {element('span', self.kind)} {element('b', self.qualified_name)} {self.score:.3f}"
        return folded(what, self.snippet, is_open=is_open)


class Answering(NamedTuple):
    """One of several bundles that were searched."""

    index_name: str
    digest: str
    commit: str
    """Empty if it was built without one."""


class MovedOn(NamedTuple):
    """A working tree that differs from the bundle whose name it has; and which of the two an answer is of."""

    bundle_name: str
    indexed_commit: str
    current_commit: str
    current_branch: str
    """Empty if HEAD is detached."""
    files_changed: int | None
    """Files that differ; None if that is unknown, as where the checkout lacks one of the commits."""
    is_laid_over: bool = False
    """The answer is of the working tree; else of the bundle."""
    changed_paths: tuple[str, ...] = ()
    """The files that differ, where they are known, by path."""
    reason: str = ""
    """Why the answer is of the bundle all the same: a clause without a full stop; empty where nobody asked for the tree."""

    @property
    def sentence(self) -> str:
        """What a reader of an answer has to know; without a full stop."""
        changed = self.files_changed
        bundle = f"the bundle {self.bundle_name} of {self.indexed_commit[:12]}"
        if self.is_laid_over:
            return f"this is of the working tree: {_files(changed)} {'differs' if changed == 1 else 'differ'} from {bundle}"
        what = "how much changed is unknown" if changed is None else f"{_files(changed)} changed"
        reason = f"; this is of the bundle: {self.reason}" if self.reason else ""
        return f"the checkout is at {self.current_commit[:12]}, {bundle}: {what}{reason}"


def _files(number: int | None) -> str:
    return "1 file" if number == 1 else f"{number} files"


class Answer(NamedTuple):
    """The hits of one query, best first, and the bundle they are from, if only one was searched."""

    query: str
    mode: Mode
    hits: tuple[Hit, ...]
    truncated: bool
    """Whether more candidates matched than the limit allows."""
    hint: str
    """What to try next, or empty."""
    bundle_digest: str
    bundle_commit: str
    bundle_name: str
    further: tuple[Place, ...] = ()
    """The best place in each of the files that rank after those of the hits, best first; as many as were requested."""
    bundles: tuple[Answering, ...] = ()
    """The bundles that were searched, in the requested order; empty if there was one."""
    moved_on: MovedOn | None = None
    """The first of them whose checkout has moved on, where that is known."""

    def __repr__(self) -> str:
        from hardtack.nouns.notebook import brief

        return brief("Answer", repr(self.query), self._count, f"best: {self.hits[0].place}" if self.hits else "")

    def _repr_html_(self) -> str:
        from hardtack.nouns.notebook import blocks, element

        hits = blocks([hit.html(is_open=not number) for number, hit in enumerate(self.hits)])
        further = element("p", f"Further files: {', '.join(place.path for place in self.further)}" if self.further else "")
        return f"<div><p>{element('b', self.query)}: {self._count}</p>{hits}{further}{element('p', self.hint)}</div>"

    @property
    def _count(self) -> str:
        more = " of more" if self.truncated else ""
        return f"{len(self.hits)} hit{'' if len(self.hits) == 1 else 's'}{more}"
