"""A manifest that is written is read back as it was, whatever is in it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import (
    Counts,
    EncoderIdentity,
    LanguageCount,
    Manifest,
    Member,
    NamedProject,
    parse_manifest,
    render_manifest,
)
from hardtack.nouns.model import Provenance

text = st.text(st.characters(exclude_categories=["Cs"]))
word = st.from_regex(r"[a-z][a-z0-9_+#.-]{0,31}", fullmatch=True)
label = st.text(st.characters(categories=["L", "M", "N", "P", "S"]), max_size=200)
reason = st.from_regex(r"[a-z][a-z0-9 ._-]{0,39}", fullmatch=True)
commit = st.just("") | st.binary(min_size=20, max_size=20).map(bytes.hex) | st.binary(min_size=32, max_size=32).map(bytes.hex)
number = st.integers(min_value=0, max_value=(1 << 63) - 1)
digest = st.binary(min_size=32, max_size=32).map(lambda data: f"sha256:{data.hex()}")
name = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,9}(\.[a-z0-9]{1,4})?", fullmatch=True).filter(
    lambda name: name != layout.MANIFEST
)
json_value = st.recursive(
    st.none() | st.booleans() | number | text, lambda inner: st.lists(inner) | st.dictionaries(text, inner), max_leaves=5
)


@st.composite
def manifests(draw: st.DrawFn) -> Manifest:
    has_vectors = draw(st.booleans())
    names = draw(st.sets(name, max_size=10)) | layout.REQUIRED | ({layout.VECTORS} if has_vectors else set())
    names -= set() if has_vectors else {layout.VECTORS}
    language = st.builds(
        LanguageCount,
        id=word,
        name=label,
        aliases=st.lists(label).map(tuple),
        files=number,
        chunks=number,
        lines=number,
        code_bytes=number,
    )
    identity = st.builds(
        EncoderIdentity, name=label, fingerprint=digest, dimension=st.integers(min_value=1, max_value=layout.DIMENSION_LIMIT)
    )
    provenance = st.builds(
        Provenance,
        repository=text,
        commit=commit,
        commit_time=st.none() | number,
        subdirectory=text,
        source=word,
        is_dirty=st.booleans(),
        roots=st.lists(text).map(tuple),
    )
    return Manifest(
        format_version=draw(st.integers(*layout.READABLE_VERSIONS)),
        tool=draw(label),
        engines=draw(st.dictionaries(label, label)),
        terms_fingerprint=draw(digest),
        encoder=draw(identity) if has_vectors else None,
        provenance=draw(provenance),
        options=draw(st.dictionaries(text, json_value)),
        counts=draw(st.builds(Counts, files=number, symbols=number, chunks=number, text_bytes=number)),
        languages=tuple(draw(st.lists(language, max_size=4))),
        skipped=draw(st.dictionaries(reason, number)),
        parse_status=draw(st.dictionaries(word, number)),
        projects=tuple(
            NamedProject(path=path, ecosystem=draw(word), name=draw(text), version=draw(text), language_version=draw(text))
            for path in sorted(draw(st.sets(text.filter(layout.is_source_path), max_size=4)))
        ),
        members=tuple(
            Member(name=listed, size=draw(st.integers(min_value=0, max_value=layout.MEMBER_LIMIT)), sha256=draw(digest))
            for listed in sorted(names)
        ),
    )


@settings(deadline=None)
@given(manifests())
def test_parsing_what_was_rendered_gives_the_manifest_again(manifest: Manifest) -> None:
    assert manifest == parse_manifest(render_manifest(manifest))
