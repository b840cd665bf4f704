"""A text of the C family in, the same text without macros that stand where its grammar allows no word.

A grammar cannot know what a macro stands for. A word is taken for a macro when it is written like one (``LIB_API``, ``UPROPERTY``,
``wxOVERRIDE``) and stands where only a macro can: alone on a line between two statements, in front of a whole declaration, between
a type and a name, behind a list of parameters, a name or an enumerator. What may be an expression, a type or a definition stays.
Comments, strings and lines of the preprocessor are never looked into. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Final

_TO_BLANKS: Final = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
_PASSIVE: Final = re.compile(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)"
    rb"|\bu?8?[LUu]?R\"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)\"|\Z)"
    rb"|(?P<text>\"[^\"\\\n]*+(?>(?:\\.[^\"\\\n]*+)*)\"?|(?<!\w)'[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)'?)"
    rb"|^[ \t]*#[^\n/\\]*+(?>(?:(?:\\.|/\*.*?(?:\*/|\Z)|/(?!\*))[^\n/\\]*+)*)",
    re.DOTALL | re.MULTILINE,
)
"""Comments, strings and lines of the preprocessor."""
_MACRO: Final = re.compile(rb"\b(?:_{0,3}(?:[a-z]{1,3}(?=[A-Z]{2}))?[A-Z][A-Z0-9]++(?:_\w*+)?|[A-Z]_[A-Z]\w++)\b(?!\s*::)")
"""A word that is written like a macro. One letter alone is a type's parameter."""
_SMALL: Final = re.compile(
    rb"[;{}:\n][ \t]*+\n[ \t]*+(?P<macro>[a-z]\w*+)[ \t]++"
    rb"(?!(?:operator|template|namespace|class|struct|union|enum|const|volatile|static|inline|constexpr|virtual)\b)"
    rb"[A-Za-z_]\w*+(?:[ \t]++\**+|\*++[ \t]*+)(?!operator\b)[A-Za-z_]\w*+[ \t]*+[(;=\[]"
)
"""A word in lower case in front of a type and a name."""
_ATTRIBUTE: Final = re.compile(
    rb"[(,]\s*+(?P<parameter>__[a-z]\w*+)\s++(?=(?:struct|union|enum)\b|(?!const\b|volatile\b|__)\w++[ \t*]++\w)"
    rb"|[\w*][ \t]++(?P<function>[a-z]\w*+\([ \t]*+\d++[ \t]*+(?:,[ \t]*+\d++[ \t]*+)?\))[ \t]*+\r?\n(?=[A-Za-z_]\w*+[ \t]*+\()"
)
"""A word in lower case in front of a parameter, ``__unused``; one with numbers between a function's type and its name."""
_SPACE: Final = re.compile(rb"\s*")
_BRACKET: Final = re.compile(rb"[();{}]")
_LONGEST: Final = 20_000
"""Bytes between the brackets of a macro."""
_MOST_IN_A_ROW: Final = 6
"""Macros in front of one declaration."""

_PARTIAL: Final = frozenset(b"unsigned signed long short __extension__".split())
"""Words that more of a type follows."""
_PRIMITIVES: Final = frozenset(b"void bool char short int long float double unsigned signed auto wchar_t".split())

