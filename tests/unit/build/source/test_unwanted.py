from __future__ import annotations

import pytest

from hardtack.build.source.unwanted import skip_by_name
from hardtack.nouns.outline import SkipReason


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("node_modules/left-pad/index.js", SkipReason.VENDORED),
        ("packages/a/node_modules/b/c.js", SkipReason.VENDORED),
        ("vendor/github.com/x/y.go", SkipReason.VENDORED),
        ("third_party/zlib/zlib.c", SkipReason.VENDORED),
        ("src/pip/_vendor/rich/text.py", SkipReason.VENDORED),
        (".venv/lib/python3.11/site-packages/x.py", SkipReason.VENDORED),
        ("Cargo.lock", SkipReason.GENERATED),
        ("web/package-lock.json", SkipReason.GENERATED),
        ("go.sum", SkipReason.GENERATED),
        ("api/v1/user.pb.go", SkipReason.GENERATED),
        ("proto/user_pb2.py", SkipReason.GENERATED),
        ("dist/app.js.map", SkipReason.GENERATED),
        ("static/jquery.min.js", SkipReason.MINIFIED),
        ("static/Style.MIN.css", SkipReason.MINIFIED),
        ("docs/logo.PNG", SkipReason.BINARY),
        ("docs/logo.svg", SkipReason.BINARY),
        ("lib/a.so", SkipReason.BINARY),
    ],
)
def test_a_name_that_says_what_it_is_rules_its_file_out(path: str, reason: SkipReason) -> None:
    skip = skip_by_name(path, vendor=False)
    assert skip is not None
    assert (path, reason) == (skip.path, skip.reason)
    assert skip.detail


@pytest.mark.parametrize(
    "path",
    [
        *(
            "lib/a.py",
            "deps/a.c",
            "external/a.c",
            "build/rules.py",
            "dist/a.js",
            "target/a.rs",
            "venv/__init__.py",
            "vendor",
            "vendor.go",
        ),
        *(
            "src/main/java/com/acme/vendor/Vendor.java",
            "resources/views/vendor/mail/a.blade.php",
            ".png",
            "png",
            "Makefile",
            "lock",
        ),
        *("map.go", "go.mod", "min.js", "Cargo.toml"),
    ],
)
def test_a_name_that_could_be_somebody_s_own_code_rules_nothing_out(path: str) -> None:
    assert skip_by_name(path, vendor=False) is None


def test_vendored_trees_are_kept_when_asked_for_and_their_lock_files_are_not() -> None:
    assert skip_by_name("vendor/a/b.go", vendor=True) is None
    skip = skip_by_name("vendor/a/go.sum", vendor=True)
    assert skip is not None
    assert skip.reason is SkipReason.GENERATED
