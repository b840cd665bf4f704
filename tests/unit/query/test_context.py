"""What stands around a chunk."""

from pathlib import Path

import hardtack
from hardtack.query.context import context_of

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
    assert context.before == 'package shop\n\nimport (\n\t"fmt"\n\t"os"\n)'
    assert ["func (c *Cart) Add(n int) error", "func Open(name string) (*os.File, error)"] == context.after.split("\n")
