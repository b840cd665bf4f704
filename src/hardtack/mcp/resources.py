"""An address ``hardtack://<index name>/<path>`` in, the stored text of that file, or of some of its lines, out.

Files are listed in pages. A cursor holds the last file of its page, and no server remembers it, so that a bundle that is replaced
between two pages causes no error.
"""

from __future__ import annotations

import base64
import json
import re
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import mcp_types as types

from hardtack.bundle.reader import Bundle
from hardtack.errors import BundleError, UsageError
from hardtack.query.files.stored_files import StoredFiles
from hardtack.query.state.completions import path_position
from hardtack.render.links import SCHEME, uri_of
from hardtack.tools.catalog import Catalog
from hardtack.tools.tool import REPLY_BYTES

PAGE: Final = 500
"""Files on a page of the list."""
MOST: Final = 10 * REPLY_BYTES
"""Bytes of a text at most; of a longer file only the first lines are given. More than a tool gives, as a user chose this file."""
_LONGEST: Final = 10_000
"""Characters of an address, and of a cursor, at most."""

TEMPLATES: Final = [
    types.ResourceTemplate(
        uri_template=f"{SCHEME}://{{index_name}}/{{+path}}",
        name="file",
        title="A file",
        description="The stored text of one file. Append #L10-L20 for those lines alone.",
    ),
    types.ResourceTemplate(
        uri_template=f"{SCHEME}://{{index_name}}/{{+path}}{{?lines}}",
        name="lines",
        title="Some lines of a file",
        description="Lines of one file, from 1, the last one included: lines=10-20, or lines=10 for one.",
    ),
]
_LINES = re.compile(r"L?(?P<first>\d{1,9})(?:-L?(?P<last>\d{1,9}))?")
_MIME_TYPES: Final = {"text": "text/plain", "json": "application/json", "html": "text/html", "javascript": "text/javascript"}
"""Language id -> MIME type, where that is not ``text/x-`` and the id."""


class Address(NamedTuple):
    """A file, or some of its lines."""

    index_name: str
    path: str
    first: int = 1
    last: int | None = None


def page(catalog: Catalog, cursor: str | None) -> types.ListResourcesResult:
    """A page of the files of all bundles, in the order of bundles and paths, from a cursor on.

    Raises:
        UsageError: CURSOR_INVALID; it was not made here.
    """
    names = [entry.name for entry in catalog.entries()]
    index_name, last_path = _place_at(cursor, names) if cursor else ("", "")
    listed: list[types.Resource] = []
    for name in names[names.index(index_name) if index_name else 0 :]:
        with suppress(BundleError), catalog.searcher(name) as searcher:  # get_status tells what is wrong with a bundle
            bundle = searcher.bundle
            # No path has a NUL in it, so this is the place directly after last_path.
            start = path_position(bundle, f"{last_path}\0") if name == index_name else 0
            for ordinal in range(start, bundle.manifest.counts.files if bundle.has_text else 0):
                if len(listed) == PAGE:
                    return types.ListResourcesResult(resources=listed, next_cursor=_cursor_at(listed[-1]))
                listed.append(_resource_of(bundle, name, ordinal))
    return types.ListResourcesResult(resources=listed)


def read(catalog: Catalog, uri: str) -> types.ReadResourceResult:
    """The stored text at an address; of a text that is too long for an answer, its first lines.

    Raises:
        UsageError: it is no address of a file, or :class:`StoredFiles` refuses its path or its lines.
        NotFound: FILE_NOT_FOUND.
        BundleNotFound: no such bundle is served.
    """
    address = address_of(uri)
    with catalog.searcher(address.index_name) as searcher:
        excerpt = StoredFiles(searcher.bundle).read(address.path, address.first, address.last)
        file = searcher.bundle.file_at(excerpt.path)
    mime_type = _mime_type(file.language if file else "text")
    contents = types.TextResourceContents(uri=uri, mime_type=mime_type, text=_whole_lines(excerpt.text))
    if len(excerpt.text) > MOST:
        hint = f"These are the first lines; the file has {excerpt.line_count}. Ask for some: #L10-L20."
        contents.meta = {"truncated": True, "hint": hint}
    return types.ReadResourceResult(contents=[contents])


def address_of(uri: str) -> Address:
    """Parse an address.

    Raises:
        UsageError: it has another form, or its lines are no range.
    """
    try:
        parts = urlsplit(uri) if len(uri) <= _LONGEST else None
    except ValueError:
        parts = None
    if parts is None or parts.scheme != SCHEME or not parts.netloc:
        raise UsageError(
            f"An address begins with {SCHEME}://, the name of an index, and a slash.",
            code="INVALID_REQUEST",
            details={"param": "uri"},
        )
    path = unquote(parts.path[1:], errors="surrogateescape")
    given = parts.fragment or ",".join(parse_qs(parts.query).get("lines", []))
    if not given:
        return Address(unquote(parts.netloc), path)
    lines = _LINES.fullmatch(given)
    first = int(lines["first"]) if lines else 0
    last = int(lines["last"] or first) if lines else 0
    if not 1 <= first <= last:
        raise UsageError("Lines are written as 10-20, from 1, the first before the last.", code="RANGE_INVALID")
    return Address(unquote(parts.netloc), path, first, last)


def _whole_lines(text: bytes) -> str:
    if len(text) > MOST:
        text = text[: text.rfind(b"\n", 0, MOST) + 1 or MOST]
    return text.decode("utf-8", "replace")


def _resource_of(bundle: Bundle, index_name: str, ordinal: int) -> types.Resource:
    file = bundle.file(ordinal)
    return types.Resource(
        uri=uri_of(index_name, file.path), name=file.path, mime_type=_mime_type(file.language), size=file.text_length
    )


def _mime_type(language: str) -> str:
    return _MIME_TYPES.get(language, f"text/x-{language}")


def _cursor_at(resource: types.Resource) -> str:
    """The cursor of the page that follows a resource."""
    address = address_of(resource.uri)
    return base64.urlsafe_b64encode(json.dumps([address.index_name, address.path]).encode()).decode()


def _place_at(cursor: str, names: list[str]) -> tuple[str, str]:
    """Index name and path of the resource that :func:`_cursor_at` made the cursor of."""
    try:
        place = json.loads(base64.b64decode(cursor[:_LONGEST].encode("ascii"), altchars=b"-_", validate=True))
    except (ValueError, RecursionError):
        place = None
    match place:
        case [str(index_name), str(path)] if index_name in names:
            return index_name, path
    raise UsageError("This cursor was not given here.", code="CURSOR_INVALID", details={"param": "cursor"}, hint="Ask without one.")
