"""Facts in, what a GitHub runner reads out: outputs, the job summary, annotations; spelt so that they are shown, not obeyed.

A runner takes commands from a step's output: lines that begin with ``::``, and ``##[`` anywhere. It renders the summary as Markdown
with HTML. Names of files can hold either, so whatever was not written in this program goes through one of the spellings here.
"""

from __future__ import annotations

import re
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
"""Bytes of a step's summary; GitHub shows none of a longer one."""

ANNOTATIONS_SHOWN: Final = 10
"""Warnings of one step that GitHub shows."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9 ]")
_LONGEST: Final = 400
"""Characters of any one text that was not written here."""


def command_data(text: str) -> str:
    """``text`` as the message of a workflow command."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return _without_old_commands(inert(escaped))


def command_property(text: str) -> str:
    """``text`` as the value of a property of a workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def log_line(text: str) -> str:
    """``text`` as one line of a log that a runner reads for commands."""
    return "hardtack: " + _without_old_commands(inert(" ".join(text.splitlines())))


def markdown_text(text: str) -> str:
    """``text`` in a summary: as code, each character that could mean anything written as a number."""
    shown = inert(text[:_LONGEST] + ("..." if len(text) > _LONGEST else "")).replace("\n", " ").replace("\t", " ")
    return "<code>" + "".join(each if _PLAIN.match(each) else f"&#{ord(each)};" for each in shown) + "</code>"


def _without_old_commands(text: str) -> str:
    """``##[command]`` is obeyed wherever it stands in a line."""
    return text.replace("##[", "## [")


@dataclass(slots=True, kw_only=True)
class Runner:
    """Where a step tells what it did. Fields are None, and false, where no runner is around."""

    is_github: bool = False
    """The output is read for commands."""
    output: Path | None = None
    """``GITHUB_OUTPUT``."""
    summary: Path | None = None
    """``GITHUB_STEP_SUMMARY``."""
    temporary: Path | None = None
    """``RUNNER_TEMP``."""
    commit: str = ""
    """``GITHUB_SHA``: what the run is of."""
    address: str = ""
    """The project as a source of packs that this very workflow made: ``github:owner/name?workflow=...``."""
    lines: list[str] = field(default_factory=list)
    """What is to be printed, in order."""
    _warned: int = 0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Runner:
        """The runner that set these variables."""
        output, summary, temporary = (
            Path(place) if (place := environment.get(name, "")) else None
            for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP")
        )
        return cls(
            is_github=environment.get("GITHUB_ACTIONS") == "true",
            output=output,
            summary=summary,
            temporary=temporary,
            commit=environment.get("GITHUB_SHA", ""),
            address=_address(environment.get("GITHUB_REPOSITORY", ""), environment.get("GITHUB_WORKFLOW_REF", "")),
        )

    def say(self, text: str) -> None:
        """One line of the log."""
        self.lines.append(log_line(text))

    def warn(self, message: str, *, file: str = "", line: int = 0) -> None:
        """A warning, shown beside the file it is about; beyond those that GitHub shows, a line of the log.

        Args:
            message: one sentence.
            file: path from the top of the repository, if the warning is about one.
            line: of the file, if it is about one.
        """
        self._warned += 1
        if not self.is_github or self._warned > ANNOTATIONS_SHOWN:
            self.say(f"warning: {file}{f':{line}' if line else ''}{': ' if file else ''}{message}")
            return
        number = f"line={line}," if line else ""
        place = f" file={command_property(file)},{number}title=Hardtack" if file else " title=Hardtack"
        self.lines.append(f"::warning{place}::{command_data(message)}")

    def fail(self, message: str) -> None:
        """An error, shown at the top of the run; the log has it in any case."""
        if self.is_github:
            self.lines.append(f"::error title=Hardtack::{command_data(message)}")

    def set_outputs(self, values: Mapping[str, str]) -> None:
        """Give the step's outputs, each between two lines that nobody can guess.

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
    """The project as a source: ``GITHUB_WORKFLOW_REF`` is ``owner/name/PATH@REF``. Empty without a repository."""
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
