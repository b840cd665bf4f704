"""A bundle's path in, a directory of Parquet tables out, put in place in one step: what ``hardtack export`` does.

The bundle's hashes are verified before it is read. Bytes depend on the bundle and the version of pyarrow, on no clock and no name
of this machine. ``export.json``, written last, says what the tables are of, and that the directory is an export.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from hardtack.bundle.format.digest import digest_of_descriptor
from hardtack.bundle.placing import Occupant, Step, has_account, held_destination, put_in_place, staging_directory
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.descriptors import sync_directory
from hardtack.errors import BundleError, SourceError
from hardtack.export import schema
from hardtack.export.grouping import grouping_of
from hardtack.export.ids import ids_of
from hardtack.export.tables import Exported, columns_of

ACCOUNT: Final = "export.json"
VERSION: Final = "hardtack.export/1"
"""Of the tables' schema and the account's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportInfo:
    """An export that was written."""

    path: Path
    account: dict[str, Any]
    """What its ``export.json`` says."""

    @property
    def size(self) -> int:
        """Bytes of the tables."""
        return sum(table["bytes"] for table in self.account["tables"].values())


def export_bundle(bundle: Path, destination: Path, *, step: Step) -> ExportInfo:
    """Write the bundle at ``bundle`` as Parquet tables into the directory ``destination``. Replaces an export that is there.

    Args:
        bundle: a bundle's directory, or a pack.
        destination: a directory, which is made, in one that exists.
        step: called before each write, fsync and rename.

    Raises:
        BundleError: there is no bundle, it is not what its manifest says, or it cannot be read.
        UsageError: ``destination`` is there and is neither empty nor an export, and was not touched.
        SourceError: the tables cannot be written.
    """
    with (
        open_bundle(bundle, check="hashes") as opened,
        held_destination(destination, occupant=_EXPORT) as held,
        staging_directory(held) as (staged, _),
    ):
        try:
            exported = Exported(opened, ids_of(opened), grouping_of(opened))
        except OSError as error:
            raise _unreadable(bundle, error) from error
        try:
            account = _write(exported, staged, step)
        except OSError as error:
            hint = "Free some space, or choose another place with --to."
            raise SourceError(f"The export could not be written: {error.strerror}.", hint=hint) from error
        put_in_place(staged, held, step)
    return ExportInfo(path=destination, account=account)


def _unreadable(bundle: Path, error: OSError) -> BundleError:
    return BundleError(f"{bundle} cannot be read: {error.strerror}.")


def _write(exported: Exported, directory: Path, step: Step) -> dict[str, Any]:
    """Write all tables and then the account, which is returned, and make them durable.

    Raises:
        BundleError: the bundle cannot be read.
        OSError: the tables cannot be written.
    """
    bundle = exported.bundle
    encoder = bundle.manifest.encoder if bundle.has_vectors else None
    tables = {}
    for name, columns in schema.schemas(encoder.dimension if encoder else 0).items():
        path = directory / f"{name}.parquet"
        rows = _write_table(path, columns, exported, step)
        tables[name] = {"rows": rows, **_sealed(path, step)}
    account = _account(bundle, tables)
    step(f"write {ACCOUNT}")
    (directory / ACCOUNT).write_text(json.dumps(account, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    _sealed(directory / ACCOUNT, step)
    step(f"fsync {directory.name}")
    sync_directory(directory)
    return account


def _write_table(path: Path, columns: pa.Schema, exported: Exported, step: Step) -> int:
    """Write one table, a row group at a time; the number of its rows."""
    rows = 0
    marked = columns.with_metadata({"hardtack.export": VERSION, "hardtack.bundle": exported.bundle.digest})
    with path.open("wb") as file, pq.ParquetWriter(file, marked, compression="zstd") as writer:
        for group in _row_groups(path.stem, marked, exported):
            step(f"write {path.name}")
            writer.write_table(group)
            rows += group.num_rows
    return rows


def _row_groups(table: str, columns: pa.Schema, exported: Exported) -> Iterator[pa.Table]:
    """Read the rows of one table, a row group at a time; what goes wrong where they are written is not raised in here."""
    try:
        for group in columns_of(table, exported):
            arrays = [group[field.name] for field in columns]
            made = [
                each.cast(field.type) if isinstance(each, pa.Array) else pa.array(each, field.type)
                for each, field in zip(arrays, columns, strict=True)
            ]
            yield pa.Table.from_arrays(made, schema=columns)  # a batch takes no column of more than 2 GiB of text
    except OSError as error:
        raise _unreadable(exported.bundle.path, error) from error


def _sealed(path: Path, step: Step) -> dict[str, Any]:
    """Set a file's mode and make its bytes durable; its size and digest."""
    path.chmod(0o644)
    step(f"fsync {path.name}")
    with path.open("r+b") as file:  # Windows syncs no file that is open for reading alone
        os.fsync(file.fileno())
        return {"bytes": os.fstat(file.fileno()).st_size, "sha256": digest_of_descriptor(file.fileno())}


def _account(bundle: Bundle, tables: dict[str, Any]) -> dict[str, Any]:
    """What the tables are of, and what the bundle does not have of its source."""
    manifest = bundle.manifest
    provenance, encoder, secrets = manifest.provenance, manifest.encoder, manifest.secrets
    return {
        "schema": VERSION,
        "bundle": bundle.digest,
        "repository": provenance.repository,
        "subdirectory": provenance.subdirectory,
        "commit": provenance.commit,
        "commit_time": provenance.commit_time,
        "has_text": bundle.has_text,
        "encoder": {"name": encoder.name, "dimension": encoder.dimension, "fingerprint": encoder.fingerprint} if encoder else None,
        "secrets": secrets.mode if secrets else None,
        "skipped": dict(manifest.skipped),
        "pyarrow": pa.__version__,
        "tables": tables,
    }


def _is_export(path: Path, entries: set[str]) -> bool:
    """Whether the directory has an account, of any version, and nothing beside it and the tables."""
    own = {ACCOUNT, *(f"{name}.parquet" for name in schema.TABLES)}
    return entries <= own and has_account(path, ACCOUNT, "hardtack.export/")


_EXPORT: Final = Occupant(noun="export", verb="export", flag="--to", is_one=_is_export)
