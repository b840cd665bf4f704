"""Hostile engine files: what FAISS and Tantivy would be led to do, and an encoder that is not what it says."""

from __future__ import annotations

import random
import struct
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import faiss
import msgpack
import numpy as np
from attacks_on_records import bytes_of
from forge import Attack, Forge

from hardtack.bundle.engines.vector_frames import rendered
from hardtack.bundle.engines.vector_lists import InvertedLists
from hardtack.bundle.format.layout import ENCODER, ENCODER_TABLE, LEXICAL_META, VECTORS

SUFFIXES = ("term", "idx", "pos", "fast", "fieldnorm", "store")
DIMENSION, COUNT = 64, 6
TRAINED_AT = 73
FLIPS = 6
"""Seeds of random damage tried on each Tantivy file; more are the fuzzer's work."""


def meta(change: Callable[[dict[str, Any]], object]) -> Callable[[Forge], None]:
    return lambda forge: forge.set_meta(change)


def segment_named(name: str) -> Callable[[Forge], None]:
    """Let ``meta.json`` name another segment."""
    return meta(lambda document: document["segments"][0].update(segment_id=name))


def without(suffix: str) -> Callable[[Forge], object]:
    return lambda forge: forge.members.pop(forge.component(suffix))


def component(suffix: str, change: Callable[[bytes], bytes]) -> Callable[[Forge], None]:
    def apply(forge: Forge) -> None:
        name = forge.component(suffix)
        forge.members[name] = change(forge.members[name])

    return apply


def footer(version: int) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        (length,) = struct.unpack("<I", data[-8:-4])
        text = data[-8 - length : -8].replace(b'"index_format_version":7', b'"index_format_version":%d' % version)
        return data[: -8 - length] + text + struct.pack("<I", len(text)) + data[-4:]

    return change


def endless_store(data: bytes) -> bytes:
    """A skip list of 2^35 layers, which Tantivy would make room for and abort."""
    (length,) = struct.unpack("<I", data[-8:-4])
    at = struct.unpack_from("<Q", data, len(data) - 8 - length - 24)[0]
    return data[:at] + b"\x7f" * 4 + b"\xff" + data[at + 5 :]


def flipped(seed: int) -> Callable[[bytes], bytes]:
    """Overwrite up to 16 bytes before the footer."""

    def change(data: bytes) -> bytes:
        generator = random.Random(seed)
        damaged = bytearray(data)
        at = generator.randrange(max(len(data) - 120, 1))
        for number in range(generator.choice((1, 4, 16))):
            damaged[min(at + number, len(data) - 1)] = generator.choice((0, 255, generator.randrange(256)))
        return bytes(damaged)

    return change


def swapped(forge: Forge) -> None:
    one, other = forge.component(".idx"), forge.component(".term")
    forge.members[one], forge.members[other] = forge.members[other], forge.members[one]


def renamed(forge: Forge) -> None:
    for suffix in SUFFIXES:
        forge.members[f"lexical/{'0' * 32}.{suffix}"] = forge.members.pop(forge.component(f".{suffix}"))


