"""The statements of docs/export.md, run by DuckDB; what they make, held against Qdrant's engine, OpenSearch's client and schema."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import duckdb
import pyarrow.parquet as pq
import pytest
from google.protobuf.json_format import ParseDict, ParseError
from opensearch.protobufs.schemas.common_pb2 import OperationContainer
from opensearchpy import OpenSearch
from opensearchpy.helpers import expand_action
from qdrant_client import QdrantClient, models

from hardtack.encoders import load_encoder
from hardtack.export.export import export_bundle
from hardtack.query.searcher import Searcher

PAGE = (Path(__file__).parents[3] / "docs" / "export.md").read_text(encoding="utf-8")


def _blocks(heading: str, language: str) -> list[str]:
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def place(pantry_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_bundle(pantry_bundle, tmp_path_factory.mktemp("export") / "pantry", step=lambda _: None).path


@pytest.fixture
def connection(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB with the views of the page, in a directory to write to."""
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as opened:
        opened.execute("SET file_search_path = ?", [str(place)])
        opened.execute(_blocks("DuckDB", "sql")[0])
        yield opened


def _chunks(place: Path) -> dict[str, dict[str, Any]]:
    return {row["chunk_id"]: row for row in pq.read_table(place / "chunks.parquet").to_pylist()}


def test_duckdb_loads_every_table_into_a_database_of_its_own(place: Path, tmp_path: Path) -> None:
    statements = _blocks("DuckDB", "sql")[0].replace("CREATE VIEW", "CREATE TABLE")
    with duckdb.connect(tmp_path / "code.duckdb") as opened:
        opened.execute("SET file_search_path = ?", [str(place)])
        opened.execute(statements)
    account = json.loads((place / "export.json").read_text(encoding="utf-8"))
    with duckdb.connect(tmp_path / "code.duckdb", read_only=True) as opened:
        counted = {name: opened.execute(f'SELECT count(*) FROM "{name}"').fetchone() for name in account["tables"]}
    assert {name: (table["rows"],) for name, table in account["tables"].items()} == counted


def test_the_nearest_chunks_by_duckdb_are_those_that_a_vector_search_finds(
    connection: duckdb.DuckDBPyConnection, searcher: Searcher
) -> None:
    query = "where are jars put on a shelf"
    vector = load_encoder("static").encode([query])[0].tolist()
    statement = (
        "SELECT path FROM chunks JOIN files USING (file_id) ORDER BY list_cosine_similarity(vector, ?::FLOAT[]) DESC LIMIT 1"
    )
    assert (searcher.search(query, mode="vector").hits[0].path,) == connection.execute(statement, [vector]).fetchone()


def test_the_points_are_what_qdrant_takes_and_finds_again(connection: duckdb.DuckDBPyConnection, place: Path) -> None:
    (statement,) = _blocks("Qdrant", "sql")
    connection.execute(statement)
    (body,) = re.findall(r"-d '(\{.*\})'", _blocks("Qdrant", "sh")[0])
    client = QdrantClient(":memory:")
    client.create_collection("code", vectors_config=models.VectorParams(**json.loads(body)["vectors"]))
    expected = _chunks(place)
    for line in Path("points.ndjson").read_bytes().splitlines():
        points = models.PointsList.model_validate_json(line, strict=False).points
        assert 1 <= len(points) <= 500
        client.upsert("code", points=points)
    assert len(expected) == client.count("code").count
    for chunk_id, chunk in [*expected.items()][::7]:
        (hit, *_) = client.query_points("code", query=chunk["vector"], limit=1).points
        nearest = expected[str(hit.id)]
        assert hit.score == pytest.approx(1, abs=1e-4)
        assert (
            nearest["text"] == chunk["text"] or chunk_id == hit.id or nearest["vector"] == pytest.approx(chunk["vector"], abs=1e-3)
        )
        (found,) = client.retrieve("code", [chunk_id])
        assert found.payload is not None
        assert (chunk["text"], chunk["start_line"]) == (found.payload["text"], found.payload["start_line"])
        assert {"repository", "subdirectory", "commit"} <= set(found.payload)


def _of_several_bundles(repository: str, commit: str) -> list[dict[str, str]]:
    """What chunks of several bundles say that they are of; the second is the only one that the new commit of the first replaces."""
    places = [(repository, "", commit), (repository, "", "older"), (repository, "services/api", "older"), ("another", "", "older")]
    return [dict(zip(("repository", "subdirectory", "commit"), place, strict=True)) for place in places]


def test_what_a_new_commit_does_not_have_goes_from_qdrant_by_the_filter_of_the_page() -> None:
    (filter_,) = _blocks("Qdrant", "json")
    selector = models.FilterSelector.model_validate_json(filter_)
    must, must_not = ({each["key"]: each["match"]["value"] for each in part} for part in json.loads(filter_)["filter"].values())
    client = QdrantClient(":memory:")
    client.create_collection("code", vectors_config=models.VectorParams(size=2, distance=models.Distance.COSINE))
    payloads = _of_several_bundles(must["repository"], must_not["commit"])
    points = [models.PointStruct(id=n, vector=[1.0, float(n)], payload=payload) for n, payload in enumerate(payloads)]
    client.upsert("code", points=points)
    client.delete("code", points_selector=selector)
    assert [0, 2, 3] == sorted(int(str(point.id)) for point in client.scroll("code")[0])


