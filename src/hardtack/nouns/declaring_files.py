"""Files that declare what others define, told by the ends of their paths: headers and stubs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HEADERS: Final = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tcc", ".tpp")
SOURCES_OF_STUBS: Final[Mapping[str, Sequence[str]]] = {
    ".pyi": (".py",),
    ".d.ts": (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs"),
    ".d.mts": (".mts", ".mjs"),
    ".d.cts": (".cts", ".cjs"),
    ".mli": (".ml", ".mll", ".mly"),
}
"""The ending of a stub -> those of the source beside it that it declares."""
STUBS: Final = tuple(SOURCES_OF_STUBS)
