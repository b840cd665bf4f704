"""Stands in for Windows' Python as far as it lacks what POSIX has; run with the arguments of ``hardtack``, it is the program there.

Names that Python has on POSIX alone are taken away before any module of Hardtack is loaded, ``sys.platform`` is that of Windows,
directories cannot be opened as files, what this process has mapped cannot be deleted, and links cannot be made, for which a user of
Windows needs a right that few have. What else Windows does in another way (files that are open, letters of drives) is not shown by
this; the runner in CI shows it.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, NoReturn

import click
import faiss
import filelock
import mcp.server.stdio
import msgpack
import numpy
import platformdirs
import tantivy
import urllib3

LIBRARIES = (
    *(asyncio, selectors, shutil, socket, subprocess, tempfile),
    *(click, faiss, filelock, mcp, msgpack, numpy, platformdirs, tantivy, urllib3),
)
"""Loaded before: on POSIX they use what POSIX has."""

MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
OF_OS = (
    *(
        "O_CLOEXEC",
        "O_DIRECTORY",
        "O_NOFOLLOW",
        "O_NONBLOCK",
        "pread",
        "pwrite",
        "posix_fadvise",
        "statvfs",
        "memfd_create",
        "mkfifo",
    ),
    *("chown", "fchmod", "fchown", "geteuid", "getgid", "getuid", "getpgrp", "killpg", "setsid", "fork", "sched_getaffinity"),
    *("sysconf", "uname"),
)
OF_MMAP = ("MAP_PRIVATE", "MAP_SHARED", "PROT_READ", "PROT_WRITE")
OF_SIGNAL = ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGPROF", "SIGXCPU", "alarm", "setitimer")


class _Missing:
    """A finder that finds no module of POSIX."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def become_windows() -> None:
    """Take away from this process what Windows has not."""
    opens, unlinks = os.open, os.unlink

    def opened(path: Any, flags: int, mode: int = 0o777) -> int:
        if not isinstance(path, int) and os.path.isdir(path):
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return opens(path, flags, mode)

    def unlinked(path: Any) -> None:
        maps = Path("/proc/self/maps")
        if maps.exists() and f" {os.path.realpath(path)}\n" in maps.read_text("utf-8"):
            raise PermissionError(13, "Permission denied", os.fspath(path))
        unlinks(path)

    def refused(*_: object, **__: object) -> NoReturn:
        raise OSError(22, "A required privilege is not held by the client")

    usage = shutil.disk_usage("/")
    for place, names in ((os, OF_OS), (mmap, OF_MMAP), (signal, OF_SIGNAL)):
        for name in names:
            if hasattr(place, name):
                delattr(place, name)
    setattr(os, "open", opened)  # noqa: B010 - mypy takes no other function for os.open
    setattr(os, "symlink", refused)  # noqa: B010
    setattr(os, "unlink", unlinked)  # noqa: B010
    setattr(shutil, "_use_fd_functions", False)  # noqa: B010
    setattr(shutil, "disk_usage", lambda _: usage)  # noqa: B010
    sys.platform = "win32"
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, _Missing())


if __name__ == "__main__":
    become_windows()
    from hardtack.__main__ import main

    main()
