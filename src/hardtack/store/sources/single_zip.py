"""A zip of one file in, that file's bytes out: the form in which GitHub may wrap an artifact. The zip is untrusted.

No name in it is used. Its directory is read in one piece of bounded size, its entry as a stream up to a limit.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from hardtack.errors import FormatError, PolicyError

MAGIC: Final = b"PK\x03\x04"
"""The first bytes of a zip that has an entry."""

_PIECE: Final = 1 << 16
_LARGEST_READ: Final = 1 << 20
"""The most bytes of one read; the directory of a zip of one entry has a few hundred."""
_ENCRYPTED: Final = 1
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def unwrap(path: Path, out: IO[bytes], *, limit: int) -> None:
    """Write the content of the one entry of the zip at ``path`` to ``out``.

    Raises:
        FormatError: it is no valid zip of one plain file.
        PolicyError: the file has more than ``limit`` bytes.
        OSError: the disk refuses.
    """
    try:
        with path.open("rb") as file, _opened(file) as entry:
            written = 0
            while piece := entry.read(_PIECE):
                written += len(piece)
                if written > limit:
                    raise PolicyError(f"The artifact unpacks to more than the {limit} bytes that are taken.")
                out.write(piece)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OverflowError) as error:
        raise FormatError("The artifact is not a sound zip of one file.") from error


@contextmanager
def _opened(file: IO[bytes]) -> Iterator[IO[bytes]]:
    with zipfile.ZipFile(cast(IO[bytes], _Bounded(file))) as archive:
        entries = archive.infolist()
        if len(entries) != 1 or entries[0].is_dir():
            raise FormatError(f"The artifact is a zip of {len(entries)} entries; one file was expected.")
        if entries[0].flag_bits & _ENCRYPTED or entries[0].compress_type not in _METHODS:
            raise FormatError("The artifact is a zip in a form that is not taken.")
        with archive.open(entries[0]) as entry:
            yield entry


class _Bounded:
    """A file that refuses large reads: zipfile reads a zip's directory in one piece, of the size that the zip claims."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(min(size, _LARGEST_READ + 1) if size >= 0 else _LARGEST_READ + 1)
        if len(piece) > _LARGEST_READ:
            raise ValueError("the directory of the zip is too large")
        return piece
