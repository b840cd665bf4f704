"""An export says what its bundle says, is put in place in one step, and always has the same bytes."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn
from uuid import NAMESPACE_URL, UUID, uuid5

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from checkouts import commit, init, write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.errors import BundleError, IntegrityError, UsageError
from hardtack.export.export import ACCOUNT, ExportInfo, export_bundle
from hardtack.export.ids import ids_of
from hardtack.export.schema import TABLES, schemas
from hardtack.export.tables import _TABLES, ROWS
from hardtack.nouns.relations import Certainty, Reference, Relation, RelationKind

PAGE = Path(__file__).parents[3] / "docs" / "export.md"


def _no_step(_: str) -> None: ...


def _exported(bundle: Path, place: Path) -> ExportInfo:
    return export_bundle(bundle, place, step=_no_step)


def _bytes(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir()}


def _rows(place: Path, table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(place / f"{table}.parquet").to_pylist()
    return rows


@pytest.fixture(scope="module")
def place(pantry_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of the pantry."""
    return _exported(pantry_bundle, tmp_path_factory.mktemp("export") / "pantry").path


@pytest.fixture(scope="module")
def bundle(pantry_bundle: Path) -> Iterator[Bundle]:
    with open_bundle(pantry_bundle) as opened:
        yield opened


# -- what it says -----------------------------------------------------------------------------------------------------------------


def test_every_column_is_documented_with_its_type_and_nothing_else_is(place: Path) -> None:
    def told(type_: pa.DataType) -> str:
        if pa.types.is_fixed_size_list(type_):
            return f"fixed_size_list<{'float32' if type_.value_type == pa.float32() else type_.value_type}>[d]"
        if pa.types.is_list(type_):
            return f"list<{told(type_.value_type)}>"
        return f"struct<{', '.join(type_.names)}>" if pa.types.is_struct(type_) else str(type_)

    for table in TABLES:
        section = PAGE.read_text(encoding="utf-8").split(f"### {table}.parquet\n")[1].split("\n### ")[0].split("\n## ")[0]
        documented = re.findall(r"^\| `(\w+)` \| (.+?) \| .+ \|$", section, re.MULTILINE)
        fields = pq.read_schema(place / f"{table}.parquet")
        assert documented == [(field.name, told(field.type) + (" or null" if field.nullable else "")) for field in fields]


def test_there_is_a_row_for_each_file_symbol_chunk_relation_and_reference_of_the_bundle(place: Path, bundle: Bundle) -> None:
    counts, related = bundle.manifest.counts, bundle.related
    expected = (counts.files, counts.symbols, counts.chunks, len([*related.relations()]), len([*related.references()]))
    assert expected == tuple(len(_rows(place, table)) for table in TABLES)


def test_ids_are_unique_and_every_id_that_a_table_names_is_in_the_other(place: Path) -> None:
    own = {name: [row[f"{name}_id"] for row in _rows(place, f"{name}s")] for name in ("file", "symbol", "chunk")}
    for ids in own.values():
        assert len(ids) == len(set(ids))
        assert all(str(UUID(each)) == each and UUID(each).version == 5 for each in ids)
    means = {"definition": "symbol", "owner": "symbol", "parent": "symbol", "enclosing": "symbol", "source": "symbol"}
    means |= {"target": "symbol", "target_file": "file"}
    for table in TABLES:
        for row in _rows(place, table):
            for column, value in row.items():
                if column.endswith("_id") and column != "blob_id" and value is not None:
                    name = column.removesuffix("_id")
                    assert value in own[means.get(name, name)], (table, column)


def test_files_say_of_which_directory_of_a_repository_they_are(tmp_path: Path) -> None:
    source = init(write(tmp_path / "source", {"jar.py": "X = 1\n", "shelf/jar.py": "X = 1\n"}))
    commit(source)
    rows = {}
    for name in ("", "shelf"):
        build_bundle(
            source / name, tmp_path / "bundle", BuildOptions(jobs=1, profile="keyword", repository="github.com/acme/pantry")
        )
        (*others, row) = _rows(_exported(tmp_path / "bundle", tmp_path / "export").path, "files")
        assert {row["subdirectory"]} == {name} == {each["subdirectory"] for each in (*others, row)}
        rows[name] = row
    assert rows[""]["commit"] == rows["shelf"]["commit"]
    assert ("shelf/jar.py", "jar.py") == (rows[""]["path"], rows["shelf"]["path"])
    assert rows[""]["file_id"] != rows["shelf"]["file_id"]


