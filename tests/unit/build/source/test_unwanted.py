from __future__ import annotations

import pytest

from hardtack.build.source.decode import SourceOptions, decode
from hardtack.build.source.unwanted import skip_by_name, vendor_directories
from hardtack.nouns.outline import Skip, SkipReason


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("node_modules/left-pad/index.js", SkipReason.VENDORED),
        ("packages/a/node_modules/b/c.js", SkipReason.VENDORED),
        ("third_party/zlib/zlib.c", SkipReason.VENDORED),
        ("src/pip/_vendor/rich/text.py", SkipReason.VENDORED),
        (".venv/lib/python3.11/site-packages/x.py", SkipReason.VENDORED),
        ("Cargo.lock", SkipReason.GENERATED),
        ("web/package-lock.json", SkipReason.GENERATED),
        ("go.sum", SkipReason.GENERATED),
        ("docs/logo.PNG", SkipReason.BINARY),
        ("docs/logo.svg", SkipReason.BINARY),
    ],
)
def test_a_name_that_says_what_it_is_rules_its_file_out(path: str, reason: SkipReason) -> None:
    skip = skip_by_name(path, vendored=frozenset(), is_large=False)
    assert skip is not None
    assert (path, reason) == (skip.path, skip.reason)
    assert skip.detail


@pytest.mark.parametrize(
    "path",
    [
        *("lib/a.py", "deps/a.c", "external/a.c", "build/rules.py", "dist/a.js", "target/a.rs", "venv/__init__.py", "vendor"),
        *("vendor.go", ".png", "png", "Makefile", "lock", "map.go", "go.mod", "min.js", "Cargo.toml", "user.pb.go", "app.js.map"),
        *("jquery.min.js", "page.pt", "heat.mo", "protein.pdb", "notes.doc", "lib/a.so"),
    ],
)
def test_a_name_that_could_be_somebody_s_own_code_rules_nothing_out(path: str) -> None:
    assert skip_by_name(path, vendored=frozenset(), is_large=False) is None


def test_vendored_trees_are_kept_when_asked_for_and_their_lock_files_are_not() -> None:
    assert skip_by_name("node_modules/a/b.go", vendored=None, is_large=False) is None
    skip = skip_by_name("node_modules/a/go.sum", vendored=None, is_large=False)
    assert skip is not None
    assert skip.reason is SkipReason.GENERATED


@pytest.mark.parametrize(
    ("paths", "vendored"),
    [
        (["vendor/x/y.go"], ["vendor"]),
        (["packages/a/composer.json", "packages/a/vendor/b/c.php"], ["packages/a/vendor"]),
        (["public/vendor/chart.js", "app.js"], ["public/vendor"]),
        (["src/core/vendor/zlib/zlib.c", "src/core/vendor/zlib/LICENSE"], ["src/core/vendor"]),
        (["src/web/vendor/jquery.min.js"], ["src/web/vendor"]),
        (["crates/x/vendor/y/Cargo.toml", "crates/x/vendor/y/src/lib.rs"], ["crates/x/vendor"]),
        # A word of business.
        (["src/main/java/com/acme/vendor/Vendor.java"], []),
        (["resources/views/vendor/mail/a.blade.php"], []),
        (["app/models/vendor/invoice.rb", "Gemfile"], []),
        (["src/features/vendor/VendorList.tsx", "package.json"], []),
        (["internal/vendor/service.go", "go.mod"], []),
        (["vendor/__init__.py", "vendor/models.py", "manage.py"], []),
        (["vendor/__init__.py", "vendor/six/LICENSE", "vendor/six/six.py"], ["vendor"]),
    ],
)
def test_vendor_is_other_people_s_code_where_copies_lie_or_where_it_brings_a_licence(paths: list[str], vendored: list[str]) -> None:
    assert vendor_directories(paths) == frozenset(vendored)


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("page.pt", b'<div tal:content="here/title">x</div>\n', None),
        ("heat.mo", b"model Heat\n  Real t;\nend Heat;\n", None),
        ("notes.doc", b"Plain words of an old manual.\n", None),
        ("a.class", b"\xca\xfe\xba\xbe\x00\x00\x004", SkipReason.BINARY),
        ("key.der", b"0\x82\x04\xa2\x02\x01\x01" + bytes(range(128, 250)), SkipReason.BINARY),
        ("paper.pdf", b"%PDF-1.4\n1 0 obj\n", SkipReason.BINARY),
        ("libfoo.map", b"FOO_1.0 { global: foo_open; local: *; };\n", None),
        ("app.js.map", b'{"version":3,"sources":["a.js"],"mappings":"AAAA"}', SkipReason.GENERATED),
        ("cart.snap", b"// Jest Snapshot v1, https://goo.gl/fbAQLP\n", SkipReason.GENERATED),
        ("core.snap", b"name: core\nversion: 1\nconfinement: strict\n", None),
        ("user.pb.go", b"package user\n\n// Written by hand.\ntype User struct{}\n", None),
        ("lib.min.js", b"var a=function(b){return b+1};" * 30, SkipReason.MINIFIED),
        ("lib.min.js", b"// The smallest version that works.\nvar a = 1;\n" * 30, None),
    ],
)
def test_an_extension_decides_nothing_that_the_content_contradicts(path: str, data: bytes, reason: SkipReason | None) -> None:
    item = decode(path, data, SourceOptions())
    assert (item.reason if isinstance(item, Skip) else None) is reason
