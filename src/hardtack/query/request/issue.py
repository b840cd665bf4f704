"""A pasted issue in, its parts out: title, prose, names, errors, code, frames of tracebacks, logs, boilerplate of templates.

An issue is a title and up to 64 KB of text, of which most says little about where its cause is: what system it was seen on, what
the template asked, fifty lines of a program that goes wrong. So it is read line by line, each line is one sort of part, and
:mod:`hardtack.query.request.aspects` weighs words by the part that they stand in. Nothing here depends on a bundle.

Every pattern is linear in the length of a line: a query may come from a stranger.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

LEAST_WORDS: Final = 30
"""A text of several lines and as many words is an issue, as is one with the frame of a traceback."""
LONG_LINE_WORDS: Final = 60
"""So is a single line of as many words: no question is so long."""

_LONGEST_TITLE: Final = 250
_LONGEST_LINE: Final = 1_000
"""Characters of a line whose form is looked at; a longer one is data or a paragraph, and its form is seen at its beginning."""

# At most so many are kept: each is compared with the paths or names of a bundle, and a text of 64 KB has room for thousands.
MOST_FRAMES: Final = 64
MOST_FILES: Final = 64
MOST_NAMES: Final = 200


class Sort(StrEnum):
    """What a part of an issue is."""

    TITLE = "title"
    PROSE = "prose"
    NAME = "name"
    """A name in backquotes, or one that is spelt like a name of code."""
    ERROR = "error"
    """A line that tells of an error: ``ValueError: ...``, ``panic: ...``."""
    CODE = "code"
    LOG = "log"
    TEMPLATE = "template"
    """A heading, a check box, a version, a setting: what the issue's template asked for. And what stands around any traceback."""


class Part(NamedTuple):
    """A line of an issue, or a name within one."""

    sort: Sort
    text: str


class Frame(NamedTuple):
    """One frame of a traceback."""

    path: str
    """As written, of the machine where it went wrong; empty if unknown."""
    line: int
    """1-based; 0 if unknown."""
    function: str
    """Its name without what it is a member of; empty if unknown."""


class Issue(NamedTuple):
    """An issue, read."""

    parts: tuple[Part, ...]
    """In the order of the text; the first is the title."""
    frames: tuple[Frame, ...]
    """Of all tracebacks, those nearest to the error first."""
    files: tuple[str, ...]
    """Paths of a repository's files, from links (``https://github.com/owner/name/blob/main/src/a.py#L3``) and heads of patches."""

    @property
    def title(self) -> str:
        """The first line, or the first sentence of a long one."""
        return self.parts[0].text

    def texts(self, *sorts: Sort) -> Iterator[str]:
        """The texts of the parts of these sorts, in order."""
        return (part.text for part in self.parts if part.sort in sorts)


_FENCE = re.compile(r"\s{0,8}(?:```|~~~)(?!.*(?:```|~~~))")
_SURE_HEADING = re.compile(r"\s{0,3}(?:#{3,6} \S|\*\*[^*]{1,80}\*\*:?\s*$)")
"""A heading that no line of code looks like; it ends a fence that was left open."""
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S|\s*\*\*[^*]{1,80}\*\*:?\s*$|\s{0,3}(?:={3,}|-{3,})\s*$")
_CHECK_BOX = re.compile(r"\s*[-*] \[[ xX]?\]")
_TAG = re.compile(r"</?(?:details|summary|br|p|div|hr|sub|sup|kbd)\b[^<>]{0,100}>", re.IGNORECASE)
_IMAGE = re.compile(r"!\[[^\[\]]{0,200}\]\([^()\s]{0,1000}\)|<img\b[^<>]{0,1000}>")
_LINK = re.compile(r"\[([^\[\]]{0,200})\]\([^()\s]{0,1000}\)")
_URL = re.compile(r"\bhttps?://[^\s)>\]]+")
_REPOSITORY_FILE = re.compile(
    r"https?://[\w.-]+/[\w.-]+/[\w.-]+/(?:-/)?(?:blob|raw)/[\w.-]+/([\w./+@-]+\.\w+)|^(?:\+\+\+|---) [ab]/(\S+)"
)
"""A file in a link to a repository, or at the head of a patch."""
_ABOUT_VERSIONS = re.compile(
    r"\b(?:versions?|environment|system info\w*|platform|installed|operating system|setup|dependencies)\b", re.IGNORECASE
)
_SYSTEM = r"Linux\S*|Windows.*|mac ?os.*|darwin.*|ubuntu.*|debian.*"
_VALUE = rf"v?\d[\w.+-]*|none|not installed|yes|no|true|false|{_SYSTEM}|[\w.-]{{0,30}} ?v?\d+\.\d+.*"
_SETTING = re.compile(rf"\s*[-*]?\s*[\w .()/-]{{2,30}}(?::|==?|\|)\s*(?:{_VALUE})\s*$", re.IGNORECASE)
"""A line that states a version or a setting: ``numpy: 1.17.0``, ``OS: Windows 10``."""

