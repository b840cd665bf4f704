"""Checks of the machine: the version of Python, the temporary directory, environment variables."""

from __future__ import annotations

import difflib
import platform
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Final

from hardtack.doctor.findings import Finding, Surroundings, ok, problem, warning

VARIABLES: Final[Mapping[str, str]] = {
    "CLICOLOR": "turns colours off where it is 0",
    "CLICOLOR_FORCE": "turns colours on in pipes, too",
    "GH_TOKEN": "is the token for GitHub",
    "GITHUB_TOKEN": "is the token for GitHub",
    "HARDTACK_BUNDLE": "names the bundle to read",
    "HARDTACK_BUNDLE_PATH": "lists roots of installed bundles",
    "HARDTACK_CACHE": "says where bundles are installed",
    "HARDTACK_CI_BASE": "says what 'hardtack ci' may take over from",
    "HARDTACK_CI_CHECK_REPRODUCIBLE": "has 'hardtack ci' build twice",
    "HARDTACK_CI_MAX_SIZE_MB": "bounds the pack of 'hardtack ci'",
    "HARDTACK_CI_PROFILE": "is the profile of 'hardtack ci'",
    "HARDTACK_CI_REPOSITORY_PATH": "says what 'hardtack ci' builds",
    "HARDTACK_CI_SCIP": "names indexes of compilers for 'hardtack ci'",
    "HARDTACK_CI_SECRETS": "says what becomes of secrets in 'hardtack ci'",
    "HARDTACK_CI_SUMMARY": "has 'hardtack ci' write a summary",
    "HARDTACK_CI_TEXT": "says what text 'hardtack ci' keeps",
    "HARDTACK_ENCODER": "chooses the encoder",
    "HARDTACK_ENCODER_CACHE": "says where vectors are kept between builds",
    "HARDTACK_ENCODER_KEY": "is the key for an encoder's address of your own",
    "HARDTACK_ENCODER_NETWORK": "lets queries be sent to an encoder's service",
    "HARDTACK_ENCODER_RATE": "bounds requests to an encoder a minute",
    "HARDTACK_ENCODER_TIMEOUT": "bounds the seconds of one request while building",
    "HARDTACK_ENCODER_URL": "is the address of an encoder of your own",
    "HARDTACK_KILL_AT": "ends builds and installs half-way, for tests",
    "HARDTACK_AS_BUILT": "has answers be of bundles, not of working trees",
    "HARDTACK_OFFLINE": "has pulls ask nobody",
    "HARDTACK_REQUIRE_FRESH": "has pulls refuse what has expired",
    "HARDTACK_SERVE_TOKEN": "is the token that 'hardtack serve --http' asks for",
    "HARDTACK_SOURCE": "says where bundles are pulled from",
    "HARDTACK_TOKEN": "is the token for the host of the first source of bundles",
    "JINA_API_KEY": "is the key for Jina's encoders",
    "NO_COLOR": "turns colours off",
    "OPENAI_API_KEY": "is the key for OpenAI's encoders",
}
"""Variable -> a phrase about its purpose. Shell completion sets ``_HARDTACK_COMPLETE``, which users never do."""

_IS_SECRET: Final = re.compile(r"KEY|TOKEN|SECRET|PASSWORD")
_MAY_HOLD_PASSWORD: Final = re.compile(r"(?<=://)[^/]*@|\?.*", re.DOTALL)
_LONGEST: Final = 200


def check_python(_: Surroundings) -> Iterator[Finding]:
    """Compare the interpreter's version with the required one."""
    running = f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}"
    try:
        required = str(metadata.metadata("hardtack")["Requires-Python"])
    except metadata.PackageNotFoundError:
        required = ""
    lowest = tuple(int(number) for number in re.findall(r"\d+", required)[:2])
    if sys.version_info[:2] < lowest:
        yield problem("python", f"{running} is too old, {required} is supported", "Install Hardtack with a newer Python.")
    else:
        yield ok("python", running)


def check_temporary_directory(_: Surroundings) -> Iterator[Finding]:
    """Check that links can be made: the lexical index is opened in place through a directory of links."""
    about = "temporary directory"
    try:
        with tempfile.TemporaryDirectory(prefix="hardtack-") as directory:
            Path(directory, "link").symlink_to("target")
    except OSError as error:
        yield warning(
            about,
            f"no links can be made ({error.strerror}), so the lexical index is made anew in memory at each start",
            "Set TMPDIR to a directory that can be written.",
        )
    else:
        yield ok(about, f"links can be made in {Path(directory).parent}")


def check_environment(surroundings: Surroundings) -> Iterator[Finding]:
    """List the variables that are set, and warn of those named ``HARDTACK...`` that nothing reads."""
    about = "environment"
    for name, value in sorted(surroundings.environment.items()):
        if name in VARIABLES:
            yield ok(about, f"{name}{_shown(name, value)} {VARIABLES[name]}")
        elif name.startswith("HARDTACK"):
            near = difflib.get_close_matches(name, VARIABLES, n=1)
            yield warning(about, f"{name} is set and means nothing", f"Was {near[0]} meant?" if near else "Unset it.")


def _shown(name: str, value: str) -> str:
    if _IS_SECRET.search(name):
        return ""
    value = _MAY_HOLD_PASSWORD.sub("...@", value)
    return f"={value[:_LONGEST]}{'...' if len(value) > _LONGEST else ''}"
