"""TOML, JSON, XML and protobuf that strangers write: manifests of package managers, notebooks, lock files, records, pointers.

A case is the name of the file and its text, with a NUL between. Whoever reads files of that name reads it, as in a build or a pull.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

from driver import Generator, Target, scratch
from mutations import another_json, blind, in_text, number_of_digits
from scip_indexes import document, index, occurrences, symbol
from source_files import source_file

from hardtack.build.projects import MAX_PREFIXES, project_of
from hardtack.build.projects.declared import LONGEST_TEXT
from hardtack.build.scip.documents import Reading
from hardtack.build.scip.index_file import IndexFile, is_canonical
from hardtack.build.scip.symbols import SymbolTable
from hardtack.build.source.notebook import script_of
from hardtack.build.workers.analyse import analyse
from hardtack.bundle.format.digest import is_digest
from hardtack.bundle.writer import IndexedFile
from hardtack.clients import jsonc
from hardtack.clients import toml as client_toml
from hardtack.nouns.outline import SourceFile
from hardtack.store.aims import configured_sources
from hardtack.store.pins import read_pins
from hardtack.store.records import read_record
from hardtack.store.sources.pointer import document_in, parse_pointer, path_for
from hardtack.store.sources.source import Wanted

_DIGEST = "sha256:" + "ab" * 32
_POINTER = {
    "format": 1,
    "repository": "github.com/o/n",
    "root": "",
    "profile": "keyword",
    "status": "active",
    "commit": "cd" * 20,
    "commit_time": 1_700_000_000,
    "bundle_digest": _DIGEST,
    "pack_digest": _DIGEST,
    "size": 4096,
    "path": f"packs/{'ab' * 32}.hardtack",
}
_RECORD = {
    "format": 1,
    "name": "github.com/o/n",
    "digest": _DIGEST,
    "origin": {
        "source": "file",
        "repository": "github.com/o/n",
        "commit": "cd" * 20,
        "branch": "main",
        "pack_digest": _DIGEST,
        "bundle_digest": _DIGEST,
        "signer": "",
        "trust": "unsigned",
        "installed_at": 1,
        "commit_time": 1,
    },
}
_NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"name": "python3", "language": "python"}},
    "cells": [
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import x\n"], "outputs": []},
        {"cell_type": "markdown", "source": "# Title\ntext"},
    ],
}
_TEXTS: dict[str, str] = {
    "Cargo.toml": """[package]
name = "a-b"
version = "1.0"
rust-version = "1.70"
[lib]
path = "src/lib.rs"
[[bin]]
path = "x.rs"
[dependencies]
core2 = { path = "../core", package = "core" }
""",
    "pyproject.toml": """[project]
name = "x"
version = "1"
requires-python = ">=3.11"
[tool.setuptools.package-dir]
"" = "src"
[tool.poetry]
name = "y"
packages = [{ include = "p", from = "lib" }]
[tool.hardtack]
source = ["https://example.org/x"]
""",
    "hardtack.toml": """source = ["https://example.org/a", "github:o/n"]
# more
[other]
a.b.c = 1
d = [1, 2, { e = 1979-05-27T07:32:00Z }]
""",
    "setup.cfg": """[metadata]
name = x
version = attr: x.v
[options]
package_dir =
    = src
python_requires = >=3
""",
    "composer.json": r"""{"name": "a/b", "require": {"php": "^8.1"},
"autoload": {"psr-4": {"App\\": ["src/", "lib"]}, "psr-0": {"Old_": "o/"}}}""",
    "package.json": """{"name": "@a/b", "version": "1.0.0", "engines": {"node": ">=18"}, "main": "./src/index.js",
"imports": {"#x/*": "./s/*"}, "exports": {".": {"import": "./a.mjs"}}, "workspaces": ["packages/*"]}""",
    "tsconfig.json": """{ // settings
 "compilerOptions": {"baseUrl": "./src", "paths": {"@/*": ["*", "../lib/*"],},}, /* end */
}""",
    "pom.xml": """<project><parent><groupId>g</groupId></parent><artifactId>a</artifactId><version>${v}</version>
<properties><v>1</v><java.version>17</java.version></properties>
<build><sourceDirectory>src</sourceDirectory></build></project>""",
    "x.csproj": """<Project Sdk="x"><PropertyGroup><RootNamespace>N</RootNamespace>
<TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>""",
    "go.mod": """module example.org/m // c

go 1.22

