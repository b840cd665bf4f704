"""A path and its first bytes in, its language out; the table comes from ``<id>/language.toml``.

Everything about a language is in its own folder beside this file (``_example/`` explains each field), so adding one changes nothing
here. The table is read and checked once in each process; a malformed entry is a bug of Hardtack and raises ``ValueError``. This
module only names grammars; :mod:`hardtack.build.outline.syntax` loads them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hardtack.build.languages.first_lines import mode_of, programs_of
from hardtack.build.languages.globs import glob_pattern
from hardtack.build.languages.members import NO_MEMBERS, Members, members_from
from hardtack.build.languages.queries import expanded
from hardtack.build.languages.scoping import RULES
from hardtack.build.languages.sections import Region
from hardtack.nouns.model import Content
from hardtack.nouns.outline import Symbol

if TYPE_CHECKING:
    from hardtack.nouns.projects import Project

_FOLDER = Path(__file__).parent
_PROBE_BYTES = 16_384
"""Bytes of a file that its ``contested`` rules and the marks of dialects may read."""
# A name, as a MIME type or after a directive in braces; settings may follow it.
_REGION_NAME = re.compile(r"(?:\{[\w:-]+\}\s*)?\{?\s*\.?(?:(?:text|application)/)?([\w+#-]+)")
_ID = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """One entry of the table. Each is one object, equal to itself alone, so that it is a cheap key of caches."""

    id: str
    """Stable name in answers and filters; also the folder's name."""
    name: str
    """For people."""
    aliases: tuple[str, ...] = ()
    """Other names a user may type for it (``py``, ``ts``, ``sh``)."""
    content: Content = Content.CODE
    extensions: tuple[str, ...] = ()
    """Lower-case, with the leading dot; may hold more than one dot (``.d.ts``). The longest one that matches counts."""
    filenames: tuple[str, ...] = ()
    """Whole file names; case counts."""
    interpreters: tuple[str, ...] = ()
    """Programs that a ``#!`` line may name, without a trailing version."""
    grammar: str = ""
    """The parser's id in tree-sitter-language-pack; empty if there is none, or none that is safe."""
    line_comment: str = ""
    queries: str = ""
    """The language whose queries also fit this one's grammar; empty if it has its own, or none."""
    tags: str = ""
    """The tags query, where it is short enough to stand in ``language.toml``; empty where ``tags.scm`` has it."""
    name_quotes: str = ""
    """Characters that may quote a name, which then is the name without them; empty for none."""
    test_globs: tuple[str, ...] = ()
    """Paths of tests: ``*`` stays in one folder, ``**/`` spans any number; a glob without ``/`` matches the file name."""
    doc_comments: tuple[str, ...] = ()
    """Beginnings of comments that are documentation; empty if any comment above a definition is."""
    constructors: tuple[str, ...] = ()
    """Names of constructors; ``{type}`` is the name of the enclosing type."""
    blanks: tuple[str, ...] = ()
    """Regular expressions (multi-line mode) for text that the grammar cannot parse, as macros: the groups of a match are replaced
    by blanks, a named group by its name, one called ``_`` by underscores. By default those of the language that its grammar is
    named after."""
    has_macros: bool = False
    """``macros.py`` exists: it blanks what no regular expression can tell from an expression or a type, before ``blanks``."""
    lines: tuple[str, ...] = ()
    """Regular expressions (multi-line mode) for lines that plainly define something, read where the grammar fails. Group ``name``
    is the name, the group that is called like a :class:`model.Kind` says which kind; group ``scope`` may qualify the name."""
    lines_of: str = ""
    """The language whose ``lines``, and the three below, are also this one's; empty if it has its own, or none."""
    last_line: str = ""
    """Regular expression for the last line of what a line defined, after its indentation; empty if the indentation alone tells."""
    line_after: str = ""
    """The same for a line behind all that lines defined before it."""
    long_texts: str = ""
    """Regular expression (multi-line mode) for strings and comments that may hold such lines, and for what may hold their marks."""
    contested: tuple[tuple[str, str], ...] = ()
    """(extension of another language, regular expression): a file with this extension whose text matches is of this language."""
    dialects: tuple[tuple[str, Language], ...] = ()
    """(regular expression, the language with other keys): how a file whose beginning matches is read."""
    has_query: bool = False
    """``tags.scm`` exists: symbols come from the grammar."""
    has_cutter: bool = False
    """``cutter.py`` exists: symbols come from it, no grammar is loaded."""
    has_details: bool = False
    """``details.scm`` exists: types, parameters and bases of symbols come from the grammar."""
    visibility: str = ""
    """The rule of ``build/outline/details.py`` for symbols that declare no visibility; empty for none."""
    has_normaliser: bool = False
    """``normalise.py`` exists: it corrects names that the query captures."""
    family: str = ""
    """Languages of one family see each other's symbols (TypeScript and Vue, Java and Kotlin); the language's own id by default."""
    bare_names: str = "file"
    """The scope of a name without qualifier or import: ``file``, ``package`` (all files of the package or namespace), or
    ``everywhere``."""
    joints: tuple[str, ...] = (".",)
    """The separators in a qualified name where it is used: ``.``, ``::``, ``->``."""
    open_kinds: tuple[str, ...] = ()
    """Kinds of members that are also visible outside their type: the constants of a C enumeration."""
    receivers: tuple[str, ...] = ()
    """Words for the object or type around, and for its supertype: ``this``, ``super``."""
    scoping: frozenset[str] = frozenset()
    """Further rules of :data:`scoping.RULES`."""
    members: Members = NO_MEMBERS
    """Members that types of its standard library have."""
    has_uses: bool = False
    """``uses.scm`` exists: uses of names come from the grammar."""
    has_imports: bool = False
    """``imports.scm`` exists: imports come from the grammar."""
    has_modules: bool = False
    """``modules.py`` exists: it lists the possible paths of an imported module. Without it, imports name packages and types."""


