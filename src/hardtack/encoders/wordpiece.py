"""Text in, token ids out: the WordPiece tokeniser of uncased BERT models, in pure Python.

:class:`OrderedTokens` is the vocabulary, :class:`WordPiece` divides text into its tokens. ``ids_of`` gives exactly the ids that the
``tokenizers`` library (0.23.3) gives for the same vocabulary with ``BertNormalizer``, ``BertPreTokenizer``, no special tokens added
and ``encode_special_tokens`` set: a literal ``[MASK]`` in source code is three words, not an instruction to a model.
``benchmarks/wordpiece_equality.py`` compares the two.

Neither the Python version nor the locale changes an id. The tables of character classes are constants, because the answers of
:mod:`unicodedata` change with the version of Python, and a bundle that was built under one Python is searched under another. They
are the classes that ``tokenizers`` applies, whose Unicode tables are older than any supported Python's; ``--characters`` of the
script compares every code point. Decomposition (NFD) and lower-casing do come from Python: Unicode promises that they never change
for characters that exist, and a word with a newer character is unknown in any case.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from operator import lt
from typing import Final

import numpy as np

# 1: first version.
WORDPIECE_VERSION: Final = 1

MAX_WORD_CHARACTERS: Final = 100
"""A longer word is one unknown token, as in BERT."""

UNKNOWN: Final = "[UNK]"
"""The token of a word that no pieces spell; every vocabulary has it."""

MAX_MEMO_WORDS: Final = 1 << 17
"""Words that the memo holds before it is emptied; each has at most 100 characters."""

_CONTINUES = "##"
_ASCII_REMOVED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9 \t\r\n]")

_SEARCHES: Final = 1000
"""Look-ups by binary search before a dictionary of all tokens is made. Making it takes as long as about so many of them."""

_MOST_LONG_WORDS: Final = 1000
"""Words longer than every token that are divided by trying pieces of every length. Then :func:`_reaches_in` takes over; making its
table takes as long as about so many words."""
_BEGINNING: Final = 2
"""Characters by which that table knows how long a token can be that begins with them."""

_END: Final = b"\n"


class WordPiece:
    """Divides text into the tokens of a vocabulary; a token's id is its position there.

    Args:
        vocabulary: distinct tokens, ``[UNK]`` among them, with their ids; tokens that continue a word begin with ``##``.
        longest: no token has more characters. The lower it is, the fewer pieces of a long word are tried.
    """

    def __init__(self, vocabulary: Mapping[str, int], longest: int = MAX_WORD_CHARACTERS) -> None:
        self._memo = _PieceMemo(vocabulary, longest)
        self._clean = _CleaningTable()
        self._fold = _FoldingTable()

    def words_of(self, text: str) -> list[str]:
        """The normalised words of ``text``: lower case, no accents, punctuation and ideographs each a word; some may be empty."""
        if text.isascii():
            return _ASCII_WORD.findall(_ASCII_REMOVED.sub("", text).lower())
        import unicodedata  # a shared library of its own, which ASCII text does not need

        return unicodedata.normalize("NFD", text.translate(self._clean)).translate(self._fold).split(" ")

    def ids_of(self, text: str) -> list[int]:
        """The ids of ``text`` in order, without the special tokens that a transformer expects around them."""
        if text.isascii() and text.isalnum():  # one word: the usual call from the static encoder
            return [*self._memo[text.lower()]]
        return list(chain.from_iterable(map(self._memo.__getitem__, self.words_of(text))))


class _PieceMemo(dict[str, tuple[int, ...]]):
    """Word -> its ids. Source code repeats its words, so most look-ups are hits."""

    def __init__(self, ids: Mapping[str, int], longest: int) -> None:
        super().__init__({"": ()})  # the empty word between two spaces
        self._ids = ids
        self._longest = longest
        self._unknown = (ids[UNKNOWN],)
        self._long_words = 0
        self._reaches: dict[str, int] = {}
        """What :func:`_reaches_in` gives, once many long words have come: text such as Base64 is made of them, each another one."""

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(word) > MAX_WORD_CHARACTERS:
            return self._unknown
        if len(self) >= MAX_MEMO_WORDS:
            self.clear()
            self[""] = ()
        self._long_words += len(word) > self._longest
        if self._long_words > _MOST_LONG_WORDS and not self._reaches:
            self._reaches = _reaches_in(self._ids)
        ids = self[word] = self._pieces_of(word)
        return ids

    def _pieces_of(self, word: str) -> tuple[int, ...]:
        """Greedy longest match from the left; where no piece matches, the whole word is unknown."""
        found: list[int] = []
        start, prefix, reaches = 0, "", self._reaches
        while start < len(word):
            reach = reaches.get(prefix + word[start : start + _BEGINNING], 1) if reaches else self._longest
            for end in range(min(len(word), start + reach), start, -1):
                piece = self._ids.get(prefix + word[start:end])
                if piece is not None:
                    found.append(piece)
                    break
            else:
                return self._unknown
            start, prefix = end, _CONTINUES
        return tuple(found)


def _reaches_in(tokens: Iterable[str]) -> dict[str, int]:
    """The first characters of tokens -> the most characters of a token that begins so; ``##`` counts as no character of it."""
    reaches: dict[str, int] = {}
    for token in tokens:
        for prefix in ("", _CONTINUES) if token.startswith(_CONTINUES) else ("",):
            beginning = token[: len(prefix) + _BEGINNING]
            reaches[beginning] = max(reaches.get(beginning, 1), len(token) - len(prefix))
    return reaches


