"""Files whose parsers crashed in, a refusal out once they may have taken too much processor time."""

from __future__ import annotations

from typing import Final

from hardtack.build.report import BuildReport
from hardtack.build.source.secrets import path_without_secret
from hardtack.build.workers.executors import Analysed
from hardtack.build.workers.worker import seconds_for
from hardtack.errors import BuildError
from hardtack.nouns.outline import Skip, SkipReason

_MOST_SECONDS: Final = 1800.0
"""Processor time that parsers may take for files on which they crash or are stopped: some hundred small files, or sixty large."""


class LostTime:
    """Reports the files of one build attempt whose parsers failed, and adds up the time that they may have taken."""

    def __init__(self, report: BuildReport) -> None:
        self._report = report
        self._seconds = 0.0

    def note(self, analysed: Analysed) -> None:
        """Report a file whose parser failed; nothing is to be said of any other.

        Only the files that made it crash are read by lines, whatever their number: were the rest of them read so too once the time
        is over, the bundle would depend on which of them came first. So the build is refused then.

        Raises:
            BuildError: parsers that crashed, or did not end, may have taken too much time.
        """
        if not analysed.crash:
            return
        file, failures = analysed.file, self._report.failures
        failures.append((file.path, analysed.crash))
        self._seconds += seconds_for(len(file.text))
        if self._seconds > _MOST_SECONDS:
            raise BuildError(
                f"The parsers of {len(failures)} files crashed or did not end, the last one on {path_without_secret(file.path)}; "
                f"they may take {_MOST_SECONDS:g} seconds in all, and nothing was built.",
                hint="Leave files of that kind out by .hardtackignore.",
            )
        if analysed.indexed is None:
            detail = f"its parser {analysed.crash}"
            self._report.skips.append(Skip(path=file.path, reason=SkipReason.UNREADABLE, detail=detail))