def test_what_a_new_commit_does_not_have_goes_from_opensearch_by_the_query_of_the_page() -> None:
    _, query = map(json.loads, _blocks("OpenSearch", "json"))
    asked = query["query"]["bool"]
    must, must_not = ([next(iter(each["term"].items())) for each in asked[part]] for part in ("must", "must_not"))
    kept = [
        number
        for number, document in enumerate(_of_several_bundles(dict(must)["repository"], dict(must_not)["commit"]))
        if not all(document[name] == value for name, value in must) or any(document[name] == value for name, value in must_not)
    ]
    assert [0, 2, 3] == kept


def _bulk_lines(connection: duckdb.DuckDBPyConnection) -> list[str]:
    (statement,) = _blocks("OpenSearch", "sql")
    connection.execute(statement)
    text = Path("bulk.ndjson").read_text(encoding="utf-8")
    assert text.endswith("\n")
    return text.removesuffix("\n").split("\n")


def test_the_bulk_lines_are_those_that_opensearch_s_own_client_would_send(
    connection: duckdb.DuckDBPyConnection, place: Path
) -> None:
    lines, expected, serializer = _bulk_lines(connection), _chunks(place), OpenSearch().transport.serializer
    assert 2 * len(expected) == len(lines)
    for action, source in zip(lines[::2], lines[1::2], strict=True):
        (operation,) = json.loads(action).values()
        document = json.loads(source)
        sent, data = expand_action({"_op_type": "index", **operation, **document})
        assert (json.loads(serializer.dumps(sent)), json.loads(serializer.dumps(data))) == (json.loads(action), document)
        chunk = expected.pop(operation["_id"])
        assert (chunk["text"], chunk["end_line"]) == (document["text"], document["end_line"])
        assert chunk["vector"] == pytest.approx(document["vector"])
    assert {} == expected


def test_the_bulk_actions_are_of_opensearch_s_published_schema(connection: duckdb.DuckDBPyConnection) -> None:
    def parsed(action: dict[str, dict[str, str]]) -> OperationContainer:
        """The schema writes ``_id`` as ``x_id``."""
        renamed = {kind: {re.sub("^_", "x_", key): value for key, value in fields.items()} for kind, fields in action.items()}
        return ParseDict(renamed, OperationContainer())

    for action in _bulk_lines(connection)[::2]:
        assert "code" == parsed(json.loads(action)).index.x_index
        assert len(json.loads(action)["index"]["_id"]) <= 512
    with pytest.raises(ParseError):
        parsed({"index": {"_name": "code"}})


def test_the_index_of_the_page_has_a_field_for_all_that_a_document_has_and_the_bundle_s_dimension(
    connection: duckdb.DuckDBPyConnection, place: Path
) -> None:
    index, _ = map(json.loads, _blocks("OpenSearch", "json"))
    fields = index["mappings"]["properties"]
    assert set(json.loads(_bulk_lines(connection)[1])) == set(fields)
    encoder = json.loads((place / "export.json").read_text(encoding="utf-8"))["encoder"]
    assert encoder["dimension"] == fields["vector"]["dimension"]


class _Kept(BaseHTTPRequestHandler):
    """Keeps what it is sent."""

    kept: ClassVar[list[tuple[str, bytes]]] = []

    def _keep(self) -> None:
        self.kept.append((f"{self.command} {self.path}", self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def do_PUT(self) -> None:
        self._keep()

    def do_POST(self) -> None:
        self._keep()

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def sent() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """The address of a server, and what it was sent."""
    _Kept.kept.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Kept)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", _Kept.kept
    server.shutdown()
    server.server_close()


@pytest.mark.skipif(not shutil.which("curl"), reason="the commands use curl")
@pytest.mark.parametrize(("engine", "file"), [("Qdrant", "points.ndjson"), ("OpenSearch", "bulk.ndjson")])
def test_the_commands_of_the_page_send_all_lines(
    connection: duckdb.DuckDBPyConnection, sent: tuple[str, list[tuple[str, bytes]]], engine: str, file: str
) -> None:
    connection.execute(_blocks(engine, "sql")[0])
    (address, kept), script = sent, _blocks(engine, "sh")[0].replace("-l 1000", "-l 20")
    subprocess.run(["sh", "-ec", script], env=os.environ | {engine.upper(): address}, check=True, capture_output=True)
    bodies = [body for where, body in kept if where in ("PUT /collections/code/points", "POST /_bulk")]
    assert Path(file).read_bytes() == b"".join(body.removesuffix(b"\n") + b"\n" for body in bodies)
    assert all(len(body.splitlines()) % 2 == 0 and body.endswith(b"\n") for body in bodies) or engine == "Qdrant"
    assert len(bodies) > 1 or engine == "Qdrant"