replace (
\texample.org/x v1.0.0 => ../x
)
replace a => ./b
""",
    "go.work": "go 1.22\nuse ./a\nreplace example.org/x => ../x\n",
    "a.ipynb": json.dumps(_NOTEBOOK),
    ".hardtack.lock": json.dumps({"format": 1, "bundles": {"a/b": {"digest": _DIGEST, "commit": "cd" * 20}}}),
    "github.com%2Fo%2Fn.json": json.dumps(_RECORD),
    "pointer.json": json.dumps(_POINTER),
    "settings.json": """{
  // servers
  "mcpServers": {"other": {"command": "x", "args": []},},
}
""",
    "config.toml": """[mcp_servers.other]
command = "x" # why
args = ["a"]
[mcp_servers.other.env]
A = "b"
""",
}
_TOML = (
    *(b"[", b"]", b"[[", b"]]", b"{", b"}", b"=", b'"""', b"'''", b"\\u0000", b"\\UFFFFFFFF", b"1979-05-27", b"07:32:00", b"inf"),
    *(
        b"a.b.c",
        b"." * 40,
        b"a." * 300 + b"a = 1\n",
        b"nan",
        b"0x" + b"f" * 50,
        b"1e400",
        b"#",
        b"\r\n",
        b"\n[a]\n",
        b"\n[[a]]\n",
        b"true",
    ),
)
_JSON = (
    *(b"{", b"}", b"[", b"]", b":", b",", b'"', b"\\u", b"\\ud800", b"\\", b"//", b"/*", b"*/", b"null", b"NaN", b"-", b"1e999"),
    *(b'"psr-4"', b'"paths"', b'"exports"', b'{"a":1,"a":2}', b"[" * 300, b'"../../.."', b'"/abs"', b'"\\u001b]0;x"'),
)
_XML = (
    *(b"<", b">", b"</", b"/>", b"<!DOCTYPE x [", b'<!ENTITY a "b">', b"&a;", b"&lt;", b"<![CDATA[", b"]]>", b"<!--", b"-->"),
    *(
        b"<properties>",
        b"<a>" * 300,
        b"${v}",
        b"${",
        b"&#0;",
        b"&#x1b;",
        b'<?xml version="1.0" encoding="utf-16"?>',
        b'<!ENTITY x SYSTEM "/etc/passwd">',
    ),
)


def _seeds() -> list[bytes]:
    _place("")
    return [name.encode() + b"\0" + text.encode() for name, text in _TEXTS.items()]


def _another(generator: Generator, seed: bytes) -> bytes:
    name, _, data = seed.partition(b"\0")
    if name.endswith((b".json", b".lock", b".ipynb")) and generator.random() < 0.5:
        return name + b"\0" + another_json(generator, data)
    words = _TOML if name.endswith((b".toml", b".cfg", b".mod", b".work")) else _XML if data.startswith(b"<") else _JSON
    if generator.random() < 0.05:
        data = data.replace(b"1", number_of_digits(generator).encode())
    return name + b"\0" + in_text(generator, data, words)


@cache
def _directory() -> Path:
    return scratch()


def _place(name: str, data: bytes = b"") -> Path:
    path = _directory() / name
    if name:
        path.write_bytes(data)
    return path


def _read(case: bytes) -> str:
    head, _, data = case.partition(b"\0")
    name = head.decode("utf-8", "replace")
    if name not in _TEXTS:
        return "no case"
    return _READERS.get(name, _project)(name, data)


def _project(name: str, data: bytes) -> str:
    project = project_of(f"some/where/{name}", data)
    if project is None:
        return "no project"
    texts = (project.name, project.version, project.language_version, *(text for pair in project.prefixes for text in pair))
    assert all(text.isprintable() for text in texts), texts
    assert all(len(text) <= len("some/where/") + LONGEST_TEXT + len("/") for text in texts), texts
    assert len(project.prefixes) <= MAX_PREFIXES
    for _, folder in project.prefixes:
        assert not folder.startswith("/"), folder
        assert ".." not in folder.split("/"), folder
        assert not folder or folder.endswith("/"), folder
    return "a project"


def _sources(name: str, data: bytes) -> str:
    _project(name, data)
    path = _place(name, data)
    try:
        found = configured_sources(path.parent)
    finally:
        path.unlink()
    assert all(isinstance(each, str) and each for each in found)
    return "sources" if found else "no sources"


def _notebook(_: str, data: bytes) -> str:
    found = script_of(data)
    if found is None:
        return "no notebook"
    found[0].decode("utf-8")
    assert len(found[0]) <= 16 * len(data) + 1000, "longer than the notebook"
    return "a notebook"


def _pins(name: str, data: bytes) -> str:
    pins = read_pins(_place(name, data))
    assert all(is_digest(pin.digest) for pin in pins.values())
    return "pins"


def _record(name: str, data: bytes) -> str:
    record = read_record(_place(name, data))
    assert record.name == "github.com/o/n"
    assert is_digest(record.digest)
    assert all(value.isprintable() for value in record.origin if isinstance(value, str))
    return "a record"


