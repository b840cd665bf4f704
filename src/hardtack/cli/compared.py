"""Shared by the verbs that compare two states of a repository: opens both. Not a verb."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from hardtack.bundle.reader import Bundle
from hardtack.cli import environment, moved_on
from hardtack.errors import BundleNotFound


def opened_pair(old: str, new: str | None, stack: ExitStack) -> tuple[Bundle, Bundle]:
    """The two bundles, which ``stack`` closes.

    Raises:
        HardtackError: one of them names neither a bundle nor a commit, or cannot be built.
    """
    from hardtack.diff.revisions import Revisions

    revisions = Revisions(environment.user_cache, environment.bundle_roots(), environment.starts(), notice=moved_on.say_once)
    stack.callback(revisions.close)
    named = {each: _named(each, stack) for each in (old, new) if each}
    of_tree = None if new else _of_working_tree(stack)
    like = of_tree or next((each for each in named.values() if each), None) or _of_working_tree(stack)
    for each, bundle in named.items():
        if bundle is None:
            found = revisions.find(each, like)
            named[each] = opened = stack.enter_context(_open(found.path, found.digest))
            opened.name = each
    before = named[old]
    assert before
    return before, (named[new] if new else of_tree or _laid_over(before, stack)) or before


def _named(name: str, stack: ExitStack) -> Bundle | None:
    """The bundle of that name as it was built; None if there is none."""
    try:
        return stack.enter_context(environment.opened_bundle(name, as_built=True))
    except BundleNotFound:
        return None


def _of_working_tree(stack: ExitStack) -> Bundle | None:
    """The bundle at hand with the working tree over it; None if there is none."""
    try:
        return stack.enter_context(environment.opened_bundle(None))
    except BundleNotFound:
        return None


def _laid_over(before: Bundle, stack: ExitStack) -> Bundle | None:
    """The working tree over the bundle of an older commit; None if it is the same."""
    checkout = environment.checkout_for(before.path, before.manifest.provenance)
    over = environment.working_tree(before, checkout) if checkout else None
    if over is None or over.path is None:
        return None
    moved_on.remember(over.moved)
    laid = stack.enter_context(_open(over.path, None))
    laid.name, laid.moved_on = checkout.directory.name if checkout else before.name, over.moved
    return laid


def _open(path: Path, digest: str | None) -> Bundle:
    from hardtack.bundle.reader import open_bundle

    return open_bundle(path, digest=digest)
