"""What a build records of the engines that made it."""

from __future__ import annotations

from importlib.metadata import version

from hardtack.build.options import engines


def test_versions_are_those_that_installed_packages_declare() -> None:
    packages = [name for name in engines() if name not in {"tantivy-index-format", "unicode", "zlib"}]
    assert "faiss-cpu" in packages
    assert [version(name) for name in packages] == [engines()[name] for name in packages]
