"""PowerShell names: ``[int]$script:Opened`` -> ``Opened``, ``script:Close-Crate`` -> ``Close-Crate``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without type, dollar sign and scope; names have no scope here."""
    bare = name.rpartition("]")[2].strip().removeprefix("$").strip("{}")
    return bare.rpartition(":")[2] or name, scope
