"""What a shard is of: the values that all shards of one tree share, and those of this one; as rows of msgpack and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from hardtack.build.source.part import MOST_PARTS, Part, TreeIdentity
from hardtack.bundle.format.layout import DIMENSION_LIMIT
from hardtack.bundle.format.manifest import EncoderIdentity
from hardtack.nouns.model import Provenance


class ShardHead(NamedTuple):
    """What a shard is of."""

    part: Part
    maker: Mapping[str, str]
    """:func:`maker.maker` of the process that built it."""
    options: Mapping[str, Any]
    """Those that the manifest records (:func:`options.recorded`)."""
    history: int
    """How many commits were asked for."""
    encoder: EncoderIdentity | None
    provenance: Provenance
    tree: TreeIdentity
    probe: bytes
    """The vector of :data:`foreign.PROBE_TEXT`, float32, of an encoder that is not carried in the bundle; empty for the default."""
    notes: tuple[str, ...]
    """Remarks on the tree for the user, one sentence each."""
    has_commits: bool
    """In the shard of part 1, if a history is asked for and the tree is of a commit."""
    end: str
    """:attr:`Commits.end`."""


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("part", "provenance", "tree", "notes"), (tuple,)),
    **dict.fromkeys(("maker", "options"), (dict,)),
    "history": (int,),
    "encoder": (tuple, type(None)),
    "probe": (bytes,),
    "has_commits": (bool,),
    "end": (str,),
}
_MAKER_CHARACTERS: Final = 200
"""Characters of the longest name or version in a maker: the program's has some 75."""
_OF_PROVENANCE: Final = ((str,), (str,), (int, type(None)), (str,), (str,), (bool,), (tuple,))


def row_of_head(head: ShardHead) -> dict[str, Any]:
    """A head as msgpack takes it."""
    return head._asdict()


def head_of(row: Any) -> ShardHead:
    """The head of such a row.

    Raises:
        ValueError, TypeError: it is none.
    """
    if not isinstance(row, dict) or row.keys() != _TYPES.keys():
        raise ValueError("other fields")
    for name, types in _TYPES.items():
        if type(row[name]) not in types:
            raise ValueError(f"{name} of another type")
    _require(row["part"], (int,), (int,))
    _require(row["tree"], (bytes,), (bytes,))
    _require(row["provenance"], *_OF_PROVENANCE)
    for text in (*row["maker"], *row["maker"].values()):
        if type(text) is not str or len(text) > _MAKER_CHARACTERS:
            raise ValueError("no maker")
    _require(row["notes"], *[(str,)] * len(row["notes"]))
    _require(row["provenance"][-1], *[(str,)] * len(row["provenance"][-1]))
    part, encoder = Part(*row["part"]), row["encoder"]
    if not 1 <= part.number <= part.of <= MOST_PARTS:
        raise ValueError("no part of a tree")
    if encoder is not None:
        _require(encoder, (str,), (str,), (int,))
        encoder = EncoderIdentity(*encoder)
        if not 0 < encoder.dimension <= DIMENSION_LIMIT or len(row["probe"]) not in (0, 4 * encoder.dimension):
            raise ValueError("vectors of no length")
    return ShardHead(
        **{
            **row,
            "part": part,
            "tree": TreeIdentity(*row["tree"]),
            "encoder": encoder,
            "provenance": Provenance(*row["provenance"]),
            "options": {name: list(value) if isinstance(value, tuple) else value for name, value in row["options"].items()},
        }
    )


def _require(values: Sequence[Any], *types: tuple[type, ...]) -> None:
    """Refuse a row that has not these types.

    Raises:
        ValueError: it has others.
    """
    if len(values) != len(types) or any(type(value) not in wanted for value, wanted in zip(values, types, strict=True)):
        raise ValueError("a row of other types")
