"""The bytes of a Jupyter notebook in, its cells as one script out: code as it is, prose as comments, outputs left out.

The script is in the percent format of Jupytext and Spyder (https://jupytext.readthedocs.io/en/latest/formats-scripts.html): a line
``# %%`` begins a cell. So one grammar reads the whole notebook, symbols are found across its cells, and no picture is in the way.
The format of notebooks is nbformat's (https://nbformat.readthedocs.io/en/latest/format_description.html), versions 3 and 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from hardtack.notations import parse_json

if TYPE_CHECKING:
    from hardtack.build.languages.registry import Language

ENCODING: Final = "notebook"
"""What stands in place of an encoding where the stored text is a notebook's cells."""
MAX_BYTES: Final = 32 << 20
"""Bytes of the largest notebook that is read; nearly all of a large one are pictures."""

_DEFAULT_LANGUAGE: Final = "python"
"""Of a notebook that names no kernel, or one whose language is not in the table; Jupyter's own default."""
_SCRIPTED_LANGUAGES: Final = {"ir": "r", "c++17": "cpp", "c++14": "cpp", "ipython": "python"}
_MAGIC: Final = re.compile(r"\s*(?:%{1,2}[A-Za-z]|!|\?{1,2}[A-Za-z])")
"""A line that IPython reads and Python does not: ``%matplotlib inline``, ``!pip install``."""
_PYTHON_CELLS: Final = re.compile(
    r"\s*%%(?:time|timeit|capture|prun|debug|memit|mprun|lprun|snakeviz|writefile\s+\S+\.py|script\s+python\S*)\b"
)
"""The first line of a cell that is Python all the same; other cell magics are followed by shell, HTML, SQL, ..."""


def is_notebook(path: str) -> bool:
    """Whether the name says that a file is a notebook."""
    return path.lower().endswith(".ipynb")


def script_of(data: bytes) -> tuple[bytes, Language] | None:
    """(the cells as UTF-8 text, the language of the kernel), or None if ``data`` is no notebook."""
    try:
        document = parse_json(data.decode("utf-8-sig", "surrogatepass"), most=MAX_BYTES)
    except ValueError:
        return None
    cells = _cells_of(document)
    if cells is None or not isinstance(document, dict):
        return None
    language = _language_of(document, cells)
    mark = language.line_comment or "#"
    pieces = ["\n".join(_lines_of(cell, mark, is_python=language.id == "python")) for cell in cells]
    text = "\n\n".join(pieces)
    return (text + "\n").encode("utf-8", "replace") if text else b"", language


def _cells_of(document: object) -> list[Mapping[str, Any]] | None:
    if not isinstance(document, dict):
        return None
    worksheets = document.get("worksheets")  # version 3
    cells = worksheets[0].get("cells") if isinstance(worksheets, list) and worksheets and isinstance(worksheets[0], dict) else None
    cells = document.get("cells", cells)
    if not isinstance(cells, list) or "nbformat" not in document:
        return None
    return [cell for cell in cells if isinstance(cell, dict)]


def _language_of(document: Mapping[str, Any], cells: list[Mapping[str, Any]]) -> Language:
    from hardtack.build.languages.registry import language_named  # a build that finds nothing changed does not load it

    metadata = document.get("metadata")
    named: list[object] = []
    if isinstance(metadata, dict):
        for section, key in (("language_info", "name"), ("kernelspec", "language"), ("kernelspec", "name")):
            described = metadata.get(section)
            named.append(described.get(key) if isinstance(described, dict) else None)
    named += [cell.get("language") for cell in cells]
    for name in named:
        if isinstance(name, str) and (found := language_named(_SCRIPTED_LANGUAGES.get(name.lower(), name))):
            return found
    found = language_named(_DEFAULT_LANGUAGE)
    assert found is not None
    return found


def _lines_of(cell: Mapping[str, Any], mark: str, *, is_python: bool) -> Iterator[str]:
    """The lines of one cell, its mark first."""
    source = cell.get("source", cell.get("input", ""))
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    lines = text.replace("\r\n", "\n").split("\n")
    kind = str(cell.get("cell_type"))
    if kind != "code":
        yield f"{mark} %% [{kind if kind in ('markdown', 'raw', 'heading') else 'text'}]"
        yield from (f"{mark} {line}".rstrip() for line in lines)
        return
    yield f"{mark} %%"
    is_foreign = is_python and lines[0].lstrip().startswith("%%") and not _PYTHON_CELLS.match(lines[0])
    for line in lines:
        is_magic = is_foreign or (is_python and _MAGIC.match(line) is not None)
        yield f"{mark} {line}".rstrip() if is_magic else line
