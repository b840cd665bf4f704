"""A place in a bundle in, its addresses out: a ``hardtack:`` URI, and the page on the site that hosts the repository.

Both are derived from the bundle's provenance and not stored. All characters of a path but unreserved ones and slashes are
percent-encoded, so that addresses are also safe in Markdown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

from hardtack.nouns.model import Provenance

SCHEME: Final = "hardtack"

_FORGES: Final[dict[str, Callable[[str, str, str, int, int], str]]] = {
    "github": lambda repository, commit, path, first, last: (
        f"https://{repository}/blob/{commit}/{path}{_lines(first, last, '#L{}', '#L{}-L{}')}"
    ),
    "gitlab": lambda repository, commit, path, first, last: (
        f"https://{repository}/-/blob/{commit}/{path}{_lines(first, last, '#L{}', '#L{}-{}')}"
    ),
    "bitbucket": lambda repository, commit, path, first, last: (
        f"https://{repository}/src/{commit}/{path}{_lines(first, last, '#lines-{}', '#lines-{}:{}')}"
    ),
}
"""Software of a site -> makes the address of some lines, of a repository ``host/owner/name``."""
_PUBLIC: Final = {"github.com": "github", "gitlab.com": "gitlab", "bitbucket.org": "bitbucket"}
_OWN: Final = frozenset({"github", "gitlab"})
"""First labels of other hosts (``gitlab.example.org``) that tell their software. A self-hosted Bitbucket has other addresses than
bitbucket.org."""


def uri_of(index_name: str, path: str, first: int = 0, last: int = 0) -> str:
    """``hardtack://<index name>/<path>#L10-L20``.

    Args:
        index_name: of the bundle.
        path: of a file in it.
        first: a line, from 1; 0 for the whole file.
        last: the last line; below ``first`` it means that line alone.
    """
    lines = f"#L{first}-L{max(first, last)}" if first else ""
    return f"{SCHEME}://{_encoded(index_name)}/{_encoded(path)}{lines}"


def file_address(file: Path, line: int, host: str) -> str:
    """``file://host/path#line``, as terminals open it (kitty, iTerm2, WezTerm); without the line where it is 0."""
    return f"{file.absolute().as_uri().replace('file://', f'file://{_encoded(host)}', 1)}{f'#{line}' if line else ''}"


def permalink_of(provenance: Provenance, path: str, first: int = 0, last: int = 0) -> str:
    """The page that shows these lines at the commit that was indexed; empty without one.

    There is a page if the repository is on a site whose addresses are known and the commit holds exactly the indexed files: files
    of a dirty checkout may differ from it, and paths of a bundle of several roots begin with names that are in no repository.

    Args:
        provenance: of the bundle.
        path: of a file in it.
        first: a line, from 1; 0 for the whole file.
        last: the last line.
    """
    page = _page(provenance.repository)
    if page is None or not provenance.commit or provenance.is_dirty or provenance.roots:
        return ""
    prefix = f"{provenance.subdirectory}/" if provenance.subdirectory else ""
    return page(provenance.repository, provenance.commit, _encoded(prefix + path), first, max(first, last))


@lru_cache(maxsize=64)
def _page(repository: str) -> Callable[[str, str, str, int, int], str] | None:
    """The function that makes the addresses of a repository's pages."""
    host = repository.partition("/")[0]
    label = host.partition(".")[0]
    forge = _PUBLIC.get(host) or (label if label in _OWN and label != host else None)
    return _FORGES[forge] if forge else None


@lru_cache(maxsize=4096)
def _encoded(path: str) -> str:
    return quote(path, safe="/", errors="surrogatepass")


def _lines(first: int, last: int, one: str, several: str) -> str:
    if not first:
        return ""
    return one.format(first) if last <= first else several.format(first, last)
