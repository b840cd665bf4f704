"""Each ``fixtures/languages/<id>/<case>/input.*`` gives the outline that ``expected.symbols`` beside it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.build.languages.registry import detect, languages
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.outline import Outline

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"
CASES = sorted(path.parent for path in FIXTURES.glob("*/*/input.*"))
MAIN_LANGUAGES = ("go", "java", "javascript", "php", "python", "rust", "tsx", "typescript")


def _shown(outline: Outline) -> str:
    """The outline as text: one line a symbol, indented by nesting, its documentation's first line below it."""
    lines = [f"status {outline.status}"]
    if outline.error_lines:
        lines.append("errors " + " ".join(map(str, outline.error_lines)))
    if outline.package:
        lines.append(f"package {outline.package}")
    if outline.imports is not None:
        lines.append(f"imports {outline.imports.start_line}-{outline.imports.end_line}")
    depths: list[int] = []
    for symbol in outline.symbols:
        depth = depths[symbol.parent] + 1 if symbol.parent >= 0 else 0
        depths.append(depth)
        indent = "    " * depth
        extent = f"{symbol.extent.start_line}/" if symbol.extent.start_line != symbol.span.start_line else ""
        package = f"  [{symbol.package}]" if symbol.package != outline.package else ""
        where = f"{extent}{symbol.span.start_line}-{symbol.span.end_line}"
        mark = "  (read from lines)" if symbol.is_from_lines else ""
        lines.append(f"{indent}{where}  {symbol.kind}  {symbol.qualified_name}  | {symbol.signature}{package}{mark}")
        if symbol.doc:
            lines.append(f"{indent}    -- {symbol.doc.splitlines()[0]}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_fixture_gives_the_outline_written_beside_it(case: Path, request: pytest.FixtureRequest) -> None:
    (source,) = case.glob("input.*")
    text = source.read_bytes()
    language = detect(source.name, text)
    assert case.parent.name == language.id
    actual = _shown(outline_of(text, language))
    golden = case / "expected.symbols"
    if request.config.getoption("--update-golden", default=False):
        golden.write_text(actual, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == actual


def test_every_language_with_symbols_has_a_fixture_of_forty_lines() -> None:
    wanted = [language.id for language in languages().values() if language.has_query or language.has_cutter]
    longest = {
        language: max((len(path.read_bytes().splitlines()) for path in FIXTURES.glob(f"{language}/*/input.*")), default=0)
        for language in wanted
    }
    assert [language for language, lines in longest.items() if lines < 40] == []


@pytest.mark.parametrize("language", MAIN_LANGUAGES)
def test_the_main_languages_have_a_fixture_of_broken_source(language: str) -> None:
    assert "status partial" in (FIXTURES / language / "broken" / "expected.symbols").read_text(encoding="utf-8")
