"""A client's file and an entry in; what would become of the file out, and then done.

A plan is made from the bytes that are there and carried out only while they still are. A file is replaced in one step, with its
mode kept and links followed, and only after it was copied to ``NAME.bak``, which nothing here overwrites. Taking an entry out gives
back the bytes from before it was put in, if nothing else has changed since; else the entry alone is cut out.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal

from hardtack.clients import jsonc, toml
from hardtack.clients.table import Client
from hardtack.errors import HardtackError, SourceError, UsageError

_FORMS: Final[Mapping[str, ModuleType]] = {"json": jsonc, "toml": toml}
_BOM: Final = "\ufeff"
_LARGEST: Final = 64 << 20
"""Bytes of a configuration at most; what is larger is something else."""
_MOST_BACKUPS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to become of a file."""

    path: Path
    before: bytes | None
    """What it holds; None when there is no file."""
    after: bytes | None
    """What it is to hold; None when it is to go."""
    needs_backup: bool = False
    spent: Path | None = None
    """The backup that is given back, and then has nothing left to keep."""

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    def difference(self) -> str:
        """The change as a unified diff; empty when there is none."""
        old, new = ("/dev/null" if content is None else str(self.path) for content in (self.before, self.after))
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), old, new)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def carry_out(self) -> Path | None:
        """Do it; gives the backup that was made, if one was.

        Raises:
            SourceError: the file changed since the plan was made, or cannot be written.
        """
        if not self.changes:
            return None
        if _content_of(self.path) != self.before:
            raise SourceError(f"{self.path} has changed meanwhile; nothing was written.", hint="Run the command again.")
        try:
            backup = _back_up(self.path, self.before) if self.needs_backup and self.before is not None else None
            if self.after is None:
                self.path.resolve().unlink()
            else:
                _replace(self.path.resolve(), self.after)
            if self.spent is not None:
                self.spent.unlink()
        except OSError as error:
            raise SourceError(f"{error.filename or self.path} cannot be written: {error.strerror}.") from error
        return backup


def plan_to_put(client: Client, path: Path, name: str, entry: Mapping[str, Any]) -> Plan:
    """What makes ``entry`` the server ``name`` of the client; what a user added to an entry that starts a program stays in it.

    Raises:
        UsageError: the file is not in its language, or cannot take the entry.
        SourceError: it cannot be read.
    """
    before, keys, form = _content_of(path), (*client.servers, name), _FORMS[client.form]
    with _naming(path):
        old = _find(_data_of(client, before), keys)
        merges = isinstance(old, dict) and "command" in old
        if merges:
            entry = {key: value for key, value in entry.items() if key in ("command", "args") or key not in old}
        after = _edited(before, lambda text: form.put(text, keys, entry, merge=merges))
        is_all_ours = before is not None and old is not None and _becomes(client, None, keys, old, before)
    is_lost = old is not None and not merges  # an entry of another kind, of which nothing is kept
    is_first = old is None or (not _backups(path) and not is_all_ours)
    return Plan(path=path, before=before, after=after, needs_backup=is_first or is_lost)


def plan_to_remove(client: Client, path: Path, name: str) -> Plan:
    """What takes the server ``name`` out of the client's file.

    Raises:
        UsageError: the file is not in its language, or the entry cannot be cut out.
        SourceError: it cannot be read.
    """
    before, keys, form = _content_of(path), (*client.servers, name), _FORMS[client.form]
    with _naming(path):
        entry = _find(_data_of(client, before), keys)
        if before is None or entry is None:
            return Plan(path=path, before=before, after=before)
        for backup in _backups(path):
            kept = _content_of(backup)
            if _becomes(client, kept, keys, entry, before):
                return Plan(path=path, before=before, after=kept, spent=backup)
        if _becomes(client, None, keys, entry, before):
            return Plan(path=path, before=before, after=None)
        after = _edited(before, lambda text: form.remove(text, keys))
    return Plan(path=path, before=before, after=after, needs_backup=not _backups(path))


