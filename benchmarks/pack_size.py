"""Measures a pack, section by section, beside what ``git archive`` gives of the same commit, compressed.

    python benchmarks/pack_size.py REPO...

Prints the bytes of each section of each pack, largest first, and the pack without the encoder (which is the same in every bundle,
and stored once on each machine) as a multiple of ``git archive HEAD | zstd -19``. Needs git and zstd. Exits 1 when it is more than
what is aimed at, 1.5.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from hardtack import build_bundle
from hardtack.bundle.format import layout, sections
from hardtack.bundle.format.container import FRAME_LIMIT, parse_frame
from hardtack.bundle.packing import write_pack
from measure import table

_AIM = 1.5
_ENCODER = (layout.ENCODER, layout.ENCODER_TABLE, layout.ENCODER_PROBE)


def stored_in(pack: Path) -> dict[str, int]:
    """PackSection to the bytes that are stored of it."""
    with pack.open("rb") as file:
        listed = parse_frame(file.read(FRAME_LIMIT), pack.stat().st_size, str(pack))
    kinds = ((section, sections.kind_of(section.kind)) for section in listed)
    return {kind.name or str(section.kind): section.length for section, kind in kinds if kind}


def archived(repository: Path) -> int:
    """Bytes of ``git archive HEAD | zstd -19``."""
    tar = subprocess.run(["git", "archive", "HEAD"], cwd=repository, check=True, capture_output=True).stdout
    return len(subprocess.run(["zstd", "-19", "--quiet", "--stdout"], input=tar, check=True, capture_output=True).stdout)


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    is_small = True
    for repository in parser.parse_args().repositories:
        with tempfile.TemporaryDirectory() as scratch:
            build_bundle(repository, Path(scratch, "bundle"))
            pack = write_pack(Path(scratch, "bundle"), Path(scratch, "bundle.hardtack"))
            stored = stored_in(pack.path)
        own, archive = pack.size - sum(stored.get(name, 0) for name in _ENCODER), archived(repository)
        rows = sorted(stored.items(), key=lambda row: (-row[1], row[0]))
        print(table(["section", "bytes", "of the archive"], [[name, f"{size:,}", f"{size / archive:.2f}"] for name, size in rows]))
        print(f"{repository.name}: pack {pack.size:,}, without the encoder {own:,}, archive {archive:,}: {own / archive:.2f}\n")
        is_small = is_small and own <= _AIM * archive
    sys.exit(not is_small)


if __name__ == "__main__":
    main()
