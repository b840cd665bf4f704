"""A tree with secrets of every form goes in; no byte of a bundle, a report or a message has any of them."""

from __future__ import annotations

import io
import json
import random
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from checkouts import commit, init
from planted import RULES, Planted, contexts_of, planted, private_key, putty_key
from processes import Run

from hardtack.bundle.format.pack import open_pack
from hardtack.bundle.packing import write_pack
from hardtack.bundle.reader import open_bundle

_SEED = 11


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Planted]]:
    """A directory whose files hold each secret in all its contexts, and the secrets."""
    root = tmp_path_factory.mktemp("planted") / "tree"
    root.mkdir()
    values = [planted(rule, _SEED) for rule in RULES]
    texts: dict[str, list[str]] = {}
    for number, each in enumerate(values):
        for ending, text in contexts_of(each, _SEED).values():
            is_whole = ending in ("json", "ipynb", "Dockerfile")
            name = ending if ending == "Dockerfile" else f"f{number if is_whole else number % 3}.{ending}"
            texts.setdefault(f"d{number}/{name}" if is_whole else name, []).append(text)
    for path, parts in texts.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("\n".join(parts))
    key = private_key(random.Random(_SEED))
    named = planted(RULES[0], _SEED + 1)
    putty, private = putty_key(random.Random(_SEED + 1))
    (root / "tls.key").write_text(key)
    (root / "deploy.ppk").write_text(putty)
    (root / "deploy.yaml").write_text("key: |\n" + "".join(f"  {line}\n" for line in putty.splitlines()))
    (root / "tls.py").write_text(f'KEY = """{key}"""\n\n\ndef after():\n    """What follows a key."""\n')
    (root / f"dump-{named.value}.txt").write_text("innocent\n")
    (root / ".env").write_text("WORD=unguessable\n")
    values += [Planted("env-file", "unguessable"), named]
    values += [Planted("private-key", line) for line in [*key.splitlines()[1:-1], *private]]
    return root, values


