"""A path, a glob or a name that a bundle does not have in, what the build saw there and left out, with the reason, out.

A file that was left out looks like one that never was. So every "there is no such" asks here first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from hardtack.bundle.format.records import SkipRecord
from hardtack.bundle.reader import Bundle
from hardtack.query.request.globs import path_predicate

_NAMED: Final = 3
"""Paths that a sentence names."""
_REMEDIES: Final = {
    "generated": "--keep GLOB or .hardtackkeep indexes it",
    "minified": "--keep GLOB or .hardtackkeep indexes it",
    "vendored": "--vendor, --keep GLOB or .hardtackkeep indexes it",
    "binary": "",
    "too large": "--max-file-size indexes it",
    "test": "a build without --no-tests indexes it",
    "ignored by .hardtackignore": "",
    "submodule": "a bundle of that repository has it",
}
"""What brings a path into the next bundle, by the reason why it was left out."""


def left_out_at(bundle: Bundle, path: str) -> SkipRecord | None:
    """What the build left out at exactly this path."""
    skips = bundle.skips
    at = bisect_left(range(len(skips)), path.encode("utf-8", "surrogatepass"), key=skips.text)
    if at == len(skips):
        return None
    found = skips.skip(at)
    return found if found.path == path else None


def left_out_below(bundle: Bundle, directory: str) -> list[SkipRecord]:
    """What the build left out below a directory, in order of paths; all of it for the top, ``""``."""
    skips = bundle.skips
    prefix = f"{directory}/" if directory else ""
    at = bisect_left(range(len(skips)), prefix.encode("utf-8", "surrogatepass"), key=skips.text)
    found = []
    for row in range(at, len(skips)):
        skip = skips.skip(row)
        if not skip.path.startswith(prefix):
            break
        found.append(skip)
    return found


def left_out_matching(bundle: Bundle, globs: Sequence[str]) -> list[SkipRecord]:
    """What the build left out and these globs match, in order of paths."""
    matches = path_predicate(globs)
    return [skip for skip in left_out_below(bundle, "") if matches(skip.path)]


def left_out_named(bundle: Bundle, name: str) -> list[SkipRecord]:
    """The files left out that are called as a symbol is: ``BaseEntity`` and ``model/BaseEntity.java``."""
    wanted = name.replace("::", ".").replace("\\", ".").rpartition(".")[2].replace("_", "").lower()
    skips = left_out_below(bundle, "") if wanted else []
    return [skip for skip in skips if skip.path.rpartition("/")[2].partition(".")[0].replace("_", "").lower() == wanted]


def sentence_of(skips: Sequence[SkipRecord]) -> str:
    """One sentence that says what was left out and why, with what brings it back; empty for nothing."""
    if not skips:
        return ""
    if len(skips) == 1:
        skip = skips[0]
        evidence = f" ({skip.detail})" if skip.detail else ""
        remedy = _REMEDIES.get(skip.reason, "")
        return f"The build left out {skip.path} as {_as(skip.reason)}{evidence}{f'; {remedy}' if remedy else ''}."
    counts = Counter(skip.reason for skip in skips).most_common()
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts)
    named = ", ".join(skip.path for skip in skips[:_NAMED])
    return f"The build left out {len(skips)} files ({reasons}): {named}{', ...' if len(skips) > _NAMED else ''}."


def left_out_to_json(skips: Sequence[SkipRecord]) -> list[dict[str, Any]]:
    """The entries of an answer in JSON."""
    return [skip._asdict() for skip in skips]


def _as(reason: str) -> str:
    """A reason after "as": most are words for what the file is."""
    return {
        "test": "a test",
        "secret": "a secret",
        "submodule": "a submodule",
        "symlink": "a symbolic link",
        "special file": "a special file",
        "lfs pointer": "a pointer of Git LFS",
        "ignored by .hardtackignore": "ignored",
    }.get(reason, reason)
