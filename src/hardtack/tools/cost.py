"""An answer's text and the bundle that it is of in, the bytes of the files that it names out."""

from __future__ import annotations

import re
from typing import Final

from hardtack.bundle.reader import Bundle

_PATH: Final = re.compile(r"[^\s`\"'()\[\]{}<>,:;#|*]{1,400}")
"""What may be a path: whether it is one, the bundle tells."""


def bytes_of_files_named(text: str, bundle: Bundle) -> int:
    """The bytes of the files whose paths stand in ``text``, each once, whole."""
    names = {found[0].removeprefix("./").rstrip(".") for found in _PATH.finditer(text)}
    return sum(file.size for name in names if (file := bundle.file_at(name)))