_ERROR = re.compile(
    r"\s*(?:E\s+)?(?:[\w.]*(?:Error|Exception|Warning|Fault|Panic)\b)"
    r"|.*\b(?:panicked at|panic:|fatal error|[Ss]egmentation fault|Caused by:|Unhandled|Uncaught|error(?:\[\w+\])?:)"
)
_AROUND_FRAMES = re.compile(
    r"\s*(?:traceback \(most recent|during handling of the above|the above exception was|(?:stack ?trace|backtrace):?\s*$)",
    re.IGNORECASE,
)
"""What tools print around every traceback."""
_LOG = re.compile(r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:\S{1,100} )?\[?(?:INFO|DEBUG|WARN|WARNING|TRACE)\b)")
_PROMPT = re.compile(r"\s*(?:>>> ?|\.\.\. |In \[\d*\]: ?|\$ |irb\S*> ?)")
_CODE_BEGINS = r"import|from|def|class|func|fn|let|const|var|return|if|for|while|#include|using|public|private|package|use"
_CODE = re.compile(rf".*[;{{}}]\s*$|\s*(?:{_CODE_BEGINS})\b.*[(){{}};:=]|.*\w\(.*\)\s*$|\s*[\w.\[\]]+\s*=\s*\S")
_PROSE_WORDS: Final = 8
"""A line outside a fence with more words is prose, whatever its form."""

_QUOTED = re.compile(r"``?([^`\n]{1,200})``?")
NAME: Final = re.compile(
    r"(?<![\w.])[A-Za-z_]\w*(?:(?:::|->|[.#])[A-Za-z_]\w*)+(?:\(\))?"  # qualified: a.b, A::b, a.b()
    r"|\b(?:[a-z]+|[A-Z][a-z0-9]+)(?:[A-Z][A-Za-z0-9]*)+\b"  # camelCase, PascalCase
    r"|(?<!\w)\w*[A-Za-z0-9]_\w+|(?<!\w)_\w+"  # snake_case, _private
    r"|(?<!\w)\w+(?=\(\))"  # call()
)
"""A word that is spelt like a name of code."""

# The frames of tracebacks, by the tools that print them. A path begins where a run of its characters begins: each run is read once.
_PYTHON_FRAME = re.compile(r'\s*(?:\S{1,10}\s+)?File "([^"]+)", line (\d+)(?:, in (\S+))?')
_JAVA_FRAME = re.compile(r"\s*at ((?:[\w$]+\.)+)([\w$<>]+)\(([\w$]+\.(?:java|kt|scala|groovy))(?::(\d+))?\)")
_AT_FRAME = re.compile(r"\s*at (?:async )?(?:([\w.$<>\[\]]{1,200}) )?\(?(?:file://)?([^\s()]{1,300}?):(\d+)(?::\d+)?\)?\s*$")
_DEBUGGER_FRAME = re.compile(r"\s*#\d+\s+(?:0x[0-9a-f]+ in )?([\w:~<>]{1,200}) ?\(.*\)(?: at ([^\s:]{1,300}):(\d+))?")
_NOTEBOOK_FRAME = re.compile(r"\s*(?:/|~|[A-Za-z]:\\|<ipython)[^\s]{0,300} in ([\w<>]{1,200})\(")
_SOURCE_SUFFIXES: Final = (
    "py|pyx|rs|go|c|h|cc|cpp|cxx|hpp|hh|js|jsx|mjs|cjs|ts|tsx|vue|rb|php"
    "|java|kt|scala|cs|swift|ex|exs|lua|hs|pl|sh|bash|zig|jl|erl|ml|m|mm|dart"
)
_SOURCE_FILE = rf"(?:[A-Za-z]:)?[\w@.+~/\\-]*[\w-]\.(?:{_SOURCE_SUFFIXES})"
_IN_FUNCTION = r"[:)].{0,8}in [`'](?:\S*[#.])?(\w+)"
_FILE_AND_LINE = re.compile(rf"(?<![\w@.+~/\\-])({_SOURCE_FILE})(?::line |:| line |\()(\d+)(?:{_IN_FUNCTION})?")