def _traces(value: str) -> list[bytes]:
    """What a search of bytes would know it by: stretches of its random part, as written and folded as terms are."""
    rest = value[min(14, len(value) // 3) :]
    stretches = [rest[at : at + 10] for at in range(0, max(len(rest) - 9, 1), 5)]
    return [form.encode() for stretch in stretches if len(stretch) > 7 for form in (stretch, stretch.lower())]


def _streams_in(data: bytes) -> list[bytes]:
    """What zlib streams hold that begin somewhere in a member."""
    found = []
    at = data.find(b"\x78")
    while at != -1:
        if data[at + 1 : at + 2] in (b"\x01", b"\x5e", b"\x9c", b"\xda"):
            inflating = zlib.decompressobj()
            with suppress(zlib.error):
                found.append(inflating.decompress(data[at:], 64 << 20))
        at = data.find(b"\x78", at + 1)
    return found


def _unpacked(bundle: Path, place: Path) -> dict[str, bytes]:
    """A pack of all of a bundle as it lies, and each of its sections as it was before it was compressed."""
    write_pack(bundle, place, for_builds=True)
    found = {"pack": place.read_bytes()}
    with open_pack(place) as pack:
        for name in pack.members():
            out = io.BytesIO()
            pack.copy_member(name, out)
            found[f"pack, {name}"] = out.getvalue()
    names = found["pack, descriptors.msgpack"]
    assert b"redacted" in names.lower(), found.keys()
    assert names not in found["pack"], "a section lies there as it is, so there was nothing to unpack"
    return found


def test_no_byte_of_a_bundle_has_any_of_the_planted_secrets(tree: tuple[Path, list[Planted]], tmp_path: Path, run: Run) -> None:
    root, values = tree
    done = run("build", root, "-o", tmp_path / "bundle", "--report", tmp_path / "report.json", "-v")
    assert 0 == done.returncode, done.stderr
    haystacks = {path.name: path.read_bytes() for path in (tmp_path / "bundle").rglob("*") if path.is_file()}
    haystacks |= {f"{name} inflated": b"".join(_streams_in(data)) for name, data in list(haystacks.items())}
    with open_bundle(tmp_path / "bundle") as bundle:
        texts = {file.path: bundle.text_of(file) for file in bundle.files}
        haystacks["all text"] = b"\0".join(texts.values())
        marked = sum(bundle.columns.of_files("secrets"))
    haystacks |= {"report": (tmp_path / "report.json").read_bytes(), "messages": (done.stdout + done.stderr).encode()}
    assert b"REDACTED" in haystacks["runs.postings inflated"]
    for each in values:
        for trace in _traces(each.value):
            assert [] == [(each.rule, name) for name, data in haystacks.items() if trace in data]
    packed = _unpacked(tmp_path / "bundle", tmp_path / "pack.hardtack")
    haystacks |= packed | {f"{name} inflated": b"".join(_streams_in(data)) for name, data in packed.items()}
    report = json.loads(haystacks["report"])["secrets"]
    assert {rule.name for rule in RULES} | {"private-key", "env-file", "credentials-file"} == set(report["found"])
    assert marked == sum(report["found"].values()) - 4, "all but those of the files that were skipped whole"
    assert (b"[REDACTED:private-key]", 20) == (texts["tls.py"].split(b'"""')[1].split(b"\n")[1], texts["tls.py"].count(b"\n"))
    assert {"mode": "redact", "found": report["found"]} == json.loads(haystacks["manifest.json"])["secrets"]


def test_a_build_that_refuses_secrets_names_places_and_rules_and_leaves_nothing(
    tree: tuple[Path, list[Planted]], tmp_path: Path, run: Run
) -> None:
    root, values = tree
    done = run("build", root, "-o", tmp_path / "bundle", "--secrets", "fail", "--profile", "keyword", "-j", "1")
    assert 6 == done.returncode
    assert ".env (env-file)" in done.stderr
    assert "--secrets redact" in done.stderr
    assert not [each.rule for each in values for trace in _traces(each.value) if trace.decode() in done.stderr]
    assert [] == list(tmp_path.iterdir())


def test_a_build_that_refuses_secrets_builds_a_tree_without_any(tmp_path: Path, run: Run) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.py").write_text("password = input()\n")
    assert 0 == run("build", tmp_path / "tree", "-o", tmp_path / "bundle", "--secrets", "fail", "--profile", "keyword").returncode


def test_a_build_that_only_warns_keeps_them_and_says_where_they_are(tmp_path: Path, run: Run) -> None:
    each = planted(RULES[0], _SEED)
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text(f"\nkey = '{each.value}'\n")
    (root / ".env").write_text("A=1\n")
    done = run(
        "build",
        root,
        "-o",
        tmp_path / "bundle",
        "--secrets",
        "warn",
        "--profile",
        "keyword",
        "-j",
        "1",
        "--report",
        tmp_path / "report.json",
    )
    assert "secrets KEPT: 1 aws-access-key, 1 env-file" in done.stderr
    assert each.value not in done.stderr + (tmp_path / "report.json").read_text()
    places = json.loads((tmp_path / "report.json").read_text())["secrets"]["places"]
    expected = [{"path": ".env", "line": 1, "rule": "env-file"}, {"path": "a.py", "line": 2, "rule": "aws-access-key"}]
    assert expected == places
    with open_bundle(tmp_path / "bundle") as bundle:
        assert [".env", "a.py"] == [file.path for file in bundle.files]
        assert each.value.encode() in bundle.text_of(bundle.files[1])


def test_what_was_committed_and_taken_out_again_is_not_in_the_bundle_of_the_commit(tmp_path: Path, run: Run) -> None:
    root = init(tmp_path / "tree")
    each = planted(RULES[0], _SEED)
    for text in (f"key = '{each.value}'\n", "key = load()\n"):
        (root / "a.py").write_text(text)
        commit(root)
    done = run("build", root, "-o", tmp_path / "bundle", "--secrets", "fail", "--profile", "keyword", "-j", "1")
    assert 0 == done.returncode, done.stderr
