"""A bundle and the checkout that it is of in, a bundle of the checkout's working tree out, built by a process of its own.

The process takes over from the bundle what has not changed. It gives its memory back when it ends, and a file that breaks a parser
ends no server; what it parses it hands to confined workers, as every build does. Its arguments are those of :func:`build_over`; on
standard output it writes why it failed, or nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hardtack.bundle.integrity import read_manifest
from hardtack.errors import BuildError, HardtackError
from hardtack.processes import output_of

SECONDS: Final = 15
"""The longest that an answer waits for a working tree to be read."""
_STANDARD_OUTPUT: Final = 1


class TooSlow(BuildError):
    """A tree was not read in time. The next edit would take as long."""


def build_over(base: Path, digest: str, root: Path, destination: Path) -> None:
    """Build the bundle of the working tree at ``root``, and put it at ``destination``.

    Args:
        base: the bundle of that digest.
        digest: of ``base``.
        root: the directory that ``base`` is of.
        destination: a place in a directory that exists.

    Raises:
        TooSlow: it was not built in time.
        BuildError: it could not be built, for the reason in the message: a clause without a full stop.
    """
    if find_spec("tree_sitter") is None:
        raise BuildError("the extra hardtack[build] is not installed")
    try:
        code, answer = output_of(__name__, [str(base), digest, str(root), str(destination)], seconds=SECONDS)
    except OSError as error:
        raise BuildError(f"no process could be started to read it: {error.strerror}") from error
    except subprocess.TimeoutExpired:
        raise TooSlow(f"it was not read within {SECONDS} seconds, and is tried again in a while") from None
    if code != 0:
        raise BuildError(answer.decode("utf-8", "replace").rstrip(".") or "the process that read it broke down")


def _build(base: Path, digest: str, root: Path, destination: Path) -> None:
    from hardtack.build.options import options_like
    from hardtack.build.pipeline import build_bundle

    manifest, found = read_manifest(base)
    options = options_like(manifest, base)
    if found == digest:
        build_bundle(root, destination, options)
        _, found = read_manifest(base)
    if found != digest:
        raise BuildError("the bundle below it was replaced meanwhile")


def _main() -> int:
    try:
        base, digest, root, destination = sys.argv[1:]
        _build(Path(base), digest, Path(root), Path(destination))
    except HardtackError as error:
        os.write(_STANDARD_OUTPUT, str(error).encode("utf-8", "replace"))
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(_main())
