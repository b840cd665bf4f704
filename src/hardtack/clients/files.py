"""A client's configuration file and an entry in; a plan of the change out, and its execution.

A plan is made from the file's bytes and carried out only if they are still the same. A file is replaced in one step, its mode kept,
after a copy to ``NAME.bak``, which is never overwritten. Links of the user's own are followed; below a project, whose files others
write, none is. Removing an entry restores the bytes from before it
was added, if nothing else has changed since; otherwise only the entry is cut out.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedWriter
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal

from hardtack.bundle.held import held_directory, is_link
from hardtack.clients import jsonc, toml
from hardtack.clients.instructions import WORDS, Instruction, has_section, with_section, without_section
from hardtack.clients.table import Client
from hardtack.descriptors import CREATE, read_file, staged_file
from hardtack.errors import HardtackError, SourceError, UsageError

_FORMS: Final[Mapping[str, ModuleType]] = {"json": jsonc, "toml": toml}
_BOM: Final = "\ufeff"
_LARGEST: Final = 16 << 20
"""The most bytes of a configuration file; a larger file is something else."""
_MOST_BACKUPS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A planned change of a file."""

    path: Path
    before: bytes | None
    """The present content; None when there is no file."""
    after: bytes | None
    """The new content; None to remove the file."""
    needs_backup: bool = False
    below: Path | None = None
    """The project below which no link is followed; None for a file of the user's own."""
    spent: Path | None = None
    """The backup whose content is restored; it is removed afterwards."""

    @property
    def changes(self) -> bool:
        """Whether the plan changes anything."""
        return self.before != self.after

    def difference(self) -> str:
        """The change as a unified diff; empty when there is none."""
        old, new = ("/dev/null" if content is None else str(self.path) for content in (self.before, self.after))
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), old, new)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def carry_out(self) -> Path | None:
        """Change the file; returns the backup if one was made.

        Raises:
            SourceError: the file changed since the plan was made, or cannot be written.
        PolicyError: there is a link below the project.
        """
        if not self.changes:
            return None
        target, start = (self.path, self.below) if self.below else ((real := Path(os.path.realpath(self.path))), real.parent)
        with held_directory(start, *target.relative_to(start).parts[:-1]) as directory:
            return self._carry_out(directory / target.name)

    def _carry_out(self, at: Path) -> Path | None:
        """Change the file at ``at``, which is no link; returns the backup."""
        if _content_of(at, shown=self.path, follows=False) != self.before:
            raise SourceError(f"{self.path} has changed meanwhile; nothing was written.", hint="Run the command again.")
        beside = at if self.below else self.path  # of a link of the user's own, backups lie where the link does
        try:
            backup = _back_up(beside, self.before) if self.needs_backup and self.before is not None else None
            if self.after is None:
                at.unlink()
            else:
                _replace(at, self.after)
            if self.spent is not None:
                beside.with_name(self.spent.name).unlink()
        except OSError as error:
            raise SourceError(f"{self.path} cannot be written: {error.strerror}.") from error
        return self.path.with_name(backup.name) if backup else None


def plan_to_put(client: Client, path: Path, name: str, entry: Mapping[str, Any], *, below: Path | None = None) -> Plan:
    """The plan to make ``entry`` the server ``name`` of the client. Keys that a user added to an existing entry stay.

    Raises:
        UsageError: the file does not parse, or the entry cannot be added.
        PolicyError: there is a link below the project ``below``.
        SourceError: it cannot be read.
    """
    before, keys, form = _unlinked_content(path, below), (*client.servers, name), _FORMS[client.form]
    with _naming(path):
        old = _find(_data_of(client, before), keys)
        merges = isinstance(old, dict) and "command" in old
        if merges:
            entry = {key: value for key, value in entry.items() if key in ("command", "args") or key not in old}
        after = _edited(before, lambda text: form.put(text, keys, entry, merge=merges))
        is_all_ours = before is not None and old is not None and _becomes(client, None, keys, old, before)
    is_lost = old is not None and not merges  # an entry of another kind, which is replaced completely
    is_first = old is None or (not _backups(path) and not is_all_ours)
    return Plan(path=path, below=below, before=before, after=after, needs_backup=is_first or is_lost)


def plan_to_remove(client: Client, path: Path, name: str, *, below: Path | None = None) -> Plan:
    """The plan to remove the server ``name`` from the client's file.

    Raises:
        UsageError: the file does not parse, or the entry cannot be cut out.
        PolicyError: there is a link below the project ``below``.
        SourceError: it cannot be read.
    """
    before, keys, form = _unlinked_content(path, below), (*client.servers, name), _FORMS[client.form]
    with _naming(path):
        entry = _find(_data_of(client, before), keys)
        if before is None or entry is None:
            return Plan(path=path, below=below, before=before, after=before)
        for backup in _backups(path):
            kept = _content_of(backup)
            if _becomes(client, kept, keys, entry, before):
                return Plan(path=path, below=below, before=before, after=kept, spent=backup)
        if _becomes(client, None, keys, entry, before):
            return Plan(path=path, below=below, before=before, after=None)
        after = _edited(before, lambda text: form.remove(text, keys))
    return Plan(path=path, below=below, before=before, after=after, needs_backup=not _backups(path))


