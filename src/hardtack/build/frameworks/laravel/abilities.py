"""The text of a PHP file in, the abilities that it asks for out.

``$this->authorize('update', $post)`` calls ``PostPolicy::update``: Laravel calls the policy of a model as the model and ``Policy``
("Authorization", "Policy Discovery").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

POLICY: Final = "@policy"
"""The part of a chain that leads from a model to its policy."""
_REACH: Final = 200
_ASKING: Final = re.compile(
    rb"(?:->|::)\s*(?:authorize|authorizeForUser|can|cannot|cant|allows|denies|inspect)\(\s*(?:\$\w+\s*,\s*)?['\"]\Z"
)
_MODEL: Final = re.compile(rb"['\"]\s*,\s*\[?\s*(?:(\$\w+(?:\??->\w+)*)\s*[,\])]|\\?(?:\w+\\)*(\w+)::class\b)")
_ARROW: Final = re.compile(r"\??->")


class Ability(NamedTuple):
    """A name of an ability where it is asked for."""

    start: int
    name: str
    owner: str
    """The chain that leads to the policy."""


def abilities_in(texts: Sequence[tuple[int, int]], text: bytes) -> Iterator[Ability]:
    """The abilities among the quoted texts at these (start, end)."""
    for start, end in texts:
        model = _MODEL.match(text, end, end + _REACH)
        if model is not None and _ASKING.search(text, max(0, start - _REACH), start):
            chain = _ARROW.sub(".", (model[1] or model[2]).decode("utf-8", "replace"))
            yield Ability(start, text[start:end].decode("utf-8", "replace"), f"{chain}.{POLICY}")
