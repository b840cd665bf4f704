"""What the syntax and the documentation say of a symbol beyond its place and name: the raw material of the typed descriptors.

Values only, like :mod:`hardtack.nouns.model`. Every text is one line of at most 200 characters, as it is written in the source.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a function, as it is declared."""

    name: str
    type: str = ""
    default: str = ""
    description: str = ""
    source_hint: str = ""
    """Where the type is from: empty when it is declared, ``phpdoc`` when any doc comment gave it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """One thing a function gives back."""

    type: str
    description: str = ""
    source_hint: str = "type_hint"
    """Where the type is from: ``type_hint``, ``phpdoc`` (any doc comment) or ``inferred``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supertype:
    """One type that another is declared to rest on."""

    relation: str
    """``inherits``, ``implements``, ``embeds``, ``uses``."""
    name: str
    """As it is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """Something the instances of a type have though no definition inside it says so: ``self.x = x``, ``@property int $x``."""

    name: str
    type: str = ""
    value: str = ""
    visibility: str = ""
    description: str = ""
    source_hint: str = ""
    """Where the type is from: empty when it is declared, ``phpdoc`` (any doc comment) or ``inferred`` (from the value)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What documentation says besides what a symbol takes and gives: one tag of it."""

    tag: str
    """``throws``, ``deprecated``, ``see``, ``since`` or ``example``."""
    text: str
    """One line; for ``throws`` the type first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """What the syntax says of a symbol beyond its place and name; the raw material of the typed descriptors."""

    visibility: str = ""
    """The language's own word: ``public``, ``exported``, ``internal``, ``pub(crate)``, ...; empty when it has no such thing."""
    modifiers: tuple[str, ...] = ()
    """``static``, ``abstract``, ``final``, ``async``, ...: in source order, then those that the language implies."""
    decorators: tuple[str, ...] = ()
    """Decorators, attributes and annotations as they are written."""
    type: str = ""
    """Type of a field, property, variable or constant."""
    type_source: str = ""
    """Where ``type`` is from: empty when it is declared, ``phpdoc`` (any doc comment) or ``inferred`` (from the value)."""
    value: str = ""
    """What it is set to where it is declared, at most 200 characters."""
    tag: str = ""
    """A Go field's tag, without its quotes."""
    receiver: str = ""
    """What a method is declared on, where the language writes it down: ``*Context``."""
    type_parameters: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    returns: tuple[Return, ...] = ()
    supertypes: tuple[Supertype, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    notes: tuple[Note, ...] = ()
