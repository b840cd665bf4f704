"""A GitHub host in, the token of the user's ``gh`` login out; empty when there is no login."""

from __future__ import annotations

import re
import subprocess
from typing import Final

_SECONDS: Final = 10
"""The longest time for ``gh``, which reads a file or a keyring."""
_HOST: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,252}")
_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,1000}")


def token_of_login(host: str) -> str:
    """The token that ``gh auth token`` prints for ``host``; empty when ``gh`` is missing, fails, or prints no token."""
    if not _HOST.fullmatch(host):
        return ""
    command = ["gh", "auth", "token", "--hostname", host]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    token = done.stdout.strip()
    return token if done.returncode == 0 and _TOKEN.fullmatch(token) else ""
