"""The bytes of a ``.gitignore``, or of a file of the same syntax, in; the rule that decides one path out, as git decides it.

A path is decided one name at a time, from the top: a caller that walks a tree checks each directory first and does not enter an
ignored one. So a file inside an ignored directory cannot be included again. Matching is on bytes and case-sensitive, as in git. The
user's global ignore file is not read: a bundle must not depend on the user who builds it.

Patterns become regular expressions in which every wildcard but the last is atomic, so a hostile pattern such as ``*a*a*a*a*b``
takes no exponential time. The library for this, pathspec 1.1.1, was rejected: on the random trees of ``test_ignore_oracle.py`` it
raised on lines that git accepts or drops in 128 of 600 cases and gave another answer than git in 10; this module in none.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hardtack.build.source.paths import printable
from hardtack.errors import SourceUnreadable

GITIGNORE = b".gitignore"
HARDTACKIGNORE = b".hardtackignore"
HARDTACKKEEP = b".hardtackkeep"
"""Names files that are indexed although a rule leaves such files out; patterns mean what they mean in a ``.gitignore``."""
_MAX_FILE_BYTES = 1 << 20
_MAX_BYTES_OF_ALL = 4 << 20
"""Bytes of all files of one name of a tree; the rules of each take some fifty times its size in memory."""
_MAX_RULES = 20_000
"""Lines of one file: each path is compared with all of them."""
_WILDCARDS = re.compile(rb"[*?\[\\]")
_ANY_IN_NAME = b"[^/]"
_POSIX_CLASSES: dict[bytes, frozenset[int]] = {
    b"alnum": frozenset((string.ascii_letters + string.digits).encode()),
    b"alpha": frozenset(string.ascii_letters.encode()),
    b"blank": frozenset(b" \t"),
    b"cntrl": frozenset((*range(32), 127)),
    b"digit": frozenset(string.digits.encode()),
    b"graph": frozenset(range(33, 127)),
    b"lower": frozenset(string.ascii_lowercase.encode()),
    b"print": frozenset(range(32, 127)),
    b"punct": frozenset(string.punctuation.encode()),
    b"space": frozenset(b" \t\n\r\v\f"),
    b"upper": frozenset(string.ascii_uppercase.encode()),
    b"xdigit": frozenset(string.hexdigits.encode()),
}


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One pattern of an ignore file."""

    matches: Callable[[bytes], object]
    """Truthy if the text matches: the name if ``by_name``, else the path relative to the ignore file's directory."""
    by_name: bool
    """The pattern has no slash, so it applies to names at any depth."""
    directories_only: bool
    ignores: bool
    """False for a negated pattern (``!keep``)."""
    line: int
    """1-based line in its file."""


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The rules of one ignore file, which apply below its directory."""

    base: bytes
    """Its directory, relative to the top of the tree, with a trailing slash; empty at the top."""
    rules: tuple[IgnoreRule, ...]
    """Last line first, since the last matching line decides."""

    def decide(self, path: bytes, name: bytes, *, is_directory: bool) -> IgnoreRule | None:
        """The rule that decides ``path`` (relative to the top, without a trailing slash), or None if none matches."""
        below = path[len(self.base) :]
        for rule in self.rules:
            if (is_directory or not rule.directories_only) and rule.matches(name if rule.by_name else below):
                return rule
        return None


Chain = tuple[IgnoreFile, ...]
"""The ignore files that apply in a directory, weakest first: a deeper directory's comes later and is tried earlier."""


def decide(chain: Chain, path: bytes, *, is_directory: bool) -> tuple[IgnoreFile, IgnoreRule] | None:
    """The file and rule that ignore ``path``, or None if nothing does or it is included again."""
    name = path.rsplit(b"/", 1)[-1]
    for file in reversed(chain):
        if (rule := file.decide(path, name, is_directory=is_directory)) is not None:
            return (file, rule) if rule.ignores else None
    return None


def line_that_ignores(chain: Chain, path: bytes, *, is_directory: bool, file_name: bytes) -> str:
    """File and line of the rule that ignores ``path``, for a person; empty if nothing ignores it."""
    found = decide(chain, path, is_directory=is_directory)
    if found is None:
        return ""
    file, rule = found
    return f"{printable(file.base + file_name)} line {rule.line}"


