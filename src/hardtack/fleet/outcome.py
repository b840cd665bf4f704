"""What became of one repository <-> plain values, which go through pipes, over a cluster and into the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from hardtack.errors import HardtackError
from hardtack.fleet.listing import Entry

DONE: Final = "done"
UNCHANGED: Final = "unchanged"
FAILED: Final = "failed"
STATES: Final = (DONE, UNCHANGED, FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why there is no bundle, as every error of this program says it."""

    code: str
    """Stable; see :mod:`hardtack.errors`."""
    message: str
    """One sentence."""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one repository; what is not known is 0 or empty."""

    address: str
    ref: str
    state: str
    """``done``: built and published; ``unchanged``: the shelf has had it; ``failed``: ``failure`` says why."""
    repository: str = ""
    """``host/owner/name``."""
    commit: str = ""
    commit_time: int = 0
    """Seconds since 1970 UTC."""
    digest: str = ""
    """Bundle digest."""
    pack_digest: str = ""
    pack_bytes: int = 0
    fetched_bytes: int = 0
    """What git keeps of the one commit."""
    files: int = 0
    lines: int = 0
    text_bytes: int = 0
    seconds: float = 0.0
    """From the start of its process to its end."""
    cpu_seconds: float = 0.0
    """Of its process and of all that it waited for."""
    entry: str = ""
    """What the catalogue is to say of the bundle: a catalogue of this one, as JSON; empty once it says so."""
    failure: Failure | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain values, without those that say nothing."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "", 0)}


def failed(entry: Entry, error: HardtackError, *, seconds: float = 0.0) -> Outcome:
    """The outcome of a repository that an error ended before its process could say anything."""
    failure = Failure(code=error.code, message=str(error), hint=error.hint)
    return Outcome(
        address=entry.address, ref=entry.ref, repository=entry.name, state=FAILED, seconds=round(seconds, 3), failure=failure
    )


def outcome_of(values: object) -> Outcome:
    """The outcome in plain values, as :meth:`Outcome.to_json` gives them.

    Raises:
        ValueError: they are no outcome.
    """
    if not isinstance(values, Mapping) or not {"address", "state"} <= set(values) or values["state"] not in STATES:
        raise ValueError("no outcome")
    types: dict[str, type] = {field.name: type(getattr(_EMPTY, field.name)) for field in fields(Outcome)}
    known = {name: value for name, value in values.items() if name != "failure"}
    if any(type(value) is not types.get(name) for name, value in known.items()):
        raise ValueError("no outcome")
    failure = values.get("failure")
    if failure is None:
        return Outcome(**{"ref": "", **known})
    if not isinstance(failure, Mapping) or not all(isinstance(value, str) for value in failure.values()):
        raise ValueError("no outcome")
    try:
        return Outcome(**{"ref": "", **known}, failure=Failure(**failure))
    except TypeError as error:
        raise ValueError("no outcome") from error


_EMPTY: Final = Outcome(address="", ref="", state=DONE)