def read_issue(text: str) -> Issue | None:
    """Read the text of a query as an issue.

    Returns:
        None for a question or a name: one line of few words, or few words in all and no traceback.
    """
    lines = _without_comments(text.replace("\r\n", "\n")).split("\n")
    said = [line for line in lines if line.strip()]
    words = sum(len(line.split()) for line in said)
    if not said or (words < LONG_LINE_WORDS if len(said) == 1 else words < LEAST_WORDS and not any(map(_frame_of, said))):
        return None
    reader = _Reader()
    title, rest = _titled(said[0])
    reader.take_title(title)
    for line in (rest, *lines[lines.index(said[0]) + 1 :]):
        reader.take(line)
    frames, files = tuple(reader.frames_by_nearness()), tuple(dict.fromkeys(reader.files))
    return Issue(tuple(reader.parts), frames[:MOST_FRAMES], files[:MOST_FILES])


def names_in(text: str) -> list[str]:
    """The words of a text that are spelt like names of code, in order."""
    return NAME.findall(text)


def _without_comments(text: str) -> str:
    """A text without its HTML comments, which templates have for who fills them in; an open one ends with the text."""
    kept, place = [], 0
    while (start := text.find("<!--", place)) >= 0:
        kept.append(text[place:start])
        end = text.find("-->", start)
        if end < 0:
            return "".join(kept)
        place = end + len("-->")
    return "".join((*kept, text[place:]))


def _titled(line: str) -> tuple[str, str]:
    """The first line as a title and what is left of it: a long line is a paragraph, of which the first sentence stands for it."""
    line = _plain(line).strip().lstrip("#").strip()
    if len(line) <= _LONGEST_TITLE:
        return line, ""
    end = line.find(". ", 0, _LONGEST_TITLE) + 1 or line.rfind(" ", 0, _LONGEST_TITLE) + 1 or _LONGEST_TITLE
    return line[:end].strip(), line[end:]


def _plain(line: str) -> str:
    """A line without images, addresses and the targets of links."""
    if "http" in line or "](" in line or "<img" in line:
        line = _URL.sub(" ", _LINK.sub(r"\1", _IMAGE.sub(" ", line)))
    return line


def _frame_of(line: str) -> Frame | None:
    """The frame that a line of a traceback tells of."""
    line = line[:_LONGEST_LINE]
    if match := _PYTHON_FRAME.match(line):
        return Frame(match[1], int(match[2][:9]), match[3] or "")
    if match := _JAVA_FRAME.match(line):
        packages = match[1].split(".")[:-2]  # the last is empty, the one before it the class
        return Frame("/".join((*packages, match[3])), int((match[4] or "0")[:9]), match[2])
    if match := _AT_FRAME.match(line):
        return Frame(match[2], int(match[3][:9]), (match[1] or "").rpartition(".")[2])
    if match := _DEBUGGER_FRAME.match(line):
        return Frame(match[2] or "", int((match[3] or "0")[:9]), match[1].rpartition("::")[2])
    if match := _NOTEBOOK_FRAME.match(line):
        return Frame(line.split(" in ", 1)[0].strip(), 0, match[1])
    if match := _FILE_AND_LINE.search(line):
        return Frame(match[1], int(match[2][:9]), match[3] or "")
    return None