@dataclass(frozen=True, slots=True)
class _Detector:
    """Name, extension or interpreter of a file -> its language."""

    by_filename: Mapping[str, Language]
    by_extension: Mapping[str, Language]
    by_interpreter: Mapping[str, Language]
    ties: Mapping[str, tuple[tuple[re.Pattern[bytes], Language], ...]]


_LISTS = (
    *("aliases", "extensions", "filenames", "interpreters", "test_globs", "doc_comments", "constructors"),
    *("blanks", "joints", "lines", "open_kinds", "receivers", "scoping"),
)
_TEXTS = (
    *("id", "name", "grammar", "line_comment", "queries", "tags", "name_quotes", "visibility", "family", "bare_names"),
    *("lines_of", "last_line", "line_after", "long_texts"),
)
_EXPRESSIONS = ("blanks", "lines", "last_line", "line_after", "long_texts")
_FIELDS = frozenset((*_LISTS, *_TEXTS, "content", "contested", "dialects", "members"))
_REACHES = ("file", "package", "everywhere")


@cache
def languages() -> Mapping[str, Language]:
    """Every language by id, in the order of ids.

    Raises:
        ValueError: an entry is malformed, or two entries claim the same extension or name. It never depends on the indexed files.
    """
    folders = sorted(path.parent for path in _FOLDER.glob("[a-z]*/language.toml"))
    table = {folder.name: _language_of(folder) for folder in folders}
    _require("text" in table, "the table has no 'text' language to fall back to")
    claimed: dict[str, str] = {}
    for language in table.values():
        for claim in _claims_of(language):
            _require(claim not in claimed, f"{language.id} and {claimed.get(claim)} both claim {claim}; write a 'contested' rule")
            claimed[claim] = language.id
    for language in table.values():
        for extension, _ in language.contested:
            _require(f"extension {extension}" in claimed, f"{language.id} contests {extension}, which nobody claims")
    return MappingProxyType({language.id: _with_inherited(language, table) for language in table.values()})


def _with_inherited(language: Language, table: Mapping[str, Language]) -> Language:
    """The language with the blanks of the one that its grammar is named after, if it has none, and the lines of ``lines_of``."""
    if not language.blanks and (other := table.get(language.grammar)) is not None:
        language = replace(language, blanks=other.blanks)
    if (other := table.get(language.lines_of)) is not None:
        rules = {key: getattr(other, key) for key in ("lines", "last_line", "line_after", "long_texts")}
        language = replace(language, **rules)
    return language


def language_named(name: str) -> Language | None:
    """The language with this id or alias, in upper or lower case; None if there is none."""
    wanted = name.lower()
    return next((entry for entry in languages().values() if wanted == entry.id or wanted in entry.aliases), None)


def detect(path: str, text: bytes) -> Language:
    """The language of a file, by its name, then its longest known extension, then an editor's modeline, then its ``#!`` line.

    ``Crate.java.in``, from which a build makes ``Crate.java``, is read as that. An unknown file is ``text`` of content ``code``,
    since it may be in a language that the table lacks.
    """
    detector = _detector()
    filename = path.rsplit("/", 1)[-1].removesuffix(".in")
    if (found := detector.by_filename.get(filename)) is not None:
        return found
    lowered = filename.lower()
    dot = lowered.find(".")
    while dot != -1:
        extension = lowered[dot:]
        if (found := detector.by_extension.get(extension)) is not None:
            rivals = (rival for pattern, rival in detector.ties.get(extension, ()) if pattern.search(text, 0, _PROBE_BYTES))
            return next(rivals, found)
        dot = lowered.find(".", dot + 1)
    return _by_first_lines(text, detector) or _unclaimed()


