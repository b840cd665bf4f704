"""An import of a file in, the function or namespace in which it is written out: where else its name means something else."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from hardtack.nouns.model import CALLABLES, NAMESPACES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardtack.build.relations.names import SymbolNames

_AROUND: Final = CALLABLES | NAMESPACES


def import_scopes(names: SymbolNames, file: int) -> Mapping[int, int]:
    """First byte of an import -> the innermost function or namespace of its file around it; without those at the file's top."""
    if not names.imports[file]:
        return {}
    entry, symbols = names.files[file], names.symbols
    ordinals = range(entry.first_symbol, entry.first_symbol + entry.symbol_count)
    # What only declares a module or package has nothing inside: mod jar;
    holding = (each for each in ordinals if symbols[each].kind in _AROUND and not names.is_bodiless(each))
    around = sorted((symbols[each].line, each) for each in holding)
    found: dict[int, int] = {}
    for each in names.imports[file] if around else ():
        _, scope = around[at - 1] if (at := bisect_right(around, (each.line, ordinals.stop))) else (0, -1)
        while scope >= 0 and not (symbols[scope].kind in _AROUND and each.line <= symbols[scope].end_line):
            scope = symbols[scope].parent
        if scope >= 0:
            found[each.start] = scope
    return found
