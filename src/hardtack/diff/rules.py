"""What breaks callers, as a table: each rule's id, the languages it holds in, how sure it is, and who says so.

``docs/diff.md`` shows this table. Where a rule has both verdicts, the code beside the table says when it is which.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from hardtack.nouns.changes import Breakage, Verdict

Family = Literal["python", "scripts", "go", "classes", "rust", "general"]
"""Languages that break alike; ``classes`` are Java, Kotlin, C#, Scala and Groovy, ``scripts`` TypeScript and JavaScript."""

_LANGUAGES: Final[dict[str, Family]] = {
    "python": "python",
    **dict.fromkeys(("typescript", "tsx", "javascript", "svelte", "vue"), "scripts"),
    "go": "go",
    **dict.fromkeys(("java", "kotlin", "csharp", "scala", "groovy"), "classes"),
    "rust": "rust",
}
FAMILIES: Final[tuple[Family, ...]] = ("python", "scripts", "go", "classes", "rust", "general")

SOURCES: Final = {
    "griffe": "https://mkdocstrings.github.io/griffe/guide/users/checking/",
    "apidiff": "https://pkg.go.dev/golang.org/x/exp/apidiff",
    "JLS 13": "https://docs.oracle.com/javase/specs/jls/se21/html/jls-13.html",
    "C#": "https://learn.microsoft.com/en-us/dotnet/core/compatibility/library-change-rules",
    "Cargo": "https://doc.rust-lang.org/cargo/reference/semver.html",
    "TypeScript": "https://www.semver-ts.org/formal-spec/2-breaking-changes.html",
}
"""Name of a published set of rules -> where it stands."""


class Rule(NamedTuple):
    """One way to break callers."""

    id: str
    means: str
    families: tuple[Family, ...]
    verdicts: str
    """``breaks``, ``may break`` or both."""
    sources: tuple[str, ...]
    """Names of :data:`SOURCES` that have the rule; none if it is our own."""


_EVERY = FAMILIES
_TYPED: Final[tuple[Family, ...]] = ("python", "scripts", "go", "classes", "rust", "general")
_ALL_SOURCES: Final = tuple(SOURCES)