class PathRules:
    """All rule files of one name in a tree; the result for each directory is stored."""

    def __init__(self, files: Iterable[IgnoreFile], file_name: bytes) -> None:
        self._files = {file.base: file for file in files}
        self._file_name = file_name
        top = self._files.get(b"")
        self._directories: dict[bytes, tuple[Chain, str]] = {b"": ((top,) if top else (), "")}

    def line_for(self, path: bytes) -> str:
        """The line that names ``path`` (relative to the top of the repository) or a directory above it; empty if none does."""
        if not self._files:
            return ""
        chain, by_directory = self._rules_in(path[: path.rfind(b"/") + 1])
        return by_directory or line_that_ignores(chain, path, is_directory=False, file_name=self._file_name)

    def _rules_in(self, directory: bytes) -> tuple[Chain, str]:
        """(rule files that apply in ``directory``, which ends in a slash; line that names all of it, or empty)."""
        if (known := self._directories.get(directory)) is not None:
            return known
        chain, by_directory = self._directories[b""]
        for current in (*directories_above(directory)[1:], directory):
            if (known := self._directories.get(current)) is None:
                by_directory = by_directory or line_that_ignores(chain, current[:-1], is_directory=True, file_name=self._file_name)
                own = self._files.get(current)
                known = self._directories[current] = (chain if own is None else (*chain, own), by_directory)
            chain, by_directory = known
        return chain, by_directory


def with_lines(file: IgnoreFile | None, lines: Iterable[str], base: bytes) -> IgnoreFile | None:
    """``file``, the rule file of the directory ``base``, with more lines at its end; None if there are no rules at all."""
    more = parse_ignore_file("\n".join(lines).encode(), base).rules
    if not more:
        return file
    return IgnoreFile(base=base, rules=(*more, *(file.rules if file else ())))


def directories_above(path: bytes) -> list[bytes]:
    """Each directory that holds a path, outermost first, with a trailing slash: ``a/b`` -> the top (empty), ``a/``."""
    parts = path.rstrip(b"/").split(b"/")
    above = [b""] if path else []
    for part in parts[:-1]:
        above.append(above[-1] + part + b"/")
    return above


def require_reasonable(path: bytes, size: int, size_of_all: int = 0) -> None:
    """Refuse to read a huge ignore file, or one after too many others.

    Raises:
        SourceUnreadable: it is over the limit; without it, ignored files would be indexed.
    """
    if size_of_all > _MAX_BYTES_OF_ALL:
        raise SourceUnreadable(
            f"The ignore files up to {printable(path)} have more than {_MAX_BYTES_OF_ALL} bytes.", hint="Shorten or remove some."
        )
    if size > _MAX_FILE_BYTES:
        raise SourceUnreadable(
            f"The ignore file {printable(path)} has {size} bytes; the limit is {_MAX_FILE_BYTES}.", hint="Shorten or remove it."
        )


def parse_ignore_file(content: bytes, base: bytes) -> IgnoreFile:
    """The rules of one file. Lines that git does not use either (an open bracket, a lone ``/``) are left out.

    Raises:
        SourceUnreadable: it has too many lines.
    """
    if content.count(b"\n") > _MAX_RULES:
        raise SourceUnreadable(
            f"An ignore file in /{printable(base)} has more than {_MAX_RULES} lines.", hint="Shorten or remove it."
        )
    return IgnoreFile(base=base, rules=tuple(_rules_of(content))[::-1])


def _rules_of(content: bytes) -> Iterator[IgnoreRule]:
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.startswith(b"#"):
            continue
        pattern = _without_trailing_spaces(line.removesuffix(b"\r").partition(b"\0")[0])
        ignores = not pattern.startswith(b"!")
        pattern = pattern if ignores else pattern[1:]
        directories_only = pattern.endswith(b"/")
        pattern = pattern[:-1] if directories_only else pattern
        matches = matcher_of(pattern)
        if matches is not None:
            yield IgnoreRule(matches, b"/" not in pattern, directories_only, ignores, number)


def _without_trailing_spaces(line: bytes) -> bytes:
    """``line`` without trailing spaces, except one that a backslash escapes."""
    kept = line.rstrip(b" ")
    if len(kept) == len(line):
        return line
    backslashes = len(kept) - len(kept.rstrip(b"\\"))
    return line[: len(kept) + backslashes % 2]


def matcher_of(pattern: bytes) -> Callable[[bytes], object] | None:
    """A function that says whether a whole text matches; None if no text can."""
    by_name = b"/" not in pattern
    pattern = pattern.removeprefix(b"/")
    if not pattern:
        return None
    if not _WILDCARDS.search(pattern):
        return pattern.__eq__
    if by_name and pattern.startswith(b"*") and not _WILDCARDS.search(suffix := pattern[1:]):
        return lambda name: name.endswith(suffix)
    tokens = _tokens_of(pattern, by_name=by_name)
    return None if tokens is None else re.compile(_expression_of(tokens), re.DOTALL).fullmatch


