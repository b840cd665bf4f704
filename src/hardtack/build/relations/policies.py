"""A model of Laravel in, its policy out; and the policies' methods of one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.names import SymbolNames


def policy_of(names: SymbolNames, model: int) -> int:
    """The policy of a model; -1 for none, or for several."""
    symbol = names.symbols[model]
    named = names.named(symbol.file, f"{symbol.name}Policy") if model >= 0 else ()
    return names.one_of([each for each in named if names.symbols[each].kind is Kind.CLASS])


def in_policies(names: SymbolNames, file: int, name: str) -> Sequence[int]:
    """The methods of that name of all policies, as seen from a file."""
    members, symbols = names.members_named(names.family(file), name), names.symbols
    return [each for each in members if symbols[each].parent >= 0 and symbols[symbols[each].parent].name.endswith("Policy")]
