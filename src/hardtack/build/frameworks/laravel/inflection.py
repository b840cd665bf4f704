"""An English word in, its plural or singular out, as Laravel computes it for the names of tables and route parameters.

Laravel uses Doctrine Inflector (MIT); the rules below are those of its version 2.0.10, in its order.
``benchmarks/inflection_oracle.py`` compares them with Doctrine itself on a dictionary.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PLURALS: Final = (
    ("(s)tatus$", r"\1tatuses"),
    ("(quiz)$", r"\1zes"),
    ("^(ox)$", r"\1en"),
    ("([m|l])ouse$", r"\1ice"),
    ("(matr|vert|ind)(ix|ex)$", r"\1ices"),
    ("(x|ch|ss|sh)$", r"\1es"),
    ("([^aeiouy]|qu)y$", r"\1ies"),
    ("(hive|gulf)$", r"\1s"),
    ("(?:([^f])fe|([lr])f)$", r"\1\2ves"),
    ("sis$", "ses"),
    ("([ti])um$", r"\1a"),
    ("(tax)on$", r"\1a"),
    ("(c)riterion$", r"\1riteria"),
    ("(p)erson$", r"\1eople"),
    ("(m)an$", r"\1en"),
    ("(c)hild$", r"\1hildren"),
    ("(f)oot$", r"\1eet"),
    ("(buffal|her|potat|tomat|volcan)o$", r"\1oes"),
    ("(alumn|bacill|cact|foc|fung|nucle|radi|stimul|syllab|termin|vir)us$", r"\1i"),
    ("us$", "uses"),
    ("(alias)$", r"\1es"),
    ("(analys|ax|cris|test|thes)is$", r"\1es"),
    ("s$", "s"),
    ("$", "s"),
)
_SINGULARS: Final = (
    ("(s)tatuses$", r"\1tatus"),
    ("(s)tatus$", r"\1tatus"),
    ("(c)ampus$", r"\1ampus"),
    ("^(.*)(menu)s$", r"\1\2"),
    ("(quiz)zes$", r"\1"),
    ("(matr)ices$", r"\1ix"),
    ("(vert|ind)ices$", r"\1ex"),
    ("^(ox)en", r"\1"),
    ("(alias)(es)*$", r"\1"),
    ("(buffal|her|potat|tomat|volcan)oes$", r"\1o"),
    ("(alumn|bacill|cact|foc|fung|nucle|radi|stimul|syllab|termin|viri?)i$", r"\1us"),
    ("([ftw]ax)es", r"\1"),
    ("(analys|ax|cris|test|thes)es$", r"\1is"),
    ("(shoe|slave)s$", r"\1"),
    ("(o)es$", r"\1"),
    ("ouses$", "ouse"),
    ("([^a])uses$", r"\1us"),
    ("([m|l])ice$", r"\1ouse"),
    ("(x|ch|ss|sh)es$", r"\1"),
    ("(m)ovies$", r"\1ovie"),
    ("(s)eries$", r"\1eries"),
    ("([^aeiouy]|qu)ies$", r"\1y"),
    ("([lr])ves$", r"\1f"),
    ("(tive|hive|drive|dive|olive)s$", r"\1"),
    ("([^fo])ves$", r"\1fe"),
    ("(^analy)ses$", r"\1sis"),
    ("(analy|diagno|^ba|(p)arenthe|(p)rogno|(s)ynop|(t)he)ses$", r"\1\2sis"),
    ("(tax)a$", r"\1on"),
    ("(c)riteria$", r"\1riterion"),
    ("([ti])a(?<!regatta)$", r"\1um"),
    ("(p)eople$", r"\1erson"),
    ("(m)en$", r"\1an"),
    ("(c)hildren$", r"\1hild"),
    ("(f)eet$", r"\1oot"),
    ("(n)ews$", r"\1ews"),
    ("eaus$", "eau"),
    ("^tights$", "tights"),
    ("^shorts$", "shorts"),
    ("s$", ""),
)
_IRREGULAR: Final = """
    atlas/atlases axis/axes axe/axes beef/beefs blouse/blouses brother/brothers cafe/cafes cave/caves chateau/chateaux
    niveau/niveaux child/children canvas/canvases cookie/cookies brownie/brownies corpus/corpuses cow/cows criterion/criteria
    curriculum/curricula demo/demos domino/dominoes echo/echoes epoch/epochs foot/feet fungus/fungi ganglion/ganglions gas/gases
    genie/genies genus/genera goose/geese graffito/graffiti hippopotamus/hippopotami hoof/hoofs human/humans iris/irises
    larva/larvae leaf/leaves lens/lenses loaf/loaves man/men medium/media memorandum/memoranda money/monies mongoose/mongooses
    motto/mottoes move/moves mythos/mythoi niche/niches nucleus/nuclei numen/numina occiput/occiputs octopus/octopuses
    opus/opuses ox/oxen passerby/passersby penis/penises person/people plateau/plateaux runner-up/runners-up safe/safes
    sex/sexes sieve/sieves soliloquy/soliloquies son-in-law/sons-in-law syllabus/syllabi testis/testes thief/thieves tooth/teeth
    tornado/tornadoes trilby/trilbys turf/turfs valve/valves volcano/volcanoes abuse/abuses avalanche/avalanches cache/caches
    curve/curves emphasis/emphases foe/foes grave/graves hoax/hoaxes neurosis/neuroses save/saves wave/waves oasis/oases
    zombie/zombies