def dialect_of(language: Language, text: bytes) -> Language:
    """The language as a file is to be read: one of its dialects, if its beginning says so."""
    return next((dialect for mark, dialect in language.dialects if _mark(mark).search(text, 0, _PROBE_BYTES)), language)


@cache
def _mark(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.MULTILINE)


def is_test(path: str, language: Language) -> bool:
    """Whether ``path`` (relative to the root) is a test by the language's conventions."""
    pattern = glob_pattern(language.test_globs)
    return pattern is not None and pattern.fullmatch(path) is not None


def query_source(language: Language, name: str) -> str:
    """The source of one of the language's queries: ``tags``, ``details``, ``uses`` or ``imports``; the language must have it."""
    if name == "tags" and language.tags:
        return language.tags
    return expanded(f"{language.queries or language.id}/{name}.scm")


Cutter = Callable[[bytes], Sequence[Symbol]]
Normaliser = Callable[[str, str], tuple[str, str]]


@cache
def cutter_of(language: Language) -> Cutter:
    """The language's own outline function, ``sections_of(text)``; only if ``has_cutter``."""
    found: Cutter = import_module(f"{__package__}.{language.id}.cutter").sections_of
    return found


Modules = Callable[[str, str, "Sequence[Project]"], Iterable[str]]


@cache
def modules_of(language: Language) -> Modules:
    """The language's ``paths_of(module, importer, projects)`` -> possible paths of the module; only if ``has_modules``."""
    found: Modules = import_module(f"{__package__}.{language.queries or language.id}.modules").paths_of
    return found


Regions = Callable[[bytes], Sequence[Region]]


@cache
def regions_of(language: Language) -> Regions:
    """``regions_of(text)`` of the language's cutter, which finds regions in other languages; only if ``has_cutter``."""
    found: Regions = getattr(import_module(f"{__package__}.{language.id}.cutter"), "regions_of", _no_regions)
    return found


def _no_regions(_: bytes) -> Sequence[Region]:
    return ()


@cache
def language_of_region(name: str) -> Language | None:
    """The language that a file names at a region: ``py``, ``rust,no_run``, ``application/ld+json``, ``.sh``."""
    match = _REGION_NAME.match(name.strip().lower())
    if match is None:
        return None
    word = match[1].removeprefix("x-")
    known = language_named(word) or _detector().by_extension.get(f".{word}")
    return known or language_named(word.rpartition("+")[2])


@cache
def macros_of(language: Language) -> Callable[[bytes], bytes]:
    """The language's ``without_macros(text)`` -> the text with blanks in place of macros; only if ``has_macros``."""
    found: Callable[[bytes], bytes] = import_module(f"{__package__}.{language.id}.macros").without_macros
    return found


@cache
def normaliser_of(language: Language) -> Normaliser:
    """The language's ``names_of(name, scope)`` -> (name, scope) without the source's punctuation; only if ``has_normaliser``."""
    if language.name_quotes:
        return lambda name, scope: (_unquoted(name, language.name_quotes), scope)
    found: Normaliser = import_module(f"{__package__}.{language.id}.normalise").names_of
    return found


def _unquoted(name: str, quotes: str) -> str:
    """A name without the quotes around it, if there are any and something is between them."""
    return name[1:-1] if len(name) > len("''") and name[0] in quotes and name[0] == name[-1] else name


def _language_of(folder: Path) -> Language:
    """The checked entry of a folder."""
    entry: dict[str, Any] = tomllib.loads((folder / "language.toml").read_text(encoding="utf-8"))
    where = f"languages/{folder.name}/language.toml"
    dialects: dict[str, dict[str, Any]] = entry.pop("dialects", {})
    language = _checked(entry, folder, where)
    others = ((other.pop("mark"), _checked(entry | other, folder, where)) for other in dialects.values())
    return replace(language, dialects=tuple(others))