def _text_of(line: str, sort: Sort) -> str:
    """What a line says: code without the prompt before it, prose without tags."""
    line = line.strip()
    if sort is Sort.CODE and (prompt := _PROMPT.match(line)):
        return line[prompt.end() :]
    return _TAG.sub(" ", line).strip() if sort is Sort.PROSE else line


class _Reader:
    """Takes the lines of an issue in order."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.files: list[str] = []
        self._tracebacks: list[list[Frame]] = []
        self._is_fenced = False
        self._after_blank = True
        self._is_about_versions = False
        self._after_frame = False
        """The last line was a frame, so this one goes on with its traceback."""
        self._shows_source = False
        """The last line was a frame of Python, which is followed by the line of source."""
        self._names = 0

    def take_title(self, title: str) -> None:
        """Take the title."""
        self.parts.append(Part(Sort.TITLE, title))
        self._take_names(title)

    def take(self, line: str) -> None:
        """Take the next line."""
        if not line.strip():
            self._after_blank = True
            return
        if _FENCE.match(line):
            self._is_fenced = not self._is_fenced
            self._shows_source = False
            return
        self.files += (linked or patched for linked, patched in _REPOSITORY_FILE.findall(line))
        line = _plain(line)
        frame = _frame_of(line)
        if frame is not None:
            self._take_frame(frame, shows_source=_PYTHON_FRAME.match(line[:_LONGEST_LINE]) is not None)
        elif self._shows_source and line.startswith((" ", "\t")):
            self._shows_source = False
            self.parts.append(Part(Sort.CODE, line.strip()))
            return
        else:
            self._after_frame = self._shows_source = False
        sort = self._sort_of(line) if frame is None or self._is_sentence(line) else None
        if sort is not None:
            self.parts.append(Part(sort, _text_of(line, sort)))
            if sort is Sort.PROSE:
                self._take_names(line)
        self._after_blank = False

    def frames_by_nearness(self) -> Iterator[Frame]:
        """The frames of each traceback, nearest to its error first. Python alone prints the nearest last."""
        for frames in self._tracebacks:
            yield from reversed(frames) if frames[0].path.endswith((".py", ".pyx")) or frames[0].path.startswith("<") else frames

    def _take_frame(self, frame: Frame, *, shows_source: bool) -> None:
        if not self._after_frame:
            self._tracebacks.append([])
        self._tracebacks[-1].append(frame)
        self._after_frame = True
        self._shows_source = shows_source

    def _take_names(self, text: str) -> None:
        names = (*_QUOTED.findall(text), *names_in(_QUOTED.sub(" ", text)))[: MOST_NAMES - self._names]
        self._names += len(names)
        self.parts += (Part(Sort.NAME, name) for name in names)

    def _is_sentence(self, line: str) -> bool:
        """Whether a line that names a place in a file is more than a frame: people write ``it fails in lib/a.rs:10 when ...``."""
        return not self._is_fenced and len(line.split()) > _PROSE_WORDS

    def _sort_of(self, line: str) -> Sort:
        form = line[:_LONGEST_LINE]
        if (_SURE_HEADING if self._is_fenced else _HEADING).match(form):
            self._is_fenced = False
            self._is_about_versions = _ABOUT_VERSIONS.search(form) is not None
            return Sort.TEMPLATE
        if self._is_about_versions or any(asked.match(form) for asked in (_CHECK_BOX, _SETTING, _AROUND_FRAMES)):
            return Sort.TEMPLATE
        if _ERROR.match(form):
            return Sort.ERROR
        if _LOG.match(form):
            return Sort.LOG
        is_indented = line.startswith(("    ", "\t")) and (self._after_blank or self.parts[-1].sort is Sort.CODE)
        looks_like_code = len(form.split()) <= _PROSE_WORDS and _CODE.match(form) is not None
        if self._is_fenced or is_indented or looks_like_code or _PROMPT.match(form):
            return Sort.CODE
        return Sort.PROSE