RULES: Final = (
    Rule("removed", "an exported symbol is gone, a member of an exported type among them", _EVERY, "breaks", _ALL_SOURCES),
    Rule("module-removed", "a module of the public surface is gone", ("python",), "breaks", ("griffe",)),
    Rule("moved", "it is elsewhere, and its old address does not pass it on", _EVERY, "breaks", ("C#", "Cargo")),
    Rule("renamed", "it has another name", _EVERY, "breaks", ("C#", "Cargo", "TypeScript")),
    Rule("hidden", "it is not public any more", _EVERY, "breaks, may break", ("JLS 13", "C#")),
    Rule("reexport-removed", "a module does not pass it on any more", ("python", "scripts", "rust"), "breaks, may break", ()),
    Rule("kind-changed", "it is another kind of thing", _EVERY, "breaks, may break", ("griffe", "apidiff", "C#", "TypeScript")),
    Rule("parameter-removed", "a parameter is gone", _EVERY, "breaks, may break", _ALL_SOURCES),
    Rule("parameter-required-added", "a parameter that has no default was added", _EVERY, "breaks", _ALL_SOURCES),
    Rule(
        "parameter-added",
        "a parameter was added where the number of parameters is part of the function's type",
        ("go", "classes", "rust"),
        "breaks, may break",
        ("apidiff", "JLS 13", "C#", "Cargo"),
    ),
    Rule("parameter-made-required", "a parameter has no default any more", _EVERY, "breaks", ("griffe", "C#")),
    Rule(
        "parameter-renamed",
        "a parameter that callers name has another name",
        ("python", "classes", "general"),
        "breaks, may break",
        ("C#",),
    ),
    Rule("parameter-reordered", "parameters changed places", ("python", "scripts", "general"), "breaks", ("griffe",)),
    Rule("parameter-kind-changed", "a parameter can only be named, or only be given by place", ("python",), "breaks", ("griffe",)),
    Rule(
        "parameter-default-changed",
        "a default has another value",
        ("python", "scripts", "classes", "general"),
        "may break",
        ("griffe", "C#"),
    ),
    Rule(
        "parameter-type-changed",
        "a parameter takes other types",
        _TYPED,
        "breaks, may break",
        ("apidiff", "JLS 13", "C#", "Cargo", "TypeScript"),
    ),
    Rule(
        "return-type-changed",
        "the result has another type",
        _TYPED,
        "breaks, may break",
        ("apidiff", "JLS 13", "C#", "Cargo", "TypeScript"),
    ),
    Rule("async-changed", "callers have to await it, or must not any more", ("python", "scripts", "rust"), "breaks", ()),
    Rule("exception-added", "it declares a further exception", ("classes",), "may break", ()),
    Rule(
        "static-changed",
        "a member of the type became one of its instances, or the other way round",
        ("python", "scripts", "classes"),
        "breaks",
        ("JLS 13", "C#"),
    ),
    Rule("receiver-changed", "a method of a value became one of a pointer", ("go",), "breaks", ("apidiff",)),
    Rule(
        "type-parameters-changed",
        "it has another number of type parameters",
        ("scripts", "go", "classes", "rust", "general"),
        "breaks, may break",
        ("apidiff", "Cargo"),
    ),
    Rule(
        "field-type-changed",
        "a field, constant or variable has another type",
        _TYPED,
        "breaks, may break",
        ("apidiff", "JLS 13", "C#", "TypeScript"),
    ),
    Rule("field-made-optional", "a field may be missing", ("scripts",), "breaks", ("TypeScript",)),
    Rule("field-made-required", "a field must be given", ("scripts",), "may break", ("TypeScript",)),
    Rule(
        "field-made-readonly",
        "a field cannot be set any more",
        ("scripts", "classes"),
        "breaks, may break",
        ("JLS 13", "C#"),
    ),
    Rule(
        "type-definition-changed",
        "a type stands for another type",
        ("scripts", "go", "rust", "general"),
        "breaks, may break",
        ("apidiff", "TypeScript"),
    ),
    Rule(
        "value-changed",
        "a constant that is compiled into callers has another value",
        ("go", "classes"),
        "may break",
        ("apidiff", "JLS 13", "C#"),
    ),
    Rule(
        "supertype-removed",
        "a type has lost a supertype",
        _EVERY,
        "breaks, may break",
        ("griffe", "apidiff", "JLS 13", "C#"),
    ),
    Rule(
        "made-abstract",
        "a class cannot be instantiated any more, or a method has no body any more",
        ("python", "scripts", "classes"),
        "breaks",
        ("JLS 13", "C#"),
    ),
    Rule(
        "made-final",
        "a class cannot be extended any more, or a method not be overridden",
        ("python", "classes"),
        "breaks",
        ("JLS 13", "C#"),
    ),
    Rule(
        "required-member-added",
        "whoever implements the type has to add a member",
        _EVERY,
        "breaks, may break",
        ("apidiff", "C#", "Cargo", "TypeScript"),
    ),
    Rule("made-incomparable", "values of a struct cannot be compared any more", ("go",), "may break", ("apidiff",)),
    Rule("enum-member-added", "a match over an enumeration misses a case", ("rust",), "breaks", ("Cargo",)),
    Rule("struct-field-added", "whoever writes all fields of a struct misses one", ("rust",), "breaks", ("Cargo",)),
)
BY_ID: Final = {rule.id: rule for rule in RULES}


def family_of(language: str) -> Family:
    """The rules that hold in a language."""
    return _LANGUAGES.get(language, "general")


def breaks(rule: str, sentence: str) -> Breakage:
    """A certain breakage."""
    return Breakage(rule=BY_ID[rule].id, verdict=Verdict.BREAKS, sentence=sentence)


def may_break(rule: str, sentence: str) -> Breakage:
    """A possible one."""
    return Breakage(rule=BY_ID[rule].id, verdict=Verdict.MAY_BREAK, sentence=sentence)