def _checked(entry: Mapping[str, Any], folder: Path, where: str) -> Language:
    """The checked language of an entry."""
    unknown = sorted(entry.keys() - _FIELDS)
    _require(not unknown, f"{where}: unknown fields {', '.join(unknown)}")
    for key in _TEXTS:
        _require(isinstance(entry.get(key, ""), str), f"{where}: {key} must be a string")
    for key in _LISTS:
        items = entry.get(key, [])
        are_strings = isinstance(items, list) and all(isinstance(item, str) for item in items)
        _require(are_strings, f"{where}: {key} must be a list of strings")
    _require(entry.get("id") == folder.name and bool(_ID.fullmatch(folder.name)), f"{where}: id must be the folder's name")
    _require(bool(entry.get("name")), f"{where}: name is missing")
    _require(entry.get("content") in {*Content}, f"{where}: content must be one of {', '.join(Content)}")
    for extension in entry.get("extensions", []):
        _require(extension.startswith(".") and extension == extension.lower(), f"{where}: {extension!r} is no lower-case extension")
    contested: dict[str, str] = entry.get("contested", {})
    expressions = [entry[key] for key in _EXPRESSIONS if isinstance(entry.get(key), str)]
    expressions += [pattern for key in _EXPRESSIONS if isinstance(entry.get(key), list) for pattern in entry[key]]
    for pattern in (*contested.values(), *expressions):
        try:
            re.compile(pattern.encode(), re.MULTILINE)
        except re.error as fault:
            raise ValueError(f"{where}: {pattern!r} is no regular expression: {fault}") from fault
    _require(entry.get("bare_names", "file") in _REACHES, f"{where}: bare_names must be one of {', '.join(_REACHES)}")
    _require(set(entry.get("scoping", ())) <= RULES.keys(), f"{where}: scoping knows {', '.join(RULES)}")
    fields: dict[str, Any] = {key: entry.get(key, "") for key in _TEXTS} | {key: tuple(entry.get(key, ())) for key in _LISTS}
    fields |= {"family": fields["family"] or folder.name, "bare_names": fields["bare_names"] or "file"}
    fields |= {"joints": fields["joints"] or (".",), "scoping": frozenset(fields["scoping"])}
    queries = _FOLDER / (fields["queries"] or folder.name)
    language = Language(
        **fields,
        content=Content(entry["content"]),
        members=members_from(entry.get("members", {}), where),
        contested=tuple(sorted(contested.items())),
        has_query=bool(fields["tags"]) or (queries / "tags.scm").is_file(),
        has_cutter=(folder / "cutter.py").is_file(),
        has_macros=(folder / "macros.py").is_file(),
        has_details=(queries / "details.scm").is_file(),
        has_normaliser=bool(fields["name_quotes"]) or (folder / "normalise.py").is_file(),
        has_uses=(queries / "uses.scm").is_file(),
        has_imports=(queries / "imports.scm").is_file(),
        has_modules=(queries / "modules.py").is_file(),
    )
    _require(not (language.has_query and language.has_cutter), f"{where}: a tags query and a cutter exclude each other")
    _require(not language.has_query or bool(language.grammar), f"{where}: a tags query needs a grammar")
    return language


def _require(claim: bool, message: str) -> None:
    if not claim:
        raise ValueError(message)


def _claims_of(language: Language) -> list[str]:
    """The extensions, names and interpreters that only one language may claim."""
    return [
        *(f"extension {extension}" for extension in language.extensions),
        *(f"file name {filename}" for filename in language.filenames),
        *(f"interpreter {interpreter}" for interpreter in language.interpreters),
        *(f"name {name}" for name in (language.id, *language.aliases)),
    ]


@cache
def _detector() -> _Detector:
    table = languages().values()
    ties: dict[str, list[tuple[re.Pattern[bytes], Language]]] = {}
    for language in table:
        for extension, pattern in language.contested:
            ties.setdefault(extension, []).append((re.compile(pattern.encode(), re.MULTILINE), language))
    return _Detector(
        by_filename={filename: language for language in table for filename in language.filenames},
        by_extension={extension: language for language in table for extension in language.extensions},
        by_interpreter={program: language for language in table for program in language.interpreters},
        ties={extension: tuple(rivals) for extension, rivals in ties.items()},
    )


@cache
def _unclaimed() -> Language:
    return replace(languages()["text"], content=Content.CODE)


def _by_first_lines(text: bytes, detector: _Detector) -> Language | None:
    """The language of an editor's modeline, or of the interpreter that runs the file."""
    if (mode := mode_of(text)) and (named := language_named(mode)) is not None:
        return named
    programs = (_interpreted(program, detector) for program in programs_of(text))
    return next((language for language in programs if language is not None), None)


def _interpreted(program: str, detector: _Detector) -> Language | None:
    """The language of an interpreter, whose name may end with a version."""
    return detector.by_interpreter.get(program) or detector.by_interpreter.get(program.rstrip("0123456789."))