def placed(tokens: Iterable[str]) -> dict[str, int]:
    """Each token with its position; of a token that comes twice, the last position."""
    return dict(zip(tokens, count(), strict=False))


def packed(tokens: Iterable[str]) -> bytes:
    """Distinct tokens, already in byte order, as :class:`OrderedTokens` reads them."""
    return b"".join(token.encode() + _END for token in tokens)


MOST_TOKENS: Final = 1 << 19
"""Tokens of the largest vocabulary: a bundle may bring any, and what is kept for each takes a hundred bytes."""


class OrderedTokens(Mapping[str, int]):
    """A vocabulary: distinct tokens in the order of their UTF-8 bytes, each with its position. Threads may share one.

    A query looks up a few tokens, so they are found by binary search in the bytes as they lie in the bundle. A build looks up many,
    so after :data:`_SEARCHES` look-ups a dictionary takes over.
    """

    def __init__(self, data: bytes) -> None:
        """Take the tokens in ``data``: UTF-8, each ended by a line feed. The bytes are not copied.

        Raises:
            ValueError: ``data`` has another form. The order of the tokens is only checked by :meth:`check`.
        """
        if not data.endswith(_END):
            raise ValueError("does not end with a line feed")
        if data.count(_END) > MOST_TOKENS:
            raise ValueError(f"has more than {MOST_TOKENS} tokens")
        data.decode()
        starts = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _END[0]) + 1
        self._data = data
        self._starts = np.concatenate(([0], starts)).data  # a memoryview: its items are plain integers
        self.longest = int(np.diff(starts, prepend=0).max()) - 1
        """Bytes of the longest token, and so at least the characters of each."""
        self._searches = _SEARCHES

    def check(self) -> None:
        """Check that the tokens are in order.

        Raises:
            ValueError: they are not, or one is there twice.
        """
        tokens = self._data.split(_END)[:-1]
        if not all(map(lt, tokens, tokens[1:])):
            raise ValueError("is not in the order of its bytes, each token once")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __iter__(self) -> Iterator[str]:
        return iter(self._data.decode().split("\n")[:-1])

    def __getitem__(self, token: str) -> int:
        place = self.get(token)
        if place is None:
            raise KeyError(token)
        return place

    def get(self, token: str, default: int | None = None) -> int | None:  # type: ignore[override]  # only ever asked for integers
        """The position of a token; ``default`` where the vocabulary lacks it."""
        self._searches -= 1
        if self._searches < 0:
            # The dictionary's own method replaces this one: no Python call is left between the caller and the look-up.
            self.get = placed(self).get  # type: ignore[method-assign, assignment]
            return self.get(token, default)
        place = self._place_of(token.encode("utf-8", "surrogatepass"))
        return default if place is None else place

    def _place_of(self, wanted: bytes) -> int | None:
        data, starts = self._data, self._starts
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            token = data[starts[middle] : starts[middle + 1] - 1]
            if token == wanted:
                return middle
            if token < wanted:
                low = middle + 1
            else:
                high = middle
        return None


class _Ranges:
    """Code points as sorted, disjoint ranges: ``code in ranges`` without a set of the 137,000 private-use characters."""

    def __init__(self, ranges: str) -> None:
        pairs = [(first, last or first) for first, _, last in (item.partition("-") for item in ranges.split())]
        self._firsts = [int(first, 16) for first, _ in pairs]
        self._lasts = [int(last, 16) for _, last in pairs]

    def __contains__(self, code: int) -> bool:
        place = bisect_right(self._firsts, code) - 1
        return place >= 0 and code <= self._lasts[place]