LEXICAL = [
    Attack("meta.json: missing", lambda forge: forge.members.pop(LEXICAL_META), words="lexical index"),
    Attack("meta.json: empty", bytes_of(LEXICAL_META, lambda _: b""), words="malformed"),
    Attack("meta.json: a list", bytes_of(LEXICAL_META, lambda _: b"[]"), words="malformed"),
    Attack("meta.json: half a million arrays deep", bytes_of(LEXICAL_META, lambda _: b"[" * 500_000), words="malformed"),
    Attack("meta.json: 5000 digits", bytes_of(LEXICAL_META, lambda _: b'{"segments":' + b"9" * 5000 + b"}"), words="malformed"),
    Attack(
        "meta.json: no UTF-8", bytes_of(LEXICAL_META, lambda data: data.replace(b"body", b"\xff\xff\xff\xff")), words="malformed"
    ),
    Attack("meta.json: 2 MB", bytes_of(LEXICAL_META, lambda data: data + b" " * (2 << 20)), words="at most"),
    Attack("meta.json: ../../x", segment_named("../../x"), words="segment"),
    Attack("meta.json: ../ as long as an id", segment_named("../" * 12), words="segment"),
    Attack("meta.json: /etc/passwd", segment_named("/etc/passwd"), words="segment"),
    Attack("meta.json: a segment that is not there", segment_named("00000000-0000-0000-0000-000000000000"), words="segment"),
    Attack("meta.json: no segment", meta(lambda document: document.update(segments=[])), words="segment"),
    Attack(
        "meta.json: a segment twice", meta(lambda document: document.update(segments=document["segments"] * 2)), words="segment"
    ),
    Attack(
        "meta.json: 10^5 segments", meta(lambda document: document.update(segments=document["segments"] * 10_000)), words="lexical"
    ),
    Attack("meta.json: a document too many", meta(lambda document: document["segments"][0].update(max_doc=7)), words="documents"),
    Attack(
        "meta.json: 2^32-1 documents",
        meta(lambda document: document["segments"][0].update(max_doc=(1 << 32) - 1)),
        words="documents",
    ),
    Attack(
        "meta.json: deletes", meta(lambda document: document["segments"][0].update(deletes={"num_deleted_docs": 1, "opstamp": 1}))
    ),
    Attack("meta.json: a field less", meta(lambda document: document["schema"].pop()), words="schema"),
    Attack("meta.json: other fields", meta(lambda document: document["schema"].reverse()), words="schema"),
    Attack(
        "meta.json: another tokeniser",
        meta(lambda document: document["schema"][0]["options"]["indexing"].update(tokenizer="../evil")),
        words="schema",
    ),
    Attack(
        "meta.json: a field of another type", meta(lambda document: document["schema"][-1].update(type="bytes")), words="schema"
    ),
    Attack(
        "meta.json: sorted by a field that is not there",
        meta(lambda document: document["index_settings"].update(sort_by_field={"field": "x", "order": "Asc"})),
        words="settings",
    ),
    Attack("lexical: format 999", component(".idx", footer(999)), words="index format"),
    Attack("lexical: format 3", component(".term", footer(3)), words="index format"),
    Attack("lexical: no footer", component(".store", lambda data: data[:-8]), words="index format"),
    Attack(
        "lexical: a footer of 4 GiB", component(".store", lambda data: data[:-8] + b"\xff" * 4 + data[-4:]), words="index format"
    ),
    Attack("lexical: a store that asks for a terabyte", component(".store", endless_store), words="skip list"),
    Attack("lexical: a column that asks for 8 GiB", component(".fast", flipped(124)), ""),
    Attack("lexical: two files swapped", swapped, ""),
    Attack("lexical: files of another name", renamed, words="segment"),
    *(Attack(f"lexical: no .{suffix}", without(f".{suffix}")) for suffix in SUFFIXES),
    *(Attack(f"lexical: .{suffix} is empty", component(f".{suffix}", lambda _: b"")) for suffix in SUFFIXES),
    *(
        Attack(f"lexical: .{suffix} damaged, {seed}", component(f".{suffix}", flipped(seed)), "")
        for suffix in SUFFIXES
        for seed in range(FLIPS)
    ),
]


def faiss_index(make: Callable[[Any], Any]) -> Callable[[Forge], None]:
    def apply(forge: Forge) -> None:
        rows = np.random.default_rng(1).standard_normal((256, DIMENSION)).astype(np.float32)
        forge.members[VECTORS] = faiss.serialize_index(make(rows)).tobytes()

    return apply


def trained(rows: Any, description: str, count: int = COUNT) -> Any:
    """An index of that description that holds ``count`` rows."""
    index = faiss.index_factory(rows.shape[1], description, faiss.METRIC_INNER_PRODUCT)
    index.train(rows)
    if description.startswith("IDMap"):
        index.add_with_ids(rows[:count], np.arange(count))
    else:
        index.add(rows[:count])
    return index


def on_disk(rows: Any) -> Any:
    """Inverted lists that name a file for the reader to open."""
    index = trained(rows, "IVF4,Flat")
    with tempfile.TemporaryDirectory() as directory:
        lists = faiss.OnDiskInvertedLists(index.nlist, index.code_size, str(Path(directory) / "lists"))
    lists.this.disown()  # type: ignore[attr-defined]  # SWIG adds it; the index owns them from here
    index.replace_invlists(lists, True)
    return index


def patched(at: int, layout: str, *values: Any) -> Callable[[Forge], None]:
    def change(data: bytes) -> bytes:
        new = struct.pack("<" + layout, *values)
        return data[:at] + new + data[at + len(new) :]

    return bytes_of(VECTORS, change)


