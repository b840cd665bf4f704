"""A symbol of an ambiguous name in, what to ask for so that it alone is meant out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from hardtack.bundle.reader import Bundle
from hardtack.nouns.descriptors import Descriptor, SymbolLocation
from hardtack.nouns.model import Kind
from hardtack.query.lookup.describe import describe_symbol
from hardtack.query.lookup.symbols import home_of, look_up

Ask = Callable[[Mapping[str, str]], Sequence[Descriptor]]
"""``name``, ``package``, ``owner``, ``file``, as a look-up takes them -> the symbols that it finds."""


def narrowed(
    bundle: Bundle, wanted: Descriptor, given: Mapping[str, str], takes: Collection[str], ask: Ask
) -> Mapping[str, str] | None:
    """The least that has to be added to a request so that it finds one symbol alone; None where nothing does.

    Args:
        bundle: the bundle of the symbol.
        wanted: the symbol, one of several that were found.
        given: the request that found them: ``name`` and what narrowed it.
        takes: what the look-up can be narrowed by, of ``package``, ``owner``, ``file``.
        ask: the look-up; each way is tried, so that what is told is true.
    """
    for way in _ways(bundle, wanted, given["name"]):
        asked = {**given, **way}
        if {*way} - {"name"} <= {*takes} and asked != given:
            found = ask(asked)
            if len(found) == 1 and _spot(found[0].location) == _spot(wanted.location):
                return asked
    return None


def symbols_asked(bundle: Bundle) -> Ask:
    """The look-up of symbols of any kind, as those of usages begin with."""

    def ask(asked: Mapping[str, str]) -> Sequence[Descriptor]:
        found = look_up(bundle, asked["name"], frozenset(Kind), package=asked.get("package", ""), owner=asked.get("owner", ""))
        return [describe_symbol(bundle, ordinal) for ordinal in found.ordinals]

    return ask


def _ways(bundle: Bundle, wanted: Descriptor, name: str) -> Iterator[dict[str, str]]:
    """What to ask for instead, the shortest first."""
    for ordinal in look_up(bundle, name, frozenset(Kind), suggest=False).ordinals:
        symbol = bundle.symbol(ordinal)
        path = bundle.file(symbol.file).path
        if (path, symbol.start_line) != _spot(wanted.location):
            continue
        whole, owner = {"name": symbol.qualified_name}, symbol.qualified_name.rpartition(".")[0]
        homes = [{"package": home}] if (home := home_of(bundle, symbol)) else []
        yield whole
        yield from ({**one, **home} for home in homes for one in ({}, whole))
        if owner:
            yield {"owner": owner}
        yield from ({**one, "file": path} for one in ({}, whole))


def _spot(location: SymbolLocation | None) -> tuple[str, int]:
    return (location.file_path, location.start_line) if location else ("", 0)
