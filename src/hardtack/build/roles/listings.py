"""The path and text of a file in, whether it lists the public names of a library out.

Tools write such lists, and projects keep them, so that a change of the interface shows in a review. They hold the name of every
class and method, so they match what the code matches. ``.api`` and ``.txt`` are many other things, so each is told by its form.
"""

from __future__ import annotations

import re
from typing import Final

_PROBE_BYTES: Final = 8192
_FORMS: Final = (
    # Kotlin's binary-compatibility validator: descriptors of the virtual machine, and the dump of a library for native targets.
    (
        (".api",),
        re.compile(
            rb"\s*public (?:[a-z]+ )*(?:class|interface)(?: annotation)? [\w/$]+ (?:: [\w/$, ]+)?\{[^\n]*\n(?:\t[^\n]*\n)*\}"
            rb"|// Klib ABI Dump\b"
        ),
    ),
    # Go's api/go1.N.txt: "pkg archive/tar, const TypeBlock = 52".
    ((".txt",), re.compile(rb"(?:#[^\n]*\n|\s*\n)*(?:pkg [\w./-]+(?: \([\w-]+\))?, (?:const|func|method|type|var) [^\n]+\n){3}")),
    # Metalava, for Android: api/current.txt.
    ((".txt",), re.compile(rb"// Signature format: \d")),
    # API Extractor, for TypeScript.
    ((".api.md",), re.compile(rb"## API Report File for \"")),
)
# What Roslyn's analyzers of public interfaces read: PublicAPI.Shipped.txt, PublicAPI.net8.0.Unshipped.txt. Nothing else has such a
# name, and the list may be empty yet.
_ROSLYN_NAME: Final = re.compile(r"PublicAPI\.(?:.+\.)?(?:Shipped|Unshipped)\.txt")


def is_listing(path: str, text: bytes) -> bool:
    """Whether the file lists a library's public names, as one of the tools that compare such lists writes it."""
    name = path.rpartition("/")[2]
    if name.endswith(".txt") and _ROSLYN_NAME.fullmatch(name):
        return True
    return any(name.endswith(endings) and form.match(text, 0, _PROBE_BYTES) is not None for endings, form in _FORMS)
