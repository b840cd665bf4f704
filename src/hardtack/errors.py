"""Every exception Hardtack raises on purpose, and the exit code each one becomes.

    HardtackError
     ├── UsageError            2   an invalid request: unknown language, kind, format, filter
     │    └── MissingExtra     2   the request needs an optional part of Hardtack that is not installed
     ├── NotFound              1   the bundle has no such file, directory or symbol
     ├── BundleError           3   something is wrong with a bundle
     │    ├── BundleNotFound       there is no bundle at that place
     │    │    └── NoBundleHere    none was named, and none of the working directory is at hand
     │    ├── FormatError          a member's bytes break FORMAT.md; carries the field's path
     │    ├── UnsupportedFormat    a format version this program does not read
     │    ├── IntegrityError       members differ from the manifest; carries every fault
     │    └── EncoderMismatch      the bundle's vectors come from another encoder than the one on this machine
     ├── BuildError            4   a build that cannot produce a bundle
     │    ├── SourceUnreadable     the source tree is missing or cannot be read
     │    ├── NothingIndexed       the source tree has nothing to index
     │    ├── EncoderUnavailable   the requested encoder cannot be loaded
     │    └── ClusterFailed        a cluster did not do its part; the same build can succeed later
     ├── SourceError           5   network or disk: a bundle could not be fetched or written
     ├── PolicyError           6   refused: wrong origin, dirty tree, secrets found
     └── UncheckedError        7   a check could not be made (which is not the same as failing it)

``str(error)`` is one full sentence that names the thing; ``error.hint`` says what to do about it. A :class:`UsageError` and a
:class:`NotFound` carry the code that tools report (:data:`REQUEST_CODES`). Library code raises and never prints or exits:
``cli/exits.py`` and the MCP server turn errors into messages and exit codes. This module imports only the standard library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

REQUEST_CODES: Final = MappingProxyType(
    {
        "USAGE": "any other invalid request",
        "INVALID_REQUEST": "a parameter is missing, unknown or of a wrong type; details.param names it",
        "TOOL_NOT_FOUND": "there is no such tool, or it is not served",
        "QUERY_EMPTY": "the query is empty",
        "QUERY_TOO_LONG": "the query is too long",
        "LIMIT_INVALID": "fewer than one result was requested",
        "CURSOR_INVALID": "no answer of this bundle gave this cursor",
        "MODE_INVALID": "there is no such search mode",
        "EMBEDDING_UNAVAILABLE": "vector search in a bundle without vectors",
        "LANGUAGE_UNKNOWN": "no such language; details.available lists those of the bundle",
        "SYMBOL_TYPE_INVALID": "no such kind of symbol; details.available lists them",
        "REGEX_INVALID": "the pattern does not parse, or is too large",
        "REPO_INVALID": "repo is none of docs, code and both",
        "FILE_GLOB_INVALID": "the glob cannot match anything",
        "PATH_EMPTY": "no path was given",
        "PATH_OUT_OF_ROOT": "the path leads outside the bundle",
        "PATH_AMBIGUOUS": "the path is in several roots; details.repos lists them",
        "RANGE_INVALID": "the range of lines is invalid",
        "FILE_NOT_FOUND": "the bundle has no such file",
        "FILE_UNREADABLE": "the bundle has the file but not its text",
        "DIR_NOT_FOUND": "the bundle has no such directory",
        "SYMBOL_NOT_FOUND": "nothing in the bundle has that name; details.suggestions lists the nearest",
        "SYMBOL_AMBIGUOUS": "several symbols have that name; details.candidates lists them",
        "HISTORY_UNAVAILABLE": "the bundle was built without a history",
        "BUILD_IN_PROGRESS": "the directory is being built already",
    }
)
"""The code of a refused request -> its meaning. Every other error has its class's code."""