_ANGLED: Final = rb"<(?>(?:[^<>;{}()]|<(?:[^<>;{}()]|<[^<>;{}()]*>)*>|\([^<>;{}()]*\)){0,400})>"
_QUALIFIED: Final = rb"(?:::)?\w+(?:[ \t]*" + _ANGLED + rb")?(?:::~?\w+(?:" + _ANGLED + rb")?)*"
_NAMED: Final = rb"(?:" + _QUALIFIED + rb"::)?(?:~?\w+|operator[^\w\s(]{1,3})"
_CANNOT_BE_A_TYPE: Final = rb"(?:return|else|case|goto|throw|new|delete|and|or|not|in)\b"
_DECLARED: Final = re.compile(
    rb"(?:template\s*<|operator\s+(?!(?:new|delete|and|or|not|xor|co_await)\b)[\w:]"
    rb"|(?:class|struct|union|enum|using|typedef|static|inline|virtual|explicit|constexpr|consteval|constinit|friend"
    rb"|extern|namespace|typename|mutable|thread_local|__declspec|__attribute__|decltype|@property|@interface|@protocol)\b|~\w+\s*\()"
    rb"|(?>(?:(?:const|volatile|unsigned|signed|long|short|struct|union|enum|class)\s+)*)(?!"
    + _CANNOT_BE_A_TYPE
    + rb")"
    + _QUALIFIED
    + rb"(?:\s*[*&]+(?:\s*const\b)?\s*|\s+(?:const\s+)?[*&]*\s*)(?!"
    + _CANNOT_BE_A_TYPE
    + rb"|const\b)"
    + _NAMED
    + rb"\s*(?:[(;,\[{)]|=(?!=)|:(?!:)|(?=[A-Z_][A-Z0-9_]+\b))"
)
"""What follows a macro in front of a declaration: a word that begins one, or a type and a name."""
_TYPE_HEAD: Final = re.compile(rb"(?!final\b)" + _QUALIFIED + rb"\s*(?:final\s*)?(?:\{|:(?!:))|\[\[")
"""The name of a type that is defined, up to its body or its bases."""
_TYPE_NAMED: Final = re.compile(rb"\b(?:class|struct|union)\s+(?:\w++\s++){0,3}?(" + _MACRO.pattern + rb")\s*+(?:final\b\s*+)?[:{]")
_OPERATOR: Final = re.compile(rb"\boperator\s*(?:[^\w\s;{}]{1,3}|\(\s*\))\s*\Z|\)\s*\Z|\w>\s*\Z")
"""What may stand before the parameters of an operator; of what returns a function; of a specialised template."""
_NO_EXPRESSION: Final = re.compile(
    rb"[(,]\s*[,]|,\s*\)|[*&]\s*[,)]|\b(?:" + rb"|".join(sorted(_PRIMITIVES)) + rb")\b|[\w>][ \t]+(?!and\b|or\b)\w|[;{}]"
)
"""Arguments that no function takes: a type, a missing one, two words."""
_BODY: Final = re.compile(rb"\b(?:struct|union|class)\s+\w+\s*\{\Z")
_NAME_AND_MACRO: Final = re.compile(
    rb"(?!(?:" + rb"|".join(sorted(_PRIMITIVES)) + rb")\b)(?!\w+_t\b)[a-z]\w*\s+" + _MACRO.pattern + rb"\s*[;=]"
)
"""A name and a macro behind it, which look like a type and a name."""
_CALLED: Final = re.compile(rb"(?:" + _QUALIFIED + rb"::)?~?\w+\s*(\()")
_DECLARATOR: Final = re.compile(rb"\*?\s*\w+\s*[;,]")
_INITIALISED: Final = re.compile(rb"\s*(?:(?:noexcept|" + _MACRO.pattern + rb")\s*)?:(?!:)")
_ENDING: Final = re.compile(rb"[^;,{}]{0,400}+([;,}])")
_LONGEST_HEAD: Final = 1_000
"""Bytes of the parameters of a template."""
_ANGLE: Final = re.compile(rb"->|[<>]=|<<|[<>]")
_NAME: Final = re.compile(
    rb"(?!" + _CANNOT_BE_A_TYPE + rb"|(?:const|final|override|__attribute__|__asm__|asm)\b)" + _NAMED + rb"\s*(\(|[;\[,]|=(?!=))"
)
_ENDS_FUNCTION: Final = re.compile(
    rb";|\{|:(?!:)|=\s*(?:0|default|delete)\b|->|(?:const|noexcept|override|final|throw|requires|try)\b|" + _MACRO.pattern
)
_SPECIFIERS: Final = frozenset(
    b"static inline extern const volatile typedef struct union enum class virtual explicit constexpr friend register mutable using"
    b" typename afx_msg namespace consteval constinit thread_local public private protected".split()
)
_OPERATORS: Final = frozenset(
    b"return else case goto throw new delete sizeof alignof defined and or not if while do for switch operator co_return co_await"
    b" co_yield in".split()
)
_HEADS: Final = frozenset(b"class struct union enum namespace".split())
_LABELS: Final = frozenset(b"public private protected signals slots Q_SIGNALS Q_SLOTS default".split())
_WORDS: Final = (
    (_SPECIFIERS - {b"afx_msg"})
    | _OPERATORS
    | _HEADS
    | _PRIMITIVES
    | frozenset(b"inline template asm export import module".split())
)
_QUALIFIERS: Final = frozenset(b"const noexcept override final volatile".split())


