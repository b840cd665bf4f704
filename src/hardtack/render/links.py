"""A place in a bundle in, its addresses out: the one every bundle has, and the page of the site its repository is on.

Both are derived from what a bundle holds anyway and stored nowhere. Paths are percent-encoded down to what every reader of
addresses, and Markdown, takes as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
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
"""What a site runs -> the address of some lines, of a repository written as ``host/owner/name``."""
_PUBLIC: Final = {"github.com": "github", "gitlab.com": "gitlab", "bitbucket.org": "bitbucket"}
_OWN: Final = frozenset({"github", "gitlab"})
"""What other hosts run whose first label says so. Bitbucket on a host of one's own has other addresses than bitbucket.org."""


def uri_of(index_name: str, path: str, first: int = 0, last: int = 0) -> str:
    """``hardtack://<index name>/<path>#L10-L20``.

    Args:
        index_name: what the bundle is called.
        path: of a file in it.
        first: a line, from 1; 0 for the whole file.
        last: the last line; that one when it comes before it.
    """
    lines = f"#L{first}-L{max(first, last)}" if first else ""
    return f"{SCHEME}://{_encoded(index_name)}/{_encoded(path)}{lines}"


def permalink_of(provenance: Provenance, path: str, first: int = 0, last: int = 0) -> str:
    """The page that shows these lines of the very commit that was indexed; empty where none is known to.

    That takes a repository on a site whose addresses are known, and a commit that holds what was indexed: files of a checkout that
    was changed may be other than the commit's, and the paths of several roots begin with names that no repository knows.

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
    """What makes the addresses of a repository's pages."""
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
