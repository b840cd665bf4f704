"""One file's text and its language in, its outline out: symbols, package, imports, and how well it parsed.

The language's ``tags.scm`` decides what is a definition (``languages/_example/tags.scm`` lists the captures); this module reads
only its matches. Invariants: a symbol's selection is inside its span, its span inside its extent, its extent inside the text; a
parent comes before its children and its span holds theirs; the order is by ``extent.start``, outer first. Positions are bytes.
Nothing here walks the tree, so the time depends on the number of definitions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from hardtack.build.frameworks import READERS
from hardtack.build.languages.prose import comment_words, docstring_words, joined_names
from hardtack.build.languages.registry import cutter_of, dialect_of, language_of_region, normaliser_of, regions_of
from hardtack.build.languages.sections import Region
from hardtack.build.outline.definitions import ParsedFile, parsed_file
from hardtack.build.outline.details import details_of
from hardtack.build.outline.embedded import merged
from hardtack.build.outline.item_macros import without_item_macros
from hardtack.build.outline.lines import read_lines
from hardtack.build.outline.repair import repaired
from hardtack.build.outline.syntax import Deadline, QueryMatches, error_lines, error_spans, parse, readable
from hardtack.build.outline.uses import usages_of
from hardtack.nouns.model import FUNCTIONS, Kind
from hardtack.nouns.outline import Outline, ParseStatus, Symbol
from hardtack.text import composed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.definitions import Draft
    from hardtack.nouns.relations import Fact

_LEAST_SECONDS = 2.0
_SECONDS_FOR_A_MEGABYTE = 8.0
"""Processor time for one file: a megabyte of real code takes 0.25 seconds, of random bytes up to 20. Some grammars take quadratic
time for some texts, so the limit is in proportion to the length."""
MAX_SIGNATURE_CHARACTERS = 200
_MAX_REGIONS = 1_000
"""Regions of a file that are parsed in another language; one deadline holds for all of them together."""
_SIGNATURE_BYTES = 1_000
"""Bytes of a definition that are read for its signature; white space is collapsed before it is cut."""

_TYPE_KINDS = frozenset({Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.BLOCK})


def seconds_for(text: bytes) -> float:
    """Processor time that a text may take."""
    return _LEAST_SECONDS + _SECONDS_FOR_A_MEGABYTE * min(len(text) / 1e6, 1.0)


def outline_of(text: bytes, language: Language, *, deadline_s: float | None = None, use_grammar: bool = True) -> Outline:
    """The outline of a file's stored text (UTF-8). It raises for no text.

    Regions in other languages are parsed in their own language, a script in HTML as JavaScript, within the same deadline. Status
    ``error`` means that the deadline passed; ``partial`` that the tree has errors, in which case the symbols around them are there.
    Without the grammar, the status is ``error`` too.
    """
    deadline = Deadline(seconds_for(text) if deadline_s is None else deadline_s)
    language = dialect_of(language, text)
    if not use_grammar:
        return _unparsed(text, language, ParseStatus.ERROR)
    outline, regions = _read(text, language, deadline)
    parts: list[tuple[Region, Outline]] = []
    for region in regions[:_MAX_REGIONS]:
        inner = language_of_region(region.language)
        if inner is None or not inner.has_query or deadline.has_passed():
            continue
        part, _ = _read(text[region.start : region.end], inner, deadline, is_example=language.has_cutter)
        if part.status in (ParseStatus.OK, ParseStatus.PARTIAL):
            parts.append((region, part))
    return merged(outline, parts, text, is_prose=language.has_cutter) if parts else outline


def _read(text: bytes, language: Language, deadline: Deadline, *, is_example: bool = False) -> tuple[Outline, Sequence[Region]]:
    """The outline of a text in one language, and its regions in others, by start.

    An example in prose that does not parse has no outline: it may be a fragment, a session or a diff.
    """
    if language.has_cutter:
        symbols = tuple(cutter_of(language)(text))
        return Outline(status=ParseStatus.OK, symbols=symbols), regions_of(language)(text)
    if not language.has_query:
        return _unparsed(text, language, ParseStatus.NO_GRAMMAR), ()
    clean = readable(text, language)
    tree = parse(clean, language, deadline)
    if is_example and (tree is None or tree.root_node.has_error):
        return Outline(status=ParseStatus.ERROR), ()
    if "item_macros" in language.scoping and tree is not None:
        clean, tree = without_item_macros(clean, tree, language, deadline)
    parsed = None if tree is None else parsed_file(text, tree, language, deadline)
    if tree is None or parsed is None:
        return _unparsed(text, language, ParseStatus.ERROR), ()
    if language.has_macros:
        parsed.find_macros(clean)
    broken = tree.root_node.has_error
    if broken:
        parsed = repaired(parsed, clean, error_lines(tree), language, deadline)
        if language.lines:
            read_lines(parsed, language, error_spans(tree))
    symbols = tuple(_symbols_of(parsed, language))
    facts: tuple[Fact, ...] = ()
    if (reader := READERS.get(language.id)) is not None:
        symbols, facts = reader(parsed.tree, text, symbols)
    usages = usages_of(parsed.tree, parsed.imported(), text, clean, language, symbols, hidden=parsed.hidden)
    outline = Outline(
        status=ParseStatus.PARTIAL if broken else ParseStatus.OK,
        error_lines=error_lines(tree) if broken else (),
        package=parsed.packages[0][1] if parsed.packages else "",
        imports=None if parsed.imports is None else parsed.span(*parsed.imports),
        symbols=symbols,
        details=details_of(parsed.details(), text, language, symbols),
        imported=usages.imported,
        locals=usages.locals,
        uses=usages.uses,
        bindings=usages.bindings,
        facts=facts,
    )
    return outline, [Region(start, end, named) for (start, end), (_, named) in sorted(parsed.regions.items())]


def _unparsed(text: bytes, language: Language, status: ParseStatus) -> Outline:
    """The outline of a text without a tree: what its lines say."""
    if not language.lines:
        return Outline(status=status)
    parsed = ParsedFile(text, None, QueryMatches([], [], []))
    read_lines(parsed, language, [(0, len(text))])
    return Outline(status=status, symbols=tuple(_symbols_of(parsed, language)))


def _symbols_of(parsed: ParsedFile, language: Language) -> list[Symbol]:
    """Drafts to symbols: widened, ordered, nested and named."""
    drafts = _ordered(parsed)
    parents = _nested(parsed, drafts)
    normalise = normaliser_of(language) if language.has_normaliser else None
    comment_starts = sorted(parsed.comments)
    around = {drafts[each].name for each in parents if each >= 0 and drafts[each].is_package}
    stated = [(start, package) for start, package in parsed.packages if start not in around]
    symbols: list[Symbol] = []
    places: list[int] = []  # draft index -> symbol index, or the parent's for a draft that was dropped
    for index, draft in enumerate(drafts):
        parent = places[parents[index]] if parents[index] >= 0 else -1
        enclosing = symbols[parent] if parent >= 0 else None
        name, scope = composed(parsed.string(draft.name, draft.name_end)), composed(draft.scope)
        if not name.isidentifier():
            name = " ".join(name.split())
        if normalise is not None:
            name, scope = normalise(name, scope)
        is_hidden = draft.is_local and enclosing is not None and enclosing.kind in FUNCTIONS
        if draft.is_own and enclosing is not None and enclosing.kind in _TYPE_KINDS and name != enclosing.name:
            is_hidden = True
        if is_hidden or not name:  # in broken source, grammars supply empty names
            places.append(parent)
            continue
        prefix = "" if enclosing is None or drafts[parents[index]].is_package else enclosing.qualified_name
        kind = _kind_within(draft.kind, name, scope, enclosing, language)
        if kind is Kind.PROPERTY and enclosing is not None and enclosing.kind is Kind.CONSTRUCTOR:
            prefix = prefix.rpartition(".")[0]  # a promoted parameter belongs to the type
        span = parsed.span(draft.start, draft.end)
        places.append(len(symbols))
        symbols.append(
            Symbol(
                name=name,
                qualified_name=joined_names(prefix, scope, name),
                kind=kind,
                span=span,
                extent=span if draft.extent == draft.start else parsed.span(draft.extent, draft.end),
                selection=parsed.span(draft.name, draft.name_end),
                signature=_signature(parsed, draft, comment_starts),
                doc=_doc(parsed, draft, language) if draft.leading or draft.doc is not None else "",
                package=_package_of(draft, enclosing, stated, name if draft.name in around else ""),
                parent=parent,
                is_from_lines=draft.is_from_lines,
            )
        )
    return symbols


def _package_of(draft: Draft, enclosing: Symbol | None, stated: Sequence[tuple[int, str]], own: str) -> str:
    """The package of a definition: that of what it is inside, else the last one that was stated before it.

    Args:
        draft: the definition.
        enclosing: what it is inside.
        stated: (first byte, name) of each package that reaches to the next one or the end of the text.
        own: its name, if it is a package that others are inside.
    """
    if own:
        outer = enclosing.package if enclosing is not None and draft.kind is Kind.NAMESPACE else ""
        return f"{outer}.{own}" if outer else own
    if enclosing is not None:
        return enclosing.package
    index = bisect_right(stated, draft.name, key=itemgetter(0)) - 1
    return stated[index][1] if index >= 0 else ""


def _ordered(parsed: ParsedFile) -> list[Draft]:
    """The drafts with their final spans and extents, by start of the extent, outer before inner."""
    drafts = list(parsed.drafts.values())
    _sort_outer_first(drafts, "start")
    previous, node = None, (-1, -1)
    for draft in drafts:
        if previous is not None and node == (draft.start, draft.end):  # another name of the same node
            draft.start, draft.end, draft.extent, draft.leading = previous.start, previous.end, previous.extent, previous.leading
            continue
        before, node = node[0], (draft.start, draft.end)
        _widen(parsed, draft, before)
        _take_leading(parsed, draft)
        previous = draft
    _sort_outer_first(drafts, "extent")
    return drafts


def _sort_outer_first(drafts: list[Draft], start: str) -> None:
    """Sort by the attribute ``start``, the longest first, then by name: three stable sorts take half the time of one by a tuple."""
    drafts.sort(key=attrgetter("name"))
    drafts.sort(key=attrgetter("end"), reverse=True)
    drafts.sort(key=attrgetter(start))


def _nested(parsed: ParsedFile, drafts: Sequence[Draft]) -> list[int]:
    """For each draft the index of the innermost one whose span holds it, or -1.

    A span that includes the comment above the next definition, as tables in TOML, is cut before it, and an extent that begins
    before the enclosing span is cut to that. Of several names of one node (``typedef struct { int size; } Crate, *CratePtr;``) the
    last that has a body, else the last, is the parent of what the node holds.
    """
    parents: list[int] = []
    opened: list[int] = []
    for index, draft in enumerate(drafts):
        if opened and (draft.start, draft.end) == (drafts[opened[-1]].start, drafts[opened[-1]].end):
            parents.append(parents[opened[-1]])
            if draft.body >= 0 or drafts[opened[-1]].body < 0:
                opened[-1] = index
            continue
        while opened and not _holds(drafts[opened[-1]], draft):
            before = drafts[opened.pop()]
            if before.name_end < draft.extent < before.end and before.start < draft.extent:
                before.end = draft.extent
                before.trim(parsed.text)
        parents.append(opened[-1] if opened else -1)
        if opened:
            draft.extent = max(draft.extent, drafts[opened[-1]].start)
        opened.append(index)
    for index, draft in enumerate(drafts):  # in broken source, what was inside a span may reach beyond where that was cut
        while parents[index] >= 0 and drafts[parents[index]].end < draft.end:
            parents[index] = parents[parents[index]]
    return parents


def _holds(outer: Draft, inner: Draft) -> bool:
    """Whether ``inner`` is inside ``outer``; two names of one node are neighbours."""
    if outer.end < inner.end or outer.start > inner.start:
        return False
    return outer.end != inner.end or outer.start != inner.start


def _widen(parsed: ParsedFile, draft: Draft, previous: int) -> None:
    """Widen the span to the ``export``, ``const`` or ``type`` statement around a definition that is alone in it.

    Then leave out leading attributes that the grammar includes in the node, so that the span starts at the definition itself.

    Args:
        parsed: the file.
        draft: the definition, changed in place.
        previous: start of the definition before this one; the span is not widened to a statement that holds both.
    """
    text, end = parsed.text, draft.end
    if draft.is_from_lines:  # what the tree has around it is no statement of its own
        return
    outer = parsed.outers.get(end)
    if text[end : end + 1] == b";" and (wider := parsed.outers.get(end + 1)) is not None:
        outer, end = wider, end + 1
    if outer is not None and previous < outer <= draft.start:
        draft.start, draft.end = outer, end
    while (end_of_attribute := parsed.attributes.get(draft.start)) is not None and end_of_attribute < draft.name:
        start = end_of_attribute
        while text[start : start + 1].isspace():
            start += 1
        draft.start = start
    draft.extent = draft.start


def _take_leading(parsed: ParsedFile, draft: Draft) -> None:
    """Extend the extent over the comments and attributes directly before the definition."""
    while True:
        before = parsed.before(draft.extent)
        above = parsed.ends.get(before) if before >= 0 else parsed.last_on_line.get(parsed.line_of(draft.extent) - 1)
        if above is None or above >= draft.extent:
            return
        if above in parsed.comments:
            draft.leading.append(above)
        draft.extent = above


def _kind_within(kind: Kind, name: str, scope: str, enclosing: Symbol | None, language: Language) -> Kind:
    """The kind of a definition inside another: a function of a type is a method or a constructor, a variable a field."""
    within_type = enclosing is not None and enclosing.kind in _TYPE_KINDS
    if kind is Kind.VARIABLE and within_type:
        return Kind.FIELD
    if kind not in (Kind.FUNCTION, Kind.METHOD) or not (within_type or scope):
        return kind
    owner = scope.rpartition(".")[2] if scope or enclosing is None else enclosing.name
    is_constructor = any(name == (owner if constructor == "{type}" else constructor) for constructor in language.constructors)
    return Kind.CONSTRUCTOR if is_constructor else Kind.METHOD


def _signature(parsed: ParsedFile, draft: Draft, comment_starts: Sequence[int]) -> str:
    """The definition's text up to its body, without comments, on one line."""
    if draft.start == draft.name and draft.end == draft.name_end:  # a bare name is no signature: use its line
        line = parsed.line_of(draft.start)
        start, end = parsed.line_bounds(line)
        start = max(start, draft.name - MAX_SIGNATURE_CHARACTERS)
    else:
        start, end = draft.start, draft.body if draft.body > draft.name else draft.end
    end = min(end, max(start, draft.name) + _SIGNATURE_BYTES)
    index = bisect_left(comment_starts, start)
    code = b""
    # Thousands of names may share one statement: what stands between its start and the name is not read for each of them.
    while len(code) < _SIGNATURE_BYTES and index < len(comment_starts) and comment_starts[index] < end:
        code += parsed.text[start : comment_starts[index]] + b" "
        start = max(start, parsed.comments[comment_starts[index]])
        index += 1
    code += parsed.text[start : min(end, start + _SIGNATURE_BYTES)]
    signature = " ".join(code.decode("utf-8", "ignore").split())
    if draft.body > draft.name:
        signature = signature.rstrip("{:= ")
    return signature.rstrip(",; ")[:MAX_SIGNATURE_CHARACTERS].rstrip()


def _doc(parsed: ParsedFile, draft: Draft, language: Language) -> str:
    """The words of the documentation: the docstring that the query captured, else the comments directly above."""
    if draft.doc is not None:
        return docstring_words(parsed.string(draft.doc.start_byte, draft.doc.end_byte))
    comments = (parsed.string(start, parsed.comments[start]) for start in reversed(draft.leading))
    wanted = [text for text in comments if not language.doc_comments or text.startswith(language.doc_comments)]
    return comment_words("\n".join(wanted))