def without_macros(text: bytes) -> bytes:
    """The text with blanks in place of its macros; the offsets and the lines stay."""
    return _Reader(text).read()


class _Reader:
    """One text; ``code`` is what is left of it without comments, strings and the macros that were found so far."""

    __slots__ = ("budget", "code", "found", "gap", "gap_before", "types")

    def __init__(self, text: bytes) -> None:
        self.code = bytearray(_PASSIVE.sub(_silenced, text))
        self.found = bytearray(text)
        self.types = frozenset(_TYPE_NAMED.findall(self.code))
        """Names of types that are written like macros; so are their constructors."""
        self.budget = 4 * len(text) + _LONGEST
        """Bytes that may still be searched for closing brackets."""
        self.gap = self.gap_before = -1
        """End of the last macro that was blanked, and the place of the last code before it."""

    def read(self) -> bytes:
        """The text without its macros."""
        for match in _MACRO.finditer(self.code):
            start, end = match.span()
            if (end := self.end_of_macro(start, end)) > start:
                before = self.before(start)
                self.blank(start, end)
                self.gap_before, self.gap = before, end
        self.gap = -1
        for match in _SMALL.finditer(self.code):
            if match["macro"] not in _WORDS:
                self.blank(*match.span("macro"))
        for match in _ATTRIBUTE.finditer(self.code):
            self.blank(*match.span("parameter" if match["parameter"] else "function"))
        return bytes(self.found)

    def blank(self, start: int, end: int) -> None:
        """Put blanks in place of a macro."""
        self.code[start:end] = self.code[start:end].translate(_TO_BLANKS)
        self.found[start:end] = self.found[start:end].translate(_TO_BLANKS)

    def end_of_macro(self, start: int, end: int) -> int:
        """Where the macro with the name from ``start`` to ``end`` ends; ``start`` if the word stays."""
        code = self.code
        before = self.before(start)
        mark = code[before] if before >= 0 else 0
        close = self.close_of(end)
        args = close > 0
        last = close if args else end
        at = self.after(last)
        next_mark = code[at] if at < len(code) else 0
        listed = b"_" in code[start:end].strip(b"_") or code[start : start + 1] == b"_" or code[start : start + 1].islower()
        is_macro = False
        if self.begins_statement(before):
            is_macro = self.is_statement(start, last, at, args=args, listed=listed, mark=mark)
        elif mark == 41:
            is_macro = (args or listed) and self.follows_parameters(before, at, start, args=args)
        elif mark in b",(":
            is_macro = self.is_in_front(at, listed=listed, args=args) and next_mark != 40
        elif mark == 62 and self.is_template(before):
            is_macro = self.is_in_front(at, listed=listed, args=args)
        elif mark == 93 and code[before - 1] == 93:
            opened = code.rfind(b"[[", max(0, before - 200), before)
            is_macro = opened >= 0 and self.word_before(opened - 1)[0] in _HEADS and self.names_type(at)
        elif mark in b"*&>]" or chr(mark).isalnum() or mark == 95:
            is_macro = self.follows_word(before, at, args=args, listed=listed)
        return last if is_macro else start

    def begins_statement(self, before: int) -> bool:
        """Whether what stands behind the code at ``before`` begins a statement; ``@end`` ends one."""
        code = self.code
        mark = code[before] if before >= 0 else 59
        if mark == 58:
            return self.word_before(before - 1)[0] in _LABELS
        return mark in b";{}" or (mark == 100 and code.endswith(b"@end", 0, before + 1))

    def is_statement(self, start: int, last: int, at: int, *, args: bool, listed: bool, mark: int) -> bool:
        """Whether a macro that begins a statement is none of its own: it is alone on its line, or a declaration follows."""
        code = self.code
        next_mark = code[at] if at < len(code) else 0
        if args and self.types and (word := _MACRO.match(code, start)) and word[0] in self.types:
            return False
        if b"\n" not in code[last:at] and at < len(code) and next_mark != 59:
            if mark == 125 and b"\n" not in code[self.before(start) : start] and _DECLARATOR.match(code, at):
                return True
            return self.is_in_front(at, listed=listed, args=args)
        if not args and not listed:
            return False
        if not next_mark:
            return True
        if next_mark == 125:
            return args or mark != 123 or self.is_body(start)
        if next_mark == 59 and args:
            return _NO_EXPRESSION.search(code, start, last) is not None
        if not (chr(next_mark).isalnum() or next_mark in b"_~@:" or code.startswith((b"[[", b"- (", b"+ ("), at)):
            return False
        if next_mark == 58:
            return code.startswith(b"::", at)
        called = _CALLED.match(code, at)
        if next_mark == 126 or called is None or _MACRO.match(code, at):
            return True
        if not args:
            return False
        opened = called.end() - 1
        closed = self.close_of(opened)
        return closed <= 0 or not code.startswith(b"{", self.after(closed)) or code[at - 1] != 10

    def is_body(self, at: int) -> bool:
        """Whether the brace before ``at`` opens a struct's body, which no expression fills."""
        return _BODY.search(self.code, max(0, self.before(at) - 100), self.before(at) + 1) is not None

    def is_in_front(self, at: int, *, listed: bool, args: bool) -> bool:
        """Whether a whole declaration begins at ``at``, so that what stands before it is no part of its type."""
        code = self.code
        for _ in range(_MOST_IN_A_ROW):
            macro = _MACRO.match(code, at)
            closed = self.close_of(macro.end()) if macro else 0
            if (not closed or listed or args) and (found := _DECLARED.match(code, at)):
                return (listed or args or macro is None) and _NAME_AND_MACRO.fullmatch(code, at, found.end()) is None
            if macro is None or (not closed and not listed and not args):
                break
            at = self.after(closed or macro.end())
        if called := _CALLED.match(code, at):
            closed = self.close_of(called.end() - 1)
            return closed > 0 and _INITIALISED.match(code, closed) is not None
        return False

    def follows_parameters(self, before: int, at: int, start: int, *, args: bool = False) -> bool:
        """Whether the bracket at ``before`` ends a function's parameters, and what stands at ``at`` may follow them.

        In ``YARD_API(int) YARD_Count(int row)`` the first brackets belong to a macro: the word behind is the function.
        """
        opened = self.open_of(before)
        if opened < 0 or (_ENDS_FUNCTION.match(self.code, at) is None and at < len(self.code)):
            return False
        word, word_start = self.word_before(opened - 1)
        if word:
            if args and _MACRO.fullmatch(word) and word not in self.types and self.begins_statement(self.before(word_start)):
                return False
            is_category = self.word_before(word_start - 1)[0] in (b"implementation", b"interface")
            return not is_category and (word not in _OPERATORS or word == b"operator")
        return _OPERATOR.search(self.code, max(0, opened - 20), opened) is not None

    def follows_word(self, before: int, at: int, *, args: bool, listed: bool) -> bool:
        """Whether a macro stands behind a word where no other word can."""
        code = self.code
        word, word_start = self.word_before(before)
        if word in _OPERATORS:
            return False
        next_mark = code[at] if at < len(code) else 0
        if word in _QUALIFIERS:
            place = word_start
            while word in _QUALIFIERS:
                place = self.before(word_start)
                word, word_start = self.word_before(place)
            if place >= 0 and code[place] == 41 and (args or listed) and self.follows_parameters(place, at, at):
                return True
            return not args and self.is_in_front(at, listed=listed, args=args)
        if word in _HEADS:
            return self.names_type(at)
        if word in _PRIMITIVES:
            return not args and _NAME.match(code, at) is not None
        if word in _SPECIFIERS:
            return self.is_in_front(at, listed=listed, args=args)
        if not args and (name := _NAME.match(code, at)):
            return name[1] == b"(" or listed
        if not (args or listed) or code[before] in b"*&>":
            return False
        place = self.before(word_start) if word_start >= 0 else before
        outer = code[place] if place >= 0 else 0
        outer_word = self.word_before(place)[0]
        if next_mark in b"{:" and next_mark:
            return outer_word in _HEADS and not code.startswith(b"::", at)
        if next_mark and next_mark in b",}" and outer in b"{,":
            return True
        if next_mark == 61 and not code.startswith(b"==", at):
            if outer and outer in b"{,":
                ending = _ENDING.match(code, at)
                return ending is not None and ending[1] != b";"
            return outer_word == b"using" or self.is_type(outer, outer_word)
        if next_mark == 59:
            return self.is_type(outer, outer_word) or (outer == 125 and b"\n" not in code[place:word_start])
        return False

    def names_type(self, at: int) -> bool:
        """Whether the name of a type that is defined stands at ``at``, or behind more macros."""
        code = self.code
        while (macro := _MACRO.match(code, at)) and _TYPE_HEAD.match(code, at) is None:
            closed = self.close_of(macro.end()) or macro.end()
            if (after := self.after(closed)) == closed:
                return False
            at = after
        return _TYPE_HEAD.match(code, at) is not None

    @staticmethod
    def is_type(mark: int, word: bytes) -> bool:
        """Whether the last code in front of a name, ``mark``, is the end of a type that may stand there alone."""
        return bool(mark) and (mark in b"*&>" or (bool(word) and word not in _SPECIFIERS | _OPERATORS | _PARTIAL))

    def is_template(self, before: int) -> bool:
        """Whether the angle bracket at ``before`` ends the parameters of a template."""
        head = self.code[max(0, before - _LONGEST_HEAD) : before + 1]
        at = len(head)
        for _ in range(_MOST_IN_A_ROW):
            at = head.rfind(b"template", 0, at)
            if at < 0:
                break
            marks = _ANGLE.findall(head, at)
            if marks.count(b"<") == marks.count(b">"):
                return True
        return False

    def before(self, at: int) -> int:
        """The place of the last code before ``at``; -1 if there is none."""
        floor = max(0, self.gap) if self.gap <= at else 0
        size = 64
        while True:
            start = max(floor, at - size)
            left = len(self.code[start:at].rstrip())
            if left or start == floor:
                break
            at, size = start, 2 * size
        if left:
            return start + left - 1
        return self.gap_before if floor else -1

    def after(self, at: int) -> int:
        """The place of the first code from ``at`` on."""
        found = _SPACE.match(self.code, at)
        return found.end() if found else at

    def word_before(self, last: int) -> tuple[bytes, int]:
        """The word that ends with the last code up to ``last``, and its start; no word and -1 for anything else."""
        last = self.before(last + 1)
        start = last
        while start >= 0 and (self.code[start] in b"_" or chr(self.code[start]).isalnum()):
            start -= 1
        return (bytes(self.code[start + 1 : last + 1]), start + 1) if start < last else (b"", -1)

    def close_of(self, at: int) -> int:
        """One past the bracket that closes the one that opens at ``at``, or after blanks there; 0 if none opens or closes."""
        code = self.code
        while at < len(code) and code[at] in b" \t":
            at += 1
        if not code.startswith(b"(", at) or self.budget < 0:
            return 0
        depth, place = 0, at
        while (found := _BRACKET.search(code, place, at + _LONGEST)) is not None:
            place = found.end()
            if found[0] == b"(":
                depth += 1
            elif found[0] == b")":
                depth -= 1
                if not depth:
                    self.budget -= place - at
                    return place
        self.budget -= _LONGEST
        return 0

    def open_of(self, at: int) -> int:
        """The place of the bracket that the one at ``at`` closes; -1 if it is too far away."""
        depth = 0
        floor = max(0, at - 2_000)
        while at >= floor and self.budget > 0:
            opened = self.code.rfind(b"(", floor, at + 1)
            closed = self.code.rfind(b")", floor, at + 1)
            self.budget -= at - max(opened, closed, floor)
            if opened < 0:
                return -1
            depth += 1 if closed > opened else -1
            if not depth:
                return opened
            at = max(opened, closed) - 1
        return -1


def _silenced(match: re.Match[bytes]) -> bytes:
    """Blanks in place of a comment or a line of the preprocessor; the quotes of a string stay."""
    found = match[0].translate(_TO_BLANKS)
    return match[0][:1] + found[2:] + match[0][:1] if match["text"] and len(found) > 1 else found
