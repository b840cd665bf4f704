"""What a comment says, as data: from and to JSON of a closed schema in which every list and text has its bound.

The one place that says what a job may hand to the job that posts. A field that is unknown, missing, of another type or too long
makes all of it invalid.
"""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from hardtack.errors import PolicyError
from hardtack.store.strict_json import parse_object

NAME: Final = "hardtack-comment.json"
"""Of the file, and so of the artifact that it is kept as."""
SCHEMA: Final = "hardtack.comment/1"
LIMIT: Final = 128 << 10
"""Bytes of the JSON at most; a note of full lists has about a quarter of that."""
NAME_LENGTH: Final = 160
SENTENCE_LENGTH: Final = 320
BREAKAGES, CHANGES, REACHED, TESTS, REASONS, NOTES, COUNTS = 7, 5, 4, 5, 24, 2, 8
"""Entries of each list at most; with all of them a comment has fewer than 60 lines."""

_PLACE: Final = re.compile(r"at `\$\.([\w.\[\]]+)`\Z")
"""Where the schema's library says that a document breaks it."""

Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
"""A name, path or kind."""
Sentence = Annotated[str, Meta(max_length=SENTENCE_LENGTH)]
"""Without a full stop; names stand between backticks."""
Number = Annotated[int, Meta(ge=0, le=10**12)]
Commit = Annotated[str, Meta(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?\Z")]
Digest = Annotated[str, Meta(pattern=r"^sha256:[0-9a-f]{64}\Z")]
Word = Annotated[str, Meta(pattern=r"^[a-z][a-z -]{0,39}\Z")]
"""One of our own words."""


class Closed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record that has these fields and no others."""


class Broken(Closed, frozen=True, kw_only=True):
    """A change that breaks callers or may do so; one reason of it."""

    is_sure: bool
    kind: Name
    name: Name
    path: Name
    line: Number
    rule: Word
    says: Sentence


class Surfaced(Closed, frozen=True, kw_only=True):
    """A change of a symbol that code outside of the repository can name."""

    change: Literal["added", "removed", "moved", "renamed", "signature", "visibility"]
    kind: Name
    name: Name
    was: Name
    """Its name before; empty if that is the same."""
    path: Name
    line: Number


class Counted(Closed, frozen=True, kw_only=True):
    """How many there are of a sort."""

    sort: Name
    count: Number
    before: Number
    """How many there were in the bundle that it is compared with."""


class Reached(Closed, frozen=True, kw_only=True):
    """A symbol that leads to what changed."""

    kind: Name
    name: Name
    path: Name
    line: Number
    distance: Number
    certainty: Word
    entry: Name
    """Why it is an entry point; empty if it is none."""


class FileOfTests(Closed, frozen=True, kw_only=True):
    """A file with tests that what changed may break."""

    path: Name
    tests: Number
    """How many of its tests; 0 for all of the file."""
    reason: Literal["changed", "references", "naming", "imports", "location"]
    """Why they are taken for affected, the strongest of them: a value of :class:`hardtack.nouns.impact.Reason`."""


class Reach(Closed, frozen=True, kw_only=True):
    """What the change reaches."""

    reached: Number
    entries: Number
    shown: Annotated[tuple[Reached, ...], Meta(max_length=REACHED)]
    test_files: Number
    all_test_files: Number
    tests: Annotated[tuple[FileOfTests, ...], Meta(max_length=TESTS)]
    unresolved: Number
    is_whole: bool


class Built(Closed, frozen=True, kw_only=True):
    """The bundle of the pull request."""

    bundle_digest: Digest
    pack_digest: Digest
    pack_bytes: Number
    files: Number
    symbols: Number


class Note(Closed, frozen=True, kw_only=True):
    """All that a comment says."""

    schema: Literal["hardtack.comment/1"] = SCHEMA
    base: Commit
    head: Commit
    """The commit that was built: that of a pull request merged into its base, where that is checked out."""
    files_changed: Number
    breaks: Number
    """Symbols whose change breaks callers."""
    may_break: Number
    broken: Annotated[tuple[Broken, ...], Meta(max_length=BREAKAGES)]
    surface: Annotated[tuple[Counted, ...], Meta(max_length=COUNTS)]
    """Exported symbols that changed, by the sort of change."""
    surfaced: Annotated[tuple[Surfaced, ...], Meta(max_length=CHANGES)]
    """Those that do not break callers."""
    surfaced_in_all: Number
    reach: Reach | None
    skipped: Annotated[tuple[Counted, ...], Meta(max_length=REASONS)]
    secrets: Annotated[tuple[Counted, ...], Meta(max_length=REASONS)]
    built: Built
    notes: Annotated[tuple[Sentence, ...], Meta(max_length=NOTES)]
    """What could not be compared or told."""

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to say: no surface changed, nothing is reached, and nothing more was left out than before."""
        reaches = self.reach is not None and (self.reach.reached or self.reach.test_files)
        left_out = any(each.count > each.before for each in (*self.skipped, *self.secrets))
        return not (self.breaks or self.may_break or self.surface or reaches or left_out)


def note_to_json(note: Note) -> bytes:
    """The note as it is kept."""
    return msgspec.json.encode(note)


def note_of_json(data: bytes) -> Note:
    """The note in a file that anybody may have written.

    Raises:
        PolicyError: it is larger than :data:`LIMIT`, no JSON, or of another schema. The message names the place at fault, and
            repeats nothing that stands there.
    """
    if len(data) > LIMIT:
        raise _refused(f"it has {len(data)} bytes, over the limit of {LIMIT}")
    try:
        return msgspec.convert(parse_object(data), Note)
    except msgspec.ValidationError as error:
        found = _PLACE.search(str(error))
        raise _refused(f"it breaks the schema {SCHEMA} at {found[1] if found else 'its top'}") from None
    except ValueError:
        raise _refused("it is no JSON that has one meaning") from None


def _refused(why: str) -> PolicyError:
    return PolicyError(f"The note for the comment is not taken: {why}.", hint="Use one version of Hardtack in both workflows.")
