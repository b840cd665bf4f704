"""The bytes and the path of a file in, the labels out by which the file itself says its encoding, the most specific first.

A label is a claim, not yet believed: files are converted and keep what they said before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_HEAD_BYTES: Final = 4096
_TAIL_BYTES: Final = 3000
"""Emacs looks for local variables in the last 3,000 characters."""
_LABEL: Final = rb"[\"']?([A-Za-z0-9][A-Za-z0-9_.:-]{1,39})"

_FIRST_LINES: Final = (
    re.compile(rb"coding[:=][ \t]*" + _LABEL),  # PEP 263, Ruby, Emacs: a comment, whatever begins one
)
_ANYWHERE_IN_HEAD: Final = tuple(
    re.compile(expression, re.IGNORECASE | re.MULTILINE)
    for expression in (
        rb"\A\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*" + _LABEL,
        rb"\A@charset\s+" + _LABEL,  # CSS
        rb"<meta\s[^>]{0,200}?charset\s*=\s*" + _LABEL,
        rb"<%@\s*page\s[^>]{0,400}?(?:pageEncoding\s*=\s*|charset\s*=\s*)" + _LABEL,  # JSP
        rb"^[ \t]*use\s+encoding\s+(?:qw\(\s*)?" + _LABEL,  # Perl
        rb"^=encoding\s+" + _LABEL,  # Perl's documentation
        rb"^[ \t]*scripte(?:ncoding)?\s+" + _LABEL,  # Vim
        rb"^\"Content-Type:[^\n]{0,80}?charset=" + _LABEL,  # gettext
        rb"\\usepackage\s*\[\s*([\w-]{1,40})\s*\]\s*\{inputenc\}",  # LaTeX
        rb"^[ \t]*#[ \t]*pragma\s+code_page\s*\(\s*(\d{3,5})",  # Windows resources
        rb"^SET\s+NAMES\s+" + _LABEL,  # MySQL
        rb"^ENCODE:[ \t]*" + _LABEL,  # tables of input methods
        rb"^SET\s+(ISO8859-\d+|KOI8-[RU]|(?:microsoft-)?cp\d+|TIS620-2533)\s*$",  # Hunspell
    )
)
_VIM: Final = re.compile(rb"\b(?:vim?|ex):.{0,200}?\b(?:fileencoding|fenc)=" + _LABEL)
_EMACS_VARIABLES: Final = re.compile(rb"Local Variables:.{0,2000}?coding:[ \t]*" + _LABEL, re.DOTALL)

_IN_NAMES: Final = re.compile(
    r"(?<![a-z0-9])(koi8[-_]?[ru]|(?:cp|win|windows)[-_]?125\d|cp866|iso[-_]?8859[-_]\d{1,2}|s(?:hift[-_]?)?jis|euc[-_]?(?:jp|kr)|gbk|gb2312|gb18030|big5"
    r"|cp9(?:32|36|49|50))(?![a-z0-9])"
)


def declared_labels(path: str, data: bytes) -> Iterator[str]:
    """Every label that the file gives itself: in its first lines, its head, its end, its path."""
    head = data[:_HEAD_BYTES]
    first_lines = b"\n".join(head.split(b"\n", 2)[:2])
    for expression, text in (
        *((each, first_lines) for each in _FIRST_LINES),
        *((each, head) for each in _ANYWHERE_IN_HEAD),
        (_VIM, head),
        (_VIM, data[-_TAIL_BYTES:]),
        (_EMACS_VARIABLES, data[-_TAIL_BYTES:]),
    ):
        if (found := expression.search(text)) is not None:
            yield found[1].decode("ascii")
    for found_in_name in _IN_NAMES.finditer(path.lower()):
        yield found_in_name[1]