def test_ids_are_made_as_the_page_says(place: Path, bundle: Bundle) -> None:
    provenance = bundle.manifest.provenance
    paths = {}
    for row in _rows(place, "files"):
        name = "\n".join(("hardtack", provenance.repository, provenance.subdirectory, row["path"]))
        assert str(uuid5(NAMESPACE_URL, name)) == row["file_id"]
        paths[row["file_id"]] = row["path"]
    seen: Counter[tuple[str, ...]] = Counter()
    for row in _rows(place, "symbols"):
        key = (row["kind"], row["qualified_name"])
        assert str(uuid5(UUID(row["file_id"]), "\n".join(("symbol", *key, str(seen[row["file_id"], *key]))))) == row["symbol_id"]
        seen[row["file_id"], *key] += 1
    for row in _rows(place, "chunks"):
        assert (
            str(uuid5(UUID(row["file_id"]), "\n".join(("chunk", row["sha256"], str(seen[row["file_id"], row["sha256"]])))))
            == row["chunk_id"]
        )
        seen[row["file_id"], row["sha256"]] += 1


def test_files_and_chunks_have_the_text_lines_and_vectors_of_the_bundle(place: Path, bundle: Bundle) -> None:
    files = {row["file_id"]: bundle.file_at(row["path"]) for row in _rows(place, "files")}
    for ordinal, row in enumerate(_rows(place, "chunks")):
        file, chunk = files[row["file_id"]], bundle.chunk(ordinal)
        assert file == bundle.file(chunk.file)
        assert bundle.text_of(file, row["start_byte"], row["end_byte"]).decode() == row["text"]
        assert sha256(row["text"].encode()).hexdigest() == row["sha256"]
        assert (chunk.start_line, chunk.end_line) == (row["start_line"], row["end_line"])
        assert bundle.vectors.vector(ordinal).tolist() == row["vector"]


def test_relations_and_references_are_those_of_the_bundle_in_its_order(place: Path, bundle: Bundle) -> None:
    files, symbols = ({row[f"{name}_id"]: at for at, row in enumerate(_rows(place, f"{name}s"))} for name in ("file", "symbol"))

    def symbol(row: dict[str, Any], column: str) -> int:
        return symbols[row[column]] if row[column] else -1

    assert [*bundle.related.relations()] == [
        Relation(
            file=files[row["file_id"]],
            line=row["line"],
            source=symbol(row, "source_id"),
            kind=RelationKind(row["relation"]),
            name=row["name"],
            target=symbol(row, "target_id"),
            target_file=files[row["target_file_id"]] if row["target_file_id"] else -1,
            certainty=Certainty(row["certainty"]),
        )
        for row in _rows(place, "relations")
    ]
    assert [(name, each) for name, many in bundle.related.references_by_name() for each in many] == [
        (
            row["name"],
            Reference(
                file=files[row["file_id"]],
                line=row["line"],
                start=row["start_byte"],
                source=symbol(row, "source_id"),
                is_call=row["relation"] == "calls",
                target=symbol(row, "target_id"),
                certainty=Certainty(row["certainty"]),
            ),
        )
        for row in _rows(place, "references")
    ]