def servers_in(client: Client, path: Path) -> Mapping[str, Any]:
    """The servers that a client's file names; empty when there is no file.

    Raises:
        UsageError: the file is not in its language.
        SourceError: it cannot be read.
    """
    with _naming(path):
        servers = _find(_data_of(client, _content_of(path)), client.servers)
    return servers if isinstance(servers, dict) else {}


def state_of(client: Client, path: Path, name: str) -> Literal["no file", "in", "not in", "invalid"]:
    """Whether the server ``name`` is in a client's file."""
    if not path.exists():
        return "no file"
    try:
        return "in" if name in servers_in(client, path) else "not in"
    except HardtackError:
        return "invalid"


def _becomes(client: Client, kept: bytes | None, keys: Sequence[str], entry: Any, current: bytes) -> bool:
    """Whether ``current`` is what putting ``entry`` into ``kept``, which is without it, gives."""
    with contextlib.suppress(ValueError):
        if _find(_data_of(client, kept), keys) is None:
            return _edited(kept, lambda text: str(_FORMS[client.form].put(text, keys, entry))) == current
    return False


def _data_of(client: Client, content: bytes | None) -> Any:
    return _FORMS[client.form].read((content or b"").decode("utf-8").removeprefix(_BOM))


def _edited(content: bytes | None, edit: Callable[[str], str]) -> bytes:
    text = (content or b"").decode("utf-8")
    mark = _BOM if text.startswith(_BOM) else ""
    return (mark + edit(text.removeprefix(_BOM))).encode("utf-8")


def _find(data: Any, keys: Sequence[str]) -> Any:
    """What is under those keys, one in the other; None when there is nothing."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turn what is wrong with a text into an error that names file, line and remedy."""
    hint = "Correct the file and run the command again; nothing was changed."
    try:
        yield
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}: {error.msg}.", hint=hint) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: this is not UTF-8.", hint=hint) from error
    except ValueError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        said = str(error).replace(place.group(), "") if place else str(error)
        raise UsageError(f"{path}{f':{place[1]}' if place else ''}: {said}.", hint=hint) from error
    except RecursionError as error:
        raise UsageError(f"{path}: values are nested too deeply.", hint=hint) from error


def _content_of(path: Path) -> bytes | None:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise UsageError(f"{path} is no configuration file.", hint="Move it away and run the command again.")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error


def _backup_names(path: Path) -> Iterator[Path]:
    for number in range(1, _MOST_BACKUPS + 1):
        yield path.with_name(f"{path.name}.bak{number if number > 1 else ''}")


def _backups(path: Path) -> list[Path]:
    """The backups of a file, the oldest first."""
    return [backup for backup in _backup_names(path) if backup.is_file()]


def _back_up(path: Path, content: bytes) -> Path:
    """Keep ``content`` beside ``path`` under a name that is free, or that holds the same already."""
    for backup in _backup_names(path):
        try:
            descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            if backup.is_file() and backup.read_bytes() == content:
                return backup
            continue
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        backup.chmod(stat.S_IMODE(path.stat().st_mode))
        return backup
    raise SourceError(f"{path} has {_MOST_BACKUPS} backups already.", hint="Remove some of them.")


def _replace(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path`` in one step, mode and owner kept; a new file gets the mode that new files get here."""
    path.parent.mkdir(parents=True, exist_ok=True)
    old = path.stat() if path.exists() else None
    staged = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if old else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if old:
            with contextlib.suppress(PermissionError):
                os.chown(staged, old.st_uid, old.st_gid)
            staged.chmod(stat.S_IMODE(old.st_mode))
        staged.replace(path)
    except OSError:
        staged.unlink(missing_ok=True)
        raise


def _lines(content: bytes | None) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", (content or b"").decode("utf-8", "replace"))
