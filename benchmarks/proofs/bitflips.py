"""Proves that ``verify`` finds every damage: flips bits, and cuts, appends, removes, adds and replaces members.

    python benchmarks/proofs/bitflips.py REPO [--flips N] [--small BYTES] [--bits N] [--every N] [--seed N]

One bit is flipped in every byte of members of at most ``--small`` bytes (65,536), ``--bits`` bits (8) in every byte of the
manifest, and one bit in ``--flips`` random bytes (1,000) of each larger member; the byte is put back each time. Flips are checked
in this process by what ``hardtack verify`` calls, a sample of them and everything else by the command line itself: it must leave
with 3, name the member, and print no traceback (``--every N`` starts a process for every N-th of these only).

Digests of members that are not being flipped are remembered: otherwise hashing the same bytes again would take nearly all the time.
Exits 1 when anything is accepted or wrongly named.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest import mock

from proof import Proof, build, hardtack, scratch, verified_digest

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import canonical_json, digest_of
from hardtack.bundle.format.members import MemberFile
from hardtack.errors import HardtackError

_SAMPLE = 3  # flips of each member that the command line is asked about as well
_asked = itertools.count()


@contextmanager
def remembered_digests(flipped: str) -> Iterator[None]:
    """Within, every member but ``flipped`` is hashed once."""
    known: dict[str, str] = {}
    really = MemberFile.digest

    def digest(member: MemberFile) -> str:
        if member.name == flipped:
            return really(member)
        if member.name not in known:
            known[member.name] = really(member)
        return known[member.name]

    with mock.patch.object(MemberFile, "digest", digest):
        yield


def refusal(bundle: Path) -> str:
    """What ``verify`` says about the bundle, faults included; empty when it accepts it."""
    try:
        verified_digest(bundle)
    except HardtackError as error:
        text = " ".join([str(error), *getattr(error, "faults", ())])
        return text if error.exit_code == 3 else f"exit status {error.exit_code}: {text}"
    return ""


def flip(bundle: Path, member: str, offset: int, bit: int, ask: Callable[[Path], str]) -> str:
    """What ``ask`` says of the bundle while one bit of a member is the other way round."""
    with (bundle / member).open("r+b", buffering=0) as file:
        byte = os.pread(file.fileno(), 1, offset)[0]
        os.pwrite(file.fileno(), bytes([byte ^ 1 << bit]), offset)
        try:
            return ask(bundle)
        finally:
            os.pwrite(file.fileno(), bytes([byte]), offset)


def flip_bits(
    proof: Proof, bundle: Path, member: str, places: Sequence[tuple[int, int]], every: int, chance: random.Random
) -> None:
    """Flip the bit at each (offset, bit) of ``places``, one after the other."""
    accepted, unnamed = [], []
    with remembered_digests(member):
        for offset, bit in places:
            said = flip(bundle, member, offset, bit, refusal)
            if not said:
                accepted.append(f"{offset}.{bit}")
            elif member not in said or said.startswith("exit status"):
                unnamed.append(f"{offset}.{bit}: {said}")
    for offset, bit in chance.sample(list(places), min(_SAMPLE, len(places))):
        said = flip(bundle, member, offset, bit, lambda bundle: wrong_refusal(bundle, member, every))
        if said:
            unnamed.append(f"{offset}.{bit}: {said}")
    detail = f"{len(places)} flips" + (f"; accepted: {accepted[:3]}" if accepted else "") + (f"; {unnamed[:3]}" if unnamed else "")
    proof.claim(f"flips in {member}", not accepted and not unnamed, detail)


def wrong_refusal(bundle: Path, member: str, every: int) -> str:
    """What is wrong with how the command line refuses the bundle: empty when it leaves with 3, and names the member in a sentence.

    Only every so manieth call starts a process; the others ask in this one.
    """
    if next(_asked) % every:
        said = refusal(bundle)
        return "" if member in said and not said.startswith("exit status") else f"{member} is not named: {said or 'accepted'}"
    done = hardtack("verify", bundle, timeout=60)
    problems = []
    if done.returncode != 3:
        problems.append(f"exit status {done.returncode}")
    if member not in done.stderr:
        problems.append(f"{member} is not named")
    first = done.stderr.split("\n", 1)[0]
    if done.stdout or "Traceback" in done.stderr or not (first.startswith("hardtack: ") and first.endswith(".")):
        problems.append("not one sentence")
    return f"{', '.join(problems)}: {done.stdout}{done.stderr}".strip() if problems else ""


Damage = tuple[str, str, Callable[[], object]]
"""A name for what is done to a bundle, what must be named when it is refused, and what does it."""


def damages(bundle: Path, outside: Path) -> list[Damage]:
    """What can be done to a bundle; ``outside`` is a place beside it."""
    found: list[Damage] = []
    moved, manifest = outside / "moved", layout.MANIFEST
    for name in sorted(path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()):
        path = bundle / name
        size = path.stat().st_size
        found += [(f"{name} cut to {to}", name, partial(os.truncate, path, to)) for to in sorted({0, 1, size // 2, size - 1})]
        found.append((f"{name} with a byte more", name, partial(_append, path)))
        if name not in layout.DISPENSABLE:  # what only builds read may be left out
            found.append((f"{name} missing", "holds no Hardtack bundle" if name == manifest else name, path.unlink))
        found.append((f"{name} a link to the same bytes", name, partial(_replace_by_link, path, moved)))
        found.append((f"{name} a FIFO", name, partial(_replace, path, os.mkfifo)))
        found.append((f"{name} a directory", name, partial(_replace, path, Path.mkdir)))
    for stray in ("stray.txt", ".hidden", f"{layout.LEXICAL}/stray.store", f"{layout.LEXICAL}/.tantivy-meta.lock"):
        found.append((f"{stray} added", stray, (bundle / stray).touch))
    for stray in ("stray", f"{layout.LEXICAL}/stray"):
        found.append((f"directory {stray} added", stray, (bundle / stray).mkdir))
    lexical = bundle / layout.LEXICAL
    found.append(("lexical a link to the same directory", layout.LEXICAL, partial(_replace_by_link, lexical, moved)))
    found.append(("two members swapped", layout.FILES, partial(_swap, bundle / layout.FILES, bundle / layout.SYMBOLS)))
    for version in (0, layout.FORMAT_VERSION + 1):
        found.append((f"format version {version}", manifest, partial(_rewrite, bundle, format_version=version)))
    found.append(("another format's manifest", manifest, partial(_rewrite, bundle, format="other-bundle")))
    found.append(("a manifest with other spaces", manifest, partial(_respell, bundle)))
    found.append(("a member listed as ../outside", manifest, partial(_rewrite, bundle, members=[_member("../outside")])))
    found.append(("no members listed", manifest, partial(_rewrite, bundle, members=[])))
    return found


def _append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n")


def _replace(path: Path, make: Callable[[Path], None]) -> None:
    path.unlink()
    make(path)


def _replace_by_link(path: Path, moved: Path) -> None:
    path.rename(moved)
    path.symlink_to(moved)


def _swap(one: Path, other: Path) -> None:
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


def _member(name: str) -> dict[str, object]:
    return {"name": name, "size": 0, "sha256": digest_of(b"")}


def _rewrite(bundle: Path, **fields: object) -> None:
    """Change fields of the manifest and seal it anew, as somebody would who knows the format."""
    document = {**json.loads((bundle / layout.MANIFEST).read_bytes()), **fields, "self": ""}
    document["self"] = digest_of(canonical_json(document))
    (bundle / layout.MANIFEST).write_bytes(canonical_json(document))


def _respell(bundle: Path) -> None:
    document = json.loads((bundle / layout.MANIFEST).read_bytes())
    (bundle / layout.MANIFEST).write_text(json.dumps(document, sort_keys=True), encoding="ascii")


def damage(proof: Proof, bundle: Path, root: Path, every: int) -> None:
    """Do each damage to a copy, and ask."""
    count = len(damages(bundle, root))
    wrong = []
    for number in range(count):
        copy = root / f"copy{number}"
        shutil.copytree(bundle, copy)
        what, named, do = damages(copy, root)[number]
        do()
        if said := wrong_refusal(copy, named, every):
            wrong.append(what)
            proof.claim(what, False, said)
        shutil.rmtree(copy)
        moved = root / "moved"
        shutil.rmtree(moved) if moved.is_dir() else moved.unlink(missing_ok=True)
    proof.claim("other damages", not wrong, f"{count - len(wrong)} of {count} refused with 3, the member named")


def main() -> None:
    """Build, damage, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--flips", type=int, default=1000, metavar="N", help="in each larger member")
    parser.add_argument("--small", type=int, default=1 << 16, metavar="BYTES", help="flip every byte of members up to this size")
    parser.add_argument("--bits", type=int, default=8, metavar="N", help="in each byte of the manifest")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="start a process for every N-th question only")
    parser.add_argument("--seed", type=int, default=20)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with scratch() as root:
        bundle = root / "bundle"
        build(arguments.repository, bundle)
        before = verified_digest(bundle)
        proof = Proof(f"Damages to the bundle of {arguments.repository.name}, seed {arguments.seed}")
        for path in sorted(path for path in bundle.rglob("*") if path.is_file()):
            size, name = path.stat().st_size, path.relative_to(bundle).as_posix()
            is_manifest = name == layout.MANIFEST
            everywhere = is_manifest or size <= arguments.small
            offsets = range(size) if everywhere else sorted(chance.sample(range(size), min(size, arguments.flips)))
            places = [(at, bit) for at in offsets for bit in chance.sample(range(8), arguments.bits if is_manifest else 1)]
            flip_bits(proof, bundle, name, places, arguments.every, chance)
        proof.claim("as it was, after all flips", verified_digest(bundle) == before, before)
        damage(proof, bundle, root, arguments.every)
        proof.leave()


if __name__ == "__main__":
    main()