def test_a_member_that_is_written_elsewhere_belongs_to_its_type_and_a_part_to_the_whole(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "jar.go": "package jar\n\ntype Jar struct{ lid bool }\n",
        "open.go": "package jar\n\nfunc (j *Jar) Open() {}\n",
        "src/lib.rs": "pub struct Tin { pub full: bool }\n\nimpl Tin {\n    pub fn empty(&self) {}\n}\n",
        "shelf.png": b"\x89PNG\r\n\x00",
        "shelf.h": "int reach(int high);\n",
        "shelf.c": '#include "shelf.h"\n\nint reach(int high) {\n    return high + 1;\n}\n',
        "other.c": "int reach(int high) {\n    return high;\n}\n",
    }
    commit(init(write(tmp_path / "source", files)))
    build_bundle(tmp_path / "source", tmp_path / "bundle", BuildOptions(jobs=1))
    place, account = (
        _exported(tmp_path / "bundle", tmp_path / "export").path,
        json.loads((tmp_path / "export" / ACCOUNT).read_text()),
    )
    assert {"binary": 1} == account["skipped"]
    symbols = {row["symbol_id"]: row for row in _rows(place, "symbols")}
    paths = {row["file_id"]: row["path"] for row in _rows(place, "files")}

    def named(name: str, column: str) -> set[tuple[str, str]]:
        found = [symbols[row[column]] for row in symbols.values() if row["qualified_name"] == name and row[column]]
        return {(each["qualified_name"], paths[each["file_id"]]) for each in found}

    assert {("Jar", "jar.go")} == named("Jar.Open", "owner_id")
    assert {("Tin", "src/lib.rs")} == named("Tin.empty", "owner_id")
    assert {"struct"} == {symbols[row["definition_id"]]["kind"] for row in symbols.values() if row["kind"] == "block"}
    definitions = {
        paths[row["file_id"]]: paths[symbols[row["definition_id"]]["file_id"]] for row in symbols.values() if row["name"] == "reach"
    }
    assert {"shelf.h": "shelf.c", "shelf.c": "shelf.c", "other.c": "other.c"} == definitions


def test_a_bundle_without_text_and_vectors_is_exported_without_them(bare_bundle: Path, tmp_path: Path) -> None:
    info = _exported(bare_bundle, tmp_path / "export")
    rows = _rows(info.path, "chunks")
    assert {None} == {row["text"] for row in rows}
    assert "vector" not in rows[0]
    assert (False, None) == (info.account["has_text"], info.account["encoder"])


