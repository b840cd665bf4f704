"""Shared by the tools that look names up: their parameters, and the pages of a long list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeVar

from msgspec import Meta

from hardtack.query.lookup.results import LookUpResult, ResultPage
from hardtack.query.request.parse import MAX_LIMIT, check_limit
from hardtack.render.style import json_size
from hardtack.tools.cursor import cursor_of, position_of
from hardtack.tools.tool import FILE, REPLY_BYTES

NAMESPACE: Final[Mapping[str, str]] = {"namespace": "package"}
FILE_NAMES: Final[Mapping[str, str]] = dict.fromkeys(("filePath", "path", "file", "source_file", "target_file"), "file_path")
"""Aliases: other names of parameters that clients are used to from other code search tools."""

Format = Literal["markdown", "json"]
Package = Annotated[
    str | None,
    Meta(description="Package, namespace or module, or a part of one: 'shop.cart'."),
]
FilePath = Annotated[
    str | None,
    Meta(
        description="A file you met the name in.",
        extra={FILE: True},
    ),
]
ClassName = Annotated[str | None, Meta(description="Only a member of this type.")]
Limit = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MAX_LIMIT})]
Cursor = Annotated[str | None, Meta(description="next_cursor of the answer before.")]

_BESIDES: Final = 600
"""Bytes of a reply that are set aside for what is not in its lists."""

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """The page of a list that a call wants, and all that the cursor of the next page needs."""

    page: ResultPage
    digest: str
    request: Mapping[str, Any]

    @classmethod
    def of(cls, digest: str, request: Mapping[str, Any], *, limit: int, cursor: str | None) -> PageRequest:
        """The page that a call wants.

        Args:
            digest: of the bundle.
            request: all arguments that decide which entries the list has, and in which order.
            limit: entries at most.
            cursor: of the page before, or None.

        Raises:
            UsageError: LIMIT_INVALID or CURSOR_INVALID.
        """
        check_limit(limit)
        (first,) = position_of(cursor, digest, request) if cursor is not None else (0,)
        return cls(page=ResultPage(first, min(limit, MAX_LIMIT)), digest=digest, request=request)

    def cut(self, found: LookUpResult[Any], entries: Sequence[_Found], beside: object = None) -> tuple[list[_Found], str, str]:
        """The entries of the page that fit a reply, the cursor of the next page, and a hint; on the last page both are empty.

        Args:
            found: the page.
            entries: its entries as JSON values.
            beside: the rest of the reply, as JSON values.
        """
        fitting = _first_that_fit(entries, REPLY_BYTES - _BESIDES - json_size(beside))
        end = self.page.first + len(fitting)
        if end >= found.total:
            return fitting, "", ""
        cursor = cursor_of(self.digest, self.request, [end])
        shown = f"{self.page.first + 1} to {end}" if self.page.first else str(end)
        return fitting, cursor, f"{shown} of {found.total} shown. Go on with cursor {cursor}, or ask for less."


def _first_that_fit(entries: Sequence[_Found], room: int) -> list[_Found]:
    """The first entries, at least one, that take no more than ``room`` bytes as JSON."""
    fitting: list[_Found] = []
    left = room
    for entry in entries:
        left -= json_size(entry) + 1
        if left < 0 and fitting:
            break
        fitting.append(entry)
    return fitting


def names_in(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """The names in a parameter that takes one name, several separated by commas, or a list."""
    entries = [names] if isinstance(names, str) else names or ()
    return tuple(name.strip() for entry in entries for name in entry.split(",") if name.strip())