FOREIGN = ("Flat", "SQ4", "SQfp16", "PQ8x4", "IVF4,Flat", "IVF4,SQ8", "HNSW8,Flat", "IDMap2,SQ8", "PCA32,SQ8", "RaBitQ")
VECTOR_FILES = [
    Attack(f"faiss: {kind}", faiss_index(partial(trained, description=kind)), profile="hybrid", words="vectors.faiss")
    for kind in FOREIGN
] + [
    Attack(f"faiss: {name}", apply, profile="hybrid", words="vectors.faiss")
    for name, apply in (
        ("empty", bytes_of(VECTORS, lambda _: b"")),
        ("lists on disk", faiss_index(on_disk)),
        ("a row less", faiss_index(lambda rows: trained(rows, "SQ8", COUNT - 1))),
        ("narrower", faiss_index(lambda rows: trained(rows[:, :32].copy(), "SQ8"))),
        ("cut short", bytes_of(VECTORS, lambda data: data[:-1])),
        ("cut in its header", bytes_of(VECTORS, lambda data: data[:40])),
        ("trailing bytes", bytes_of(VECTORS, lambda data: data + b"\0")),
        ("dimension 2^31-1", patched(4, "i", (1 << 31) - 1)),
        ("dimension -1", patched(4, "i", -1)),
        ("2^62 rows", patched(8, "q", 1 << 62)),
        ("-1 rows", patched(8, "q", -1)),
        ("not trained", patched(32, "B", 0)),
        ("Euclidean", patched(33, "i", 1)),
        ("a metric of the future", patched(33, "i", 99)),
        ("four bits", patched(37, "i", 1)),
        ("a quantiser of the future", patched(37, "i", 99)),
        ("a quantiser of 2^63 columns", patched(49, "Q", 1 << 63)),
        ("codes of 2^63 bytes", patched(57, "Q", 1 << 63)),
        ("4 GiB of training", patched(65, "Q", 1 << 30)),
        ("no training", patched(65, "Q", 0)),
        ("4 GiB of rows", patched(TRAINED_AT + 8 * DIMENSION, "Q", 1 << 32)),
        ("NaN", patched(TRAINED_AT, "f", float("nan"))),
        ("infinity", patched(TRAINED_AT, "f", float("inf"))),
    )
]


LISTS = 2
CENTROIDS_AT = 98
DIRECT_MAP_AT = CENTROIDS_AT + 4 * LISTS * DIMENSION
QUANTISER_AT = DIRECT_MAP_AT + 9
RESIDUAL_AT = QUANTISER_AT + 36 + 8 * DIMENSION
LISTS_AT = RESIDUAL_AT + 9
SIZES_AT = LISTS_AT + 32
CODES_AT = SIZES_AT + 8 * LISTS
ORDINALS_AT = CODES_AT + COUNT // LISTS * DIMENSION
"""Of the first list, in a file whose two lists are of the same size."""