class HardtackError(Exception):
    """The base class of every error raised on purpose. ``code`` is stable; ``exit_code`` is the exit code of the process."""

    code = "HARDTACK_ERROR"
    exit_code = 70

    def __init__(self, message: str, *, hint: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        """What to do about it, one sentence; empty when there is nothing to suggest."""
        self.details: Mapping[str, Any] = details or {}
        """What a program needs to react to the error, as JSON values."""


class UsageError(HardtackError):
    """The request is invalid."""

    code = "USAGE"
    exit_code = 2

    def __init__(self, message: str, *, hint: str = "", code: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, hint=hint, details=details)
        self.code = code or type(self).code
        """One of :data:`REQUEST_CODES`."""


class NotFound(HardtackError):
    """The bundle has no such file, directory or symbol; ``code`` tells which of them."""

    code = "NOT_FOUND"
    exit_code = 1

    def __init__(self, message: str, *, code: str, hint: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, hint=hint, details=details)
        self.code = code


class MissingExtra(UsageError):
    """An optional part of Hardtack is needed and not installed."""

    code = "MISSING_EXTRA"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the '{extra}' extra, which is not installed.",
            hint=f"Run: pip install 'hardtack[{extra}]'",
        )
        self.extra = extra


class BundleError(HardtackError):
    """Something is wrong with a bundle."""

    code = "BUNDLE_INVALID"
    exit_code = 3


class BundleNotFound(BundleError):
    """There is no bundle at the requested place."""

    code = "BUNDLE_NOT_FOUND"


class NoBundleHere(BundleNotFound):
    """No bundle was named, and there is none of the working directory: one can be pulled or built."""


class FormatError(BundleError):
    """A member's bytes break the format; ``field`` is the path to the fault, e.g. ``members[3].sha256``."""

    code = "BUNDLE_FORMAT"

    def __init__(self, message: str, *, field: str = "", hint: str = "") -> None:
        super().__init__(message, hint=hint or "Build or download the bundle again.")
        self.field = field


class UnsupportedFormat(BundleError):
    """A format version outside the range this program reads."""

    code = "BUNDLE_UNSUPPORTED"

    def __init__(self, message: str, *, found: int, readable: tuple[int, int], hint: str) -> None:
        super().__init__(message, hint=hint)
        self.found = found
        self.readable = readable


class IntegrityError(BundleError):
    """Members differ from the manifest. ``faults`` holds one sentence for each, in path order."""

    code = "BUNDLE_CORRUPT"

    def __init__(self, message: str, *, faults: Sequence[str], hint: str = "") -> None:
        super().__init__(message, hint=hint or "Build or download the bundle again.")
        self.faults = tuple(faults)


class EncoderMismatch(BundleError):
    """The bundle's vectors were made by another encoder than the one on this machine."""

    code = "ENCODER_MISMATCH"

    def __init__(self, message: str, *, wanted: str, found: str, hint: str = "") -> None:
        super().__init__(message, hint=hint or "Search with --mode keyword, or build the bundle again.")
        self.wanted = wanted
        self.found = found


class BuildError(HardtackError):
    """The build cannot produce a bundle."""

    code = "BUILD_FAILED"
    exit_code = 4


class SourceUnreadable(BuildError):
    """The source tree is missing or cannot be read."""

    code = "SOURCE_UNREADABLE"


class NothingIndexed(BuildError):
    """The source tree holds nothing that can be indexed."""

    code = "NOTHING_INDEXED"


class EncoderUnavailable(BuildError):
    """The requested encoder cannot be loaded."""

    code = "EMBEDDING_UNAVAILABLE"


class ClusterFailed(BuildError):
    """A cluster did not do its part of a build, for reasons of its own: the same build can succeed later."""

    code = "CLUSTER_FAILED"


class SourceError(HardtackError):
    """Network or disk: a bundle could not be fetched, or could not be written."""

    code = "SOURCE_FAILED"
    exit_code = 5

    def __init__(
        self, message: str, *, hint: str = "", details: Mapping[str, Any] | None = None, code: str = "", is_temporary: bool = False
    ) -> None:
        super().__init__(message, hint=hint, details=details)
        self.code = code or type(self).code
        """``SOURCE_DENIED`` when a source was reached and does not tell whether it has the pack; ``SOURCE_UNAUTHORIZED`` when it
        refuses the token, or wants one."""
        self.is_temporary = is_temporary
        """Whether the same source may answer later, and another source may be asked now."""


class PolicyError(HardtackError):
    """Refused on purpose."""

    code = "POLICY_REFUSED"
    exit_code = 6


class UncheckedError(HardtackError):
    """A check could not be made, which does not mean that something is wrong."""

    code = "UNCHECKED"
    exit_code = 7


NO_ENCODER: Final = (EncoderMismatch, EncoderUnavailable, MissingExtra, PolicyError)
"""Raised when a query's vector cannot be computed on this machine, or its user does not allow it; the bundle itself is intact."""
