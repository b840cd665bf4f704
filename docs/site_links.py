"""A hook of MkDocs: has it read the documents as GitHub does.

Links out of docs/ lead to the repository, as the site has only what is in docs/; headings have the anchors that GitHub gives them;
and a bar in the code of a table's cell is written with a backslash, which is not shown.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any, Final

REPOSITORY: Final = "https://github.com/OWNER/hardtack"
_ROOT: Final = Path(__file__).resolve().parents[1]
_LINK: Final = re.compile(r"(?<=\]\()(?P<path>(?:\.\./)+[^)\s#]*)(?P<anchor>#[^)\s]*)?(?=\))")


def outward(markdown: str, place: str) -> str:
    """The text of a document with its links out of docs/ made into addresses.

    Args:
        markdown: the text.
        place: the document's path below docs/.

    Raises:
        FileNotFoundError: a link leads to nothing.
    """

    def address(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(place), link["path"]))
        if target.startswith("docs/"):
            return link[0]
        if not (_ROOT / target).exists():
            raise FileNotFoundError(f"docs/{place} links to {target}, which is not there")
        kind = "tree" if (_ROOT / target).is_dir() else "blob"
        return f"{REPOSITORY}/{kind}/main/{target}{link['anchor'] or ''}"

    return _LINK.sub(address, markdown)


def plain_bars(markdown: str) -> str:
    """The text of a document with the bars in the code of its tables as they are shown."""
    rows = re.compile(r"^\|.*\|$", re.MULTILINE)
    return rows.sub(lambda row: re.sub(r"`[^`]+`", lambda code: code[0].replace("\\|", "|"), row[0]), markdown)


def on_config(config: Any) -> Any:
    """Called by MkDocs with its configuration."""
    from pymdownx.slugs import slugify

    config["mdx_configs"]["toc"]["slugify"] = slugify(case="lower")
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by MkDocs with the text of each document."""
    return plain_bars(outward(markdown, page.file.src_uri))
