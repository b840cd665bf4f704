"""The environment that a runner sets in, the action's inputs out: each is checked, and an error names the input at fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, cast

from hardtack.bundle.format.digest import is_digest
from hardtack.bundle.format.layout import COMMIT_COUNT_LIMIT
from hardtack.errors import UsageError

PREFIX: Final = "HARDTACK_CI_"
"""The prefix of each input's variable: ``max-size-mb`` comes in ``HARDTACK_CI_MAX_SIZE_MB``."""

_LARGEST_MB: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The action's inputs, under their own names."""

    repository_path: Path
    profile: str
    """``hybrid`` or ``keyword``."""
    text: str
    """``full`` or ``none``."""
    secrets: Literal["redact", "fail", "warn"]
    """How secrets in the source are treated; see :class:`SourceOptions`."""
    base: str
    """``auto``, ``none``, or the digest of the one bundle or pack that rows may be taken over from. Unless it is ``none``, the pack
    also holds the members that only the next build reads."""
    max_size_mb: int
    """Of the pack, in units of 2^20 bytes."""
    check_reproducible: bool
    summary: bool
    comment: bool
    """Compare the bundle of a pull request with that of its base, and keep what another job makes a comment of."""
    scip: tuple[Path, ...]
    """Indexes that languages' own indexers wrote, in the order of their lines."""
    history: int
    """Commits of the history that the bundle holds; 0 for none."""
    follow_git: bool
    """Build a checkout whose git directory leads into a repository that does not name it, as after ``git clone --reference``."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Inputs:
        """The inputs in the environment; a variable that is missing or empty gives the default.

        Raises:
            UsageError: an input has an invalid value.
        """
        given = _Given(environment)
        return cls(
            repository_path=Path(given.text("repository-path", ".")),
            profile=given.one_of("profile", ("hybrid", "keyword")),
            text=given.one_of("text", ("full", "none")),
            secrets=cast(Literal["redact", "fail", "warn"], given.one_of("secrets", ("redact", "fail", "warn"))),
            base=given.base("base"),
            max_size_mb=given.number("max-size-mb", 512, least=1, most=_LARGEST_MB),
            check_reproducible=given.flag("check-reproducible", default=False),
            summary=given.flag("summary", default=True),
            comment=given.flag("comment", default=True),
            scip=given.paths("scip"),
            history=given.number("history", 200, least=0, most=COMMIT_COUNT_LIMIT),
            follow_git=given.flag("follow-git", default=False),
        )


def variable_of(name: str) -> str:
    """The environment variable of an input."""
    return PREFIX + name.replace("-", "_").upper()


class _Given:
    """Reads single inputs from the environment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str, default: str) -> str:
        return self._environment.get(variable_of(name), "").strip() or default

    def one_of(self, name: str, values: Sequence[str]) -> str:
        """One of ``values``; the first is the default."""
        value = self.text(name, values[0])
        if value not in values:
            raise _refused(name, value, f"It is {' or '.join(values)}.")
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name, str(default).lower())
        if value not in ("true", "false"):
            raise _refused(name, value, "It is true or false.")
        return value == "true"

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        value = self.text(name, str(default))
        if not (value.isascii() and value.isdecimal() and len(value) <= 7 and least <= int(value) <= most):
            raise _refused(name, value, f"It is a number from {least} to {most}.")
        return int(value)

    def paths(self, name: str) -> tuple[Path, ...]:
        """One path a line; none for ``none``."""
        lines = [line.strip() for line in self.text(name, "none").splitlines()]
        return tuple(Path(line) for line in lines if line) if lines != ["none"] else ()

    def base(self, name: str) -> str:
        value = self.text(name, "auto")
        if value not in ("auto", "none") and not is_digest(value):
            raise _refused(name, value, "It is auto, none, or a digest: sha256: and 64 digits of 0-9a-f.")
        return value


def _refused(name: str, value: str, hint: str) -> UsageError:
    return UsageError(f"The input {name} cannot be {value!r}.", hint=hint)