def in_lists(data: bytes) -> bytes:
    """The frozen bundle's vectors as inverted lists: a file that is as it should be."""
    minima, ranges = np.frombuffer(data, np.float32, 2 * DIMENSION, TRAINED_AT).reshape(2, DIMENSION)
    codes = np.frombuffer(data, np.uint8, COUNT * DIMENSION, TRAINED_AT + 8 * DIMENSION + 8).reshape(COUNT, DIMENSION)
    centroids = np.zeros((LISTS, DIMENSION), dtype=np.float32)
    centroids[:, 0] = 3200, -3200
    lists = InvertedLists(
        centroids=centroids, ordinals=np.arange(COUNT), sizes=np.full(LISTS, COUNT // LISTS), probes=1, recall=1.0
    )
    return b"".join(rendered(codes, minima, ranges, lists))


def lists_patched(at: int, layout: str, *values: Any) -> Callable[[Forge], None]:
    def apply(forge: Forge) -> None:
        bytes_of(VECTORS, in_lists)(forge)
        patched(at, layout, *values)(forge)

    return apply


INVERTED = [
    Attack(f"faiss: lists: {name}", apply, profile="hybrid", words=words)
    for name, apply, words in (
        ("cut short", bytes_of(VECTORS, lambda data: in_lists(data)[:-1]), "not the index"),
        ("trailing bytes", bytes_of(VECTORS, lambda data: in_lists(data) + b"\0"), "not the index"),
        ("cut in the centroids", bytes_of(VECTORS, lambda data: in_lists(data)[: CENTROIDS_AT + 10]), "not the index"),
        ("2^62 rows", lists_patched(8, "q", 1 << 62), "not the index"),
        ("recall of two", lists_patched(16, "q", 2_000_000), "not the index"),
        ("not trained", lists_patched(32, "B", 0), "not the index"),
        ("none", lists_patched(37, "QQ", 0, 0), "not the index"),
        ("2^63 of them", lists_patched(37, "Q", 1 << 63), "not the index"),
        ("one more than vectors", lists_patched(37, "Q", COUNT + 1), "not the index"),
        ("no probes", lists_patched(45, "Q", 0), "not the index"),
        ("more probes than lists", lists_patched(45, "Q", LISTS + 1), "not the index"),
        ("centroids in a graph", lists_patched(53, "4s", b"IHNf"), "not the index"),
        ("centroids of another kind", lists_patched(53, "4s", b"IxF2"), "not the index"),
        ("a centroid less", lists_patched(61, "q", LISTS - 1), "not the index"),
        ("centroids by Euclid", lists_patched(86, "i", 1), "not the index"),
        ("2^62 numbers of centroids", lists_patched(90, "Q", 1 << 62), "not the index"),
        ("NaN in a centroid", lists_patched(CENTROIDS_AT, "f", float("nan")), "no numbers"),
        ("a centroid of 10^30", lists_patched(CENTROIDS_AT, "f", 1e30), "no whole numbers"),
        ("a centroid of a half", lists_patched(CENTROIDS_AT, "f", 0.5), "no whole numbers"),
        ("a table of places", lists_patched(DIRECT_MAP_AT, "B", 1), "not the index"),
        ("places by the billion", lists_patched(DIRECT_MAP_AT + 1, "Q", 1 << 40), "not the index"),
        ("four bits", lists_patched(QUANTISER_AT, "i", 1), "not the index"),
        ("codes of 2^40 bytes", lists_patched(QUANTISER_AT + 20, "Q", 1 << 40), "not the index"),
        ("infinite training", lists_patched(QUANTISER_AT + 36, "f", float("inf")), "no numbers"),
        ("another size of code", lists_patched(RESIDUAL_AT, "Q", DIMENSION // 2), "not the index"),
        ("codes beside centroids", lists_patched(RESIDUAL_AT + 8, "B", 1), "not the index"),
        ("lists on disk", lists_patched(LISTS_AT, "4s", b"ilod"), "not the index"),
        ("2^50 lists of another size", lists_patched(LISTS_AT + 4, "Q", 1 << 50), "not the index"),
        ("sparse", lists_patched(LISTS_AT + 20, "4s", b"sprs"), "not the index"),
        ("2^50 sizes", lists_patched(LISTS_AT + 24, "Q", 1 << 50), "not the index"),
        ("a size of 2^63", lists_patched(SIZES_AT, "Q", 1 << 63), "not the index"),
        ("sizes that wrap around", lists_patched(SIZES_AT, "QQ", (1 << 64) - 1, COUNT + 1), "not the index"),
        ("a vector too many", lists_patched(SIZES_AT, "Q", COUNT), "not the index"),
        ("sizes of another sharing", lists_patched(SIZES_AT, "QQ", 1, COUNT - 1), "vectors.faiss lists chunks"),
        ("a chunk that is not there", lists_patched(ORDINALS_AT, "q", COUNT), "lists chunks"),
        ("a chunk of 2^62", lists_patched(ORDINALS_AT, "q", 1 << 62), "lists chunks"),
        ("a chunk below none", lists_patched(ORDINALS_AT, "q", -1), "lists chunks"),
        ("a chunk twice", lists_patched(ORDINALS_AT, "q", 1), "every chunk once"),
    )
]


def encoder(**changes: Any) -> Callable[[Forge], None]:
    return bytes_of(ENCODER, lambda data: bytes(msgpack.packb({**msgpack.unpackb(data), **changes})))


ENCODERS = [
    Attack(f"encoder: {name}", apply, error, "hybrid", words)
    for name, apply, error, words in (
        ("empty", bytes_of(ENCODER, lambda _: b""), "FormatError", "encoder.msgpack"),
        ("not carried", lambda forge: forge.members.pop(ENCODER), "FormatError", "no encoder"),
        ("no table", lambda forge: forge.members.pop(ENCODER_TABLE), "FormatError", "no encoder"),
        ("a table too short", bytes_of(ENCODER_TABLE, lambda data: data[:-1]), "FormatError", "encoder.int8"),
        ("arrays without end", bytes_of(ENCODER, lambda _: b"\xdd\xff\xff\xff\xff"), "FormatError", "encoder.msgpack"),
        ("a million arrays deep", bytes_of(ENCODER, lambda _: b"\x91" * 1_000_000), "FormatError", "encoder.msgpack"),
        (
            "3 million empty maps",
            bytes_of(ENCODER, lambda _: b"\xdd\x00\x2d\xc6\xc0" + b"\x80" * 3_000_000),
            "FormatError",
            "encoder",
        ),
        ("40 MB", bytes_of(ENCODER, lambda data: data + bytes(40 << 20)), "FormatError", "at most"),
        ("narrower than the vectors", encoder(dimension=32), "FormatError", "encoder"),
        ("tokens that are numbers", encoder(vocabulary=[1, 2]), "FormatError", "vocabulary"),
        ("tokens without an end", encoder(vocabulary=b"[UNK]"), "FormatError", "vocabulary"),
        ("tokens that are no text", encoder(vocabulary=b"[UNK]\n\xff\n"), "FormatError", "vocabulary"),
        ("other tokens", encoder(source="elsewhere"), "EncoderMismatch", "not the one"),
    )
]

ATTACKS = [*LEXICAL, *VECTOR_FILES, *INVERTED, *ENCODERS]