class _CleaningTable(dict[int, str]):
    """A ``str.translate`` table: removes control characters, makes white space a space, puts spaces around ideographs."""

    def __init__(self) -> None:
        super().__init__()
        self._removed = _Ranges(_REMOVED)
        self._spaces = _Ranges(_SPACES)
        self._ideographs = _Ranges(_IDEOGRAPHS)

    def __missing__(self, code: int) -> str:
        if code in self._removed:
            becomes = ""
        elif code in self._spaces:
            becomes = " "
        else:
            becomes = f" {chr(code)} " if code in self._ideographs else chr(code)
        self[code] = becomes
        return becomes


class _FoldingTable(dict[int, str]):
    """A ``str.translate`` table for decomposed text: removes accents, lower-cases characters, puts spaces around punctuation."""

    def __init__(self) -> None:
        super().__init__()
        self._accents = _Ranges(_ACCENTS)
        self._punctuation = _Ranges(_PUNCTUATION)

    def __missing__(self, code: int) -> str:
        if code in self._accents:
            becomes = ""
        elif code in self._punctuation:
            becomes = f" {chr(code)} "
        else:
            becomes = chr(code).lower()
        self[code] = becomes
        return becomes


_REMOVED = (
    # control, format and private-use characters, lone surrogates and U+FFFD; unassigned ones stay
    "0-8 B-C E-1F 7F-9F AD 600-605 61C 6DD 70F 180E 200B-200F 202A-202E 2060-2064 2066-206F D800-F8FF FEFF FFF9-FFFB FFFD "
    "110BD 1BCA0-1BCA3 1D173-1D17A E0001 E0020-E007F F0000-FFFFD 100000-10FFFD "
)

_SPACES = "9-A D 20 A0 1680 2000-200A 2028-2029 202F 205F 3000"

_ACCENTS = (
    # non-spacing marks, dropped after decomposition
    "300-36F 483-487 591-5BD 5BF 5C1-5C2 5C4-5C5 5C7 610-61A 64B-65F 670 6D6-6DC 6DF-6E4 6E7-6E8 6EA-6ED 711 730-74A "
    "7A6-7B0 7EB-7F3 816-819 81B-823 825-827 829-82D 859-85B 8E3-902 93A 93C 941-948 94D 951-957 962-963 981 9BC 9C1-9C4 "
    "9CD 9E2-9E3 A01-A02 A3C A41-A42 A47-A48 A4B-A4D A51 A70-A71 A75 A81-A82 ABC AC1-AC5 AC7-AC8 ACD AE2-AE3 B01 B3C B3F "
    "B41-B44 B4D B56 B62-B63 B82 BC0 BCD C00 C3E-C40 C46-C48 C4A-C4D C55-C56 C62-C63 C81 CBC CBF CC6 CCC-CCD CE2-CE3 D01 "
    "D41-D44 D4D D62-D63 DCA DD2-DD4 DD6 E31 E34-E3A E47-E4E EB1 EB4-EB9 EBB-EBC EC8-ECD F18-F19 F35 F37 F39 F71-F7E "
    "F80-F84 F86-F87 F8D-F97 F99-FBC FC6 102D-1030 1032-1037 1039-103A 103D-103E 1058-1059 105E-1060 1071-1074 1082 "
    "1085-1086 108D 109D 135D-135F 1712-1714 1732-1734 1752-1753 1772-1773 17B4-17B5 17B7-17BD 17C6 17C9-17D3 17DD "
    "180B-180D 18A9 1920-1922 1927-1928 1932 1939-193B 1A17-1A18 1A1B 1A56 1A58-1A5E 1A60 1A62 1A65-1A6C 1A73-1A7C 1A7F "
    "1AB0-1ABD 1B00-1B03 1B34 1B36-1B3A 1B3C 1B42 1B6B-1B73 1B80-1B81 1BA2-1BA5 1BA8-1BA9 1BAB-1BAD 1BE6 1BE8-1BE9 1BED "
    "1BEF-1BF1 1C2C-1C33 1C36-1C37 1CD0-1CD2 1CD4-1CE0 1CE2-1CE8 1CED 1CF4 1CF8-1CF9 1DC0-1DF5 1DFC-1DFF 20D0-20DC 20E1 "
    "20E5-20F0 2CEF-2CF1 2D7F 2DE0-2DFF 302A-302D 3099-309A A66F A674-A67D A69E-A69F A6F0-A6F1 A802 A806 A80B A825-A826 "
    "A8C4 A8E0-A8F1 A926-A92D A947-A951 A980-A982 A9B3 A9B6-A9B9 A9BC A9E5 AA29-AA2E AA31-AA32 AA35-AA36 AA43 AA4C AA7C "
    "AAB0 AAB2-AAB4 AAB7-AAB8 AABE-AABF AAC1 AAEC-AAED AAF6 ABE5 ABE8 ABED FB1E FE00-FE0F FE20-FE2F 101FD 102E0 10376-1037A "
    "10A01-10A03 10A05-10A06 10A0C-10A0F 10A38-10A3A 10A3F 10AE5-10AE6 11001 11038-11046 1107F-11081 110B3-110B6 "
    "110B9-110BA 11100-11102 11127-1112B 1112D-11134 11173 11180-11181 111B6-111BE 111CA-111CC 1122F-11231 11234 "
    "11236-11237 112DF 112E3-112EA 11300-11301 1133C 11340 11366-1136C 11370-11374 114B3-114B8 114BA 114BF-114C0 "
    "114C2-114C3 115B2-115B5 115BC-115BD 115BF-115C0 115DC-115DD 11633-1163A 1163D 1163F-11640 116AB 116AD 116B0-116B5 "
    "116B7 1171D-1171F 11722-11725 11727-1172B 16AF0-16AF4 16B30-16B36 16F8F-16F92 1BC9D-1BC9E 1D167-1D169 1D17B-1D182 "
    "1D185-1D18B 1D1AA-1D1AD 1D242-1D244 1DA00-1DA36 1DA3B-1DA6C 1DA75 1DA84 1DA9B-1DA9F 1DAA1-1DAAF 1E8D0-1E8D6 "
    "E0100-E01EF "
)

