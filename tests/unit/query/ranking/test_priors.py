"""What counts as a language of the project, and how much a file of another one is held back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bundles import opened

from hardtack.query.ranking.priors import PRIORS, Priors
from hardtack.query.request.analysis import TextAnalysis

CODE = "def run(a):\n    return a\n" * 20
PAGES = {f"docs/page{number}.md": f"# Page {number}\n\nIt runs.\n" for number in range(12)}
DATA = {f"data/{number}.json": '{"run": 1}\n' * 60 for number in range(12)}


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({**PAGES, **DATA, "run.py": CODE}, {"run.py": 0.0, "docs/page1.md": 1.0, "data/1.json": 1.0}),
        ({"a.py": CODE, "b.go": "package b\n\nfunc Run() {}\n" * 20}, {"a.py": 0.0, "b.go": 0.0}),
        (
            {"a.py": CODE, **{f"tests/b{n}.go": "package b\n\nfunc Run() {}\n" * 20 for n in range(9)}},
            {"a.py": 0.0, "tests/b1.go": 1.0},
        ),
        ({"a.py": CODE, **{f"vendor/b{n}.go": "package b\n\nfunc Run() {}\n" * 20 for n in range(9)}}, {"a.py": 0.0}),
        (PAGES, {"docs/page1.md": 0.0}),
    ],
    ids=["pages and data beside code", "two languages", "tests in another", "vendored code in another", "pages alone"],
)
def test_the_languages_of_a_project_are_those_of_its_own_code(
    files: dict[str, str], wanted: dict[str, float], tmp_path: Path
) -> None:
    with opened(tmp_path, files) as bundle:
        numbers = {file.path: number for number, file in enumerate(bundle.files)}
        rows = Priors(bundle).rows(np.array([numbers[path] for path in wanted]), TextAnalysis("run", {}))
    assert list(wanted.values()) == rows[:, PRIORS.index("other_language")].tolist()


def test_a_word_that_names_source_files_asks_for_tests_by_half(tmp_path: Path) -> None:
    files = {"run.py": CODE, "tests/test_run.py": CODE}
    column = PRIORS.index("is_test")
    for place, (more, kept) in enumerate((({}, 0.0), ({"click/testing.py": CODE}, 0.5))):
        with opened(tmp_path / str(place), {**files, **more}) as bundle:
            number = next(number for number, file in enumerate(bundle.files) if file.path == "tests/test_run.py")
            priors = Priors(bundle)
            assert 1.0 == priors.rows(np.array([number]), TextAnalysis("run", {}))[0, column]
            assert kept == priors.rows(np.array([number]), TextAnalysis("testing of run", {}))[0, column]
