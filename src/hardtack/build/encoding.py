"""Analysed files in, the same with their vectors out, in the same order; and what a bundle keeps of the encoder that made them.

The default encoder works beside the parser, in every worker. Any other is one model or one service for the whole build and belongs
to the process that has the memory, the network and the key: workers hand on each chunk's synopsis, and here many files' are encoded
together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from hardtack.build.workers.executors import Analysed
from hardtack.bundle.engines.vector_codes import Bounds
from hardtack.bundle.format import layout
from hardtack.encoders import BUILT_IN, DEFAULT_ENCODER, Encoder, EncoderSettings, load_encoder, load_foreign
from hardtack.encoders.cache import CachedEncoder, VectorCache
from hardtack.encoders.foreign import PROBE_TEXT
from hardtack.encoders.static import StaticEncoder, member_paths, notice_path

TEXTS_AT_ONCE: Final = 500
"""Texts that are gathered before they are encoded: five rounds of all requests that a service is sent at once."""


@contextmanager
def opened_encoder(settings: EncoderSettings) -> Iterator[Encoder]:
    """The encoder that ``settings`` name, behind its cache unless it is built in.

    Raises:
        UsageError: there is none of that name.
        MissingExtra: the extra it needs is not installed.
        EncoderUnavailable: it cannot be loaded, or its service does not answer as it should.
    """
    if settings.scheme in BUILT_IN:
        yield load_encoder(settings.name)
    else:
        encoder = load_foreign(settings.name, settings)
        with CachedEncoder(encoder, VectorCache(settings.cache, encoder)) as cached:
            yield cached


def with_vectors(analysed: Iterable[Analysed], encoder: Encoder | None) -> Iterator[Analysed]:
    """Each of ``analysed``, its synopses turned into vectors; as it came where the workers have made them, or nobody shall.

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
    """Between what the numbers of an encoder's vectors lie, where that is known before any is made."""
    return Bounds(*encoder.bounds) if isinstance(encoder, StaticEncoder) else None


def members_of(encoder: Encoder | None) -> Mapping[str, Path | bytes]:
    """Of the default encoder its own files, so that a bundle can be searched for ever, offline; of any other its probe."""
    if encoder is None:
        return {}
    if encoder.name != DEFAULT_ENCODER:
        probe = encoder.encoder.probe if isinstance(encoder, CachedEncoder) else encoder.encode([PROBE_TEXT])[0]
        return {layout.ENCODER_PROBE: probe.astype("<f4").tobytes()}
    vocabulary, table = member_paths()
    return {layout.ENCODER: vocabulary, layout.ENCODER_TABLE: table, layout.NOTICE: notice_path()}


def notes_of(encoder: Encoder | None) -> list[str]:
    """What the user should know of how the vectors were made, one sentence each."""
    if not isinstance(encoder, CachedEncoder):
        return []
    reused = [f"{encoder.reused} of {encoder.reused + encoder.made} vectors were kept from before."] if encoder.reused else []
    return [*encoder.cache.notes, *reused]
