"""A real transformer, all-MiniLM-L6-v2, as the encoder: its vectors and fingerprint; nothing is downloaded, no code of it runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import minilm
import numpy as np
import pytest
from own_work import users_cache

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.encoders import EncoderSettings, load_foreign
from hardtack.encoders.model_files import digest_of_model
from hardtack.errors import EncoderMismatch, EncoderUnavailable, UsageError
from hardtack.query.opening import open_bundle
from hardtack.store.built import BuiltHere

pytestmark = [*minilm.NEEDED]

TEXTS = ["def add(a, b): return a + b", "read the file line by line", "x" * 3000, "the oldest jar is eaten first"]


@pytest.fixture(scope="module")
def name() -> str:
    return f"st:{minilm.directory()}"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(minilm.directory(), tmp_path / "another name"))


def test_the_vectors_are_the_models_own(name: str) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(minilm.directory()), device="cpu")
    own = model.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    np.testing.assert_allclose(own, load_foreign(name).encode(TEXTS), atol=1e-6)


def test_words_that_mean_the_same_are_nearer_than_words_that_do_not(name: str) -> None:
    shelf, preserve, network = (
        load_foreign(name).for_queries().encode(["jars on a shelf", "preserves in a cupboard", "TCP sockets"])
    )
    assert shelf @ preserve > 0.4 > 0.2 > shelf @ network


def test_the_fingerprint_is_that_of_the_files_wherever_they_lie(copy: Path) -> None:
    original = digest_of_model(minilm.directory())
    (copy / "README.md").write_text("another readme")
    (copy / "onnx").mkdir()
    (copy / "onnx" / "model.onnx").write_bytes(b"a copy for another run time")
    (copy / "pytorch_model.bin").write_bytes(b"a copy that is not loaded")
    assert original == digest_of_model(copy)


@pytest.mark.parametrize(
    "file", ["model.safetensors", "tokenizer.json", "config.json", "1_Pooling/config.json", "sentence_bert_config.json"]
)
def test_one_changed_bit_in_what_decides_a_vector_is_another_fingerprint(copy: Path, file: str) -> None:
    content = bytearray((copy / file).read_bytes())
    content[-2] ^= 1
    (copy / file).write_bytes(content)
    assert digest_of_model(minilm.directory()) != digest_of_model(copy)


def test_a_model_that_leads_out_of_its_directory_or_is_none_is_refused(copy: Path, tmp_path: Path) -> None:
    (copy / "modules.json").write_text(
        json.dumps([{"path": "../../elsewhere", "type": "sentence_transformers.models.Transformer"}])
    )
    for directory, words in ((copy, "leads out of the model's directory"), (tmp_path, "holds no sentence-transformers model")):
        with pytest.raises(EncoderUnavailable, match=words):
            digest_of_model(directory)


@pytest.mark.parametrize("model", ["no-such-model", "nobody/no-such-model", "../nowhere", "/nowhere/at/all"])
def test_a_model_that_is_not_here_is_not_fetched(model: str) -> None:
    with pytest.raises(EncoderUnavailable, match=f"There is no model '{model}' on this machine"):
        load_foreign(f"st:{model}")


def test_a_model_has_to_be_named() -> None:
    with pytest.raises(UsageError, match="The encoder 'st' needs a model"):
        load_foreign("st")


@pytest.mark.parametrize("change", ["weights", "modules"])
def test_a_damaged_model_is_one_sentence(copy: Path, change: str) -> None:
    if change == "weights":
        (copy / "model.safetensors").write_bytes(b"not weights")
    else:
        (copy / "modules.json").write_text(json.dumps([{"idx": 0, "name": "0", "path": "", "type": "no_such_module.Thing"}]))
    with pytest.raises(EncoderUnavailable, match="does not load") as caught:
        load_foreign(f"st:{copy}")
    assert "\n" not in str(caught.value)


def test_code_that_comes_with_a_model_is_not_run(copy: Path, tmp_path: Path) -> None:
    trace = tmp_path / "it ran"
    (copy / "modelling_own.py").write_text(f"open({str(trace)!r}, 'w')\nclass Own: pass\n")
    modules = json.loads((copy / "modules.json").read_text())
    modules[0]["type"] = "modelling_own.Own"
    (copy / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(EncoderUnavailable):
        load_foreign(f"st:{copy}")
    assert not trace.exists()


def test_a_name_is_found_in_the_local_cache_without_a_network(tmp_path: Path) -> None:
    snapshot = tmp_path / "hub" / "models--sentence-transformers--all-MiniLM-L6-v2" / "snapshots" / ("a" * 40)
    shutil.copytree(minilm.directory(), snapshot)
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("a" * 40)
    script = "from hardtack.encoders import load_foreign; e = load_foreign('st:all-MiniLM-L6-v2'); print(e.name, e.fingerprint)"
    environment = {**os.environ, "HF_HUB_CACHE": str(tmp_path / "hub")}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert (f"st:all-MiniLM-L6-v2 {digest_of_model(minilm.directory())}\n", "") == (done.stdout, done.stderr)


def test_a_bundle_is_built_and_searched_with_it(pantry: Path, name: str, copy: Path, tmp_path: Path) -> None:
    settings, own = EncoderSettings(name=name, cache=tmp_path / "cache"), BuiltHere(users_cache)
    reports = [build_bundle(pantry, tmp_path / "bundle", BuildOptions(jobs=1, encoder=settings), own=own) for _ in range(2)]
    elsewhere = BuildOptions(jobs=2, encoder=EncoderSettings(name=name))
    assert {reports[0].digest} == {reports[1].digest, build_bundle(pantry, tmp_path / "other", elsewhere).digest}
    manifest = reports[0].manifest
    assert manifest is not None
    assert manifest.encoder is not None
    assert ("st:all-MiniLM-L6-v2", 384) == (manifest.encoder.name, manifest.encoder.dimension)
    assert [f"{manifest.counts.chunks} of {manifest.counts.chunks} vectors were kept from before."] == reports[1].notes

    with open_bundle(tmp_path / "bundle", encoder=EncoderSettings(name=f"st:{copy}")) as searcher:  # the same files elsewhere
        assert "" == searcher.search("preserves in a cupboard").hint
        first = searcher.search("which of the preserves was closed first", mode="vector").hits[0]
        assert "shelf" in first.path
    (copy / "config.json").write_text((copy / "config.json").read_text() + "\n")
    with open_bundle(tmp_path / "bundle", encoder=EncoderSettings(name=f"st:{copy}")) as searcher:
        assert searcher.search("jar").hint.startswith("Hits are by keyword alone. 'st:another name' as it is here is not the")
        with pytest.raises(EncoderMismatch):
            searcher.search("jar", mode="vector")