_STAR = b"*"
_DIRECTORIES = b"**/"
_REST = b"**"


def _tokens_of(pattern: bytes, *, by_name: bool) -> list[bytes] | None:
    """The pattern as single-byte expressions and the three wildcards above; None for a pattern that git refuses.

    ``**`` is special only as a whole name of a path; elsewhere consecutive stars are one star (gitignore(5)).
    """
    tokens: list[bytes] = []
    place = 0
    while place < len(pattern):
        byte = pattern[place : place + 1]
        if byte == b"*":
            end = place + 1
            while pattern[end : end + 1] == b"*":
                end += 1
            is_whole_name = end - place > 1 and not by_name and (place == 0 or pattern[place - 1 : place] == b"/")
            if is_whole_name and end == len(pattern):
                tokens.append(_REST)
            elif is_whole_name and pattern[end : end + 1] == b"/":
                tokens.append(_DIRECTORIES)
                end += 1
            else:
                tokens.append(_STAR)
            place = end
            continue
        if byte == b"[":
            bracket = _bracket_at(pattern, place + 1)
            if bracket is None:
                return None
            expression, place = bracket
            tokens.append(expression)
            continue
        if byte == b"\\":
            place += 1
            byte = pattern[place : place + 1]
            if not byte:
                return None
            tokens.append(re.escape(byte))
        else:
            tokens.append(_ANY_IN_NAME if byte == b"?" else re.escape(byte))
        place += 1
    return tokens


def _bracket_at(pattern: bytes, place: int) -> tuple[bytes, int] | None:
    """(expression of the set that starts after a ``[``, position after it); None if the set is not closed."""
    is_negated = pattern[place : place + 1] in {b"!", b"^"}
    place += is_negated
    members: set[int] = set()
    previous = 0
    is_first = True
    while is_first or pattern[place : place + 1] != b"]":
        is_first = False
        byte = pattern[place : place + 1]
        if byte == b"-" and previous and pattern[place + 1 : place + 2] not in {b"", b"]"}:
            place += 1 + (pattern[place + 1 : place + 2] == b"\\")
            if place >= len(pattern):
                return None
            members.update(range(previous, pattern[place] + 1))
            previous = 0
        elif byte == b"[" and pattern[place + 1 : place + 2] == b":":
            close = pattern.find(b"]", place + 2)
            if close == -1:
                return None
            if pattern[close - 1 : close] == b":" and close - 1 >= place + 2:
                named = _POSIX_CLASSES.get(pattern[place + 2 : close - 1])
                if named is None:
                    return None
                members |= named
                previous, place = 0, close
            else:
                members.add(previous := ord("["))
        else:
            place += byte == b"\\"
            if place >= len(pattern):
                return None
            members.add(previous := pattern[place])
        place += 1
        if place >= len(pattern):
            return None
    accepted = sorted((set(range(1, 256)) - members if is_negated else members) - {ord("/")})
    return (b"[" + b"".join(b"\\x%02x" % member for member in accepted) + b"]" if accepted else b"(?!)", place + 1)


def _expression_of(tokens: list[bytes]) -> bytes:
    """One regular expression for ``fullmatch``.

    The names between two ``**`` may match at the first position possible, and within a name the text after a star likewise: the
    rest is left to the next wildcard. So both groups are atomic, and no position is tried twice.
    """
    groups: list[list[bytes]] = [[]]
    for token in tokens:
        if token == _DIRECTORIES:
            groups.append([])
        else:
            groups[-1].append(token)
    parts = []
    for index, group in enumerate(groups):
        is_last = index == len(groups) - 1
        leading = b"(?:[^/]+/)*?" if index else b""
        body = leading + _names_expression(group, is_last=is_last)
        parts.append(body if is_last else b"(?>" + body + b")")
    return b"".join(parts)


def _names_expression(group: list[bytes], *, is_last: bool) -> bytes:
    runs: list[bytes] = [b""]
    ending = b""
    for token in group:
        if token == _STAR:
            runs.append(b"")
        elif token == _REST:
            ending = b".*"
        else:
            runs[-1] += token
    expression = runs[0]
    for index, run in enumerate(runs[1:], start=1):
        may_end = is_last and not ending and index == len(runs) - 1
        expression += b"[^/]*" + run if may_end else b"(?>[^/]*?" + run + b")"
    return expression + ending
