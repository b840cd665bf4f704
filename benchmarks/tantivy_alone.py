"""Indexes every file of a list with Tantivy and nothing else, in one thread: a lower limit for builds.

    python benchmarks/tantivy_alone.py LIST

Run by ``bench.py``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import tantivy


def main() -> None:
    """Index and end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path, help="a text file, a path a line")
    paths = parser.parse_args().list.read_text(encoding="utf-8").splitlines()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("path", tokenizer_name="raw")
    builder.add_text_field("body", index_option="freq")
    schema = builder.build()
    with tempfile.TemporaryDirectory() as scratch:
        writer = tantivy.Index(schema, path=scratch).writer(heap_size=500_000_000, num_threads=1)
        for path in paths:
            document = tantivy.Document()
            document.add_text("path", path)
            document.add_text("body", Path(path).read_text(encoding="utf-8", errors="replace"))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()


if __name__ == "__main__":
    main()