_PUNCTUATION = (
    # each of these characters is a word of its own
    "21-2F 3A-40 5B-60 7B-7E "
    "A1 A7 AB B6-B7 BB BF 37E 387 55A-55F 589-58A 5BE 5C0 5C3 5C6 5F3-5F4 609-60A 60C-60D 61B 61E-61F 66A-66D 6D4 700-70D "
    "7F7-7F9 830-83E 85E 964-965 970 AF0 DF4 E4F E5A-E5B F04-F12 F14 F3A-F3D F85 FD0-FD4 FD9-FDA 104A-104F 10FB 1360-1368 "
    "1400 166D-166E 169B-169C 16EB-16ED 1735-1736 17D4-17D6 17D8-17DA 1800-180A 1944-1945 1A1E-1A1F 1AA0-1AA6 1AA8-1AAD "
    "1B5A-1B60 1BFC-1BFF 1C3B-1C3F 1C7E-1C7F 1CC0-1CC7 1CD3 2010-2027 2030-2043 2045-2051 2053-205E 207D-207E 208D-208E "
    "2308-230B 2329-232A 2768-2775 27C5-27C6 27E6-27EF 2983-2998 29D8-29DB 29FC-29FD 2CF9-2CFC 2CFE-2CFF 2D70 2E00-2E2E "
    "2E30-2E42 3001-3003 3008-3011 3014-301F 3030 303D 30A0 30FB A4FE-A4FF A60D-A60F A673 A67E A6F2-A6F7 A874-A877 "
    "A8CE-A8CF A8F8-A8FA A8FC A92E-A92F A95F A9C1-A9CD A9DE-A9DF AA5C-AA5F AADE-AADF AAF0-AAF1 ABEB FD3E-FD3F FE10-FE19 "
    "FE30-FE52 FE54-FE61 FE63 FE68 FE6A-FE6B FF01-FF03 FF05-FF0A FF0C-FF0F FF1A-FF1B FF1F-FF20 FF3B-FF3D FF3F FF5B FF5D "
    "FF5F-FF65 10100-10102 1039F 103D0 1056F 10857 1091F 1093F 10A50-10A58 10A7F 10AF0-10AF6 10B39-10B3F 10B99-10B9C "
    "11047-1104D 110BB-110BC 110BE-110C1 11140-11143 11174-11175 111C5-111C9 111CD 111DB 111DD-111DF 11238-1123D 112A9 "
    "114C6 115C1-115D7 11641-11643 1173C-1173E 12470-12474 16A6E-16A6F 16AF5 16B37-16B3B 16B44 1BC9F 1DA87-1DA8B "
)

_IDEOGRAPHS = "3400-4DBF 4E00-9FFF F900-FAFF 20000-2A6DF 2A700-2B81F 2B920-2CEAF 2F800-2FA1F"