def plan_to_instruct(instruction: Instruction, project: Path, *, remove: bool = False) -> Plan:
    """The plan to write what agents are told into one file of a project, or to take it out again.

    Raises:
        UsageError: the file is somebody else's, or is no text in UTF-8, or its marks do not match.
        PolicyError: there is a link below the project.
        SourceError: it cannot be read.
    """
    path = project / instruction.path
    before = _unlinked_content(path, project)
    try:
        text = (before or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8.", hint="Move it away and run the command again.") from error
    if remove:
        is_all = text == instruction.text or not without_section(text).strip()
        after = text if not has_section(text) else None if is_all else without_section(text)
    elif text and not instruction.is_section and not has_section(text):
        raise UsageError(f"{path} is there already, and not from hardtack.", hint="Move it away and run the command again.")
    else:
        after = with_section(text, WORDS) if text or instruction.is_section else instruction.text
    content = None if after is None else after.encode()
    return Plan(path=path, below=project, before=before, after=before if after == text else content)


def servers_in(client: Client, path: Path) -> Mapping[str, Any]:
    """The servers in a client's file: name -> entry; empty when there is no file.

    Raises:
        UsageError: the file does not parse.
        SourceError: it cannot be read.
    """
    with _naming(path):
        servers = _find(_data_of(client, _content_of(path)), client.servers)
    return servers if isinstance(servers, dict) else {}


def state_of(client: Client, path: Path, name: str) -> Literal["no file", "in", "not in", "invalid"]:
    """The state of a client's file with regard to the server ``name``."""
    if not path.exists():
        return "no file"
    try:
        return "in" if name in servers_in(client, path) else "not in"
    except HardtackError:
        return "invalid"


def _becomes(client: Client, kept: bytes | None, keys: Sequence[str], entry: Any, current: bytes) -> bool:
    """Whether adding ``entry`` to ``kept``, which lacks it, gives exactly ``current``."""
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
    """The value under nested keys; None when there is none."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turn a parser's error into a :class:`UsageError` that names file, line and remedy."""
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
        message = str(error).replace(place.group(), "") if place else str(error)
        raise UsageError(f"{path}{f':{place[1]}' if place else ''}: {message}.", hint=hint) from error
    except RecursionError as error:
        raise UsageError(f"{path}: values are nested too deeply.", hint=hint) from error


def _unlinked_content(path: Path, below: Path | None) -> bytes | None:
    """The content of a file; below a project, only if no part of its path is a link."""
    for part in (path, *path.parents):
        if below is None or part == below:
            break
        if part.is_symlink():
            raise is_link(part)
    return _content_of(path)


def _content_of(path: Path, *, shown: Path | None = None, follows: bool = True) -> bytes | None:
    """The content of a file; None when there is none. ``shown`` is its path for messages."""
    try:
        return read_file(path, _LARGEST, follow=follows)
    except FileNotFoundError:
        return None
    except OSError as error:
        if not follows and error.errno == errno.ELOOP:
            raise is_link(shown or path) from None
        if error.errno in (errno.EINVAL, errno.EFBIG, errno.EISDIR):
            raise UsageError(
                f"{shown or path} is no configuration file.", hint="Move it away and run the command again."
            ) from error
        raise SourceError(f"{shown or path} cannot be read: {error.strerror}.") from error


def _backup_names(path: Path) -> Iterator[Path]:
    for number in range(1, _MOST_BACKUPS + 1):
        yield path.with_name(f"{path.name}.bak{number if number > 1 else ''}")


def _backups(path: Path) -> list[Path]:
    return [backup for backup in _backup_names(path) if backup.is_file()]


def _back_up(path: Path, content: bytes) -> Path:
    """Write ``content`` to the first backup name that is free; a backup with the same content is reused."""
    for backup in _backup_names(path):
        try:
            descriptor = os.open(backup, os.O_WRONLY | CREATE, 0o600)
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
    """Replace ``path`` in one step, with its mode and owner; a new file gets the default mode, and nobody else may write to it."""
    old = path.stat() if path.exists() else None
    with staged_file(path, stat.S_IMODE(old.st_mode) if old else None) as (file, staged):
        with BufferedWriter(file) as out:  # Windows renames no open file
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
            if old and hasattr(os, "fchown"):  # not on Windows
                with contextlib.suppress(PermissionError):
                    os.fchown(out.fileno(), old.st_uid, old.st_gid)
        staged.replace(path)


def _lines(content: bytes | None) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", (content or b"").decode("utf-8", "replace"))
