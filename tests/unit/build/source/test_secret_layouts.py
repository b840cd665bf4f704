"""Secrets are taken out of the formats of files, tools and encodings, wherever such a text stands."""

from __future__ import annotations

import pytest
from secret_layouts import LAYOUTS, Laid, contexts_of_text, laid

from hardtack.build.source.secrets import redacted, secrets_in

SEEDS = 4
LEAST = 0.98


def leaked(each: Laid, text: str) -> bool:
    """Whether eight letters in a row of a secret are left, or a piece that is shorter."""
    data = text.encode()
    left = redacted(data, secrets_in(data, "any.txt")).decode()
    return any(secret[at : at + 8] in left for secret in each.secrets for at in range(max(len(secret) - 7, 0)))


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_a_secret_is_taken_out_of_every_layout_and_context(layout: str) -> None:
    kept = []
    contexts = 0
    for seed in range(SEEDS):
        each = laid(layout, seed)
        for context, text in contexts_of_text(each.text).items():
            contexts += 1
            if leaked(each, text):
                kept.append((context, text))
    assert len(kept) <= contexts * (1 - LEAST), f"{len(kept)} of {contexts}, such as {kept[0]}"


def test_there_are_more_than_sixty_layouts_in_five_contexts() -> None:
    assert len(LAYOUTS) >= 100
    assert len(contexts_of_text("x\n")) >= 5
