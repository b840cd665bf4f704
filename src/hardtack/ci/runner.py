"""Facts in, a GitHub runner's input out: outputs, the job summary, annotations; escaped, so that no text becomes a command.

A runner takes commands from a step's output: lines that begin with ``::``, and ``##[`` anywhere. File names can hold either, so
every text that comes from outside this program is escaped by one of the functions here; in the summary, by
:mod:`hardtack.comment.words`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

from hardtack.errors import SourceError
from hardtack.render.style import inert
from hardtack.store.sources.github import SCHEME, WORKFLOW

SUMMARY_LIMIT: Final = 1 << 20
"""The most bytes of a step's summary; GitHub shows nothing of a longer one."""

ANNOTATIONS_SHOWN: Final = 10
"""The most warnings of one step that GitHub shows."""


def command_data(text: str) -> str:
    """``text`` as the message of a workflow command."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return _without_old_commands(inert(escaped))


def command_property(text: str) -> str:
    """``text`` as the value of a property of a workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def log_line(text: str) -> str:
    """``text`` as one line of the log, which a runner searches for commands."""
    return "hardtack: " + _without_old_commands(inert(" ".join(text.splitlines())))


def _without_old_commands(text: str) -> str:
    """Break up ``##[command]``, which a runner obeys anywhere in a line."""
    return text.replace("##[", "## [")


@dataclass(slots=True, kw_only=True)
class Runner:
    """The runner's files and variables, and the lines to print. Without a runner the fields keep their defaults."""

    is_github: bool = False
    """Whether the output is searched for commands."""
    output: Path | None = None
    """``GITHUB_OUTPUT``."""
    summary: Path | None = None
    """``GITHUB_STEP_SUMMARY``."""
    temporary: Path | None = None
    """``RUNNER_TEMP``."""
    commit: str = ""
    """``GITHUB_SHA``: the commit of the run."""
    event: str = ""
    """``GITHUB_EVENT_NAME``: what started the run."""
    event_file: Path | None = None
    """``GITHUB_EVENT_PATH``: GitHub's account of that."""
    address: str = ""
    """The project as a source of the packs that this workflow made: ``github:owner/name?workflow=...``."""
    lines: list[str] = field(default_factory=list)
    """The lines to print, in order."""
    _warned: int = 0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Runner:
        """The runner that set these environment variables."""
        output, summary, temporary, event_file = (
            Path(place) if (place := environment.get(name, "")) else None
            for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP", "GITHUB_EVENT_PATH")
        )
        return cls(
            is_github=environment.get("GITHUB_ACTIONS") == "true",
            output=output,
            summary=summary,
            temporary=temporary,
            commit=environment.get("GITHUB_SHA", ""),
            event=environment.get("GITHUB_EVENT_NAME", ""),
            event_file=event_file,
            address=_address(environment.get("GITHUB_REPOSITORY", ""), environment.get("GITHUB_WORKFLOW_REF", "")),
        )

    def say(self, text: str) -> None:
        """Add one line to the log."""
        self.lines.append(log_line(text))

    def warn(self, message: str, *, file: str = "", line: int = 0) -> None:
        """Add a warning, which GitHub shows beside its file; after :data:`ANNOTATIONS_SHOWN` of them, a line of the log.

        Args:
            message: one sentence.
            file: path from the top of the repository; empty if the warning is about no file.
            line: line number in the file; 0 if the warning is about no line.
        """
        self._warned += 1
        if not self.is_github or self._warned > ANNOTATIONS_SHOWN:
            self.say(f"warning: {file}{f':{line}' if line else ''}{': ' if file else ''}{message}")
            return
        number = f"line={line}," if line else ""
        place = f" file={command_property(file)},{number}title=Hardtack" if file else " title=Hardtack"
        self.lines.append(f"::warning{place}::{command_data(message)}")

    def fail(self, message: str) -> None:
        """Add an error, which GitHub shows at the top of the run. The log has it from elsewhere."""
        if self.is_github:
            self.lines.append(f"::error title=Hardtack::{command_data(message)}")

    def set_outputs(self, values: Mapping[str, str]) -> None:
        """Write the step's outputs, each between two random lines: no value can end its own block and set another output.

        Raises:
            SourceError: the disk refuses.
        """
        if self.output is not None:
            fence = f"hardtack-{secrets.token_hex(16)}"
            _append(self.output, "".join(f"{name}<<{fence}\n{value}\n{fence}\n" for name, value in values.items()))

    def show(self, markdown: str) -> None:
        """Add to the step's summary.

        Raises:
            SourceError: the disk refuses.
        """
        if self.summary is not None:
            assert len(markdown.encode()) <= SUMMARY_LIMIT
            _append(self.summary, markdown)


def _address(repository: str, workflow_ref: str) -> str:
    """The project as a source; empty without a repository. ``GITHUB_WORKFLOW_REF`` has the form ``owner/name/PATH@REF``."""
    if not repository:
        return ""
    workflow = workflow_ref.partition("@")[0].removeprefix(f"{repository}/")
    is_other = workflow and workflow not in (WORKFLOW, workflow_ref.partition("@")[0])
    return f"{SCHEME}{repository}" + (f"?workflow={quote(workflow, safe='/')}" if is_other else "")


def _append(path: Path, text: str) -> None:
    try:
        with path.open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from error
