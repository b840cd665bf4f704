"""Which commits are learned from, and what of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from checkouts import commit, init

from collect_commits import pairs_of_history, subject_of
from collect_licences import Terms
from collect_sources import Package


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Close idle connections before shutting down (#123)", "Close idle connections before shutting down"),
        ("Keep trailing slashes in redirects, closes #7", "Keep trailing slashes in redirects"),
        ("feat(http): retry requests that timed out", "retry requests that timed out"),
        ("Merge pull request #4 from a/b", ""),
        ("Bump version to 1.2.3", ""),
        ("v2.0.1", ""),
        ("fix typo in the documentation of the pool", ""),
        ("chore: update the lock file of all packages", ""),
        ("Update lib/subscription.ex", ""),
        ("Fix it", ""),
        ("更新 依赖 版本 of the package", ""),
    ],
)
def test_only_a_subject_that_tells_something_is_a_question(subject: str, expected: str) -> None:
    assert subject_of(subject, "00" * 20) == expected


def test_every_other_commit_keeps_its_prefix() -> None:
    assert subject_of("feat: retry requests that timed out", "01" * 20) == "feat: retry requests that timed out"


def test_the_right_side_is_the_changed_definition_after_the_change(tmp_path: Path) -> None:
    before = "def first(jars):\n    return jars[0]\n\n\ndef last(jars):\n    return jars[-1]\n"
    after = before.replace("return jars[-1]", "if not jars:\n        raise ValueError('the shelf is empty')\n    return jars[-1]")
    init(tmp_path)
    for text, subject in ((before, "Initial commit of the shelf"), (after, "Complain about an empty shelf instead of failing")):
        (tmp_path / "shelf.py").write_text(text)
        head = commit(tmp_path, subject)
    package = Package(registry="git", name="o/n", version=head, licence="MIT", files=())
    dropped: Counter[str] = Counter()
    pairs = list(pairs_of_history(tmp_path, package, Terms(licence="MIT"), dropped))
    code = "def last(jars):\n    if not jars:\n        raise ValueError('the shelf is empty')\n    return jars[-1]"
    expected = [("commit", "python", "shelf.py", "Complain about an empty shelf instead of failing", code)]
    assert expected == [(pair.kind, pair.language, pair.path, pair.left, pair.right) for pair in pairs]
    assert dropped == {"commit that tells nothing or too much": 1}
