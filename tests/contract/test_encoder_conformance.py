"""What every encoder in the table promises, whatever is inside it: services are ones on this machine, the transformer is MiniLM."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from functools import cache

import minilm
import numpy as np
import pytest
from embedding_server import EmbeddingServer

from hardtack.encoders import DEFAULT_ENCODER, ENCODERS, Encoder, EncoderSettings, load_encoder
from hardtack.errors import UsageError

TEXTS = [
    "def parse_http_request(data: bytes) -> Request:",
    "",
    "retry with exponential backoff",
    "naïve Σίσυφος 中文 テスト 한국어 \U0001f980",
    "\x00 (\n\t",
    "lone \ud800 surrogate",
    "x" * 5000,
    "public static void main(String[] args) { System.out.println(42); }\n" * 200,
    *(f"func handler{number}(w http.ResponseWriter, r *http.Request) // case {number}" for number in range(60)),
]

CHILD = """
import hashlib, sys
from hardtack.encoders import EncoderSettings, load_encoder
texts = eval(sys.stdin.read())
encoder = load_encoder(sys.argv[1], EncoderSettings(url=sys.argv[2]))
print(encoder.fingerprint, hashlib.sha256(encoder.encode(texts).tobytes()).hexdigest())
"""

OTHER_MACHINES = {
    "one thread": {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "1"},
    "two threads": {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "PYTHONHASHSEED": "2", "LC_ALL": "C"},
    "no AVX512": {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR", "OPENBLAS_CORETYPE": "Haswell"},
    "no AVX2": {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR", "OPENBLAS_CORETYPE": "Nehalem"},
}


SERVICES = {"openai": 64, "jina": 64}
"""Encoders behind an address, with the dimension of the model that stands in for theirs."""


@cache
def service_for(name: str) -> EmbeddingServer | None:
    """A service that runs until the tests end, for an encoder that needs one."""
    return EmbeddingServer(dimension=SERVICES[name]).__enter__() if name in SERVICES else None


def address_for(name: str) -> str:
    service = service_for(name)
    return service.url if service else ""


def full_name(name: str) -> str:
    return {"st": f"st:{minilm.directory()}" if name == "st" else "", "openai": "openai:stand-in", "jina": "jina:stand-in"}.get(
        name, name
    )


def load(name: str) -> Encoder:
    return load_encoder(full_name(name), EncoderSettings(url=address_for(name)))


@cache
def encoder_called(name: str) -> Encoder:
    return load(name)


@cache
def vectors_of(name: str) -> np.ndarray:
    return encoder_called(name).encode(TEXTS)


pytestmark = pytest.mark.parametrize("name", [pytest.param(name, marks=minilm.NEEDED if name == "st" else ()) for name in ENCODERS])


def test_an_encoder_knows_its_name(name: str) -> None:
    assert {"st": "st:all-MiniLM-L6-v2"}.get(name, full_name(name)) == encoder_called(name).name


def test_vectors_are_contiguous_float32_rows(name: str) -> None:
    vectors = vectors_of(name)
    assert (len(TEXTS), encoder_called(name).dimension) == vectors.shape
    assert np.dtype(np.float32) == vectors.dtype
    assert vectors.flags.c_contiguous


def test_rows_have_unit_length_or_are_all_zeros(name: str) -> None:
    lengths = np.linalg.norm(vectors_of(name).astype(np.float64), axis=1)
    silent = [number for number, length in enumerate(lengths) if length == 0]
    np.testing.assert_allclose(np.delete(lengths, silent), 1.0, atol=1e-6)
    assert set(silent) >= {TEXTS.index(""), TEXTS.index("\x00 (\n\t")}


def test_no_texts_give_no_rows(name: str) -> None:
    empty = encoder_called(name).encode([])
    assert (0, encoder_called(name).dimension) == empty.shape
    assert np.dtype(np.float32) == empty.dtype


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_batches_change_no_bit(name: str, size: int) -> None:
    batches = [encoder_called(name).encode(TEXTS[start : start + size]) for start in range(0, len(TEXTS), size)]
    assert vectors_of(name).tobytes() == np.concatenate(batches).tobytes()


def test_order_and_what_came_before_change_no_bit(name: str) -> None:
    backwards = load(name).encode(TEXTS[::-1])
    assert vectors_of(name).tobytes() == np.ascontiguousarray(backwards[::-1]).tobytes()


@pytest.mark.parametrize("machine", OTHER_MACHINES)
def test_another_process_with_other_threads_and_instructions_changes_no_bit(name: str, machine: str) -> None:
    environment = os.environ | OTHER_MACHINES[machine]
    command = [sys.executable, "-W", "ignore", "-c", CHILD, full_name(name), address_for(name)]
    child = subprocess.run(command, input=ascii(TEXTS), env=environment, capture_output=True, text=True, timeout=60, check=True)
    wanted = hashlib.sha256(vectors_of(name).tobytes()).hexdigest()
    assert [encoder_called(name).fingerprint, wanted] == child.stdout.split()


def test_fingerprints_are_digests_and_stay_the_same(name: str) -> None:
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", encoder_called(name).fingerprint)
    assert encoder_called(name).fingerprint == load(name).fingerprint


def test_texts_are_left_as_they_were(name: str) -> None:
    texts = list(TEXTS)
    encoder_called(name).encode(texts)
    assert texts == TEXTS


def test_an_encoder_that_is_not_in_the_table_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match=f"'no-{name}'"):
        load_encoder(f"no-{name}")


def test_the_table_loads_nothing_heavy_by_itself(name: str) -> None:
    code = "import sys, hardtack.encoders; print(sorted({'numpy', 'msgpack', 'hardtack.encoders.static'} & set(sys.modules)))"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert child.stdout == "[]\n"
    assert DEFAULT_ENCODER in ENCODERS
    assert name in ENCODERS
