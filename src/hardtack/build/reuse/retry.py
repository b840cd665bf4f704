"""The attempts of one build: with a base and a checkpoint, then with the checkpoint alone, then from nothing.

A base bundle or a checkpoint can be wrong in ways that only show when its rows are used. A build must not fail because of them, so
an attempt that fails with them is repeated without them, and the report says why.
"""

from __future__ import annotations

import struct
from typing import Final, Protocol, TypeVar

from hardtack.build.options import BuildOptions, OwnWork
from hardtack.build.report import BuildReport
from hardtack.build.reuse.base_bundle import BaseBundle, Unusable
from hardtack.build.reuse.usable_base import opened_base, refusal
from hardtack.bundle.placing import Destination
from hardtack.encoders import Encoder
from hardtack.errors import BuildError, BundleError
from hardtack.nouns.model import Provenance

MALFORMED_ROWS: Final = (
    *(TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError, struct.error),
)
"""What rows of an unexpected shape can raise. If the fault is the program's own, the last attempt raises it again."""


_Built = TypeVar("_Built", covariant=True)
_Result = TypeVar("_Result")


class Attempt(Protocol[_Built]):
    """Builds all of a bundle, or of a shard, once."""

    def __call__(self, base: BaseBundle | None, *, resumes: bool) -> _Built:
        """Build with ``base``; with what the checkpoint holds if ``resumes``, else with an empty one."""
        ...


def with_fallbacks(
    attempt: Attempt[_Result],
    destination: Destination,
    options: BuildOptions,
    provenance: Provenance,
    encoder: Encoder | None,
    report: BuildReport,
    own: OwnWork | None,
) -> _Result:
    """Build with as much reuse as works: at most three attempts.

    Args:
        attempt: builds once.
        destination: where the bundle goes; the base of ``options.base == "auto"``.
        options: what to build, and which base to use.
        provenance: of the source tree.
        encoder: of the new bundle; None without vectors.
        report: told why an attempt is repeated, and what it had noted is cleared.
        own: remembers what this user's builder made.

    Raises:
        BuildError: the base is of no use, and the options ask for no build without it.
        Whatever the last attempt raises.
    """
    with opened_base(options, destination, provenance, encoder, report.notes, own) as base:
        if base is not None:
            report.before = base.contents
            try:
                return attempt(base, resumes=True)
            except (Unusable, BundleError, *MALFORMED_ROWS) as error:
                if options.only_over_base:
                    raise BuildError(str(error)) from error
                report.begin_again(refusal(options, destination, error))
    try:
        return attempt(None, resumes=True)
    except (BundleError, *MALFORMED_ROWS) as error:
        if not report.resumed:
            raise
        report.begin_again(f"What an interrupted build had left is of no use: {str(error).rstrip('.')}")
    return attempt(None, resumes=False)
