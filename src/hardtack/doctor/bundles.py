"""The current directory in; the bundles that verbs find from there, and whether each is intact and up to date, out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hardtack.bundle.integrity import without_absent
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.doctor.findings import Finding, Surroundings, ok, problem, warning
from hardtack.encoders import OVER_NETWORK, EncoderSettings
from hardtack.errors import NO_ENCODER, BundleError, BundleNotFound, HardtackError, PolicyError, SourceError, UsageError
from hardtack.query.checkout.head import Checkout
from hardtack.query.retrieval.encoder import encoder_of
from hardtack.query.state.readiness import check_everything
from hardtack.query.state.staleness import staleness_of
from hardtack.store.collect import collect
from hardtack.store.locate import Located, locate_all, passed_over

_BUILD: Final = "Run: hardtack build"


def check_bundles(surroundings: Surroundings) -> Iterator[Finding]:
    """Check every bundle that can be searched from here, the default first."""
    named = surroundings.environment.get("HARDTACK_BUNDLE", "")
    try:
        found = locate_all([named] if named else [], surroundings.roots, [surroundings.start], surroundings.cache)
    except BundleNotFound as error:
        yield problem("bundle", f"HARDTACK_BUNDLE: {error}", error.hint, exit_code=error.exit_code)
        return
    except (PolicyError, SourceError):  # check_cache reports these
        found = []
    for sentence in [] if named else passed_over([surroundings.start], surroundings.roots, surroundings.cache):
        yield warning("bundle", sentence, _BUILD)
    if not found:
        nowhere = f"there is none in or above {surroundings.start}, nor below HARDTACK_BUNDLE_PATH, nor installed"
        yield warning("bundle", nowhere, _BUILD)
    for place, located in enumerate(found):
        yield from _check_bundle(located, _reason(located, named, place, len(found)), surroundings)


def _reason(located: Located, named: str, place: int, count: int) -> str:
    """Why the bundle was found, as a phrase."""
    if named:
        return "named by HARDTACK_BUNDLE"
    if located.path.parent.name == ".hardtack":
        return f"the one of {located.path.parent.parent}"
    if located.installed:
        return f"installed as {located.installed.name}"
    if count == 1:
        return "the only one below HARDTACK_BUNDLE_PATH"
    return f"below HARDTACK_BUNDLE_PATH; verbs read it with -b {located.path.name}"


def check_cache(surroundings: Surroundings) -> Iterator[Finding]:
    """Check the cache of installed bundles: its permissions, its records, and what ``hardtack gc`` would remove."""
    about = "installed bundles"
    cache = surroundings.cache()
    if cache is None:
        yield warning(about, "there is no home directory to keep them in", "Set HARDTACK_CACHE to a directory of your own.")
        return
    try:
        entries, faults = cache.survey()
    except HardtackError as error:
        yield problem(about, str(error), error.hint, exit_code=error.exit_code)
        return
    for fault in faults:
        yield warning(about, f"a record is left out: {fault}", "Install the bundle again, or remove the file.")
    try:
        left = collect(cache, dry_run=True, now=surroundings.now)
    except HardtackError as error:
        yield problem(about, f"nothing can be removed: {error}", error.hint, exit_code=error.exit_code)
        return
    if left.abandoned or left.bundles:
        yield warning(about, f"{left.bytes} bytes in {cache.root} are of no use any more", "Run: hardtack gc")
    is_read_only = cache.root.exists() and not os.access(cache.root, os.W_OK)
    yield ok(about, f"{len(entries)} in {cache.root}{', which cannot be written' if is_read_only else ''}")


def _check_bundle(located: Located, reason: str, surroundings: Surroundings) -> Iterator[Finding]:
    about = f"bundle {located.path}"
    try:
        with open_bundle(located.path, check="hashes") as bundle:
            check_everything(bundle)
            members, version = without_absent(located.path, bundle.manifest).members, bundle.manifest.format_version
            size = sum(member.size for member in members)
            yield ok(about, f"{reason}; {len(members)} members, {size} bytes, all as built; format {version}")
            yield _encoder(about, bundle, surroundings)
            yield from _currency(about, bundle, surroundings)
    except BundleError as error:
        yield problem(about, f"{reason}; {error}", error.hint, exit_code=error.exit_code)


def _encoder(about: str, bundle: Bundle, surroundings: Surroundings) -> Finding:
    """Whether a query's vector can be computed here. No service is called."""
    identity = bundle.manifest.encoder
    if identity is None:
        return ok(about, "has no vectors: searches go by keyword")
    try:
        settings = EncoderSettings.from_environment(surroundings.environment)
        if settings.scheme in OVER_NETWORK and settings.network and settings.full_name == identity.name:
            return ok(about, f"its encoder {identity.name} is a service, which was not called")
        encoder_of(bundle, replace(settings, network=False))
    except (*NO_ENCODER, UsageError) as error:
        return warning(about, f"its encoder cannot be used, so searches go by keyword: {error}", error.hint)
    return ok(about, f"its encoder {identity.name} loads")


def _currency(about: str, bundle: Bundle, surroundings: Surroundings) -> Iterator[Finding]:
    """The age of the bundle's commit, and its distance to HEAD of the checkout: its own, or that of the current directory."""
    is_own = bundle.path.parent.name == ".hardtack"
    checkout = Checkout(bundle.path.absolute().parent.parent if is_own else surroundings.start)
    staleness = staleness_of(bundle.manifest.provenance, surroundings.now, checkout)
    if not is_own and staleness.distance is None:
        staleness = replace(staleness, head=None)  # the checkout is of another repository
    for sentence in staleness.warnings:
        yield warning(about, sentence, _BUILD)
    if staleness.commit and not staleness.warnings:
        age = f"{staleness.days} {'day' if staleness.days == 1 else 'days'} old"
        yield ok(about, f"its commit is {age}{' and the one that is checked out' if staleness.head else ''}")