def _pointer(_: str, data: bytes) -> str:
    pointer = parse_pointer(document_in(data, 64 << 10, "https://example.org/x"), "https://example.org/x")
    assert pointer.path == f"packs/{pointer.pack_digest.removeprefix('sha256:')}.hardtack"
    assert 0 <= pointer.size < 1 << 63
    path_for(Wanted(ref=pointer.repository or "main"))
    return "a pointer"


def _settings(name: str, data: bytes) -> str:
    """A configuration of an MCP client is edited: what else is in it stays, and nothing but our entry comes."""
    module = client_toml if name.endswith(".toml") else jsonc
    key = "mcp_servers" if name.endswith(".toml") else "mcpServers"
    try:
        text = data.decode("utf-8")
        before = module.read(text)
        after = module.put(text, (key, "hardtack"), {"command": "hardtack", "args": ["serve"]})
        again = module.remove(after, (key, "hardtack"))
    except (ValueError, RecursionError):  # what their caller takes for a file that is left as it is
        return "left alone"
    assert module.read(after)[key]["hardtack"]["command"] == "hardtack"
    for other, kept in before.items() if isinstance(before, dict) else ():
        if other != key:
            assert module.read(again).get(other) == kept or kept != kept or not _is_plain(kept), other
    return "edited"


def _is_plain(value: object) -> bool:
    return "nan" not in repr(value)


_READERS: dict[str, Callable[[str, bytes], str]] = {
    "hardtack.toml": _sources,
    "pyproject.toml": _sources,
    "a.ipynb": _notebook,
    ".hardtack.lock": _pins,
    "github.com%2Fo%2Fn.json": _record,
    "pointer.json": _pointer,
    "settings.json": _settings,
    "config.toml": _settings,
}


# -- SCIP -------------------------------------------------------------------------------------------------------------------------

_CODE = "export function fill(jar: Jar) {\n  return seal(fill, jar.lid);\n}\n"


@cache
def _analysed() -> tuple[SourceFile, IndexedFile]:
    file = source_file("jar.ts", _CODE)
    return file, analyse(file, None)


def _scip_seeds() -> list[bytes]:
    _analysed()
    fill, seal, jar = symbol("`jar.ts`/fill()."), symbol("`jar.ts`/seal()."), symbol("`jar.ts`/Jar#")
    found = occurrences(_CODE, ("fill", fill, 1), ("Jar", jar, 0), ("seal", seal, 0), ("fill", fill, 0), ("lid", "local 1", 0))
    made = index(document("jar.ts", found), document("other.ts", found, text=_CODE, encoding=2))
    return [
        made,
        *(
            (Path(__file__).parents[3] / "fixtures" / "scip" / each / "index.scip").read_bytes()
            for each in ("python", "typescript")
        ),
    ]


def _another_index(generator: Generator, seed: bytes) -> bytes:
    data = bytearray(seed)
    if generator.random() < 0.5:
        return blind(generator, seed)
    for _ in range(generator.choice((1, 2, 5))):  # tags, lengths and small numbers, as they stand
        at = generator.randrange(len(data))
        data[at : at + generator.choice((0, 1, 1, 2))] = generator.choice(
            (
                b"\x00",
                b"\x01",
                b"\x0a",
                b"\x12",
                b"\x7f",
                b"\x80",
                b"\xff" * 9 + b"\x01",
                b"\xff\xff\xff\xff\x0f",
                b"\x80" * 11,
                b"../",
                b"`",
                b"#",
            )
        )
    return bytes(data)


def _scip(case: bytes) -> str:
    descriptor = os.memfd_create("scip")
    with os.fdopen(descriptor, "rb") as handle:
        os.write(descriptor, case)
        os.lseek(descriptor, 0, os.SEEK_SET)
        opened = IndexFile(Path("index.scip"), handle)
        assert all(map(is_canonical, opened.documents))
        assert opened.indexer.name.isprintable()
        table = SymbolTable()
        reading = Reading(table)
        file, indexed = _analysed()
        for place in list(opened.documents.values())[:20]:
            parsed = opened.document(place)
            if parsed is None:
                continue
            said = reading.said_of(parsed, "0 jar.ts", file.text, indexed)
            reading.defined_in(parsed, "0 jar.ts", len(file.text))
            assert said is None or all(0 <= start < len(file.text) for start in said.starts)
    return "an index" if not opened.fault else "no index"


TARGETS = (
    Target(name="readers", seeds=_seeds, mutate=_another, execute=_read, share=2),
    Target(name="scip", seeds=_scip_seeds, mutate=_another_index, execute=_scip),
)