def test_rows_come_in_groups_so_that_no_table_is_held_whole(
    pantry_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardtack.export.tables.ROWS", 7)
    monkeypatch.setattr("hardtack.export.tables.CHUNK_ROWS", 5)
    small = _exported(pantry_bundle, tmp_path / "small").path
    large = _exported(pantry_bundle, tmp_path / "large").path
    for table in TABLES:
        file, most = pq.ParquetFile(small / f"{table}.parquet"), 5 if table == "chunks" else 7
        assert [most] * (file.num_row_groups - 1) == [
            file.metadata.row_group(each).num_rows for each in range(file.num_row_groups - 1)
        ]
        assert file.num_row_groups > 1
        assert file.read() == pq.read_table(large / f"{table}.parquet")
    assert ROWS > 7


# -- bytes and place --------------------------------------------------------------------------------------------------------------


def test_the_same_bundle_gives_the_same_bytes(pantry_bundle: Path, place: Path, tmp_path: Path) -> None:
    assert _bytes(place) == _bytes(_exported(pantry_bundle, tmp_path / "again").path)


def test_the_account_has_the_size_and_digest_of_every_table(place: Path, bundle: Bundle) -> None:
    account = json.loads((place / ACCOUNT).read_text(encoding="utf-8"))
    assert {f"{name}.parquet" for name in account["tables"]} | {ACCOUNT} == {path.name for path in place.iterdir()}
    for name, table in account["tables"].items():
        data = (place / f"{name}.parquet").read_bytes()
        assert (len(data), f"sha256:{sha256(data).hexdigest()}") == (table["bytes"], table["sha256"])
        assert pq.read_metadata(place / f"{name}.parquet").num_rows == table["rows"]
    assert (bundle.digest, dict(bundle.manifest.skipped)) == (account["bundle"], account["skipped"])


def test_an_export_is_replaced_and_nothing_else_is(pantry_bundle: Path, bare_bundle: Path, tmp_path: Path) -> None:
    place = tmp_path / "export"
    _exported(bare_bundle, place)
    wanted = _bytes(_exported(pantry_bundle, tmp_path / "other").path)
    assert wanted == _bytes(_exported(pantry_bundle, place).path)
    (place / "notes.txt").write_text("mine")
    before = _bytes(place)
    with pytest.raises(UsageError, match=r"is neither empty nor a Hardtack export; nothing there was touched\.$") as caught:
        _exported(pantry_bundle, place)
    assert ("Choose another place with --to, or remove it first.", before) == (caught.value.hint, _bytes(place))
    foreigners = ({ACCOUNT: '{"schema": "other/1"}'}, {ACCOUNT: "{"}, {"files.parquet": ""})
    for number, files in enumerate(foreigners):
        foreign = write(tmp_path / str(number), files)
        with pytest.raises(UsageError):
            _exported(pantry_bundle, foreign)
        assert {name: text.encode() for name, text in files.items()} == _bytes(foreign)
    assert {"export", "other"} == {path.name for path in tmp_path.iterdir() if (path / "symbols.parquet").exists()}


def test_a_damaged_bundle_is_refused_and_leaves_nothing(pantry_bundle: Path, tmp_path: Path) -> None:
    import shutil

    damaged = Path(shutil.copytree(pantry_bundle, tmp_path / "damaged"))
    member = damaged / "chunks.msgpack"
    data = bytearray(member.read_bytes())
    data[len(data) // 2] ^= 1
    member.write_bytes(data)
    with pytest.raises(IntegrityError):
        _exported(damaged, tmp_path / "export")
    assert ["damaged"] == [path.name for path in tmp_path.iterdir()]


def _export_killed_at(step: int, bundle: Path, place: Path) -> int:
    command = [sys.executable, "-m", "hardtack", "export", "-b", str(bundle), "--to", str(place)]
    return subprocess.run(command, env=os.environ | {"HARDTACK_KILL_AT": str(step)}, capture_output=True, check=False).returncode


def test_an_export_that_is_killed_leaves_the_old_one_or_the_new_one(pantry_bundle: Path, bare_bundle: Path, tmp_path: Path) -> None:
    steps: list[str] = []
    place = tmp_path / "export"
    new = _bytes(export_bundle(pantry_bundle, place, step=steps.append).path)
    old = _bytes(_exported(bare_bundle, place).path)
    outcomes = []
    for step in sorted({1, 2, len(steps) // 2, *range(len(steps) - 3, len(steps) + 1)}):
        _exported(bare_bundle, place)
        assert -9 == _export_killed_at(step, pantry_bundle, place)
        found = _bytes(place)
        assert found in (old, new), steps[step - 1]
        outcomes.append(found == new)
    assert sorted(outcomes) == outcomes, "once it is the new one, it stays so"
    assert (False, True) == (outcomes[0], outcomes[-1])
    _exported(pantry_bundle, place)
    assert ["export"] == [path.name for path in tmp_path.iterdir()], "what the killed ones left is removed by the next"


def test_a_full_disk_is_said_in_one_sentence(pantry_bundle: Path, tmp_path: Path) -> None:
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000));"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "from hardtack.cli.main import main; main()"
    )
    command = [sys.executable, "-c", script, "export", "-b", str(pantry_bundle), "--to", str(tmp_path / "export")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sentence = "hardtack: The export could not be written: File too large.\n  Free some space, or choose another place with --to.\n"
    assert (5, "", sentence) == (done.returncode, done.stdout, done.stderr)
    assert [] == [*tmp_path.iterdir()]


@pytest.mark.parametrize("table", ["before any", *TABLES])
def test_a_bundle_that_cannot_be_read_is_not_told_as_a_disk_that_cannot_be_written(
    pantry_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    def fails(*_: object) -> NoReturn:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    if table == "before any":
        monkeypatch.setattr("hardtack.export.export.grouping_of", fails)
    else:
        monkeypatch.setitem(_TABLES, table, fails)
    with pytest.raises(BundleError, match=rf"^{re.escape(str(pantry_bundle))} cannot be read: {os.strerror(errno.EIO)}\.$"):
        _exported(pantry_bundle, tmp_path / "export")
    assert [] == [*tmp_path.iterdir()]


def test_more_ids_are_held_than_32_bits_number_the_letters_of(bundle: Bundle) -> None:
    assert {8} == {each.buffers()[1].size // (len(each) + 1) for each in ids_of(bundle)}, "bytes of an offset"


def test_without_the_extra_the_command_says_what_to_install(pantry_bundle: Path, tmp_path: Path) -> None:
    script = "import sys; sys.modules['pyarrow'] = None; from hardtack.cli.main import main; main()"
    command = [sys.executable, "-c", script, "export", "-b", str(pantry_bundle), "--to", str(tmp_path / "export")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sentence = (
        "hardtack: Exporting a bundle needs the 'export' extra, which is not installed.\n  Run: pip install 'hardtack[export]'\n"
    )
    assert (2, "", sentence) == (done.returncode, done.stdout, done.stderr)


def test_the_vector_column_has_the_dimension_of_the_bundle() -> None:
    assert 7 == schemas(7)["chunks"].field("vector").type.list_size
