"""Matches of a query's words with the names of files and symbols of a small bundle."""

from __future__ import annotations

import numpy as np
import pytest

from hardtack.bundle.reader import Bundle
from hardtack.query.ranking.name_match import FOLDER_SHARE, FileNameMatches, NameMatcher, SymbolNameMatches


def _read(bundle: Bundle, *terms: str) -> tuple[FileNameMatches, SymbolNameMatches]:
    return NameMatcher(bundle).read(terms, np.full(len(terms), 1 / max(len(terms), 1)))


def _covered(bundle: Bundle, *terms: str) -> dict[str, float]:
    """Path to the share that it covers of terms of equal weight."""
    weights = np.full(len(terms), 1 / max(len(terms), 1))
    names = NameMatcher(bundle)
    return _by_path(bundle, names.covered(names.read(terms, weights)[0], weights))


def _by_path(bundle: Bundle, numbers: np.ndarray) -> dict[str, float]:
    return {bundle.file(file).path: number for file, number in enumerate(numbers.tolist()) if number}


def test_a_path_covers_a_word_by_its_name_and_less_by_its_folders_and_never_twice(bundle: Bundle) -> None:
    assert {"label/label.go": 1.0} == _covered(bundle, "label")
    pantry = _covered(bundle, "pantry", "shelf")
    assert (FOLDER_SHARE + 1) / 2 == pytest.approx(pantry["src/pantry/shelf.py"])
    assert FOLDER_SHARE / 2 == pytest.approx(pantry["src/pantry/advice.py"])


def test_the_symbol_of_a_file_that_is_nearest_is_told(bundle: Bundle) -> None:
    symbols = _read(bundle, "suggest", "dish")[1]
    nearness = {
        bundle.symbol(symbol).qualified_name: near for symbol, near in zip(symbols.best.tolist(), symbols.nearness, strict=True)
    }
    assert "suggest_dish" == max(nearness, key=lambda name: nearness[name])
    assert 1.0 == pytest.approx(nearness["suggest_dish"])
    assert sorted(symbols.files.tolist()) == symbols.files.tolist()
    assert [bundle.symbol(symbol).file for symbol in symbols.best.tolist()] == symbols.files.tolist()


def test_types_are_told_apart_from_other_symbols(bundle: Bundle) -> None:
    symbols = _read(bundle, "shelf", "full")[1]
    shelf = next(file.path for file in bundle.files if file.path == "src/pantry/shelf.py")
    place = [bundle.file(file).path for file in symbols.files.tolist()].index(shelf)
    assert 1.0 == pytest.approx(symbols.type_nearness[place])
    assert 0.0 == _read(bundle, "suggest", "dish")[1].type_nearness.max()


@pytest.mark.parametrize("terms", [(), ("",), ("zzzz",)])
def test_words_that_name_nothing_name_nothing(bundle: Bundle, terms: tuple[str, ...]) -> None:
    files, symbols = _read(bundle, *terms)
    assert ({}, 0, 0, 0) == (_covered(bundle, *terms), len(files.stems.files), len(symbols.files), len(symbols.names.files))
