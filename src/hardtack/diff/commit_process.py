"""A checkout and a commit of it in, a bundle of that commit out, built by a process of its own from git's objects.

The process ends when it is stopped, with its workers, and leaves nothing behind. Its arguments are those of :func:`build_commit`;
on standard output it writes why it failed, or nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from hardtack.errors import BuildError, HardtackError
from hardtack.notations import parse_json
from hardtack.processes import output_of

_STANDARD_OUTPUT: Final = 1


def build_commit(
    root: Path,
    commit: str,
    destination: Path,
    *,
    options: Mapping[str, Any] | None,
    repository: str | None,
    base: Path | None,
    seconds: float | None,
) -> None:
    """Build the bundle of a commit at ``destination``.

    Args:
        root: a directory of a checkout.
        commit: full id of a commit that its repository has.
        destination: a place in a directory that exists.
        options: as a manifest records them; None for those of every build.
        repository: its name to record; None for that of git's ``origin``.
        base: a bundle to take unchanged files from.
        seconds: the longest that it may take; None for as long as a build may.

    Raises:
        BuildError: it could not be built, for the reason in the message.
    """
    if find_spec("tree_sitter") is None:
        raise BuildError("A bundle is built by the extra hardtack[build], which is not installed.")
    said = json.dumps({"options": dict(options) if options else None, "repository": repository, "base": str(base or "")})
    try:
        code, answer = output_of(__name__, [str(root), commit, str(destination), said], seconds=seconds)
    except OSError as error:
        raise BuildError(f"No process could be started to build it: {error.strerror}.") from error
    except subprocess.TimeoutExpired:
        raise BuildError(f"Commit {commit[:12]} was not built within {seconds:.0f} seconds.") from None
    if code != 0:
        raise BuildError(answer.decode("utf-8", "replace") or "The process that built it broke down.")


def _main() -> int:
    from dataclasses import replace

    from hardtack.build.options import NO_BASE, BuildOptions, options_of
    from hardtack.build.pipeline import build_bundle

    root, commit, destination, said = sys.argv[1:]
    settings = parse_json(said)
    assert isinstance(settings, dict)
    options = options_of(settings["options"]) if settings["options"] else BuildOptions(profile="keyword")
    base = Path(settings["base"]) if settings["base"] else NO_BASE
    try:
        build_bundle(Path(root), Path(destination), replace(options, commit=commit, repository=settings["repository"], base=base))
    except HardtackError as error:
        os.write(_STANDARD_OUTPUT, f"{error} {error.hint}".strip().encode("utf-8", "replace"))
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(_main())
