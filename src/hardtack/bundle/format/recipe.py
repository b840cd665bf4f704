"""A manifest in, a digest of what made its bundle out: the program, its engines and its options, and nothing of the source.

Two bundles of one commit with one recipe have the same bytes. So who has a commit and a recipe can tell, without the bundle,
whether a build would make it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hardtack.bundle.format.digest import canonical_json, digest_of
from hardtack.bundle.format.manifest import Manifest


def recipe_of(manifest: Manifest) -> str:
    """The recipe of a bundle."""
    return recipe(
        tool=manifest.tool,
        engines=manifest.engines,
        terms_fingerprint=manifest.terms_fingerprint,
        encoder=manifest.encoder.name if manifest.encoder else "",
        options=manifest.options,
        history=manifest.history.asked if manifest.history else 0,
        indexers=[each.digest for each in manifest.indexers],
    )


def recipe(
    *,
    tool: str,
    engines: Mapping[str, str],
    terms_fingerprint: str,
    encoder: str,
    options: Mapping[str, Any],
    history: int = 0,
    indexers: Sequence[str] = (),
) -> str:
    """The recipe of those parts, as a manifest has them.

    Args:
        tool: ``hardtack <version>``.
        engines: name to version of what decides bytes of a member.
        terms_fingerprint: of the word rules.
        encoder: name; empty without vectors.
        options: those that decide the content.
        history: commits that were asked for.
        indexers: digests of the indexes of languages' own indexers.

    Returns:
        ``sha256:<64 hex>``.
    """
    parts = {
        "tool": tool,
        "engines": dict(engines),
        "terms_fingerprint": terms_fingerprint,
        "encoder": encoder,
        "options": dict(options),
        "history": history,
        "indexers": list(indexers),
    }
    return digest_of(canonical_json(parts))