"""
"""Singular/plural. If two words have the same plural, the last one is its singular."""
_UNINFLECTED: Final = r"""
    \w+media advice aircraft amoyese art audio baggage bison borghese bream breeches britches buffalo butter cantus carp cattle
    chassis clippers clothing coal cod coitus compensation congoese contretemps coreopsis corps cotton data debris deer diabetes
    djinn education eland elk emoji equipment evidence faroese feedback fish flounder flour foochowese food furniture gallows
    genevese genoese gilbertese gold headquarters herpes hijinks homework hottentotese impatience information innings jackanapes
    jeans jedi kin kiplingese knowledge kongoese leather love lucchese luggage mackerel maltese management metadata mews money
    moose mumps music nankingese news nexus niasese nutrition offspring oil patience pekingese piedmontese pincers pistoiese
    plankton pliers pokemon police polish portuguese proceedings progress rabies rain research rhinoceros rice salmon sand
    sarawakese scissors sea[-]bass series shavese shears sheep siemens silk sms soap spam species staff sugar
    swine talent toothpaste traffic travel trousers trout tuna us vermontese vinegar weather wenchowese wheat whiting wildebeest
    wood wool yengeese
"""
_UNINFLECTED_PLURALS: Final = r"people trivia \w+ware media"
_UNINFLECTED_SINGULARS: Final = ".*ss clothes data fascia fuchsia galleria mafia militia pants petunia sepia trivia utopia"
_UNCOUNTABLE: Final = frozenset({"recommended", "related"})
"""Laravel's own."""
_ENDS_LIKE_A_WORD: Final = re.compile("[A-Za-z0-9\x80-\uffff]$")


class _Rules:
    """One direction: whole words that do not change, irregular words, and endings."""

    def __init__(self, uninflected: str, irregular: Mapping[str, str], endings: Sequence[tuple[str, str]]) -> None:
        flags = re.IGNORECASE | re.ASCII
        self._uninflected = re.compile("|".join((uninflected + " " + _UNINFLECTED).split()), flags)
        self._irregular = irregular
        self._endings = [(re.compile(ending, flags), form) for ending, form in endings]

    def inflected(self, word: str) -> str:
        """The word's other form; that of an irregular word is in lower case."""
        if not word or self._uninflected.fullmatch(word):
            return word
        if (form := self._irregular.get(word.lower(), word)) != word:
            return form
        return next((ending.sub(form, word) for ending, form in self._endings if ending.search(word)), word)


@cache
def _rules() -> tuple[_Rules, _Rules]:
    """(rules to the plural, rules to the singular)."""
    pairs = [(one, many) for one, _, many in (pair.partition("/") for pair in _IRREGULAR.split())]
    return (
        _Rules(_UNINFLECTED_PLURALS, dict(pairs), _PLURALS),
        _Rules(_UNINFLECTED_SINGULARS, {many: one for one, many in pairs}, _SINGULARS),
    )


def plural(word: str) -> str:
    """The plural of one word: ``post`` -> ``posts``, ``Category`` -> ``Categories``, ``news`` -> ``news``."""
    if word.lower() in _UNCOUNTABLE or not _ENDS_LIKE_A_WORD.search(word):
        return word
    return _in_case_of(word, _rules()[0].inflected(word))


def singular(word: str) -> str:
    """The singular of one word: ``posts`` -> ``post``, ``photos`` -> ``photo``."""
    return _in_case_of(word, _rules()[1].inflected(word))


def _in_case_of(model: str, word: str) -> str:
    """The word in the case of ``model``: lower, upper or title."""
    if model.lower() == model:
        return word.lower()
    if model.upper() == model:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].upper() == model[:1] else word


def plural_studly(name: str) -> str:
    """A camel-case name with its last word in the plural: ``UserProfile`` -> ``UserProfiles``."""
    last = max((index for index, letter in enumerate(name) if index and "A" <= letter <= "Z"), default=0)
    return name[:last] + plural(name[last:])


def snake(name: str) -> str:
    """``UserProfile`` -> ``user_profile``; every capital begins a word: ``URLList`` -> ``u_r_l_list``."""
    if name.isascii() and name.isalpha() and name.islower():
        return name
    joined = "".join(word[:1].upper() + word[1:] for word in name.split())
    return re.sub(r"(.)(?=[A-Z])", r"\1_", joined).lower()
