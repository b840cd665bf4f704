"""The bundles that most tests read. With ``--bundles`` they may have been built on another system."""

from __future__ import annotations

from pathlib import Path

from hardtack.bundle.reader import open_bundle


def test_the_bundles_that_tests_share_are_whole(pantry_bundle: Path, bare_bundle: Path, kitchen_bundle: Path) -> None:
    for place in (pantry_bundle, bare_bundle, kitchen_bundle):
        with open_bundle(place, check="hashes") as bundle:
            assert bundle.manifest.members
