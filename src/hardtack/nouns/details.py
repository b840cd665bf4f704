"""Details of a symbol from syntax and documentation, beyond its place and name, of which typed descriptors are made.

Every text is one line of at most 200 characters, as written in the source.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a function, as declared."""

    name: str
    type: str = ""
    default: str = ""
    description: str = ""
    source_hint: str = ""
    """Source of the type: empty if it is declared, ``phpdoc`` for any doc comment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """One return value of a function."""

    type: str
    description: str = ""
    source_hint: str = "type_hint"
    """Source of the type: ``type_hint``, ``phpdoc`` (any doc comment) or ``inferred``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supertype:
    """One declared supertype."""

    relation: str
    """``inherits``, ``implements``, ``embeds``, ``uses``."""
    name: str
    """As written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """An attribute of a type's instances without a definition of its own: ``self.x = x``, ``@property int $x``."""

    name: str
    type: str = ""
    value: str = ""
    visibility: str = ""
    description: str = ""
    source_hint: str = ""
    """Source of the type: empty if it is declared, ``phpdoc`` (any doc comment) or ``inferred`` (from the value)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One tag of a doc comment that is about neither a parameter nor a return value."""

    tag: str
    """``throws``, ``deprecated``, ``see``, ``since`` or ``example``."""
    text: str
    """One line; for ``throws`` the type first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """The details of one symbol."""

    visibility: str = ""
    """The language's own word: ``public``, ``exported``, ``internal``, ``pub(crate)``, ...; empty if it has none."""
    modifiers: tuple[str, ...] = ()
    """``static``, ``abstract``, ``final``, ``async``, ...: in source order, then those that the language implies."""
    decorators: tuple[str, ...] = ()
    """Decorators, attributes and annotations, as written."""
    type: str = ""
    """Type of a field, property, variable or constant."""
    type_source: str = ""
    """Source of ``type``: empty if it is declared, ``phpdoc`` (any doc comment) or ``inferred`` (from the value)."""
    value: str = ""
    """Its initial value in the declaration."""
    tag: str = ""
    """A Go field's tag, without quotes."""
    receiver: str = ""
    """The receiver type of a method, in languages that declare one: ``*Context``."""
    type_parameters: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    returns: tuple[Return, ...] = ()
    supertypes: tuple[Supertype, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    notes: tuple[Note, ...] = ()
