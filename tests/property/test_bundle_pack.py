"""What goes into a pack comes out of it, however its bytes are and however they come."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.bundle.format import layout
from hardtack.bundle.format.compression import compressed, inflated
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Member, parse_manifest, render_manifest, with_members
from hardtack.bundle.format.pack import open_pack
from hardtack.bundle.packing import write_pack

FROZEN = Path(__file__).parents[2] / "fixtures" / "bundles" / "v1" / "keyword"
CONTENT = st.one_of(
    st.binary(max_size=9000), st.builds(lambda data, times: data * times, st.binary(max_size=40), st.integers(0, 3000))
)


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@given(data=CONTENT, size=st.integers(1, 5000))
def test_what_is_compressed_is_inflated_whatever_pieces_it_comes_in(data: bytes, size: int) -> None:
    stored = b"".join(compressed(cut(data, size), len(data)))
    assert data == b"".join(inflated(cut(stored, size), len(data), "x"))
    assert stored == b"".join(compressed([data], len(data)))


@settings(max_examples=40)
@given(contents=st.lists(CONTENT, max_size=5))
def test_the_members_of_a_bundle_come_out_of_its_pack_as_they_went_in(contents: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        bundle = Path(scratch, "bundle")
        (bundle / layout.LEXICAL).mkdir(parents=True)
        files = {path.relative_to(FROZEN).as_posix(): path.read_bytes() for path in FROZEN.rglob("*") if path.is_file()}
        files |= {f"later{number}.blocks": data for number, data in enumerate(contents)}
        manifest = parse_manifest(files.pop(layout.MANIFEST))
        members = tuple(Member(name=name, size=len(data), sha256=digest_of(data)) for name, data in files.items())
        files[layout.MANIFEST] = render_manifest(with_members(manifest, members))
        for name, data in files.items():
            (bundle / name).write_bytes(data)
        found = {}
        with open_pack(write_pack(bundle, Path(scratch, "x.hardtack")).path) as pack:
            for name in pack.members():
                out = io.BytesIO()
                pack.copy_member(name, out)
                found[name] = out.getvalue()
        assert files == found
