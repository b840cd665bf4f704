"""The context of a chunk: imports and following symbols."""

from pathlib import Path

import hardtack
from hardtack.query.hits.gather import context_of

GO = """package shop

import (
	"fmt"
	"os"
)

// Cart holds items.
type Cart struct{ n int }

{body}
func (c *Cart) Add(n int) error { return fmt.Errorf("%d", n) }

func Open(name string) (*os.File, error) { return os.Open(name) }

func Last() {}
"""


def test_context_is_the_package_the_imports_and_the_next_two_signatures(tmp_path: Path) -> None:
    long_function = "func Big() {\n" + "".join(f'\tfmt.Println("line number {n} of a long function")\n' for n in range(80)) + "}\n"
    (tmp_path / "shop.go").write_text(GO.replace("{body}", long_function))
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as searcher:
        bundle = searcher.bundle
        chunks = [bundle.chunk(ordinal) for ordinal in range(bundle.manifest.counts.chunks)]
        big = next(chunk for chunk in chunks if "Big" in [symbol.name for symbol in bundle.symbols_of(chunk)])
        context = context_of(bundle, big)
    assert context.imports == 'package shop\n\nimport (\n\t"fmt"\n\t"os"\n)'
    assert ("func (c *Cart) Add(n int) error", "func Open(name string) (*os.File, error)") == context.related


def test_of_very_many_imports_whole_lines_are_given(tmp_path: Path) -> None:
    imports = "".join(f"from somewhere.module_{number} import name_{number}\n" for number in range(200))
    (tmp_path / "many.py").write_text(f"{imports}\n\ndef only():\n    return name_1\n")
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as searcher:
        given = context_of(searcher.bundle, searcher.bundle.chunk(0)).imports
    assert 3900 < len(given) <= 4000
    assert imports.startswith(given + "\n")
