"""Analysed files in, the same files with vectors out, in the same order; and the members that describe the encoder.

The default encoder runs beside the parser in every worker. Any other is one model or one service for the whole build and runs in
the building process, which has the memory, the network and the key: workers send each chunk's synopsis, and this module encodes the
synopses of many files together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from hardtack.build.options import BuildOptions
from hardtack.build.workers.executors import Analysed
from hardtack.bundle.engines.vector_codes import Bounds
from hardtack.bundle.format import layout
from hardtack.encoders import BUILT_IN, DEFAULT_ENCODER, Encoder, load_encoder, load_foreign
from hardtack.encoders.cache import CachedEncoder, VectorCache
from hardtack.encoders.foreign import PROBE_TEXT
from hardtack.encoders.static import StaticEncoder, member_paths, notice_path

TEXTS_AT_ONCE: Final = 500
"""Texts that are collected before they are encoded: five times as many as a service gets in concurrent requests."""


@contextmanager
def opened_encoder(options: BuildOptions) -> Iterator[Encoder | None]:
    """The encoder of a build, with a vector cache unless it is built in; None in a keyword-only build.

    Raises:
        UsageError: no encoder has that name.
        MissingExtra: the extra it needs is not installed.
        EncoderUnavailable: it cannot be loaded, or its service gives a wrong answer.
    """
    settings = options.encoder
    if options.profile != "hybrid":
        yield None
    elif settings.scheme in BUILT_IN:
        yield load_encoder(settings.name)
    else:
        encoder = load_foreign(settings.name, settings)
        with CachedEncoder(encoder, VectorCache(settings.cache, encoder)) as cached:
            yield cached


def with_vectors(analysed: Iterable[Analysed], encoder: Encoder | None) -> Iterator[Analysed]:
    """The same files with their synopses encoded; unchanged if the workers have made the vectors, or ``encoder`` is None.

    Raises:
        EncoderUnavailable: the encoder has failed.
    """
    if encoder is None or encoder.name == DEFAULT_ENCODER:
        yield from analysed
        return
    gathered: list[Analysed] = []
    texts: list[str] = []
    for each in analysed:
        gathered.append(each)
        if each.indexed is not None:
            texts += each.indexed.synopses
        if len(texts) >= TEXTS_AT_ONCE:
            yield from _encoded(gathered, texts, encoder)
            gathered, texts = [], []
    yield from _encoded(gathered, texts, encoder)


def _encoded(gathered: list[Analysed], texts: list[str], encoder: Encoder) -> Iterator[Analysed]:
    vectors = encoder.encode(texts)
    start = 0
    for each in gathered:
        if each.indexed is None:
            yield each
            continue
        end = start + len(each.indexed.synopses)
        yield replace(each, indexed=replace(each.indexed, vectors=vectors[start:end].tobytes(), synopses=()))
        start = end


def bounds_of(encoder: Encoder | None) -> Bounds | None:
    """The smallest and largest values of an encoder's vectors, if they are known before any vector is made."""
    return Bounds(*encoder.bounds) if isinstance(encoder, StaticEncoder) else None


def members_of(encoder: Encoder | None) -> Mapping[str, Path | bytes]:
    """The members that describe an encoder.

    The default encoder's own files are copied, so that the bundle can be searched offline; of any other only its probe is stored.
    """
    if encoder is None:
        return {}
    if encoder.name != DEFAULT_ENCODER:
        probe = encoder.encoder.probe if isinstance(encoder, CachedEncoder) else encoder.encode([PROBE_TEXT])[0]
        return {layout.ENCODER_PROBE: probe.astype("<f4").tobytes()}
    vocabulary, table = member_paths()
    return {layout.ENCODER: vocabulary, layout.ENCODER_TABLE: table, layout.NOTICE: notice_path()}


def notes_of(encoder: Encoder | None) -> list[str]:
    """Remarks for the user on how the vectors were made, one sentence each."""
    if not isinstance(encoder, CachedEncoder):
        return []
    reused = [f"{encoder.reused} of {encoder.reused + encoder.made} vectors were kept from before."] if encoder.reused else []
    return [*encoder.cache.notes, *reused]
