"""What an import leads to, as the stages of finding it hand it on."""

from __future__ import annotations

from typing import Final, NamedTuple

from hardtack.nouns.relations import Certainty


class Target(NamedTuple):
    """The target of an import. Empty when it is outside the bundle."""

    symbols: tuple[int, ...] = ()
    files: tuple[int, ...] = ()
    """The module's files if the target is a module; else the files that hold the symbols."""
    package: str = ""
    """Dotted, if the target is a package."""
    module: str = ""
    """As it is written, to find a module below it."""
    certainty: Certainty = Certainty.EXACT
    origin: int = -1
    """The file in which the module is written so."""

    @property
    def is_external(self) -> bool:
        """Whether it is outside the bundle."""
        return not (self.symbols or self.files or self.package)


EXTERNAL: Final = Target()
"""The target of an import of what the bundle does not have."""
