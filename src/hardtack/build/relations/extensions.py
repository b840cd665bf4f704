"""A value and the name of a member that its type has not, the extension method out: ``static int Fill(this Jar jar)``.

Of several methods of that name those count whose receiver fits best: the type itself, a supertype, any type at all (``this T it``).
A method of the bundle on a type outside fits a value of just that type.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from hardtack.build.relations.scopes import UseSite
from hardtack.build.relations.types import Meaning
from hardtack.build.relations.words import PART
from hardtack.nouns.relations import UNCALLED, Certainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.calls import Calls
    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.typed import Value
    from hardtack.build.relations.types import Types

_RECEIVER: Final = "this "
_MOST: Final = 200
"""Methods of one name whose receivers are compared."""


class Extensions:
    """Finds the extension methods of types."""

    def __init__(self, names: SymbolNames, types: Types, calls: Calls) -> None:
        self._names = names
        self._types = types
        self._calls = calls
        self._named = cache(self._find_named)
        self.of_type = cache(self._of_type)

    def meaning(self, file: int, value: Value, name: str, arguments: int) -> Meaning | None:
        """The extension method that a call after a value means; None if there is none."""
        owner = value.owner
        if arguments in UNCALLED or not isinstance(owner, int):
            return None
        if owner >= 0:
            found = self.of_type(owner, name, arguments)
            is_whole = not self._types.ancestors(owner)[1]  # else a type outside may have a member of that name
            return self._calls.meaning_of(found, arguments, Certainty.EXACT if is_whole else Certainty.LIKELY) if found else None
        outside = _simple(value.written)
        found = [
            each for each, type_ in self._named(self._names.family(file), name) if type_ < 0 and outside == self._receiver(each)
        ]
        return self._calls.meaning_of(found, arguments, Certainty.LIKELY) if found and outside else None

    def _of_type(self, owner: int, name: str, arguments: int) -> Sequence[int]:
        """The extension methods of that name for a type of the bundle that take so many arguments, those that fit it best."""
        above = self._types.ancestors(owner)[0]
        ranked: dict[int, list[int]] = {}
        for each, type_ in self._named(self._names.family(self._names.symbols[owner].file), name):
            is_any = type_ < 0 and self._is_type_parameter(each)
            rank = 0 if type_ == owner else 1 if type_ in above else 2 if is_any else -1
            if rank >= 0 and (arguments in UNCALLED or self._calls.takes(each, arguments)):
                ranked.setdefault(rank, []).append(each)
        return ranked[min(ranked)] if ranked else ()

    def _find_named(self, family: str, name: str) -> Sequence[tuple[int, int]]:
        """The extension methods of that name, each with the type that it is for: -1 for one that is not in the bundle."""
        members = self._names.members_named(family, name)
        found: list[tuple[int, int]] = []
        for each in members[:_MOST]:
            symbol = self._names.symbols[each]
            scoping = self._names.languages[symbol.file].scoping
            written = symbol.detail.parameters[0].type if symbol.detail is not None and symbol.detail.parameters else ""
            if "extension_methods" in scoping and written.startswith(_RECEIVER):
                type_ = self._types.type_named(UseSite(symbol.file, each), written.removeprefix(_RECEIVER))[0]
                found.append((each, type_))
        return found

    def _receiver(self, ordinal: int) -> str:
        detail = self._names.symbols[ordinal].detail
        return _simple(detail.parameters[0].type.removeprefix(_RECEIVER)) if detail is not None and detail.parameters else ""

    def _is_type_parameter(self, ordinal: int) -> bool:
        detail = self._names.symbols[ordinal].detail
        parameters = detail.type_parameters if detail is not None else ()
        return self._receiver(ordinal) in {next(iter(PART.findall(each)), "") for each in parameters}


def _simple(written: str) -> str:
    """The last name of a type, without its package, arguments and marks."""
    return written.partition("<")[0].strip("?[] ").rpartition(".")[2]
